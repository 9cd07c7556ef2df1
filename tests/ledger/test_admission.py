"""The rules on where an entry may stand: refused by the writer, and found when forced in."""

import pytest

from ledger.admission import check_label
from receipts.errors import Error, MalformedError, NotFoundError

ABSENT = "e" * 64


def told(founded, sentence, error=MalformedError, by="operator", **fields):
    """Have the entry refused by the writer, force it in, and have the audit find the same."""
    with pytest.raises(error, match=sentence):
        founded.append(by, **fields)
    assert founded.audit().findings == []
    forced = founded.force(by, **fields)
    (found,) = founded.audit().findings
    assert (found.index, sentence in found.message) == (forced, True)


def gate(contract):
    return [{"name": "speed", "result": "pass", "contract": contract}]


def test_ent_11_a_gate_names_a_contract(founded):
    told(founded, "gate speed: ", gate=gate(founded.entry(3).id))


def test_ent_11_a_gate_names_an_earlier_entry(founded):
    told(founded, "e" * 16, NotFoundError, gate=gate(ABSENT))


def test_ent_11_a_gate_with_a_contract_is_taken(founded):
    contract = founded.append(kind="CONTRACT")
    founded.append(gate=gate(contract.id))
    assert founded.audit().findings == []


def test_ent_11_a_contract_retires_contracts(founded):
    told(founded, "entry 3 is no CONTRACT", kind="CONTRACT", retires=[founded.entry(3).id])


@pytest.mark.parametrize("field", [{"retires": [ABSENT]}, {"follows": ABSENT}])
def test_ent_11_a_contract_retires_and_follows_earlier_entries(founded, field):
    told(founded, "e" * 16, NotFoundError, kind="CONTRACT", **field)


def test_ent_11_a_contract_may_retire_several_and_follow_any_entry(founded):
    old = [founded.append(kind="CONTRACT").id for _ in range(2)]
    founded.append(kind="CONTRACT", retires=old, follows=founded.entry(3).id)
    assert founded.audit().findings == []


def test_ent_12_an_entry_rests_on_earlier_entries(founded):
    told(founded, "e" * 16, NotFoundError, rests_on=[founded.entry(3).id, ABSENT])


def test_ent_12_an_entry_may_rest_on_an_entry_of_any_kind(founded):
    founded.append(rests_on=[founded.entry(index).id for index in (0, 3, 5, 6)])
    assert founded.audit().findings == []


@pytest.mark.parametrize("index", [0, 3, 5, 6])
def test_ent_12_only_an_open_entry_is_answered(founded, index):
    told(founded, "is not an open entry", answers=founded.entry(index).id)


def test_ent_5_a_label_that_reads_like_an_index_or_an_id_is_refused_and_found(founded):
    told(founded, "reads like an index or an id", label="123")


@pytest.mark.parametrize("label", ["0", "15", "abcdef", "0a1b2c", "deadbeef"])
def test_ent_5_labels_that_read_like_something_else(label):
    with pytest.raises(MalformedError, match="choose another"):
        check_label(label)


@pytest.mark.parametrize("label", ["abc", "J15", "8n", "r59b", "ABCDEF", "abcdeg", "a.b"])
def test_ent_5_labels_that_do_not(label):
    check_label(label)


def test_ent_10_the_log_key_gets_no_role(founded):
    log_key = founded.keys["log"].public.openssh
    enrol = {"kind": "KEY", "action": "enrol", "key": log_key, "roles": ["auditor"]}
    told(founded, "the log key signs checkpoints and nothing else", **enrol)


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "enrol", "roles": ["engineer"], "since": 3},
        {"action": "retire", "since": 3},
        {"action": "retire", "roles": ["engineer"]},
        {"action": "revoke", "roles": ["engineer"], "since": 3},
    ],
)
def test_ent_10_since_goes_with_revoke_and_roles_with_enrol(founded, fields):
    key = founded.keys["engineer"].public.openssh
    told(founded, "`since` goes with revoke and `roles` with enrol", kind="KEY", key=key, **fields)


def test_every_refusal_is_one_of_ours(founded):
    """No rule answers with an exception that a command would call a bug."""
    for fields in (
        {"rests_on": ["0" * 64]},
        {"answers": "0" * 64},
        {"gate": gate("0" * 64)},
        {"kind": "CONTRACT", "retires": ["0" * 64]},
        {"kind": "RETRACTION", "targets": ["0" * 64], "reason": "r"},
    ):
        with pytest.raises(Error):
            founded.append(**fields)
