"""Reducers and rounding of the recount: fractions, decimals and integer roots, nothing else.

A quantity is a `Fraction`, or the square root of one (`Root`): a coefficient of variation is
irrational, and is rounded correctly without ever being a float::

    spell(Root(Fraction(2)))        "1.41421356"        nine significant digits, half-even

The percentile is *linear* between the two nearest ranks, rank (n - 1) * percent / 100 from 0.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from types import MappingProxyType

SIGNIFICANT = 9
_DIGITS = Context(prec=SIGNIFICANT, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class Root:
    """The square root of a fraction that is not negative."""

    square: Fraction


Quantity = Fraction | Root


def ordered(samples: Iterable[Fraction]) -> list[Fraction]:
    """Return the samples from the smallest to the largest; doubles decide unless they tie."""
    return sorted(samples, key=lambda one: (float(one), one))


def median(samples: Sequence[Fraction]) -> Fraction:
    """Return the middle value, of an even number half the sum of the two middle ones."""
    values, half = ordered(samples), len(samples) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def percentile(samples: Sequence[Fraction], percent: int) -> Fraction:
    """Return the linear percentile."""
    values = ordered(samples)
    low, rest = divmod((len(values) - 1) * percent, 100)
    upper = values[min(low + 1, len(values) - 1)]
    return ((100 - rest) * values[low] + rest * upper) / 100


def mean(samples: Sequence[Fraction]) -> Fraction:
    """Return the sum over the number."""
    return total(samples) / len(samples)


def total(values: Sequence[Fraction]) -> Fraction:
    """Return the sum, added up in halves: denominators then grow late and not early."""
    if len(values) < 8:
        return sum(values, Fraction(0))
    half = len(values) // 2
    return total(values[:half]) + total(values[half:])


def relative_deviation(samples: Sequence[Fraction], ddof: int) -> Root | None:
    """Return the coefficient of variation; None where n is not above `ddof` or the mean is 0."""
    n, whole = len(samples), total(samples)
    if n <= ddof or whole == 0:
        return None
    squares = total([one * one for one in samples])
    # n * sum of squares - square of the sum, over the square of the sum, in units of n / (n - ddof)
    return Root((n * squares - whole * whole) * n / ((n - ddof) * whole * whole))


def smallest(samples: Sequence[Fraction]) -> Fraction:
    """Return the smallest value."""
    return ordered(samples)[0]


def largest(samples: Sequence[Fraction]) -> Fraction:
    """Return the largest value."""
    return ordered(samples)[-1]


def _tail(percent: int) -> Callable[[Sequence[Fraction]], Fraction]:
    return lambda samples: percentile(samples, percent)


STATISTICS: Mapping[str, Callable[[Sequence[Fraction]], Fraction]] = MappingProxyType(
    {
        "median": median,
        "mean": mean,
        "min": smallest,
        "max": largest,
        "p90": _tail(90),
        "p95": _tail(95),
        "p99": _tail(99),
    }
)
"""The reducers by the names that figures and claims carry."""


def scaled(value: Quantity, places: int) -> tuple[int, int]:
    """Return |value| * 10^places cut to an integer, and whether the rest is -1, 0 or 1 to a half.

    A rest of -1 is below a half (or nothing), 1 above it.
    """
    factor = Fraction(10) ** places
    if isinstance(value, Root):
        square = value.square * factor * factor
        whole = math.isqrt(square.numerator // square.denominator)
        middle = square - Fraction((2 * whole + 1) ** 2, 4)
    else:
        exact = abs(value) * factor
        whole = exact.numerator // exact.denominator
        middle = exact - whole - Fraction(1, 2)
    return whole, (middle > 0) - (middle < 0)


def rounded(value: Quantity, places: int) -> int:
    """Return |value| * 10^places rounded half-even."""
    whole, rest = scaled(value, places)
    return whole + (rest > 0 or (rest == 0 and whole % 2 == 1))


def spell(value: Quantity) -> str:
    """Return nine significant digits, half-even, plain, zeros after the last digit left off."""
    if isinstance(value, Fraction):
        quotient = _DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))
        return _plain(quotient)
    if value.square == 0:
        return "0"
    places = SIGNIFICANT - 1 - _exponent(value.square)
    return _plain(Decimal(rounded(value, places)).scaleb(-places))


def display(value: Fraction, decimals: int, *, grouped: bool = False) -> str:
    """Return `value` rounded half-even to so many decimals, as a sentence shows it."""
    units = rounded(value, decimals)
    digits = str(units).rjust(decimals + 1, "0")
    whole, part = (digits[:-decimals], f".{digits[-decimals:]}") if decimals else (digits, "")
    shown = f"{int(whole):,}" if grouped else whole
    return f"{'-' if value < 0 and units else ''}{shown}{part}"


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _exponent(square: Fraction) -> int:
    """Return the power of ten of the first digit of the root of `square`."""
    # Powers of two stand near powers of ten; the text of such integers may be too long to have.
    bits = square.numerator.bit_length() - square.denominator.bit_length()
    guess = bits * 3 // 20
    while Fraction(100) ** (guess + 1) <= square:
        guess += 1
    while Fraction(100) ** guess > square:
        guess -= 1
    return guess
