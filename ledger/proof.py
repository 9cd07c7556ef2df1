"""Proof files: that an entry stands in a log, for whoever holds the log's and the witnesses' keys.

::

    c2sp.org/tlog-proof@v1
    extra eyJwYXlsb2FkIjoi…                        optional: the entry's own bytes, base64
    index 1
    gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=  the inclusion proof, the leaf's sibling first

    perf.example.org/engine                        the signed checkpoint, verbatim
    3
    qg1v…=

    — perf.example.org/engine Uw2QOkn8…=

Everything is ASCII up to the checkpoint. The format leaves `extra` to the application and does not
authenticate it. Here it carries the entry's envelope, so that one file is enough; what it holds is
believed only after its leaf hash has led to the checkpoint's root.
Source: https://c2sp.org/tlog-proof, version 1. Specification: docs/reference/formats/proof.md.
"""

import base64
import re
from dataclasses import dataclass

from ledger import checkpoint, merkle, note, policy
from ledger.checkpoint import Checkpoint
from ledger.policy import Policy
from receipts.errors import MalformedError, UndecidedError

HEADER = "c2sp.org/tlog-proof@v1"
MAX_BYTES = 2 * 1024 * 1024
MAX_EXTRA = 65_535
MAX_HASHES = 63
MAX_INDEX = 2**63 - 1
_BASE64 = "[A-Za-z0-9+/]"
_HEAD = re.compile(
    rf"{re.escape(HEADER)}\n"
    rf"(?:extra ({_BASE64}+={{0,2}})\n)?"
    r"index (0|[1-9][0-9]{0,18})\n"
    rf"((?:{_BASE64}{{43}}=\n)*)"
    r"\n"
)


@dataclass(frozen=True)
class Proof:
    """An inclusion proof together with the signed checkpoint that it leads to."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.index <= MAX_INDEX:
            raise MalformedError(f"index {self.index} of a proof is not from 0 to 2^63 - 1")
        if len(self.hashes) > MAX_HASHES:
            raise MalformedError(f"proof has {len(self.hashes)} hashes, more than {MAX_HASHES}")
        if any(len(one) != merkle.HASH_SIZE for one in self.hashes):
            raise MalformedError(f"proof has a hash that is not of {merkle.HASH_SIZE} bytes")
        if self.extra is not None and not 1 <= len(self.extra) <= MAX_EXTRA:
            raise MalformedError(f"extra data of a proof is not of 1 to {MAX_EXTRA} bytes")
        checkpoint.parse_checkpoint(note.split(self.checkpoint)[0])


def format_proof(proof: Proof) -> bytes:
    """Return the file that holds `proof`; its name should end in `.tlog-proof`."""
    lines = [HEADER]
    if proof.extra is not None:
        lines.append(f"extra {_encode(proof.extra)}")
    lines.append(f"index {proof.index}")
    lines += [_encode(one) for one in proof.hashes]
    return ("\n".join(lines) + "\n\n" + proof.checkpoint).encode()


def parse(data: bytes) -> Proof:
    """Return the proof that `data` spells; nothing in it is checked yet.

    Raises `MalformedError` for anything that `format_proof` would not have written.
    """
    if len(data) > MAX_BYTES:
        raise MalformedError(f"proof of {len(data)} bytes is over the limit of {MAX_BYTES}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError("proof is not UTF-8 text") from error
    head = _HEAD.match(text)
    if not head:
        raise MalformedError(
            f"not a proof: it must start with {HEADER}, then index, the hashes and an empty line"
        )
    extra, index, hashes = head.groups()
    proof = Proof(
        int(index),
        tuple(_decode(line) for line in hashes.splitlines()),
        text[head.end() :],
        None if extra is None else _decode(extra),
    )
    if format_proof(proof) != data:
        raise MalformedError("proof is not in canonical form")
    return proof


def check(proof: Proof, entry: bytes | None, accepting: Policy) -> Checkpoint:
    """Return the checkpoint under which the log holds `entry` at the proof's index.

    `entry` is the bytes of the leaf; None stands for those in the proof's `extra`, which is not
    looked at otherwise. Raises `VerificationError` if the policy does not accept the checkpoint or
    the proof does not lead to its root, `UndecidedError` if there is no entry to check.
    """
    leaf = proof.extra if entry is None else entry
    if leaf is None:
        raise UndecidedError("proof carries no entry; give the entry's bytes beside it")
    head, _ = policy.accept(proof.checkpoint, accepting)
    merkle.check_inclusion(proof.index, head.size, merkle.leaf_hash(leaf), proof.hashes, head.root)
    return head


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise MalformedError("proof has a line that is not base64") from error
