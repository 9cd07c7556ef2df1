"""Walsh averages: the interval and its confidence against every sign pattern, and their laws."""

import math
import time
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import walsh
from receipts.errors import Error, UndecidedError

DIFFERENCES = st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=1, max_size=12)
# As any table of the signed-rank statistic has them, for 95 %.
ATTAINED = {4: 0.875, 5: 0.9375, 6: 0.96875, 7: 0.953125, 8: 0.9609375, 10: 0.951171875}


def signed_ranks(n):
    """Return W of every sign pattern of the ranks 1 to n."""
    for signs in product((0, 1), repeat=n):
        yield sum(rank for rank, sign in zip(range(1, n + 1), signs, strict=True) if sign)


@pytest.mark.parametrize("n", range(1, 11))
def test_the_distribution_is_that_of_every_sign_pattern(n):
    patterns = list(signed_ranks(n))

    for k in range(n * (n + 1) // 4 + 1):
        assert walsh.below(n, k) == Fraction(sum(w <= k for w in patterns), 2**n)


@pytest.mark.parametrize("n", ATTAINED)
def test_the_attained_confidence_is_that_of_the_table(n):
    assert walsh.attained(n) == Fraction(ATTAINED[n])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_below_six_pairs_95_percent_cannot_be_attained_and_more_pairs_attain_more(n):
    assert walsh.attained(n) == 1 - Fraction(2, 2**n)
    assert walsh.attained(n) < Fraction(95, 100)
    assert walsh.attained(n) < walsh.attained(n + 1)


@given(st.integers(6, 120), st.fractions(Fraction(1, 2), Fraction(96, 100)))
def test_the_confidence_is_what_was_asked_and_one_average_less_would_not_be(n, level):
    k = walsh.depth(n, level)

    assert walsh.attained(n, level) == 1 - 2 * walsh.below(n, k) >= level
    assert 1 - 2 * walsh.below(n, k + 1) < level


@given(st.integers(1, 60), st.fractions(0.01, 0.99), st.fractions(0.01, 0.99))
def test_who_asks_for_more_confidence_attains_no_less(n, one, other):
    low, high = sorted((one, other))

    assert walsh.attained(n, low) <= walsh.attained(n, high)


@given(DIFFERENCES)
def test_the_interval_holds_the_estimate_and_lies_within_the_data(differences):
    found = walsh.centre(differences)

    assert min(differences) <= found.low <= found.estimate <= found.high <= max(differences)


@given(DIFFERENCES)
def test_turned_signs_mirror_estimate_and_interval_to_the_bit(differences):
    one = walsh.centre(differences)
    other = walsh.centre([-d for d in differences])

    assert (other.estimate, other.low, other.high) == (-one.estimate, -one.high, -one.low)
    assert other.attained == one.attained


def test_with_five_pairs_the_interval_is_the_smallest_and_the_largest():
    found = walsh.centre([0.3, 0.1, 0.5, 0.2, 0.4])

    assert (found.low, found.estimate, found.high) == (0.1, pytest.approx(0.3), 0.5)


@given(st.lists(st.integers(1, 8), max_size=7), st.integers(0, 30))
def test_subset_sums_are_those_of_every_subset(ranks, upto):
    sums = [sum(chosen) for chosen in product(*((0, rank) for rank in ranks))]

    found = walsh.subset_sums(ranks, upto)

    assert found == [sums.count(value) for value in range(len(found))]
    assert len(found) == min(sum(ranks), upto) + 1


@pytest.mark.slow
def test_a_thousand_pairs_take_seconds_and_agree_with_the_normal_limit():
    started = time.perf_counter()
    k, n = walsh.depth(1000), 1000

    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    assert abs(k - (n * (n + 1) / 4 - 1.959964 * deviation)) < 0.001 * deviation + 1
    assert 0.95 <= walsh.attained(1000) < 0.9501
    assert time.perf_counter() - started < 60


def test_doubles_beyond_the_exact_limit_join_the_integers_below_it():
    whole = walsh.subset_sums(range(1, 151), 150 * 151 // 4)
    quick = walsh.subset_sums(range(1, 151), 150 * 151 // 4, 1.0)

    assert all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(whole, quick, strict=True))


def test_no_pairs_and_too_many_are_undecided():
    with pytest.raises(UndecidedError, match="no pairs"):
        walsh.centre([])
    with pytest.raises(UndecidedError, match="over the limit"):
        walsh.centre([0.0] * 1001)


@pytest.mark.parametrize("level", [Fraction(0), Fraction(1), Fraction(-1, 2)])
def test_a_confidence_outside_0_to_1_is_refused(level):
    with pytest.raises(Error, match="outside 0 to 1"):
        walsh.depth(5, level)
