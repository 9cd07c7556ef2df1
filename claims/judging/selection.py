"""Which receipt of an entry a claim rests on, and which cell of its raw file.

An entry may say itself which cell it cites; a claim may narrow that and never contradict it. What
is left must be one cell of one receipt: nothing is picked for anybody.
"""

from collections.abc import Sequence

from claims.judging.chain import Link, RefusedError, refusing
from claims.registers import facts
from claims.registers.model import Claim, EvidenceRef
from ledger import citation
from ledger.bodies import Evidence as Cited
from ledger.bodies import Experiment, Run
from ledger.log import Ledger
from receipts.predicates import Facts, RunPredicate, WindowPredicate


def spread(ledger: Ledger, ref: EvidenceRef) -> list[EvidenceRef]:
    """Return a reference for each receipt that the entry cites, if `ref` does not name one."""
    with refusing("CLM310"):
        body = ledger.resolve(ref.entry).body
    cited = body.evidence if isinstance(body, Experiment) else None
    uris = list(dict.fromkeys(item.receipt for item in cited or ()))
    if ref.receipt or ref.cell or len(uris) < 2:
        return [ref]
    return [ref.model_copy(update={"receipt": uri}) for uri in uris]


def choose(ledger: Ledger, ref: EvidenceRef, body: Experiment) -> tuple[str, Facts]:
    """Return the URI of the receipt that `ref` means, and the selection in its raw file."""
    cited = body.evidence or []
    if not cited:
        raise RefusedError("CLM314", f"entry {ref.entry} cites no receipt")
    uri = _uri(ledger, ref, list(dict.fromkeys(item.receipt for item in cited)))
    return uri, _cell(ref, [item for item in cited if item.receipt == uri])


def _uri(ledger: Ledger, ref: EvidenceRef, cited: Sequence[str]) -> str:
    if ref.receipt is None:
        fitting = [uri for uri in cited if ref.cell in (None, _told(ledger, uri)[1])]
        if not fitting:
            message = f"entry {ref.entry} cites no window of the cell {ref.cell}"
            raise RefusedError("CLM317", message)
        if len(fitting) > 1:
            listed = ", ".join(_told(ledger, uri)[0] for uri in fitting)
            message = f"entry {ref.entry} cites {len(fitting)} receipts; name one: {listed}"
            raise RefusedError("CLM315", message)
        return fitting[0]
    with refusing("CLM315"):
        uri = citation.resolve(ledger, ref.receipt)
    if uri not in cited:
        raise RefusedError("CLM315", f"{ref.receipt} is not evidence of entry {ref.entry}")
    return uri


def _told(ledger: Ledger, uri: str) -> tuple[str, str | None]:
    """Return the name of a receipt and its cell, as its RUN entry tells them."""
    for index in ledger.index.find("run", uri):
        body = ledger.entry(index).body
        if isinstance(body, Run):
            return f"receipt://{body.name or body.window or uri[10:24]}", body.cell
    return f"{uri[:30]}…", None


def elsewhere(window: WindowPredicate, uri: str, body: Experiment) -> list[Link]:
    """Return a note if the entry shows the delta of other windows than the one that is claimed.

    `ledger add` copies the delta of the first window that it is given, and of no other.
    """
    if not body.delta or any(uri in delta.runs for delta in body.delta):
        return []
    told = f"the entry shows the delta of another window than {window.window}, which this is of"
    return [Link("note", window.window, told)]


def _cell(ref: EvidenceRef, cited: Sequence[Cited]) -> Facts:
    """Return the one selection that agrees with both the entry's and the claim's."""
    ours = ref.select or {}
    fitting: dict[str, Facts] = {}
    for item in cited:
        theirs = item.select or {}
        if not facts.differing(ours, theirs):
            merged = {**ours, **theirs}
            fitting[_shown(dict(sorted(merged.items())))] = merged
    if not fitting:
        listed = "; ".join(_shown(item.select or {}) for item in cited)
        raise RefusedError("CLM317", f"entry {ref.entry} cites {listed}, not {_shown(ours)}")
    if len(fitting) > 1:
        listed = "; ".join(fitting)
        raise RefusedError("CLM317", f"entry {ref.entry} cites several cells: {listed}; select one")
    return next(iter(fitting.values()))


def _shown(where: Facts) -> str:
    return ", ".join(f"{name}={facts.text(value)}" for name, value in where.items()) or "any cell"


def require_alone(run: RunPredicate) -> None:
    """Refuse a repetition on its own: the gate and the other repetitions are its window's."""
    if run.window is not None:
        place = f"{run.arm}/{run.repetition} of window {run.window}"
        raise RefusedError("CLM206", f"it is repetition {place}; cite the window")


def require_file(ref: EvidenceRef) -> None:
    """Refuse an arm where the evidence is a file of cells."""
    if ref.arm is not None:
        raise RefusedError("CLM317", f"arm {ref.arm} is named, and the evidence is no window")


def require_window(claim: Claim, ref: EvidenceRef, where: Facts, arms: Sequence[str]) -> None:
    """Refuse what selects no arm of a window, or selects something else in it."""
    if where:
        raise RefusedError("CLM317", f"a window has arms and no cells; leave out {_shown(where)}")
    if claim.kind == "level" and ref.arm not in arms:
        raise RefusedError("CLM317", f"a level claim on a window names its arm: {', '.join(arms)}")
    if claim.kind != "level" and ref.arm is not None:
        raise RefusedError("CLM317", f"a change is about both arms; leave out arm {ref.arm}")
