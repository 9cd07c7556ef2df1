"""Findings: opened, closed with evidence and a fence, opened again; never waived."""

import json

import pytest

TITLE = ("--title", "It leaks")
CLOSE = ("--evidence", "receipt://cells", "--fence", "A test holds it")


def run(publisher, *words):
    result = publisher.claims("findings", *words)
    assert result.exit_code == 0, result.output
    return result


def listed(publisher, *options):
    return json.loads(run(publisher, "list", "--json", *options).stdout)


def states(publisher):
    return {one["id"]: one["status"] for one in listed(publisher)}


def test_a_finding_is_opened_closed_and_opened_again_by_new_rows(publisher):
    """RLS-2."""
    run(publisher, "open", "F1", "--severity", "medium", *TITLE)
    assert states(publisher) == {"F1": "open"}
    run(publisher, "close", "F1", *CLOSE)
    (found,) = listed(publisher)
    assert (found["status"], found["resolution"]) == ("closed", "A test holds it")
    assert listed(publisher, "--open") == []
    run(publisher, "open", "F1")
    (found,) = listed(publisher, "--open")
    assert (found["severity"], found["title"], len(found["entries"])) == ("medium", "It leaks", 3)


@pytest.mark.parametrize("severity", ["high", "critical"])
def test_a_grave_finding_is_closed_by_an_operator(publisher, severity):
    """RLS-3."""
    run(publisher, "open", "F1", "--severity", severity, *TITLE)
    key = publisher.key_file("engineer")
    result = publisher.claims("findings", "close", "F1", *CLOSE, "--key", key)
    assert result.exit_code == 1
    assert "is not operator" in result.stderr
    assert states(publisher) == {"F1": "open"}
    run(publisher, "close", "F1", *CLOSE)
    assert states(publisher) == {"F1": "closed"}


def test_an_engineer_may_close_what_is_not_grave(publisher):
    run(publisher, "open", "F1", "--severity", "medium", *TITLE)
    run(publisher, "close", "F1", *CLOSE, "--key", publisher.key_file("engineer"))
    assert states(publisher) == {"F1": "closed"}


def test_how_grave_a_finding_is_cannot_be_talked_down(publisher):
    """RLS-3."""
    run(publisher, "open", "F1", "--severity", "critical", *TITLE)
    row = {"kind": "FINDING", "id": "F1", "severity": "low"}
    cited = [{"receipt": publisher.uri("cells")}]
    publisher.append("engineer", **row, status="closed", resolution="small", evidence=cited)
    (found,) = listed(publisher)
    assert (found["severity"], found["status"]) == ("critical", "open")
    assert "by a key that is no operator's" in found["why_open"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("close", "F1", "--fence", "x"), 2, "--evidence"),
        (("close", "F1", "--evidence", "receipt://cells"), 2, "--fence"),
        (
            ("close", "F1", "--evidence", "receipt://no", "--fence", "x"),
            4,
            "no run in this ledger",
        ),
        (("close", "F1", "--evidence", "notes.txt", "--fence", "x"), 4, "is not of the form"),
        (("close", "F1", *CLOSE[:2], "--fence", " - "), 4, "a fence is a sentence"),
        (("close", "F2", *CLOSE), 4, "no finding is called 'F2'"),
        (("open", "F1", "--severity", "low", *TITLE), 4, "finding F1 is open since entry"),
        (("open", "F2", "--severity", "low"), 4, "is new: give --severity and --title"),
        (("open", "F2", *TITLE), 4, "is new: give --severity and --title"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(publisher, words, code, message):
    run(publisher, "open", "F1", "--severity", "low", *TITLE)
    before = listed(publisher)
    result = publisher.claims("findings", *words)
    assert result.exit_code == code
    assert message in result.output
    assert listed(publisher) == before


def test_closing_on_a_receipt_that_is_gone_is_refused(publisher):
    """RLS-2."""
    run(publisher, "open", "F1", "--severity", "low", *TITLE)
    publisher.file_of(publisher.uri("cells")).unlink()
    assert publisher.claims("findings", "close", "F1", *CLOSE).exit_code == 4
    assert states(publisher) == {"F1": "open"}


def test_closing_what_is_closed_is_a_conflict(publisher):
    run(publisher, "open", "F1", "--severity", "low", *TITLE)
    run(publisher, "close", "F1", *CLOSE)
    result = publisher.claims("findings", "close", "F1", *CLOSE)
    assert result.exit_code == 4
    assert "was closed by entry" in result.stderr


def test_what_came_in_closed_is_history_and_what_came_in_open_is_open(publisher):
    """RLS-4."""
    row = {"severity": "high", "title": "It leaks", "resolution": "fixed"}
    rows = [{**row, "id": "OLD", "status": "closed"}, {**row, "id": "NEW", "status": "open"}]
    (publisher.root / "findings.json").write_text(json.dumps({"findings": rows}))
    assert publisher.ledger("import-findings", "findings.json").exit_code == 0
    assert states(publisher) == {"OLD": "closed", "NEW": "open"}
    run(publisher, "open", "OLD")
    assert states(publisher)["OLD"] == "open"
    run(publisher, "close", "OLD", *CLOSE)
    assert states(publisher)["OLD"] == "closed"
