"""Noise floors: Student's quantile against a table and identities, both rules, what they cover."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import noise
from receipts.errors import Error, UndecidedError

# Two-sided 95 %, as printed in any table of Student's distribution.
TABLE = {
    1: 12.706,
    2: 4.303,
    3: 3.182,
    4: 2.776,
    5: 2.571,
    6: 2.447,
    7: 2.365,
    8: 2.306,
    9: 2.262,
    10: 2.228,
    15: 2.131,
    20: 2.086,
    30: 2.042,
    60: 2.000,
    120: 1.980,
}
DEGREES = st.integers(1, 60)
PROBABILITIES = st.floats(0.501, 0.9995)


@pytest.mark.parametrize("degrees", TABLE)
def test_the_quantile_is_that_of_the_table(degrees):
    assert round(noise.t_quantile(0.975, degrees), 3) == TABLE[degrees]


@given(PROBABILITIES)
def test_one_and_two_degrees_have_closed_forms(probability):
    centred = 2 * probability - 1
    one = math.tan(math.pi * (probability - 0.5))
    two = centred * math.sqrt(2 / (1 - centred**2))

    assert noise.t_quantile(probability, 1) == pytest.approx(one, rel=1e-9)
    assert noise.t_quantile(probability, 2) == pytest.approx(two, rel=1e-9)


@given(PROBABILITIES, DEGREES)
def test_the_quantile_undoes_the_distribution(probability, degrees):
    t = noise.t_quantile(probability, degrees)

    assert (1 + noise.t_within(t, degrees)) / 2 == pytest.approx(probability, abs=1e-12)


@given(st.floats(0, 20), DEGREES)
def test_the_distribution_is_the_integral_of_its_density(t, degrees):
    half = (degrees + 1) / 2
    scale = math.exp(math.lgamma(half) - math.lgamma(degrees / 2))
    scale /= math.sqrt(degrees * math.pi)
    steps = 4000
    places = [t * at / steps for at in range(steps + 1)]
    heights = [scale * (1 + x * x / degrees) ** -half for x in places]
    weights = [1, *([4, 2] * (steps // 2))[:-1], 1]
    area = math.fsum(w * h for w, h in zip(weights, heights, strict=True)) * t / steps / 3

    assert noise.t_within(t, degrees) == pytest.approx(2 * area, abs=1e-9)


@given(DEGREES)
def test_more_degrees_need_a_smaller_quantile_and_the_normal_one_least(degrees):
    assert noise.t_quantile(0.975, degrees) > noise.t_quantile(0.975, degrees + 1) > 1.9599


def test_many_degrees_come_to_the_normal_quantile():
    assert noise.t_quantile(0.975, 20_000) == pytest.approx(1.959964, abs=2e-4)


@pytest.mark.parametrize(("probability", "degrees"), [(0.4, 3), (1.0, 3), (0.975, 0), (0.9, 10**6)])
def test_a_quantile_outside_its_range_is_refused(probability, degrees):
    with pytest.raises(Error, match="outside"):
        noise.t_quantile(probability, degrees)


def test_both_rules_are_computed_from_two_differences():
    found = noise.floor([Fraction("-0.0033"), Fraction("0.0039")])

    assert (found.m, found.maximum, found.exceeded) == (2, Fraction("0.0039"), Fraction(1, 3))
    assert float(found.t_rule) == pytest.approx(0.015543, abs=1e-6)


def test_a_difference_under_the_t_rule_is_covered_though_it_exceeds_the_maximum():
    found = noise.floor([Fraction("-0.0033"), Fraction("0.0039")])

    assert found.covers(Fraction("-0.0083"))
    assert not found.covers(Fraction("0.0156"))


def test_runs_that_came_out_equal_give_a_floor_of_nothing_which_covers_nothing_else():
    found = noise.floor([Fraction(0), Fraction(0)])

    assert found.covers(Fraction(0))
    assert not found.covers(Fraction(1, 10**9))


def test_no_difference_gives_no_floor():
    with pytest.raises(UndecidedError, match="no A/A differences"):
        noise.floor([])


@given(st.fractions(0, 1000), st.integers(0, 6))
def test_a_floor_is_rounded_up_and_by_less_than_one_unit(value, places):
    printed = Fraction(noise.round_up(value, places))

    assert value <= printed < value + Fraction(1, 10**places)


def test_a_floor_of_0_74_is_printed_as_0_8():
    assert noise.round_up(Fraction("0.74"), 1) == "0.8"
    assert noise.round_up(Fraction("0.7"), 1) == "0.7"
    assert noise.round_up(Fraction(0), 2) == "0.00"
    assert noise.round_up(Fraction("1.5"), 0) == "2"


@given(st.lists(st.fractions(-1, 1), min_size=1, max_size=12))
def test_the_order_and_the_sign_of_the_differences_do_not_matter(differences):
    one = noise.floor(differences)
    other = noise.floor([-d for d in reversed(differences)])

    assert one == other
    assert one.covers(Fraction(0))


def test_the_spread_between_windows_is_their_largest_over_their_smallest():
    windows = [Fraction("118.27"), Fraction("119.84"), Fraction("119")]

    assert noise.spread(windows) == Fraction("119.84") / Fraction("118.27") - 1


@pytest.mark.parametrize("windows", [[], [Fraction(1)], [Fraction(1), Fraction(0)]])
def test_one_window_has_no_spread(windows):
    with pytest.raises(UndecidedError, match="two windows or more"):
        noise.spread(windows)
