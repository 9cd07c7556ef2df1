"""The page of what was tried and given up."""

import json
import re

from claims.pages import document


def page(publisher):
    result = publisher.claims("rejected")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_rejected_reverted_and_missed_levers_are_rows_and_others_are_not(publisher):
    p = publisher
    for outcome in ("rejected", "reverted", "miss", "landed", "void"):
        p.experiment(outcome, verdict={"outcome": outcome, "sentence": f"so {outcome}"})
    listed = re.findall(r"^\| \d+ \((\w+)\)", text := page(p), re.MULTILINE)
    assert listed == ["rejected", "reverted", "miss"]
    assert "REVERTED: so reverted" in text


def test_without_any_the_page_says_so(publisher):
    assert "Nothing was rejected or reverted" in page(publisher)


def test_what_an_entry_says_is_shown_as_it_reads(publisher):
    """BAN-9."""
    p = publisher
    words = {"title": "a | b <b>", "change": "x\n* y", "lesson": "12 ms `z` ~~no~~"}
    p.experiment("R1", verdict={"outcome": "rejected"}, **words)
    read = "".join(piece.rendered for piece in document.parse(page(p)).fragments)
    assert "a | b <b>: x * y" in read
    assert "12 ms `z` ~~no~~" in read


def test_the_page_passes_its_own_check_with_the_numbers_on_it(publisher):
    """BAN-9."""
    p = publisher
    p.publish(p.level)
    p.experiment("R1", verdict={"outcome": "rejected"}, lesson="it cost 12 ms a token")
    assert p.claims("rejected", "--output", "given-up.md").exit_code == 0
    result = p.claims("check", "given-up.md", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["pages"][0]["noticed"] >= 1
    text = (p.root / "given-up.md").read_text()
    assert p.check(f"{text}\nIt cost 12 ms.\n").exit_code == 1
    assert p.check(text.replace("12 ms", "2 ms")).exit_code == 1
    assert p.check(text.replace("12 ms a token", "12  ms a token")).exit_code == 0


def test_a_row_that_was_corrected_carries_its_banner(publisher):
    p = publisher
    p.experiment("R1", verdict={"outcome": "rejected"})
    assert p.ledger("retract", "R1", "--reason", "it was the fan").exit_code == 0
    assert "**RETRACTED by entry " in page(p)


def test_nothing_is_written_from_a_ledger_that_does_not_verify(publisher):
    publisher.flip_row(30, -20)
    result = publisher.claims("rejected", "--output", "given-up.md")
    assert result.exit_code == 1
    assert not (publisher.root / "given-up.md").exists()
