"""What the holes of a wording are filled with, and which numbers agree with it.

A level claim has `value`, a change claim `ratio`, `percent`, `baseline` and `candidate`: these are
its *headline*. The rest (`min`, `max`, `cv`, …) says how far the headline can be relied on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from claims.numerals.numbers import Number
from claims.registers import wording
from claims.registers.wording import Value
from engine import statistics
from engine.metrics import metric
from engine.samples import Column
from engine.statistics import STATISTICS
from receipts.errors import Error

if TYPE_CHECKING:
    from claims.judging.chain import Evidence
    from claims.registers.model import Claim
    from engine.results.model import Run

HEADLINE = ("value", "ratio", "percent", "baseline", "candidate", "ratio.min", "ratio.max")
_MOST_DECIMALS = 50
_LEAST_DECIMALS = -12


def compute(claim: Claim, evidence: Evidence) -> dict[str, Value]:
    """Return the value of every hole, from the rows."""
    unit = metric(claim.metric).unit
    scope = {f"scope.{name}": str(value) for name, value in claim.scope.items()}
    if claim.kind == "level":
        return {**_level(claim, next(iter(evidence.arms.values()))), "unit": unit, **scope}
    if len(evidence.arms) != 2:
        raise Error("a change claim rests on a window of two arms, made by `engine ab`")
    return {**_change(claim, *evidence.arms.values()), "unit": unit, **scope}


def _samples(claim: Claim, run: Run) -> Column:
    if claim.metric not in run.samples:
        known = ", ".join(run.samples)
        raise Error(f"the rows hold no {claim.metric}; they hold {known}")
    return run.samples[claim.metric]


def _level(claim: Claim, run: Run) -> dict[str, Value]:
    samples = _samples(claim, run)
    summary = statistics.summarize(samples)
    values: dict[str, Value] = {
        "value": STATISTICS[claim.statistic](samples),
        "min": summary.minimum,
        "max": summary.maximum,
        "n": summary.n,
    }
    return values | ({"cv": Fraction(summary.cv) * 100} if summary.cv else {})


def _change(claim: Claim, baseline: Run, candidate: Run) -> dict[str, Value]:
    found = statistics.ratio_of_medians(
        _samples(claim, candidate), _samples(claim, baseline), metric(claim.metric).polarity
    )
    values: dict[str, Value] = {
        "ratio": found.ratio,
        "percent": found.change * 100,
        "baseline": found.baseline.median,
        "candidate": found.candidate.median,
        "n": min(found.baseline.n, found.candidate.n),
    }
    if claim.margin is not None:
        values["margin"] = Fraction(claim.margin) * 100
    for arm, summary in (("baseline", found.baseline), ("candidate", found.candidate)):
        values |= {f"{arm}.min": summary.minimum, f"{arm}.max": summary.maximum}
        values |= {f"{arm}.cv": Fraction(summary.cv) * 100} if summary.cv else {}
    return values


def agrees(shown: Number, values: Mapping[str, Value], names: Iterable[str]) -> bool:
    """Say whether the number is one of these values, in its unit, rounded to the digits shown."""
    return any(_agrees(shown, values, name) for name in names if name in values)


def _agrees(shown: Number, values: Mapping[str, Value], name: str) -> bool:
    value = values[name]
    if not isinstance(value, Fraction) or shown.unit != _unit(values, name):
        return False
    if not _LEAST_DECIMALS <= shown.decimals <= _MOST_DECIMALS:
        return False
    if shown.decimals >= 0:
        return Decimal(wording.display(value, shown.decimals)) == shown.value
    # "0.16k" shows tens; a number that is rounded away altogether shows nothing.
    step = 10**-shown.decimals
    return shown.value != 0 and round(value / step) * step == shown.value


def told(values: Mapping[str, Value], names: Iterable[str], decimals: int) -> str:
    """Return these values as text, for a message about a number that is none of them."""
    digits = min(max(decimals, 0), 9)
    return ", ".join(
        f"{name} {wording.display(value, digits)} {_unit(values, name)}"
        for name in names
        if isinstance(value := values.get(name), Fraction)
    )


def _unit(values: Mapping[str, Value], name: str) -> str:
    if name == "ratio" or name.startswith("pair.") or "cells" in values:
        return "×"
    if name in ("percent", "margin") or name.endswith("cv"):
        return "%"
    return "" if values["unit"] == "1" else str(values["unit"])
