"""Ed25519 keys in OpenSSH's own file format, so that `ssh-keygen` can make, read and change them.

A private key file is refused when it is a symbolic link or when others may read it. A public key is
one line, ``ssh-ed25519 AAAA… comment``; its fingerprint is what ``ssh-keygen -l`` prints,
``SHA256:…``. Points of small order and non-canonical points are refused: a signature under them
would verify for messages that nobody signed (RFC 8032 §5.1.7; the list is that of libsodium).
"""

import base64
import hashlib
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from receipts.errors import (
    ConflictError,
    MalformedError,
    NotFoundError,
    UsageError,
    VerificationError,
)

ALGORITHM = "ssh-ed25519"
MAX_KEY_FILE = 64 * 1024
_PRIME = 2**255 - 19
_BLOB_PREFIX = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"
# The y coordinates of the points of order 1, 2, 4 and 8.
_SMALL_ORDER = {
    0,
    1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    _PRIME - 1,
}

Passphrase = Callable[[str], bytes]


@dataclass(frozen=True)
class PublicKey:
    """An Ed25519 public key: 32 bytes, known to be a usable point."""

    raw: bytes
    _verifier: Ed25519PublicKey = field(repr=False, compare=False)

    @classmethod
    def from_raw(cls, raw: bytes) -> "PublicKey":
        """Return the key whose 32 bytes are `raw`; refuse small-order and non-canonical points."""
        y = int.from_bytes(raw, "little") & (2**255 - 1)
        if len(raw) != 32 or y >= _PRIME or y in _SMALL_ORDER:
            raise MalformedError("public key is not a usable Ed25519 point")
        return cls(raw, Ed25519PublicKey.from_public_bytes(raw))

    @classmethod
    def parse(cls, line: str) -> "PublicKey":
        """Return the key in an OpenSSH public key line; a comment after it is allowed."""
        words = line.split(" ", 2)
        if len(words) < 2 or words[0] != ALGORITHM or len(line.splitlines()) != 1:
            raise MalformedError(f"{line[:40]!r} is not a public key line ({ALGORITHM} AAAA…)")
        try:
            blob = base64.b64decode(words[1], validate=True)
        except ValueError as error:
            raise MalformedError("public key line holds no base64") from error
        key = cls.from_raw(blob[len(_BLOB_PREFIX) :])
        if key.openssh != f"{ALGORITHM} {words[1]}":
            raise MalformedError("public key line is not in OpenSSH's spelling")
        return key

    @property
    def openssh(self) -> str:
        """The line without a comment, as entries carry it."""
        return f"{ALGORITHM} {base64.b64encode(_BLOB_PREFIX + self.raw).decode()}"

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint as `ssh-keygen -l` prints it."""
        digest = hashlib.sha256(_BLOB_PREFIX + self.raw).digest()
        return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")

    def verify(self, signature: bytes, message: bytes) -> None:
        """Return if `signature` is this key's over `message`; else raise `VerificationError`."""
        try:
            self._verifier.verify(signature, message)
        except InvalidSignature as error:
            raise VerificationError(f"signature by {self.fingerprint} does not verify") from error


@dataclass(frozen=True)
class SigningKey:
    """A private key in memory. It signs; it never prints itself."""

    public: PublicKey
    _private: Ed25519PrivateKey = field(repr=False, compare=False)

    def sign(self, message: bytes) -> bytes:
        """Return the 64-byte signature over `message`."""
        return self._private.sign(message)


class Signed(NamedTuple):
    """A signature to check: its number, the 32 bytes of the key, the signature, the message."""

    number: int
    key: bytes
    signature: bytes
    message: bytes


def failing(batch: Sequence[tuple[int, bytes, bytes, bytes]]) -> list[int]:
    """Return the numbers of those in a batch of `Signed`, or of such tuples, that do not verify."""
    known: dict[bytes, PublicKey] = {}
    failed = []
    for number, raw, signature, message in batch:
        key = known.get(raw) or known.setdefault(raw, PublicKey.from_raw(raw))
        try:
            key.verify(signature, message)
        except VerificationError:
            failed.append(number)
    return failed


def from_private(private: Ed25519PrivateKey) -> SigningKey:
    """Return the signing key around a private key of the `cryptography` package."""
    raw = private.public_key().public_bytes_raw()
    return SigningKey(PublicKey.from_raw(raw), private)


def generate(path: Path, comment: str, passphrase: bytes | None = None) -> SigningKey:
    """Make a key, write it to `path` (mode 0600) and its public line to `path.pub`.

    An existing file is never replaced: `ConflictError`. An empty passphrase is refused: it would
    leave a key unlocked that was meant to be locked.
    """
    if passphrase == b"":
        raise UsageError("the passphrase is empty; give one, or leave --passphrase out")
    public_path = path.with_name(path.name + ".pub")
    if not comment.isprintable():
        raise MalformedError(f"comment {comment[:40]!r} is not one line of printable text")
    if public_path.exists() or public_path.is_symlink():
        raise ConflictError(f"{public_path} exists; a key is never overwritten, name another file")
    private = Ed25519PrivateKey.generate()
    lock = (
        serialization.NoEncryption()
        if passphrase is None
        else serialization.BestAvailableEncryption(passphrase)
    )
    text = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, lock
    )
    key = from_private(private)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write_new(path, text, 0o600)
    _write_new(public_path, f"{key.public.openssh} {comment}".rstrip().encode() + b"\n", 0o644)
    return key


def load(path: Path, ask: Passphrase | None = None) -> SigningKey:
    """Return the private key in `path`; `ask` is called for a passphrase only if one is needed.

    Refuses a symbolic link, a file that others may read, and anything but an Ed25519 key.
    """
    text = _read_private(path)
    private = _decrypt(path, text, ask)
    if not isinstance(private, Ed25519PrivateKey):
        raise MalformedError(f"key {path} is not Ed25519; make one with `receipts keygen`")
    return from_private(private)


def load_public(path: Path) -> PublicKey:
    """Return the public key in `path`, one OpenSSH line."""
    try:
        with path.open("rb") as stream:
            text = stream.read(MAX_KEY_FILE).decode("utf-8").strip()
    except FileNotFoundError as error:
        raise NotFoundError(f"public key {path} does not exist") from error
    except IsADirectoryError as error:
        raise MalformedError(f"public key {path} is not a regular file") from error
    except UnicodeDecodeError as error:
        raise MalformedError(f"public key {path} is not text") from error
    return PublicKey.parse(text)


def _decrypt(path: Path, text: bytes, ask: Passphrase | None) -> object:
    try:
        return serialization.load_ssh_private_key(text, password=None)
    except (TypeError, ValueError) as error:
        if "password" not in str(error).lower() or ask is None:
            raise MalformedError(f"key {path} cannot be read: {error}") from error
    except UnsupportedAlgorithm as error:
        raise MalformedError(f"key {path} is of an unsupported kind") from error
    try:
        return serialization.load_ssh_private_key(text, password=ask(str(path)))
    except (TypeError, ValueError) as error:
        raise MalformedError(f"key {path}: the passphrase does not open it") from error


def _read_private(path: Path) -> bytes:
    # Without O_NONBLOCK a named pipe would make us wait for its writer.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError as error:
        raise NotFoundError(
            f"key {path} does not exist; `receipts keygen` or `ledger init` makes one"
        ) from error
    except OSError as error:
        if path.is_symlink():
            raise MalformedError(f"key {path} is a symbolic link; name the file itself") from error
        raise
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise MalformedError(f"key {path} is not a regular file")
        if status.st_mode & 0o077:
            raise MalformedError(f"key {path} can be read by others; run: chmod 600 {path}")
        return os.read(descriptor, MAX_KEY_FILE)
    finally:
        os.close(descriptor)


def _write_new(path: Path, data: bytes, mode: int) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    except FileExistsError as error:
        raise ConflictError(
            f"{path} exists; a key is never overwritten, name another file"
        ) from error
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        # Half a key would be in the way of the next attempt for ever.
        path.unlink()
        raise
