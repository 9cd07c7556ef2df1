"""Whether a hypothesis was recorded before its runs: shown only where order proves it.

An entry is *pre-registered* when the open entry that it answers carries a plan digest and precedes
the admission of every run that it cites, and each of those admissions carries the same plan digest.
Attached files never are: nobody saw them being measured.
"""

from ledger.bodies import Experiment, Run
from ledger.entry import Entry
from ledger.log import Ledger


def obstacle(ledger: Ledger, body: Experiment) -> str | None:
    """Return why the entry with this body is not pre-registered, None when it is."""
    if not body.answers:
        return "it answers no open entry"
    opened = ledger.by_id(body.answers)
    if not isinstance(opened.body, Experiment) or not opened.body.plan:
        return f"the open entry {opened.index} carries no plan"
    if not body.evidence:
        return "it cites no runs"
    reasons = (_run_obstacle(ledger, opened, item.receipt) for item in body.evidence)
    return next((reason for reason in reasons if reason), None)


def _run_obstacle(ledger: Ledger, opened: Entry, uri: str) -> str | None:
    plan = getattr(opened.body, "plan", None)
    runs = [ledger.entry(index).body for index in ledger.index.find("run", uri)]
    admissions = [ledger.by_id(r.admission) for r in runs if isinstance(r, Run) and r.admission]
    if not admissions:
        return f"{uri[:24]}… was not admitted before it ran"
    for admission in admissions:
        if getattr(admission.body, "plan", None) != plan:
            return f"run {admission.index} was admitted under another plan"
        if admission.index < opened.index:
            return f"run {admission.index} was admitted before the hypothesis {opened.index}"
    return None
