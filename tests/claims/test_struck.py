"""Numbers that corrections of the ledger bar (REG-24), and pages that quote them."""

from claims.judging import struck


def rows(publisher):
    with publisher.open() as ledger:
        return list(struck.read(ledger))


def delta(publisher):
    """Cite the window EXACT with the delta that `ledger add` copies; return the entry's label."""
    words = ("--title", "T", "--label", "WON", "--verdict", "landed")
    added = publisher.ledger("add", *words, "--evidence", "receipt://exact")
    assert added.exit_code == 0, added.output
    return "WON"


def told(publisher, text):
    publisher.write(publisher.level)
    return publisher.check(text, "--format", "concise").stdout


def test_nothing_is_barred_before_a_correction(publisher):
    delta(publisher)
    assert rows(publisher) == []


def test_an_amendment_bars_every_figure_of_its_metric_in_its_cells(publisher):
    label = delta(publisher)
    publisher.ledger("amend", label, "--bars", "decode_tok_s", "--reason", "a control")
    found = rows(publisher)
    assert [row.number.unit for row in found] == ["tok/s", "tok/s", "%", "×"]
    assert {(row.reason, row.metric, row.cells) for row in found} == {
        ("amended", "decode_tok_s", frozenset({"decode-v8"}))
    }
    assert "CLM505 barred-number: 1.25 × is" not in told(publisher, "It runs at 1.26×.\n")
    page = told(publisher, "It runs at 1.25×.\n\n![a plot of 24.9 %](x.png)\n")
    assert page.count("CLM505") == 2
    assert "page.md:1:12: CLM505" in page
    assert "is barred by entry" in page
    assert "CLM505" not in told(publisher, "Prefill runs at 1.25×.\n")


def test_an_amendment_of_another_metric_bars_nothing_of_this_one(publisher):
    label = delta(publisher)
    publisher.ledger("amend", label, "--bars", "prefill_tok_s", "--reason", "a control")
    assert rows(publisher) == []


def test_what_is_superseded_or_retracted_is_barred_until_that_is_taken_back(publisher):
    label = delta(publisher)
    publisher.ledger("retract", label, "--reason", "the fan had stopped")
    found = rows(publisher)
    assert {row.reason for row in found} == {"retracted"}
    publisher.ledger("retract", str(found[0].entry), "--reason", "it ran")
    assert rows(publisher) == []
    publisher.ledger("supersede", label, "--replacement", "EXACT", "--reason", "again")
    assert {row.reason for row in rows(publisher)} == {"superseded"}


def test_a_claim_that_holds_by_other_evidence_may_have_the_same_number(publisher):
    label = delta(publisher)
    publisher.ledger("retract", label, "--reason", "recorded twice")
    (sentence,) = publisher.publish(publisher.change)
    assert "1.25×" in sentence
    page = publisher.check(f"{sentence}<!--claim:tuned-->\n")
    assert page.exit_code == 0, page.stdout


def test_the_correction_of_a_claims_own_evidence_is_told_once(publisher):
    claim = {**publisher.change, "evidence": [{"entry": delta(publisher)}]}
    (sentence,) = publisher.publish(claim)
    publisher.ledger("retract", "WON", "--reason", "the fan had stopped")
    checked = publisher.check(f"{sentence}<!--claim:tuned-->\n", "--format", "concise")
    page = checked.stdout
    assert (page.count("CLM502"), page.count("CLM505")) == (1, 0)
