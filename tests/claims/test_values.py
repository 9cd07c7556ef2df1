"""Which written numbers agree with a value: unit, scale, and rounding to the digits shown."""

from fractions import Fraction

import pytest

from claims.judging import values
from claims.numerals import numbers

LEVEL = {"value": Fraction("163.7717"), "min": Fraction(161), "n": 3, "unit": "tok/s"}
CHANGE = {"ratio": Fraction("1.249"), "percent": Fraction("24.9"), "candidate": Fraction(1247)}
CHANGE |= {"candidate.cv": Fraction("1.5"), "unit": "ms"}


@pytest.mark.parametrize(
    ("text", "known", "agrees"),
    [
        ("163.77 tok/s", LEVEL, True),
        ("163.78 tok/s", LEVEL, False),
        ("163.77 ms", LEVEL, False),
        ("0.16k tok/s", LEVEL, True),
        ("0.164k tok/s", LEVEL, True),
        ("0.17k tok/s", LEVEL, False),
        ("163.77k tok/s", LEVEL, False),
        ("0k tok/s", LEVEL, False),
        ("1e-99 tok/s", LEVEL, False),
        ("161 tok/s", LEVEL, True),
        ("1.25×", CHANGE, True),
        ("1.25 %", CHANGE, False),
        ("24.9 %", CHANGE, True),
        ("24.9×", CHANGE, False),
        ("1.5 %", CHANGE, True),
        ("1,247 ms", CHANGE, True),
        ("1247 tok/s", CHANGE, False),
    ],
)
def test_a_number_is_a_value_in_its_unit_rounded_to_the_digits_shown(text, known, agrees):
    (number,) = numbers.find(text)
    assert values.agrees(number, known, known) is agrees


def test_only_the_values_that_are_named_count():
    (number,) = numbers.find("161 tok/s")
    assert not values.agrees(number, LEVEL, values.HEADLINE)


def test_a_message_names_the_values_with_their_units():
    assert values.told(CHANGE, values.HEADLINE, 1) == (
        "ratio 1.2 ×, percent 24.9 %, candidate 1247.0 ms"
    )
