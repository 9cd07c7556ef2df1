"""What an earlier, anchored verification has settled, kept in the auditor's own state folder.

One small file for each log key, ``verified/<first 16 hex digits of the key>``::

    {"keys":[0,1,57],"log_key":"ssh-ed25519 AAAA…","notes":"<64 hex>","root":"<64 hex>",
     "size":100000}

The root says exactly which entries were verified: whoever finds the same root over the first `size`
rows need not check their signatures again. `keys` are the GENESIS and KEY entries among them, from
which the standing of every key is folded anew; `notes` is a digest over the checkpoints up to that
size, whose signatures the root says nothing about.
"""

from dataclasses import dataclass
from pathlib import Path

from receipts import canonical, files
from receipts.errors import MalformedError
from receipts.keys import PublicKey
from receipts.shape import Hex64, Shape

MAX_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class Verified:
    """So many entries under this root were verified; these of them concern keys."""

    size: int
    root: bytes
    keys: tuple[int, ...]
    notes: bytes


class _File(Shape):
    keys: list[int]
    log_key: str
    notes: Hex64
    root: Hex64
    size: int


class Memory:
    """What was verified, one file a log, under one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def recall(self, log_key: PublicKey) -> Verified | None:
        """Return what was verified of this log; None when nothing was, or it cannot be read.

        Losing it costs a longer verification and nothing else.
        """
        try:
            data = self._path(log_key).read_bytes()
            stored = _File.parse(canonical.decode(data, MAX_BYTES), "verified head")
        except (OSError, MalformedError):
            return None
        if stored.log_key != log_key.openssh:
            return None
        root, notes = bytes.fromhex(stored.root), bytes.fromhex(stored.notes)
        return Verified(stored.size, root, tuple(stored.keys), notes)

    def remember(self, log_key: PublicKey, verified: Verified) -> None:
        """Replace what was verified of this log."""
        files.private_folder(self.folder)
        value = {
            "keys": list(verified.keys),
            "log_key": log_key.openssh,
            "notes": verified.notes.hex(),
            "root": verified.root.hex(),
            "size": verified.size,
        }
        files.replace(self._path(log_key), canonical.encode(value), mode=0o600)

    def forget(self, log_key: PublicKey) -> None:
        """Forget what was verified of this log."""
        self._path(log_key).unlink(missing_ok=True)

    def _path(self, log_key: PublicKey) -> Path:
        return self.folder / log_key.raw.hex()[:16]
