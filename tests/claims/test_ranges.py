"""The ends of a range that one claim gives are its least and its most, in that order."""

from dataclasses import replace
from fractions import Fraction

import pytest

from claims.checks import ranges
from claims.checks.fitting import Told
from claims.checks.offer import Figure
from claims.checks.said import Said, range_end
from claims.numerals import numbers
from tests.claims.test_fitting import LEVEL, change

PAIRS = (Figure("pair.min", Fraction("1.048"), "×"), Figure("pair.max", Fraction("1.054"), "×"))


def found(text, offer):
    told = []
    for one in numbers.find(text):
        before, unit, after = text[: one.start], text[one.end : one.after], text[one.after :]
        end = range_end(before, unit, after)
        told.append(Told(one, Said(before, after), end=end))
    return [(index, code) for index, (code, _) in ranges.findings(told, offer)]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("35.1–35.2 tok/s", []),
        ("35.09–35.19 tok/s", []),
        ("between 35.09 and 35.19 tok/s", []),
        ("35.16 tok/s (35.09–35.19)", []),
        ("35.09–35.16 tok/s", [1]),
        ("35.16–35.19 tok/s", [0]),
        ("35.19–35.09 tok/s", [0, 1]),
        ("35.16 tok/s, 35.09 tok/s", []),
    ],
)
def test_a_range_of_a_level_goes_from_its_minimum_to_its_maximum(text, wrong):
    assert found(text, LEVEL) == [(index, "CLM102") for index in wrong]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1.048–1.054×", []),
        ("4.8–5.4 %", []),
        ("1.054–1.048×", [0, 1]),
        ("1.048–1.052×", [1]),
        ("from 33.4 to 35.2 tok/s", []),
    ],
)
def test_a_range_of_a_change_goes_over_its_pairs_and_arms_make_none(text, wrong):
    given = change()
    offer = replace(given, figures=(*given.figures, *PAIRS))
    assert found(text, offer) == [(index, "CLM102") for index in wrong]
