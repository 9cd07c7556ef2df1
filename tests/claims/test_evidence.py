"""The walk from a claim to its rows, link by link, and what a broken link says."""

import random

import pytest

from claims.judging.chain import Link
from receipts.clock import system_clock
from receipts.receipt import SCHEME

WINDOW_LEVEL = {"metric": "decode_tok_s", "repetitions": 5}


def refusal(publisher, claim=None, **changes):
    """Return code and message of the only refusal."""
    (found,) = publisher.judge(claim or publisher.level, **changes).refusals
    return found.code, found.message


def test_a_file_is_reached_by_entry_receipt_and_raw_file(publisher):
    evidence = publisher.judge().evidence
    assert [link.kind for link in evidence.links] == ["entry", "receipt", "raw file"]
    assert evidence.links[1].name == publisher.uri("cells")
    assert "attached, run attached at entry" in evidence.links[1].detail
    assert evidence.links[2].detail == "llama-bench, cells: 2"
    (run,) = evidence.arms.values()
    assert [row["samples_ns"] for row in run.rows] == [12211778884, 12505211955, 12707347590]
    assert evidence.facts["cell"] == "pp2048"
    assert (evidence.facts["n_ubatch"], evidence.facts["gpu_info"]) == (512, "GPU of the test")


def test_a_window_is_reached_through_the_receipt_of_every_repetition(publisher):
    evidence = publisher.judge(publisher.change).evidence
    kinds = [link.kind for link in evidence.links if link.kind != "taint"]
    assert kinds == ["entry", "receipt", "plan", *["repetition"] * 10, "anchor"]
    assert list(evidence.arms) == ["plain", "tuned"]
    assert [len(run.rows) for run in evidence.arms.values()] == [5, 5]
    assert (evidence.facts["cell"], evidence.facts["lane"]) == ("decode-v8", "greedy")


def test_a_level_on_a_window_is_of_one_arm_with_that_arms_facts(publisher):
    words = "Decode reaches {value:.0f} {unit} (n = {n})."
    cited = [{"entry": "EXACT", "arm": "tuned"}]
    done = publisher.judge(publisher.level, **WINDOW_LEVEL, evidence=cited, wording=words)
    assert done.refusals == []
    assert list(done.evidence.arms) == ["tuned"]
    assert done.evidence.facts["variant"] == "tuned"
    assert done.values["value"] == pytest.approx(1e9 / 802)


@pytest.mark.parametrize("arm", [None, "quick"])
def test_a_level_on_a_window_names_an_arm_that_ran(publisher, arm):
    cited = {"entry": "EXACT"} | ({"arm": arm} if arm else {})
    code, message = refusal(publisher, publisher.level, **WINDOW_LEVEL, evidence=[cited])
    assert code == "CLM317"
    assert message == "a level claim on a window names its arm: plain, tuned"


def test_a_receipt_is_cited_by_name_or_by_digest(publisher):
    for receipt in ("receipt://cells", publisher.uri("cells")):
        cited = {"entry": "BOTH", "receipt": receipt, "select": {"n_ubatch": 512}}
        assert publisher.codes(evidence=[cited]) == []


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("what", ["receipt", "raw file", "repetition", "raw file of a repetition"])
def test_one_changed_byte_anywhere_in_a_file_is_refused_by_its_digest(publisher, what, seed):
    claim = publisher.change if "repetition" in what else publisher.level
    run = random.Random(seed).choice(publisher.repetitions("exact"))
    path = {
        "receipt": publisher.file_of(publisher.uri("cells")),
        "raw file": publisher.raw_of(publisher.receipt("cells")),
        "repetition": publisher.file_of(SCHEME + run.digest),
        "raw file of a repetition": publisher.raw_of(run),
    }[what]
    publisher.flip(path, random.Random(seed).randrange(path.stat().st_size))
    code, message = refusal(publisher, claim)
    assert code == "CLM303"
    assert "is damaged: its bytes have another digest" in message


@pytest.mark.parametrize("change", [b"", b"{}", b"\xff\xfe"])
def test_a_file_with_other_bytes_altogether_is_refused_by_its_digest(publisher, change):
    path = publisher.file_of(publisher.uri("cells"))
    path.chmod(0o644)
    path.write_bytes(change)
    assert publisher.codes() == ["CLM303"]


@pytest.mark.parametrize("what", ["receipt", "raw file", "repetition", "raw file of a repetition"])
def test_what_is_gone_is_missing_and_what_is_withheld_says_why(publisher, what):
    claim = publisher.change if "repetition" in what else publisher.level
    run = publisher.repetitions("exact")[4]
    place = publisher.place
    store, digest = {
        "receipt": (place.receipts, publisher.receipt("cells").digest),
        "raw file": (place.objects, publisher.receipt("cells").require("raw")),
        "repetition": (place.receipts, run.digest),
        "raw file of a repetition": (place.objects, run.require("raw")),
    }[what]
    data = store.get(digest)
    store.path(digest).unlink()
    code, message = refusal(publisher, claim)
    assert code == "CLM304"
    assert "is not in the store" in message
    store.put(data)
    store.withhold(digest, "holds a customer's name", system_clock)
    code, message = refusal(publisher, claim)
    assert code == "CLM304"
    assert message.endswith("holds a customer's name")


def test_a_raw_file_that_no_reader_understands_is_no_evidence_although_its_digest_holds(publisher):
    raw = publisher.place.objects.put(b"35.2 tok/s, trust me")
    uri = publisher.forge({"raw": raw}, publisher.receipt("cells").predicate, by="engineer")
    publisher.experiment("ODD", uri)
    code, message = refusal(publisher, evidence=[{"entry": "ODD"}])
    assert code == "CLM303"
    assert "of no tool that can be read" in message


def test_figures_in_a_receipt_change_nothing(publisher):
    made = publisher.receipt("cells")
    better = [f.model_copy(update={"value": "999"}) for f in made.predicate.figures]
    uri = publisher.forge(
        {"raw": made.require("raw")},
        made.predicate.model_copy(update={"figures": better}),
        by="engineer",
    )
    publisher.experiment("BOAST", uri)
    done = publisher.judge(evidence=[{"entry": "BOAST", "select": {"n_ubatch": 512}}])
    assert done.sentence == "Prefill reaches 163.77 tok/s (median of 3 repetitions)."


def test_a_window_receipt_that_lists_nothing_is_not_as_planned(publisher):
    publisher.experiment("EMPTY", publisher.altered("exact", repetitions=[]))
    code, message = refusal(publisher, publisher.change, evidence=[{"entry": "EMPTY"}])
    assert (code, message) == (
        "CLM207",
        "window exact has repetitions of plain 0, its plan 5",
    )


def test_a_window_cites_runs_and_not_windows(publisher):
    made = publisher.receipt("exact")
    digest = made.digest
    listed = list(made.predicate.repetitions)
    listed[0] = listed[0].model_copy(update={"receipt": digest})
    publisher.experiment("NEST", publisher.altered("exact", repetitions=listed))
    code, message = refusal(publisher, publisher.change, evidence=[{"entry": "NEST"}])
    assert (code, message) == ("CLM206", "repetition plain/0 is not of exact")


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"window": "noisy"}, 2),
        ({"plan": "sha256:" + "0" * 64}, 0),
        ({"cell": "decode-v9"}, 9),
        ({"arm": "other"}, 5),
        ({"repetition": 9}, 7),
    ],
    ids=str,
)
def test_a_repetition_of_another_window_plan_cell_or_arm_is_refused(publisher, fields, place):
    uri = publisher.rebuilt("exact", lambda at, _: fields if at == place else {})
    publisher.experiment("MIX", uri)
    code, message = refusal(publisher, publisher.change, evidence=[{"entry": "MIX"}])
    assert code == "CLM206"
    assert message.endswith("is not of exact")


@pytest.mark.parametrize("name", ["host", "boot", "kernel", "cpu", "cores", "system", "machine"])
def test_repetitions_on_other_machines_are_refused_by_the_fact_that_differs(publisher, name):
    def elsewhere(place, run):
        return {"environment": {**run.environment, name: "other" if place == 6 else "one"}}

    publisher.experiment("ELSE", publisher.rebuilt("exact", elsewhere))
    code, message = refusal(publisher, publisher.change, evidence=[{"entry": "ELSE"}])
    assert (code, message) == ("CLM206", f"repetitions differ in {name}: one, other")


def test_a_fact_that_one_repetition_lacks_differs_too(publisher):
    def forgetful(place, run):
        kept = {k: v for k, v in run.environment.items() if k != "boot" or place}
        return {"environment": {**kept, "host": "one"}}

    publisher.experiment("LESS", publisher.rebuilt("exact", forgetful))
    code, message = refusal(publisher, publisher.change, evidence=[{"entry": "LESS"}])
    assert code == "CLM206"
    assert message.startswith("repetitions differ in boot: ")


def test_a_correction_that_is_retracted_is_lifted(publisher):
    publisher.ledger("correct", "CELLS", "--reason", "wrong", "--affects", "evidence")
    code, message = refusal(publisher)
    assert code == "CLM503"
    assert message.endswith("wrong (struck: evidence)")
    struck = publisher.append(kind="ENTRY", label="X").index - 1
    publisher.ledger("retract", str(struck), "--reason", "it was right")
    assert publisher.codes() == []
    publisher.ledger("retract", str(struck + 2), "--reason", "it was wrong after all")
    assert publisher.codes() == ["CLM503"]


@pytest.mark.parametrize(
    "fields", [["title"], ["lesson", "notes"], ["hypothesis"], ["expected", "attribution", "step"]]
)
def test_a_correction_of_what_no_claim_rests_on_changes_nothing(publisher, fields):
    options = [word for field in fields for word in ("--affects", field)]
    publisher.ledger("correct", "CELLS", "--reason", "a typo", *options)
    assert publisher.codes() == []


@pytest.mark.parametrize(
    "field", ["evidence", "delta", "delta.0.value", "scope", "gate.exactness", "Title", "verdict"]
)
def test_a_correction_of_anything_else_contests_the_claim(publisher, field):
    publisher.ledger("correct", "CELLS", "--reason", "wrong", "--affects", field)
    assert publisher.codes() == ["CLM503"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("supersede", "CELLS", "--replacement", "BOTH"), "CLM501"),
        (("retract", "CELLS"), "CLM502"),
        (("amend", "CELLS", "--bars", "prefill_tok_s"), "CLM504"),
        (("amend", "CELLS"), "CLM503"),
    ],
)
def test_what_later_rows_did_is_told_with_their_index_and_reason(publisher, words, code):
    publisher.ledger(*words, "--reason", "the fan had stopped")
    index = publisher.append(kind="ENTRY", label="X").index - 1
    found, message = refusal(publisher)
    assert found == code
    assert message.endswith(f"by entry {index}: the fan had stopped")


def test_a_claim_is_refused_by_the_first_link_that_breaks(publisher):
    publisher.file_of(publisher.uri("cells")).unlink()
    publisher.ledger("retract", "CELLS", "--reason", "wrong")
    assert publisher.codes() == ["CLM502"]


def test_a_receipt_whose_key_is_retired_or_revoked_later_still_resolves(publisher):
    made = publisher.receipt("cells")
    predicate = made.predicate.model_copy(update={"warnings": ["by the engineer"]})
    uri = publisher.forge({"raw": made.require("raw")}, predicate, by="engineer")
    publisher.experiment("HERS", uri)
    for action in ("retire", "revoke"):
        line = publisher.keys["engineer"].public.openssh
        publisher.append(kind="KEY", action=action, key=line, reason="left", title="ended")
        cited = [{"entry": "HERS", "select": {"n_ubatch": 512}}]
        assert publisher.codes(evidence=cited) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"cell": "decode-v9"}, "cell decode-v9, its plan decode-v8"),
        ({"baseline": "slow"}, "baseline slow, its plan plain"),
        ({"candidate": "quick"}, "candidate quick, its plan tuned"),
        ({"cv_limit": None}, "cv_limit None, its plan 0.05"),
        ({"cv_limit": "0.050"}, "cv_limit 0.050, its plan 0.05"),
        ({"scope": {}}, "scope {}, its plan {'lane': 'greedy'}"),
    ],
    ids=str,
)
def test_a_window_says_of_itself_what_its_plan_says(publisher, changes, told):
    publisher.experiment("OTHERWISE", publisher.altered("exact", **changes))
    code, message = refusal(publisher, publisher.change, evidence=[{"entry": "OTHERWISE"}])
    assert (code, message) == ("CLM207", f"window exact has {told}")


def test_a_window_may_be_called_anything(publisher, walk):
    walk("ODD", name="some-plan", window="another-name")
    assert publisher.codes(publisher.change, evidence=[{"entry": "ODD"}]) == []


def test_a_plan_that_is_none_is_no_evidence_although_its_digest_holds(publisher):
    digest = publisher.place.objects.put(b"version: 1\n")
    publisher.experiment("NONE", publisher.altered("exact", plan=str(digest)))
    code, message = refusal(publisher, publisher.change, evidence=[{"entry": "NONE"}])
    assert code == "CLM303"
    assert message.startswith(f"plan {digest[:20]}…:1:1: ")


def test_what_the_arms_differ_in_is_not_established_by_anybodys_word(publisher):
    uri = publisher.uri("exact")
    publisher.experiment("SAID", uri, scope={"variant": "tuned", "lane": "greedy"})
    said = [{"entry": "SAID"}]
    assert publisher.codes(publisher.change, evidence=said, scope={"variant": "tuned"}) == [
        "CLM204"
    ]
    assert publisher.codes(publisher.change, evidence=said, scope={"instrument": "fake"}) == []


def test_one_cell_that_is_cited_twice_is_one_cell(publisher):
    uri = publisher.uri("cells")
    twice = [{"receipt": uri}, {"receipt": uri, "select": {"n_ubatch": 512}}]
    publisher.experiment("TWICE", evidence=twice)
    cited = {"entry": "TWICE", "select": {"n_ubatch": "512"}}
    assert publisher.codes(evidence=[cited]) == []


def test_several_cells_are_told_apart_by_what_the_entry_says_of_them(publisher):
    uri = publisher.uri("cells")
    twice = [{"receipt": uri, "select": {"n_ubatch": batch}} for batch in (256, 512)]
    publisher.experiment("PAIR", evidence=twice)
    code, message = refusal(publisher, evidence=[{"entry": "PAIR"}])
    assert (code, message) == (
        "CLM317",
        "entry PAIR cites several cells: n_ubatch=256; n_ubatch=512; select one",
    )
    code, message = refusal(publisher, evidence=[{"entry": "PAIR", "select": {"n_ubatch": 128}}])
    assert (code, message) == (
        "CLM317",
        "entry PAIR cites n_ubatch=256; n_ubatch=512, not n_ubatch=128",
    )


def test_an_entrys_own_selection_in_a_window_is_refused(publisher):
    cited = [{"receipt": publisher.uri("exact"), "select": {"variant": "tuned"}}]
    publisher.experiment("PART", evidence=cited)
    code, message = refusal(publisher, publisher.change, evidence=[{"entry": "PART"}])
    assert (code, message) == (
        "CLM317",
        "a window has arms and no cells; leave out variant=tuned",
    )


def test_a_receipt_of_a_stolen_key_is_refused_before_its_run_is(publisher):
    made = publisher.receipt("cells")
    predicate = made.predicate.model_copy(update={"origin": "witnessed"})
    uri = publisher.forge({"raw": made.require("raw")}, predicate, recorder="runner")
    publisher.experiment("HIS", uri)
    index = publisher.append(kind="ENTRY", label="X").index - 2
    line = publisher.keys["runner"].public.openssh
    publisher.append(kind="KEY", action="revoke", key=line, reason="stolen", since=index)
    code, message = refusal(publisher, evidence=[{"entry": "HIS", "select": {"n_ubatch": 512}}])
    assert code == "CLM302"
    assert "revoked" in message


def test_what_makes_a_run_doubtful_is_a_link_of_its_chain(publisher):
    made = publisher.receipt("anchored")
    tainted = made.predicate.model_copy(update={"taints": ["a neighbour ran"]})
    publisher.experiment("DOUBT", publisher.forge({"raw": made.require("raw")}, tainted))
    evidence = publisher.judge(metric="decode_tok_s", evidence=[{"entry": "DOUBT"}]).evidence
    told = [link for link in evidence.links if link.kind == "taint"]
    assert told == [Link("taint", "run", "a neighbour ran")]
