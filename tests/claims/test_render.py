"""Sentences through templates, and files that are replaced whole or not at all."""

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
