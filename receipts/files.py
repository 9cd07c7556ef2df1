"""Files at the rim: read whole within a bound, written whole or not at all.

Whatever is wrong is told in one line that names the file and, for text, its line.
"""

import errno
import fcntl
import os
import stat
from pathlib import Path

from receipts.errors import ConflictError, MalformedError, NotFoundError

CONFIGURATION = "evidence.yaml"
"""The file that makes a folder a workspace, found upwards as git finds `.git`."""


def read(path: Path, limit: int, what: str) -> bytes:
    """Return the bytes of the regular file at `path`; `what` is what errors call it.

    Raises `NotFoundError` when it is not there or no file, `MalformedError` when it is larger than
    `limit` bytes.
    """
    try:
        # Without blocking: a named pipe must be refused, not waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFoundError(f"{path}: the {what} does not exist; check the path") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotFoundError(f"{path}: the {what} is not a regular file; name a file")
    with os.fdopen(descriptor, "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise MalformedError(f"{path}: larger than {limit} bytes; no {what} is so long")
    return data


def text(path: Path, limit: int, what: str) -> str:
    """Return the text of the UTF-8 file at `path`, within `limit` bytes."""
    data = read(path, limit, what)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        where = f"byte {error.start} ({error.reason})"
        raise MalformedError(
            f"{path}:{line}: not UTF-8 text at {where}; save it as UTF-8"
        ) from error


def write_new(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write `data` durably to the new file at `path`; an existing one is never replaced."""
    fresh = _written(path, data, mode)
    try:
        os.link(fresh, path)
    except FileExistsError as error:
        raise ConflictError(f"{path} exists and is not replaced; name another file") from error
    finally:
        fresh.unlink()
    sync_directory(path.parent)


def replace(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Put a file with `data` in the place of the file at `path`, durably and at once."""
    if path.is_dir():
        raise MalformedError(f"{path} is a folder and is not replaced; name a file")
    fresh = _written(path, data, mode)
    try:
        fresh.replace(path)
    except BaseException:
        fresh.unlink()
        raise
    sync_directory(path.parent)


def sync(descriptor: int) -> None:
    """Make the file durable; macOS needs to be asked to reach the disk itself."""
    if hasattr(fcntl, "F_FULLFSYNC"):
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def private_folder(path: Path) -> Path:
    """Return the folder at `path`, made with every missing parent for its owner alone."""
    for folder in (*reversed(path.parents), path):
        folder.mkdir(mode=0o700, exist_ok=True)
    return path


def sync_directory(path: Path) -> None:
    """Make the names in the directory at `path` durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network file systems cannot sync a directory; the file itself is durable there.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _written(path: Path, data: bytes, mode: int) -> Path:
    try:
        import tempfile

        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".incoming-")
    except FileNotFoundError as error:
        raise NotFoundError(f"folder {path.parent} does not exist; create it") from error
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(descriptor, mode)
            sync(descriptor)
    except BaseException:
        fresh.unlink()
        raise
    return fresh
