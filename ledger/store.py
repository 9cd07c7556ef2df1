"""The SQLite file: bytes in, bytes out, no meaning.

One file, `journal_mode=DELETE` with `synchronous=EXTRA`: a commit is durable when it returns, and
SQLite's WAL-reset bug (before 3.51.3) cannot reach it. Writers take `BEGIN IMMEDIATE` and wait for
each other; readers open the file read-only. A missing file is never created by anything but
`create`, for a fresh file would be a silent fork. Schema: ledger/schema.sql. Specification:
docs/reference/formats/ledger.md.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from ledger.merkle import Frontier
from receipts.errors import (
    ConflictError,
    Error,
    HeldError,
    NotFoundError,
    SystemFailureError,
    VerificationError,
)
from receipts.files import sync_directory

APPLICATION_ID = 0x45764C67  # "EvLg"
FORMAT_VERSION = 1
BUSY_SECONDS = 30.0
LEVELS = 63
LOWEST_INDEX = -(2**63)
HIGHEST_INDEX = 2**63 - 1
_SYSTEM_TROUBLE = (
    "SQLITE_FULL",
    "SQLITE_IOERR",
    "SQLITE_CANTOPEN",
    "SQLITE_READONLY",
    "SQLITE_PERM",
)
# SQLite's messages quote damaged bytes as they are, and Python then fails to read the message.
TROUBLE = (sqlite3.Error, UnicodeDecodeError)
_HOT_JOURNAL = ("SQLITE_READONLY_ROLLBACK", "SQLITE_READONLY_RECOVERY", "SQLITE_CANTOPEN")
_PRAGMAS = (
    "PRAGMA trusted_schema=OFF",
    "PRAGMA recursive_triggers=ON",
    "PRAGMA cell_size_check=ON",
    "PRAGMA journal_mode=DELETE",
    "PRAGMA synchronous=EXTRA",
)


class Row(NamedTuple):
    """One row of the table `entry`, with whatever types the file gave its columns."""

    idx: Any
    id: Any
    leaf_hash: Any
    envelope: Any


class Store:
    """A connection to a ledger file."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, notice: str | None = None
    ) -> None:
        self._db = connection
        self.path = path
        self.notice = notice
        """What a reader should know about how the file was opened; None when nothing."""

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the write lock; commit at the end, roll back when anything fails."""
        self.execute("BEGIN IMMEDIATE")
        try:
            before = self.state()
            yield
            self._commit(before)
        except BaseException:
            # Where even this fails, the journal stays, and the next writer rolls back.
            with suppress(*TROUBLE):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold a read lock: everything read inside is of one moment, whoever appends."""
        self.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(*TROUBLE):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def state(self) -> tuple[int, str | None]:
        """Return the number of entries and the id of the last one, None when there is none."""
        rows = self.execute("SELECT idx + 1, id FROM entry ORDER BY idx DESC LIMIT 1")
        return (int(rows[0][0]), str(rows[0][1])) if rows else (0, None)

    def envelope(self, index: int) -> bytes | None:
        """Return the bytes of entry `index`, None when there is none."""
        rows = self.execute("SELECT envelope FROM entry WHERE idx = ?", index)
        return self._bytes(rows[0][0], f"envelope {index}") if rows else None

    def row(self, index: int) -> Row | None:
        """Return row `index` with whatever types the file gave it, None when there is none."""
        sql = "SELECT idx, id, leaf_hash, envelope FROM entry WHERE idx = ?"
        rows = self.execute(sql, index)
        return Row(*rows[0]) if rows else None

    def indexes(self, prefix: str) -> list[int]:
        """Return the indexes (two at most) of entries whose id begins with `prefix`."""
        sql = "SELECT idx FROM entry WHERE id >= ? AND id < ? ORDER BY idx LIMIT 2"
        return [int(row[0]) for row in self.execute(sql, prefix, prefix + "g")]

    def rows(self, start: int = LOWEST_INDEX) -> Iterator[Row]:
        """Yield the rows from index `start` on, in the order of their indexes.

        By default that is all of them, also one that somebody hid below zero.
        """
        sql = "SELECT idx, id, leaf_hash, envelope FROM entry WHERE idx >= ? ORDER BY idx"
        for row in self._iterate(sql, start):
            yield Row(*row)

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree; level 0 holds the leaves."""
        if level == 0:
            rows = self.execute("SELECT leaf_hash FROM entry WHERE idx = ?", index)
        else:
            rows = self.execute("SELECT hash FROM tree WHERE level = ? AND idx = ?", level, index)
        if not rows:
            raise VerificationError(f"tree hash {level}/{index} is missing from {self.path}")
        return self._bytes(rows[0][0], f"tree hash {level}/{index}")

    def nodes(self, size: int = 0) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the stored subtrees as (level, index, hash), those that reach beyond `size`."""
        if size == 0:
            yield from self._iterate("SELECT level, idx, hash FROM tree ORDER BY level, idx")
            return
        sql = "SELECT level, idx, hash FROM tree WHERE level = ? AND idx >= ? ORDER BY idx"
        for level in range(1, LEVELS):
            yield from self._iterate(sql, level, size >> level)

    def checkpoints(self, size: int = 0) -> Iterator[tuple[Any, Any]]:
        """Yield the checkpoints beyond `size` as (size, note)."""
        sql = "SELECT size, note FROM checkpoint WHERE size > ? ORDER BY size"
        yield from self._iterate(sql, size or LOWEST_INDEX)

    def cosignatures(self, size: int | None = None) -> Iterator[tuple[Any, Any, Any]]:
        """Yield cosignatures as (size, name, line), of one checkpoint or of all."""
        sql = (
            "SELECT size, name, line FROM cosignature WHERE size BETWEEN ? AND ? "
            "ORDER BY size, name"
        )
        least, most = (LOWEST_INDEX, HIGHEST_INDEX) if size is None else (size, size)
        yield from self._iterate(sql, least, most)

    def last_checkpoint(self) -> str | None:
        """Return the note of the largest checkpoint, None when there is none."""
        rows = self.execute("SELECT note FROM checkpoint ORDER BY size DESC LIMIT 1")
        if not rows:
            return None
        note = rows[0][0]
        if not isinstance(note, str) or any("\ud800" <= c <= "\udfff" for c in note):
            raise VerificationError(f"the last checkpoint in {self.path} is not text")
        return note

    def add_entry(self, index: int, entry_id: str, leaf_hash: bytes, envelope: bytes) -> None:
        """Insert an entry at the end."""
        self.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", index, entry_id, leaf_hash, envelope)

    def append(
        self, index: int, entry_id: str, leaf_hash: bytes, envelope: bytes, tree: Frontier
    ) -> None:
        """Insert an entry at the end, and the subtrees that it completes; `tree` grows by it."""
        self.add_entry(index, entry_id, leaf_hash, envelope)
        for node in tree.add(leaf_hash):
            self.add_node(*node)

    def add_node(self, level: int, index: int, node: bytes) -> None:
        """Insert the hash of a subtree that has become complete."""
        self.execute("INSERT INTO tree VALUES (?, ?, ?)", level, index, node)

    def add_checkpoint(self, size: int, note: str) -> None:
        """Insert a checkpoint."""
        self.execute("INSERT INTO checkpoint VALUES (?, ?)", size, note)

    def add_cosignature(self, size: int, name: str, line: str) -> None:
        """Insert a witness's line on the checkpoint of `size`."""
        self.execute("INSERT INTO cosignature VALUES (?, ?, ?)", size, name, line)

    def schema(self) -> list[tuple[Any, ...]]:
        """Return the schema as stored: kind, name, table and text of every object."""
        return self.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2")

    def pragma(self, name: str) -> list[tuple[Any, ...]]:
        """Return the rows of a reading pragma."""
        return self.execute(f"PRAGMA {name}")

    def execute(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement; SQLite's errors become ours."""
        try:
            return self._db.execute(sql, values).fetchall()
        except TROUBLE as error:
            raise _translate(error, self.path) from error

    def _commit(self, before: tuple[int, str | None]) -> None:
        try:
            self.execute("COMMIT")
        except SystemFailureError as error:
            # Most failures roll back; one after the journal is gone leaves what was committed.
            if self._db.in_transaction or self._stands_at(before):
                raise
            raise SystemFailureError(
                f"{self.path}: the disk failed at the end of the commit, which may have been "
                "written; look with `ledger list --last 1` before trying again"
            ) from error

    def _stands_at(self, state: tuple[int, str | None]) -> bool:
        try:
            return self.state() == state
        except Error:
            return False

    def _bytes(self, value: Any, what: str) -> bytes:
        if not isinstance(value, bytes):
            raise VerificationError(f"{what} in {self.path} is not stored as bytes")
        return value

    def _iterate(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        with _translated(self.path):
            # Not `yield from`: it would touch the cursor again when a reader stops halfway.
            for row in self._db.execute(sql, values):  # noqa: UP028
                yield row


def schema_sql() -> str:
    """Return the text that makes the tables and triggers."""
    return resources.files("ledger").joinpath("schema.sql").read_text(encoding="utf-8")


def expected_schema() -> list[tuple[Any, ...]]:
    """Return the schema that a ledger of this version must have."""
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.executescript(schema_sql())
        return Store(memory, Path(":memory:")).schema()


@contextmanager
def create(path: Path) -> Iterator[Store]:
    """Make a new ledger file; it gets its name only when the block has ended well.

    Raises `ConflictError` when the name is taken.
    """
    if path.exists():
        raise ConflictError(f"{path} exists; a ledger is never replaced")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".new-ledger-") as folder:
        fresh = Path(folder) / path.name
        fresh.touch()
        with closing(open_for_writing(fresh, new=True)) as store:
            store.execute(f"PRAGMA application_id={APPLICATION_ID}")
            store.execute(f"PRAGMA user_version={FORMAT_VERSION}")
            with _translated(path):
                store._db.executescript(schema_sql())  # noqa: SLF001 - the module's own class
            yield store
        try:
            os.link(fresh, path)
        except FileExistsError as error:
            raise ConflictError(f"{path} exists; a ledger is never replaced") from error
    sync_directory(path.parent)


def open_for_writing(path: Path, *, new: bool = False) -> Store:
    """Open the ledger file at `path`; it must exist and be a ledger of this version."""
    _require_file(path)
    with _translated(path):
        connection = _connect(path, "rw")
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    store = Store(connection, path)
    if not new:
        _require_ledger(store)
    return store


def open_for_reading(path: Path) -> Store:
    """Open the ledger file read-only.

    Where a writer died in the middle of a commit, its journal is still there and only a writer may
    roll it back: a private copy is recovered instead, and `notice` says so.
    """
    _require_file(path)
    connection = _connect(path, "ro")
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchall()
    except TROUBLE as error:
        connection.close()
        if (
            getattr(error, "sqlite_errorname", "") not in _HOT_JOURNAL
            or not _journal(path).exists()
        ):
            raise _translate(error, path) from error
        return _recovered_copy(path)
    store = Store(connection, path)
    _require_ledger(store)
    return store


def _recovered_copy(path: Path) -> Store:
    with tempfile.TemporaryDirectory(prefix="evidence-ledger-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(_journal(path), _journal(copy))
        with _translated(path):
            on_disk = _connect(copy, "rw")
            memory = sqlite3.connect(":memory:", isolation_level=None)
            on_disk.backup(memory)
            on_disk.close()
    _prepare(memory)
    notice = (
        f"a writer was interrupted: {_journal(path).name} holds an unfinished append; "
        "a private copy was rolled back and checked, the file itself was left as it is"
    )
    store = Store(memory, path, notice)
    _require_ledger(store)
    return store


def _journal(path: Path) -> Path:
    return path.with_name(path.name + "-journal")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)
    _prepare(connection)
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    # A flipped type byte can turn a blob into text; keep both readable, and their types apart.
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")


def _require_file(path: Path) -> None:
    if not path.is_file():
        raise NotFoundError(f"ledger {path} does not exist; `ledger init` makes one")


def _require_ledger(store: Store) -> None:
    application = store.pragma("application_id")[0][0]
    if application != APPLICATION_ID:
        raise VerificationError(f"{store.path} is not a ledger (application id {application:#x})")
    version = store.pragma("user_version")[0][0]
    if version != FORMAT_VERSION:
        raise VerificationError(
            f"{store.path} has format version {version}, this program reads {FORMAT_VERSION}"
        )


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except TROUBLE as error:
        raise _translate(error, path) from error


def _translate(error: Exception, path: Path) -> Error:
    if isinstance(error, UnicodeDecodeError):
        return VerificationError(f"{path} is damaged: its schema holds bytes that are not text")
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return HeldError(f"{path} is being written by another process; try again")
    if isinstance(error, sqlite3.IntegrityError):
        return ConflictError(f"{path}: {error}")
    if name.startswith(_SYSTEM_TROUBLE):
        return SystemFailureError(f"{path}: {error}; nothing was written")
    return VerificationError(f"{path} is damaged: {error}")
