"""The cache beside the ledger: labels, names, who cites what, and full text. Never evidence.

It is stamped with the size and head that it was built from, extended when the ledger has grown,
rebuilt when the stamp does not fit, and thrown away when it is damaged. Losing it loses nothing.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ledger.bodies import Approval, Experiment, Run
from ledger.entry import Entry, decode_row
from ledger.rows import TROUBLE, Store
from receipts.errors import UsageError

VERSION = 2
BATCH = 256
_SCHEMA = """
CREATE TABLE stamp (size INTEGER NOT NULL, head TEXT);
CREATE TABLE entry (idx INTEGER PRIMARY KEY, kind TEXT NOT NULL);
CREATE INDEX entry_kind ON entry (kind);
CREATE TABLE mention (what TEXT NOT NULL, value TEXT NOT NULL, idx INTEGER NOT NULL);
CREATE INDEX mention_value ON mention (what, value);
CREATE VIRTUAL TABLE words USING fts5 (title, body, tokenize = 'unicode61');
"""
_INSERT_WORDS = "INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)"
_STRUCTURE = {"v", "index", "prev", "at", "kind", "title"}


@dataclass(frozen=True)
class _Item:
    """An entry, and what it can be found by."""

    entry: Entry
    mentions: frozenset[tuple[str, str]]


class Index:
    """The cache of one ledger, in a file or, where that cannot be written, in memory.

    Entries newer than the file are kept in memory and written in batches: a write to another file
    between two appends would make every commit of the ledger wait for it.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._db = _open(path)
        self._tail: list[_Item] = []
        self._store: Store | None = None
        self.size, self._head = _stamp(self._db)

    def close(self) -> None:
        """Write what is only in memory, and close the cache."""
        with suppress(*TROUBLE):
            self._flush()
        self._db.close()

    def catch_up(self, store: Store) -> None:
        """Bring the cache to the ledger's head."""
        self._store = store
        size, head = store.state()
        if (size, head) == (self.size, self._head):
            return
        if self.size and (self.size > size or store.indexes(self._head or "-") != [self.size - 1]):
            self._start_again()
        for row in store.rows(self.size):
            self.add(decode_row(row.idx, row.envelope))

    def add(self, entry: Entry) -> None:
        """Take in the entry that follows what the cache covers."""
        self._tail.append(_Item(entry, frozenset(_mentions(entry))))
        self.size, self._head = entry.index + 1, entry.id
        if len(self._tail) >= BATCH:
            # The entry is in the ledger: whatever is wrong with its cache is no reason to fail.
            with suppress(*TROUBLE):
                self._flush()

    def find(self, what: str, value: str) -> list[int]:
        """Return the indexes of the entries that mention `value` as `what`, oldest first.

        `what` is one of label, name, run (a receipt in a RUN entry), cites (a receipt in an
        ENTRY), window, answers, claim.
        """
        sql = "SELECT idx FROM mention WHERE what = ? AND value = ? ORDER BY idx"
        stored = [int(row[0]) for row in self._select(sql, what, value)]
        return stored + [i.entry.index for i in self._tail if (what, value) in i.mentions]

    def values(self, what: str) -> list[str]:
        """Return every value mentioned as `what`, for completion."""
        stored = self._select("SELECT value FROM mention WHERE what = ?", what)
        tail = [value for item in self._tail for name, value in item.mentions if name == what]
        return sorted({str(row[0]) for row in stored} | set(tail))

    def of_kinds(self, *kinds: str, start: int = 0) -> list[int]:
        """Return the indexes from `start` on of entries of these kinds, oldest first."""
        marks = ", ".join("?" * len(kinds))
        sql = f"SELECT idx FROM entry WHERE kind IN ({marks}) AND idx >= ? ORDER BY idx"  # noqa: S608 - only question marks are spliced in
        stored = [int(row[0]) for row in self._select(sql, *kinds, start)]
        flushed = self.size - len(self._tail)
        tail = (item.entry for item in self._tail[max(start - flushed, 0) :])
        return stored + [entry.index for entry in tail if entry.kind in kinds]

    def search(self, query: str, limit: int) -> list[tuple[int, str]]:
        """Return index and snippet of the entries that match a full-text query, best first."""
        from sqlite_utils import Database

        with suppress(*TROUBLE):
            self._flush()
        quoted = Database(self._db, execute_plugins=False).quote_fts(query)
        if not quoted:
            raise UsageError("give at least one word to search for")
        sql = (
            "SELECT rowid, snippet(words, -1, '[', ']', '…', 12) FROM words "
            "WHERE words MATCH ? ORDER BY rank LIMIT ?"
        )
        return [(int(row[0]), str(row[1])) for row in self._select(sql, quoted, limit)]

    def _select(self, sql: str, *values: Any) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except UnicodeEncodeError:
            return []  # An argument that is not text: nothing is called that.
        except TROUBLE as error:
            if self._store is None or getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY":
                raise
        self._start_again()
        self.catch_up(self._store)
        self._flush()
        return self._db.execute(sql, values).fetchall()

    def _flush(self) -> None:
        if not self._tail:
            return
        self._db.execute("BEGIN IMMEDIATE")
        with self._db:
            # Another process may have written the same entries meanwhile.
            stored, _ = _stamp(self._db)
            for item in self._tail:
                if item.entry.index >= stored:
                    _insert(self._db, item)
            if self.size > stored:
                self._db.execute("UPDATE stamp SET size = ?, head = ?", (self.size, self._head))
        self._tail = []

    def _start_again(self) -> None:
        self._db.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        self._db = _open(self._path)
        self._tail = []
        self.size, self._head = _stamp(self._db)


def _stamp(database: sqlite3.Connection) -> tuple[int, str | None]:
    row = database.execute("SELECT size, head FROM stamp").fetchone()
    if row is None or not isinstance(row[0], int) or not isinstance(row[1], str | None):
        raise sqlite3.DatabaseError("a cache without a stamp")
    return row[0], row[1]


def _insert(database: sqlite3.Connection, item: _Item) -> None:
    entry = item.entry
    fields = {k: v for k, v in entry.body.plain().items() if k not in _STRUCTURE}
    database.execute("INSERT INTO entry VALUES (?, ?)", (entry.index, entry.kind))
    mentions = [(what, value, entry.index) for what, value in item.mentions]
    database.executemany("INSERT INTO mention VALUES (?, ?, ?)", mentions)
    words = "\n".join(_words(fields))
    database.execute(_INSERT_WORDS, (entry.index, entry.body.title, words))


def _open(path: Path | None) -> sqlite3.Connection:
    if path is None or (path.exists() and not os.access(path, os.W_OK)):
        return _prepare(sqlite3.connect(":memory:", isolation_level=None))
    # Damaged, or a folder that may only be read: the cache is worth neither a stop nor a word.
    with suppress(*TROUBLE):
        return _prepare(sqlite3.connect(path, isolation_level=None, timeout=30))
    with suppress(*TROUBLE, OSError):
        path.unlink(missing_ok=True)
        return _prepare(sqlite3.connect(path, isolation_level=None, timeout=30))
    return _open(None)


def _prepare(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA journal_mode=MEMORY")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        connection.execute("INSERT INTO stamp VALUES (0, NULL)")
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")
    elif version != VERSION:
        raise sqlite3.DatabaseError("a cache of another version")
    _stamp(connection)
    return connection


def _mentions(entry: Entry) -> Iterator[tuple[str, str]]:
    body = entry.body
    if body.label:
        yield "label", body.label
    if isinstance(body, Run):
        found = (("name", body.name), ("run", body.receipt), ("window", body.window))
        yield from ((what, value) for what, value in found if value)
    elif isinstance(body, Experiment):
        yield from (("cites", item.receipt) for item in body.evidence or ())
        named = (("answers", body.answers), ("notes", body.notes))
        yield from ((what, value) for what, value in named if value)
    elif isinstance(body, Approval):
        yield "claim", body.claim


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _words(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    else:
        yield str(value)
