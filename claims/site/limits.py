"""What the record does not establish, however well the chain of a claim holds."""

from collections.abc import Iterable, Iterator

from claims.judging.judge import Judgement
from engine import soundness
from receipts.predicates import RunPredicate, WindowPredicate

NOTHING = "anything: no entry, and so no measurement, stands behind it on this page"
UNANCHORED = "that no entry was cut off or rolled back: the ledger is held against no kept head"


def limits(done: Judgement, common: Iterable[str], *, anchored: bool) -> Iterator[str]:
    """Yield what a reader must not conclude; `common` is what holds of every chain."""
    yield from common if done.evidence.entry else (NOTHING,)
    predicate = done.evidence.receipt.predicate if done.evidence.receipt else None
    if isinstance(predicate, WindowPredicate):
        yield from _of_window(predicate)
    elif isinstance(predicate, RunPredicate):
        yield from _of_run(predicate)
    yield from _taints(done)
    if not anchored:
        yield UNANCHORED


def _taints(done: Judgement) -> Iterator[str]:
    """Yield what made runs doubtful, once for all runs of which the same is said."""
    places: dict[str, list[str]] = {}
    for link in done.evidence.links:
        if link.kind == "taint":
            places.setdefault(link.detail, []).append(link.name)
    for taint, names in places.items():
        yield f"that {', '.join(names)} ran undisturbed: {taint}"


def _of_window(window: WindowPredicate) -> Iterator[str]:
    if window.fixture is not None:
        unseen = ", ".join(window.fixture.cannot_see)
        yield f"what a {window.fixture.kind} fixture cannot see: {unseen}"
    if window.standing == "unanchored":
        yield "that the baseline is as fast as it once was: no recorded value stands behind it"
    if window.exactness.result == "ungated":
        yield "that both arms computed the same tokens: the plan had no exactness gate"
    for gate in window.gates or ():
        if not soundness.passed(gate):
            yield f"that the candidate is as accurate: {soundness.told(gate)}"
    yield from (f"what this warning is about: {warning}" for warning in window.warnings)


def _of_run(run: RunPredicate) -> Iterator[str]:
    if run.origin == "attached":
        yield "that it was measured as its owner says: the file was attached, and nobody watched"
    yield from (f"what this warning is about: {warning}" for warning in run.warnings)
