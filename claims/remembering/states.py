"""What is told of a file, so that it can be seen later whether it is still what was read.

A kind says how: `text` by the digest of its bytes, `file` by its place on disk and times, `folder`
by its names, `ledger` by its place and its head.
"""

import hashlib
import os
import stat
import time
from contextlib import closing
from pathlib import Path
from typing import Any

State = list[Any]
BESIDE = ("-journal", "-wal")
_JUST_NOW_NS = 50_000_000
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def state(path: str, kind: str) -> State:
    """Return what is told of a file: its bytes, its place on disk, or that it is not there."""
    try:
        if kind == "file":
            return _of_file(path)
        if kind != "folder" and not all(map(_is_file, _read_with(path, kind))):
            return [kind, "no file"]  # a pipe is refused by whoever opens it, and never waited for
        if kind == "ledger":
            return ["ledger", *_head(path), *_place_on_disk(path)]
        if kind == "folder":
            # Where Python leaves bytecode there are no pages.
            entries = {entry.name for entry in Path(path).iterdir()} - {"__pycache__"}
            names = "\n".join(sorted(entries)).encode("utf-8", "surrogateescape")
            return ["folder", hashlib.sha256(names).hexdigest()]
        if Path(path).is_dir():
            return [kind, "folder"]
        # Where a link leads is part of what was read: the same bytes may lie outside tomorrow.
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        return ["text", digest, os.path.realpath(path)]
    except OSError:
        return [kind, "absent"]


def still(told: dict[str, State]) -> bool:
    """Say whether each of these files is what was told of it."""
    return all(state(path, one[0]) == one for path, one in told.items())


def is_ours(path: Path) -> bool:
    """Say whether a file or folder is the caller's, no link, and nobody else may write to it."""
    found = path.lstat()
    ours = found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_MAY_WRITE
    return ours and not stat.S_ISLNK(found.st_mode)


def _read_with(path: str, kind: str) -> list[str]:
    """Return what is opened to read a file: a database has up to two others beside it."""
    beside = [f"{path}{tail}" for tail in BESIDE] if kind == "ledger" else []
    return [path, *filter(os.path.exists, beside)]


def _is_file(path: str) -> bool:
    return stat.S_ISREG(Path(path).stat().st_mode)


def _of_file(path: str) -> State:
    found = os.stat(path)  # noqa: PTH116 - of hundreds of files, for each page
    return ["file", *_told_of(found)] if stat.S_ISREG(found.st_mode) else ["file", "no file"]


def _place_on_disk(path: str) -> list[int]:
    return _told_of(Path(path).stat())


def _told_of(found: os.stat_result) -> list[int]:
    return [found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns]


def is_fresh(told: State) -> bool:
    """Say whether a file changed so lately that another change could leave the same time."""
    return len(told) > 2 and max(told[-2:]) > time.time_ns() - _JUST_NOW_NS


def _head(path: str) -> list[Any]:
    """Return the number of entries and the id of the last one, from the ledger's own file."""
    import sqlite3

    sql = "SELECT idx, id FROM entry ORDER BY idx DESC LIMIT 1"
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            row = database.execute(sql).fetchone()
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    return [row[0] + 1, row[1]] if row else [0, ""]
