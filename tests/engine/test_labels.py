"""Stage timings against what ran: what adds up, and every reason why it does not."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import labels
from engine.labels import Stage
from receipts.errors import MalformedError

STAGES = [Stage("prefill/v1", 120), Stage("decode/v1", 800)]
RAN = {"prefill/v1": 1, "decode/v1": 1}
LABELS = st.sampled_from(["a/v1", "b/v1", "c/v2"])


def names(profile):
    return [fault.name for fault in profile.faults]


def test_labelled_time_and_the_printed_remainder_are_the_wall():
    profile = labels.reconcile(STAGES, RAN, 1000, Fraction(1, 5))

    assert profile.void is None
    assert [line.split() for line in profile.lines()] == [
        ["prefill/v1", "1", "120", "ns", "12", "%"],
        ["decode/v1", "1", "800", "ns", "80", "%"],
        ["unlabelled", "80", "ns", "8", "%"],
        ["wall", "1000", "ns", "100", "%"],
    ]


@given(st.lists(st.builds(Stage, LABELS, st.integers(0, 10**12))), st.integers(1, 10**13))
def test_parts_and_remainder_add_up_to_the_wall_exactly(stages, wall):
    expected = {stage.label: sum(s.label == stage.label for s in stages) for stage in stages}
    profile = labels.reconcile(stages, expected, wall)

    assert sum(part.ns for part in profile.parts) + profile.unlabelled_ns == wall
    assert sum(part.count for part in profile.parts) == len(stages)
    assert names(profile) == (["labelled-over-wall"] if profile.unlabelled_ns < 0 else [])


@given(st.lists(st.builds(Stage, LABELS, st.integers(0, 9)), min_size=1), st.data())
def test_a_dropped_label_voids_the_profile_whatever_the_rest(stages, data):
    expected = {stage.label: sum(s.label == stage.label for s in stages) for stage in stages}
    dropped = data.draw(st.integers(0, len(stages) - 1))
    rest = stages[:dropped] + stages[dropped + 1 :]

    profile = labels.reconcile(rest, expected, 10**6)

    gone = all(stage.label != stages[dropped].label for stage in rest)
    assert names(profile) == ["missing-label" if gone else "count-differs"]
    assert stages[dropped].label in profile.void


@pytest.mark.parametrize(
    ("stages", "expected", "wall", "limit", "name"),
    [
        ([*STAGES, Stage("verify/v1", 1)], RAN, 1000, None, "unknown-label"),
        (STAGES, {"prefill/v1": 1}, 1000, None, "unknown-label"),
        (STAGES, {**RAN, "decode/v1": 0}, 1000, None, "unknown-label"),
        (STAGES[:1], RAN, 1000, None, "missing-label"),
        ([*STAGES, Stage("decode/v1", 1)], RAN, 1000, None, "count-differs"),
        (STAGES, RAN, 919, None, "labelled-over-wall"),
        (STAGES, RAN, 1000, Fraction(7, 100), "unlabelled-over-limit"),
        ([Stage("decode/v2", 800), STAGES[0]], RAN, 1000, None, "unknown-label"),
    ],
)
def test_each_reason_has_its_name_and_no_figure_is_shown(stages, expected, wall, limit, name):
    profile = labels.reconcile(stages, expected, wall, limit)

    assert names(profile)[0] == name
    assert profile.void.startswith(f"{name}: ")
    assert all(line.startswith("VOID ") for line in profile.lines())


def test_the_discarded_warm_up_is_expected_as_well():
    seven = [Stage("decode/v1", 100)] * 7
    assert labels.reconcile(seven, {"decode/v1": 6 + 1}, 1000).void is None
    assert labels.reconcile(seven, {"decode/v1": 6}, 1000).void == (
        "count-differs: decode/v1 ran 6 times, and was timed 7 times"
    )


def test_a_remainder_of_exactly_the_limit_is_within():
    assert labels.reconcile(STAGES, RAN, 1000, Fraction(8, 100)).void is None


@pytest.mark.parametrize("label", ["decode", "decode/1", "decode/v0", "Decode/v1", "/v1", "a/v1\n"])
def test_a_label_without_a_version_is_refused(label):
    with pytest.raises(MalformedError, match=r"is not NAME/vN"):
        labels.reconcile([Stage(label, 1)], {}, 10)


def test_times_below_zero_are_refused():
    with pytest.raises(MalformedError, match="less than no time"):
        labels.reconcile([Stage("a/v1", -1)], {"a/v1": 1}, 10)


def test_a_pipeline_passes_only_when_every_label_is_green():
    required = ["build/v2", "probe/v1"]
    assert labels.pipeline(required, {"build/v2": "ok", "probe/v1": "ok"}).passed


@pytest.mark.parametrize(
    ("states", "fault"),
    [
        ({"build/v2": "ok"}, "missing-label: probe/v1 was never told"),
        ({"build/v2": "ok", "probe/v1": "fail"}, "not-green: probe/v1 is fail"),
        ({"build/v2": "ok", "probe/v1": "planned"}, "not-green: probe/v1 is planned"),
        ({"build/v2": "ok", "probe/v1": "start"}, "not-green: probe/v1 is start"),
        ({"build/v1": "ok", "probe/v1": "ok"}, "other-version: build/v1 was told, build/v2 is"),
        ({"build/v2": "ok", "probe/v1": "ok", "x/v1": "ok"}, "unknown-label: x/v1 is not of"),
    ],
)
def test_what_keeps_a_pipeline_from_passing_is_named(states, fault):
    found = labels.pipeline(["build/v2", "probe/v1"], states)
    assert not found.passed
    assert str(found.faults[0]).startswith(fault)


def test_a_pipeline_that_requires_nothing_has_checked_nothing():
    assert not labels.pipeline([], {}).passed
