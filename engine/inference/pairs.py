"""A window of pairs: the citable ratio of medians, and beside it what the pairs say.

Pair i is repetition i of both arms, measured next to each other; d_i = ln(ratio of the pair), so
that drift which both share is gone from it. Above 1 the candidate wins, whatever the metric::

    ratio of medians      median(a) / median(b)              exact; this one is cited
    Hodges–Lehmann        exp(median of Walsh averages of d)
    Walsh interval        exact, with the confidence that it attains; the one that decides
    t on logarithms       exp(mean d -+ t s / sqrt n), ddof 1: needs one mode to be trusted
    Fieller               the ratio of the means, with the covariance of the arms
    detectable            exp((t_.975 + t_.8) s / sqrt n) - 1: what 80 of 100 windows would see

The ratio of medians, CVs, minima and maxima are rationals. Logarithms are doubles: each is taken
of an exact ratio, so that a common factor changes no bit and swapped arms only the sign.
Doubts are `warnings`. Sources: walsh, permutation, trend and flags beside this module;
Fieller (1954), J. Royal Stat. Soc. B 16; the detectable effect is the usual approximation by two
quantiles of t (the exact one needs its noncentral distribution).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.inference import flags, permutation, trend, walsh
from engine.inference.noise import t_quantile
from engine.inference.trend import OrderEffect, Trend
from engine.metrics import Polarity
from engine.statistics import Comparison, Sample, decimal_text, mean, ratio_of_medians, variance
from receipts.errors import Error, UndecidedError

LEVEL = walsh.LEVEL
POWER = 0.8
ALPHA = 0.05
_WIDEST = 10**300


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of the ratio from `n` pairs; `confidence` is what it attains, by `method`."""

    low: float
    high: float
    confidence: Fraction
    method: str
    n: int


@dataclass(frozen=True, slots=True)
class Pairs:
    """What a window of n pairs says of one metric. Ratios are above 1 where the candidate wins.

    `comparison` is the citable one. `smallest` and `largest` are the extreme ratios of a pair.
    `detectable` is a relative change (0.002 is 0.2 %). None stands for what so few pairs, or pairs
    without any spread, do not give.
    """

    n: int
    comparison: Comparison
    estimate: float
    interval: Interval
    student: Interval | None
    fieller: Interval | None
    smallest: Fraction
    largest: Fraction
    detectable: float | None
    correlation: float | None
    order: OrderEffect | None
    drift: Trend | None
    candidate_drift: Trend | None
    baseline_drift: Trend | None
    sign_flip_p: Fraction | None
    signed_rank_p: Fraction | None
    mann_whitney_p: Fraction | None
    warnings: tuple[str, ...]


def analyse(
    candidate: Sequence[Sample],
    baseline: Sequence[Sample],
    polarity: Polarity,
    candidate_first: Sequence[bool] | None = None,
    level: Fraction = LEVEL,
) -> Pairs:
    """Return what pairs of repetitions say; sample i of one arm belongs to sample i of the other.

    `candidate_first` says of each pair whether the candidate ran first; None: not known. Raises
    `Error` for arms of unequal length, `UndecidedError` for none, or for a sample not above zero.
    """
    comparison = ratio_of_medians(candidate, baseline, polarity)
    ratios = pair_ratios(candidate, baseline, polarity)
    logs = [_ln(ratio) for ratio in ratios]
    ours, theirs = _relative(candidate), _relative(baseline)
    order = None if candidate_first is None else trend.order_effect(logs, candidate_first)
    found = Pairs(
        n=len(logs),
        comparison=comparison,
        estimate=math.exp(walsh.centre(logs, level).estimate),
        interval=walsh_interval(logs, level),
        student=student_interval(logs, level),
        fieller=fieller(candidate, baseline, polarity, level),
        smallest=min(ratios),
        largest=max(ratios),
        detectable=detectable(logs, level),
        correlation=trend.correlation(ours, theirs),
        order=order,
        drift=trend.slope(logs),
        candidate_drift=trend.slope(ours),
        baseline_drift=trend.slope(theirs),
        sign_flip_p=permutation.sign_flip(logs),
        signed_rank_p=permutation.signed_rank(logs),
        mann_whitney_p=permutation.mann_whitney(candidate, baseline),
        warnings=(),
    )
    series = (("candidate", candidate), ("baseline", baseline), ("pair ratios", ratios))
    said = (f"{name}: {one}" for name, samples in series for one in flags.of_series(samples))
    return _with(found, (*comparison.warnings, *_doubts(found, candidate_first, level), *said))


def pair_ratios(
    candidate: Sequence[Sample], baseline: Sequence[Sample], polarity: Polarity
) -> list[Fraction]:
    """Return the exact ratio of each pair, above 1 where the candidate wins."""
    if len(candidate) != len(baseline):
        raise Error(
            f"{len(candidate)} candidate and {len(baseline)} baseline repetitions make no pairs;"
            " void the pair of a repetition that is left out"
        )
    ours, theirs = [Fraction(x) for x in candidate], [Fraction(x) for x in baseline]
    if not ours:
        raise UndecidedError("there are no pairs to compute from")
    if min(*ours, *theirs) <= 0:
        raise UndecidedError("a repetition is not above zero, so its pair has no ratio")
    over, under = (ours, theirs) if polarity == "higher" else (theirs, ours)
    return [one / other for one, other in zip(over, under, strict=True)]


def log_ratios(
    candidate: Sequence[Sample], baseline: Sequence[Sample], polarity: Polarity
) -> list[float]:
    """Return d_i = ln of each pair's ratio, above 0 where the candidate wins."""
    return [_ln(ratio) for ratio in pair_ratios(candidate, baseline, polarity)]


def walsh_interval(logs: Sequence[float], level: Fraction = LEVEL) -> Interval:
    """Return the exact interval of the ratio from Walsh averages of its logarithms."""
    found = walsh.centre(logs, level)
    low, high = math.exp(found.low), math.exp(found.high)
    return Interval(low, high, found.attained, "Walsh averages of ln ratios", len(logs))


def student_interval(logs: Sequence[float], level: Fraction = LEVEL) -> Interval | None:
    """Return exp(mean d -+ t s / sqrt n); None for a single pair."""
    error = _standard_error(logs)
    if error is None:
        return None
    middle = math.fsum(logs) / len(logs)
    reach = _quantile(level, len(logs)) * error
    low, high = math.exp(middle - reach), math.exp(middle + reach)
    return Interval(low, high, level, "Student's t on ln ratios", len(logs))


def fieller(
    candidate: Sequence[Sample],
    baseline: Sequence[Sample],
    polarity: Polarity,
    level: Fraction = LEVEL,
) -> Interval | None:
    """Return Fieller's interval of the ratio of means, paired; None where it is unbounded.

    It is unbounded for a single pair, and where the lower mean cannot be told from zero
    (g = t^2 s^2 / (n mean^2) not below 1).
    """
    over, under = (candidate, baseline) if polarity == "higher" else (baseline, candidate)
    n, a, b = len(over), mean(over), mean(under)
    across = _covariance(over, under)
    above, below = variance(over, 1), variance(under, 1)
    if across is None or above is None or below is None:
        return None
    t = Fraction(_quantile(level, n)) ** 2 / n
    # the roots of (A - r B)^2 = t (s_aa - 2 r s_ab + r^2 s_bb)
    lead, half, last = b * b - t * below, a * b - t * across, a * a - t * above
    root = half * half - lead * last
    if lead <= 0 or root < 0:
        return None
    reach = math.sqrt(root)
    low, high = (float(half) - reach) / float(lead), (float(half) + reach) / float(lead)
    return Interval(low, high, level, "Fieller on paired means", n)


def detectable(logs: Sequence[float], level: Fraction = LEVEL) -> float | None:
    """Return the relative change that a window like this one would find 80 times in 100."""
    error = _standard_error(logs)
    if error is None:
        return None
    degrees = len(logs) - 1
    return math.expm1((_quantile(level, len(logs)) + t_quantile(POWER, degrees)) * error)


# --- doubts ------------------------------------------------------------------------------------


def _doubts(found: Pairs, candidate_first: Sequence[bool] | None, level: Fraction) -> Iterator[str]:
    reached = found.interval.confidence
    if reached < level:
        yield (
            f"{_percent(level)} cannot be attained with n = {found.n}:"
            f" the interval holds at {_percent(reached)}"
        )
    least = permutation.smallest_paired(found.n)
    if least >= ALPHA:
        yield f"n = {found.n}: no test of the pairs can give p below {float(least):.3g}"
    ratio = found.comparison.ratio
    if not found.interval.low <= ratio <= found.interval.high and found.smallest != found.largest:
        yield (
            f"the estimators disagree: the ratio of medians {decimal_text(ratio, 6)} lies outside"
            f" {found.interval.low:.6g} to {found.interval.high:.6g}"
        )
    if found.correlation is not None and found.correlation < 0:
        yield f"pairing loses: the arms move against each other (r = {found.correlation:.2f})"
    yield from _order_doubts(found.order, candidate_first)
    yield from _drift_doubts(found)


def _order_doubts(
    order: OrderEffect | None, candidate_first: Sequence[bool] | None
) -> Iterator[str]:
    if candidate_first is None:
        yield "the order effect cannot be estimated: which arm ran first is not known"
    elif order is None:
        arm = "candidate" if candidate_first[0] else "baseline"
        yield f"the order effect cannot be estimated: the {arm} always ran first"
    elif order.p is not None and order.p < ALPHA:
        off = 100 * math.expm1(order.effect)
        yield f"order effect: running first gives {off:+.3g} % (p = {order.p:.2g})"


def _drift_doubts(found: Pairs) -> Iterator[str]:
    series = (
        ("pair ratios", found.drift),
        ("candidate", found.candidate_drift),
        ("baseline", found.baseline_drift),
    )
    for name, one in series:
        if one is not None and one.p is not None and one.p < ALPHA:
            off = 100 * math.expm1(one.slope)
            yield f"drift of the {name}: {off:+.3g} % a repetition (p = {one.p:.2g})"


def _with(found: Pairs, warnings: tuple[str, ...]) -> Pairs:
    fields = {name: getattr(found, name) for name in Pairs.__slots__}
    return Pairs(**fields | {"warnings": warnings})


# --- arithmetic --------------------------------------------------------------------------------


def _relative(samples: Sequence[Sample]) -> list[float]:
    """Return ln(x_i / x_0), in which no unit is left."""
    values = [Fraction(one) for one in samples]
    return [_ln(one / values[0]) for one in values]


def _ln(ratio: Fraction) -> float:
    if not 1 <= ratio.numerator * _WIDEST // ratio.denominator <= _WIDEST**2:
        raise UndecidedError("two repetitions are too far apart for a ratio")
    return math.log(ratio) if ratio >= 1 else -math.log(1 / ratio)


def _standard_error(logs: Sequence[float]) -> float | None:
    n = len(logs)
    if n < 2:
        return None
    middle = math.fsum(logs) / n
    return math.sqrt(math.fsum((one - middle) ** 2 for one in logs) / (n - 1) / n)


def _quantile(level: Fraction, n: int) -> float:
    return t_quantile(float(1 + level) / 2, n - 1)


def _covariance(xs: Sequence[Sample], ys: Sequence[Sample]) -> Fraction | None:
    n = len(xs)
    if n < 2:
        return None
    one, other = mean(xs), mean(ys)
    pairs = zip(xs, ys, strict=True)
    products = ((Fraction(x) - one) * (Fraction(y) - other) for x, y in pairs)
    return sum(products, Fraction(0)) / (n - 1)


def _percent(share: Fraction) -> str:
    return f"{decimal_text(100 * share, 5)} %"
