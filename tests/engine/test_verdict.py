"""Verdict words: each word for its interval, in the order of precedence, and mirrored by a swap."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inference import noise, verdict
from engine.inference.pairs import Interval
from receipts.errors import Error

ENDS = st.tuples(st.floats(0.5, 2), st.floats(0.5, 2)).map(sorted)
SHARES = st.one_of(st.none(), st.fractions(0, Fraction(1, 4)))
SWAPPED = {"FASTER": "SLOWER", "SLOWER": "FASTER"}


def interval(low, high, n=6, confidence=Fraction(31, 32)):
    return Interval(low, high, confidence, "Walsh averages of ln ratios", n)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (1.02, 1.03, "FASTER"),
        (0.97, 0.98, "SLOWER"),
        (0.999, 1.004, "EQUIVALENT"),
        (0.99, 1.03, "INCONCLUSIVE"),
        (1.004, 1.02, "INCONCLUSIVE"),
    ],
)
def test_the_word_is_that_of_floor_and_margin(low, high, word):
    found = verdict.judge(interval(low, high), Fraction("0.01"), Fraction("0.005"))

    assert (found.word, found.warnings) == (word, ())


def test_a_failed_gate_makes_any_interval_invalid():
    found = verdict.judge(interval(1.5, 1.6), Fraction(0), failed=["tokens"])

    assert (found.word, found.reason) == ("INVALID", "failed: tokens")


def test_fewer_than_five_pairs_decide_nothing():
    found = verdict.judge(interval(1.5, 1.6, n=4, confidence=Fraction(7, 8)), Fraction(0))

    assert found.word == "INCONCLUSIVE"
    assert "4 pairs decide nothing" in found.reason


def test_five_pairs_are_judged_at_what_they_attain_and_say_so():
    found = verdict.judge(interval(1.5, 1.6, n=5, confidence=Fraction(15, 16)), Fraction(0))

    assert found.word == "FASTER"
    assert found.warnings == ("judged at 93.75 %, not at 95 %: n = 5 cannot attain more",)


def test_without_a_floor_parity_alone_is_tested_and_that_is_said():
    found = verdict.judge(interval(1.0001, 1.01))

    assert found.word == "FASTER"
    assert "no noise floor was measured here" in found.warnings[0]


def test_no_margin_never_gives_equivalence():
    assert verdict.judge(interval(0.9999, 1.0001), Fraction("0.01")).word == "INCONCLUSIVE"


def test_a_change_beyond_the_floor_and_within_the_margin_says_both():
    found = verdict.judge(interval(1.005, 1.006), Fraction("0.001"), Fraction("0.02"))

    assert found.word == "FASTER"
    assert "within the margin of 2 %" in found.warnings[0]


def test_both_ways_to_write_a_change_must_exceed_the_floor():
    # 1.0100 is +1 % of the one arm and -0.990 % of the other
    assert verdict.judge(interval(1.01, 1.02), Fraction("0.00995")).word == "INCONCLUSIVE"
    assert verdict.judge(interval(1.01, 1.02), Fraction("0.0099")).word == "FASTER"


@given(ENDS, SHARES, SHARES)
def test_swapping_the_arms_swaps_the_word(ends, floor, margin):
    low, high = ends
    one = verdict.judge(interval(low, high), floor, margin).word
    other = verdict.judge(interval(1 / high, 1 / low), floor, margin).word

    near = [
        abs(abs(1 - end) - (share or 0)) < 1e-9 or abs(abs(1 - 1 / end) - (share or 0)) < 1e-9
        for end in ends
        for share in (floor, margin)
    ]
    assert other == SWAPPED.get(one, one) or any(near)


@given(ENDS, st.fractions(0, Fraction(1, 8)), st.fractions(0, Fraction(1, 8)))
def test_a_higher_floor_never_makes_a_winner(ends, floor, more):
    before = verdict.judge(interval(*ends), floor).word
    after = verdict.judge(interval(*ends), floor + more).word

    assert after in (before, "INCONCLUSIVE")


def test_a_floor_holds_only_where_it_was_measured():
    floor, measured = Fraction("0.004"), [{"concurrency": "1"}, {"concurrency": "8"}]

    assert verdict.flat(Fraction("0.003"), floor, measured, {"concurrency": "8"}).flat is True
    assert verdict.flat(Fraction("-0.0083"), floor, measured, {"concurrency": "8"}).flat is False
    elsewhere = verdict.flat(Fraction("0.003"), floor, measured, {"concurrency": "32"})
    assert (elsewhere.flat, elsewhere.reason) == (None, "no floor was measured at concurrency 32")


def test_of_a_measured_floor_the_t_rule_decides():
    floor = noise.floor([Fraction("-0.0033"), Fraction("0.0039")])
    found = verdict.flat(Fraction("-0.0083"), floor, [{}], {})

    assert found.flat is True
    assert found.reason == "-0.83 % lies within the floor of 1.5543 %"


@pytest.mark.parametrize("share", [Fraction(-1, 100), Fraction(1), Fraction(5)])
def test_a_margin_that_is_no_share_is_refused(share):
    with pytest.raises(Error, match="is no share"):
        verdict.judge(interval(1, 1.1), None, share)


def test_a_floor_below_zero_is_refused():
    with pytest.raises(Error, match="is below 0"):
        verdict.judge(interval(1, 1.1), Fraction(-1, 100))


@pytest.mark.parametrize("floor", [Fraction(1), Fraction("1.48932"), Fraction(40)])
@pytest.mark.parametrize("ends", [(0.01, 0.02), (0.9, 1.1), (50, 60)])
def test_over_a_floor_of_a_hundred_percent_or_more_nothing_is_a_change(floor, ends):
    assert verdict.judge(interval(*ends), floor).word == "INCONCLUSIVE"


def test_ends_in_the_wrong_order_are_no_interval():
    with pytest.raises(Error, match="no interval"):
        verdict.judge(interval(1.2, 1.1))
