"""A window as it stands on record: its receipt, and each repetition's receipt and raw file.

    found = recorded.window(here, "tuned-vs-plain-1")
    found.repetitions[0].place                          "plain/0"
    recorded.recomputed(found)                          its comparisons, again from the rows

Signatures, roles and digests are verified, and that each repetition is of this window and in the
place where the window lists it. What is not there (an object that was withheld, a receipt that the
store lacks) is absent with a reason; what is there and does not hold is an error.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine import exactness, figures, raw
from engine.results import merging
from engine.results.model import ResultFile, Run
from ledger import citation
from ledger.session import Session
from receipts.digest import Digest
from receipts.errors import MalformedError, NotFoundError, UndecidedError, VerificationError
from receipts.predicates import Comparison, Repetition, RunPredicate, WindowPredicate
from receipts.receipt import RAW, SCHEME, SUMMARY, Receipt


@dataclass(frozen=True)
class Repeated:
    """One run: what its receipt says and its raw file; `absent` says why one of them is missing."""

    run: RunPredicate | None
    file: ResultFile | None
    arm: str | None = None
    repetition: int | None = None
    absent: str | None = None

    @property
    def place(self) -> str:
        """Arm and number, by which a repetition is known; the cell for a run that is no such."""
        if self.arm is not None:
            return f"{self.arm}/{self.repetition}"
        return self.run.cell if self.run else "run"


@dataclass(frozen=True)
class Window:
    """A window with its repetitions in the order in which they ran."""

    receipt: Receipt
    predicate: WindowPredicate
    repetitions: tuple[Repeated, ...]

    @property
    def name(self) -> str:
        """The window's name."""
        return self.predicate.window

    @property
    def arms(self) -> tuple[str, str]:
        """Baseline and candidate."""
        return self.predicate.baseline, self.predicate.candidate

    def order(self, arm: str) -> list[int]:
        """Return the places of an arm's repetitions in the order of the window, from 1."""
        listed = enumerate(self.predicate.repetitions, start=1)
        return [place for place, item in listed if item.arm == arm]


def receipt(here: Session, reference: str) -> Receipt:
    """Return the receipt by this URI, digest or name, its signature and its signer's role verified.

    Raises `NotFoundError`, `VerificationError` or `UnknownKeyError`.
    """
    full = reference if reference.startswith(SCHEME) else SCHEME + reference
    uri = citation.resolve(here.ledger, full)
    return citation.open_cited(here.ledger, here.workspace.receipts, uri)


def window(here: Session, reference: str) -> Window:
    """Return the window whose receipt `reference` names; `NotFoundError` for another receipt."""
    made = receipt(here, reference)
    if not isinstance(made.predicate, WindowPredicate):
        raise NotFoundError(f"{reference} is the receipt of a run; name a window")
    return of_receipt(here, made, made.predicate)


def of_receipt(here: Session, made: Receipt, predicate: WindowPredicate) -> Window:
    """Return the window that this receipt is about."""
    found = (_repeated(here, made, predicate, item) for item in predicate.repetitions)
    return Window(made, predicate, tuple(found))


def run(here: Session, made: Receipt, predicate: RunPredicate) -> Repeated:
    """Return the run that this receipt is about, as a repetition of its window if it is of one."""
    try:
        file, absent = _file(here, made, predicate), None
    except NotFoundError as error:
        file, absent = None, str(error)
    return Repeated(predicate, file, predicate.arm, predicate.repetition, absent)


def repetitions(here: Session, reference: str) -> tuple[Repeated, ...]:
    """Return the repetitions of a window, or the one run that a receipt is about.

    Raises `VerificationError` where the window's timings are withheld, and `UndecidedError` for a
    run of a window that has not ended well: its gate was not passed.
    """
    made = receipt(here, reference)
    if isinstance(made.predicate, WindowPredicate):
        require_shown(made.predicate)
        return of_receipt(here, made, made.predicate).repetitions
    if not isinstance(made.predicate, RunPredicate):
        raise NotFoundError(f"{reference} is a comparison of two files; name a window or a run")
    if made.predicate.window is not None:
        _require_passed(here, made.predicate.window)
    return (run(here, made, made.predicate),)


def _require_passed(here: Session, name: str) -> None:
    """Return if the window called `name` has ended with timings that may be shown."""
    try:
        ended = receipt(here, name)
    except NotFoundError as error:
        raise UndecidedError(
            f"window {name} has no receipt, so its gate was not passed; timings withheld"
        ) from error
    if isinstance(ended.predicate, WindowPredicate):
        require_shown(ended.predicate)


def withheld(predicate: WindowPredicate) -> str | None:
    """Return why a window's timings are withheld; None where they may be shown.

    Its arms may differ, or not be what they say, in which case it holds no comparison.
    """
    if predicate.exactness.result == "differs":
        return f"NOT EXACT: {predicate.exactness.first_difference or 'the arms differ'}"
    if not predicate.comparisons:
        return "; ".join(predicate.warnings) or "it holds no comparison"
    return None


def require_shown(predicate: WindowPredicate) -> None:
    """Refuse a window whose timings are withheld."""
    why = withheld(predicate)
    if why:
        raise VerificationError(f"window {predicate.window}: {why}; timings are withheld")


def runs(found: Window) -> dict[str, Run]:
    """Return baseline and candidate, each merged from all its repetitions.

    Raises `UndecidedError` where a repetition is absent: the others alone are another window.
    """
    for one in found.repetitions:
        if one.file is None:
            name = found.predicate.window
            raise UndecidedError(f"window {name}: repetition {one.place} is absent: {one.absent}")
    return {
        arm: merging.merge([r.file for r in found.repetitions if r.arm == arm and r.file])
        for arm in found.arms
    }


def recomputed(found: Window) -> dict[str, Run]:
    """Return both arms, after gate and comparisons came out of the rows as the receipt has them.

    Raises `VerificationError` where they do not, and for a window whose timings are withheld.
    """
    predicate = found.predicate
    require_shown(predicate)
    arms = runs(found)
    if exactness.compare(arms, predicate.exactness.compared) != predicate.exactness:
        raise VerificationError(f"window {predicate.window}: its rows give another exactness")
    for said in predicate.comparisons:
        if _compared(said, found, arms) != said:
            raise VerificationError(
                f"window {predicate.window}: its rows give another {said.metric}"
            )
    return arms


def candidate_first(found: Window) -> Iterator[bool]:
    """Yield of each pair, in the order of their numbers, whether the candidate ran first."""
    places = {(item.arm, item.repetition): n for n, item in enumerate(found.predicate.repetitions)}
    baseline, candidate = found.arms
    for number in sorted({item.repetition for item in found.predicate.repetitions}):
        yield places[candidate, number] < places[baseline, number]


def _compared(said: Comparison, found: Window, arms: dict[str, Run]) -> Comparison:
    baseline, candidate = found.arms
    return figures.compare(said.metric, (baseline, arms[baseline]), (candidate, arms[candidate]))


def _repeated(
    here: Session, made: Receipt, predicate: WindowPredicate, item: Repetition
) -> Repeated:
    place = f"{item.arm}/{item.repetition}"
    try:
        nested = receipt(here, item.receipt)
    except NotFoundError as error:
        return Repeated(None, None, item.arm, item.repetition, absent=str(error))
    told = nested.predicate
    if not isinstance(told, RunPredicate) or not _belongs(told, predicate, item):
        raise VerificationError(f"repetition {place} is not of window {predicate.window}")
    if made.require(place) != nested.require(RAW):
        raise VerificationError(f"repetition {place} has another raw file than its window says")
    return run(here, nested, told)


def _belongs(told: RunPredicate, predicate: WindowPredicate, item: Repetition) -> bool:
    ours = (told.origin, told.window, told.plan, told.cell, told.arm, told.repetition)
    listed = (predicate.window, predicate.plan, predicate.cell, item.arm, item.repetition)
    return ours == ("witnessed", *listed)


def _file(here: Session, made: Receipt, predicate: RunPredicate) -> ResultFile:
    digest = made.statement.subject_digest(RAW)
    if digest is None:
        raise NotFoundError("the run left no raw file")
    summary = made.statement.subject_digest(SUMMARY)
    data = here.workspace.objects.get(Digest.parse(digest))
    beside = here.workspace.objects.get(Digest.parse(summary)) if summary else None
    try:
        return raw.understand(data, beside, predicate.columns or ()).file
    except MalformedError as error:
        if predicate.exit_status:  # a run that failed may leave half a file
            raise NotFoundError(f"the raw file of a failed run is refused: {error}") from error
        raise
