"""The release lock: off until an operator says otherwise."""

import json

import pytest

from ledger.bodies import Lock


def show(publisher):
    result = publisher.claims("lock", "show", "--json")
    return result.exit_code, json.loads(result.stdout)


def last(publisher):
    with publisher.open() as ledger:
        return ledger.entry(ledger.size - 1).body


def test_without_a_lock_entry_everything_is_off(publisher):
    """RLS-1."""
    code, now = show(publisher)
    assert code == 1
    assert now["entry"] is None
    assert set(now["switches"].values()) == {False}
    assert "containment" in now["reason"]


def test_setting_one_switch_leaves_the_others_as_they_are(publisher):
    """RLS-1."""
    assert publisher.claims("lock", "set", "seal=on", "tag=on").exit_code == 0
    assert publisher.claims("lock", "set", "publish=on", "tag=off").exit_code == 0
    code, now = show(publisher)
    assert code == 0
    assert now["switches"] == {"publish": True, "seal": True, "candidate": False, "tag": False}
    body = last(publisher)
    assert isinstance(body, Lock)
    assert (body.state, body.title) == ("open", "lock: publish on, tag off")


def test_the_state_is_contained_when_no_switch_is_on(publisher):
    assert publisher.claims("lock", "set", "publish=on").exit_code == 0
    assert publisher.claims("lock", "set", "publish=off", "--reason", "a leak").exit_code == 0
    body = last(publisher)
    assert (body.state, body.reason) == ("contained", "a leak")
    assert show(publisher)[0] == 1


def test_switches_of_a_lock_file_kept_by_hand_are_the_same_switches(publisher):
    """RLS-1."""
    value = {"publishing_enabled": True, "sealing_enabled": False, "reason": "publication only"}
    (publisher.root / "lock.json").write_text(json.dumps(value))
    assert publisher.ledger("import-lock", "lock.json").exit_code == 0
    code, now = show(publisher)
    assert (code, now["switches"]["publish"], now["reason"]) == (0, True, "publication only")
    assert publisher.claims("lock", "set", "seal=on").exit_code == 0
    assert show(publisher)[1]["switches"]["publish"] is True


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("publish",), 2, "is not SWITCH=on or SWITCH=off"),
        (("publish=yes",), 2, "is not SWITCH=on or SWITCH=off"),
        (("=on",), 2, "is not SWITCH=on or SWITCH=off"),
        (("ship=on",), 4, "no switch is called 'ship'; there are publish, seal, candidate, tag"),
    ],
)
def test_what_is_no_switch_is_told_and_nothing_is_appended(publisher, words, code, message):
    result = publisher.claims("lock", "set", *words)
    assert result.exit_code == code
    assert message in result.stderr
    assert not isinstance(last(publisher), Lock)


def test_only_an_operator_opens_the_lock(publisher):
    """RLS-1."""
    key = publisher.key_file("engineer")
    result = publisher.claims("lock", "set", "publish=on", "--key", key)
    assert result.exit_code == 1
    assert "is not operator" in result.stderr
    assert show(publisher)[0] == 1
