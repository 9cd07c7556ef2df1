"""The comparator (REG-20): named, with the commit that was measured, not too old."""

from datetime import date

import pytest

from claims.judging import comparator
from claims.judging.chain import Evidence, Side
from claims.registers.model import Claim
from claims.registers.policy import Pack, Policy

TODAY = date(2026, 11, 29)
ONE = {"name": "llama.cpp", "commit": "0a1b2c3", "date": "2026-11-01"}
BASE = {
    "id": "c1",
    "kind": "change",
    "wording": "It runs at {ratio:.2f}×.",
    "metric": "decode_tok_s",
    "statistic": "ratio_of_medians",
    "evidence": [{"entry": "J1"}],
}


def objections(one=None, facts=None, **asked):
    known = {"build_commit": "0a1b2c3d4e"} if facts is None else facts
    evidence = Evidence(sides={"baseline": Side(known, {}), "candidate": Side({}, {})})
    claim = Claim.parse({**BASE, **({"comparator": one} if one else {})}, "claim")
    pack = Pack.parse({"version": 1, "name": "own", "about": "x", **asked}, "pack")
    policy = Policy((pack,)) if asked else Policy()
    return [words for _, words in comparator.objections(claim, evidence, policy, TODAY)]


@pytest.mark.parametrize(
    "facts",
    [
        {"commit": "0a1b2c3"},
        {"build_commit": "0a1b2c3d4e5f"},
        {"source": "sha256:0a1b2c3" + "0" * 57},
        {"build": "b10224 (0a1b2c3)"},
        {"engine.revision": "0A1B2C3D"},
    ],
    ids=str,
)
def test_the_commit_is_one_that_the_baseline_states(facts):
    assert objections(ONE, facts) == []


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"commit": "0a1b2c4"}, "the baseline has commit 0a1b2c4, the claim says 0a1b2c3"),
        ({"commit": "0a1b2"}, "nothing that the baseline states is a commit"),
        ({"model": "0a1b2c3"}, "nothing that the baseline states is a commit"),
        ({}, "nothing that the baseline states is a commit"),
    ],
    ids=str,
)
def test_another_commit_or_none_is_told(facts, told):
    (words,) = objections(ONE, facts)
    assert told in words


def test_a_policy_may_ask_for_a_comparator_its_commit_and_its_age():
    asked = {"say": ["comparator", "commit"], "comparator_days": 28}
    assert objections(ONE, **asked) == []
    assert "names none" in objections(None, **asked)[0]
    assert objections({**ONE, "date": "2026-10-31"}, **asked) == [
        "llama.cpp is of 2026-10-31, 29 days ago; 28 are allowed"
    ]
    assert "which is to come" in objections({**ONE, "date": "2026-11-30"}, **asked)[0]
    assert "has no date" in objections({"name": "x", "commit": "0a1b2c3"}, **asked)[0]
    assert "has no commit" in objections({"name": "x", "date": "2026-11-29"}, **asked)[0]


def test_a_comparator_that_is_to_come_is_none_under_any_policy():
    assert "which is to come" in objections({**ONE, "date": "2030-01-01"})[0]
    assert objections({**ONE, "date": "2026-11-29"}) == []


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"engine": "vLLM 0.11"}, []),
        ({"backend": "vllm"}, []),
        (
            {"engine": "llama.cpp"},
            ["the comparator is vLLM, and nothing of the baseline names vllm"],
        ),
        ({}, ["the comparator is vLLM, and nothing of the baseline names vllm"]),
    ],
    ids=str,
)
def test_an_engine_by_name_alone_is_one_that_the_baseline_names(facts, told):
    assert objections({"name": "vLLM"}, facts) == told
    assert objections({"name": "the plain loop"}, facts) == []


def test_without_a_policy_a_change_needs_none():
    assert objections() == []
