"""The fold of keys: rights begin after the entry that gives them and end with the one that ends."""

import pytest

from ledger.trust import Trust
from receipts.errors import UnknownKeyError, VerificationError


def key(founded, name, action, **fields):
    public = founded.keys[name].public.openssh
    return founded.append(kind="KEY", action=action, key=public, **fields)


def allowed(founded, name, role):
    with founded.open() as ledger:
        try:
            ledger.trust().require(founded.keys[name].public.fingerprint, role)
        except (UnknownKeyError, VerificationError):
            return False
        return True


def test_a_key_may_sign_from_the_entry_after_the_one_that_enrols_it(founded):
    assert not allowed(founded, "stranger", "engineer")
    enrolled = key(founded, "stranger", "enrol", roles=["engineer"])
    assert allowed(founded, "stranger", "engineer")
    assert founded.append("stranger").index == enrolled.index + 1
    with founded.open() as ledger:
        before = ledger.trust_at(enrolled.index)
        after = ledger.trust_at(enrolled.index + 1)
    fingerprint = founded.keys["stranger"].public.fingerprint
    assert fingerprint not in before.keys
    assert after.keys[fingerprint].roles == {"engineer"}


def test_what_a_key_signed_before_it_was_retired_or_revoked_stays_valid(founded):
    report = founded.audit()
    assert report.findings == []
    assert founded.entry(9).envelope.keyid == founded.keys["retired"].public.fingerprint
    with founded.open() as ledger:
        assert ledger.trust_at(9).require(founded.entry(9).envelope.keyid, "engineer")
        with pytest.raises(VerificationError, match="no longer valid"):
            ledger.trust_at(11).require(founded.entry(9).envelope.keyid, "engineer")


def test_revoking_names_the_index_from_which_entries_are_contested(founded):
    with founded.open() as ledger:
        state = ledger.trust().keys[founded.keys["revoked"].public.fingerprint]
    assert (state.active, state.since) == (False, 11)


def test_enrolling_again_replaces_the_roles_and_brings_a_key_back(founded):
    for name, had in (("retired", "runner"), ("engineer", "engineer")):
        key(founded, name, "enrol", roles=["auditor"])
        assert allowed(founded, name, "auditor")
        assert not allowed(founded, name, had)
    key(founded, "retired", "retire", reason="again")
    assert not allowed(founded, "retired", "auditor")
    assert founded.audit().findings == []


def test_roles_are_judged_at_the_index_of_the_entry_not_now(founded):
    founded.append("engineer")
    key(founded, "engineer", "enrol", roles=["runner"])
    assert founded.audit().findings == []
    with pytest.raises(VerificationError, match="is not engineer; its roles: runner"):
        founded.append("engineer")


def test_an_empty_trust_knows_nobody(signing_key):
    with pytest.raises(UnknownKeyError, match="is not enrolled in this ledger"):
        Trust().require(signing_key.public.fingerprint, None)


def test_key_list_shows_every_key_with_its_roles_and_validity(founded):
    lines = founded.invoke("key", "list").stdout.splitlines()
    assert len(lines) == 1 + 6
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in lines[1:]}
    expected = {
        "operator": ["yes", "engineer, operator, runner"],
        "engineer": ["yes", "engineer"],
        "retired": ["no", "engineer, runner"],
        "revoked": ["no", "engineer"],
        "runner": ["yes", "runner"],
        "auditor": ["yes", "auditor"],
    }
    assert rows == {founded.keys[name].public.fingerprint: row for name, row in expected.items()}


def test_the_key_verbs_enrol_retire_and_revoke_by_file_or_by_fingerprint(founded):
    public = founded.home / "stranger.pub"
    public.write_text(founded.keys["stranger"].public.openssh + " a comment\n")
    fingerprint = founded.keys["stranger"].public.fingerprint
    assert founded.invoke("key", "enrol", public, "--role", "engineer").exit_code == 0
    assert allowed(founded, "stranger", "engineer")
    assert founded.invoke("key", "retire", public, "--reason", "left").exit_code == 0
    assert not allowed(founded, "stranger", None)
    assert founded.invoke("key", "enrol", public, "--role", "runner").exit_code == 0
    revoke = ["key", "revoke", fingerprint, "--reason", "lost", "--since", "15"]
    assert founded.invoke(*revoke).exit_code == 0
    assert founded.entry(18).body.since == 15
    assert founded.invoke("verify").exit_code == 0
