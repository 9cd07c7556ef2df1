"""What a window did besides the change under test: drift, order, and arms that move together.

    drift    slope of ln x over the repetitions 0, 1, 2 ..., by least squares, with t on n - 2
    order    pairs in which the candidate ran first (mean d_1) against the others (mean d_2):
             order effect (d_1 - d_2) / 2, engine effect (d_1 + d_2) / 2, t on n - 2 with the
             variance of both groups pooled: a crossover of two periods

A drift that both arms share cancels in the pairs; one of the pair ratios does not. If one engine
always ran first, order and engine are one, and there is no order effect to estimate.
Logarithms and p-values are doubles; a slope of 0.001 is 0.1 % a repetition.
Source: Hills and Armitage (1979) for the crossover; ordinary least squares.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.inference.noise import t_within
from receipts.errors import Error


@dataclass(frozen=True, slots=True)
class Trend:
    """Least squares over the repetitions: `slope` in ln a repetition; p None where t has none."""

    n: int
    slope: float
    p: float | None


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """A crossover, in ln of the ratio: what running first gives, and the engines without it.

    `error` is the standard error of both; `p` is that of the order effect, None where the groups
    are too small for one.
    """

    first: int
    second: int
    effect: float
    engine: float
    error: float | None
    p: float | None


def slope(values: Sequence[float]) -> Trend | None:
    """Return the drift of `values` in the order they were measured; None for fewer than three."""
    n = len(values)
    if n < 3:
        return None
    middle = (n - 1) / 2
    places = [at - middle for at in range(n)]
    mean = math.fsum(values) / n
    spread = math.fsum(place * place for place in places)
    found = math.fsum(p * (v - mean) for p, v in zip(places, values, strict=True)) / spread
    left = [v - mean - found * p for p, v in zip(places, values, strict=True)]
    error = math.sqrt(math.fsum(one * one for one in left) / (n - 2) / spread)
    return Trend(n, found, two_sided(found, error, n - 2))


def order_effect(
    differences: Sequence[float], candidate_first: Sequence[bool]
) -> OrderEffect | None:
    """Return what running first does to the differences; None if one arm always ran first."""
    if len(differences) != len(candidate_first):
        raise Error(f"{len(differences)} pairs have {len(candidate_first)} orders; give one each")
    sides = tuple(zip(differences, candidate_first, strict=True))
    before = [one for one, first in sides if first]
    after = [one for one, first in sides if not first]
    if not before or not after:
        return None
    means = [math.fsum(group) / len(group) for group in (before, after)]
    effect, engine = (means[0] - means[1]) / 2, (means[0] + means[1]) / 2
    free = len(differences) - 2
    error = None
    if free > 0:
        squares = math.fsum(
            (one - mean) ** 2
            for group, mean in zip((before, after), means, strict=True)
            for one in group
        )
        error = math.sqrt(squares / free * (1 / len(before) + 1 / len(after))) / 2
    p = None if error is None else two_sided(effect, error, free)
    return OrderEffect(len(before), len(after), effect, engine, error, p)


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Pearson's r; None where one side does not vary or there are fewer than three pairs."""
    n = len(xs)
    if n < 3:
        return None
    one, other = math.fsum(xs) / n, math.fsum(ys) / n
    across = math.fsum((x - one) * (y - other) for x, y in zip(xs, ys, strict=True))
    along = [math.fsum((v - m) ** 2 for v in vs) for vs, m in ((xs, one), (ys, other))]
    if not all(along):
        return None
    return max(-1.0, min(1.0, across / math.sqrt(along[0]) / math.sqrt(along[1])))


def two_sided(estimate: float, error: float, degrees: int) -> float | None:
    """Return Student's p of `estimate`; None where there is neither effect nor error."""
    if error == 0:
        return None if estimate == 0 else 0.0
    return max(0.0, 1 - t_within(abs(estimate / error), degrees))
