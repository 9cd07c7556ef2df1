"""Two arms of one metric: what each gives, how far they lie apart, and which side wins.

::

    ratio   median(candidate) / median(baseline), upside down where lower is better
    change  (candidate - baseline) / |baseline|, its sign turned where lower is better

So above 1, and above 0, the candidate wins, whatever the metric.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import MappingProxyType

from claims.recount.archive import Rows, UnavailableError
from claims.recount.checking import Checked, Subject, shown_rows
from claims.recount.reducers import (
    STATISTICS,
    Quantity,
    Root,
    ordered,
    relative_deviation,
)
from engine.metrics import METRICS, Metric
from ledger.bodies import DeltaSide
from receipts.predicates import ArmSummary

_OF_EACH_ARM: Mapping[str, str] = MappingProxyType(
    {"ratio_of_medians": "median", "ratio_of_means": "mean", "value": "median"}
)
CONVENTION = re.compile(r"\w+\(\w+\) / \w+\(\w+\)")
"""Numerator and denominator as the product spells them; other words are a person's own."""


PrintedSide = ArmSummary | DeltaSide
"""One side of a comparison or delta as it was signed."""


@dataclass(frozen=True, slots=True)
class Side:
    """One arm reduced: `statistic` is the name of the reducer that gave `value`."""

    statistic: str
    value: Fraction
    smallest: Fraction
    largest: Fraction
    samples: tuple[Fraction, ...]
    """From the smallest to the largest."""
    rows: str

    @property
    def n(self) -> int:
        """How many samples there are."""
        return len(self.samples)

    def cv(self, ddof: int) -> Root | None:
        """Return the coefficient of variation; None where it does not exist."""
        return relative_deviation(self.samples, ddof)


@dataclass(frozen=True, slots=True)
class Pair:
    """Baseline and candidate, and what follows of both; None where a side is not above zero."""

    metric: Metric
    baseline: Side
    candidate: Side
    ratio: Fraction | None
    change: Fraction | None


def metric_of(name: str) -> Metric:
    """Return the metric, which must be in the registry: its unit and polarity come from there."""
    if name not in METRICS:
        raise UnavailableError("not recomputable", f"no metric is called {name!r}")
    return METRICS[name]


def reduce(rows: Rows, metric: str, statistic: str) -> Side:
    """Return one arm of one metric, reduced as `statistic` says of a figure or of a comparison."""
    name = _OF_EACH_ARM.get(statistic, statistic)
    if name not in STATISTICS:
        why = f"this recount has no statistic called {statistic!r}"
        raise UnavailableError("not recomputable", why)
    places, samples = rows.samples(metric)
    values = tuple(ordered(samples))
    shown = shown_rows(places, samples)
    return Side(name, STATISTICS[name](values), values[0], values[-1], values, shown)


def pair(metric: Metric, baseline: Side, candidate: Side) -> Pair:
    """Return what two reduced arms give side by side."""
    old, new = baseline.value, candidate.value
    ratio = change = None
    if old:
        moved = (new - old) / abs(old)
        change = moved if metric.polarity == "higher" else -moved
    if old > 0 and new > 0:
        ratio = new / old if metric.polarity == "higher" else old / new
    return Pair(metric, baseline, candidate, ratio, change)


def check_metric(
    subject: Subject, place: str, unit: str, polarity: str, metric: Metric
) -> Iterator[Checked]:
    """Check what a figure says of its metric against the registry."""
    of = f"the registry of metrics, {metric.id}"
    yield subject.word(f"{place}.unit", unit, metric.unit, of)
    yield subject.word(f"{place}.polarity", polarity, metric.polarity, of)


def check_side(
    subject: Subject, place: str, printed: PrintedSide, sides: tuple[Side, Side], ddof: int
) -> Iterator[Checked]:
    """Check one side's figures; `sides` are this one and the other, for what was mistaken."""
    ours, theirs = sides
    about = Subject(subject.name, subject.receipt, ours.rows)
    formula = f"{ours.statistic} of {ours.n}"
    mistaken = partial(_mistaken, ours, theirs)
    yield about.number(f"{place}.value", printed.value, ours.value, formula, mistaken)
    for name, text, value in (
        ("min", printed.min, ours.smallest),
        ("max", printed.max, ours.largest),
    ):
        if text is not None:
            of = f"{name} of {ours.n}"
            yield about.number(f"{place}.{name}", text, value, of, mistaken)
    if printed.cv is not None:
        formula = f"standard deviation (ddof {ddof}) over the mean of {ours.n}"
        others = partial(_other_spreads, ours, theirs, ddof)
        yield about.number(f"{place}.cv", printed.cv, ours.cv(ddof), formula, others)


def check_moved(
    subject: Subject, place: str, change: str | None, ratio: str | None, found: Pair
) -> Iterator[Checked]:
    """Check what is said to have moved."""
    polarity = f"{found.metric.polarity} is better"
    values = f"baseline {found.baseline.rows}; candidate {found.candidate.rows}"
    about = Subject(subject.name, subject.receipt, values)
    statistic = found.baseline.statistic
    if change is not None:
        formula = f"(candidate - baseline) / |baseline| of the {statistic}s, {polarity}"
        others = partial(_other_changes, found)
        yield about.number(f"{place}.change", change, found.change, formula, others)
    if ratio is not None:
        formula = f"ratio of the {statistic}s, {polarity}"
        others = partial(_other_ratios, found)
        yield about.number(f"{place}.ratio", ratio, found.ratio, formula, others, neutral=1)


def check_convention(
    subject: Subject, place: str, convention: str, found: Pair
) -> Iterator[Checked]:
    """Check numerator and denominator where a convention names them."""
    named = CONVENTION.search(convention)
    if named:
        sides = ("candidate", "baseline")
        above, below = sides if found.metric.polarity == "higher" else sides[::-1]
        statistic = found.baseline.statistic
        wanted = f"{statistic}({above}) / {statistic}({below})"
        rule = f"numerator and denominator where {found.metric.polarity} is better"
        yield subject.word(f"{place}.convention", named[0], wanted, rule)


def _mistaken(ours: Side, theirs: Side) -> dict[str, Quantity]:
    return {
        "the median": STATISTICS["median"](ours.samples),
        "the mean": STATISTICS["mean"](ours.samples),
        "the smallest": ours.smallest,
        "the largest": ours.largest,
        f"the {theirs.statistic} of the other arm": theirs.value,
        "the smallest of the other arm": theirs.smallest,
        "the largest of the other arm": theirs.largest,
    }


def _other_spreads(ours: Side, theirs: Side, ddof: int) -> dict[str, Quantity]:
    known = {f"the CV with ddof {other}": ours.cv(other) for other in (0, 1) if other != ddof}
    known |= {"the CV of the other arm": theirs.cv(ddof)}
    return {name: cv for name, cv in known.items() if cv is not None}


def _other_changes(found: Pair) -> dict[str, Quantity]:
    known = {
        "the ratio": found.ratio,
        "the change in percent": None if found.change is None else 100 * found.change,
    }
    return {name: value for name, value in known.items() if value is not None}


def _other_ratios(found: Pair) -> dict[str, Quantity]:
    return {"the ratio upside down": 1 / found.ratio} if found.ratio else {}
