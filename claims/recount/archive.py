"""Receipts and raw rows as the recount gets them: verified, parsed, and not summed up.

The readers of `engine.results` parse the files; a sample is taken from them one by one, as the
exact rational that it is. What cannot be had is told by its kind: *withheld* where a tombstone says
so, *unreadable* where something is missing, damaged, or not signed by whom it should be.
"""

from collections import OrderedDict
from collections.abc import Container
from dataclasses import dataclass
from fractions import Fraction

from claims.recount.checking import Outcome
from engine import raw
from engine.results.model import ResultFile, Run, select
from ledger import citation
from ledger.log import Ledger
from receipts.digest import Digest
from receipts.errors import Error, NotFoundError
from receipts.predicates import Facts, Repetition, RunPredicate, WindowPredicate
from receipts.receipt import RAW, SCHEME, SUMMARY, Receipt
from receipts.store import ObjectStore

_KEPT = 64


class UnavailableError(Error):
    """Rows that a figure needs cannot be had; `outcome` says of which kind that is."""

    def __init__(self, outcome: Outcome, why: str) -> None:
        super().__init__(why)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Rows:
    """Runs of one arm with the place of each, such as `tuned/0`."""

    parts: tuple[tuple[str, Run], ...]

    def samples(self, metric: str) -> tuple[list[str], list[Fraction]]:
        """Return the samples of a metric in order, and the row that each comes from."""
        places: list[str] = []
        values: list[Fraction] = []
        for place, run in self.parts:
            if metric not in run.samples:
                known = ", ".join(run.samples) or "no metric"
                why = f"the rows of {place} hold no {metric}; they hold {known}"
                raise UnavailableError("not recomputable", why)
            found = [Fraction(value) for value in run.samples[metric]]
            single = len(found) == 1
            places += [place if single else f"{place}[{number}]" for number in range(len(found))]
            values += found
        if not values:
            raise UnavailableError("not recomputable", f"there is no sample of {metric}")
        return places, values


class Archive:
    """The receipts and raw files behind one ledger; the last files read are kept."""

    def __init__(self, ledger: Ledger, receipts: ObjectStore, objects: ObjectStore) -> None:
        self.ledger = ledger
        self._receipts = receipts
        self._objects = objects
        self._opened: dict[str, Receipt] = {}
        self._files: OrderedDict[tuple[object, ...], ResultFile] = OrderedDict()

    def receipt(self, uri: str) -> Receipt:
        """Return the receipt, its bytes, signature and signer's role verified."""
        if uri not in self._opened:
            try:
                self._opened[uri] = citation.open_cited(self.ledger, self._receipts, uri)
            except Error as error:
                raise _unavailable(error) from error
        return self._opened[uri]

    def unnamed(self, named: Container[str]) -> int:
        """Return how many receipts lie in the store and are not among those."""
        return sum(SCHEME + digest not in named for digest in self._receipts.digests())

    def object(self, digest: str) -> bytes:
        """Return the bytes of a stored object, such as a plan."""
        try:
            return self._objects.get(Digest.parse(digest))
        except Error as error:
            raise _unavailable(error) from error

    def file(self, raw_digest: str, summary: str | None, columns: tuple[str, ...]) -> ResultFile:
        """Return the runs of a raw file, read with its summary and as its columns were declared."""
        key = (raw_digest, summary, columns)
        if key not in self._files:
            data = self.object(raw_digest)
            beside = self.object(summary) if summary else None
            try:
                self._files[key] = raw.understand(data, beside, columns).file
            except Error as error:
                raise _unavailable(error) from error
            if len(self._files) > _KEPT:
                self._files.popitem(last=False)
        return self._files[key]

    def file_of(self, receipt: Receipt, predicate: RunPredicate) -> ResultFile:
        """Return the raw file of a run."""
        digest = receipt.statement.subject_digest(RAW)
        if digest is None:
            raise UnavailableError("unreadable", "the receipt names no raw file")
        summary = receipt.statement.subject_digest(SUMMARY)
        return self.file(digest, summary, tuple(predicate.columns or ()))

    def cell(self, receipt: Receipt, predicate: RunPredicate, where: Facts | None) -> Rows:
        """Return the one run of a raw file that these facts select."""
        run = pick(self.file_of(receipt, predicate), where)
        return Rows(((place_of(predicate), run),))

    def arm(self, window: Receipt, predicate: WindowPredicate, name: str) -> Rows:
        """Return the repetitions of one arm, in the order in which they ran."""
        listed = [item for item in predicate.repetitions if item.arm == name]
        if not listed:
            raise UnavailableError("unreadable", f"window {predicate.window} has no arm {name}")
        if len({item.receipt for item in listed}) < len(listed):
            why = f"window {predicate.window} names one receipt twice in arm {name}"
            raise UnavailableError("unreadable", why)
        parts = [part for item in listed for part in self._repetition(window, predicate, item)]
        return Rows(tuple(parts))

    def _repetition(
        self, window: Receipt, predicate: WindowPredicate, item: Repetition
    ) -> list[tuple[str, Run]]:
        place = f"{item.arm}/{item.repetition}"
        nested = self.receipt(SCHEME + item.receipt)
        run = nested.predicate
        ours = (predicate.window, predicate.cell, item.arm, item.repetition)
        if not isinstance(run, RunPredicate) or ours != (
            run.window,
            run.cell,
            run.arm,
            run.repetition,
        ):
            why = f"repetition {place} is not of window {predicate.window}"
            raise UnavailableError("unreadable", why)
        if window.statement.subject_digest(place) != nested.statement.subject_digest(RAW):
            raise UnavailableError("unreadable", f"repetition {place} has another raw file")
        return [(place, one) for one in self.file_of(nested, run).runs]


def pick(file: ResultFile, where: Facts | None) -> Run:
    """Return the one run of the file that these facts select."""
    try:
        return select(file, where or {})
    except Error as error:
        raise UnavailableError("not recomputable", str(error)) from error


def place_of(predicate: RunPredicate) -> str:
    """Return what a run's rows are called: its arm and repetition, or its cell."""
    if predicate.arm is not None:
        return f"{predicate.arm}/{predicate.repetition}"
    return f"row of {predicate.cell}"


def _unavailable(error: Error) -> UnavailableError:
    if isinstance(error, UnavailableError):
        return error
    gone = isinstance(error, NotFoundError) and " is withheld" in str(error)
    return UnavailableError("withheld" if gone else "unreadable", str(error))
