"""Checkpoints: the head of the ledger's tree in a signed note (C2SP tlog-checkpoint 1.0.0).

The text of the note has three lines::

    perf.example.org/engine             the origin: which log
    3                                   the size, decimal, no leading zero
    qg1vOg…=                            the root hash, base64

Extension lines are refused. A log must never sign two checkpoints that contradict each other.
"""

import base64
from dataclasses import dataclass

from ledger import note
from ledger.merkle import HASH_SIZE
from ledger.note import Verifier
from receipts.errors import MalformedError
from receipts.keys import SigningKey


@dataclass(frozen=True)
class Checkpoint:
    """A tree head under its origin."""

    origin: str
    size: int
    root: bytes


def format_checkpoint(checkpoint: Checkpoint) -> str:
    """Return the text of the note."""
    encoded = base64.b64encode(checkpoint.root).decode()
    return f"{checkpoint.origin}\n{checkpoint.size}\n{encoded}\n"


def parse_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint that `text` spells; `MalformedError` for any other spelling."""
    lines = text.split("\n")
    if len(lines) != 4 or not lines[0]:
        raise MalformedError("checkpoint must have an origin, a size and a root")
    try:
        root = base64.b64decode(lines[2], validate=True)
        size = int(lines[1])
    except ValueError as error:
        raise MalformedError("checkpoint has a size or a root that cannot be read") from error
    checkpoint = Checkpoint(lines[0], size, root)
    if len(root) != HASH_SIZE or size < 0 or format_checkpoint(checkpoint) != text:
        raise MalformedError("checkpoint is not in canonical form")
    return checkpoint


def sign(checkpoint: Checkpoint, key: SigningKey) -> str:
    """Return the note of `checkpoint` signed by the log's key; the key's name is the origin."""
    return note.sign(format_checkpoint(checkpoint), checkpoint.origin, key)


def open_checkpoint(signed: str, verifier: Verifier) -> Checkpoint:
    """Return the checkpoint in `signed` if the log signed it and it names the log's origin."""
    checkpoint = parse_checkpoint(note.open_note(signed, verifier))
    if checkpoint.origin != verifier.name:
        raise MalformedError(f"checkpoint is of {checkpoint.origin!r}, not of {verifier.name!r}")
    return checkpoint
