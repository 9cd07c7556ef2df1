"""Honesty tags: what nobody measured says so, and never turns into a fact."""

import pytest

from claims.judging import tags
from claims.registers.model import Claim

BASE = {
    "id": "c1",
    "kind": "change",
    "wording": "Target: twice the rate.",
    "metric": "decode_tok_s",
    "statistic": "ratio_of_medians",
    "tag": "target",
}


def objection(text, **changes):
    return tags.objection(Claim.parse({**BASE, "wording": text, **changes}, "claim"), text)


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("target", "Target: twice the rate."),
        ("target", "We aim at twice the rate; it was not measured."),
        ("roadmap", "Planned: paged attention on two devices."),
        ("precedent", "A precedent, reported by the authors of the kernel."),
        ("mock", "A mock-up of the table, with placeholder cells."),
    ],
)
def test_a_labelled_statement_may_stand(tag, text):
    assert objection(text, tag=tag) is None


@pytest.mark.parametrize(
    ("tag", "text", "told"),
    [
        ("target", "Twice the rate.", "does not say so"),
        ("target", "The target is measured.", "'measured'"),
        ("roadmap", "As planned, it reached two devices.", "'reached'"),
        ("mock", "A mock that delivers the rate.", "'delivers'"),
        ("roadmap", "A target.", "does not say so"),
        ("target", "Target: {ratio:.2f}× the rate.", "its figures are unavailable"),
    ],
)
def test_what_turns_it_into_a_fact_is_told(tag, text, told):
    assert told in objection(text, tag=tag)


def test_a_claim_with_evidence_and_another_tag_is_unavailable_all_the_same():
    told = objection("Target: {ratio:.2f}× the rate.", evidence=[{"entry": "J1"}])
    assert told == "it is tagged target; its figures are unavailable"


def test_a_measured_claim_needs_no_label():
    assert objection("It is measured.", tag="measured") is None
