"""Drift, order and correlation: planted effects are found, absent ones are None."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import trend
from receipts.errors import Error

VALUES = st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=3, max_size=15)


@given(st.floats(-1, 1), st.floats(-0.1, 0.1), st.integers(3, 30))
def test_a_straight_line_has_its_slope(start, step, n):
    found = trend.slope([start + step * at for at in range(n)])

    assert found.slope == pytest.approx(step, abs=1e-12)


@given(VALUES, st.floats(-2, 2))
def test_a_constant_moves_no_slope(values, constant):
    found, moved = trend.slope(values), trend.slope([value + constant for value in values])

    assert moved.slope == pytest.approx(found.slope, abs=1e-12)


def test_the_p_of_a_slope_is_that_of_a_worked_example():
    # y = 1 2 4 3 5: slope .9, s^2 = (10 - 8.1) / 3, t = .9 / sqrt(s^2 / 10) = 3.576, 3 degrees
    found = trend.slope([1, 2, 4, 3, 5])

    assert found.slope == pytest.approx(0.9)
    assert found.p == pytest.approx(0.0374, abs=1e-4)


def test_two_values_have_no_drift_and_equal_ones_no_p():
    assert trend.slope([1.0, 2.0]) is None
    assert trend.slope([1.0, 1.0, 1.0]) == trend.Trend(3, 0.0, None)


@given(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1), st.integers(2, 10))
def test_a_crossover_takes_order_and_engine_apart(engine, order, half):
    first = [at % 2 == 0 for at in range(2 * half)]
    differences = [engine + (order if one else -order) for one in first]

    found = trend.order_effect(differences, first)

    assert found.effect == pytest.approx(order, abs=1e-12)
    assert found.engine == pytest.approx(engine, abs=1e-12)
    assert (found.first, found.second) == (half, half)


def test_the_error_of_a_crossover_pools_both_groups():
    # groups 1 3 and 2 6: means 2 and 4, squares 2 + 8 over 2 degrees, error sqrt(5 * (1/2+1/2)) / 2
    found = trend.order_effect([1, 2, 3, 6], [True, False, True, False])

    assert (found.effect, found.engine) == (-1, 3)
    assert found.error == pytest.approx(math.sqrt(5) / 2)
    assert found.p == pytest.approx(1 - 0.894427 / math.sqrt(0.8 + 2), abs=1e-5)


def test_base_always_first_leaves_no_order_effect_to_estimate():
    assert trend.order_effect([0.1, 0.2, 0.3], [False] * 3) is None


def test_two_pairs_give_an_order_effect_without_a_p():
    found = trend.order_effect([0.2, 0.1], [True, False])

    assert (found.error, found.p) == (None, None)


def test_an_order_for_every_pair_is_needed():
    with pytest.raises(Error, match="3 pairs have 2 orders"):
        trend.order_effect([1, 2, 3], [True, False])


@given(VALUES, st.floats(0.1, 5))
def test_correlation_is_of_size_one_on_a_line_and_symmetric(values, factor):
    other = [factor * value + 1 for value in values]
    found = trend.correlation(values, other)

    if max(values) - min(values) > 1e-6:
        assert found == pytest.approx(1, abs=1e-6)
        assert trend.correlation(other, [-v for v in values]) == pytest.approx(-1, abs=1e-6)
    assert trend.correlation(values, [1.0] * len(values)) is None


def test_a_worked_correlation():
    assert trend.correlation([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
