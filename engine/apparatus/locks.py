"""Where locks lie and what a held one is: a `flock` on a file that nobody else can swap.

The folder is the one that `$EVIDENCE_LOCK_DIR` or `locks:` in evidence.yaml names; else
`/run/lock/evidence-ledger` or `/var/lock/evidence-ledger`, if root or a group of ours made it::

    install -d -m 3775 -g perf /run/lock/evidence-ledger     # as root, once a boot (tmpfiles.d)

else a private one in the state folder, and the receipt says `exclusive: this user`. A folder that
everyone may write, such as /tmp, is never used: there anybody can make, link or delete a lock. The
folder is opened once and everything in it through that descriptor, so that a path which changes
meanwhile changes nothing; a lock whose file has gone from its path is no longer one.
"""

import errno
import fcntl
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from receipts import workspace
from receipts.errors import HeldError, MalformedError, NotFoundError, SystemFailureError

FOLDER = "EVIDENCE_LOCK_DIR"
SHARED = (Path("/run/lock/evidence-ledger"), Path("/var/lock/evidence-ledger"))
USER, GROUP, HOST = "this user", "this group", "this host"
_HOLDER_BYTES = 200
_PRIVATE_MODE, _SHARED_MODE = 0o600, 0o664
_FLAGS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


@dataclass(frozen=True)
class Place:
    """A folder for locks, who is kept out by those in it, and which folder was passed over."""

    folder: Path
    exclusive: str
    note: str | None = None


@dataclass(frozen=True)
class Lock:
    """A held lock; `what` names what it is on."""

    descriptor: int
    path: Path
    what: str

    def fault(self) -> str | None:
        """Say how the file at the lock's path has changed, None while it is the one held."""
        try:
            here = self.path.lstat()
        except OSError:
            return f"lock {self.path.name} was deleted while it was held"
        if same(here, os.fstat(self.descriptor)):
            return None
        return f"lock {self.path.name} was replaced while it was held"


def same(one: os.stat_result, other: os.stat_result) -> bool:
    """Say whether both are of one file."""
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def find(shared: tuple[Path, ...] = SHARED) -> Place:
    """Return the place of locks; `MalformedError` if one that was named cannot be trusted."""
    notes: list[str] = []
    place = known(shared, notes)
    return place or private(workspace.state_dir() / "locks", notes[0] if notes else None)


def known(shared: tuple[Path, ...] = SHARED, notes: list[str] | None = None) -> Place | None:
    """Return the place that is named or shared, None where only a private one is left.

    Nothing is made. A shared folder that cannot be trusted is passed over, with a word in `notes`.
    """
    here = _workspace()
    named = os.environ.get(FOLDER) or (here.configuration.locks if here else None)
    evidence = _evidence(here) if here else ()
    if named:
        return inspect((here.root if here else Path.cwd()) / named, evidence)
    for folder in filter(os.path.lexists, shared):
        try:
            return inspect(folder, evidence)
        except MalformedError as error:
            (notes if notes is not None else []).append(f"passed over: {error}")
    return None


def private(folder: Path, note: str | None = None) -> Place:
    """Return a folder of this user's own, made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if fault := _fault(folder.lstat()):
        raise MalformedError(f"lock folder {folder} {fault}")
    return Place(folder, USER, note)


def inspect(folder: Path, evidence: tuple[Path, ...] = ()) -> Place:
    """Return `folder` as a place of locks, or raise `MalformedError` with what is wrong with it."""
    try:
        info = folder.lstat()
    except OSError as error:
        raise MalformedError(f"lock folder {folder}: {error.strerror}; make it") from error
    real = folder.parent.resolve() / folder.name
    fault = _fault(info) or _exposed(real)
    if any(real.is_relative_to(place) for place in evidence):
        fault = "lies beside the evidence; name a folder elsewhere"
    if fault:
        raise MalformedError(f"lock folder {folder} {fault}")
    return Place(real, _reach(real, info))


def take(place: Place, name: str, what: str, words: str) -> Lock:
    """Hold the lock `name` on `what`, or raise `HeldError` at once; `words` say who holds it."""
    path = place.folder / name
    descriptor = _open(place, path)
    try:
        _lock(descriptor, path, what)
        # Who may only read a lock holds it all the same, but leaves no word.
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{words}\n".encode(), 0)
    except BaseException:
        os.close(descriptor)
        raise
    return Lock(descriptor, path, what)


def prove(descriptor: int, path: Path, what: str) -> Lock:
    """Return the lock that an inherited descriptor holds; `HeldError` unless it proves that.

    The proof: it is a regular file, the one at `path`; who opens that anew cannot lock it; and the
    inherited descriptor can, because the lock is its own.
    """
    refused = HeldError(f"descriptor {descriptor} does not hold lock {path}; start without it")
    try:
        found = os.fstat(descriptor)
        if descriptor <= 2 or not stat.S_ISREG(found.st_mode) or not same(found, path.lstat()):
            raise refused
        fresh = os.open(path, os.O_RDONLY | _FLAGS)
    except OSError as error:
        raise refused from error
    try:
        if _locks(fresh) or not _locks(descriptor):
            raise refused
    finally:
        os.close(fresh)
    fcntl.fcntl(descriptor, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    return Lock(descriptor, path, what)


def _locks(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock(descriptor: int, path: Path, what: str) -> None:
    if not _locks(descriptor):
        holder = os.pread(descriptor, _HOLDER_BYTES, 0).decode("utf-8", "replace").strip()
        raise HeldError(
            f"{what} is leased to {holder or 'another run'} (lock {path}); try again later"
        )
    if Lock(descriptor, path, what).fault():
        raise HeldError(f"lock {path} was replaced while it was taken; try again")


def _open(place: Place, path: Path) -> int:
    folder = os.open(place.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        descriptor = _opened(folder, path, shared=place.exclusive != USER)
    finally:
        os.close(folder)
    info = os.fstat(descriptor)
    if not stat.S_ISREG(info.st_mode) or info.st_nlink > 1 or info.st_mode & stat.S_IWOTH:
        os.close(descriptor)
        raise MalformedError(f"lock {path} is no plain file of its own; remove it")
    return descriptor


def _opened(folder: int, path: Path, *, shared: bool) -> int:
    """Open the lock, made if it is not there; for reading alone where more is not allowed."""
    refusal: OSError = FileNotFoundError()
    for flags in (os.O_RDWR, os.O_RDONLY, os.O_RDWR | os.O_CREAT | os.O_EXCL, os.O_RDWR):
        try:
            descriptor = os.open(path.name, flags | _FLAGS, _PRIVATE_MODE, dir_fd=folder)
        except (PermissionError, FileNotFoundError, FileExistsError) as error:
            refusal = error
            continue
        except OSError as error:
            linked = error.errno == errno.ELOOP
            told = "is a symbolic link" if linked else f"cannot be opened: {error.strerror}"
            raise MalformedError(f"lock {path} {told}; remove it") from error
        if flags & os.O_CREAT and shared:
            os.fchmod(descriptor, _SHARED_MODE)
        return descriptor
    raise SystemFailureError(f"lock {path}: {refusal.strerror}; ask its owner") from refusal


def _fault(info: os.stat_result) -> str | None:
    if stat.S_ISLNK(info.st_mode):
        return "is a symbolic link; name the folder itself"
    if not stat.S_ISDIR(info.st_mode):
        return "is no folder; name a folder"
    if info.st_mode & stat.S_IWOTH:
        return "may be written by everyone; use one of root or of a group"
    if info.st_uid not in (0, os.geteuid()) and not _is_shared(info):
        return f"belongs to user {info.st_uid}; use one of root or of a group of yours"
    return None


def _is_shared(info: os.stat_result) -> bool:
    ours = info.st_gid in (os.getegid(), *os.getgroups())
    return ours and bool(info.st_mode & stat.S_IWGRP)


def _exposed(folder: Path) -> str | None:
    """Say which folder above lets everyone swap `folder` for another, None if there is none."""
    for parent in folder.parents:
        mode = parent.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"can be replaced by everyone, because {parent} may be written by everyone"
    return None


def _reach(folder: Path, info: os.stat_result) -> str:
    """Say whom a lock in `folder` keeps out: those who can see it and cannot go around it."""
    shared = info.st_mode & stat.S_IWGRP
    if info.st_uid != 0 and not shared:
        return USER
    seen = all(each.stat().st_mode & stat.S_IXOTH for each in (folder, *folder.parents))
    if seen and info.st_mode & stat.S_IROTH:
        return HOST
    return GROUP if shared else USER


def _workspace() -> workspace.Workspace | None:
    try:
        return workspace.find(Path.cwd())
    except NotFoundError:
        return None


def _evidence(here: workspace.Workspace) -> tuple[Path, ...]:
    told = here.configuration
    kept = (here.root / told.objects, here.root / told.receipts, here.ledger.parent)
    return tuple(each.resolve() for each in kept)
