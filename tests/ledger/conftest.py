"""What the tests of the ledger share: entries made without a ledger file."""

import pytest

from ledger.entry import Entry, encode, validate
from receipts import envelope


@pytest.fixture
def make_entry(signing_key):
    """Return a maker of entries, numbered in the order in which they are made."""
    made = []

    def make(kind="ENTRY", *, key=signing_key, **fields):
        place = {"v": 1, "index": len(made), "prev": made[-1].id if made else "0" * 64}
        place |= {"at": f"2026-11-29T10:00:00.{len(made) % 1000:03}Z", "title": "t"}
        body = validate({**place, "kind": kind, **fields})
        made.append(Entry(envelope.parse(encode(body, key)), body))
        return made[-1]

    return make
