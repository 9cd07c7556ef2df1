"""Printed figures and operands: interval arithmetic, and what follows from what."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import printed
from engine.inference.printed import Described, Operand
from receipts.errors import Error, UndecidedError

VALUES = st.decimals(Decimal("1"), Decimal("9999"), places=2)


def rounded(value, places):
    return str(
        Decimal(value.numerator * 10**9 // value.denominator)
        .scaleb(-9)
        .quantize(Decimal(1).scaleb(-places))
    )


@given(VALUES, VALUES, st.integers(0, 1), st.integers(2, 4))
def test_what_was_computed_from_unrounded_operands_always_follows(old, new, places, digits):
    exact = Fraction(new) / Fraction(old)
    operands = [
        printed.read(str(value.quantize(Decimal(1).scaleb(-places)))) for value in (new, old)
    ]

    if operands[1].low > 0:
        found = printed.follows(rounded(exact, digits), operands[0] / operands[1])
        assert found.standing in ("follows", "truncated")


@given(st.fractions(-9, 9), st.fractions(-9, 9), st.fractions(0, 1), st.fractions(0, 1))
def test_every_choice_inside_the_operands_lies_inside_the_result(a, b, reach, at):
    one, other = Operand(a, a - reach, a + reach), Operand(b, b - reach, b + reach)
    x, y = one.low + at * (one.high - one.low), other.high - at * (other.high - other.low)

    for found, value in ((one + other, x + y), (one - other, x - y), (one * other, x * y)):
        assert found.low <= value <= found.high
    if not other.low <= 0 <= other.high:
        found = one / other
        assert found.low <= x / y <= found.high
        assert found.nominal == a / b


@pytest.mark.parametrize(
    ("text", "nominal", "low", "high"),
    [
        ("42.2", "42.2", "42.15", "42.25"),
        ("12.5 %", "0.125", "0.1245", "0.1255"),
        ("~3581", "3581", "3579.5", "3582.5"),
        ("2 MiB", 2 * 2**20, "1.5", "2.5"),
    ],
)
def test_a_figure_is_read_with_its_rounding_in_base_units(text, nominal, low, high):
    found = printed.read(text)
    scale = 2**20 if "MiB" in text else 1

    assert found == Operand(Fraction(nominal), Fraction(low) * scale, Fraction(high) * scale)


@pytest.mark.parametrize("text", ["", "small", "1.5 or 1.6"])
def test_a_text_of_no_figure_or_two_is_refused(text):
    with pytest.raises(Error, match="figures; give one"):
        printed.read(text)


@pytest.mark.parametrize(
    ("figure", "new", "old", "standing"),
    [
        ("+9.72 %", "1496.8", "1364.2", "follows"),
        ("+26.1 %", "3574.7", "2836.3", "contradicts"),
        ("-12.6 %", "2819.3", "3227.6", "truncated"),
        ("1.080x", "3581", "3323.29", "contradicts"),
        ("1.0775x", "3581", "3323.29", "follows"),
    ],
)
def test_a_change_is_held_against_its_operands(figure, new, old, standing):
    ratio = printed.read(new) / printed.read(old)
    computed = ratio if "x" in figure else ratio - 1

    found = printed.follows(figure, computed)

    assert (found.standing, found.inconsistent) == (standing, standing != "follows")


def test_a_lost_minus_sign_is_told():
    found = printed.follows("0.03 %", Fraction("-0.00034"))

    assert (found.standing, found.warnings) == ("follows", ("printed without its minus sign",))
    assert printed.follows("+0.03 %", Fraction("-0.00034")).standing == "contradicts"


def test_two_figures_of_one_quantity_agree_only_if_one_value_rounds_to_both():
    assert printed.agree("3590.8", "3591").standing == "follows"
    assert printed.agree("3590.8", "3580.7").standing == "contradicts"
    assert printed.agree("1454 MiB", "1524.6 MB").standing == "follows"


@pytest.mark.parametrize(
    ("named", "standing"), [("abc", "follows"), ("ab", "not recomputable"), ("abcd", "contradicts")]
)
def test_a_count_is_held_against_what_is_named(named, standing):
    assert printed.counted(3, list(named)).standing == standing


def test_what_is_missing_from_a_count_is_said():
    assert printed.counted(11, list("abcdefghij")).warnings == ("1 of 11 are not named",)


def test_a_bound_is_taken_at_its_word():
    values = [Fraction("0.057"), Fraction("1.2"), Fraction("0.74")]

    assert printed.outside(values, low="0.1", high="1.4") == [Fraction("0.057")]
    assert printed.outside(values, high="0.7") == [Fraction("1.2"), Fraction("0.74")]
    assert printed.outside([Fraction("0.7")], low="0.7", high="0.7") == []


def test_an_order_that_rounding_leaves_open_is_open():
    assert printed.less(printed.read("726.0"), printed.read("2048.0")) is True
    assert printed.less(Fraction(2), Fraction(1)) is False
    assert printed.less(printed.read("1.0"), printed.read("1.04")) is None


def test_a_ratio_names_every_way_in_which_its_sides_differ():
    above = Described(printed.read("570.122"), "mean", {"tokens": "131008", "lane": "greedy"})
    below = Described(printed.read("137.405"), "median", {"tokens": "130815"})

    ratio, warnings = printed.quotient(above, below)

    assert ratio.nominal == Fraction("570.122") / Fraction("137.405")
    assert warnings == (
        "numerator is a mean, denominator a median",
        "numerator at lane greedy, denominator at lane absent",
        "numerator at tokens 131008, denominator at tokens 130815",
    )
    assert printed.quotient(above, above)[1] == ()


def test_a_divisor_that_may_be_zero_gives_nothing():
    with pytest.raises(UndecidedError, match="may be zero"):
        printed.read("1.0") / printed.read("0")
