"""`ledger audit` on one made history with every fault, without each of them, and with none."""

import json
from collections import Counter

import pytest

NO_ADMISSION = type("NoAdmission", (), {"id": "f" * 64})
FAULTS = {
    "open run": {"open run": 1},
    "siblings": {"siblings": 1, "unmentioned": 2},
    "unmentioned": {"unmentioned": 1},
    "afterthought": {"afterthought": 1},
    "retired contract": {"retired contract": 1},
    "loosened gate": {"loosened gate": 1},
    "evidence": {"evidence": 1},
}


def tell(story, *, clean=()):
    """Tell a history that has every fault but the clean ones; return its entries by name."""
    made = {"contract": story.contract("30")}
    _first_on_record(story, made, early="afterthought" not in clean)

    open_run = made["open run"] = story.admit("left-open")
    if "open run" in clean:
        uri = story.run("left-open", admission=open_run)
        story.conclude(uri)

    windows = [story.window("sib", f"s{number}") for number in range(3)]
    made["siblings"] = story.founded.head().size - 1
    story.conclude(*(windows if "siblings" in clean else windows[:1]))

    lonely = story.run("lonely")
    made["unmentioned"] = story.founded.head().size - 1
    if "unmentioned" in clean:
        story.conclude(lonely)

    failed = story.run("judged")
    gate = {"name": "speed", "contract": made["contract"].id}
    made["judged"] = story.conclude(
        failed, outcome="miss", gate=[{**gate, "result": "fail"}], **story.moved(failed)
    )
    retires = {} if "retired contract" in clean else {"retires": [made["contract"].id]}
    threshold = "31" if "loosened gate" in clean else "28.5"
    made["second"] = story.contract(threshold, follows=made["judged"].id, **retires)

    gone = story.run("gone")
    made["evidence"] = story.conclude(gone)
    if "evidence" not in clean:
        story.raw_of(gone).unlink()
    return made


def _first_on_record(story, made, *, early):
    """Append a run and a hypothesis, the run first when it is too early, and conclude."""
    uri = story.run("tested") if early else None
    made["admission"] = 16
    made["hypothesis"] = story.append(hypothesis="a smaller batch", plan="sha256:" + "1" * 64)
    uri = uri or story.run("tested")
    made["afterthought"] = story.conclude(uri, answers=made["hypothesis"].id)


def counted(observations):
    return Counter(one["code"] for one in observations)


def expected(clean=()):
    total = Counter()
    for fault, codes in FAULTS.items():
        if fault not in clean:
            total.update(codes)
    return total


def test_a_made_history_names_each_of_its_faults(story):
    made = tell(story)
    result = story.founded.invoke("audit")
    assert result.exit_code == 1
    # A window takes six entries: it is admitted and ends, and so do its two runs.
    sib = [made["siblings"] - 12, made["siblings"] - 6, made["siblings"]]
    contract, second = made["contract"], made["second"]
    lines = result.stdout.splitlines()
    observed = lines[:-3]
    assert observed == [
        f"entry {made['afterthought'].index}: afterthought: the hypothesis stands at entry "
        f"{made['hypothesis'].index}, its run was admitted at entry 16",
        f"entry {made['open run'].index}: open run: a run of left-open was admitted and never "
        "finished",
        f"entry {sib[1]}: siblings: cell sib has 3 windows, of which {sib[0]} is mentioned and "
        f"{sib[1]}, {sib[2]} are not",
        f"entry {sib[1]}: unmentioned: no entry mentions this finished window s1 of sib",
        f"entry {sib[2]}: unmentioned: no entry mentions this finished window s2 of sib",
        f"entry {made['unmentioned']}: unmentioned: no entry mentions this finished run of lonely",
        f"entry {made['judged'].index}: retired contract: its delta was judged under "
        f"{contract.id[:12]}…, which entry {second.index} retired",
        f"entry {second.index}: loosened gate: gate speed went from tps >= 30 to tps >= 28.5 after "
        f"it had failed at entry {made['judged'].index}",
        observed[-1],
    ]
    assert observed[-1].startswith(f"entry {made['evidence'].index}: evidence: raw of receipt://")
    assert " is not in the store " in observed[-1]
    assert lines[-3].endswith("; 9 observations")


@pytest.mark.parametrize("fault", FAULTS)
def test_without_one_fault_just_that_one_is_not_named(story, fault):
    tell(story, clean=[fault])
    value = story.told("audit", code=1)
    assert counted(value["observations"]) == expected([fault])


def test_the_clean_twin_gives_no_observation_and_exit_0(story):
    tell(story, clean=FAULTS)
    value = story.told("audit")
    assert value["observations"] == []
    assert value["chain"]["intact"]
    lines = story.founded.invoke("audit").stdout.splitlines()
    assert lines[0].endswith("; 0 observations")
    assert lines[-1].startswith("chain intact at ")


def test_json_and_page_say_what_the_text_says(story):
    tell(story)
    page = story.founded.root / "audit.md"
    result = story.founded.invoke("audit", "--page", page, "--json")
    assert result.exit_code == 1
    value = json.loads(result.stdout)
    assert counted(value["observations"]) == expected()
    # 3 experiments of the founded ledger and 5 of this history; 3 runs, 1 window and its 2 runs.
    assert value["examined"] == {
        "runs": 27,
        "experiments": 8,
        "receipts": 6,
        "objects": 5,
        "attached": 0,
    }
    text = story.founded.invoke("audit").stdout
    written = page.read_text()
    assert written.startswith("# Audit of perf.example.org/engine\n\nHead `")
    for one in value["observations"]:
        assert f"entry {one['index']}: {one['code']}: {one['message']}\n" in text
        assert f"- entry {one['index']}, **{one['code']}**: {one['message']}\n" in written
    assert f"`{value['chain']['head']}`, {value['chain']['entries']} entries." in written


def test_a_page_is_never_replaced(story):
    page = story.founded.root / "audit.md"
    page.write_text("mine")
    result = story.founded.invoke("audit", "--page", page)
    assert (result.exit_code, page.read_text()) == (4, "mine")
    assert result.stderr == f"ledger: {page} exists and is not replaced; name another file\n"


def test_the_page_of_a_clean_ledger_says_that_there_is_nothing_to_ask(story):
    page = story.founded.root / "audit.md"
    assert story.founded.invoke("audit", "--page", page).exit_code == 0
    assert page.read_text().endswith("\n\nNothing to ask about.\n")


def test_a_name_from_a_stranger_begins_no_line_of_the_page(story):
    """A gate's name may be any text; it cannot say `chain intact` in a line of its own."""
    name = "speed\n\n## Chain\n\n- chain intact, anchored to everything\x1b[2J"
    gate = {"name": name, "metric": "tps", "comparison": ">=", "threshold": "30"}
    story.append(kind="CONTRACT", gates=[gate])
    story.conclude(outcome="miss", gate=[{"name": name, "result": "fail"}])
    story.append(kind="CONTRACT", gates=[{**gate, "threshold": "20"}])
    page = story.founded.root / "audit.md"
    result = story.founded.invoke("audit", "--page", page)
    assert result.exit_code == 1
    assert page.read_text().count("\n## Chain\n") == 1
    assert "\x1b" not in page.read_text() + result.stdout
    assert sum(line.startswith("- chain intact") for line in page.read_text().splitlines()) == 1


def test_a_broken_chain_is_1_whatever_else_there_is(story):
    story.founded.harm("UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 4")
    value = story.told("audit", code=1)
    assert (value["chain"]["intact"], value["observations"]) == (False, [])


def test_a_ledger_that_nothing_anchors_is_3_and_an_anchor_makes_it_0(story):
    kept = story.founded.root / "kept.txt"
    assert story.founded.invoke("checkpoint", "--output", kept).exit_code == 0
    story.founded.head_file.unlink()
    result = story.founded.invoke("audit")
    assert result.exit_code == 3
    assert result.stdout.splitlines()[-1].endswith("truncation and rollback cannot be excluded")
    assert story.founded.invoke("audit", "--anchor", kept).exit_code == 0


def test_auditing_writes_nothing_and_repairs_nothing(story):
    tell(story)
    before = {p: p.read_bytes() for p in story.founded.root.rglob("*") if p.is_file()}
    story.founded.invoke("audit")
    after = {p: p.read_bytes() for p in story.founded.root.rglob("*") if p.is_file()}
    assert after == before


# --- evidence that is gone -----------------------------------------------------------------------


def test_every_way_in_which_evidence_can_be_gone_is_named(story):
    uris = [story.run(f"c{number}") for number in range(3)]
    window = story.window("cw", "w")
    entry = story.conclude(*uris, window)
    story.raw_of(uris[0]).chmod(0o644)
    story.raw_of(uris[0]).write_bytes(b"another raw file")
    stored = story.place.receipts.root / uris[1][17:19] / uris[1][17:]
    stored.unlink()
    receipts = story.told("show", story.founded.head().size - 2)
    assert receipts["body"]["receipt"] == window
    in_window = story.founded.entry(story.founded.head().size - 5).body.receipt
    story.raw_of(in_window).unlink()
    value = story.told("audit", code=1)
    assert {one["index"] for one in value["observations"]} == {entry.index}
    said = [one["message"] for one in value["observations"] if one["code"] == "evidence"]
    assert len(said) == 3
    assert ": object sha256:" in said[0]
    assert said[0].endswith("is damaged: its bytes have another digest")
    assert f"{uris[1][:31]}…: object {uris[1][10:]} is not in the store" in said[1]
    assert said[2].startswith(f"raw of {in_window[:31]}…: object sha256:")


def test_a_withheld_file_is_named_with_its_reason(story, clock):
    uri = story.run()
    entry = story.conclude(uri)
    digest = "sha256:" + story.raw_of(uri).name
    story.place.objects.withhold(type(story.place.objects.put(b""))(digest), "a secret", clock)
    (one,) = story.told("audit", code=1)["observations"]
    assert (one["index"], one["code"]) == (entry.index, "evidence")
    assert one["message"].endswith("is withheld since 2026-11-29T10:00:00.000Z: a secret")


def test_what_twelve_entries_cite_is_read_once_and_named_twelve_times(story):
    uri = story.run()
    for _ in range(12):
        story.conclude(uri)
    assert story.told("audit")["examined"]["receipts"] == 1
    story.raw_of(uri).unlink()
    value = story.told("audit", code=1)
    assert counted(value["observations"]) == {"evidence": 12}


# --- histories in which there is nothing to ask --------------------------------------------------


def nothing(story):
    pass


def attached_and_cited(story):
    story.conclude(story.run(phase="attached"))


def window_and_cited(story):
    story.conclude(story.window())


def two_plans_for_one_cell(story):
    first = story.window("c", "w1", plan="sha256:" + "1" * 64)
    second = story.window("c", "w2", plan="sha256:" + "2" * 64)
    story.conclude(first)
    story.conclude(second)


def a_golden_that_a_contract_names(story):
    story.contract(made_by=story.run())


def a_run_that_a_finding_cites(story):
    finding = {"id": "F1", "severity": "low", "status": "open"}
    story.append(kind="FINDING", **finding, evidence=[{"receipt": story.run()}])


def a_run_that_a_cause_cites(story):
    cause = {"cause": "the batch", "evidence": [{"receipt": story.run()}]}
    story.conclude(attribution=[cause])


def a_failed_run_that_a_correction_explains(story):
    story.run(phase="failed")
    failed = story.founded.head().size - 1
    assert story.founded.invoke("retract", failed, "--reason", "the disk was full").exit_code == 0
    story.conclude(story.run())


def a_failed_run_that_a_contract_follows(story):
    story.run(phase="failed")
    story.contract(follows=story.founded.entry(story.founded.head().size - 1).id)


def a_void_window_that_an_entry_rests_on(story):
    admission = story.admit("c", window="w")
    void = story.end("c", "void", admission, window="w", reason="interrupted")
    story.conclude(outcome="void", rests_on=[void.id])


def a_window_struck_with_its_reason(story):
    story.window("c", "w1")
    done = story.founded.invoke("supersede", "--window", "w1", "--reason", "a stale baseline")
    assert done.exit_code == 0
    story.conclude(story.window("c", "w2"))


def a_hypothesis_before_its_runs(story):
    opened = story.append(hypothesis="h", plan="sha256:" + "1" * 64)
    story.conclude(story.run(), answers=opened.id)


def an_open_hypothesis_without_runs(story):
    story.append(hypothesis="h")


def a_tightened_gate_after_a_failure(story):
    story.contract("30")
    story.conclude(outcome="miss", gate=[{"name": "speed", "result": "fail"}])
    story.contract("40")


def a_loosened_gate_that_never_failed(story):
    story.contract("30")
    story.conclude(gate=[{"name": "speed", "result": "pass"}])
    story.conclude(outcome="miss", gate=[{"name": "exactness", "result": "fail"}])
    story.contract("20")


def a_tightened_gate_half_way_back_without_failing_again(story):
    story.contract("30")
    story.conclude(outcome="miss", gate=[{"name": "speed", "result": "fail"}])
    story.contract("40")
    story.contract("35")


HONEST = [
    nothing,
    attached_and_cited,
    window_and_cited,
    two_plans_for_one_cell,
    a_golden_that_a_contract_names,
    a_run_that_a_finding_cites,
    a_run_that_a_cause_cites,
    a_failed_run_that_a_correction_explains,
    a_failed_run_that_a_contract_follows,
    a_void_window_that_an_entry_rests_on,
    a_window_struck_with_its_reason,
    a_hypothesis_before_its_runs,
    an_open_hypothesis_without_runs,
    a_tightened_gate_after_a_failure,
    a_loosened_gate_that_never_failed,
    a_tightened_gate_half_way_back_without_failing_again,
]


@pytest.mark.parametrize("honest", HONEST)
def test_of_an_honest_history_there_is_nothing_to_ask(story, honest):
    honest(story)
    assert story.observed() == []


# --- histories that hide something ---------------------------------------------------------------


def test_a_void_window_that_nobody_mentions_is_named(story):
    admission = story.admit("c", window="w")
    void = story.end("c", "void", admission, window="w", reason="interrupted")
    assert story.observed() == [(void.index, "unmentioned")]
    assert "this void window w of c" in story.founded.invoke("audit").stdout


def test_a_failed_run_before_the_one_that_is_cited_is_named(story):
    story.run(phase="failed")
    failed = story.founded.head().size - 1
    story.conclude(story.run())
    assert story.observed() == [(failed, "unmentioned")]


def test_a_failed_repetition_is_told_by_its_window_alone(story):
    admission = story.admit("c", window="w")
    story.run("c", phase="failed", window="w", arm="plain", repetition=0)
    void = story.end("c", "void", admission, window="w", reason="plain repetition 0 failed")
    assert story.observed() == [(void.index, "unmentioned")]


def test_a_hypothesis_written_with_its_conclusion_is_an_afterthought(story):
    for phase, word in (("finished", "admitted"), ("attached", "attached")):
        uri = story.run(phase=phase)
        entry = story.conclude(uri, hypothesis="as expected")
        assert (entry.index, "afterthought") in story.observed()
        assert f"its run was {word} at entry" in story.founded.invoke("audit").stdout


def test_a_receipt_that_is_entered_again_does_not_make_its_run_younger(story):
    uri = story.run()
    opened = story.append(hypothesis="h")
    story.end("c", "finished", story.admit(), receipt=uri)
    entry = story.conclude(uri, answers=opened.id)
    assert story.observed() == [(entry.index, "afterthought")]


def test_a_run_without_admission_is_as_old_as_its_entry(story):
    uri = story.run(phase="attached")
    second = story.run(admission=NO_ADMISSION)
    opened = story.append(hypothesis="h")
    entries = [story.conclude(one, answers=opened.id) for one in (uri, second)]
    assert story.observed() == [(entry.index, "afterthought") for entry in entries]


@pytest.mark.parametrize("between", [["30"], ["31", "30"], ["40", "30"]])
def test_stating_the_gate_once_more_does_not_hide_that_it_failed(story, between):
    story.contract("30")
    story.conclude(outcome="miss", gate=[{"name": "speed", "result": "fail"}])
    for threshold in between:
        story.contract(threshold)
    loosened = story.contract("20")
    assert (loosened.index, "loosened gate") in story.observed()


# --- the anchor flip -----------------------------------------------------------------------------

OWN = """\
title: exactness against our own digest
reference: our own decode, as it is today
golden: sha256:{golden}
gates:
- {{name: speed, metric: tps, comparison: ">=", threshold: "{threshold}", tolerance: "0.5"}}
"""


def contract(story, text, label):
    (story.founded.root / "contract.yaml").write_text(text + f"label: {label}\n")
    done = story.founded.invoke("contract", "--from", "contract.yaml", "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def flip(story, threshold):
    """Tell of an anchor flip: our own digest as golden, a failed gate, the reference's instead."""
    made = story.run("golden")
    own = OWN.format(golden="1" * 64, threshold="30") + f"made_by: {made}\n"
    contract(story, own, "OWN")
    old = story.founded.entry(story.founded.head().size - 1).id
    before = story.run("before")
    gate = {"name": "exactness", "contract": old}
    story.conclude(before, label="OLD", gate=[{**gate, "result": "pass"}], **story.moved(before))
    window = story.window("flip", "flip-1")
    differs = {"result": "fail", "detail": "another order of summation"}
    speed = {"name": "speed", "result": "pass", "contract": old}
    story.conclude(window, label="FAIL", outcome="miss", gate=[{**gate, **differs}, speed])
    flipped = OWN.format(golden="2" * 64, threshold=threshold)
    contract(story, flipped + "retires: [OWN]\nfollows: FAIL\n", "REF")
    new = story.founded.entry(story.founded.head().size - 1).id
    gate = [{"name": "exactness", "result": "pass", "contract": new}]
    story.conclude(window, label="NEW", gate=gate, **story.moved(window))
    return old


@pytest.mark.parametrize("threshold", ["30", "35"])
def test_the_anchor_flip_old_deltas_say_retired_contract_and_nothing_was_loosened(story, threshold):
    old = flip(story, threshold)
    shown = story.founded.invoke("show", "OLD")
    assert f"  retired contract: {old}\n" in shown.stdout
    assert story.told("show", "OLD")["retired_contracts"] == [old]
    assert "retired contract" not in story.founded.invoke("show", "NEW").stdout
    assert story.told("show", "NEW")["retired_contracts"] == []
    assert story.told("show", "FAIL")["retired_contracts"] == [old]
    labelled = {row.get("label"): row["index"] for row in story.told("list")}
    assert story.observed() == [(labelled["OLD"], "retired contract")]
    assert story.founded.invoke("verify").exit_code == 0


def test_the_anchor_flip_with_a_gate_loosened_that_had_not_failed_is_no_loosening(story):
    flip(story, "20")
    assert [code for _, code in story.observed()] == ["retired contract"]


def test_a_gate_that_is_loosened_after_its_failure_is_listed_with_both_thresholds(story):
    first = contract(story, OWN.format(golden="1" * 64, threshold="30"), "OWN")
    uri = story.run()
    fail = {"name": "speed", "result": "fail", "measured": "29.1", "contract": first["id"]}
    failed = story.conclude(uri, outcome="miss", gate=[fail])
    flipped = OWN.format(golden="1" * 64, threshold="29")
    second = contract(story, flipped + f"follows: '{failed.index}'\n", "REF")
    (one,) = story.told("audit", code=1)["observations"]
    assert (one["index"], one["code"]) == (second["index"], "loosened gate")
    assert one["message"] == (
        "gate speed went from tps >= 30 ± 0.5 to tps >= 29 ± 0.5 after it had failed at entry "
        f"{failed.index}"
    )
