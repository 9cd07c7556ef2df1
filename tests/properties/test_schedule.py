from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.schedule import alternate

REPETITIONS = st.integers(0, 300)


@given(REPETITIONS)
def test_every_arm_runs_every_repetition_once(repetitions):
    wanted = {(arm, number) for arm in ("plain", "tuned") for number in range(repetitions)}

    assert Counter(alternate("plain", "tuned", repetitions)) == Counter(wanted)


@given(REPETITIONS)
def test_an_arm_meets_its_repetitions_in_their_order(repetitions):
    order = alternate("plain", "tuned", repetitions)

    for arm in ("plain", "tuned"):
        assert [number for name, number in order if name == arm] == list(range(repetitions))


@given(st.integers(0, 150).map(lambda half: 2 * half))
def test_linear_drift_lands_on_both_arms_alike(repetitions):
    order = alternate("plain", "tuned", repetitions)

    places = {arm: sum(i for i, (a, _) in enumerate(order) if a == arm) for arm, _ in order}
    assert len(set(places.values())) <= 1


@given(REPETITIONS)
def test_an_odd_repetition_leaves_the_baseline_ahead_by_one_place_each(repetitions):
    order = alternate("plain", "tuned", repetitions)

    lead = sum(i if arm == "tuned" else -i for i, (arm, _) in enumerate(order))
    assert lead == repetitions % 2


@given(REPETITIONS, REPETITIONS)
def test_a_longer_walk_begins_as_a_shorter_one(one, other):
    short, long = sorted((one, other))

    assert alternate("a", "b", long)[: 2 * short] == alternate("a", "b", short)
