"""Flags: planted oddities are flagged and kept, quiet series are not, and no unit matters."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import flags

POSITIVE = st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000)
SERIES = st.lists(POSITIVE, min_size=1, max_size=30)
QUIET = [100, 101, 99, 102, 98, 100, 101]


@given(SERIES, POSITIVE)
def test_a_unit_changes_no_flag(samples, factor):
    assert flags.of_series(samples) == flags.of_series([factor * one for one in samples])


@given(SERIES)
def test_the_order_matters_to_the_warm_up_alone(samples):
    backwards = samples[::-1]

    assert flags.modes(samples) == flags.modes(backwards)
    places = [len(samples) - 1 - at for at, _ in flags.outliers(backwards)]
    assert sorted(places) == [at for at, _ in flags.outliers(samples)]


def test_a_quiet_series_has_no_flags():
    assert flags.of_series(QUIET) == []


def test_one_value_far_off_is_an_outlier_with_its_modified_z():
    ((at, z),) = flags.outliers([*QUIET, 150])

    # the median is 100.5, the MAD 1.0
    assert (at, z) == (7, pytest.approx(0.6745 * 49.5 / 1.0))


def test_among_equal_values_any_other_is_infinitely_far_off():
    assert flags.outliers([5, 5, 5, 5, 6]) == [(4, float("inf"))]
    assert flags.of_series([5, 5, 5, 5]) == []


def test_a_slow_first_repetition_is_a_suspected_warm_up():
    found = flags.of_series([1500, *QUIET[1:]])

    assert any(one.startswith("WARMUP_SUSPECT: the first measured") for one in found)
    assert flags.warmup([*QUIET, 1500]) is None


def test_halves_of_a_long_series_are_compared():
    steady = [100 + at % 5 for at in range(40)]
    sinking = [130] * 20 + steady[:20]

    assert flags.warmup(steady) is None
    assert "the mean of the first half is" in flags.warmup(sinking)
    assert flags.warmup([110 + at % 5 for at in range(20)] + steady[:20]).startswith("the lower")


def test_two_modes_have_no_single_centre():
    fast, slow = [100, 101, 102, 100, 101], [130, 131, 132, 130, 131]

    found = flags.of_series([one for pair in zip(fast, slow, strict=True) for one in pair])

    assert found == ["MULTIMODAL: 5 and 5 values lie on two sides of a gap: no single centre"]


def test_modes_that_touch_are_found_by_sarles_coefficient_from_20_values_on():
    values = [100 + at % 4 for at in range(15)] + [108 + at % 4 for at in range(15)]

    assert flags.modes(values).startswith("Sarle's coefficient is")


def test_sarles_coefficient_of_known_shapes():
    uniform, two = list(range(1, 2001)), [1, 2] * 1000

    assert flags.sarles_coefficient(uniform) == pytest.approx(5 / 9, abs=2e-3)
    assert flags.sarles_coefficient(two) == pytest.approx(1, abs=5e-3)
    assert flags.sarles_coefficient([3, 3, 3, 3]) is None
    assert flags.sarles_coefficient([1, 2, 3]) is None


@pytest.mark.parametrize("n", [4, 5, 6, 8, 10, 19, 30, 100])
def test_fewer_than_one_in_ten_normal_samples_are_called_multimodal(n):
    source = random.Random(n)
    samples = [[source.gauss(100, 1) for _ in range(n)] for _ in range(300)]

    assert sum(flags.modes(one) is not None for one in samples) < 30


def test_values_beyond_all_measure_are_flagged_and_not_an_overflow():
    found = flags.outliers([1, 2, 3, Fraction(10) ** 400])

    assert [at for at, _ in found] == [3]


def test_an_empty_series_says_nothing():
    assert flags.of_series([]) == []
