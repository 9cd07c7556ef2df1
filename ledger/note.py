"""C2SP signed notes: a text, an empty line, and a signature line for each key.

::

    perf.example.org/engine
    3
    qg1v…=

    — perf.example.org/engine Uw2QOkn8…=

The text ends in a newline and holds no other control characters. A signature line is an em dash,
the key's name, and base64 of the 4-byte key id followed by the signature. The key id is
SHA-256(name || 0x0A || 0x01 || public key)[:4] for Ed25519; it is a hint, not an identity. Lines by
unknown keys are ignored; a line by a known key that does not verify rejects the whole note.
Source: https://c2sp.org/signed-note, version 1.0.0.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

from receipts.errors import MalformedError, VerificationError
from receipts.keys import PublicKey, SigningKey

MAX_BYTES = 1_000_000
MAX_SIGNATURES = 100
ED25519 = b"\x01"
# A key's name: no space of Unicode, no plus sign, no control character, nothing UTF-8 cannot spell.
_NAME = r"[^\s+\x00-\x1f\ud800-\udfff]+"
_LINE = re.compile(rf"\u2014 ({_NAME}) ([A-Za-z0-9+/]+={{0,2}})")
_NOT_TEXT = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")


@dataclass(frozen=True)
class Verifier:
    """A name and the Ed25519 key that signs notes under it."""

    name: str
    key: PublicKey

    kind: ClassVar[bytes] = ED25519
    """The type byte of its signatures; a subclass is another kind of signature."""

    def __post_init__(self) -> None:
        if not re.fullmatch(_NAME, self.name):
            raise MalformedError(
                f"key name {self.name!r} is empty or holds a space, a plus sign or a control "
                "character"
            )

    @property
    def key_id(self) -> bytes:
        """The 4-byte hint in signature lines."""
        text = self.name.encode() + b"\n" + self.kind + self.key.raw
        return hashlib.sha256(text).digest()[:4]

    @property
    def vkey(self) -> str:
        """The verifier in C2SP's spelling, `name+hex(key id)+base64(type || key)`."""
        encoded = base64.b64encode(self.kind + self.key.raw).decode()
        return f"{self.name}+{self.key_id.hex()}+{encoded}"

    @classmethod
    def parse(cls, vkey: str) -> Self:
        """Return the verifier that `vkey` spells; `MalformedError` for any other spelling."""
        name, _, rest = vkey.partition("+")
        try:
            data = base64.b64decode(rest.partition("+")[2], validate=True)
        except ValueError as error:
            raise MalformedError("verifier key holds no base64") from error
        if data[:1] != cls.kind:
            raise MalformedError(f"verifier key is not of the kind 0x{cls.kind.hex()}")
        verifier = cls(name, PublicKey.from_raw(data[1:]))
        if verifier.vkey != vkey:
            raise MalformedError("verifier key is not in canonical form, or its id is wrong")
        return verifier

    def verify(self, text: str, signature: bytes) -> None:
        """Return if `signature` is this key's over a note's `text`; else `VerificationError`."""
        self.key.verify(signature, text.encode())


@dataclass(frozen=True)
class Opened:
    """A note whose lines by known keys verified; what other lines say, nobody knows."""

    text: str
    verified: tuple[tuple[Verifier, bytes], ...]
    """Each known key that signed, with its signature, in the note's order; a key may repeat."""
    unverified: tuple[tuple[str, bytes], ...]
    """The lines by unknown keys: name, and key id with signature."""


def sign(text: str, name: str, key: SigningKey) -> str:
    """Return the note of `text` with one signature by `key` under `name`."""
    _check_text(text)
    return f"{text}\n{line(Verifier(name, key.public), key.sign(text.encode()))}"


def line(signer: Verifier, signature: bytes) -> str:
    """Return the signature line, newline included, that carries `signature` by `signer`."""
    encoded = base64.b64encode(signer.key_id + signature).decode()
    return f"\u2014 {signer.name} {encoded}\n"


def open_note(note: str, verifier: Verifier) -> str:
    """Return the text of `note` if `verifier` signed it.

    Raises `MalformedError` for a note out of form, `VerificationError` for a known key whose
    signature fails and for a note without a signature by `verifier`.
    """
    opened = open_known(note, [verifier])
    if not opened.verified:
        raise VerificationError(f"note carries no signature by {verifier.name}")
    return opened.text


def open_known(note: str, known: Iterable[Verifier]) -> Opened:
    """Return the note with its signatures parted into verified ones and those by unknown keys.

    Raises `MalformedError` for a note out of form, `VerificationError` for a known key whose
    signature fails. That nobody known signed is no error here: whose word is needed, the caller
    knows.
    """
    text, signatures = split(note)
    keys = list(known)
    verified, unverified = [], []
    for name, data in signatures:
        signers = [key for key in keys if (key.name, key.key_id) == (name, data[:4])]
        for signer in signers:
            signer.verify(text, data[4:])
            verified.append((signer, data[4:]))
        if not signers:
            unverified.append((name, data))
    return Opened(text, tuple(verified), tuple(unverified))


def split(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """Return the text of a note and its signatures as (name, key id and signature)."""
    if len(note) > MAX_BYTES:
        raise MalformedError(f"note is larger than {MAX_BYTES} characters")
    cut = note.rfind("\n\n")
    if cut < 0 or not note.endswith("\n"):
        raise MalformedError("note has no empty line before its signatures")
    text, block = note[: cut + 1], note[cut + 2 :]
    _check_text(text)
    lines = block.split("\n")[:-1]
    if not 1 <= len(lines) <= MAX_SIGNATURES:
        raise MalformedError(f"note carries {len(lines)} signatures, not 1 to {MAX_SIGNATURES}")
    return text, [_signature(line) for line in lines]


def _signature(line: str) -> tuple[str, bytes]:
    match = _LINE.fullmatch(line)
    if not match:
        raise MalformedError("note has a malformed signature line")
    try:
        data = base64.b64decode(match[2], validate=True)
    except ValueError as error:
        raise MalformedError("note has a signature that is not base64") from error
    if len(data) < 5 or base64.b64encode(data).decode() != match[2]:
        raise MalformedError("note has a signature that is not canonical base64")
    return match[1], data


def _check_text(text: str) -> None:
    if not text.endswith("\n") or _NOT_TEXT.search(text):
        raise MalformedError("note text must end in a newline and hold no control characters")
