"""Cosignatures: a witness's word that a checkpoint is the newest it has seen of that log, and when.

A cosignature is one more signature line under a checkpoint, of type 0x04::

    — witness.example.org/w1 base64(key id || time || signature)

The time is eight bytes, big-endian, in POSIX seconds; the Ed25519 signature of 64 bytes is over

    cosignature/v1
    time 1796000000
    <the three lines of the checkpoint>

The message does not hold the witness's name, so one key serves one witness and nothing else.
Source: https://c2sp.org/tlog-cosignature, version 1. Specification:
docs/reference/formats/cosignature.md.
"""

from typing import ClassVar

from ledger import note
from ledger.checkpoint import parse_checkpoint
from ledger.note import Verifier
from receipts.errors import MalformedError, VerificationError
from receipts.keys import SigningKey

COSIGNATURE = b"\x04"
MAX_TIME = 2**63 - 1
_SIZE = 8 + 64


class Witness(Verifier):
    """A name and the Ed25519 key that cosigns checkpoints under it."""

    kind: ClassVar[bytes] = COSIGNATURE

    def verify(self, text: str, signature: bytes) -> None:
        """Return if `signature` is this witness's over the checkpoint `text`; else raise."""
        if len(signature) != _SIZE:
            raise VerificationError(f"cosignature by {self.name} is not of {_SIZE} bytes")
        time = time_of(signature)
        if not 1 <= time <= MAX_TIME:
            raise VerificationError(f"cosignature by {self.name} names no time")
        self.key.verify(signature[8:], _statement(text, time))


def sign(text: str, name: str, key: SigningKey, time: int) -> str:
    """Return the line by which `key`, under `name`, cosigns the checkpoint `text`.

    `text` is the checkpoint without its signatures, `time` is in POSIX seconds. The line is to be
    added at the end of the signed checkpoint. Before that, the witness has to know that the
    checkpoint is the log's and extends what it cosigned last: this function does not.
    """
    parse_checkpoint(text)
    if not 1 <= time <= MAX_TIME:
        raise MalformedError(f"time {time} of a cosignature is not from 1 to 2^63 - 1 seconds")
    signature = key.sign(_statement(text, time))
    return note.line(Witness(name, key.public), time.to_bytes(8, "big") + signature)


def verify(signed: str, witness: Witness) -> int:
    """Return when `witness` cosigned the checkpoint in `signed`, the earliest time if repeatedly.

    Raises `MalformedError` for a note or checkpoint out of form, `VerificationError` for a
    cosignature by the witness that fails and for a checkpoint without one. The log's own signature
    is not looked at.
    """
    opened = note.open_known(signed, [witness])
    parse_checkpoint(opened.text)
    if not opened.verified:
        raise VerificationError(f"checkpoint carries no cosignature by {witness.name}")
    return min(time_of(signature) for _, signature in opened.verified)


def time_of(signature: bytes) -> int:
    """Return the time in a cosignature, in POSIX seconds; believe it only once it is verified."""
    return int.from_bytes(signature[:8], "big")


def _statement(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()
