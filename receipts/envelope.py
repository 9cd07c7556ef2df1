"""DSSE envelopes: a payload, its type, and exactly one Ed25519 signature over both.

Stored as canonical JSON on one line, without a newline; the type is printable ASCII::

    {"payload":"eyJ…","payloadType":"application/…","signatures":[{"keyid":"SHA256:…","sig":"…"}]}

The signature is over the pre-authentication encoding (DSSE v1.0.2)::

    "DSSEv1" SP len(type) SP type SP len(payload) SP payload        lengths in bytes, decimal

`keyid` is the OpenSSH fingerprint of the verifying key. The identity of what is signed is the plain
SHA-256 of the stored bytes, so `sha256sum` is enough to check it. The bytes that were given are
the bytes that are kept; nothing is ever serialised again to be verified.
Specification: docs/reference/formats/envelope.md.
"""

import binascii
import re
from typing import NamedTuple

from receipts.digest import Digest
from receipts.errors import MalformedError, VerificationError
from receipts.keys import PublicKey, SigningKey

MAX_BYTES = 16 * 1024 * 1024
_TEMPLATE = b'{"payload":"%s","payloadType":"%s","signatures":[{"keyid":"%s","sig":"%s"}]}'
# The whole of the format: everything but the four marked parts is fixed.
_SPELLING = re.compile(
    rb'\{"payload":"([A-Za-z0-9+/]*={0,2})","payloadType":"([!#-\[\]-~]{1,255})",'
    rb'"signatures":\[\{"keyid":"(SHA256:[A-Za-z0-9+/]{43})","sig":"([A-Za-z0-9+/]{86}==)"\}\]\}'
)


class Envelope(NamedTuple):
    """An envelope as it was given: its bytes, and a view of what they hold."""

    raw: bytes
    payload: bytes
    payload_type: str
    keyid: str
    signature: bytes

    @property
    def digest(self) -> Digest:
        """The identity: SHA-256 of the bytes as stored."""
        return Digest.of(self.raw)

    @property
    def signed_bytes(self) -> bytes:
        """What the signature is over."""
        return pae(self.payload_type, self.payload)

    def verify(self, key: PublicKey) -> None:
        """Return if this envelope is signed by `key`; else raise `VerificationError`."""
        if key.fingerprint != self.keyid:
            raise VerificationError(f"envelope is signed by {self.keyid}, not by {key.fingerprint}")
        key.verify(self.signature, self.signed_bytes)


def pae(payload_type: str, payload: bytes) -> bytes:
    """Return DSSE's pre-authentication encoding; both lengths count bytes."""
    name = payload_type.encode("utf-8")
    return b"DSSEv1 %d %s %d %s" % (len(name), name, len(payload), payload)


def sign(key: SigningKey, payload_type: str, payload: bytes) -> bytes:
    """Return the bytes of an envelope around `payload`, signed by `key`."""
    raw = _TEMPLATE % (
        binascii.b2a_base64(payload, newline=False),
        payload_type.encode("utf-8"),
        key.public.fingerprint.encode(),
        binascii.b2a_base64(key.sign(pae(payload_type, payload)), newline=False),
    )
    if not _SPELLING.fullmatch(raw):
        raise MalformedError(f"payload type {payload_type!r} is not plain ASCII")
    return raw


def parse(raw: bytes, max_bytes: int = MAX_BYTES) -> Envelope:
    """Return the envelope that `raw` spells. Its signature is not yet checked.

    Raises `MalformedError` for any byte that `sign` would not have written: other fields, white
    space, loose base64, no or several signatures, a key id that is not a fingerprint.
    """
    if len(raw) > max_bytes:
        raise MalformedError(f"envelope of {len(raw)} bytes is over the limit of {max_bytes}")
    match = _SPELLING.fullmatch(raw)
    if not match:
        raise MalformedError(
            "not an envelope: it must be canonical JSON with payload, payloadType and exactly one "
            "signature by a key with an OpenSSH fingerprint"
        )
    payload, payload_type, keyid, signature = match.groups()
    return Envelope(
        raw,
        _base64(payload, "payload"),
        payload_type.decode(),
        keyid.decode(),
        _base64(signature, "signature"),
    )


def _base64(text: bytes, what: str) -> bytes:
    """Decode standard base64; the re-spelling refuses stray padding and trailing bits."""
    try:
        data = binascii.a2b_base64(text)
    except binascii.Error as error:
        raise MalformedError(f"envelope's {what} is not base64") from error
    if binascii.b2a_base64(data, newline=False) != text:
        raise MalformedError(f"envelope's {what} is not in canonical base64")
    return data
