"""`ledger show` and `ledger list`: what was derived, beside what was signed."""

import pytest


def shown(founded, reference):
    return founded.invoke("show", reference).stdout.splitlines()


def changed(founded, entry):
    """Return what `show` says was changed between hypothesis and verdict."""
    start = "  changed between hypothesis and verdict: "
    (line,) = (line for line in shown(founded, entry.index) if line.startswith(start))
    return line.removeprefix(start)


def between(founded):
    """Append one entry of each kind that sets rules, and some that set none."""
    finding = {"kind": "FINDING", "id": "F1", "severity": "low", "status": "open"}
    founded.append(kind="CONTRACT", title="a tolerance of one percent")
    founded.append(**finding, title="the clock drifts")
    founded.append(kind="LOCK", title="contained", state="contained")
    founded.append(title="another experiment")
    founded.append(kind="RUN", phase="admitted", cell="c", title="admitted")


CHANGES = (
    "entry 16 CONTRACT: a tolerance of one percent; entry 17 FINDING: the clock drifts; "
    "entry 18 LOCK: contained"
)


def test_what_changed_between_hypothesis_and_verdict_is_listed(founded):
    opened = founded.append(hypothesis="h")
    between(founded)
    closing = founded.append(verdict={"outcome": "pass"}, answers=opened.id)
    assert changed(founded, closing) == CHANGES


def test_without_a_change_it_says_none(founded):
    between(founded)
    opened = founded.append(hypothesis="h")
    founded.append(title="nothing that sets rules")
    closing = founded.append(verdict={"outcome": "pass"}, answers=opened.id)
    between(founded)
    assert changed(founded, closing) == "none"


def test_an_answer_without_a_verdict_does_not_say_none_either(founded):
    opened = founded.append(hypothesis="h")
    between(founded)
    side = {"arm": "plain", "value": "10.0"}
    delta = {"metric": "tps", "unit": "tok/s", "baseline": side, "candidate": side, "n": 1}
    delta |= {"change": "0", "statistic": "median", "polarity": "higher", "convention": "c"}
    for fields in ({"delta": [{**delta, "runs": []}]}, {"hypothesis": "still open"}):
        answering = founded.append(answers=opened.id, **fields)
        assert changed(founded, answering) == CHANGES


def test_an_entry_that_answers_nothing_says_nothing_about_changes(founded):
    entry = founded.append(hypothesis="h", verdict={"outcome": "pass"})
    assert not [line for line in shown(founded, entry.index) if "changed between" in line]


def test_json_has_the_changes_as_a_list(founded, story):
    opened = founded.append(hypothesis="h")
    between(founded)
    closing = founded.append(verdict={"outcome": "pass"}, answers=opened.id)
    assert story.told("show", closing.index)["changed_meanwhile"] == CHANGES.split("; ")
    assert "changed_meanwhile" not in story.told("show", "J1")


def test_a_retired_contract_is_named_once_for_several_gates(founded, story):
    old = founded.append(kind="CONTRACT")
    other = founded.append(kind="CONTRACT")
    gates = [("a", old), ("b", old), ("c", other)]
    said = [{"name": n, "result": "pass", "contract": c.id} for n, c in gates]
    judged = founded.append(verdict={"outcome": "pass"}, gate=said)
    assert story.told("show", judged.index)["retired_contracts"] == []
    founded.append(kind="CONTRACT", retires=[old.id])
    assert story.told("show", judged.index)["retired_contracts"] == [old.id]
    lines = shown(founded, judged.index)
    assert [line for line in lines if "retired contract" in line] == [
        f"  retired contract: {old.id}"
    ]


@pytest.mark.parametrize("verb", ["retract", "supersede", "amend", "correct"])
def test_an_open_entry_that_is_struck_says_so_and_not_open(founded, story, verb):
    opened = founded.append(hypothesis="h", label="H1")
    assert story.told("show", "H1")["status"] == "open"
    assert founded.invoke(verb, "H1", "--reason", "r").exit_code == 0
    word = {"retract": "retracted", "supersede": "superseded", "amend": "amended"}
    assert story.told("show", "H1")["status"] == word.get(verb, "corrected")
    rows = {row["index"]: row["status"] for row in story.told("list")}
    assert rows[opened.index] == word.get(verb, "corrected")


def test_an_entry_of_a_revoked_key_is_contested_in_words(founded):
    public = founded.keys["engineer"].public.fingerprint
    revoked = founded.invoke("key", "revoke", public, "--reason", "lost", "--since", "4")
    assert revoked.exit_code == 0
    assert "!! CONTESTED: its signer's key was revoked; what it signed since entry 4 does not" in (
        "\n".join(shown(founded, "J2"))
    )


def test_rests_on_is_shown_and_accepts_labels_indexes_and_ids(founded, story):
    words = ["add", "--title", "on three", "--label", "R", "--verdict", "pass"]
    for reference in ("J1", "4", founded.entry(9).id[:12]):
        words += ["--rests-on", reference]
    assert founded.invoke(*words).exit_code == 0
    ids = [founded.entry(index).id for index in (3, 4, 9)]
    assert story.told("show", "R")["body"]["rests_on"] == ids
    assert [f"    - {one}" for one in ids] == [x for x in shown(founded, "R") if "    - " in x][-3:]
    assert story.told("show", "R")["status"] == "contested"
