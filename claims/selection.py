"""Which receipt of an entry a claim rests on, and which cell of its raw file.

An entry may say itself which cell it cites; a claim may narrow that and never contradict it. What
is left must be one cell of one receipt: nothing is picked for anybody.
"""

from collections.abc import Sequence

from claims import facts
from claims.chain import RefusedError, refusing
from claims.model import Claim, EvidenceRef
from ledger import citation
from ledger.bodies import Evidence as Cited
from ledger.bodies import Experiment
from ledger.log import Ledger
from receipts.statement import Facts, RunPredicate


def choose(ledger: Ledger, ref: EvidenceRef, body: Experiment) -> tuple[str, Facts]:
    """Return the URI of the receipt that `ref` means, and the selection in its raw file."""
    cited = body.evidence or []
    if not cited:
        raise RefusedError("CLM314", f"entry {ref.entry} cites no receipt")
    uri = _uri(ledger, ref, list(dict.fromkeys(item.receipt for item in cited)))
    return uri, _cell(ref, [item for item in cited if item.receipt == uri])


def _uri(ledger: Ledger, ref: EvidenceRef, cited: Sequence[str]) -> str:
    if ref.receipt is None:
        if len(cited) > 1:
            raise RefusedError("CLM315", f"entry {ref.entry} cites {len(cited)} receipts; name one")
        return cited[0]
    with refusing("CLM315"):
        uri = citation.resolve(ledger, ref.receipt)
    if uri not in cited:
        raise RefusedError("CLM315", f"{ref.receipt} is not evidence of entry {ref.entry}")
    return uri


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
    if claim.kind == "change" and ref.arm is not None:
        raise RefusedError("CLM317", f"a change is about both arms; leave out arm {ref.arm}")
