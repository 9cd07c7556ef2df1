"""One cell of one window has one displayed value; two windows stand with their dates."""

import pytest

from claims.checks import conflicts
from claims.checks.conflicts import Shown
from claims.checks.displayed import Value
from claims.numerals import numbers


def shown(text, place, *, window="w1", statistic="median", context="", subject=("level", "m", "c")):
    (number,) = numbers.find(text)
    date = {"w1": "2026-08-01", "w2": "2026-08-09"}[window]
    return Shown(subject, window, date, statistic, number, "C1", place, context)


def found(*ones):
    return [(one.code, one.place) for one in conflicts.find(ones)]


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        ("1.05×", "1.052×", False),
        ("1.05×", "1.049×", False),
        ("1.493×", "1.520×", True),
        ("35 ms", "0.035 s", False),
        ("37 ms", "0.035 s", True),
        ("5 %", "1.05×", False),
    ],
)
def test_two_values_of_a_cell_conflict_where_no_value_rounds_to_both(one, other, conflict):
    codes = found(shown(one, "a.md:1:1"), shown(other, "b.md:2:2"))
    assert [code for code, _ in codes] == (["CLM107"] if conflict else [])


def test_two_statistics_that_are_both_named_are_no_conflict():
    median = shown("35.16 tok/s", "a.md:1:1", context="the median is 35.16")
    mean = shown("35.20 tok/s", "b.md:1:1", statistic="mean", context="on average 35.20")
    bare = shown("35.20 tok/s", "b.md:1:1", statistic="mean", context="it is 35.20")
    assert found(median, mean) == []
    assert [code for code, _ in found(median, bare)] == ["CLM107"]


def test_of_two_statistics_the_place_is_told_that_does_not_say_which_it_is():
    tail = shown("61 ms", "a.md:1:1", statistic="p99", context="at p99 it is 61 ms")
    bare = shown("0.0479 s", "a.md:9:1", context="it is 0.0479 s")
    said = shown("0.0479 s", "a.md:9:1", context="in the median it is 0.0479 s")
    assert found(tail, bare) == found(bare, tail) == [("CLM107", "a.md:9:1")]
    assert found(tail, said) == []


def test_a_claims_own_minimum_needs_no_more_than_its_own_name():
    median = shown("35.16 tok/s", "a.md:1:1", context="it is 35.16 tok/s (minimum 35.09)")
    least = shown("35.09 tok/s", "a.md:1:9", statistic="min", context=median.context)
    bare = shown("35.09 tok/s", "a.md:2:9", statistic="min", context="it is 35.09 tok/s")
    assert found(median, least) == []
    assert found(median, bare) == [("CLM107", "a.md:2:9")]


def test_other_cells_and_other_arms_are_other_subjects():
    other = shown("40 tok/s", "b.md:1:1", subject=("level", "m", "d"))
    assert found(shown("35 tok/s", "a.md:1:1"), other) == []


def test_two_windows_of_a_cell_each_need_their_date_and_a_spread():
    first = shown("35.1 tok/s", "a.md:1:1", context="on 2026-08-01: 35.1 (34.9–35.3)")
    second = shown("36.1 tok/s", "a.md:2:1", window="w2", context="on 2026-08-09: 36.1 ± 0.2")
    bare = shown("36.1 tok/s", "a.md:2:1", window="w2", context="it is 36.1")
    assert found(first, second) == []
    assert found(first, bare) == [("CLM212", "a.md:2:1")]


def test_what_is_kept_of_a_number_is_the_same_object_wherever_it_stood():
    first, again = numbers.find("It runs at 35.2 tok/s.")[0], numbers.find("35.2 tok/s")[0]
    assert conflicts.bare(first) is conflicts.bare(again)
    assert (conflicts.bare(first).text, conflicts.bare(first).unit) == ("35.2", "tok/s")
    assert conflicts.bare(numbers.find("35.20 tok/s")[0]) is not conflicts.bare(first)


def value(text, *, window="w1", subject=("level", "m", "c")):
    return Value(subject, window, None, "median", numbers.find(text)[0], "C1")


@pytest.mark.parametrize(
    ("values", "doubtful"),
    [
        ((value("35.2 tok/s"), value("35.16 tok/s"), value("35 tok/s")), False),
        ((value("35.2 tok/s"), value("35.14 tok/s")), True),
        ((value("35.2 tok/s"), value("35.2 tok/s", window="w2")), True),
        ((value("35.2 tok/s"), value("40 tok/s", subject=("level", "m", "d"))), False),
        ((value("35.2 %"), value("1.352×")), False),
    ],
)
def test_only_values_that_may_differ_are_looked_at_again(values, doubtful):
    assert conflicts.doubtful(values) == ({conflicts.about(values[0])} if doubtful else set())
