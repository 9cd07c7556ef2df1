"""Entries: what stands in the ledger, as the exact bytes of a signed envelope.

An entry is a DSSE envelope with payloadType ``application/vnd.evidence-ledger.entry+json`` around a
canonical JSON body. Every body has these fields, and those of its kind::

    {"at":"2026-11-29T10:00:00.000Z","index":7,"kind":"ENTRY","label":"J3","prev":"<64 hex>",
     "title":"tuned against plain","v":1, …}

`prev` is the id of the entry before (64 zeros for the first) and an id is the SHA-256 of the
envelope's bytes: whoever signs an entry vouches for all that came before it. The envelope has at
most 65,535 bytes, so that a published tile can hold it. Unknown fields, kinds and versions are
malformed. Specification: docs/reference/formats/entry.md.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from ledger import merkle
from ledger.bodies import AnyBody
from receipts import canonical, envelope
from receipts.envelope import Envelope
from receipts.errors import MalformedError
from receipts.keys import SigningKey
from receipts.shape import explain

PAYLOAD_TYPE = "application/vnd.evidence-ledger.entry+json"
MAX_ENVELOPE = 65_535
MAX_BODY = 48_963
FIRST_PREV = "0" * 64
ID = re.compile(r"[0-9a-f]{64}", re.ASCII)

_ADAPTER: TypeAdapter[AnyBody] = TypeAdapter(Annotated[AnyBody, Field(discriminator="kind")])


@dataclass(frozen=True)
class Entry:
    """An entry as it was stored: its bytes, and a view of what they hold."""

    envelope: Envelope
    body: AnyBody

    @property
    def raw(self) -> bytes:
        """The stored bytes."""
        return self.envelope.raw

    @cached_property
    def id(self) -> str:
        """SHA-256 of the stored bytes, 64 hexadecimal digits."""
        return self.envelope.digest.hex

    @cached_property
    def leaf_hash(self) -> bytes:
        """The entry's leaf in the tree."""
        return merkle.leaf_hash(self.raw)

    @property
    def index(self) -> int:
        """The entry's place."""
        return self.body.index

    @property
    def kind(self) -> str:
        """The entry's kind, in capitals."""
        return self.body.kind


def validate(fields: dict[str, Any]) -> AnyBody:
    """Return `fields` as the body of its kind; `MalformedError` names the field at fault."""
    try:
        return _ADAPTER.validate_python(fields)
    except ValidationError as error:
        raise MalformedError(f"entry body: {_explain(error)}") from error


def relax(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a draft with numbers that were written as text read as numbers.

    The entry's place is not known yet; everything else is validated as it will be when appended.
    """
    place = {"v": 1, "index": 0, "prev": FIRST_PREV, "at": "1970-01-01T00:00:00.000Z"}
    try:
        body = _ADAPTER.validate_python({**fields, **place}, strict=False)
    except ValidationError as error:
        path = tuple(error.errors(include_url=False)[0]["loc"][1:])
        raise MalformedError(f"entry: {_explain(error)}", path) from error
    return {name: value for name, value in body.plain().items() if name not in place}


def encode(body: AnyBody, key: SigningKey) -> bytes:
    """Return the bytes of the entry with this body, signed by `key`.

    Raises `MalformedError` when they would not fit.
    """
    payload = canonical.encode(body.plain())
    if len(payload) > MAX_BODY:
        raise MalformedError(
            f"entry body has {len(payload):,} bytes, the limit is {MAX_BODY:,}; "
            "put long text into a file and cite it with --notes FILE"
        )
    return envelope.sign(key, PAYLOAD_TYPE, payload)


def decode(raw: bytes) -> Entry:
    """Return the entry that `raw` spells. Chain, signature and role are not yet checked."""
    opened = envelope.parse(raw, MAX_ENVELOPE)
    if opened.payload_type != PAYLOAD_TYPE:
        raise MalformedError(f"payload type {opened.payload_type!r} is not that of an entry")
    fields = canonical.decode(opened.payload, MAX_BODY)
    if not isinstance(fields, dict):
        raise MalformedError("entry body is not an object")
    return Entry(opened, validate(fields))


def decode_row(index: int, raw: Any) -> Entry:
    """Return the entry in row `index`; an error says which row it was."""
    if not isinstance(raw, bytes):
        raise MalformedError(f"entry {index} is not stored as bytes; `ledger verify` tells more")
    try:
        return decode(raw)
    except MalformedError as error:
        raise MalformedError(f"entry {index}: {error}; `ledger verify` tells more") from error


def _explain(error: ValidationError) -> str:
    text = explain(error)
    # pydantic puts the union's tag in front of the path; the kind is clearer without it.
    return re.sub(r"^[A-Z]+\.", "", text)
