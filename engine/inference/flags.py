"""Doubts about a series of repetitions, as sentences. What is flagged is never left out.

    outlier          modified z = 0.6745 |x - median| / MAD above 3.5
    WARMUP_SUSPECT   the first measured repetition is such an outlier, or the halves of a long
                     series differ: means by more than -50 to +10 %, quartiles by more than 5 %
    MULTIMODAL       Sarle's coefficient above 5/9 (from 20 values on), or a gap between neighbours
                     with two values or more on each side that is wider than 3 median gaps and than
                     6 mean deviations of either side

Only a rule that does not look at the value (other tokens, a throttled clock, a neighbour) may
strike a repetition, with its pair, and then it is counted.
The values are divided by their median, exactly, and then doubles: a unit changes no flag.
Sources: Iglewicz and Hoaglin (1993) for z; SAS for Sarle's coefficient, here with the plain sample
skewness and kurtosis; pyperf for the limits of halves (its limit for MADs is left out: of equal
halves, chance alone exceeds it). Three median gaps alone would flag 4 in 10 normal samples of ten
values; the second limit of a gap leaves less than 1 in 10, at every n.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from engine.statistics import Sample, median

Z_LIMIT = 3.5
Z_SCALE = 0.6745
SARLE_LIMIT = 5 / 9
MANY = 20
GAP_LIMIT = 3
SIDE_LIMIT = 6
HALF_MEANS = (-0.5, 0.1)
HALF_QUARTILES = 0.05
_FAR = 10**150  # what is farther off than that is as far: its square must be a double


def of_series(samples: Sequence[Sample]) -> list[str]:
    """Return every doubt about one arm's repetitions, in the order in which they were measured."""
    found = [
        f"repetition {at} is an outlier ({_score(z)}); it is kept" for at, z in outliers(samples)
    ]
    found += [f"WARMUP_SUSPECT: {why}" for why in (warmup(samples),) if why]
    found += [f"MULTIMODAL: {why}: no single centre" for why in (modes(samples),) if why]
    return found


def outliers(samples: Sequence[Sample]) -> list[tuple[int, float]]:
    """Return place (from 0) and modified z of each outlier.

    A MAD of zero means that more than half of the values are equal: any other one is infinitely
    far off.
    """
    scores = _scores(_doubles(samples))
    return [(at, z) for at, z in enumerate(scores) if z > Z_LIMIT]


def warmup(samples: Sequence[Sample]) -> str | None:
    """Return why the series may hold a warm-up, or None."""
    values = _doubles(samples)
    first = _scores(values)[0] if values else 0.0
    if first > Z_LIMIT:
        return f"the first measured repetition is an outlier ({_score(first)})"
    return _halves(values) if len(values) >= MANY else None


def modes(samples: Sequence[Sample]) -> str | None:
    """Return why the values may have more than one centre, or None."""
    values = sorted(_doubles(samples))
    sarle = sarles_coefficient(samples) if len(values) >= MANY else None
    if sarle is not None and sarle > SARLE_LIMIT:
        return f"Sarle's coefficient is {sarle:.3g}, above 5/9"
    if len(values) < 4:
        return None
    gaps = [above - below for below, above in pairwise(values)]
    inner = max(gaps[1:-1])
    below = gaps.index(inner, 1) + 1
    sides = max(map(_mean_deviation, (values[:below], values[below:])))
    if inner > max(GAP_LIMIT * _quantile(sorted(gaps), 0.5), SIDE_LIMIT * sides):
        return f"{below} and {len(values) - below} values lie on two sides of a gap"
    return None


def sarles_coefficient(samples: Sequence[Sample]) -> float | None:
    """Return (g1^2 + 1) / (g2 + 3 (n-1)^2 / ((n-2)(n-3))); None below four values or no spread.

    g1 and g2 are the sample's skewness and excess kurtosis, moments divided by n. A uniform
    distribution has 5/9, a normal one 1/3, two points of equal weight 1.
    """
    n, values = len(samples), _doubles(samples)
    if n < 4 or len(set(values)) == 1:
        return None
    centre = math.fsum(values) / n
    spread = max(abs(value - centre) for value in values)
    parts = [(value - centre) / spread for value in values]
    second, third, fourth = (math.fsum(part**k for part in parts) / n for k in (2, 3, 4))
    excess = fourth / second**2 - 3
    below = excess + 3 * (n - 1) ** 2 / ((n - 2) * (n - 3))
    return (third**2 / second**3 + 1) / below


def _doubles(samples: Sequence[Sample]) -> list[float]:
    """Return the values as multiples of their median's size; as they are where that is zero."""
    values = [Fraction(one) for one in samples]
    unit = Fraction(abs(median(values))) if values else Fraction(1)
    shares = (value / (unit or 1) for value in values)
    return [float(max(Fraction(-_FAR), min(Fraction(_FAR), share))) for share in shares]


def _scores(values: Sequence[float]) -> list[float]:
    """Return the modified z of each value; infinite where it is off and the MAD is zero."""
    centre = _quantile(sorted(values), 0.5)
    apart = [abs(value - centre) for value in values]
    mad = _quantile(sorted(apart), 0.5)
    if mad == 0:
        return [math.inf if one else 0.0 for one in apart]
    return [Z_SCALE * one / mad for one in apart]


def _score(z: float) -> str:
    return "all others are equal or nearly so" if math.isinf(z) else f"modified z {z:.3g}"


def _halves(values: Sequence[float]) -> str | None:
    """Return how the halves of a long series differ by more than pyperf allows, or None."""
    middle = len(values) // 2
    one, other = values[:middle], values[middle:]
    measures = [("mean", math.fsum(one) / len(one), math.fsum(other) / len(other))]
    measures += [
        (f"{name} quartile", _quantile(sorted(one), share), _quantile(sorted(other), share))
        for name, share in (("lower", 0.25), ("upper", 0.75))
    ]
    for name, ours, theirs in measures:
        low, high = HALF_MEANS if name == "mean" else (-HALF_QUARTILES, HALF_QUARTILES)
        if theirs and not low <= ours / theirs - 1 <= high:
            off = 100 * (ours / theirs - 1)
            return f"the {name} of the first half is {off:+.3g} % off that of the second"
    return None


def _mean_deviation(ordered: Sequence[float]) -> float:
    centre = _quantile(ordered, 0.5)
    return math.fsum(abs(value - centre) for value in ordered) / len(ordered)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return the linear quantile of ascending values, 0.0 of none."""
    if not ordered:
        return 0.0
    place = (len(ordered) - 1) * share
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
