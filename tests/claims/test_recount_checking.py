"""One printed figure against its value: what is the same number, and how a wrong one is told."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from claims.recount.checking import ROUNDED, Subject, shown_rows
from claims.recount.reducers import Root, display, rounded, spell

SUBJECT = Subject("entry 1", "receipt://sha256:00")
VALUES = st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**9)
DIGITS = st.integers(0, 9)


def outcome(printed, value, **options):
    return SUBJECT.number("f", printed, value, "formula", **options)


@given(VALUES, DIGITS)
def test_a_value_rounded_to_any_digits_agrees_unless_nothing_is_left_of_it(value, decimals):
    printed = display(value, decimals)
    swallowed = Fraction(printed) == 0 and value != 0
    assert outcome(printed, value).outcome == ("differs" if swallowed else "agrees")


@given(VALUES, DIGITS, st.sampled_from([-1, 1]))
def test_one_unit_beside_the_rounded_value_differs(value, decimals, step):
    unit = Decimal(1).scaleb(-decimals)
    printed = f"{Decimal(display(value, decimals)) + step * unit:f}"
    off = abs(Fraction(printed) - value)
    assume(off > Fraction(unit) / 2)  # of a half both neighbours are right
    assume(printed != spell(value))
    assert outcome(printed, value).outcome == "differs"


@given(VALUES)
def test_nine_digits_agree_and_fewer_are_said_to_be_rounded(value):
    assert outcome(spell(value), value).why == ""
    short = display(value, 1)
    found = outcome(short, value)
    assume(found.outcome == "agrees" and short != spell(value))
    assert found.why == ROUNDED


@given(st.fractions(min_value=0, max_value=10**6), DIGITS)
def test_a_root_agrees_when_it_is_rounded_right(square, decimals):
    root = Root(square)
    units = str(rounded(root, decimals)).rjust(decimals + 1, "0")
    printed = f"{units[:-decimals]}.{units[-decimals:]}" if decimals else units
    assume(Fraction(printed) != 0)
    assert outcome(printed, root).outcome == "agrees"


@pytest.mark.parametrize(
    ("printed", "value", "why"),
    [
        ("0.24", "0.2499", "cut off, not rounded"),
        ("-0.25", "0.25", "the sign is turned"),
        ("0.26", "0.25", "a last digit off"),
        ("0.23", "0.25", ""),
        ("0", "0.25", "rounded until nothing is left of it"),
        ("0.00", "0.004", "rounded until nothing is left of it"),
        ("12.5", "0.25", ""),
    ],
)
def test_a_difference_is_told_by_what_it_looks_like(printed, value, why):
    found = outcome(printed, Fraction(value))
    assert (found.outcome, found.why) == ("differs", why)


def test_a_ratio_of_one_stands_for_nothing_else():
    assert outcome("1", Fraction(1), neutral=1).outcome == "agrees"
    assert outcome("1.0", Fraction(101, 100), neutral=1).outcome == "differs"
    assert outcome("1.01", Fraction(101, 100), neutral=1).outcome == "agrees"
    assert outcome("1", Root(Fraction(1)), neutral=1).outcome == "agrees"


def test_both_neighbours_of_a_half_are_right():
    assert outcome("0.2", Fraction(1, 4)).outcome == "agrees"
    assert outcome("0.3", Fraction(1, 4)).outcome == "agrees"


def test_a_number_of_many_thousand_digits_is_read():
    long = "1" + "0" * 6000
    assert outcome(long, Fraction(10) ** 6000).outcome == "agrees"
    assert outcome("0." + "3" * 6000, Fraction(1, 3)).outcome == "agrees"


def test_what_exists_on_one_side_only_differs():
    assert outcome("0.1", None).outcome == "differs"
    assert outcome(None, Fraction(1)).line() == "entry 1: f: it says absent, the rows give 1"
    assert outcome(None, None).outcome == "agrees"


def test_many_rows_are_shown_by_the_first_ones():
    places = [f"a/{n}" for n in range(20)]
    told = shown_rows(places, [Fraction(n) for n in range(20)])
    assert told.startswith("a/0 0, a/1 1, ")
    assert told.endswith("a/7 7, … 20 in all")
