"""One run at a time: the host's lock, then each device's, held by the run and not by its wrapper.

Locks are `flock`s in a folder that all users see where there is one (`locks`), never beside
the evidence; the receipt says whom they keep out. Their descriptors are handed to the child:
killing the wrapper does not free the host while the job lives. Nobody waits: a held lock is refused
with exit 75, and the message says who holds it.

A wrapper inside a wrapper borrows: the variable `EVIDENCE_LEASE` names the inherited descriptors
(`7,9`), and each must prove that it owns its lock (`locks.prove`); a variable alone proves nothing.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.apparatus import locks
from engine.apparatus.locks import Lock, Place
from receipts.errors import HeldError, UsageError
from receipts.predicates import Facts

VARIABLE = "EVIDENCE_LEASE"
_HOST = "this host"
_DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._-]{0,79}")


@dataclass(frozen=True)
class Lease:
    """Held locks, the host's first; their descriptors are passed to the child."""

    locks: tuple[Lock, ...]
    exclusive: str
    source: str
    notes: tuple[str, ...] = ()

    @property
    def descriptor(self) -> int:
        """The descriptor of the host's lock."""
        return self.locks[0].descriptor

    @property
    def path(self) -> Path:
        """The path of the host's lock."""
        return self.locks[0].path

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The descriptors of all locks, in the order in which they were taken."""
        return tuple(lock.descriptor for lock in self.locks)

    def variables(self) -> Mapping[str, str]:
        """Return the variables by which a wrapper inside the child finds what it inherited."""
        return {VARIABLE: ",".join(map(str, self.descriptors))}

    def facts(self) -> Facts:
        """Return what a receipt says about the lease."""
        names = ", ".join(lock.path.name for lock in self.locks)
        return {"lock": names, "exclusive": self.exclusive, "source": self.source}

    def faults(self) -> list[str]:
        """Return how locks were lost since they were taken: each taints what ran meanwhile."""
        return [fault for lock in self.locks if (fault := lock.fault())]


@contextmanager
def acquire(
    cell: str, folder: Path | None = None, *, devices: Sequence[str] = ()
) -> Iterator[Lease]:
    """Hold the host and `devices` for a run of `cell`, or raise `HeldError` at once.

    Inside a leased command what was inherited is borrowed. `folder` is a private folder to use in
    place of the one that `locks.find` finds.
    """
    place = locks.private(folder) if folder else locks.find()
    wanted = _wanted(devices)
    if VARIABLE in os.environ:
        yield _borrow(place, wanted)
        return
    words = f"pid {os.getpid()}, cell {cell}"
    with ExitStack() as stack:
        held = []
        for name, what in wanted:
            held.append(locks.take(place, name, what, words))
            stack.callback(os.close, held[-1].descriptor)
        yield _lease(place, held, "acquired")


def require(folder: Path | None = None, *, devices: Sequence[str] = ()) -> Lease:
    """Return the lease that this process inherited: a harness runs under one or not at all.

    Raises `UsageError` where there is none, `HeldError` where it does not prove itself.
    """
    if VARIABLE not in os.environ:
        raise UsageError("no lease: start it as `engine run --cell CELL --execute -- COMMAND`")
    return _borrow(locks.private(folder) if folder else locks.find(), _wanted(devices))


def _borrow(place: Place, wanted: Sequence[tuple[str, str]]) -> Lease:
    inherited = _inherited(os.environ[VARIABLE])
    held = []
    for name, what in wanted:
        path = place.folder / name
        candidates = [each for each in inherited if _is_at(each, path)]
        if not candidates:
            raise HeldError(
                f"the inherited lease ({VARIABLE}={os.environ[VARIABLE][:40]}) does not hold "
                f"{what} (lock {path}); lease it in the outer run"
            )
        held.append(locks.prove(candidates[0], path, what))
    return _lease(place, held, "inherited")


def _inherited(text: str) -> list[int]:
    if not re.fullmatch(r"[0-9]{1,6}(,[0-9]{1,6}){0,63}", text, re.ASCII):
        raise HeldError(f"{VARIABLE}={text[:40]!r} names no descriptors; unset it")
    return [int(number) for number in text.split(",")]


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return locks.same(os.fstat(descriptor), path.lstat())
    except OSError:
        return False


def _lease(place: Place, held: Sequence[Lock], source: str) -> Lease:
    return Lease(tuple(held), place.exclusive, source, (place.note,) if place.note else ())


def _wanted(devices: Sequence[str]) -> list[tuple[str, str]]:
    """Return file name and description of every lock, in the one order that all runs take them."""
    for device in devices:
        if not _DEVICE.fullmatch(device):
            raise UsageError(f"--device {device[:80]!r} is no device id; see `engine env`")
    if len(set(devices)) != len(devices):
        raise UsageError("--device names one device twice; give each once")
    named = [(f"device-{device}.lock", f"device {device}") for device in sorted(devices)]
    return [("host.lock", _HOST), *named]
