"""One series of values, summarised in each order of operations that a release of AIPerf has used.

Mean, linear percentile and deviation are the same functions everywhere; their last bits are not.
Earlier releases call numpy over the values as they came; later ones keep a running total, sort, and
interpolate between neighbours; one computes the deviation of lists from the sum of squares.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.results import numeric
from engine.results.numeric import Doubles


@dataclass(eq=False)
class Series:
    """Values in one unit; a statistic of them is multiplied by `factor`, last, as the tool does."""

    values: Sequence[float]
    factor: float = 1.0

    def statistics(self, name: str) -> Iterator[float]:
        """Yield a statistic in one order of operations after the other; none for another name."""
        for number in self._unscaled(name) if self.values else ():
            yield number * self.factor

    def hazen(self, name: str) -> Iterator[float]:
        """Yield a percentile by Hazen's method; none for another name."""
        percent = percent_of(name)
        if percent is not None and self.values:
            yield numeric.percentile(self._doubles, percent, "hazen") * self.factor

    def _unscaled(self, name: str) -> Iterator[float]:
        if name in ("min", "max"):
            yield float(self._ordered[0 if name == "min" else -1])
        elif name == "avg":
            yield numeric.mean(self._doubles)
            yield self._total / len(self.values)
        elif name == "sum":
            yield math.fsum(self.values)
            yield self._total
        elif name == "std":
            yield from self._deviations()
        elif (percent := percent_of(name)) is not None:
            yield numeric.percentile(self._doubles, percent)
            yield self._interpolated(percent)

    @cached_property
    def _doubles(self) -> Doubles:
        return numeric.doubles(self.values)

    @cached_property
    def _ordered(self) -> list[float]:
        return sorted(self.values)

    @cached_property
    def _total(self) -> float:
        return _running(self.values)

    def _deviations(self) -> Iterator[float]:
        yield numeric.deviation(self._doubles, 0)
        yield numeric.deviation(numeric.doubles(self._ordered), 0)
        count = len(self.values)
        mean = self._total / count
        squares = _running([value * value for value in self.values])
        yield math.sqrt(max(0.0, squares / count - mean * mean))

    def _interpolated(self, percent: float) -> float:
        place = percent / 100.0 * (len(self._ordered) - 1)
        low = int(place)
        below, above = self._ordered[low], self._ordered[min(low + 1, len(self._ordered) - 1)]
        return below + (place - low) * (above - below)


def percent_of(statistic: str) -> float | None:
    """Return 99 for `p99`, None for a statistic that is no percentile."""
    digits = statistic[1:].replace("_", ".")
    known = statistic[:1] == "p" and digits.replace(".", "", 1).isascii() and digits[:1].isdigit()
    try:
        percent = float(digits) if known else math.inf
    except ValueError:
        return None
    return percent if percent <= 100 else None


def _running(values: Sequence[float]) -> float:
    """Return the sum from left to right; `sum` is more exact in newer Pythons."""
    total = 0.0
    for value in values:
        total += value
    return total
