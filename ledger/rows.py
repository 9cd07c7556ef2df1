"""The rows of an open ledger file: entries, subtrees, checkpoints, cosignatures; bytes, no meaning.

SQLite's errors become ours here, each with the path of the file.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ledger.merkle import Frontier
from receipts.errors import ConflictError, Error, HeldError, SystemFailureError, VerificationError

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
            raise translate(error, self.path) from error

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
        with translated(self.path):
            # Not `yield from`: it would touch the cursor again when a reader stops halfway.
            for row in self._db.execute(sql, values):  # noqa: UP028
                yield row


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite raises inside into our errors, naming the file."""
    try:
        yield
    except TROUBLE as error:
        raise translate(error, path) from error


def translate(error: Exception, path: Path) -> Error:
    """Return our error for what SQLite raised about the file."""
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
