"""From what a person writes to the fields of an ENTRY: short forms, references, receipts."""

import pytest

from ledger import draft
from receipts import yaml_source
from receipts.errors import MalformedError


def written(text):
    return draft.from_source(yaml_source.load(text.encode(), "draft.yaml"))


def test_short_forms_are_spelt_out():
    assert written(
        "title: t\ngate: exactness=pass\nevidence: receipt://w\nverdict: 'pass: it is faster'\n"
    ) == {
        "title": "t",
        "gate": [{"name": "exactness", "result": "pass"}],
        "evidence": [{"receipt": "receipt://w"}],
        "verdict": {"outcome": "pass", "sentence": "it is faster"},
    }


@pytest.mark.parametrize("name", ["v", "index", "prev", "at", "kind"])
def test_what_is_the_ledgers_to_say_is_refused_with_its_place(name):
    with pytest.raises(MalformedError, match=f"draft.yaml:2:1: {name} is the ledger's to say"):
        written(f"title: t\n{name}: x\n")


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("pass", {"outcome": "pass"}),
        ("pass:", {"outcome": "pass"}),
        (" miss : it is not: slower ", {"outcome": "miss", "sentence": "it is not: slower"}),
    ],
)
def test_a_verdict_is_an_outcome_and_perhaps_a_sentence(text, spelt):
    assert draft.verdict(text) == spelt


def test_what_a_person_gave_is_not_changed_by_completing_it(story):
    contract = story.contract()
    given = {"title": "t", "rests_on": ["J1"], "gate": [{"name": "g", "result": "pass"}]}
    given["gate"][0]["contract"] = str(contract.index)
    with story.founded.open() as ledger:
        done = draft.complete(given, ledger, story.place.receipts)
    assert done["gate"][0]["contract"] == contract.id
    assert done["rests_on"] == [story.founded.entry(3).id]
    assert given["rests_on"] == ["J1"]
    assert given["gate"][0]["contract"] == str(contract.index)


def test_a_windows_gate_and_scope_are_filled_in_and_not_contradicted(story):
    uri = story.window()
    said = ["add", "--title", "t", "--evidence", uri, "--verdict", "pass", "--label", "W"]
    assert story.founded.invoke(*said).exit_code == 0
    assert story.told("show", "W")["body"]["gate"] == [{"name": "exactness", "result": "pass"}]
    refused = story.founded.invoke(*said[:-1], "W2", "--gate", "exactness=fail")
    assert refused.exit_code == 4
    assert f"gate exactness contradicts {uri}, which says pass" in refused.stderr
