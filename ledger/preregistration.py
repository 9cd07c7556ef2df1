"""Whether a hypothesis was recorded before its runs: shown only where order proves it.

An entry is *pre-registered* when the open entry that it answers carries a plan digest and precedes
the admission of every run that it cites, and each of those admissions carries the same plan digest.
Attached files never are: nobody saw them being measured.
"""

from ledger.bodies import Experiment, Run
from ledger.entry import Entry
from ledger.log import Ledger
from receipts.errors import NotFoundError


def obstacle(ledger: Ledger, body: Experiment) -> str | None:
    """Return why the entry with this body is not pre-registered, None when it is."""
    if not body.answers:
        return "it answers no open entry"
    opened = ledger.by_id(body.answers)
    if not isinstance(opened.body, Experiment) or not opened.body.plan:
        return f"the open entry {opened.index} carries no plan"
    if not body.evidence:
        return "it cites no runs"
    reasons = (_run_obstacle(ledger, opened, body, item.receipt) for item in body.evidence)
    return next((reason for reason in reasons if reason), None)


def _run_obstacle(ledger: Ledger, opened: Entry, closing: Experiment, uri: str) -> str | None:
    """Return why the receipt at `uri` proves no order; a run entered later proves nothing."""
    earlier = [index for index in ledger.index.find("run", uri) if index < closing.index]
    runs = [body for body in (ledger.entry(i).body for i in earlier) if isinstance(body, Run)]
    if not runs or any(run.phase == "attached" or not run.admission for run in runs):
        return f"{uri[:24]}… was not admitted before it ran"
    reasons = (_admission_obstacle(ledger, opened, run.admission or "") for run in runs)
    return next((reason for reason in reasons if reason), None)


def _admission_obstacle(ledger: Ledger, opened: Entry, entry_id: str) -> str | None:
    try:
        admission = ledger.by_id(entry_id).body
    except NotFoundError:
        return f"the admission {entry_id[:16]}… is no entry"
    if not isinstance(admission, Run) or admission.phase != "admitted":
        return f"entry {admission.index} admits no run"
    if admission.plan != getattr(opened.body, "plan", None):
        return f"run {admission.index} was admitted under another plan"
    if admission.index < opened.index:
        return f"run {admission.index} was admitted before the hypothesis {opened.index}"
    return None
