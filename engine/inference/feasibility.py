"""Can a printed summary be true of any repetitions at all? Cheap, and needs no raw rows.

    Samuelson    |x - mean| <= s_0 sqrt(n - 1)      for every x, the minimum and maximum too
    range        max - min  <= s_0 sqrt(2 n)
    idle         n samples, none busy: the device was busy less than 1 - .05^(1/n) of the time

s_0 divides by n (ddof 0); a deviation with ddof 1 is sqrt(n / (n-1)) times that. A summary that is
possible with one ddof only tells which it was::

    mean 1.0274, CV 1.39 %, minimum 0.9990, n = 5:   z = 1.989 (ddof 0), 2.223 > 2 (ddof 1)

Printed figures come as text and keep their rounding: *impossible* is said only where no values that
round to them would do. Bounds are rationals, t and the idle bound doubles.
Sources: Samuelson (1968), JASA 63; Nair (1948) for the range; Clopper and Pearson (1934).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.inference import printed
from engine.inference.noise import t_quantile, t_within
from engine.inference.printed import Operand
from engine.statistics import Sample, cv, square_root
from receipts.errors import Error, UndecidedError

LEVEL = Fraction(95, 100)
DDOFS = (0, 1)
_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Bound:
    """A distance in population deviations, read with ddof 0 and with ddof 1, against its limit.

    `possible` holds the ddofs with which some values that round to the figures keep the limit.
    """

    distance: tuple[Fraction, Fraction]
    limit: Fraction
    possible: tuple[int, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SummaryTest:
    """Student's t of a printed mean against a value, from mean, CV and n alone.

    `p` is one-sided, that the mean is above; `low` and `high` the ends of the interval.
    """

    t: float
    p: float
    low: float
    high: float


def samuelson(mean: str, cv: str, extreme: str, n: int) -> Bound:
    """Hold the distance of a printed minimum or maximum from its mean against sqrt(n - 1)."""
    gap = printed.read(extreme) - printed.read(mean)
    return _bound(gap, mean, cv, n, Fraction(n - 1), "an extreme as far from the mean")


def spread(mean: str, cv: str, minimum: str, maximum: str, n: int) -> Bound:
    """Hold a printed range against sqrt(2 n)."""
    gap = printed.read(maximum) - printed.read(minimum)
    return _bound(gap, mean, cv, n, Fraction(2 * n), "a range as wide")


def mean_of_others(mean: str, extreme: str, n: int) -> Operand:
    """Return the mean of the other n - 1 repetitions."""
    if n < 2:
        raise UndecidedError("there are no other repetitions")
    return (n * printed.read(mean) - printed.read(extreme)) / (n - 1)


def ddof_of(samples: Sequence[Sample], printed_cv: str) -> tuple[int, ...]:
    """Return the ddofs with which the samples give the printed CV: none is an inconsistency."""
    found = [(ddof, cv(samples, ddof)) for ddof in DDOFS]
    return tuple(
        ddof
        for ddof, value in found
        if value is not None and printed.follows(printed_cv, Fraction(value)).standing == "follows"
    )


def student(mean: str, cv: str, ddof: int, n: int, against: Fraction = Fraction(1)) -> SummaryTest:
    """Return the t test of a printed mean; it takes the figures as printed, without rounding."""
    if n < 2 or ddof not in DDOFS:
        raise UndecidedError(f"n {n} with ddof {ddof} gives no t; use n of 2 or more, ddof 0 or 1")
    centre = float(printed.read(mean).nominal)
    deviation = float(printed.read(cv).nominal) * abs(centre)
    error = deviation / math.sqrt(n - 1 if ddof == 0 else n)
    if error == 0:
        raise UndecidedError("a CV that prints as zero gives no t")
    t = (centre - float(against)) / error
    tail = (1 - t_within(abs(t), n - 1)) / 2
    reach = t_quantile(float(1 + LEVEL) / 2, n - 1) * error
    return SummaryTest(t, tail if t > 0 else 1 - tail, centre - reach, centre + reach)


def idle_bound(n: int, busy: int = 0, level: Fraction = LEVEL) -> float:
    """Return how large a share of the time a device may be busy that was seen so `busy` times in n.

    The upper end of Clopper and Pearson's one-sided interval; samples must not be in step with the
    neighbour.
    """
    if n < 1 or not 0 <= busy <= n:
        raise UndecidedError(f"{busy} busy samples of {n} bound nothing")
    if busy == n:
        return 1.0
    low, high, tail = 0.0, 1.0, 1 - float(level)
    if busy == 0:
        return float(1 - tail ** (1 / n))
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        chances = (math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(busy + 1))
        low, high = (share, high) if math.fsum(chances) > tail else (low, share)
    return high


def idle_samples(share: float, level: Fraction = LEVEL) -> int:
    """Return how many samples, none of them busy, bound the busy share to `share`."""
    if not 0 < share < 1:
        raise Error(f"a busy share of {share} is outside 0 to 1")
    return math.ceil(math.log(1 - float(level)) / math.log(1 - share))


def _bound(gap: Operand, mean: str, cv: str, n: int, square: Fraction, what: str) -> Bound:
    """Compare a gap with the deviation that mean and CV give; `square` is the limit squared."""
    if n < 2:
        raise UndecidedError("one repetition has no deviation")
    centre, share = printed.read(mean), printed.read(cv)
    deviation = centre * share
    if deviation.nominal <= 0:
        raise UndecidedError("a mean or a CV that is not above zero bounds nothing")
    nearest = max(gap.low, -gap.high, Fraction(0))
    swell = (Fraction(1), Fraction(n, n - 1))
    possible = tuple(
        ddof for ddof in DDOFS if nearest**2 * swell[ddof] <= square * deviation.high**2
    )
    found = abs(gap.nominal) / deviation.nominal
    warnings = {
        (0, 1): (),
        (0,): (f"{what} is possible only if the CV has ddof 0",),
        (1,): (f"{what} is possible only if the CV has ddof 1",),
        (): (f"{what} is impossible: the figures are not of one sample",),
    }
    return Bound(
        (found, found * square_root(swell[1])), square_root(square), possible, warnings[possible]
    )
