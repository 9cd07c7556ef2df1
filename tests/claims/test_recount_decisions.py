"""Whether an outcome follows from gates and deltas, asked apart from whether figures are right."""

import json

import pytest


def delta_of(publisher, window="exact"):
    """Return the delta that `ledger add` writes for a window."""
    words = ("add", "--title", "t", "--label", f"T-{window}", "--verdict", "measured-only")
    assert publisher.ledger(*words, "--evidence", f"receipt://{window}").exit_code == 0
    return json.loads(publisher.ledger("show", f"T-{window}", "--json").stdout)["body"]["delta"][0]


def decided(publisher):
    """Return exit code, the verdict on decisions, and the last one with its reason."""
    result = publisher.claims("audit", "--json")
    report = json.loads(result.stdout)
    last = report["decisions"][-1] if report["decisions"] else {"word": "none", "why": ""}
    return result.exit_code, report["decision_verdict"], last["word"], last["why"]


def conclude(publisher, outcome, window="exact", **fields):
    """Append an entry with the honest delta of a window and this outcome."""
    delta = delta_of(publisher, window)
    cited = [{"receipt": delta["runs"][0]}]
    body = {"delta": [delta], "evidence": cited, "verdict": {"outcome": outcome}} | fields
    return publisher.append("engineer", kind="ENTRY", label="DONE", **body)


@pytest.mark.parametrize("outcome", ["pass", "landed"])
def test_a_win_follows_from_a_delta_for_the_better(outcome, publisher):
    conclude(publisher, outcome)
    told = decided(publisher)
    assert told == (0, "holds", "follows", "decode_tok_s moved for the better")


def test_a_win_over_a_baseline_without_an_anchor_is_left_open(publisher):
    uri = publisher.altered("exact", anchors=None)
    delta = delta_of(publisher) | {"runs": [uri], "standing": "unanchored"}
    body = {"delta": [delta], "evidence": [{"receipt": uri}], "verdict": {"outcome": "landed"}}
    publisher.append("engineer", kind="ENTRY", label="DONE", **body)
    told = decided(publisher)
    assert told == (0, "undecided", "undecided", "the baseline of decode_tok_s is not anchored")


@pytest.mark.parametrize("outcome", ["measured-only", "observation", "void"])
def test_some_outcomes_decide_nothing(outcome, publisher):
    conclude(publisher, outcome)
    assert decided(publisher) == (0, "undecided", "none", "")


@pytest.mark.parametrize("outcome", ["miss", "rejected", "reverted"])
def test_a_loss_over_deltas_for_the_better_is_left_open(outcome, publisher):
    conclude(publisher, outcome)
    code, verdict, word, why = decided(publisher)
    assert (code, verdict, word) == (0, "undecided", "undecided")
    assert why.startswith("every delta is for the better")


def test_a_win_over_a_gate_that_failed_does_not_follow(publisher):
    gate = [{"name": "latency", "result": "fail"}]
    conclude(publisher, "pass", gate=gate)
    assert decided(publisher) == (1, "fails", "does not follow", "the gate latency failed")


def test_a_loss_over_a_gate_that_failed_follows(publisher):
    conclude(publisher, "miss", gate=[{"name": "latency", "result": "fail"}])
    assert decided(publisher) == (0, "holds", "follows", "the gate latency failed")


def test_a_win_is_judged_by_the_rows_and_not_by_what_is_printed(publisher):
    uri = turned_window(publisher)
    delta = delta_of(publisher) | {"runs": [uri]}
    body = {"delta": [delta], "evidence": [{"receipt": uri}], "verdict": {"outcome": "landed"}}
    publisher.append("engineer", kind="ENTRY", label="DONE", **body)
    code, verdict, word, why = decided(publisher)
    assert (code, verdict, word) == (1, "fails", "does not follow")
    assert why == "nothing moved for the better: decode_tok_s"


def turned_window(publisher):
    """Return the URI of a window whose arms are the other way round, figures left out."""
    return publisher.altered(
        "exact", baseline="tuned", candidate="plain", anchors=None, comparisons=[]
    )


def test_a_win_over_a_condemned_baseline_does_not_follow(publisher):
    anchors = [
        one.model_copy(update={"recorded": "1"})
        for one in publisher.receipt("exact").predicate.anchors
    ]
    contract = publisher.append(
        kind="CONTRACT",
        label="low",
        reference="anchor",
        made_by=publisher.uri("anchored"),
        gates=[
            {
                "name": "low",
                "metric": "decode_tok_s",
                "comparison": "==",
                "threshold": "1",
                "tolerance": "0.5",
            }
        ],
    )
    anchors = [one.model_copy(update={"contract": contract.id}) for one in anchors]
    uri = publisher.altered("exact", anchors=anchors)
    delta = delta_of(publisher) | {"runs": [uri]}
    body = {"delta": [delta], "evidence": [{"receipt": uri}], "verdict": {"outcome": "landed"}}
    publisher.append("engineer", kind="ENTRY", label="DONE", **body)
    report = json.loads(publisher.claims("audit", "--json").stdout)
    last = report["decisions"][-1]
    assert last["why"] == "the baseline of decode_tok_s is condemned by its anchor"
    found = {one["field"]: (one["printed"], one["recomputed"]) for one in report["differences"]}
    assert found["anchor plain-anchor.result"] == ("held", "missed")
    assert found["delta.0 decode_tok_s.standing"] == ("anchored", "condemned")
    assert found["anchor low threshold"] == ("1", "1000000")


CONTRACT = {"metric": "decode_tok_s", "threshold": "100"}


@pytest.mark.parametrize(
    ("comparison", "tolerance", "measured", "holds"),
    [
        (">=", None, "100", True),
        (">", None, "100", False),
        (">=", "1", "99", True),
        (">=", "1", "98.9", False),
        ("<=", None, "100", True),
        ("<", None, "100", False),
        ("==", "0.5", "100.5", True),
        ("==", "0.5", "100.6", False),
    ],
)
@pytest.mark.parametrize("said", ["pass", "fail"])
def test_a_gate_says_what_its_contract_makes_of_the_value(
    comparison, tolerance, measured, holds, said, shared_publisher
):
    slack = {"tolerance": tolerance} if tolerance else {}
    fixed = CONTRACT | {"name": "speed", "comparison": comparison} | slack
    contract = shared_publisher.append(kind="CONTRACT", gates=[fixed]).id
    gate = {"name": "speed", "result": said, "contract": contract, "measured": measured}
    outcome = "pass" if said == "pass" else "miss"
    shared_publisher.append("engineer", kind="ENTRY", gate=[gate], verdict={"outcome": outcome})
    _, _, word, why = decided(shared_publisher)
    honest = (said == "pass") == holds
    assert word == ("follows" if honest else "does not follow")
    assert honest or why == f"gate speed says {said}, its contract makes " + (
        f"{'pass' if holds else 'fail'} of {measured}"
    )


def test_a_decision_that_was_taken_back_is_no_longer_judged(publisher):
    conclude(publisher, "pass", gate=[{"name": "latency", "result": "fail"}])
    publisher.ledger("retract", "DONE", "--reason", "overlooked the gate")
    code, verdict, word, _ = decided(publisher)
    assert (code, verdict, word) == (0, "undecided", "none")


def test_rows_that_are_gone_leave_a_decision_open(publisher):
    conclude(publisher, "landed")
    publisher.raw_of(publisher.repetitions("exact")[0]).unlink()
    code, verdict, word, why = decided(publisher)
    assert (code, verdict, word) == (3, "undecided", "undecided")
    assert "is not in the store" in why
