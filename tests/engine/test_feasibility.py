"""Feasibility: true summaries are always possible, impossible ones are found."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.inference import feasibility
from engine.statistics import cv, mean
from receipts.errors import Error, UndecidedError

SAMPLES = st.lists(st.decimals(Decimal(50), Decimal(150), places=1), min_size=2, max_size=8).filter(
    lambda samples: len(set(samples)) > 1
)


@given(SAMPLES, st.sampled_from([0, 1]))
def test_a_true_summary_is_always_possible_with_its_ddof(samples, ddof):
    centre = f"{float(mean(samples)):.4f}"
    percent = f"{100 * float(cv(samples, ddof)):.3f} %"
    assume(not percent.startswith("0.000"))

    for extreme in (min(samples), max(samples)):
        found = feasibility.samuelson(centre, percent, str(extreme), len(samples))
        assert ddof in found.possible
    found = feasibility.spread(centre, percent, str(min(samples)), str(max(samples)), len(samples))
    assert ddof in found.possible


def test_one_value_apart_reaches_samuelson_s_bound_exactly():
    # 0 0 0 0 5: mean 1, deviation 2, the largest lies sqrt(4) = 2 of them off
    found = feasibility.samuelson("1", "200 %", "5", 5)

    assert found.distance[0] == found.limit == 2
    assert found.distance[1] ** 2 == pytest.approx(5)


def test_the_cell_that_proves_its_ddof():
    found = feasibility.samuelson("1.0274", "1.39 %", "0.9990", 5)

    assert [round(float(z), 3) for z in found.distance] == [1.989, 2.223]
    assert (found.limit, found.possible) == (2, (0,))
    assert found.warnings == (
        "an extreme as far from the mean is possible only if the CV has ddof 0",
    )


def test_an_impossible_summary_is_of_no_sample():
    found = feasibility.spread("100", "1.00 %", "95", "105", 5)

    assert found.possible == ()
    assert "impossible" in found.warnings[0]


def test_rounding_may_save_a_summary():
    assert feasibility.samuelson("1.0", "1 %", "0.97", 5).possible == (0, 1)
    assert feasibility.samuelson("1.000", "1.00 %", "0.970", 5).possible == ()


def test_the_mean_of_the_others():
    assert feasibility.mean_of_others("1.0274", "0.9990", 5).nominal == Fraction("1.0345")
    with pytest.raises(UndecidedError, match="no other"):
        feasibility.mean_of_others("1", "1", 1)


def test_a_printed_cv_tells_its_ddof():
    samples = ["35.0973", "35.085", "35.1586", "35.1939", "35.191"]

    assert feasibility.ddof_of(samples, "0.131 %") == (0,)
    assert feasibility.ddof_of(samples, "0.146 %") == (1,)
    assert feasibility.ddof_of(samples, "0.1 %") == (0, 1)
    assert feasibility.ddof_of(samples, "0.2 %") == ()


def test_t_of_a_summary_is_that_of_samples_which_have_it():
    # 1 2 3 4 5: mean 3, deviation 1.58114 (ddof 1), t against 1 is 2.828, 4 degrees
    one = feasibility.student("3", "52.7046 %", 1, 5)
    zero = feasibility.student("3", "47.1405 %", 0, 5)

    assert one.t == pytest.approx(2.8284, abs=1e-4)
    assert zero.t == pytest.approx(one.t, abs=1e-4)
    assert one.p == pytest.approx(0.0237, abs=1e-4)
    assert (one.low, one.high) == (pytest.approx(1.0368, abs=1e-4), pytest.approx(4.9632, abs=1e-4))


def test_a_mean_below_the_value_has_a_large_one_sided_p():
    assert feasibility.student("0.5", "10 %", 1, 5).p > 0.99


@pytest.mark.parametrize(("n", "share"), [(15, 0.181036), (59, 0.0495), (299, 0.00997)])
def test_idle_samples_bound_the_busy_share(n, share):
    assert feasibility.idle_bound(n) == pytest.approx(share, abs=1e-4)


@given(st.integers(1, 60), st.integers(0, 59))
def test_at_the_bound_so_few_busy_samples_have_a_chance_of_five_percent(n, busy):
    assume(busy < n)
    share = feasibility.idle_bound(n, busy)

    chance = math.fsum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(busy + 1))
    assert chance == pytest.approx(0.05, abs=1e-9)
    assert share < feasibility.idle_bound(n, busy + 1)


@pytest.mark.parametrize(("share", "n"), [(0.05, 59), (0.01, 299)])
def test_how_many_idle_samples_a_bound_needs(share, n):
    assert feasibility.idle_samples(share) == n
    assert feasibility.idle_bound(n) <= share < feasibility.idle_bound(n - 1)


@pytest.mark.parametrize(
    "compute",
    [
        lambda: feasibility.samuelson("1", "1 %", "1", 1),
        lambda: feasibility.samuelson("1", "0 %", "1", 5),
        lambda: feasibility.student("1", "0 %", 0, 5),
        lambda: feasibility.student("1", "1 %", 2, 5),
        lambda: feasibility.idle_bound(0),
        lambda: feasibility.idle_bound(3, 4),
        lambda: feasibility.idle_samples(1.0),
    ],
)
def test_what_bounds_nothing_is_not_computed(compute):
    with pytest.raises(Error):
        compute()
