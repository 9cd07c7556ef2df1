import re
import statistics as stdlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.statistics import (
    STATISTICS,
    cv,
    decimal_text,
    mean,
    median,
    ratio_of_medians,
    square_root,
    standard_deviation,
    summarize,
)
from receipts.errors import Error, UndecidedError

POSITIVE = st.fractions(min_value=Fraction(1, 10**6), max_value=10**9, max_denominator=10**9)
SAMPLES = st.lists(POSITIVE, min_size=1, max_size=12)


@given(SAMPLES)
def test_the_four_statistics_agree_with_the_standard_library(samples):
    assert STATISTICS["median"](samples) == stdlib.median(samples)
    assert STATISTICS["mean"](samples) == stdlib.mean(samples)
    assert STATISTICS["min"](samples) == min(samples)
    assert STATISTICS["max"](samples) == max(samples)


@given(st.lists(POSITIVE, min_size=2, max_size=8), st.sampled_from([0, 1]))
def test_the_deviation_is_a_root_of_the_mean_squared_distance(samples, ddof):
    centre = sum(samples) / len(samples)
    square = sum((x - centre) ** 2 for x in samples) / (len(samples) - ddof)

    root = standard_deviation(samples, ddof)

    assert root**2 <= square < (root + root / 10**30 + Fraction(1, 10**60)) ** 2


@given(POSITIVE)
def test_the_root_of_a_square_is_exact(value):
    assert square_root(value * value) == value


@given(st.lists(POSITIVE, min_size=2, max_size=8), POSITIVE)
def test_the_coefficient_of_variation_does_not_depend_on_the_unit(samples, factor):
    assert cv(samples, 1) == cv([x * factor for x in samples], 1)


def test_the_coefficient_of_variation_names_its_ddof_by_its_value():
    samples = ["35.0973", "35.085", "35.1586", "35.1939", "35.191"]

    assert cv(samples, 0) == "0.0013080735"
    assert cv(samples, 1) == "0.00146247064"


@pytest.mark.parametrize(("samples", "ddof"), [([1], 1), ([5, 6], 2), ([-1, 1], 0), ([0, 0, 0], 1)])
def test_an_undefined_coefficient_of_variation_is_absent(samples, ddof):
    assert cv(samples, ddof) is None


def test_a_negative_ddof_is_refused():
    with pytest.raises(Error, match="ddof -1"):
        cv([1, 2], -1)


@pytest.mark.parametrize("compute", [*STATISTICS.values(), summarize, lambda x: cv(x, 1)])
def test_no_samples_give_no_figure(compute):
    with pytest.raises(UndecidedError, match="no samples"):
        compute([])


def test_decimal_text_samples_are_taken_exactly():
    assert mean(["0.1", "0.2"]) == Fraction(3, 20)
    assert median(["0.1", "0.3", "0.2"]) == Fraction(1, 5)


def test_a_summary_of_five_quiet_repetitions_has_no_warnings():
    summary = summarize([100, 101, 102, 101, 100])

    assert (summary.n, summary.median, summary.minimum, summary.maximum) == (5, 101, 100, 102)
    assert summary.mean == Fraction(504, 5)
    assert (summary.ddof, summary.warnings) == (1, ())


def test_few_and_scattered_repetitions_are_warned_about():
    assert summarize([100, 120, 90]).warnings == (
        "fewer than 5 repetitions (n = 3)",
        "coefficient of variation above 3 % (14.8 %, ddof 1)",
    )


def test_a_single_repetition_has_no_spread_rather_than_a_spread_of_zero():
    summary = summarize([100])

    assert summary.cv is None
    assert "coefficient of variation undefined: n is not above ddof 1" in summary.warnings


def test_a_coefficient_of_variation_on_the_limit_is_no_warning():
    on_limit = [97, 103, 97, 103, 97, 103]
    assert cv(on_limit, 0) == "0.03"
    assert summarize(on_limit, ddof=0).warnings == ()
    assert summarize(on_limit, ddof=1).warnings != ()


def test_a_rate_is_compared_candidate_over_baseline():
    result = ratio_of_medians([110, 111, 109], [100, 99, 101], "higher")

    assert result.ratio == Fraction(11, 10)
    assert result.change == Fraction(1, 10)
    assert result.convention == "median(candidate) / median(baseline), above 1 the candidate wins"
    assert result.change_convention.startswith("(median(candidate) - median(baseline)) / median(b")


def test_a_time_is_compared_baseline_over_candidate():
    result = ratio_of_medians([8], [10], "lower")

    assert result.ratio == Fraction(5, 4)
    assert result.change == Fraction(1, 5)
    assert result.convention == "median(baseline) / median(candidate), above 1 the candidate wins"
    assert result.change_convention.startswith("(median(baseline) - median(candidate)) / median(b")


@given(SAMPLES, SAMPLES, st.sampled_from(["higher", "lower"]))
def test_swapping_the_arms_inverts_the_ratio(ours, theirs, polarity):
    forward = ratio_of_medians(ours, theirs, polarity)
    backward = ratio_of_medians(theirs, ours, polarity)

    assert forward.ratio * backward.ratio == 1
    assert (forward.ratio > 1) == (forward.change > 0)
    assert (forward.ratio < 1) == (forward.change < 0)


@given(SAMPLES, SAMPLES)
def test_the_other_polarity_lets_the_other_arm_win(ours, theirs):
    as_rate = ratio_of_medians(ours, theirs, "higher")
    as_time = ratio_of_medians(ours, theirs, "lower")

    assert as_rate.ratio * as_time.ratio == 1
    assert as_rate.change == -as_time.change


def test_the_doubts_of_both_arms_reach_the_comparison():
    warnings = ratio_of_medians([100] * 6, [100] * 4, "higher").warnings

    assert warnings == (
        "baseline: fewer than 5 repetitions (n = 4)",
        "unequal repetitions: candidate 6, baseline 4",
    )


def test_a_median_of_zero_leaves_no_ratio():
    with pytest.raises(UndecidedError, match="the baseline's median"):
        ratio_of_medians([1], [0], "higher")
    with pytest.raises(UndecidedError, match="the candidate's median"):
        ratio_of_medians([0], [1], "lower")


def test_an_unknown_polarity_is_refused():
    with pytest.raises(Error, match="sideways"):
        ratio_of_medians([1], [1], "sideways")


@pytest.mark.parametrize(
    ("value", "significant", "text"),
    [
        (Fraction(0), 9, "0"),
        (Fraction(1, 3), 9, "0.333333333"),
        (Fraction(-2, 3), 3, "-0.667"),
        (Fraction(100), 9, "100"),
        (Fraction("33.50"), 9, "33.5"),
        (Fraction(12345678901), 9, "12345678900"),
        (Fraction("99.9999"), 3, "100"),
        (Fraction("0.00099999"), 3, "0.001"),
        (Fraction("0.125"), 2, "0.12"),
        (Fraction("0.375"), 2, "0.38"),
        (Fraction(1, 10**12), 9, "0.000000000001"),
        (Fraction(25), 1, "20"),
    ],
)
def test_decimal_text_is_plain_and_rounds_half_to_even(value, significant, text):
    assert decimal_text(value, significant) == text


@given(st.fractions(), st.integers(min_value=1, max_value=20))
def test_decimal_text_is_canonical_and_within_half_a_unit(value, significant):
    text = decimal_text(value, significant)

    assert re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?", text)
    digits = text.lstrip("-").replace(".", "").strip("0")
    assert len(digits) <= significant
    assert abs(Fraction(text) - value) <= abs(value) * Fraction(1, 2 * 10 ** (significant - 1))


def test_a_figure_with_more_digits_than_python_prints_is_still_rounded():
    rates = [Fraction(10**9, 10**9 + 2 * index + 1) for index in range(600)]

    assert decimal_text(mean(rates), 6) == "0.999999"


def test_no_digits_are_not_a_figure():
    with pytest.raises(Error, match="0 significant digits"):
        decimal_text(Fraction(1), 0)
