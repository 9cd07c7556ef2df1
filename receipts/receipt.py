"""Receipts: a signed statement about a run, window or comparison, named by the digest of its bytes.

    receipt://sha256:<64 hex digits>      by digest
    receipt://<name>                      by the name that a ledger's RUN entry gave it

A receipt is position-free: it can be made on any machine and later entered into one ledger, whose
entries say which keys were allowed to sign it at that point.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from receipts import envelope, statement
from receipts.digest import Digest
from receipts.envelope import Envelope
from receipts.errors import MalformedError
from receipts.keys import SigningKey
from receipts.predicates import Predicate
from receipts.statement import Statement

SCHEME = "receipt://"
RAW = "raw"
LOG = "log"
SUMMARY = "summary"
"""The tool's own summary of the same run, where it writes one apart from the rows."""
ENVIRONMENT = "environment"
"""The sidecar that says on what the raw file was measured."""


@dataclass(frozen=True)
class Receipt:
    """A receipt as stored: the envelope with its bytes, and the statement inside."""

    envelope: Envelope
    statement: Statement

    @property
    def digest(self) -> Digest:
        """The receipt's identity."""
        return self.envelope.digest

    @property
    def uri(self) -> str:
        """How the receipt is cited by digest."""
        return SCHEME + self.digest

    @property
    def predicate(self) -> Predicate:
        """What the receipt says about its run, window or comparison."""
        return self.statement.predicate

    @property
    def signer_role(self) -> str:
        """The role that its signer must hold: runner if witnessed, engineer if attached."""
        return "runner" if self.predicate.origin == "witnessed" else "engineer"

    def require(self, subject: str) -> Digest:
        """Return the digest of the subject called `subject`, or raise `MalformedError`."""
        found = self.statement.subject_digest(subject)
        if found is None:
            raise MalformedError(f"receipt {self.digest} names no subject {subject!r}")
        return Digest.parse(found)


def digest_of(uri: str) -> Digest:
    """Return the digest in a `receipt://sha256:…` URI."""
    return Digest.parse(uri.removeprefix(SCHEME))


def make(key: SigningKey, subjects: Mapping[str, str], predicate: Predicate) -> Receipt:
    """Return a receipt, signed by `key`, about `subjects` (name → digest)."""
    payload = statement.encode(statement.make(dict(subjects), predicate))
    return parse(envelope.sign(key, statement.PAYLOAD_TYPE, payload))


def parse(raw: bytes) -> Receipt:
    """Return the receipt that `raw` spells. Its signature is not yet checked."""
    opened = envelope.parse(raw)
    if opened.payload_type != statement.PAYLOAD_TYPE:
        raise MalformedError(f"payload type {opened.payload_type!r} is not that of a receipt")
    return Receipt(opened, statement.decode(opened.payload))
