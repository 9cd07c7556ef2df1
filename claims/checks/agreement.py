"""Whether the digits on a page are those of a value: rounded, cut off, nudged, or other ones.

::

    35.16     35.2, 35, 0.04k agree      35.1 is cut off      35.3 is another value
    1.03703   1.0370 agrees              1.0371 is nudged: one unit of its last digit too far

A tie may be rounded to the even digit or away from zero: both are taught. All arithmetic is exact.
"""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from claims.numerals.numbers import UNITS, Number, find

Grade = Literal["agrees", "cut", "nudged", "other"]

_MOST_DECIMALS = 50
_LEAST_DECIMALS = -12
# "2×" for 1.05 is another number, not a rounding of it.
_CLOSE = 50


def grade(shown: Number, value: Fraction, *, about: bool = False) -> Grade:
    """Say how the digits of `shown` relate to `value`, which is in the unit of `shown`.

    With `about`, as for "~35", the number may be one unit of its last digit off.
    """
    return _grade(shown.value, shown.decimals, value, about=about)


# A page shows one value many times, and each is held against all that it could be.
@lru_cache(maxsize=4096)
def _grade(shown: Decimal, decimals: int, value: Fraction, *, about: bool) -> Grade:
    if not _LEAST_DECIMALS <= decimals <= _MOST_DECIMALS:
        return "other"
    if decimals < 0 and not shown:
        return "other"  # "0k": rounded away altogether, which shows nothing
    place = Fraction(10) ** -decimals
    steps, printed = value / place, Fraction(shown) / place
    if printed in (round(steps), _away_from_zero(steps)) or (about and abs(steps - printed) <= 1):
        return "agrees"
    if printed == int(steps) and printed:
        return "cut"
    near = abs(steps - printed) < 1 and abs(steps - printed) * _CLOSE <= abs(steps)
    return "nudged" if near else "other"


def is_nearly(shown: Number, value: Fraction) -> bool:
    """Say whether `value` lies below `shown`, by half a unit of its last digit or less.

    "Nearly 36" tells of 35.6, and not of 35.2; a round number takes a whole unit: 39.2 is
    "nearly 40".
    """
    if not _LEAST_DECIMALS <= shown.decimals <= _MOST_DECIMALS:
        return False
    place, printed = Fraction(10) ** -shown.decimals, Fraction(shown.value)
    reach = 1 if printed % (10 * place) == 0 else Fraction(1, 2)
    return 0 < printed - value <= reach * place


def converted(value: Fraction, unit: str | None, other: str | None) -> Fraction | None:
    """Return a value in `unit` as so many `other`, or None where the two measure different things.

    A number without a unit is taken in the unit of the value: the page leaves it to its reader.
    """
    if other is None or other == unit:
        return value
    here, there = UNITS.get(unit or ""), UNITS.get(other)
    if here is None or there is None or here.dimension != there.dimension:
        return None
    return value * here.factor / there.factor


def canonical(unit: str) -> str | None:
    """Return the spelling of a metric's unit that numbers on a page have, None for plain counts."""
    if unit in ("", "1"):
        return None
    found = find(f"1 {unit}")
    return found[0].unit or unit if found else unit


def is_finer(shown: Number, decimals: int) -> bool:
    """Say whether a number shows digits beyond this many decimals."""
    return shown.decimals > decimals


def finite_decimals(value: Fraction) -> int | None:
    """Return how many decimals write the value out in full, None where no number of them does."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _away_from_zero(steps: Fraction) -> int:
    half = Fraction(1, 2)
    return int(steps + half) if steps >= 0 else int(steps - half)
