"""The forms of one change beside the words that tell of it."""

from fractions import Fraction

import pytest

from claims.checks import changes
from claims.checks.changes import Change
from claims.checks.said import Said

RATIO = Fraction(4, 3)


def readings(before, polarity, after=""):
    said = Said(before, after)
    return {
        round(value, 6) for value in changes.readings("%", said, Change(RATIO, polarity, False))
    }


def percent(share):
    return round(100 * share, 6)


@pytest.mark.parametrize("words", ["a gain of ", "faster by ", "an increase of "])
def test_a_gain_with_a_minus_is_no_reading_where_more_is_better(words):
    assert percent(Fraction(1, 3)) in readings(words, "higher")
    assert percent(Fraction(-1, 3)) not in readings(words, "higher")


def test_less_of_what_should_be_less_is_a_gain_by_its_own_share():
    assert percent(Fraction(1, 4)) in readings("it is lower by ", "lower")


def test_a_plain_minus_is_the_quantity_itself_where_less_is_better():
    assert percent(Fraction(-1, 4)) in readings("it is at ", "lower")
