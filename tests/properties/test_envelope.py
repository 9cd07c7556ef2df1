"""An envelope is read if `sign` would have written it, and for no other bytes."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from receipts import canonical, envelope, keys, receipt
from receipts.errors import MalformedError, VerificationError

KEY = keys.from_private(Ed25519PrivateKey.generate())
TYPES = st.text(st.sampled_from(sorted(set(map(chr, range(33, 127))) - {'"', "\\"})), min_size=1)
PIECES = [
    b'"',
    b"=",
    b"==",
    b"A",
    b"/",
    b"_",
    b" ",
    b"\n",
    b",",
    b"}",
    b"]",
    b"\\u0041",
    b"\xc3\xa9",
]


@given(st.binary(max_size=300), TYPES)
def test_what_is_signed_is_read_back_and_verifies(payload, kind):
    raw = envelope.sign(KEY, kind, payload)
    opened = envelope.parse(raw)
    assert (opened.payload, opened.payload_type, opened.raw) == (payload, kind, raw)
    opened.verify(KEY.public)


@given(st.binary(max_size=60), st.data())
def test_good_bytes_with_one_edit_are_malformed_or_do_not_verify(payload, data):
    good = envelope.sign(KEY, "text/plain", payload)
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 4))
    put = data.draw(st.binary(max_size=4) | st.sampled_from(PIECES))
    bad = good[:at] + put + good[at + cut :]
    if bad == good:
        return
    with pytest.raises((MalformedError, VerificationError)):
        envelope.parse(bad).verify(KEY.public)


@given(st.binary(max_size=60), st.data())
def test_what_is_read_is_what_sign_would_write(payload, data):
    good = envelope.sign(KEY, "text/plain", payload)
    at = data.draw(st.integers(0, len(good) - 1))
    bad = good[:at] + bytes([data.draw(st.integers(0, 255))]) + good[at + 1 :]
    try:
        opened = envelope.parse(bad)
    except MalformedError:
        return
    again = {
        "payload": base64.b64encode(opened.payload).decode(),
        "payloadType": opened.payload_type,
        "signatures": [{"keyid": opened.keyid, "sig": base64.b64encode(opened.signature).decode()}],
    }
    assert canonical.encode(again) == bad


@given(st.binary(max_size=400))
def test_arbitrary_bytes_raise_malformed_and_nothing_else(data):
    with pytest.raises(MalformedError):
        envelope.parse(data)
    with pytest.raises(MalformedError):
        receipt.parse(data)


@given(st.binary(max_size=200) | st.text().map(str.encode))
def test_arbitrary_payloads_of_receipts_raise_malformed_and_nothing_else(payload):
    raw = envelope.sign(KEY, "application/vnd.in-toto+json", payload)
    with pytest.raises(MalformedError):
        receipt.parse(raw)


VALUES = st.recursive(
    st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
NAMES = st.sampled_from(["_type", "subject", "predicateType", "predicate"])
KINDS = st.sampled_from(["urn:evidence-ledger:run:v1", "urn:evidence-ledger:window:v1"])


@given(st.dictionaries(NAMES, VALUES), st.none() | KINDS)
def test_almost_statements_raise_malformed_and_nothing_else(value, kind):
    if kind:
        value["predicateType"] = kind
    payload = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    raw = envelope.sign(KEY, "application/vnd.in-toto+json", payload)
    with pytest.raises(MalformedError):
        receipt.parse(raw)


@given(TYPES, st.binary(max_size=20), TYPES, st.binary(max_size=20))
def test_the_encoding_that_is_signed_tells_type_and_payload_apart(kind, payload, kind2, payload2):
    same = envelope.pae(kind, payload) == envelope.pae(kind2, payload2)
    assert same == ((kind, payload) == (kind2, payload2))
