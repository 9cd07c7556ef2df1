"""Two arms: what keeps them apart, in which order, what moved, and what may be said of it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import sidecar
from engine.comparison import compare, profile, surroundings
from engine.comparison.arms import Arm, Cell
from engine.comparison.outcome import CODES, Asked
from engine.comparison.surroundings import Placed
from engine.results.model import Run
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note
from engine.samples import Column

FACTS = {
    "boot": "b1",
    "container": {"id": "c1"},
    "devices": [],
    "driver": "580.1",
    "host": "h",
    "packages": {"torch": "2.9.0", "vllm": "0.25.1"},
    "server_flags": ["--tp", "4"],
}


def machine(session="s1", **changed):
    """Return a sidecar; a field that is given as None is left out."""
    told = {name: value for name, value in (FACTS | changed).items() if value is not None}
    name = {"session": session} if session else {}
    return sidecar.make({**told, **name, "format": sidecar.FORMAT})


MACHINE = machine()
SAMPLES = {"output_tok_s": (100, 101, 102), "ttft_ms": (50, 51, 52)}


def cell(samples=SAMPLES, notes=(), label="run 0", **config):
    columns = {name: Column([Fraction(x) for x in values]) for name, values in samples.items()}
    run = Run({}, {"max_concurrency": 4, **config}, columns, [{}] * 3)
    return Cell(label, run, profile.of_run("vllm", run), tuple(notes))


ENVIRONMENTS = {}


def arm(name, *cells, environment=MACHINE, fault=None):
    """Return an arm; its sidecar, which only the rim knows, is remembered for `compared`."""
    facts = sidecar.facts(environment) if environment else {}
    told = {fact: str(value) for fact, value in facts.items()}
    made = Arm(name, f"{name}.json", cells or (cell(),), told, fault)
    ENVIRONMENTS[id(made)] = (made, Placed(name, environment))
    return made


def scored(metric, *values):
    return compared(arm("A", cell({metric: values[0]})), arm("B", cell({metric: values[1]})))


def scaled(factor, **config):
    samples = {name: [x * Fraction(factor) for x in values] for name, values in SAMPLES.items()}
    return cell(samples, **config)


def compared(a=None, b=None, controls=(), *, environment=True, **asked):
    a, b = a or arm("A"), b or arm("B")
    placed = [ENVIRONMENTS[id(one)][1] for one in (a, b, *(x for pair in controls for x in pair))]
    variables = asked.get("variables", ())
    around = surroundings.compare(placed[0], placed[1], variables, placed[2:])
    return compare.compare(a, b, Asked(**asked), around if environment else None, controls)


def changes(outcome, pair=0):
    return {d.metric.id: d.change for d in outcome.pairs[pair].deltas}


def said(outcome):
    return [(one.name, one.fields) for one in outcome.problems]


# what moved


def test_positive_means_that_b_is_better_for_throughput_and_for_latency():
    outcome = compared(b=arm("B", scaled("1.1")))

    assert (outcome.exit_code, outcome.name) == (0, "COMPARED")
    assert changes(outcome) == {"output_tok_s": Fraction(1, 10), "ttft_ms": Fraction(-1, 10)}
    assert outcome.profile_verified
    assert outcome.publishable


@given(st.integers(-1000, 1000).filter(bool), st.integers(-1000, 1000))
def test_the_change_is_relative_to_the_size_of_a_and_latency_turns_its_sign(a, b):
    higher = compare.change(Fraction(a), Fraction(b), "higher")

    assert higher == Fraction(b - a, abs(a)) == -compare.change(Fraction(a), Fraction(b), "lower")


def test_every_side_has_n_cv_minimum_and_maximum():
    side = compared().pairs[0].deltas[0].a

    assert side == (101, 3, "0.0099009901", 100, 102)


def test_one_value_is_called_a_value_and_a_hundred_give_a_p99():
    one = compared(arm("A", cell({"ttft_ms": [5]})), arm("B", cell({"ttft_ms": [4]})))
    many = compared(*(arm(name, cell({"ttft_ms": range(1, 101)})) for name in "AB"))
    few = compared(
        arm("A", cell({"ttft_ms": range(1, 101)})), arm("B", cell({"ttft_ms": range(1, 100)}))
    )

    assert [d.statistic for d in one.pairs[0].deltas] == ["value"]
    assert [(d.statistic, d.a.value) for d in many.pairs[0].deltas] == [
        ("median", Fraction("50.5")),
        ("p99", Fraction("99.01")),
    ]
    assert [d.statistic for d in few.pairs[0].deltas] == ["median"]


def test_a_metric_that_one_arm_lacks_has_no_side_and_no_change():
    outcome = compared(b=arm("B", cell({"output_tok_s": [100], "itl_ms": [1]})))
    found = {d.metric.id: d for d in outcome.pairs[0].deltas}

    assert outcome.exit_code == 0
    assert (found["ttft_ms"].b, found["ttft_ms"].change) == (None, None)
    assert (found["itl_ms"].a, found["itl_ms"].change) == (None, None)


def test_a_metric_that_a_note_of_either_file_bars_has_no_change():
    note = Note("differs", "reported 1, recomputed 2", frozenset({"ttft_ms"}))
    for a, b in ((cell(notes=[note]), cell()), (cell(), cell(notes=[note]))):
        outcome = compared(arm("A", a), arm("B", b))
        found = {d.metric.id: d for d in outcome.pairs[0].deltas}

        assert (found["ttft_ms"].barred, found["ttft_ms"].change) == ("differs", None)
        assert found["output_tok_s"].change == 0
        assert outcome.exit_code == 0
        assert not outcome.publishable


def test_a_declared_policy_lifts_the_bar():
    note = Note("failed-rows", "3 of 20 failed", ALL, EXCLUDE_FAILED)
    a, b = arm("A", cell(notes=[note])), arm("B", cell())

    assert said(compared(a, b)) == [("MISSING_ARM", ("A",))]
    assert compared(a, b, policies=frozenset({EXCLUDE_FAILED})).exit_code == 0


# why nothing is said


def test_the_codes_are_those_of_the_field():
    assert list(CODES.values()) == [2, 3, 6, 4, 5]


def test_a_changed_setting_is_a_mismatch_and_is_named():
    outcome = compared(b=arm("B", cell(max_concurrency=8)))

    assert (outcome.exit_code, outcome.name) == (4, "PROFILE_MISMATCH")
    assert outcome.first.sentence == "max_concurrency is 4 in A and 8 in B"
    assert outcome.first.fields == ("max_concurrency",)
    assert not outcome.profile_verified
    assert not outcome.publishable


def test_a_setting_that_one_arm_lacks_cannot_be_verified_and_is_named():
    outcome = compared(b=arm("B", cell(temperature="0")))

    assert (outcome.exit_code, said(outcome)) == (6, [("PROFILE_UNVERIFIABLE", ("temperature",))])


def test_a_declared_variable_may_differ_and_nothing_else():
    b = arm("B", cell(max_concurrency=8, seed=1))
    a = arm("A", cell(seed=2))

    assert said(compared(a, b, variables=("max_concurrency",))) == [("PROFILE_MISMATCH", ("seed",))]
    assert compared(a, b, variables=("concurrency", "seed")).exit_code == 0


def test_a_variable_that_nothing_is_called_is_a_usage_error():
    assert said(compared(variables=("max_concurency",))) == [("USAGE", ("max_concurency",))]


def test_a_variable_that_does_not_vary_is_a_doubt():
    [doubt] = compared(variables=("max_concurrency",)).warnings

    assert doubt == "max_concurrency is declared as a variable and is the same in both arms"


def test_an_arm_that_could_not_be_read_is_missing_with_its_reason():
    outcome = compared(b=arm("B", fault="b.json: the raw file does not exist"))

    assert (outcome.exit_code, outcome.name) == (3, "MISSING_ARM")
    assert outcome.first.sentence == "B: b.json: the raw file does not exist"
    assert outcome.pairs == ()


def test_an_arm_of_which_nothing_may_be_cited_is_missing():
    failed = Note("all-requests-failed", "none of 8 requests succeeded", ALL)
    outcome = compared(arm("A", cell({}, [failed])))

    assert outcome.exit_code == 3
    assert "all-requests-failed: none of 8" in outcome.first.sentence


def test_arms_that_share_no_metric_are_not_compared():
    outcome = compared(arm("A", cell({"ttft_ms": [1]})), arm("B", cell({"itl_ms": [1]})))

    assert outcome.exit_code == 3
    assert "nothing can be compared" in outcome.first.sentence


def test_one_run_of_many_that_may_not_be_cited_does_not_hide_the_others():
    barred = Note("not-a-distribution", "one repetition", ALL)
    runs = [cell(max_concurrency=1), cell(max_concurrency=8, notes=[barred])]
    outcome = compared(arm("A", *runs), arm("B", *runs))

    assert [[d.barred for d in p.deltas] for p in outcome.pairs] == [["", ""], [barred.name] * 2]
    assert (outcome.exit_code, outcome.publishable) == (0, False)


def test_a_baseline_of_zero_has_no_change_relative_to_it():
    outcome = compared(arm("A", cell({"ttft_ms": [0, 0, 0], "itl_ms": [1]})), arm("B", cell()))

    assert said(outcome) == [("ZERO_BASELINE", ("ttft_ms",))]
    assert outcome.exit_code == 5
    assert outcome.profile_verified
    assert not outcome.publishable


def test_a_candidate_of_zero_is_a_change_like_any_other():
    outcome = compared(b=arm("B", cell({"ttft_ms": [0]})))

    assert changes(outcome)["ttft_ms"] == 1


def test_all_problems_are_listed_and_the_first_in_the_order_decides():
    a = arm("A", cell({"ttft_ms": [0]}, seed=1))
    b = arm("B", cell({"ttft_ms": [1]}, seed=2, top_p="1"))
    steps = [
        ({"variables": ("nothing",)}, a, b, "USAGE"),
        ({}, a, b, "PROFILE_UNVERIFIABLE"),
        ({"variables": ("top_p",)}, a, b, "PROFILE_MISMATCH"),
        ({"variables": ("top_p", "seed")}, a, b, "ZERO_BASELINE"),
    ]
    for asked, one, other, name in steps:
        assert compared(one, other, **asked).name == name
    everything = compared(a, b, variables=("nothing",))
    assert {one.name for one in everything.problems} == set(CODES) - {"MISSING_ARM"}
    assert compared(a, arm("B", fault="gone")).name == "MISSING_ARM"
    bare = compared(arm("A", environment=None), arm("B", fault="gone"))
    assert [one.name for one in bare.problems] == ["MISSING_ARM", "PROFILE_UNVERIFIABLE"]
    assert bare.exit_code == 3


def test_required_fields_are_asked_of_the_runs_and_of_the_sweep():
    levels = [cell(label=f"c{n}", max_concurrency=n, num_prompts=3 * n) for n in (1, 8)]
    a, b = arm("A", *levels), arm("B", *levels)
    required = ("concurrency", "sweep.concurrencies", "sweep.c8.requests", "sweep.c32.requests")

    assert said(compared(a, b, required=required)) == [
        ("PROFILE_UNVERIFIABLE", ("sweep.c32.requests",))
    ]
    assert said(compared(a, b, required=("ignore_eos",)))[0][1] == ("ignore_eos",)


# environments


def test_a_fact_of_the_machine_that_differs_is_a_mismatch_and_is_named():
    outcome = compared(b=arm("B", environment=machine(driver="590.2")))

    assert said(outcome) == [("PROFILE_MISMATCH", ("driver",))]
    assert outcome.first.sentence == "environment.driver is 580.1 in A and 590.2 in B"


@pytest.mark.parametrize("variable", ["driver", "environment.driver"])
def test_a_fact_of_the_machine_can_be_the_variable(variable):
    b = arm("B", environment=machine(driver="590.2"))

    assert compared(b=b, variables=(variable,)).exit_code == 0
    assert compared(b=b, variables=(variable,)).warnings == ()


def test_packages_that_differ_are_named():
    installed = {"torch": "2.9.1", "vllm": "0.25.1", "xgrammar": "1.0"}
    outcome = compared(b=arm("B", environment=machine(packages=installed)))

    assert outcome.first.sentence == (
        "environment.packages.digest differs: torch 2.9.0 and 2.9.1, xgrammar absent and 1.0"
    )


def test_a_required_fact_that_one_sidecar_lacks_cannot_be_verified():
    outcome = compared(b=arm("B", environment=machine(driver=None)))

    assert said(outcome) == [("PROFILE_UNVERIFIABLE", ("driver",))]
    assert outcome.exit_code == 6


@pytest.mark.parametrize(
    ("field", "name"), [("container", "container.id"), ("packages", "packages.digest")]
)
def test_a_required_fact_that_both_lack_cannot_be_verified(field, name):
    bare = machine(**{field: None})
    outcome = compared(arm("A", environment=bare), arm("B", environment=bare))

    assert said(outcome) == [("PROFILE_UNVERIFIABLE", (name,))]


def test_a_fact_that_nobody_requires_and_one_side_tells_is_a_remark():
    outcome = compared(b=arm("B", environment=machine(governor="performance")))

    assert outcome.exit_code == 0
    assert "environment.governor is absent in A" in outcome.warnings[0]


def test_without_a_sidecar_nothing_is_verified_unless_that_is_said_openly():
    a, b = arm("A", environment=None), arm("B", environment=None)
    open_ = compared(a, b, environment=False)

    assert compared(a, b).exit_code == 6
    assert "--no-environment" in compared(a, b).first.sentence
    assert (open_.exit_code, open_.session, open_.publishable) == (0, "not compared", False)


def test_files_of_two_sessions_are_compared_and_back_no_claim_of_change():
    outcome = compared(b=arm("B", environment=machine("s2")))

    assert (outcome.exit_code, outcome.session) == (0, "cross-session")
    assert not outcome.publishable


def test_a_session_that_one_side_does_not_tell_is_not_one_session():
    outcome = compared(b=arm("B", environment=machine(None)))

    assert (outcome.exit_code, outcome.session, outcome.publishable) == (0, "not told", False)


# several runs


def sweep(name, *levels, **config):
    return arm(
        name, *(cell(label=f"max_concurrency={n}", max_concurrency=n, **config) for n in levels)
    )


def test_runs_are_paired_by_what_they_were_asked_in_any_order():
    outcome = compared(sweep("A", 1, 8, 32), sweep("B", 32, 1, 8))

    assert [(p.a.label, p.b.label) for p in outcome.pairs] == [
        (f"max_concurrency={n}", f"max_concurrency={n}") for n in (1, 8, 32)
    ]
    assert outcome.publishable


def test_a_run_without_partner_is_listed_and_keeps_the_rest_from_being_publishable():
    outcome = compared(sweep("A", 1, 8), sweep("B", 1, 8, 32))

    assert outcome.exit_code == 0
    assert outcome.unpaired == (("B", "max_concurrency=32"),)
    assert not outcome.publishable


def test_runs_left_on_both_sides_were_asked_something_else_and_the_difference_is_named():
    outcome = compared(sweep("A", 1, 8), sweep("B", 1, 16))

    assert [one.sentence for one in outcome.problems] == ["max_concurrency is 8 in A and 16 in B"]
    assert outcome.exit_code == 4


def test_equal_runs_are_paired_the_first_with_the_first():
    a = arm("A", scaled(1, label="a0"), scaled(2, label="a1"))
    b = arm("B", scaled(1, label="b0"), scaled(2, label="b1"))
    outcome = compared(a, b)

    assert [(p.a.label, p.b.label) for p in outcome.pairs] == [("a0", "b0"), ("a1", "b1")]
    assert {d.change for p in outcome.pairs for d in p.deltas} == {0}


@given(st.permutations([1, 2, 4, 8]), st.permutations([1, 2, 4, 8]))
def test_an_arm_compared_with_itself_has_not_moved(one, other):
    outcome = compared(sweep("A", *one), sweep("B", *other))

    assert outcome.problems == ()
    assert {d.change for p in outcome.pairs for d in p.deltas} == {0}


# noise floors


def control(one=1, other="1.01", **config):
    return arm("control 1 A", scaled(one, **config)), arm("control 1 B", scaled(other, **config))


def verdicts(outcome):
    return {d.metric.id: d.verdict for d in outcome.pairs[0].deltas}


def test_a_change_under_the_floor_is_flat_and_one_over_it_is_not():
    for factor, words in (("1.05", ("flat", "flat")), ("1.2", ("better", "worse"))):
        outcome = compared(b=arm("B", scaled(factor)), controls=[control()])

        assert verdicts(outcome) == dict(zip(SAMPLES, words, strict=True))
        floor = outcome.pairs[0].deltas[0].floor
        assert (floor.m, floor.maximum) == (1, Fraction(1, 100))
        assert floor.t_rule > Fraction(12, 100)


def test_two_controls_make_one_floor():
    outcome = compared(controls=[control(), control(1, "0.98")])

    assert outcome.pairs[0].deltas[0].floor.m == 2


def test_without_a_control_there_is_no_verdict():
    assert set(verdicts(compared()).values()) == {None}


def test_a_control_that_is_no_pair_of_equals_is_a_mismatch():
    pair = arm("control 1 A", cell()), arm("control 1 B", cell(max_concurrency=8))
    outcome = compared(controls=[pair])

    assert [p.sentence for p in outcome.problems] == [
        "control 1: max_concurrency is 4 in A and 8 in B"
    ]


def test_a_control_that_was_asked_something_else_is_a_mismatch():
    outcome = compared(controls=[control(max_concurrency=8)])

    assert [p.sentence for p in outcome.problems] == [
        "A against control 1: max_concurrency is 4 in A and 8 in B"
    ]
    assert outcome.exit_code == 4


def test_a_floor_of_a_sweep_holds_only_where_it_was_measured():
    pair = sweep("control 1 A", 1, 8), sweep("control 1 B", 1, 8)
    outcome = compared(sweep("A", 1, 8, 32), sweep("B", 1, 8, 32), controls=[pair])

    assert [p.deltas[0].floor is not None for p in outcome.pairs] == [True, True, False]


def test_a_control_like_either_arm_counts_where_the_variable_is_a_setting():
    a, b = arm("A", cell(max_concurrency=4)), arm("B", cell(max_concurrency=8))
    like_b = control(max_concurrency=8)
    outcome = compared(a, b, controls=[control(), like_b], variables=("max_concurrency",))

    assert outcome.pairs[0].deltas[0].floor.m == 2


def test_a_control_of_another_machine_is_a_mismatch():
    one, other = control()
    elsewhere = arm("control 1 B", *other.cells, environment=machine(host="other"))
    outcome = compared(controls=[(one, elsewhere)])

    assert said(outcome) == [("PROFILE_MISMATCH", ("host",))]


def test_a_control_without_sidecar_cannot_be_verified_unless_that_is_said_openly():
    one, other = control()
    bare = arm("control 1 B", *other.cells, environment=None)
    outcome = compared(controls=[(one, bare)])

    assert said(outcome) == [("PROFILE_UNVERIFIABLE", ("environment",))]
    assert outcome.first.sentence.startswith("environment of control 1 B: no sidecar; ")
    assert compared(controls=[(one, bare)], environment=False).exit_code == 0


def test_a_missing_control_is_a_missing_arm():
    one, _ = control()
    outcome = compared(controls=[(one, arm("control 1 B", fault="x: gone"))])

    assert said(outcome) == [("MISSING_ARM", ("control 1 B",))]


@pytest.mark.parametrize(
    ("metric", "better"), [("accuracy", 1), ("task_score", 1), ("task_loss", -1)]
)
def test_scores_of_documents_are_compared_by_their_mean(metric, better):
    few, many = [0] * 160 + [1] * 40, [0] * 140 + [1] * 60
    [delta] = scored(metric, few, many).pairs[0].deltas
    assert (delta.statistic, delta.a.value, delta.b.value) == (
        "mean",
        Fraction(1, 5),
        Fraction(3, 10),
    )
    assert delta.change == Fraction(better, 2)
    assert scored(metric, [0] * 5, many).name == "ZERO_BASELINE"
