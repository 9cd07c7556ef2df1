"""Exact p-values against every arrangement of small samples, and what they cannot be below."""

import math
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import permutation
from receipts.errors import Error, UndecidedError

SMALL = st.lists(st.integers(-6, 6), min_size=1, max_size=8)
SIDE = st.lists(st.integers(0, 9), min_size=1, max_size=5)


def midranks(values):
    return [Fraction(sum(o < v for o in values) * 2 + values.count(v) + 1, 2) for v in values]


@given(SMALL)
def test_sign_flip_counts_every_change_of_sign(differences):
    seen = abs(sum(differences))
    every = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]

    assert permutation.sign_flip(differences) == Fraction(
        sum(abs(total) >= seen for total in every), len(every)
    )


@given(SMALL)
def test_signed_rank_counts_every_sign_pattern_of_the_ranks(differences):
    kept = [d for d in differences if d]
    ranks = midranks([abs(d) for d in kept])
    seen = abs(sum(math.copysign(1, d) * r for d, r in zip(kept, ranks, strict=True)))
    every = [
        sum(s * r for s, r in zip(signs, ranks, strict=True))
        for signs in product((1, -1), repeat=len(kept))
    ]

    assert permutation.signed_rank(differences) == Fraction(
        sum(abs(total) >= seen for total in every), len(every)
    )


@given(SIDE, SIDE)
def test_mann_whitney_counts_every_choice_of_ranks(xs, ys):
    pooled = [*xs, *ys]
    ranks = midranks(pooled)
    centre = Fraction(len(xs)) * sum(ranks) / len(pooled)
    seen = abs(sum(ranks[: len(xs)]) - centre)
    every = [abs(sum(chosen) - centre) for chosen in combinations(ranks, len(xs))]

    assert permutation.mann_whitney(xs, ys) == Fraction(
        sum(far >= seen for far in every), len(every)
    )


@given(SIDE, SIDE)
def test_swapped_samples_and_turned_signs_give_the_same_p(xs, ys):
    assert permutation.mann_whitney(xs, ys) == permutation.mann_whitney(ys, xs)
    turned = [-x for x in xs]
    assert permutation.sign_flip(xs) == permutation.sign_flip(turned)
    assert permutation.signed_rank(xs) == permutation.signed_rank(turned)


@given(SIDE, SIDE)
def test_discarded_against_counted_counts_every_way_to_discard_as_many(discarded, counted):
    pooled, k = [*discarded, *counted], len(discarded)

    def apart(chosen):
        rest = sum(pooled) - sum(chosen)
        return abs(Fraction(sum(chosen), k) - Fraction(rest, len(counted)))

    every = [apart(chosen) for chosen in combinations(pooled, k)]
    found = permutation.discarded_against_counted(discarded, counted)

    assert found.p == Fraction(sum(far >= apart(discarded) for far in every), len(every))
    assert found.discarded_range == (min(discarded), max(discarded))
    assert found.counted_range == (min(counted), max(counted))
    assert found.statistic == "difference of means"


def test_discarding_the_slow_ones_is_told():
    found = permutation.discarded_against_counted(["90.1", "90.4"], [100 + i for i in range(6)])

    assert found.p == Fraction(1, 28)
    assert found.warnings == (
        "the discarded repetitions lie below the counted ones (p = 0.0357):"
        " leaving them out moves the result",
    )


def test_one_discarded_of_ten_cannot_be_told_and_that_is_said():
    found = permutation.discarded_against_counted([50], list(range(100, 109)))

    assert found.p == Fraction(1, 10)
    assert "nothing can be said" in found.warnings[0]


def test_too_many_ways_to_count_are_ranked_instead_and_named():
    found = permutation.discarded_against_counted(list(range(12)), list(range(100, 120)))

    assert found.statistic == "rank sum"
    assert found.p == Fraction(2, math.comb(32, 12))


@pytest.mark.parametrize(("n", "least"), [(1, 1), (5, Fraction(1, 16)), (6, Fraction(1, 32))])
def test_pairs_have_a_smallest_p_and_same_signs_reach_it(n, least):
    differences = [1 + i for i in range(n)]

    assert permutation.smallest_paired(n) == least
    assert permutation.sign_flip(differences) == permutation.signed_rank(differences) == least


def test_five_against_five_can_be_no_smaller_than_two_in_252():
    assert permutation.smallest_unpaired(5, 5) == Fraction(1, 126)
    assert permutation.mann_whitney(range(5), range(10, 15)) == Fraction(1, 126)


def test_the_sign_test_is_a_binomial_tail():
    assert permutation.sign_test(4, 5) == Fraction(6, 32)
    assert permutation.sign_test(0, 5) == 1
    with pytest.raises(Error, match="impossible"):
        permutation.sign_test(6, 5)


def test_what_would_take_too_long_to_count_is_absent():
    assert permutation.sign_flip([1.5] * 19) is None
    assert permutation.signed_rank([1] * 201) is None
    assert permutation.mann_whitney([1] * 100, [2] * 101) is None


@pytest.mark.parametrize(
    "compute",
    [
        lambda: permutation.sign_flip([]),
        lambda: permutation.signed_rank([]),
        lambda: permutation.mann_whitney([], [1]),
        lambda: permutation.discarded_against_counted([], [1]),
    ],
)
def test_nothing_to_count_is_undecided(compute):
    with pytest.raises(UndecidedError, match=r"no samples|nothing"):
        compute()
