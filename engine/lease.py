"""One run at a time: a lock on this host, held by the run itself and not only by its wrapper.

The lock is a `flock` on a file in the user's state folder, never beside the evidence; the receipt
says `exclusive: this user`, because other users do not see it. The descriptor is handed to the
child: killing the wrapper does not free the host while the job lives. Nobody waits: a held lock is
refused with exit 75, and the message says who holds it.
"""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from receipts import workspace
from receipts.errors import HeldError, MalformedError
from receipts.statement import Facts

_HOLDER_BYTES = 200


@dataclass(frozen=True)
class Lease:
    """A held lock; `descriptor` is passed to the child."""

    descriptor: int
    path: Path

    def facts(self) -> Facts:
        """Return what a receipt says about the lease."""
        return {"lock": self.path.name, "exclusive": "this user", "source": "acquired"}


@contextmanager
def acquire(cell: str, folder: Path | None = None) -> Iterator[Lease]:
    """Hold the host's lock for a run of `cell`, or raise `HeldError` at once."""
    place = folder or workspace.state_dir() / "locks"
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = place / "host.lock"
    descriptor = _open(path)
    try:
        _lock(descriptor, path)
        _say_who(descriptor, f"pid {os.getpid()}, cell {cell}")
        yield Lease(descriptor, path)
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise MalformedError(f"lock {path} is a symbolic link; remove it") from error
        raise


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(descriptor, _HOLDER_BYTES, 0).decode("utf-8", "replace").strip()
        raise HeldError(
            f"this host is leased to {holder or 'another run'} (lock {path}); try again later"
        ) from error
    if not _is_still(path, os.fstat(descriptor)):
        raise HeldError(f"lock {path} was replaced while it was taken; try again")


def _is_still(path: Path, held: os.stat_result) -> bool:
    try:
        here = path.lstat()
    except FileNotFoundError:
        return False
    return (here.st_dev, here.st_ino) == (held.st_dev, held.st_ino)


def _say_who(descriptor: int, text: str) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{text}\n".encode(), 0)
