"""Hodges–Lehmann's estimate and its exact interval, with the confidence that it attains.

Of n differences there are M = n(n+1)/2 Walsh averages (d_i + d_j) / 2, i <= j. Their median is the
estimate; the (k+1)-th from below and from above are the ends of an interval, which holds the centre
with 1 - 2 P(W <= k), W being Wilcoxon's signed-rank statistic. Only certain confidences exist::

    pairs       2     3     4      5       6      7      8     10
    attained   .5   .75  .875  .9375  .96875  .9531  .9609  .9512     (95 % asked for)

So five pairs cannot give 95 %, and their interval is the smallest and the largest difference.
The differences are doubles (they are logarithms). Sign patterns are counted in integers up to
`EXACT` pairs, beyond it in doubles: sums of positive terms, right to about n * 2^-53.
Source: Hodges and Lehmann (1963); Hollander and Wolfe, Nonparametric Statistical Methods, 3.1-3.3.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain, repeat
from operator import add
from typing import Any

from receipts.errors import Error, UndecidedError

LEVEL = Fraction(95, 100)
EXACT = 200
MAX_PAIRS = 1000


@dataclass(frozen=True, slots=True)
class Centre:
    """Estimate and interval, in the unit of the differences.

    `attained` is the probability with which the interval holds the centre; it is below what was
    asked for where so few differences cannot give that.
    """

    n: int
    estimate: float
    low: float
    high: float
    attained: Fraction


def centre(differences: Sequence[float], level: Fraction = LEVEL) -> Centre:
    """Return the estimate and the narrowest interval that attains `level`, else the widest.

    Raises `UndecidedError` for no differences and for more than 1000.
    """
    n = len(differences)
    _check(n)
    k = depth(n, level)
    averages = _averages(differences)
    half = len(averages) // 2
    middle = (averages[half] + averages[-half - 1]) / 2
    return Centre(n, middle, averages[k], averages[-k - 1], 1 - 2 * below(n, k))


def depth(n: int, level: Fraction = LEVEL) -> int:
    """Return how many averages are cut off at each end for `level`; 0 where it is not attained."""
    if not 0 < level < 1:
        raise Error(f"confidence {level} is outside 0 to 1")
    _check(n)
    limit = (1 - level) / 2 * 2**n
    found = list(accumulate(_counts(n)))
    return max(bisect_right(found, float(limit) if n > EXACT else limit) - 1, 0)


def attained(n: int, level: Fraction = LEVEL) -> Fraction:
    """Return the confidence that the interval of n differences attains when asked for `level`."""
    return 1 - 2 * below(n, depth(n, level))


def below(n: int, k: int) -> Fraction:
    """Return P(W <= k) of the signed-rank statistic of n differences, for k in its lower half."""
    return Fraction(sum(_counts(n)[: k + 1])) * Fraction(1, 2**n)


def subset_sums(ranks: Sequence[int], upto: int, one: Any = 1) -> list[Any]:
    """Return for every sum from 0 to `upto` how many subsets of `ranks` add up to it.

    Counts are of the type of `one`: integers are exact, doubles are fast.
    """
    counts, reach = [one], 0
    for rank in ranks:
        reach = min(reach + rank, upto)
        shifted = chain(repeat(0, rank), counts)
        padded = chain(counts, repeat(0, reach + 1 - len(counts)))
        counts = list(map(add, padded, shifted)) if rank <= upto else counts
        counts += [0] * (reach + 1 - len(counts))
    return counts


@lru_cache(maxsize=8)
def _counts(n: int) -> tuple[Any, ...]:
    """Return how many of the 2^n sign patterns give each W up to its middle."""
    return tuple(subset_sums(range(1, n + 1), n * (n + 1) // 4, 1 if n <= EXACT else 1.0))


def _averages(differences: Sequence[float]) -> list[float]:
    found = [(one + other) / 2 for i, one in enumerate(differences) for other in differences[i:]]
    return sorted(found)


def _check(n: int) -> None:
    if n == 0:
        raise UndecidedError("there are no pairs to compute from")
    if n > MAX_PAIRS:
        raise UndecidedError(f"{n} pairs are over the limit of {MAX_PAIRS}; compare arm by arm")
