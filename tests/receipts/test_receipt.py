"""Receipts: what they are named by, and who must sign them."""

import pytest

from receipts import envelope, receipt, statement
from receipts.digest import Digest
from receipts.errors import MalformedError


def test_a_receipt_is_named_by_the_digest_of_its_bytes(sample):
    assert sample.digest == Digest.of(sample.envelope.raw)
    assert receipt.parse(sample.envelope.raw) == sample


def test_the_same_statement_by_the_same_key_is_the_same_receipt(signing_key, attached_run):
    one = receipt.make(signing_key, {"raw": Digest.of(b"x")}, attached_run())
    assert one == receipt.make(signing_key, {"raw": Digest.of(b"x")}, attached_run())


@pytest.mark.parametrize(("origin", "role"), [("witnessed", "runner"), ("attached", "engineer")])
def test_the_signers_role_follows_from_the_origin(signing_key, attached_run, origin, role):
    predicate = attached_run(origin=origin)
    made = receipt.make(signing_key, {"raw": Digest.of(b"x")}, predicate)
    assert made.signer_role == role


def test_a_subject_is_found_by_its_name_or_missed_by_it(sample):
    assert sample.require("raw") == Digest.of(b"[]")
    with pytest.raises(MalformedError, match="names no subject 'log'"):
        sample.require("log")


def test_subjects_keep_their_order(signing_key, attached_run):
    subjects = {"raw": Digest.of(b"1"), "log": Digest.of(b"2"), "extra": Digest.of(b"3")}
    made = receipt.make(signing_key, subjects, attached_run())
    assert [subject.name for subject in made.statement.subject] == ["raw", "log", "extra"]


def test_an_envelope_of_another_type_is_no_receipt(signing_key, sample):
    raw = envelope.sign(signing_key, "text/plain", sample.envelope.payload)
    with pytest.raises(MalformedError, match="payload type 'text/plain' is not that of a receipt"):
        receipt.parse(raw)


def test_a_payload_that_is_no_statement_is_no_receipt(signing_key):
    for payload in (b"", b"{}", b"[]", b"\xff", b"null"):
        with pytest.raises(MalformedError):
            receipt.parse(envelope.sign(signing_key, statement.PAYLOAD_TYPE, payload))
