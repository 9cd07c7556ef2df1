"""Plans of several cells, anchors before the first pair, and A/A windows for the noise."""

import json
import re

import pytest

from engine.progress import decode
from receipts.predicates import WindowPredicate


def plan(publisher, name="matrix", **changes):
    """Write the plan of EXACT under another name with these fields changed; None leaves one out."""
    fields = json.loads((publisher.root / "exact.yaml").read_text()) | {"name": name}
    if "baseline" in changes:
        fields["anchors"][0]["command"] = changes["baseline"]["command"]
    fields |= changes
    fields = {key: value for key, value in fields.items() if value is not None}
    path = publisher.root / f"{name}.yaml"
    path.write_text(json.dumps(fields))
    return path


def arms(publisher, word):
    """Return both arms with their first argument replaced by this word and the arm."""
    fields = json.loads((publisher.root / "exact.yaml").read_text())
    changed = {}
    for role, side in (("baseline", "plain"), ("candidate", "tuned")):
        command = [*fields[role]["command"][:-2], f"{{{word}-{side}}}", "{raw}"]
        changed[role] = {"arm": side, "command": command}
    return changed


def cells(*names, **more):
    return [
        {"cell": name, "words": {"x-plain": f"{name}-plain", "x-tuned": f"{name}-tuned"}, **more}
        for name in names
    ]


def walk(publisher, path, code=0, *words):
    result = publisher.engine("ab", path, "--execute", *words, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def window(publisher, name):
    predicate = publisher.receipt(name).predicate
    assert isinstance(predicate, WindowPredicate)
    return predicate


def test_every_cell_of_a_plan_is_a_window_of_its_own_under_one_plan(publisher):
    path = plan(publisher, cell=None, cells=cells("d512", "d1024"), **arms(publisher, "x"))
    shown = walk(publisher, path)

    names = [one["window"] for one in shown["windows"]]
    assert names == ["matrix-1.d512", "matrix-1.d1024"]
    (matrix,) = shown["matrix"]
    assert (matrix["passed"], matrix["findings"]) == (True, [])
    found = [window(publisher, name) for name in names]
    assert [one.cell for one in found] == ["d512", "d1024"]
    assert len({one.plan for one in found}) == 1
    assert found[0].scope == {"lane": "greedy", "x-plain": "d512-plain", "x-tuned": "d512-tuned"}


def test_a_cell_that_is_not_exact_does_not_stop_the_others_and_the_answer_is_no(publisher):
    listed = cells("other", "d1024")
    path = plan(publisher, cell=None, cells=listed, **arms(publisher, "x"))
    shown = walk(publisher, path, 1)
    assert [one["exactness"]["result"] for one in shown["windows"]] == ["differs", "exact"]
    assert [len(one["comparisons"]) for one in shown["windows"]] == [0, 1]
    (matrix,) = shown["matrix"]
    assert not matrix["passed"]
    assert [found["kind"] for found in matrix["findings"]] == ["NOT_EXACT"]


def test_a_slower_cell_is_a_miss_in_its_own_words_and_nothing_passes(publisher):
    listed = cells("d512", "d1024")
    listed[1]["words"] = {"x-plain": "d1024-tuned", "x-tuned": "d1024-plain"}
    path = plan(publisher, cell=None, cells=listed, anchors=None, **arms(publisher, "x"))
    text = publisher.engine("ab", path, "--execute").stdout
    assert "decode_tok_s, lane greedy: ratio 0.8" in text
    assert "minimum 0.8" in text
    assert "MISS: " in text
    assert "PASS" not in text


def test_a_claim_on_one_cell_of_a_matrix_holds(publisher):
    path = plan(publisher, cell=None, cells=cells("d512", "d1024"), **arms(publisher, "x"))
    walk(publisher, path)
    publisher.experiment("DEEP", "receipt://matrix-1.d512")
    assert publisher.codes(publisher.change, evidence=[{"entry": "DEEP"}]) == []


def test_plan_16_an_anchor_of_the_window_that_misses_makes_it_void_before_the_first_pair(publisher):
    narrow = ["--evidence", "receipt://anchored", "--metric", "decode_tok_s", "--tolerance", "0"]
    assert publisher.engine("anchor", "record", "narrow", *narrow).exit_code == 0
    fields = json.loads((publisher.root / "exact.yaml").read_text())
    wanted = [{**fields["anchors"][0], "record": "narrow", "validates": "window"}]
    shown = walk(publisher, plan(publisher, anchors=wanted), 1)

    assert re.match(
        r"anchor narrow of the window missed: decode_tok_s [\d.]+ against", shown["void"]
    )
    assert "comparisons" not in shown


def test_an_anchor_of_another_binary_condemns_the_baseline(publisher):
    fields = json.loads((publisher.root / "exact.yaml").read_text())
    script = publisher.root / "run.sh"
    script.write_text('#!/bin/sh\nexec "$@"\n')
    script.chmod(0o755)
    other = {"arm": "plain", "command": [str(script), *fields["baseline"]["command"]]}
    result = publisher.engine("ab", plan(publisher, baseline=other), "--execute")
    assert "anchor plain-anchor of the baseline other-binary" in result.stdout
    assert "BASELINE_CONDEMNED: no delta over this baseline counts" in result.stdout
    assert "INVALID: failed: its baseline is not the recorded one" in result.stdout
    again = publisher.engine("report", "matrix-1").stdout
    assert "INVALID: failed: its baseline is not the recorded one" in again
    assert not re.search("FASTER|PASS", result.stdout + again)


def test_cells_over_a_condemned_baseline_do_not_pass(publisher):
    script = publisher.root / "run.sh"
    script.write_text('#!/bin/sh\nexec "$@"\n')
    script.chmod(0o755)
    sides = arms(publisher, "x")
    sides["baseline"]["command"].insert(0, str(script))
    path = plan(publisher, cell=None, cells=cells("d512", "d1024"), **sides)
    shown = publisher.engine("ab", path, "--execute").stdout
    assert "CONDEMNED: d512: its baseline is not the recorded one" in shown
    assert "no cell counts" in shown
    assert not re.search("FASTER|PASS", shown)


def test_every_cell_is_held_against_a_value_of_its_own(publisher):
    said = ["--evidence", "receipt://anchored", "--metric", "decode_tok_s", "--tolerance", "0.4"]
    assert publisher.engine("anchor", "record", "deep", *said).exit_code == 0
    sides = arms(publisher, "x")
    own = {"validates": "baseline", "command": sides["baseline"]["command"]}
    wanted = [{"record": "plain-anchor", "cell": "d512", **own}, {"record": "deep", **own}]
    wanted[1]["cell"] = "d1024"
    listed = cells("d512", "d1024")
    walk(publisher, plan(publisher, cell=None, cells=listed, **sides, anchors=wanted))
    held = [window(publisher, f"matrix-1.{cell}").anchors for cell in ("d512", "d1024")]
    assert [[one.record for one in each] for each in held] == [["plain-anchor"], ["deep"]]

    forgotten = plan(publisher, cell=None, cells=listed, **sides, anchors=wanted[:1])
    assert walk(publisher, forgotten)["windows"][1]["standing"] == "unanchored"


def test_a_plan_of_several_cells_is_walked_again_under_the_next_number(publisher):
    path = plan(publisher, cell=None, cells=cells("d512", "d1024"), **arms(publisher, "x"))
    walk(publisher, path)
    names = [one["window"] for one in walk(publisher, path)["windows"]]
    assert names == ["matrix-2.d512", "matrix-2.d1024"]


def test_the_terms_of_a_window_are_those_of_every_command_of_it(publisher):
    path = plan(publisher)
    words = ["ab", path, "--deadline", "120", "--admit-profiler"]
    shown = json.loads(publisher.engine(*words, "--json").stdout)
    assert (shown["deadline_seconds"], shown["profiler_admitted"]) == (120, True)
    assert "deadline  120 s" in publisher.engine(*words).stdout
    publisher.engine(*words, "--execute")
    for repetition in window(publisher, "matrix-1").repetitions:
        terms = publisher.receipt(repetition.receipt).predicate.apparatus.terms
        assert (terms["deadline_seconds"], terms["profiler_admitted"]) == ("120", True)


@pytest.mark.parametrize("words", [["ab"], ["noise", "--windows", "1"]])
def test_a_device_that_is_not_there_is_refused_before_anything_runs(publisher, words):
    result = publisher.engine(*words, plan(publisher), "--device", "GPU-nowhere", "--execute")
    assert result.exit_code in (3, 4, 75), result.output
    assert "GPU-nowhere" in result.stderr
    told = publisher.ledger("list", "--kind", "RUN", "--last", "1").stdout
    assert "refused" in told


@pytest.mark.parametrize("windows", ["0", "-1"])
def test_a_noise_of_no_windows_is_refused(publisher, windows):
    result = publisher.engine("noise", plan(publisher), "--windows", windows, "--execute")
    assert result.exit_code == 2
    assert "--windows" in result.stderr


def test_without_an_anchor_the_window_says_so(publisher):
    result = publisher.engine("ab", plan(publisher, anchors=None), "--execute")
    assert "unanchored: no recorded value stands behind the baseline" in result.stdout


def test_the_entry_of_a_window_says_what_its_anchors_made_of_it(publisher):
    walk(publisher, plan(publisher, anchors=None))
    added = publisher.ledger(
        *("add", "--label", "U1", "--title", "unanchored", "--verdict", "observation: so"),
        *("--evidence", "receipt://matrix-1"),
    )
    assert added.exit_code == 0, added.output
    assert ", unanchored" in publisher.ledger("show", "U1").stdout


def test_a_fixture_says_what_it_cannot_show(publisher):
    fixture = {"kind": "synthetic", "generator": "cycle of 8", "cannot_see": ["lost context"]}
    result = publisher.engine("ab", plan(publisher, fixture=fixture), "--execute")
    assert "synthetic fixture, cannot see lost context" in result.stdout


def test_the_noise_of_every_cell_is_recorded_with_its_windows(publisher):
    path = plan(publisher, cell=None, cells=cells("d512", "d1024"), **arms(publisher, "x"))
    result = publisher.engine("noise", path, "--windows", "2", "--execute", "--json")
    assert result.exit_code == 0, result.output
    bodies = json.loads(result.stdout)

    assert [body["gates"][0]["name"] for body in bodies] == ["d512", "d1024"]
    assert all("from 2 A/A differences" in body["title"] for body in bodies)
    assert all(window(publisher, f"matrix-aa-{n}").control for n in (1, 2, 3, 4))


def test_a_recorded_value_is_measured_again(publisher):
    fields = json.loads((publisher.root / "exact.yaml").read_text())
    command = fields["anchors"][0]["command"]
    held = publisher.engine("anchor", "check", "plain-anchor", "--execute", "--", *command)
    assert held.exit_code == 0, held.output
    assert "anchor plain-anchor of the baseline held" in held.stdout
    narrow = ["--evidence", "receipt://anchored", "--metric", "decode_tok_s", "--tolerance", "0"]
    publisher.engine("anchor", "record", "narrow", *narrow)
    other = [*command[:-2], "exact-tuned", "{raw}"]
    missed = publisher.engine("anchor", "check", "narrow", "--execute", "--", *other)
    assert missed.exit_code == 1
    assert "missed" in missed.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--metric", "ttft", "--tolerance", "0.1"], "has 0 figures of ttft there; it has"),
        (["--metric", "decode_tok_s", "--tolerance", "2"], "is no share of the value"),
    ],
)
def test_an_anchor_that_records_nothing_is_refused(publisher, words, said):
    result = publisher.engine("anchor", "record", "a", "--evidence", "receipt://anchored", *words)
    assert result.exit_code == 4
    assert said in result.stderr


def test_an_anchor_that_allows_everything_is_none(publisher):
    gate = {"name": "huge", "metric": "decode_tok_s", "comparison": "==", "threshold": "1"}
    fields = {"kind": "CONTRACT", "label": "huge", "reference": "anchor"}
    publisher.append(**fields, gates=[{**gate, "tolerance": "9999"}])
    own = json.loads((publisher.root / "exact.yaml").read_text())["baseline"]["command"]
    wanted = [{"record": "huge", "validates": "baseline", "command": own}]
    result = publisher.engine("ab", plan(publisher, anchors=wanted), "--execute")
    assert result.exit_code == 4
    assert "anchor huge allows 9999 of its value; a tolerance is a share below 1" in result.stderr


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cells": [{"cell": "a"}]}, "give either cell or cells"),
        ({"cell": None, "cells": [{"cell": "a"}, {"cell": "a"}]}, "two cells have one name"),
        ({"engagement": [{"arm": "fast", "log": "x"}]}, "no arm is called fast"),
        ({"engagement": [{"arm": "tuned"}]}, "give log or states"),
        ({"engagement": [{"arm": "tuned", "states": {}}]}, "give log or states"),
        ({"engagement": [{"arm": "tuned", "log": "("}]}, "is no regular expression"),
        ({"engagement": [{"arm": "tuned", "log": ".*"}]}, "holds of an empty log"),
        (
            {"cell": None, "cells": [{"cell": "a"}, {"cell": "b", "words": {"unused": 1}}]},
            "cell b runs the very commands of cell a",
        ),
        ({"version": 1}, "needs version: 2"),
        ({"fixture": {"kind": "natural", "generator": "g", "cannot_see": []}}, "cannot_see"),
        ({"anchors": [{"record": "nobody", "validates": "window", "command": ["x"]}]}, "nobody"),
        (
            {"anchors": [{"record": "a", "cell": "x", "validates": "window", "command": ["x"]}]},
            "no cell is called x",
        ),
        (
            {"anchors": [{"record": "a", "validates": "baseline", "command": ["x"]}]},
            "in cell decode-v8 no anchor runs the baseline's own command, so none vouches for it",
        ),
    ],
)
def test_a_plan_that_contradicts_itself_starts_nothing(publisher, changes, said):
    path = plan(publisher, **changes)
    before = publisher.ledger("list", "--json").stdout
    result = publisher.engine("ab", path, "--execute")
    assert result.exit_code == 4
    assert said in result.stderr
    assert publisher.ledger("list", "--json").stdout == before


def gate(publisher, word, threshold="0.99"):
    """Return a gate whose broken arm runs the decoder with this word."""
    fields = json.loads((publisher.root / "exact.yaml").read_text())
    command = [*fields["baseline"]["command"][:-2], word, "{raw}"]
    return [{"name": "tokens", "threshold": threshold, "defect": "wrong token", "broken": command}]


def test_a_gate_that_fails_its_broken_arm_is_sound_and_scores_the_candidate(publisher):
    result = publisher.engine(
        "ab", plan(publisher, gates=gate(publisher, "other-tuned")), "--execute"
    )
    assert "gate tokens is sound (self 1, wrong token 0.75, candidate 1; threshold 0.99)" in (
        result.stdout
    )


def test_plan_18_a_gate_that_passes_its_broken_arm_cannot_see_the_defect(publisher):
    result = publisher.engine(
        "ab", plan(publisher, gates=gate(publisher, "exact-plain")), "--execute"
    )
    assert "gate tokens cannot see this defect: wrong token (self 1, wrong token 1)" in (
        result.stdout
    )
    (found,) = window(publisher, "matrix-1").gates
    assert found.result == "blind"


def test_every_step_of_a_window_is_told_as_it_happens_and_no_time_is(publisher):
    plan(publisher)
    done = publisher.process("engine", "ab", "matrix.yaml", "--execute", "--progress-lines")
    assert done.returncode == 0, done.stderr
    events = [decode(line.encode()) for line in done.stderr.splitlines()]

    assert [event.status for event in events] == ["start", "ok"] * 11
    assert events[0].data == {"window": "matrix-1", "arm": "anchor.plain-anchor", "repetition": 0}
    assert {event.step for event in events} == {"repetition/v1"}
