"""Percentiles: the methods on the eight rows that tell them apart, and tails that are absent."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import percentiles
from engine.statistics import median
from receipts.errors import Error, UndecidedError

EIGHT = [10, 11, 12, 13, 14, 15, 16, 40]
SAMPLES = st.lists(st.integers(0, 50), min_size=1, max_size=20)
METHODS = ("linear", "nearest-rank", "lower", "higher")


@pytest.mark.parametrize(
    ("method", "value"),
    [("linear", Fraction("13.5")), ("nearest-rank", 13), ("lower", 13), ("higher", 14)],
)
def test_eight_rows_tell_the_methods_apart(method, value):
    assert percentiles.percentile(EIGHT, 50, method) == value


@given(SAMPLES, st.integers(0, 100))
def test_nearest_rank_is_the_smallest_value_that_so_many_are_not_above(samples, percent):
    enough = [
        v for v in sorted(samples) if 100 * sum(s <= v for s in samples) >= percent * len(samples)
    ]

    assert percentiles.percentile(samples, percent, "nearest-rank") == enough[0]


@given(SAMPLES, st.integers(0, 100))
def test_linear_lies_between_lower_and_higher(samples, percent):
    low, middle, high = (
        percentiles.percentile(samples, percent, m) for m in ("lower", "linear", "higher")
    )

    assert low <= middle <= high
    assert {low, high} <= set(samples)


@given(SAMPLES, st.sampled_from(METHODS))
def test_the_ends_are_the_extremes_and_the_middle_of_linear_the_median(samples, method):
    assert percentiles.percentile(samples, 0, method) == min(samples)
    assert percentiles.percentile(samples, 100, method) == max(samples)
    assert percentiles.percentile(samples, 50, "linear") == median(samples)


def test_a_p99_of_fewer_than_a_hundred_rows_is_absent_and_the_maximum_stands():
    short, long = percentiles.tail(list(range(99))), percentiles.tail(list(range(100)))

    assert (short.value, short.maximum, short.n) == (None, 98, 99)
    assert short.warnings == ("p99 is absent: n = 99, 100 or more are needed",)
    assert (long.value, long.maximum, long.warnings) == (98, 99, ())


def test_nothing_has_no_percentile_and_101_is_none():
    with pytest.raises(UndecidedError, match="no samples"):
        percentiles.percentile([], 50, "nearest-rank")
    with pytest.raises(Error, match="outside 0 to 100"):
        percentiles.percentile([1], 101, "linear")
