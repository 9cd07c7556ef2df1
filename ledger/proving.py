"""Inclusion proofs: that one entry stands in the log, for somebody who has nothing but keys.

A proof file (C2SP tlog-proof) carries the entry's envelope, its index, the path to the root and the
signed checkpoint. Checking one needs the log's key, or an auditor's policy, and nothing else: no
database, no ledger, no network.
"""

from dataclasses import dataclass
from typing import Any

from ledger import policy, proof
from ledger.note import Verifier
from ledger.policy import Policy
from receipts import canonical, envelope
from receipts.digest import Digest
from receipts.errors import MalformedError, UndecidedError

PAYLOAD_TYPE = "application/vnd.evidence-ledger.entry+json"


@dataclass(frozen=True)
class Proven:
    """An entry that is proven to stand in a log."""

    index: int
    id: str
    title: str
    signed_by: str
    origin: str
    size: int

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        return dict(self.__dict__)

    def line(self) -> str:
        """Return it as one line."""
        return (
            f"entry {self.index} {self.id[:16]}… ({self.title}) stands in {self.origin}, "
            f"under a checkpoint of {self.size}; it names the signer {self.signed_by} (its "
            "signature and role are for `ledger verify` to check)"
        )


def check(data: bytes, entry: bytes | None, accepting: Policy) -> Proven:
    """Return what the proof file `data` proves under the policy, or raise."""
    found = proof.parse(data)
    raw = entry if entry is not None else found.extra
    if raw is None:
        raise UndecidedError("the proof carries no entry; give its bytes with --entry FILE")
    checkpoint = proof.check(found, raw, accepting)
    opened = envelope.parse(raw)
    if opened.payload_type != PAYLOAD_TYPE:
        raise MalformedError(f"payload type {opened.payload_type!r} is not that of an entry")
    body = canonical.decode(opened.payload)
    if not isinstance(body, dict) or body.get("index") != found.index:
        raise MalformedError(f"the entry says index {body.get('index')}, the proof {found.index}")
    return Proven(
        index=found.index,
        id=Digest.of(raw).hex,
        title=str(body.get("title", "")),
        signed_by=opened.keyid,
        origin=checkpoint.origin,
        size=checkpoint.size,
    )


def log_only(origin: str, verifier: Verifier) -> Policy:
    """Return the policy that accepts one log without witnesses."""
    return policy.parse(f"log {verifier.vkey}\nquorum none\n".encode(), f"policy of {origin}")
