"""Remembered heads: where each log stood when this person last saw it, kept outside the ledger.

One small file for each log key in the state folder, ``heads/<first 16 hex digits of the key>``::

    {"log_key":"ssh-ed25519 AAAA…","root":"<64 hex>","size":42}

A ledger that was truncated, rolled back or rewritten no longer extends the head. It is written
after the commit and not fsynced: it may lag behind the ledger, never lead it.
"""

import fcntl
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ledger import merkle
from ledger.merkle import NodeReader
from receipts import canonical
from receipts.errors import MalformedError, VerificationError
from receipts.files import private_folder, sync_directory
from receipts.keys import PublicKey
from receipts.shape import Hex64, Shape

MAX_BYTES = 512


@dataclass(frozen=True)
class Head:
    """A tree head: so many entries under this root."""

    size: int
    root: bytes


class _File(Shape):
    log_key: str
    root: Hex64
    size: int


class Heads:
    """The remembered heads under one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, log_key: PublicKey) -> Path:
        """Return the file for this log key."""
        return self.folder / log_key.raw.hex()[:16]

    def recall(self, log_key: PublicKey) -> Head | None:
        """Return the head remembered for this log, None when there is none."""
        path = self.path(log_key)
        try:
            with path.open("rb") as stream:
                # Without the lock, half of what another process is writing could be read.
                fcntl.flock(stream.fileno(), fcntl.LOCK_SH)
                data = stream.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return None
        return parse(data, log_key, str(path)) if data else None

    def remember(self, log_key: PublicKey, head: Head) -> None:
        """Replace the remembered head; a smaller one never takes the place of a larger one."""
        descriptor = self._open(log_key)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            data = os.read(descriptor, MAX_BYTES)
            known = parse(data, log_key, str(self.path(log_key))) if data else None
            if known is None or known.size < head.size:
                # A larger size is never a shorter text, and all of it lies in one disk sector:
                # the old text is replaced whole, without the cost of a rename.
                os.pwrite(descriptor, _spell(log_key, head), 0)
        finally:
            os.close(descriptor)

    def _open(self, log_key: PublicKey) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            return os.open(self.path(log_key), flags, 0o600)
        except FileNotFoundError:
            private_folder(self.folder)
            return os.open(self.path(log_key), flags, 0o600)


class Durable(Heads):
    """Heads of a witness: synced before anything rests on them, and never two of one size."""

    def remember(self, log_key: PublicKey, head: Head) -> None:
        """Remember durably; raise unless `head` is now the newest that was ever remembered."""
        super().remember(log_key, head)
        with self.path(log_key).open("rb") as stream:
            os.fsync(stream.fileno())
        sync_directory(self.folder)
        if self.recall(log_key) != head:
            raise VerificationError(
                f"{self.path(log_key)} holds another head than this one of {head.size}: somebody "
                "else cosigned meanwhile; start again"
            )


class Replacing(Heads):
    """Heads that forget what they knew: for one RECOVERY entry, and nothing else."""

    def recall(self, log_key: PublicKey) -> Head | None:
        """Return nothing."""
        return None

    def remember(self, log_key: PublicKey, head: Head) -> None:
        """Put `head` in the place of whatever was remembered."""
        self.path(log_key).unlink(missing_ok=True)
        super().remember(log_key, head)


@lru_cache(maxsize=8)
def parse(data: bytes, log_key: PublicKey, name: str) -> Head:
    """Return the head that `data` spells, if it is of the log with this key."""
    try:
        stored = _File.parse(canonical.decode(data, MAX_BYTES), "remembered head")
    except MalformedError as error:
        raise MalformedError(f"{name}: {error}; restore it or remove it knowingly") from error
    if stored.log_key != log_key.openssh:
        raise VerificationError(f"{name} is the head of another log ({stored.log_key[:32]}…)")
    return Head(stored.size, bytes.fromhex(stored.root))


def require_extends(size: int, read: NodeReader, head: Head, what: str) -> None:
    """Return if a tree of `size` leaves extends `head`; else raise `VerificationError`."""
    if size < head.size:
        raise VerificationError(
            f"the ledger has {size} entries, {what} saw {head.size}: truncated or rolled back"
        )
    if merkle.root(head.size, read) != head.root:
        raise VerificationError(
            f"the first {head.size} entries are not those {what} saw: history was rewritten"
        )


def _spell(log_key: PublicKey, head: Head) -> bytes:
    value = {"log_key": log_key.openssh, "root": head.root.hex(), "size": head.size}
    return canonical.encode(value)
