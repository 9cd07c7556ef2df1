"""Percentiles by a named method: of eight rows the methods differ by more than most changes do.

Of 10 11 12 13 14 15 16 40, the 50th percentile is::

    linear        13.5    between the two nearest ranks; numpy's default, and the median
    nearest-rank  13      the smallest value that at least p of 100 are not above
    lower, higher 13, 14  the rank below and above that of *linear*

A p99 of fewer than 100 rows says no more than the largest: then it is absent, and the maximum and
n stand in its place. Everything is exact.
Source: Hyndman and Fan (1996), definitions 1 (nearest-rank) and 7 (linear).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.statistics import Sample, maximum
from engine.statistics import percentile as linear
from receipts.errors import Error, UndecidedError

Method = Literal["linear", "nearest-rank", "lower", "higher"]


@dataclass(frozen=True, slots=True)
class Tail:
    """A tail percentile, None where there are too few rows for it; the maximum in any case."""

    percent: int
    value: Fraction | None
    maximum: Fraction
    n: int
    warnings: tuple[str, ...]


def percentile(samples: Sequence[Sample], percent: int, method: Method) -> Fraction:
    """Return the percentile (0 to 100) by the method named."""
    if not 0 <= percent <= 100:
        raise Error(f"percentile {percent} is outside 0 to 100")
    if method == "linear":
        return linear(samples, percent)
    ordered = sorted(Fraction(one) for one in samples)
    if not ordered:
        raise UndecidedError("there are no samples to compute from")
    if method == "nearest-rank":
        return ordered[max(math.ceil(Fraction(len(ordered) * percent, 100)) - 1, 0)]
    place = Fraction((len(ordered) - 1) * percent, 100)
    return ordered[math.floor(place) if method == "lower" else math.ceil(place)]


def tail(samples: Sequence[Sample], percent: int = 99) -> Tail:
    """Return a percentile by nearest rank where a row can lie above it, else only the maximum."""
    n, needed = len(samples), math.ceil(Fraction(100, 100 - percent)) if percent < 100 else 0
    if n < needed or percent >= 100:
        warning = f"p{percent} is absent: n = {n}, {needed} or more are needed"
        return Tail(percent, None, maximum(samples), n, (warning,))
    return Tail(percent, percentile(samples, percent, "nearest-rank"), maximum(samples), n, ())
