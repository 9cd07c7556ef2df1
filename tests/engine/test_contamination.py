"""Anatomy of a ratio: its factors multiply to it, its logarithms add up, one side is to blame."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import contamination
from receipts.errors import Error, UndecidedError

SPEED = st.fractions(min_value=1, max_value=1000, max_denominator=1000)


@given(SPEED, SPEED, SPEED, SPEED)
def test_the_factors_multiply_to_what_was_seen_and_the_logarithms_add_up(a, b, c, d):
    found = contamination.anatomy((a, b), (c, d))

    assert found.true == c / d
    assert found.true * found.numerator_shift * found.denominator_shift == found.observed == a / b
    parts = found.log_true + found.log_numerator + found.log_denominator
    assert parts == pytest.approx(found.log_observed, abs=1e-12)


@given(SPEED, SPEED)
def test_nothing_shifted_is_nobody_s_fault(a, b):
    assert contamination.anatomy((a, b), (a, b)).blame == "neither"


def test_the_slowed_baseline_is_blamed():
    found = contamination.anatomy(("3588.8", "2843.2"), ("3590.8", "3232.0"))

    assert found.blame == "denominator"
    assert float(found.observed - 1) == pytest.approx(0.26224, abs=1e-5)
    assert float(found.true - 1) == pytest.approx(0.11101, abs=1e-5)
    assert found.log_denominator == pytest.approx(math.log(3232.0 / 2843.2))


def test_a_hurried_numerator_is_blamed():
    assert contamination.anatomy((120, 100), (110, 100)).blame == "numerator"


def test_a_baseline_low_by_an_eighth_inflates_by_a_seventh():
    assert contamination.inflation(Fraction(1, 8)) == Fraction(8, 7)
    assert contamination.observed_change(Fraction(0), Fraction(1, 8)) == Fraction(1, 7)
    assert contamination.change_inflation(Fraction(1, 10), Fraction(1, 8)) == Fraction(18, 7)


@given(st.fractions(-1, Fraction(9, 10)), st.fractions(-1, Fraction(9, 10)))
def test_the_change_that_is_seen_is_that_of_the_anatomy(change, defect):
    if change > -1:
        found = contamination.anatomy((1 + change, 1 - defect), (1 + change, 1))

        assert found.observed - 1 == contamination.observed_change(change, defect)
        assert found.denominator_shift == contamination.inflation(defect)


@pytest.mark.parametrize(
    "compute",
    [
        lambda: contamination.anatomy((1, 0), (1, 1)),
        lambda: contamination.of_shifts(1, 0, 1),
        lambda: contamination.change_inflation(Fraction(0), Fraction(1, 8)),
    ],
)
def test_what_has_no_ratio_has_no_anatomy(compute):
    with pytest.raises(UndecidedError):
        compute()


def test_a_baseline_low_by_all_of_itself_is_refused():
    with pytest.raises(Error, match="share under 1"):
        contamination.inflation(Fraction(1))
