"""Does a printed change follow from the operands printed beside it?

A row says `1493 → 2267` and `+30%`. Each operand stands for an interval of values that round to it,
and so does the change; they are *consistent* if the intervals meet under a reasonable reading:

* percent: `new/old − 1`; where lower is better, also `(old − new)/old` and `old/new − 1`;
* multiple: `new/old`; where lower is better or the unit is unknown, also `old/new`;
* a figure in the operands' unit, or percentage points: `new − old`, or what was saved;
* the operands: first to last, each step, or change by change in the order of the row.

*Truncated* is a change whose digits are those of the computed one, cut off instead of rounded. A
*contradiction* is neither, under every reading, in a row that leaves no doubt which operands are
meant. Where there is doubt the answer is *not recomputable*, with the reason: a false alarm is
worse than silence.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from ledger import operands, quantity, recompute
from ledger.operands import Cell, Change, Series
from ledger.quantity import Quantity
from ledger.recompute import Reading

ABSENT = frozenset({"", "—", "–", "-", "−", "n/a", "na", "none", "?", "tbd", "n.a."})
MAX_FIGURES = 64


class Verdict(StrEnum):
    """What recomputing a printed change says about it."""

    CONSISTENT = "consistent"
    TRUNCATED = "truncated"
    CONTRADICTION = "contradiction"
    CORRECTED = "corrected"
    NOT_RECOMPUTABLE = "not-recomputable"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one printed change; `where` is the cell in which it stands."""

    verdict: Verdict
    where: str = "delta"
    operands: str = ""
    printed: str = ""
    computed: str = ""
    convention: str = ""
    reason: str = ""


def judge(
    performance: str, delta: str, unit: str | None = None, delta_unit: str | None = None
) -> list[Judgement]:
    """Return one judgement for each change of a row: its Δ cell, then those beside operands.

    `unit` and `delta_unit` are what the header says about cells that give no unit.
    """
    cell = operands.read(performance, unit)
    printed = operands.changes(delta, delta_unit)
    if delta.strip().lower() in ABSENT:
        judged = [Judgement(Verdict.ABSENT, reason="no change is printed")]
    elif not printed:
        judged = [_unable(delta, "the cell states no figure")]
    elif max(len(printed), len(cell.series)) > MAX_FIGURES:
        return [_unable(delta[:80], f"more than {MAX_FIGURES} changes or operands")]
    else:
        judged = [_judge(change, index, printed, cell) for index, change in enumerate(printed)]
    return judged + list(_beside_operands(cell, printed))


def _beside_operands(cell: Cell, printed: list[Change]) -> Iterator[Judgement]:
    for series in cell.series:
        inline = series.inline
        if inline is None or any(_same(inline.figure, change.figure) for change in printed):
            continue
        yield replace(_weigh(inline, [series], ""), where="performance")


def _judge(change: Change, index: int, printed: list[Change], cell: Cell) -> Judgement:
    """Judge one change of the Δ cell."""
    if reason := _cannot_be_judged(change, cell):
        return _unable(change.figure.text, reason)
    sure = sorted((s for s in cell.series if not s.ambiguous), key=_is_part)
    own = [s for s in sure if s.inline and _same(s.inline.figure, change.figure)]
    if own:
        return _weigh(change, own, "")
    rivals = _rivals(sure)
    if len(printed) > 1 and len(printed) == len(rivals):
        return _in_order(change, index, rivals)
    if len(printed) > 1 and len(sure) == 1 and len(sure[0].values) == len(printed) + 1:
        step = replace(sure[0], values=sure[0].values[index : index + 2])
        return _weigh(change, [step], "")
    doubt = "several changes for other operands" if len(printed) > 1 else ""
    return _weigh(change, sure, doubt or _doubt(change, sure, rivals, cell))


def _cannot_be_judged(change: Change, cell: Cell) -> str:
    figure = change.figure
    if change.relative:
        return f"relative to something else: {change.relative}"
    if change.bound:
        return "only a bound is printed"
    if figure.approximate and figure.value == 0:
        return "states no figure, only that little moved"
    if not cell.series:
        return "no operands: the row prints no pair of values"
    if all(series.ambiguous for series in cell.series):
        return "the operands are ambiguous: a slash ties them to further values"
    return ""


def _in_order(change: Change, index: int, rivals: list[Series]) -> Judgement:
    judged = _weigh(change, [rivals[index]], "")
    others = _weigh(change, rivals, "")
    if judged.verdict is Verdict.CONTRADICTION and others.verdict is Verdict.CONSISTENT:
        return replace(others, verdict=Verdict.NOT_RECOMPUTABLE, reason="follows out of order only")
    return judged


def _doubt(change: Change, sure: list[Series], rivals: list[Series], cell: Cell) -> str:
    """Return why a change that follows from no operands may be about something else, or ''."""
    headline = sure[0]
    if change.qualifier:
        return f"the change is qualified: {change.qualifier}"
    if any(_same(stated, change.figure) for stated in cell.stated):
        return "the row states this change again without operands"
    if cell.leading_value:
        return "another unit: the row opens with a value that has no partner"
    if len(rivals) > 1 or len(cell.series) > len(sure):
        return "several operands and one change"
    if headline.inline and (headline.label or len(cell.series) > 1):
        return "the operands carry a change of their own"
    if headline.versus and not operands.names_a_baseline(headline.against):
        return f"compared with something else: {' '.join(headline.against)}"
    return _part_of_the_whole(change, headline, cell)


def _part_of_the_whole(change: Change, headline: Series, cell: Cell) -> str:
    """Return why operands that time a part may not be those of the change, or ''."""
    if not _is_part(headline):
        return ""
    grew = headline.values[-1].value > headline.values[0].value
    opposed = (
        change.figure.unit == "%" and change.figure.signed and (change.figure.value > 0) != grew
    )
    alone = len(cell.series) == 1 and not cell.stated
    return "" if alone and not opposed else "another unit: the operands are those of a part"


def _is_part(series: Series) -> bool:
    """Say whether the operands are those of a part of the run: a kernel, a layer, a launch."""
    unit = series.values[-1].unit or ""
    per = "" if unit in quantity.UNITS else unit.partition("/")[2].lower()
    return bool(_PARTS.intersection(series.label)) or bool(per and per not in _WHOLES)


def _rivals(series: list[Series]) -> list[Series]:
    """Return the series that one change may equally mean: those of the first one's dimension.

    Where the first has no label, those with a label are about something else.
    """
    first = series[0]
    return [first] + [
        other
        for other in series[1:]
        if _dimension(other.values[-1]) == _dimension(first.values[-1])
        and (first.label or not other.label)
    ]


def _weigh(change: Change, candidates: list[Series], doubt: str) -> Judgement:
    """Return the best verdict that any reading of the candidates allows."""
    found = [
        _compare(change.figure, reading, steps)
        for series in candidates
        for steps in _steps(series)
        for reading in recompute.readings(change.figure, change.words, *steps)
    ]
    best = min(found, key=lambda one: _RANK.index(one.verdict), default=None)
    best = _from_both_ends(change, candidates, best)
    if best is None:
        return _unable(
            change.figure.text,
            "another unit, or nothing to divide by: the operands give no such change",
        )
    if best.verdict is Verdict.CONTRADICTION and change.figure.unit is None:
        doubt = doubt or "the change has no unit"
    if doubt and best.verdict in (Verdict.TRUNCATED, Verdict.CONTRADICTION):
        return replace(best, verdict=Verdict.NOT_RECOMPUTABLE, reason=doubt)
    return best


def _compare(printed: Quantity, reading: Reading, steps: tuple[Quantity, Quantity]) -> Judgement:
    old, new = steps
    verdict, reason = _verdict(printed, reading)
    return Judgement(
        verdict,
        operands=f"{old.text} → {new.text}",
        printed=printed.text,
        computed=recompute.spell(reading, printed),
        convention=reading.convention,
        reason=reason,
    )


def _verdict(printed: Quantity, reading: Reading) -> tuple[Verdict, str]:
    grade = recompute.grade(printed, reading)
    if grade == "other" or (grade == "truncated" and not reading.firm):
        if printed.until is not None and recompute.could_overlap(printed, reading):
            return Verdict.NOT_RECOMPUTABLE, "the printed range covers a part of the computed one"
        return Verdict.CONTRADICTION, "follows from the operands under no reading"
    if not reading.firm:
        return (
            Verdict.NOT_RECOMPUTABLE,
            "follows only if lower is better, which the row's unit does not say",
        )
    if grade == "truncated":
        also = (
            "; unrounded operands may explain it"
            if recompute.could_overlap(printed, reading)
            else ""
        )
        return Verdict.TRUNCATED, f"the computed change is cut off, not rounded{also}"
    return Verdict.CONSISTENT, ""


def _from_both_ends(
    change: Change, candidates: list[Series], best: Judgement | None
) -> Judgement | None:
    """Accept `+2.7–3.0%` over several operands if each end is the change of one of them."""
    low, high = change.figure.ends()
    if low is high or len(candidates) < 2 or (best and best.verdict is Verdict.CONSISTENT):
        return best
    judged = [_weigh(replace(change, figure=end), candidates, "") for end in (low, high)]
    if any(one.verdict is not Verdict.CONSISTENT for one in judged):
        return best
    return replace(
        judged[0],
        operands="; ".join(one.operands for one in judged),
        printed=change.figure.text,
        computed=" to ".join(one.computed for one in judged),
    )


def _steps(series: Series) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield old and new: first to last, then each step; `vs` also the other way round."""
    values = series.values
    yield values[0], values[-1]
    if len(values) > 2:
        yield from pairwise(values)
    if series.versus:
        yield values[-1], values[0]


def _dimension(value: Quantity) -> str | None:
    known = quantity.unit(value.unit)
    return known.dimension if known else None


def _same(one: Quantity, other: Quantity) -> bool:
    return (one.value, one.until, one.unit) == (other.value, other.until, other.unit)


def _unable(printed: str, reason: str) -> Judgement:
    return Judgement(Verdict.NOT_RECOMPUTABLE, printed=printed.strip(), reason=reason)


_RANK = (
    Verdict.CONSISTENT,
    Verdict.TRUNCATED,
    Verdict.NOT_RECOMPUTABLE,
    Verdict.CONTRADICTION,
)
_PARTS = frozenset(
    quantity.words("kernel kernels layer launch op ops stage inst instructions pass block occ")
)
_WHOLES = frozenset(
    quantity.words("tok token tokens req request step iter iteration user gpu run query")
)
