"""The digits of a page against an exact value: agreeing, cut off, nudged, or other."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.checks import agreement
from claims.numerals import numbers


def number(text):
    (found,) = numbers.find(text)
    return found


@pytest.mark.parametrize(
    ("text", "value", "grade"),
    [
        ("35.2", "35.16", "agrees"),
        ("35.1", "35.16", "cut"),
        ("35", "35.16", "agrees"),
        ("35.3", "35.16", "other"),
        ("1.0370", "1.03703", "agrees"),
        ("1.0371", "1.03703", "nudged"),
        ("1.0369", "1.03703", "other"),
        ("0.12", "0.125", "agrees"),
        ("0.13", "0.125", "agrees"),
        ("0.13", "0.135", "cut"),
        ("-35.2", "35.16", "other"),
        ("-3.2", "-3.24", "agrees"),
        ("0k tok/s", "163", "other"),
        ("0.16k tok/s", "163", "agrees"),
        ("0.1k tok/s", "163", "cut"),
        ("1e-99", "0", "other"),
    ],
)
def test_a_number_is_graded_by_its_own_last_digit(text, value, grade):
    assert agreement.grade(number(text), Fraction(value)) == grade


@pytest.mark.parametrize(
    ("text", "agrees"), [("35", True), ("34", True), ("36", True), ("33", False)]
)
def test_about_allows_one_unit_of_the_last_digit(text, agrees):
    found = agreement.grade(number(text), Fraction("35"), about=True)
    assert (found == "agrees") is agrees


@given(st.decimals(-10_000, 10_000, places=6), st.integers(0, 5))
def test_what_decimal_rounds_to_agrees_and_what_it_cuts_off_is_told_apart(value, places):
    step = Decimal(1).scaleb(-places)
    for rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN):
        shown = number(f"{value.quantize(step, rounding=rounding):f}".replace("-0.", "-0."))
        assert agreement.grade(shown, Fraction(value)) == "agrees"
    cut = value.quantize(step, rounding=ROUND_DOWN)
    if abs(value - cut) > step / 2 and cut:
        assert agreement.grade(number(f"{cut:f}"), Fraction(value)) == "cut"


@pytest.mark.parametrize(
    ("value", "unit", "other", "wanted"),
    [
        (2, "s", "ms", 2000),
        (16, "GiB", "GB", Fraction("17.179869184")),
        (5, "ms", "tok/s", None),
        (5, "×", "%", None),
        (5, "tok/s", None, 5),
    ],
)
def test_a_value_is_converted_within_its_dimension_and_never_across(value, unit, other, wanted):
    assert agreement.converted(Fraction(value), unit, other) == wanted


def test_a_metrics_unit_is_spelt_as_a_page_spells_it():
    assert agreement.canonical("Gbit/s") == "Gbps"
    assert agreement.canonical("1") is None


@pytest.mark.parametrize(("value", "places"), [("1/8", 3), ("7", 0), ("1/3", None), ("7/20", 2)])
def test_the_decimals_that_write_a_value_out_are_counted(value, places):
    assert agreement.finite_decimals(Fraction(value)) == places
