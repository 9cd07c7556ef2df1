"""The figures inside receipts: of a run its `figures`, of a window and a comparison what moved.

They are computed when a receipt is made, and signed by whoever made it. Nothing else checks them:
a claim does not use them, but a delta is copied from them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from claims.recount import pairs
from claims.recount.archive import Archive, Rows, UnavailableError
from claims.recount.checking import Checked, Subject
from claims.recount.exactness import NO_RATIO, gate_result
from claims.recount.pairs import Pair
from claims.recount.reducers import Quantity
from engine.metrics import SCORES
from engine.results import columns
from engine.results.model import ResultFile, apart, fields
from ledger.bodies import Contract
from receipts.errors import Error
from receipts.predicates import (
    AnchorResult,
    ComparedArm,
    ComparedFigure,
    Comparison,
    ComparisonPredicate,
    Figure,
    RunPredicate,
    WindowPredicate,
)
from receipts.receipt import SCHEME, Receipt

_DDOF = 1  # of comparisons of two files, which do not say it


@dataclass(frozen=True, slots=True)
class Named:
    """A receipt and what to call it: the name of its RUN entry, or its digest."""

    receipt: Receipt
    name: str

    def subject(self, rows: str = "") -> Subject:
        """Return whose figures are checked."""
        return Subject(f"receipt {self.name}", self.receipt.uri, rows)


def recount(archive: Archive, named: Named) -> Iterator[Checked]:
    """Yield every figure of a receipt."""
    predicate = named.receipt.predicate
    if isinstance(predicate, RunPredicate):
        for figure in predicate.figures:
            yield from _figure(archive, named, predicate, figure)
    elif isinstance(predicate, WindowPredicate):
        yield from _window(archive, named, predicate)
    else:
        yield from _comparison(archive, named, predicate)


def left_out(predicate: object) -> Iterator[str]:
    """Yield what of a receipt no recount reaches, and why."""
    if isinstance(predicate, WindowPredicate):
        yield from (
            "scores of gates: a window names no receipt for them" for _ in predicate.gates or ()
        )
    elif isinstance(predicate, ComparisonPredicate) and _of_tables(predicate):
        yield from (
            "figures of tables: nothing says how their columns were declared"
            for _ in predicate.deltas
        )
    elif isinstance(predicate, ComparisonPredicate):
        floors = (one for one in predicate.deltas if one.floor)
        yield from (
            "noise floors of comparisons: their A/A files are not selected by it" for _ in floors
        )


def window_pair(
    archive: Archive, window: Receipt, predicate: WindowPredicate, metric: str, statistic: str
) -> Pair:
    """Return both arms of a window for one metric."""
    kind = pairs.metric_of(metric)
    sides = [
        pairs.reduce(archive.arm(window, predicate, arm), metric, statistic)
        for arm in (predicate.baseline, predicate.candidate)
    ]
    return pairs.pair(kind, *sides)


def standing(archive: Archive, predicate: WindowPredicate) -> str:
    """Return what the anchors of a window make of its baseline, measured again."""
    anchors = [one for one in predicate.anchors or () if one.validates == "baseline"]
    results = [_anchor_result(archive, one)[0] for one in anchors]
    if any(result != "held" for result in results):
        return "condemned"
    return "anchored" if results else "unanchored"


# --- runs ---------------------------------------------------------------------------------------


def _figure(
    archive: Archive, named: Named, predicate: RunPredicate, figure: Figure
) -> Iterator[Checked]:
    where = "".join(f" {name}={value}" for name, value in (figure.select or {}).items())
    place = f"{figure.metric}{where}"
    try:
        kind = pairs.metric_of(figure.metric)
        rows = archive.cell(named.receipt, predicate, figure.select)
        _require_unbarred(rows, figure.metric, predicate)
        side = pairs.reduce(rows, figure.metric, figure.statistic)
    except UnavailableError as error:
        yield named.subject().unresolved(place, figure.value, error.outcome, str(error))
        return
    subject = named.subject(side.rows)
    ends: dict[str, Quantity] = {"the smallest": side.smallest, "the largest": side.largest}
    formula = f"{side.statistic} of {side.n}"
    yield subject.number(
        f"{place} {figure.statistic}", figure.value, side.value, formula, ends.copy
    )
    yield subject.word(f"{place} n", figure.n, side.n, "number of samples")
    yield subject.word(f"{place} unit", figure.unit, kind.unit, "the registry of metrics")


def _require_unbarred(rows: Rows, metric: str, predicate: RunPredicate) -> None:
    policies = frozenset(predicate.policies or ())
    for _, run in rows.parts:
        for note in run.notes:
            if note.barring(metric, policies):
                raise UnavailableError("not recomputable", f"the raw file bars it: {note}")


# --- windows ------------------------------------------------------------------------------------


def _window(archive: Archive, named: Named, window: WindowPredicate) -> Iterator[Checked]:
    subject = named.subject()
    said = window.exactness
    for anchor in window.anchors or ():
        yield from _anchor(archive, subject, anchor)
    try:
        found = gate_result(archive, named.receipt, window)
    except UnavailableError as error:
        yield subject.unresolved("exactness", said.result, error.outcome, str(error))
        found = said.result
    else:
        rule = f"{said.compared} of every repetition, one against the other"
        yield subject.word("exactness", said.result, found, rule)
    for one in window.comparisons:
        if found == "differs":
            yield subject.word(one.metric, "a comparison", "none", NO_RATIO)
        else:
            yield from _moved(archive, named, window, one)


def _moved(
    archive: Archive, named: Named, window: WindowPredicate, one: Comparison
) -> Iterator[Checked]:
    subject = named.subject()
    try:
        found = window_pair(archive, named.receipt, window, one.metric, one.statistic)
    except UnavailableError as error:
        yield subject.unresolved(one.metric, one.change, error.outcome, str(error))
        return
    yield from pairs.check_metric(subject, one.metric, one.unit, one.polarity, found.metric)
    yield from pairs.check_convention(subject, one.metric, one.convention, found)
    arms = (found.baseline, found.candidate)
    for role, printed, sides in (
        ("baseline", one.baseline, arms),
        ("candidate", one.candidate, arms[::-1]),
    ):
        place = f"{one.metric}.{role}"
        yield subject.word(f"{place}.arm", printed.arm, getattr(window, role), "the window's arm")
        yield subject.word(f"{place}.n", printed.n, sides[0].n, "number of repetitions")
        yield from pairs.check_side(subject, place, printed, sides, one.ddof)
    yield from pairs.check_moved(subject, one.metric, one.change, one.ratio, found)


def _anchor(archive: Archive, subject: Subject, anchor: AnchorResult) -> Iterator[Checked]:
    place = f"anchor {anchor.record}"
    try:
        result, measured, n = _anchor_result(archive, anchor)
        recorded, tolerance = _contract(archive, anchor)
    except UnavailableError as error:
        yield subject.unresolved(place, anchor.measured, error.outcome, str(error))
        return
    about = Subject(subject.name, SCHEME + anchor.receipt)
    yield about.number(f"{place}.recorded", anchor.recorded, recorded, "threshold of its CONTRACT")
    yield about.number(f"{place}.tolerance", anchor.tolerance, tolerance, "of its CONTRACT")
    yield about.number(f"{place}.measured", anchor.measured, measured, f"median of {n}")
    yield about.word(f"{place}.n", anchor.n, n, "number of samples")
    rule = "held where |measured / recorded - 1| is at most the tolerance"
    yield about.word(f"{place}.result", anchor.result, result, rule)


def _anchor_result(archive: Archive, anchor: AnchorResult) -> tuple[str, Fraction, int]:
    """Return whether the anchor held, what was measured, and over how many samples."""
    receipt = archive.receipt(SCHEME + anchor.receipt)
    if not isinstance(receipt.predicate, RunPredicate):
        raise UnavailableError("unreadable", f"anchor {anchor.record} is no run")
    rows = archive.cell(receipt, receipt.predicate, None)
    statistic = "mean" if anchor.metric in SCORES else "median"
    side = pairs.reduce(rows, anchor.metric, statistic)
    recorded, tolerance = _contract(archive, anchor)
    off = abs(side.value / recorded - 1) if recorded else Fraction(1)
    held = "held" if off <= tolerance else "missed"
    # Which binary was measured is no figure; a window that owns up to another one is believed.
    result = anchor.result if anchor.result == "other-binary" else held
    return result, side.value, side.n


def _contract(archive: Archive, anchor: AnchorResult) -> tuple[Fraction, Fraction]:
    """Return the value and the tolerance that the anchor's CONTRACT records."""
    try:
        body = archive.ledger.by_id(anchor.contract).body
    except Error as error:
        raise UnavailableError("unreadable", str(error)) from error
    if not isinstance(body, Contract) or not body.gates:
        raise UnavailableError("unreadable", f"anchor {anchor.record} names no CONTRACT")
    gate = body.gates[0]
    return Fraction(Decimal(gate.threshold)), Fraction(Decimal(gate.tolerance or "0"))


# --- comparisons of two files -------------------------------------------------------------------


def _comparison(
    archive: Archive, named: Named, predicate: ComparisonPredicate
) -> Iterator[Checked]:
    for one in () if _of_tables(predicate) else predicate.deltas:
        if one.baseline is None and one.candidate is None:
            continue  # barred, or in neither file: nothing is printed
        yield from _compared(archive, named.subject(), predicate, one)


def _compared(
    archive: Archive, subject: Subject, predicate: ComparisonPredicate, one: ComparedFigure
) -> Iterator[Checked]:
    place = f"{one.metric} {one.statistic}" + (f" of {one.where}" if one.where else "")
    printed = (one.baseline, one.candidate)
    try:
        kind = pairs.metric_of(one.metric)
        sides = [
            pairs.reduce(_side_rows(archive, name, arm, one.where), one.metric, one.statistic)
            for name, arm in (("a", predicate.baseline), ("b", predicate.candidate))
        ]
    except UnavailableError as error:
        shown = one.change or next(side.value for side in printed if side)
        yield subject.unresolved(place, shown, error.outcome, str(error))
        return
    yield from pairs.check_metric(subject, place, one.unit, one.polarity, kind)
    for side, both in zip(printed, (sides, sides[::-1]), strict=True):
        if side is not None:
            where = f"{place}.{side.arm}"
            yield subject.word(f"{where}.n", side.n, both[0].n, "number of samples")
            yield from pairs.check_side(subject, where, side, (both[0], both[1]), _DDOF)
    found = pairs.pair(kind, *sides)
    yield from pairs.check_moved(subject, place, one.change, None, found)


def _side_rows(archive: Archive, name: str, arm: ComparedArm, where: str | None) -> Rows:
    """Return one side's run; of several, the one that is told apart as `where` says."""
    if arm.raw is None:
        raise UnavailableError("unreadable", f"file {name} could not be read when it was compared")
    file = archive.file(arm.raw, None, ())
    chosen = [run for run in file.runs if (arm.select or {}).items() <= fields(run).items()]
    labels = apart(ResultFile(file.reader, tuple(chosen), file.notes, file.part))
    fitting = [run for run, told in zip(chosen, labels, strict=True) if where in (None, told)]
    if len(fitting) != 1:
        why = f"{len(fitting)} runs of file {name} are told apart by {where or 'nothing'}"
        raise UnavailableError("not recomputable", why)
    return Rows(((name, fitting[0]),))


def _of_tables(predicate: ComparisonPredicate) -> bool:
    return columns.NAME in (predicate.baseline.reader, predicate.candidate.reader)
