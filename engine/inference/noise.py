"""Noise floors from A/A differences: how far apart two arms come out that are the same.

From m differences d (same code, same profile, mean known to be 0)::

    maximum rule   floor = max |d|, which the next difference exceeds with P = 1 / (m + 1)
    t rule         floor = t(.975, m) * sqrt(sum d^2 / m), for one future difference at 95 %

With m = 2 the maximum rule is exceeded one time in three; it needs m = 19 for one in twenty. So
both are printed and the t rule decides. A floor is rounded up, never to nearest: one of 0.7 under
an observed 0.74 would be no floor. It holds for the metric, statistic and profile at which it was
measured, and for no other.
Source of Student's distribution for whole degrees of freedom: Abramowitz and Stegun, 26.7.3-26.7.4.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.statistics import square_root
from receipts.errors import Error, UndecidedError

LEVEL = 0.975
MAX_DEGREES = 100_000
_STEPS = 80  # halvings of (0, pi/2): past the last bit of a double


@dataclass(frozen=True, slots=True)
class Floor:
    """Both floors from `m` differences, in the unit of the differences."""

    m: int
    maximum: Fraction
    t_rule: Fraction

    @property
    def exceeded(self) -> Fraction:
        """The probability that the next difference exceeds `maximum`."""
        return exceedance(self.m)

    def covers(self, difference: Fraction) -> bool:
        """Say whether a difference is no larger than the t rule's floor: neither win nor loss."""
        return abs(difference) <= self.t_rule


def floor(differences: Sequence[Fraction]) -> Floor:
    """Return the floors from A/A differences; `UndecidedError` where there are none."""
    if not differences:
        raise UndecidedError("there are no A/A differences: no floor was measured")
    m = len(differences)
    squares = sum((one * one for one in differences), Fraction(0))
    factor = Fraction(t_quantile(LEVEL, m))
    return Floor(m, max(map(abs, differences)), factor * square_root(squares / m))


def exceedance(m: int) -> Fraction:
    """Return the probability that one more exchangeable difference exceeds the largest of `m`."""
    return Fraction(1, m + 1)


def spread(windows: Sequence[Fraction]) -> Fraction:
    """Return how far apart the medians of several windows of the same lie: largest / smallest - 1.

    A comparison across windows must exceed it, for the windows alone move that much.
    """
    if len(windows) < 2 or min(windows) <= 0:
        raise UndecidedError("a spread needs two windows or more, with medians above zero")
    return max(windows) / min(windows) - 1


def round_up(value: Fraction, places: int) -> str:
    """Return a value that is not negative with `places` decimals, rounded up."""
    units = math.ceil(value * 10**places)
    digits = str(units).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def t_quantile(probability: float, degrees: int) -> float:
    """Return Student's t below which `probability` (0.5 to 1, exclusive) lies, to about 1e-12."""
    if not 0.5 <= probability < 1:
        raise Error(f"probability {probability} is outside 0.5 to 1")
    if not 1 <= degrees <= MAX_DEGREES:
        raise Error(f"{degrees} degrees of freedom are outside 1 to {MAX_DEGREES}")
    within = 2 * probability - 1
    low, high = 0.0, math.pi / 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, degrees) < within else (low, middle)
    return math.sqrt(degrees) * math.tan((low + high) / 2)


def t_within(t: float, degrees: int) -> float:
    """Return the probability that Student's |T| is at most `t`."""
    return _within(math.atan(t / math.sqrt(degrees)), degrees)


def _within(angle: float, degrees: int) -> float:
    """Return P(|T| <= sqrt(degrees) * tan(angle)), by its finite series."""
    cosine, odd = math.cos(angle), degrees % 2
    if degrees == 1:
        return 2 * angle / math.pi
    term = cosine if odd else 1.0
    terms = [term]
    for power in range(3 if odd else 2, degrees - 1, 2):
        term *= cosine * cosine * (power - 1) / power
        terms.append(term)
    total = math.sin(angle) * math.fsum(terms)
    return 2 / math.pi * (angle + total) if odd else total
