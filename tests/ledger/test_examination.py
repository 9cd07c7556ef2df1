"""What a sound chain does not show, asked of entries alone: gates, mentions, any order of them."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger import gates
from ledger.bodies import NumericGate
from ledger.entry import validate
from ledger.examination import Examination
from receipts import receipt
from receipts.digest import Digest
from receipts.predicates import WindowPredicate
from receipts.receipt import SCHEME
from receipts.store import ObjectStore

RECEIPTS = [SCHEME + "sha256:" + str(number) * 64 for number in range(3)]
IDS = ["a" * 64, "b" * 64]


@pytest.fixture
def stores(tmp_path):
    return ObjectStore(tmp_path / "receipts"), ObjectStore(tmp_path / "objects")


@pytest.fixture
def observe(stores):
    """Return what is observed in entries."""

    def observations(*entries):
        examination = Examination(*stores)
        for entry in entries:
            examination.take(entry)
        return examination.observations()

    return observations


def codes(observations):
    return [one.code for one in observations if one.code != "evidence"]


def finished(make_entry, uri, **fields):
    return make_entry("RUN", phase="finished", cell="c", receipt=uri, **fields)


# --- gates ---------------------------------------------------------------------------------------


def gate(comparison, threshold, tolerance=None, metric="tps"):
    return NumericGate(
        name="g", metric=metric, comparison=comparison, threshold=threshold, tolerance=tolerance
    )


@pytest.mark.parametrize(
    ("old", "new", "looser"),
    [
        ((">=", "30"), (">=", "29.9"), True),
        ((">=", "30"), (">=", "30.0"), False),
        ((">=", "30"), (">=", "31"), False),
        ((">=", "30"), (">=", "31", "2"), True),
        ((">=", "30", "1"), (">=", "30"), False),
        ((">=", "30"), (">", "30"), False),
        ((">", "30"), (">=", "30"), True),
        ((">", "30"), (">", "29"), True),
        ((">=", "30"), (">", "29.99"), True),
        (("<=", "5"), ("<=", "5.1"), True),
        (("<=", "5"), ("<=", "4"), False),
        (("<=", "5"), ("<", "5"), False),
        (("<", "5"), ("<=", "5"), True),
        (("<", "5", "0.1"), ("<", "5", "0.2"), True),
        (("==", "0"), ("==", "0", "0.001"), True),
        (("==", "0", "0.1"), ("==", "0"), False),
        (("==", "0", "0.1"), ("==", "0.05", "0.05"), False),
        (("==", "0"), ("==", "1"), True),
        (("==", "0"), (">=", "0"), True),
        ((">=", "0"), ("==", "0"), False),
        ((">=", "0"), ("<=", "0"), True),
        ((">=", "-1"), (">=", "-2"), True),
        ((">=", "30"), (">=", "1", None, "another metric"), False),
    ],
)
def test_a_gate_is_looser_if_it_passes_what_the_old_one_failed(old, new, looser):
    assert gates.is_looser(gate(*old), gate(*new)) is looser


figures = st.decimals(-5, 5, places=1).map(lambda figure: f"{figure:f}".replace("-0.0", "0.0"))
slacks = st.none() | st.sampled_from(["0", "0.5", "2"])
drawn_gates = st.builds(gate, st.sampled_from([">=", ">", "<=", "<", "=="]), figures, slacks)


def passes(which, measured):
    """Say whether the gate passes the figure, as its five comparisons are read."""
    threshold, slack = Fraction(which.threshold), Fraction(which.tolerance or "0")
    return {
        ">=": measured >= threshold - slack,
        ">": measured > threshold - slack,
        "<=": measured <= threshold + slack,
        "<": measured < threshold + slack,
        "==": abs(measured - threshold) <= slack,
    }[which.comparison]


@given(drawn_gates, drawn_gates)
@settings(max_examples=200)
def test_looser_is_what_its_definition_says(old, new):
    measured = [Fraction(number, 20) for number in range(-160, 161)]
    found = any(passes(new, m) and not passes(old, m) for m in measured)
    assert gates.is_looser(old, new) is found


def test_a_threshold_of_many_digits_is_compared_all_the_same():
    long = "9" * 6000
    assert gates.is_looser(gate(">=", long + ".1"), gate(">=", long))
    assert not gates.is_looser(gate(">=", long), gate(">=", long + ".1"))


def test_a_gate_is_spelt_with_what_it_tolerates():
    assert gates.spell(gate(">=", "30")) == "tps >= 30"
    assert gates.spell(gate("<", "5.0", "0.1")) == "tps < 5.0 ± 0.1"


# --- mentions ------------------------------------------------------------------------------------

SIDE = {"arm": "plain", "value": "1"}
DELTA = {
    "metric": "tps",
    "unit": "tok/s",
    "baseline": SIDE,
    "candidate": SIDE,
    "change": "0",
    "statistic": "median",
    "n": 1,
    "polarity": "higher",
    "convention": "c",
}
URI = RECEIPTS[0]
FINDING = {"id": "F1", "severity": "low", "status": "open", "evidence": [{"receipt": URI}]}
MENTIONS = {
    "evidence": ("ENTRY", {"evidence": [{"receipt": URI}]}),
    "a cause": ("ENTRY", {"attribution": [{"cause": "c", "evidence": [{"receipt": URI}]}]}),
    "a delta": ("ENTRY", {"delta": [{**DELTA, "runs": [URI]}]}),
    "a finding": ("FINDING", FINDING),
    "a golden": ("CONTRACT", {"made_by": URI}),
    "a struck run": ("SUPERSEDED", {"runs": [URI], "reason": "r"}),
}


@pytest.mark.parametrize("name", MENTIONS)
def test_whatever_cites_a_receipt_mentions_its_run(make_entry, observe, name):
    run = finished(make_entry, URI)
    kind, fields = MENTIONS[name]
    assert codes(observe(run)) == ["unmentioned"]
    assert codes(observe(run, make_entry(kind, **fields))) == []


@pytest.mark.parametrize(
    "naming",
    [
        lambda entry_id: ("ENTRY", {"rests_on": [entry_id]}),
        lambda entry_id: ("CONTRACT", {"follows": entry_id}),
        lambda entry_id: ("RETRACTION", {"targets": [entry_id], "reason": "r"}),
    ],
)
def test_whatever_names_the_run_entry_mentions_it(make_entry, observe, naming):
    run = make_entry("RUN", phase="void", cell="c", window="w")
    kind, fields = naming(run.id)
    assert codes(observe(run)) == ["unmentioned"]
    assert codes(observe(run, make_entry(kind, **fields))) == []
    kind, fields = naming("e" * 64)
    assert codes(observe(run, make_entry(kind, **fields))) == ["unmentioned"]


def test_windows_and_single_runs_of_a_cell_are_not_each_others_siblings(make_entry, observe):
    window = finished(make_entry, RECEIPTS[0], window="w")
    single = finished(make_entry, RECEIPTS[1])
    cited = make_entry(evidence=[{"receipt": RECEIPTS[0]}])
    assert codes(observe(window, single, cited)) == ["unmentioned"]


def test_siblings_of_another_cell_are_none(make_entry, observe):
    runs = [
        make_entry("RUN", phase="finished", cell=cell, receipt=uri)
        for cell, uri in zip(("c", "d", "d"), RECEIPTS, strict=True)
    ]
    cited = make_entry(evidence=[{"receipt": RECEIPTS[0]}])
    assert codes(observe(*runs, cited)) == ["unmentioned"] * 2
    both = make_entry(evidence=[{"receipt": RECEIPTS[1]}])
    (one,) = (o for o in observe(*runs, cited, both) if o.code == "siblings")
    assert one.message == "cell d has 2 runs, of which 1 is mentioned and 2 is not"


def test_one_observation_for_an_entry_whose_contracts_are_retired_twice(make_entry, observe):
    old = make_entry("CONTRACT")
    said = {"result": "pass", "contract": old.id}
    judged = make_entry(delta=[{**DELTA, "runs": []}], gate=[{**said, "name": n} for n in "ab"])
    without_delta = make_entry(gate=[{**said, "name": "a"}])
    retiring = make_entry("CONTRACT", retires=[old.id])
    found = observe(old, judged, without_delta, retiring)
    assert [(one.index, one.code) for one in found] == [(judged.index, "retired contract")]
    assert f"which entry {retiring.index} retired" in found[0].message


# --- evidence ------------------------------------------------------------------------------------


@pytest.fixture
def nested(stores, signing_key, attached_run):
    """Return URIs of windows, each the repetition of the next; the first is of a proper run."""
    receipts, objects = stores

    def put(subjects, predicate):
        made = receipt.make(signing_key, subjects, predicate)
        receipts.put(made.envelope.raw)
        return made.digest

    inner = put({"raw": objects.put(b"[]")}, attached_run())
    uris = []
    for number in range(40):
        listed = [{"arm": "a", "repetition": n, "receipt": inner} for n in range(2)]
        fields = {
            "origin": "witnessed",
            "cell": "c",
            "window": f"w{number}",
            "lease": {},
            "plan": "sha256:" + "0" * 64,
            "baseline": "a",
            "candidate": "b",
            "repetitions": listed,
            "exactness": {"result": "exact", "compared": "tokens"},
            "environment": {},
            "started_at": "2026-11-29T10:00:00.000Z",
            "finished_at": "2026-11-29T10:00:00.000Z",
        }
        predicate = WindowPredicate.parse(fields, "window")
        inner = put({"plan": objects.put(b"plan")}, predicate)
        uris.append(SCHEME + inner)
    return uris


def test_a_window_of_windows_is_named_and_not_walked_two_to_the_power_of_its_depth(
    make_entry, observe, nested
):
    assert observe(make_entry(evidence=[{"receipt": nested[0]}])) == []
    found = observe(make_entry(evidence=[{"receipt": nested[-1]}]))
    assert [one.code for one in found] == ["evidence"] * 2
    assert ": a window as a repetition of receipt://sha256:" in found[0].message


def test_a_receipt_that_is_none_is_named(make_entry, observe, stores):
    digest = stores[0].put(b"{}")
    (one,) = observe(make_entry(evidence=[{"receipt": SCHEME + digest}]))
    assert (one.code, one.message.startswith(f"receipt://{digest[:21]}…: ")) == ("evidence", True)
    assert isinstance(digest, Digest)


# --- any sequence of bodies ----------------------------------------------------------------------

uri = st.sampled_from(RECEIPTS)
name = st.sampled_from(["c", "d"])
entry_id = st.sampled_from(IDS)
maybe = st.none
runs = st.fixed_dictionaries(
    {
        "kind": st.just("RUN"),
        "cell": name,
        "phase": st.sampled_from(["admitted", "finished", "refused", "failed", "void", "attached"]),
    },
    optional={"window": name, "arm": name, "admission": entry_id, "receipt": uri},
)
results = st.builds(
    lambda *values: dict(zip(("name", "result", "contract"), values, strict=True)),
    name,
    st.sampled_from(["pass", "fail", "not-run"]),
    entry_id,
)
experiments = st.fixed_dictionaries(
    {"kind": st.just("ENTRY")},
    optional={
        "hypothesis": st.just("h"),
        "answers": entry_id,
        "rests_on": st.lists(entry_id, max_size=2),
        "evidence": st.lists(st.builds(lambda one: {"receipt": one}, uri), max_size=3),
        "gate": st.lists(results, max_size=2),
        "delta": st.lists(st.builds(lambda one: {**DELTA, "runs": [one]}, uri), max_size=1),
    },
)
decimals = st.from_regex(r"-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,6})?", fullmatch=True)
numeric = st.fixed_dictionaries(
    {
        "name": name,
        "metric": name,
        "comparison": st.sampled_from([">=", ">", "<=", "<", "=="]),
        "threshold": decimals,
    },
    optional={"tolerance": decimals},
)
contracts = st.fixed_dictionaries(
    {"kind": st.just("CONTRACT")},
    optional={
        "gates": st.lists(numeric, max_size=3),
        "retires": st.lists(entry_id, max_size=2),
        "follows": entry_id,
        "made_by": uri,
    },
)
corrections = st.fixed_dictionaries(
    {"kind": st.sampled_from(["RETRACTION", "SUPERSEDED"]), "reason": st.just("r")},
    optional={"targets": st.lists(entry_id), "runs": st.lists(uri)},
)


class Placed:
    """An entry as the examination sees it: an index, an id that others may name, a body."""

    def __init__(self, index, body):
        self.index, self.body = index, body
        self.id = IDS[index % len(IDS)]
        self.kind = body.kind


@given(st.lists(runs | experiments | contracts | corrections, max_size=14))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_sequence_of_valid_bodies_makes_the_examination_raise(stores, drawn):
    examination = Examination(*stores)
    for index, fields in enumerate(drawn):
        place = {"v": 1, "index": index, "prev": "0" * 64, "at": "2026-11-29T10:00:00.000Z"}
        examination.take(Placed(index, validate({**place, "title": "t", **fields})))
    found = examination.observations()
    assert found == sorted(found, key=lambda one: (one.index, one.code))
    assert all(0 <= one.index < len(drawn) and one.message.isprintable() for one in found)
    cited = {item["receipt"] for fields in drawn for item in fields.get("evidence", ())}
    assert examination.counts.receipts == len(cited)
