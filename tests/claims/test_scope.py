"""Scope of both sides of a ratio (REG-19): what they share, and what each has of its own."""

import pytest

from claims.judging import scope
from claims.judging.chain import Evidence, Side
from claims.registers.model import Claim

BASE = {
    "id": "c1",
    "kind": "change",
    "wording": "It runs at {ratio:.2f}×.",
    "metric": "decode_tok_s",
    "statistic": "ratio_of_medians",
    "evidence": [{"entry": "J1"}],
}


def objections(baseline, candidate, config=({}, {}), **changes):
    """Return the objections to a claim over two sides with these facts and settings."""
    sides = {
        "baseline": Side({**baseline, **config[0]}, config[0]),
        "candidate": Side({**candidate, **config[1]}, config[1]),
    }
    shared = {name: value for name, value in baseline.items() if candidate.get(name) == value}
    claim = Claim.parse({**BASE, **changes}, "claim")
    return list(scope.objections(claim, Evidence(facts=shared, sides=sides)))


def test_what_both_sides_share_is_of_both():
    assert objections({"lane": "greedy"}, {"lane": "greedy"}, scope={"lane": "greedy"}) == []


def test_a_fact_on_which_they_differ_is_told_with_both_values():
    (found,) = objections({"engine": "a"}, {"engine": "b"}, scope={"engine": "a"})
    assert found == (
        "CLM204",
        "the baseline has engine 'a', the candidate 'b': "
        "say it in baseline_scope and candidate_scope",
    )


def test_each_side_has_a_scope_of_its_own():
    own = {"baseline_scope": {"engine": "a"}, "candidate_scope": {"engine": "b"}}
    assert objections({"engine": "a"}, {"engine": "b"}, **own) == []
    swapped = {"baseline_scope": {"engine": "b"}, "candidate_scope": {"engine": "a"}}
    codes = [code for code, _ in objections({"engine": "a"}, {"engine": "b"}, **swapped)]
    assert codes == ["CLM201", "CLM201"]


@pytest.mark.parametrize("name", ["prompt_tokens", "request.n_predict", "prompt_sha256", "seed"])
def test_work_that_differs_makes_two_measurements_unless_the_scopes_say_so(name):
    apart = ({name: 512}, {name: 1024})
    assert [code for code, _ in objections({}, {}, apart)] == ["CLM204"]
    assert [code for code, _ in objections({}, {}, ({name: 512}, {}))] == ["CLM204"]
    own = {"baseline_scope": {name: 512}, "candidate_scope": {name: 1024}}
    assert objections({}, {}, apart, **own) == []


@pytest.mark.parametrize("name", ["command", "settings.n_ctx", "endpoint", "server_boundaries"])
def test_how_a_server_was_started_and_what_it_reports_is_no_work(name):
    assert objections({}, {}, ({name: "a"}, {name: "b"})) == []


def test_differences_that_a_sentence_can_say_are_neither_digests_nor_words():
    ours = {"engine": "a", "build": "sha256:1", "command": "x", "settings.n": "1", "seed": 0}
    theirs = {"engine": "b", "build": "sha256:2", "command": "y", "settings.n": "2", "seed": 0}
    sides = {"baseline": Side(ours, {}), "candidate": Side(theirs, {})}
    assert scope.all_differences(sides) == ["engine"]
