"""The SQLite file: made, opened for writing, opened for reading; its rows are `ledger.rows`.

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
from contextlib import closing, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ledger.rows import TROUBLE, Store, translate, translated
from receipts.errors import ConflictError, NotFoundError, VerificationError
from receipts.files import sync_directory

APPLICATION_ID = 0x45764C67  # "EvLg"
FORMAT_VERSION = 1
BUSY_SECONDS = 30.0
_HOT_JOURNAL = ("SQLITE_READONLY_ROLLBACK", "SQLITE_READONLY_RECOVERY", "SQLITE_CANTOPEN")
_PRAGMAS = (
    "PRAGMA trusted_schema=OFF",
    "PRAGMA recursive_triggers=ON",
    "PRAGMA cell_size_check=ON",
    "PRAGMA journal_mode=DELETE",
    "PRAGMA synchronous=EXTRA",
)


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
            with translated(path):
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
    with translated(path):
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
            raise translate(error, path) from error
        return _recovered_copy(path)
    store = Store(connection, path)
    _require_ledger(store)
    return store


def _recovered_copy(path: Path) -> Store:
    with tempfile.TemporaryDirectory(prefix="evidence-ledger-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(_journal(path), _journal(copy))
        with translated(path):
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
    for beside in (_journal(path), path.with_name(path.name + "-wal")):
        # SQLite waits for a pipe, and reads a device without end.
        if beside.exists() and not beside.is_file():
            raise NotFoundError(f"{beside} is not a regular file; move it away")


def _require_ledger(store: Store) -> None:
    application = store.pragma("application_id")[0][0]
    if application != APPLICATION_ID:
        raise VerificationError(f"{store.path} is not a ledger (application id {application:#x})")
    version = store.pragma("user_version")[0][0]
    if version != FORMAT_VERSION:
        raise VerificationError(
            f"{store.path} has format version {version}, this program reads {FORMAT_VERSION}"
        )
