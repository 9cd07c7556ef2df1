"""Envelopes: sign, parse, verify."""

import pytest

from receipts import canonical, envelope
from receipts.digest import Digest
from receipts.errors import MalformedError, VerificationError


def test_an_envelope_keeps_its_bytes_and_shows_what_they_hold(signing_key):
    raw = envelope.sign(signing_key, "text/plain", b"hello")
    opened = envelope.parse(raw)
    assert opened.raw == raw
    assert opened.payload == b"hello"
    assert opened.payload_type == "text/plain"
    assert opened.keyid == signing_key.public.fingerprint
    assert opened.digest == Digest.of(raw)
    opened.verify(signing_key.public)


def test_what_is_written_is_canonical_json(signing_key):
    raw = envelope.sign(signing_key, "text/plain", b"")
    assert canonical.encode(canonical.decode(raw)) == raw
    assert b"\n" not in raw


def test_signing_twice_gives_the_same_bytes(signing_key):
    assert envelope.sign(signing_key, "t", b"x") == envelope.sign(signing_key, "t", b"x")


def test_another_key_does_not_verify_it_and_both_are_named(signing_key, other_key):
    opened = envelope.parse(envelope.sign(signing_key, "text/plain", b"hello"))
    with pytest.raises(VerificationError) as caught:
        opened.verify(other_key.public)
    assert signing_key.public.fingerprint in str(caught.value)
    assert other_key.public.fingerprint in str(caught.value)


def test_the_callers_limit_is_kept(signing_key):
    raw = envelope.sign(signing_key, "text/plain", b"hello")
    assert envelope.parse(raw, len(raw)).payload == b"hello"
    with pytest.raises(MalformedError, match="is over the limit"):
        envelope.parse(raw, len(raw) - 1)


@pytest.mark.parametrize("kind", ["", "two words", 'a"b', "a\\b", "é", "x" * 256, "a\n"])
def test_a_type_that_no_envelope_may_carry_is_neither_written_nor_read(signing_key, kind):
    with pytest.raises(MalformedError, match="is not plain ASCII"):
        envelope.sign(signing_key, kind, b"x")
    good = envelope.sign(signing_key, "text/plain", b"x")
    spelled = canonical.encode(kind)[1:-1]
    with pytest.raises(MalformedError, match="not an envelope"):
        envelope.parse(good.replace(b"text/plain", spelled))
