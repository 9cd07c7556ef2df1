"""What a check established, kept piece by piece for the next check of another page.

An answer is of one call. What it took to give it, register, ledger and evidence read and judged, is
of all calls, and is kept here in rows: each under a name, each with the files that its check read.
A row is given again only where each of these files is what it was, told as for an answer. Whatever
is not so (another version, another day, a row cut short, a file of somebody else) is not there, and
the caller takes the long way.
"""

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self

from claims.remembering import answers, states
from claims.remembering.answers import Watch
from claims.remembering.states import State

FORMAT = 1
BASE = "base"
"""The name of the row that all others belong to: it says of which register and ledger they are."""
MOST_KEPT = 8
MOST_BYTES = 128 * 1024 * 1024
MOST_OF_A_ROW = 256 * 1024
_TAIL = ".rows"
_SCHEMA = """
CREATE TABLE batch (id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE row (
  name TEXT PRIMARY KEY, batch TEXT NOT NULL, value BLOB NOT NULL, seal TEXT NOT NULL
) WITHOUT ROWID;
"""


class NotThereError(Exception):
    """Nothing is known of it, or not for certain."""


class Known:
    """The rows that still hold; `inputs` are the files that those asked for rest on."""

    def __init__(self, database: sqlite3.Connection, watch: Watch) -> None:
        self._database = database
        self._watch = watch
        self._batches: dict[str, Any] = {}
        self._of = ""
        self.inputs: dict[str, State] = {}
        self.base, self._of = self._read(BASE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def row(self, name: str) -> Any:
        """Return what was kept under a name, or raise `NotThereError`."""
        return self._read(name)[0]

    @property
    def at(self) -> str:
        """When register and ledger were read."""
        return str(next(iter(self._batches.values()))["at"])

    def _read(self, name: str) -> tuple[Any, str]:
        """Return what a row holds, and the digest of that."""
        sql = "SELECT batch, value, seal FROM row WHERE name = ?"
        found = self._database.execute(sql, (name,)).fetchone()
        if found is None:
            raise NotThereError(name)
        batch, value, seal = found
        if _sealed(self._of, name, batch, value) != seal:
            raise NotThereError(name)
        self._require(batch)
        return json.loads(value), _digest(value)

    def _require(self, batch: str) -> None:
        """Require that each file that a check read is what it was."""
        if batch in self._batches:
            return
        found = self._database.execute("SELECT value FROM batch WHERE id = ?", (batch,)).fetchone()
        if found is None or _digest(found[0]) != batch:
            raise NotThereError(batch)
        read = json.loads(found[0])
        new = {path: one for path, one in read["inputs"].items() if self.inputs.get(path) != one}
        with self._watch.aside():
            if not states.still(new):
                raise NotThereError(batch)
        self.inputs |= new
        self._batches[batch] = read


def known(watch: Watch) -> Known | None:
    """Return what is known here today, None where nothing is, or nothing that still holds."""
    path = _place()
    try:
        if not states.is_ours(path.parent) or not states.is_ours(path):
            return None
        with watch.aside():
            database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    except (OSError, sqlite3.Error):
        return None
    try:
        return Known(database, watch)
    except (NotThereError, sqlite3.Error, ValueError, LookupError, TypeError):
        database.close()
        return None


def keep(watch: Watch, without: Iterable[str], base: Any, rows: Iterable[tuple[str, Any]]) -> None:
    """Keep a base and its rows, with the files that were read; `without` names pages among them."""
    left = frozenset(without)
    seen = {path: one for path, one in watch.seen.items() if path not in left}
    inputs = answers.with_program(seen)
    if inputs is None:
        return
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    # What cannot be kept is worked out again.
    with suppress(OSError, sqlite3.Error):
        _write(_place(), json.dumps({"at": at, "inputs": inputs}).encode(), base, rows)


def _write(path: Path, batch: bytes, base: Any, rows: Iterable[tuple[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    number = _digest(batch)
    first = _row("", BASE, number, base)
    if first is None:
        return
    told = (one for name, value in rows if (one := _row(_digest(first[2]), name, number, value)))
    if _is_open_to(path, first[2]):
        _insert(path, (number, batch), (first, *told))
        return
    beside = path.with_suffix(f".{os.getpid()}")
    try:
        with closing(sqlite3.connect(beside)) as database:
            database.executescript(_SCHEMA)
        beside.chmod(0o600)
        _insert(beside, (number, batch), (first, *told))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    answers.prune(path.parent, _TAIL, MOST_KEPT)


def _insert(path: Path, batch: tuple[str, bytes], rows: Iterable[tuple[Any, ...]]) -> None:
    with closing(sqlite3.connect(path, timeout=1)) as database:
        database.execute("PRAGMA synchronous=OFF")
        with database:
            database.execute("INSERT OR REPLACE INTO batch VALUES (?, ?)", batch)
            database.executemany("INSERT OR REPLACE INTO row VALUES (?, ?, ?, ?)", rows)


def _row(of: str, name: str, batch: str, value: Any) -> tuple[str, str, bytes, str] | None:
    data = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if len(data) > MOST_OF_A_ROW and name != BASE:
        return None
    return name, batch, data, _sealed(of, name, batch, data)


def _is_open_to(path: Path, base: bytes) -> bool:
    """Say whether rows of this base are kept there, with room for more: then they stay."""
    try:
        if not states.is_ours(path) or path.stat().st_size > MOST_BYTES:
            return False
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            found = database.execute("SELECT value FROM row WHERE name = ?", (BASE,)).fetchone()
    except (OSError, sqlite3.Error):
        return False
    return found is not None and found[0] == base


def _digest(value: bytes) -> str:
    return hashlib.sha256(value).hexdigest()


def _sealed(of: str, name: str, batch: str, value: bytes) -> str:
    """Return a digest of a row and of what it belongs to: half a row is no row."""
    head = json.dumps([FORMAT, of, name, batch]).encode()
    return _digest(head + b"\n" + value)


def _place() -> Path:
    return answers.place_of("established", [("established", str(FORMAT))], _TAIL)
