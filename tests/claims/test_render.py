"""Sentences through templates, and files that are replaced whole or not at all."""

import json

import pytest

from claims import render

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
UNSEALED = "Unsealed engineering evidence: no release was sealed over these sentences."


def judged(publisher, *claims):
    """Return the judgements of approved claims, as of a machine that was idle."""
    publisher.publish(*claims)
    found = [publisher.judge(claim, approval=True) for claim in claims]
    for done in found:
        done.evidence.links = [link for link in done.evidence.links if link.kind != "taint"]
    return found


def test_text_names_entry_and_approval_and_says_that_it_is_unsealed(publisher):
    (done,) = judged(publisher, publisher.level)
    text = render.render([done], "text", "ledger: verified")
    entry, approved = done.evidence.entry.index, done.approved_by
    assert text == (
        f"{LEVEL}\n    [prefill: entry {entry}, approved by entry {approved}]\n"
        f"\n{UNSEALED} ledger: verified.\n"
    )


def test_markdown_glues_each_marker_to_its_sentence(publisher):
    done = judged(publisher, publisher.level, publisher.change)
    assert render.render(done, "markdown", "").splitlines() == [
        f"{LEVEL}<!--claim:prefill-->",
        "",
        "The tuned decoder runs at 1.25× the plain one (n = 5).<!--claim:tuned-->",
        "",
        f"*{UNSEALED}*",
    ]


@pytest.mark.parametrize("output", render.FORMATS)
def test_what_does_not_hold_is_nowhere_in_the_output(publisher, output):
    refused = publisher.judge(forbidden=["reaches"])
    assert refused.sentence == LEVEL
    assert render.render([refused], output, "ledger: verified").strip() == ""


@pytest.mark.parametrize(
    "wording",
    [
        "Prefill <b>reaches</b> {value:.1f} {unit} (n = {n}).",
        "Prefill | decode * both * reach {value:.1f} {unit} (n = {n}).",
        "Prefill with `Q4_K_M` and __init__ reaches {value:.1f} {unit} (n = {n}).",
        "# Prefill reaches {value:.1f} {unit} &amp; [more](x) (n = {n}).",
        "Prefill<!--claim:other--> reaches {value:.1f} {unit} (n = {n}).",
        "> Prefill ~~never~~ reaches \\{scope.cell} {value:.1f} {unit} (n = {n}).",
        "<script>alert('x')</script> Prefill reaches {value:.1f} {unit} (n = {n}).",
    ],
)
def test_markup_in_a_wording_is_text_and_the_page_passes_its_own_check(publisher, wording):
    claim = {**publisher.level, "wording": wording, "scope": {"cell": "pp2048"}}
    (sentence,) = publisher.publish(claim)
    result = publisher.claims("render", "--format", "markdown", "--output", "page.md")
    assert result.exit_code == 0
    checked = publisher.claims("check", "page.md")
    assert checked.exit_code == 0, checked.output
    assert sentence in publisher.claims("render").stdout


def test_a_withdrawn_claim_stays_beside_the_surviving_ones_with_its_reason(publisher):
    p = publisher
    p.publish(p.level, p.change)
    assert p.claims("withdraw", "tuned", "--reason", "the *fan* was off").exit_code == 0
    result = p.claims("render")
    assert result.exit_code == 0
    assert f"{LEVEL}\n" in result.stdout
    assert "\nWithdrawn:\nThe tuned decoder runs at 1.25×" in result.stdout
    assert ": the *fan* was off.]" in result.stdout


def test_a_rendered_page_with_withdrawn_claims_passes_its_own_check(publisher):
    p = publisher
    p.publish(p.level, p.change)
    assert p.claims("withdraw", "tuned", "--reason", "at 5 ms | it was off").exit_code == 0
    words = ("render", "--format", "markdown", "--output", "page.md")
    assert p.claims(*words).exit_code == 0
    text = (p.root / "page.md").read_text()
    assert "## Withdrawn" in text
    assert p.claims("check", "page.md").exit_code == 0
    assert p.check(text.replace("1.25", "1.35")).exit_code == 1


def test_a_withdrawn_claim_that_is_asked_for_by_name_is_refused(publisher):
    p = publisher
    p.publish(p.level)
    assert p.claims("withdraw", "prefill", "--reason", "a doubt").exit_code == 0
    result = p.claims("render", "prefill")
    assert result.exit_code == 1
    assert "CLM401" in result.stderr


def test_a_claim_whose_evidence_fell_and_that_nobody_withdrew_is_refused(publisher):
    p = publisher
    p.publish(p.level, p.change)
    assert p.ledger("retract", "EXACT", "--reason", "hot").exit_code == 0
    assert p.claims("render").exit_code == 1


def test_withdrawn_claims_are_told_as_values_too_and_alone_they_are_no_yes(publisher):
    p = publisher
    p.publish(p.level)
    assert p.claims("withdraw", "prefill", "--reason", "a doubt").exit_code == 0
    result = p.claims("render", "--json")
    assert result.exit_code == 1
    (value,) = json.loads(result.stdout)
    assert (value["claim"], value["holds"], value["reason"]) == ("prefill", False, "a doubt")
    assert value["sentence"] == LEVEL
