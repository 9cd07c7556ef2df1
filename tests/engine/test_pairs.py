"""A window of pairs: its laws, its doubts, and how often its intervals hold the truth."""

import math
import random
import re
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.inference import pairs
from receipts.errors import Error, UndecidedError

SPEED = st.fractions(min_value=1, max_value=1000, max_denominator=1000)
ARMS = st.lists(st.tuples(SPEED, SPEED), min_size=1, max_size=9)
ORDER = [True, False, True, False, True, False]
A = [105, 106, 104, 107, 105, 106]
B = [100, 101, 99, 102, 101, 100]


def sides(arms):
    return [one for one, _ in arms], [other for _, other in arms]


def close(one, other):
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


@given(ARMS)
@settings(deadline=None)
def test_swapped_arms_invert_the_ratio_and_mirror_every_interval(arms):
    a, b = sides(arms)
    one, other = pairs.analyse(a, b, "higher"), pairs.analyse(b, a, "higher")

    assert one.comparison.ratio * other.comparison.ratio == 1
    assert close(one.estimate * other.estimate, 1)
    for here, there in (
        (one.interval, other.interval),
        (one.student, other.student),
    ):
        if here is not None:
            assert close(here.low * there.high, 1)
            assert close(here.high * there.low, 1)
            assert here.confidence == there.confidence
    assert (one.smallest, one.largest) == (1 / other.largest, 1 / other.smallest)
    for name in ("sign_flip_p", "signed_rank_p", "mann_whitney_p"):
        assert getattr(one, name) == getattr(other, name)


@given(ARMS)
@settings(deadline=None)
def test_a_lower_is_better_metric_is_the_other_arm_s_higher_is_better_one(arms):
    a, b = sides(arms)

    assert pairs.log_ratios(a, b, "lower") == pairs.log_ratios(b, a, "higher")
    assert pairs.analyse(a, b, "lower").interval == pairs.analyse(b, a, "higher").interval


@given(ARMS, SPEED)
@settings(deadline=None)
def test_scaling_both_arms_changes_no_bit_of_what_the_pairs_say(arms, factor):
    a, b = sides(arms)
    one = pairs.analyse(a, b, "higher")
    other = pairs.analyse([factor * x for x in a], [factor * x for x in b], "higher")

    for name in set(pairs.Pairs.__slots__) - {"comparison", "fieller", "warnings"}:
        assert getattr(one, name) == getattr(other, name), name
    assert one.comparison.ratio == other.comparison.ratio
    assert one.warnings == other.warnings


@given(ARMS)
@settings(deadline=None)
def test_the_interval_holds_the_estimate_and_lies_between_the_extreme_pairs(arms):
    found = pairs.analyse(*sides(arms), "higher")

    assert found.interval.low <= found.estimate <= found.interval.high
    assert float(found.smallest) <= found.interval.low * (1 + 1e-12)
    assert found.interval.high <= float(found.largest) * (1 + 1e-12)


@given(ARMS, SPEED)
@settings(deadline=None)
def test_a_drift_that_both_arms_share_is_gone_from_the_pairs(arms, factor):
    a, b = sides(arms)
    drifted = [[x * (1 + factor * at) for at, x in enumerate(side)] for side in (a, b)]

    assert pairs.log_ratios(*drifted, "higher") == pairs.log_ratios(a, b, "higher")


def test_a_window_without_oddities_says_so_by_silence():
    a = [105, 106, 104, 108, 107, 105]
    b = [100, 101, 100, 102, 103, 101]

    assert pairs.analyse(a, b, "higher", ORDER).warnings == ()


def test_t_on_logarithms_of_a_worked_example():
    # ratios e^.1 e^.2 e^.3: mean .2, s .1, error .057735, t(.975, 2) = 4.302653
    logs = [0.1, 0.2, 0.3]
    found = pairs.student_interval(logs)

    assert math.log(found.low) == pytest.approx(0.2 - 4.302653 * 0.0577350, abs=1e-6)
    assert math.log(found.high) == pytest.approx(0.2 + 4.302653 * 0.0577350, abs=1e-6)
    # t(.8, 2) = 1.060660
    assert pairs.detectable(logs) == pytest.approx(
        math.expm1((4.302653 + 1.060660) * 0.0577350), abs=1e-6
    )


def test_fieller_holds_the_ratio_of_means_and_is_absent_where_it_is_unbounded():
    found = pairs.fieller(A, B, "higher")

    assert found.low < sum(A) / sum(B) < found.high
    assert pairs.fieller([5, 6], [1, 1000], "higher") is None
    assert pairs.fieller([5], [4], "higher") is None


def test_fieller_is_where_the_paired_difference_is_at_the_quantile_of_t():
    found = pairs.fieller(A, B, "higher")

    for ratio in (found.low, found.high):
        apart = [x - ratio * y for x, y in zip(A, B, strict=True)]
        middle = sum(apart) / 6
        error = math.sqrt(sum((one - middle) ** 2 for one in apart) / 5 / 6)
        assert abs(middle / error) == pytest.approx(2.570582, abs=1e-5)


def test_five_pairs_say_what_they_cannot_do():
    found = pairs.analyse(A[:5], B[:5], "higher", [True] * 5)

    assert found.interval.confidence == Fraction(15, 16)
    assert "95 % cannot be attained with n = 5: the interval holds at 93.75 %" in found.warnings
    assert "n = 5: no test of the pairs can give p below 0.0625" in found.warnings
    assert found.sign_flip_p == Fraction(1, 16)


def test_base_always_first_is_told_and_alternation_finds_the_bias():
    always = pairs.analyse(A, B, "higher", [False] * 6)
    unknown = pairs.analyse(A, B, "higher")
    biased = [100 + (3 if first else 0) for first in ORDER], [100.5] * 6
    found = pairs.analyse(*biased, "higher", ORDER)

    assert any("the baseline always ran first" in one for one in always.warnings)
    assert any("which arm ran first is not known" in one for one in unknown.warnings)
    assert found.order.effect == pytest.approx(math.log(1.03) / 2)
    assert any(
        one.startswith("order effect: running first gives +1.49 %") for one in found.warnings
    )


def test_a_ratio_of_medians_outside_the_interval_is_called_a_disagreement():
    # every pair is a tie but the arms peak in different repetitions
    a = [1, 1, 1, 10, 10, 10, 10]
    b = [1.01, 1.01, 1.01, 10.1, 1.2, 1.2, 10.1]

    assert any("the estimators disagree" in one for one in pairs.analyse(a, b, "higher").warnings)


def test_arms_that_move_against_each_other_lose_by_pairing():
    found = pairs.analyse([101, 102, 103, 104], [104, 103, 102, 101], "higher")

    assert found.correlation == pytest.approx(-1, abs=1e-3)
    assert "pairing loses: the arms move against each other (r = -1.00)" in found.warnings


def test_a_drift_of_the_ratio_itself_is_told():
    a = [100 * (1.01**at) for at in range(8)]
    found = pairs.analyse(a, [100, 100.1, 99.9, 100, 100.1, 99.9, 100, 100.05], "higher")

    assert any(
        re.match(r"drift of the pair ratios: \+(0\.99|1)\d* %", one) for one in found.warnings
    )


def test_a_single_pair_gives_a_ratio_and_nothing_else():
    found = pairs.analyse([21], [20], "higher")

    assert (found.n, found.comparison.ratio, found.interval.confidence) == (1, Fraction(21, 20), 0)
    assert found.student is found.fieller is found.detectable is found.drift is None


def test_unequal_arms_empty_ones_and_zeros_make_no_pairs():
    with pytest.raises(Error, match="make no pairs"):
        pairs.analyse([1, 2], [1], "higher")
    with pytest.raises(UndecidedError, match="no samples"):
        pairs.analyse([], [], "higher")
    with pytest.raises(UndecidedError, match="not above zero"):
        pairs.analyse([1, 0, 2], [1, 1, 1], "higher")
    with pytest.raises(UndecidedError, match="too far apart"):
        pairs.analyse([Fraction(10) ** 400], [1], "higher")


@pytest.mark.slow
def test_a_thousand_pairs_do_not_take_minutes():
    source = random.Random(1)
    a, b = ([source.gauss(mean, 1) for _ in range(1000)] for mean in (100, 99))
    started = time.perf_counter()

    found = pairs.analyse(a, b, "lower", [at % 2 == 0 for at in range(1000)])

    assert found.interval.low < found.estimate < found.interval.high
    assert time.perf_counter() - started < 60


# --- how often the intervals hold the truth ----------------------------------------------------
#
# Both arms share a drift of 1 %. A spike hits a repetition of either arm one time in ten; bimodal
# is an arm that is 3 % slower three times in ten. Walsh is held against the median of ln ratio, t
# against its mean: where these are not one value no interval can hold both.

NOISE, SPIKE, SLOWER, WINDOWS = 0.002, 0.05, 0.03, 2000


def window(shape, n, source):
    a, b = [], []
    for at in range(n):
        shared = 100 * (1 + 0.01 * at / n)
        mine, theirs = (math.exp(source.gauss(0, NOISE)) for _ in range(2))
        if shape == "spike":
            mine *= 1 + SPIKE * (source.random() < 0.1)
            theirs *= 1 + SPIKE * (source.random() < 0.1)
        if shape == "bimodal":
            mine *= 1 - SLOWER * (source.random() < 0.3)
        a.append(1.05 * shared * mine)
        b.append(shared * theirs)
    return a, b


def truths(shape):
    """Return median and mean of ln ratio, from many pairs."""
    source = random.Random(17)
    logs = sorted(
        math.log(a) - math.log(b)
        for a, b in ((side[0] for side in window(shape, 1, source)) for _ in range(60_001))
    )
    return logs[30_000], math.fsum(logs) / len(logs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "n", "walsh", "student"),
    [
        ("normal", 5, 0.941, 0.952),
        ("spike", 5, 0.939, 0.978),
        ("bimodal", 5, 0.940, 0.824),
        ("bimodal", 10, 0.934, 0.938),
    ],
)
def test_the_intervals_hold_the_truth_as_often_as_was_simulated_before(shape, n, walsh, student):
    source = random.Random(n)
    median, mean = truths(shape)
    held = [0, 0]
    for _ in range(WINDOWS):
        logs = pairs.log_ratios(*window(shape, n, source), "higher")
        by_walsh, by_t = pairs.walsh_interval(logs), pairs.student_interval(logs)
        held[0] += by_walsh.low <= math.exp(median) <= by_walsh.high
        held[1] += by_t.low <= math.exp(mean) <= by_t.high

    # two simulations of 2000 windows differ by 2 % in 1 of 100
    assert held[0] / WINDOWS == pytest.approx(walsh, abs=0.025)
    assert held[1] / WINDOWS == pytest.approx(student, abs=0.025)
