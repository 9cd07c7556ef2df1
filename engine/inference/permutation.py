"""Exact p-values by counting arrangements: auxiliary, never what decides a verdict.

Of n pairs there are 2^n ways to swap the arms inside them, of two samples of n and m there are
C(n + m, n) ways to share them out. p is the share of these that are at least as far off as what was
seen, to either side, and so it cannot be smaller than 2 over their number::

    5 pairs          2 / 32  = .0625      never under .05
    6 pairs          2 / 64  = .03125
    5 against 5      2 / 252 = .0079      but it does not know of the pairs

Everything is an integer or a `Fraction`; doubles (logarithms) are taken as the rationals they are.
Where counting would take too long p is None, and not an approximation.
Source: Fisher (1935), Wilcoxon (1945), Mann and Whitney (1947); ties get the mean of their ranks.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from engine.inference import walsh
from engine.statistics import Sample, maximum, mean, minimum
from receipts.errors import Error, UndecidedError

MAX_FLIPPED = 18
MAX_RANKED = 200
MAX_CHOICES = 100_000


@dataclass(frozen=True, slots=True)
class Discarded:
    """Repetitions that were left out, beside those that were counted, in the samples' unit.

    `p` is that of a difference as large, had the discarded ones been chosen by lot; `statistic`
    says of what. None: too many to count.
    """

    discarded: int
    counted: int
    discarded_range: tuple[Fraction, Fraction]
    counted_range: tuple[Fraction, Fraction]
    p: Fraction | None
    statistic: str
    warnings: tuple[str, ...]


def smallest_paired(n: int) -> Fraction:
    """Return the smallest two-sided p that n pairs can give by signs, ranks or flips."""
    return min(Fraction(2, 2**n), Fraction(1))


def smallest_unpaired(n: int, m: int) -> Fraction:
    """Return the smallest two-sided p that n samples against m can give."""
    return min(Fraction(2, math.comb(n + m, n)), Fraction(1))


def sign_test(above: int, n: int) -> Fraction:
    """Return the one-sided probability of at least `above` of n differences above zero."""
    if not 0 <= above <= n:
        raise Error(f"{above} of {n} differences is impossible")
    return Fraction(sum(math.comb(n, k) for k in range(above, n + 1)), 2**n)


def sign_flip(differences: Sequence[Sample | float]) -> Fraction | None:
    """Return the two-sided p of the mean difference over all changes of sign; None above 18."""
    whole = _integers(differences)
    if len(whole) > MAX_FLIPPED:
        return None
    sums = [0]
    for one in whole:
        sums = [total + sign for total in sums for sign in (one, -one)]
    seen = abs(sum(whole))
    return Fraction(sum(abs(total) >= seen for total in sums), len(sums))


def signed_rank(differences: Sequence[Sample | float]) -> Fraction | None:
    """Return Wilcoxon's two-sided p; differences of zero are left out; None above 200."""
    whole = [one for one in _integers(differences) if one]
    if len(whole) > MAX_RANKED:
        return None
    ranks = _doubled_ranks([abs(one) for one in whole])
    up = sum(rank for rank, one in zip(ranks, whole, strict=True) if one > 0)
    total = sum(ranks)
    counts = walsh.subset_sums(ranks, total)
    return Fraction(_as_far(counts, up, total), 2 ** len(ranks))


def mann_whitney(xs: Sequence[Sample | float], ys: Sequence[Sample | float]) -> Fraction | None:
    """Return the two-sided p of the rank sum of two unpaired samples; None above 200 in all."""
    if not xs or not ys:
        raise UndecidedError("there are no samples to compare on one side")
    if len(xs) + len(ys) > MAX_RANKED:
        return None
    ranks = _doubled_ranks(_integers([*xs, *ys]))
    counts = _sums_of(len(xs), ranks)
    # the mean of a sum of k of N ranks is k/N of all ranks
    seen = abs(len(ranks) * sum(ranks[: len(xs)]) - len(xs) * sum(ranks))
    far = sum(
        count
        for value, count in enumerate(counts)
        if abs(len(ranks) * value - len(xs) * sum(ranks)) >= seen
    )
    return Fraction(far, math.comb(len(ranks), len(xs)))


def discarded_against_counted(discarded: Sequence[Sample], counted: Sequence[Sample]) -> Discarded:
    """Say how unlike the counted repetitions the discarded ones are, whatever the reason given.

    p counts every way to discard as many of all the repetitions: by the difference of the means
    where there are at most 100,000 ways, else by ranks.
    """
    if not discarded or not counted:
        raise UndecidedError("nothing was discarded, or nothing was counted")
    few = math.comb(len(discarded) + len(counted), len(discarded)) <= MAX_CHOICES
    p = _by_means(discarded, counted) if few else mann_whitney(discarded, counted)
    return Discarded(
        len(discarded),
        len(counted),
        (minimum(discarded), maximum(discarded)),
        (minimum(counted), maximum(counted)),
        p,
        "difference of means" if few else "rank sum",
        tuple(_doubts(discarded, counted, p, ranked=not few)),
    )


def _doubts(
    discarded: Sequence[Sample], counted: Sequence[Sample], p: Fraction | None, *, ranked: bool
) -> list[str]:
    n, m = len(discarded), len(counted)
    # of unequal means only one arrangement is the farthest off, of ranks its mirror image is too
    least = smallest_unpaired(n, m) if ranked or n == m else Fraction(1, math.comb(n + m, n))
    found = []
    if least > Fraction(5, 100):
        found.append(
            f"{n} discarded and {m} counted repetitions cannot give p"
            f" under {float(least):.3g}: nothing can be said of their choice"
        )
    if p is not None and p <= Fraction(5, 100):
        side = "above" if mean(discarded) > mean(counted) else "below"
        found.append(
            f"the discarded repetitions lie {side} the counted ones (p = {float(p):.3g}):"
            " leaving them out moves the result"
        )
    return found


def _by_means(discarded: Sequence[Sample], counted: Sequence[Sample]) -> Fraction:
    whole = _integers([*discarded, *counted])
    n, k, total = len(whole), len(discarded), sum(whole)
    seen = abs(n * sum(whole[:k]) - k * total)
    far = sum(abs(n * sum(chosen) - k * total) >= seen for chosen in combinations(whole, k))
    return Fraction(far, math.comb(n, k))


def _as_far(counts: Sequence[int], seen: int, total: int) -> int:
    """Return how many sums lie as far from the middle of 0 to `total` as `seen` does."""
    reach = abs(2 * seen - total)
    return sum(count for value, count in enumerate(counts) if abs(2 * value - total) >= reach)


def _integers(values: Sequence[Sample | float]) -> list[int]:
    """Return the values over one denominator, so that equal sums are equal."""
    if not values:
        raise UndecidedError("there are no samples to compute from")
    exact = [Fraction(value) for value in values]
    common = math.lcm(*(value.denominator for value in exact))
    return [value.numerator * (common // value.denominator) for value in exact]


def _doubled_ranks(values: Sequence[int]) -> list[int]:
    """Return twice the rank of each value, from 1; of ties, twice the mean of theirs."""
    ordered = sorted(values)
    first = {value: at for at, value in reversed(list(enumerate(ordered, start=1)))}
    last = {value: at for at, value in enumerate(ordered, start=1)}
    return [first[value] + last[value] for value in values]


def _sums_of(size: int, ranks: Sequence[int]) -> list[int]:
    """Return for every sum how many choices of `size` of the ranks give it.

    The counts of one size are packed into one integer, in slots that no count can overflow: adding
    a rank to every choice is then a shift.
    """
    slot = len(ranks) // 8 + 1
    packed = [1] + [0] * size
    for rank in ranks:
        for chosen in range(size, 0, -1):
            packed[chosen] += packed[chosen - 1] << (8 * slot * rank)
    data = packed[size].to_bytes(slot * (sum(ranks) + 1), "little")
    return [int.from_bytes(data[at : at + slot], "little") for at in range(0, len(data), slot)]
