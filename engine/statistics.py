"""Arithmetic over samples: summaries and ratios, exact until they are printed.

Samples are rationals (`Fraction`, integers, `Decimal`, decimal text), one per repetition; nothing
passes through a float, so two people who recompute a figure get the same digits::

    summarize(["35.0973", "35.085", "35.1586"]).median == Fraction("35.0973")

The citable comparison is the ratio of the medians of the two arms. Doubts are data: they come back
as `warnings`. Only an empty list of samples, or a ratio that does not exist, is an error.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

from engine.metrics import Polarity
from engine.samples import Column
from receipts.errors import Error, UndecidedError

Sample = Fraction | int | Decimal | str

FEW_REPETITIONS = 5
# The loosest of the limits that published campaigns in this field put on a stable cell.
CV_LIMIT = Fraction(3, 100)
_ROOT_BITS = 128


@dataclass(frozen=True, slots=True)
class Summary:
    """One arm of one metric, in the unit of its samples.

    `cv` is the coefficient of variation (a ratio, not a percentage) with `ddof` subtracted from n
    in the variance, as decimal text; None where it does not exist.
    """

    n: int
    median: Fraction
    mean: Fraction
    minimum: Fraction
    maximum: Fraction
    cv: str | None
    ddof: int
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidate against baseline: `ratio` above 1 and `change` above 0 mean the candidate wins.

    `change` is relative to the baseline's median (0.05 is five percent). The conventions spell out
    numerator and denominator as they were used.
    """

    ratio: Fraction
    convention: str
    change: Fraction
    change_convention: str
    polarity: Polarity
    candidate: Summary
    baseline: Summary
    warnings: tuple[str, ...]


def median(samples: Sequence[Sample]) -> Fraction:
    """Return the middle value, or the mean of the two middle values of an even number."""
    return percentile(samples, 50)


def percentile(samples: Sequence[Sample], percent: int) -> Fraction:
    """Return the value below which `percent` of 100 lie, linear between the two nearest ranks.

    The rank is (n - 1) * percent / 100, from 0: the method *linear* of Hyndman and Fan's list (7),
    which numpy uses by default.
    """
    ordered = _column(samples).ordered()
    place = Fraction((len(ordered) - 1) * percent, 100)
    low = math.floor(place)
    if place == low:
        return ordered[low]
    return ordered[low] + (place - low) * (ordered[low + 1] - ordered[low])


def mean(samples: Sequence[Sample]) -> Fraction:
    """Return the arithmetic mean."""
    values = _column(samples)
    return values.sums()[0] / len(values)


def minimum(samples: Sequence[Sample]) -> Fraction:
    """Return the smallest value."""
    return _column(samples).ordered()[0]


def maximum(samples: Sequence[Sample]) -> Fraction:
    """Return the largest value."""
    return _column(samples).ordered()[-1]


STATISTICS: Mapping[str, Callable[[Sequence[Sample]], Fraction]] = MappingProxyType(
    {
        "median": median,
        "mean": mean,
        "min": minimum,
        "max": maximum,
        "p90": lambda samples: percentile(samples, 90),
        "p95": lambda samples: percentile(samples, 95),
        "p99": lambda samples: percentile(samples, 99),
    }
)


def variance(samples: Sequence[Sample], ddof: int) -> Fraction | None:
    """Return the sum of squared deviations over n - `ddof`; None when n is not above `ddof`."""
    if ddof < 0:
        raise Error(f"ddof {ddof} is negative; use 0 (population) or 1 (sample)")
    values = _column(samples)
    if len(values) <= ddof:
        return None
    # Sum of squares minus square of the sum: harmless here because nothing is rounded, and far
    # cheaper than deviations, whose denominators hold every denominator of the samples.
    total, squares = values.sums()
    return (squares - total * total / len(values)) / (len(values) - ddof)


def standard_deviation(samples: Sequence[Sample], ddof: int) -> Fraction | None:
    """Return the square root of `variance`, exact or to more than 30 significant digits."""
    square = variance(samples, ddof)
    return None if square is None else square_root(square)


def square_root(square: Fraction) -> Fraction:
    """Return the root of a non-negative value: exact where it is rational, else to 38 digits."""
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top * top == square.numerator and bottom * bottom == square.denominator:
        return Fraction(top, bottom)
    magnitude = square.numerator.bit_length() - square.denominator.bit_length()
    shift = max(0, _ROOT_BITS + 1 - magnitude // 2)
    return Fraction(math.isqrt((square.numerator << 2 * shift) // square.denominator), 1 << shift)


def cv(samples: Sequence[Sample], ddof: int) -> str | None:
    """Return standard deviation over |mean| as decimal text; None when n <= ddof or the mean is 0.

    A ratio, not a percentage. With ddof 1 it is sqrt(n/(n-1)) times what ddof 0 gives.
    """
    square = _relative_variance(samples, ddof)
    return None if square is None else decimal_text(square_root(square))


def summarize(samples: Sequence[Sample], ddof: int = 1) -> Summary:
    """Return the summary of one arm; raises `UndecidedError` when there is no sample."""
    values = _column(samples)
    return Summary(
        n=len(values),
        median=median(values),
        mean=mean(values),
        minimum=minimum(values),
        maximum=maximum(values),
        cv=cv(values, ddof),
        ddof=ddof,
        warnings=tuple(_doubts(values, ddof)),
    )


def ratio_of_medians(
    candidate: Sequence[Sample], baseline: Sequence[Sample], polarity: Polarity, ddof: int = 1
) -> Comparison:
    """Compare two arms by their medians, oriented so that above 1 the candidate always wins.

    For a metric where lower is better the baseline is the numerator. Raises `UndecidedError` when
    an arm has no sample or a median is not above zero, which leaves no ratio.
    """
    if polarity not in ("higher", "lower"):
        raise Error(f"polarity {polarity!r} is unknown; use higher or lower")
    ours, theirs = summarize(candidate, ddof), summarize(baseline, ddof)
    for name, arm in (("candidate", ours), ("baseline", theirs)):
        if arm.median <= 0:
            raise UndecidedError(f"the {name}'s median is not above zero, so there is no ratio")
    gain, over = ("candidate", "baseline") if polarity == "higher" else ("baseline", "candidate")
    quotient = ours.median / theirs.median
    return Comparison(
        ratio=quotient if polarity == "higher" else 1 / quotient,
        convention=f"median({gain}) / median({over}), above 1 the candidate wins",
        change=quotient - 1 if polarity == "higher" else 1 - quotient,
        change_convention=(
            f"(median({gain}) - median({over})) / median(baseline), above 0 the candidate wins"
        ),
        polarity=polarity,
        candidate=ours,
        baseline=theirs,
        warnings=_pair_doubts(ours, theirs),
    )


def decimal_text(value: Fraction, significant: int = 9) -> str:
    """Return `value` rounded half-even to `significant` digits, as `-?(0|[1-9]\\d*)(\\.\\d+)?`.

    Plain notation without an exponent; zeros after the last digit of a fraction are left off.
    """
    if significant < 1:
        raise Error(f"{significant} significant digits print nothing; use 1 or more")
    if value == 0:
        return "0"
    places = significant - 1 - _exponent(abs(value))
    rounded = round(value, places)
    if rounded.denominator == 1:
        return str(rounded.numerator)
    digits = str(abs(rounded.numerator) * 10**places // rounded.denominator).rjust(places + 1, "0")
    sign = "-" if rounded < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}".rstrip("0")


def _column(samples: Sequence[Sample]) -> Column:
    if not samples:
        raise UndecidedError("there are no samples to compute from")
    if isinstance(samples, Column):
        return samples
    return Column([Fraction(sample) for sample in samples])


def _relative_variance(samples: Sequence[Sample], ddof: int) -> Fraction | None:
    square, centre = variance(samples, ddof), mean(samples)
    if square is None or centre == 0:
        return None
    return square / (centre * centre)


def _exponent(value: Fraction) -> int:
    """Return floor(log10(value)) of a positive value; by powers, as text of it may be too long."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = bits * 30103 // 100000
    while value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while value < Fraction(10) ** exponent:
        exponent -= 1
    return exponent


def _doubts(values: Column, ddof: int) -> list[str]:
    doubts = []
    if len(values) < FEW_REPETITIONS:
        doubts.append(f"fewer than {FEW_REPETITIONS} repetitions (n = {len(values)})")
    square = _relative_variance(values, ddof)
    if square is None:
        why = f"n is not above ddof {ddof}" if len(values) <= ddof else "the mean is 0"
        doubts.append(f"coefficient of variation undefined: {why}")
    elif square > CV_LIMIT * CV_LIMIT:
        limit = decimal_text(100 * CV_LIMIT)
        percent = decimal_text(100 * square_root(square), 3)
        doubts.append(f"coefficient of variation above {limit} % ({percent} %, ddof {ddof})")
    return doubts


def _pair_doubts(candidate: Summary, baseline: Summary) -> tuple[str, ...]:
    doubts = [f"candidate: {warning}" for warning in candidate.warnings]
    doubts += [f"baseline: {warning}" for warning in baseline.warnings]
    if candidate.n != baseline.n:
        doubts.append(f"unequal repetitions: candidate {candidate.n}, baseline {baseline.n}")
    return tuple(doubts)
