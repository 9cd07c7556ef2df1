"""A disk that fails at each step of an append, once before the step took effect and once after.

The fake disk is a connection of SQLite (and the calls that write the remembered head) which fails
at one place. Whatever the place: reopened without the fault, the audit is clean, there is at most
one entry more, what was acknowledged is there, and the next append continues.
"""

import errno
import os
import sqlite3
from functools import partial

import pytest

from receipts.errors import Error, SystemFailureError

BEFORE, AFTER = "failed and not persisted", "failed but persisted"
real_connect = sqlite3.connect


class Disk:
    """Counts the statements that reach files whose name ends in `suffix`; fails at one of them."""

    def __init__(self, suffix, number=None, when=BEFORE):
        self.suffix, self.number, self.when = suffix, number, when
        self.seen = []
        self.armed = False

    def run(self, statement, work):
        self.seen += [statement] if self.armed else []
        fails = self.armed and len(self.seen) - 1 == self.number
        if fails and self.when == BEFORE:
            raise trouble()
        result = work()
        if fails:
            raise trouble()
        return result

    def connect(self, database, *words, **options):
        if not str(database).partition("?")[0].endswith(self.suffix):
            return real_connect(database, *words, **options)
        return real_connect(database, *words, factory=partial(Connection, self), **options)


class Connection(sqlite3.Connection):
    def __init__(self, disk, *words, **options):
        super().__init__(*words, **options)
        self.disk = disk

    def execute(self, sql, *values):
        return self.disk.run(sql, lambda: super(Connection, self).execute(sql, *values))


def trouble():
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_WRITE"
    return error


def attempt(founded, disk, monkeypatch):
    """Append one entry on `disk`; return its index, or the error."""
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", disk.connect)
        try:
            with founded.open() as ledger:
                disk.armed = True
                fields = {"kind": "ENTRY", "title": "attempted", "label": "J9"}
                return ledger.append(fields, founded.keys["operator"]).index
        except Error as error:
            # A cursor in the traceback would keep the file locked, as no real failure does.
            error.__cause__ = error.__context__ = None
            return error.with_traceback(None)
        finally:
            disk.armed = False


def require_whole(founded, *, most):
    """Reopened: clean against the remembered head, at most one entry more, and it goes on."""
    report = founded.audit(founded.heads.recall(founded.keys["log"].public))
    assert (report.code, report.findings) == (0, [])
    assert 15 <= report.entries <= most
    if report.entries == 16:
        assert founded.entry(15).body.title == "attempted"
    with founded.open() as ledger:
        assert bool(ledger.index.find("label", "J9")) is (report.entries == 16)
    assert founded.append(title="next").index == report.entries
    assert founded.invoke("verify", "--all").exit_code == 0
    return report.entries


def steps(founded, monkeypatch, suffix):
    disk = Disk(suffix)
    data = founded.path.read_bytes(), founded.head_file.read_bytes()
    assert attempt(founded, disk, monkeypatch) == 15
    founded.path.write_bytes(data[0])
    founded.head_file.write_bytes(data[1])
    return disk.seen


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_a_disk_that_fails_at_any_statement_of_an_append(founded, monkeypatch, when):
    seen = steps(founded, monkeypatch, "ledger.db")
    assert seen[0] == "BEGIN IMMEDIATE"
    assert seen[-1] == "COMMIT"
    assert sum(sql.startswith("INSERT") for sql in seen) >= 3
    clean = founded.path.read_bytes(), founded.head_file.read_bytes()
    for number, sql in enumerate(seen):
        found = attempt(founded, Disk("ledger.db", number, when), monkeypatch)
        assert isinstance(found, SystemFailureError), (sql, found)
        assert "\n" not in str(found)
        persisted = sql == "COMMIT" and when == AFTER
        said = "may have been written" if persisted else "nothing was written"
        assert said in str(found), (sql, str(found))
        assert require_whole(founded, most=16) == (16 if persisted else 15), sql
        founded.path.write_bytes(clean[0])
        founded.head_file.write_bytes(clean[1])


def test_a_disk_on_which_not_even_the_rollback_works(founded, monkeypatch):
    """The journal stays: the next writer rolls back, or nothing was in the file yet."""
    seen = steps(founded, monkeypatch, "ledger.db")

    class Dead(Disk):
        def run(self, statement, work):
            if self.armed and self.seen and len(self.seen) > self.number:
                raise trouble()
            return super().run(statement, work)

    for number in range(1, len(seen)):
        found = attempt(founded, Dead("ledger.db", number), monkeypatch)
        assert isinstance(found, SystemFailureError), seen[number]
    assert require_whole(founded, most=15) == 15


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_a_cache_that_fails_at_any_statement_never_costs_an_entry(founded, monkeypatch, when):
    seen = steps(founded, monkeypatch, "ledger.index")
    assert seen
    clean = founded.path.read_bytes(), founded.head_file.read_bytes()
    for number in range(len(seen)):
        found = attempt(founded, Disk("ledger.index", number, when), monkeypatch)
        entries = require_whole(founded, most=16)
        assert entries == (16 if found == 15 else 15), (seen[number], found)
        assert found == 15 or "\n" not in str(found)
        founded.path.write_bytes(clean[0])
        founded.head_file.write_bytes(clean[1])


def failing(call, when, concerns):
    def wrapped(*words, **options):
        if not concerns(words[0]):
            return call(*words, **options)
        if when == AFTER:
            call(*words, **options)
        raise OSError(errno.EIO, "Input/output error", "the head")

    return wrapped


@pytest.mark.parametrize("when", [BEFORE, AFTER])
@pytest.mark.parametrize("name", ["open", "pwrite"])
def test_a_head_that_cannot_be_remembered_is_told_and_the_entry_stands(
    founded, monkeypatch, name, when
):
    """After the commit: the head may lag, the entry is acknowledged in the error itself."""
    head = str(founded.head_file)
    with monkeypatch.context() as patch:
        call = failing(getattr(os, name), when, lambda what: name == "pwrite" or str(what) == head)
        patch.setattr(os, name, call)
        result = founded.invoke("add", "--title", "attempted", "--label", "J9")
    assert (result.exit_code, result.stdout) == (74, "")
    assert result.stderr.startswith("ledger: entry 15 is in the ledger, but its head could not be")
    assert len(result.stderr.splitlines()) == 1
    assert require_whole(founded, most=16) == 16
    assert founded.heads.recall(founded.keys["log"].public) == founded.head()


def test_trying_again_after_a_commit_of_unknown_end_makes_a_second_entry_and_no_fork(
    founded, monkeypatch
):
    last = len(steps(founded, monkeypatch, "ledger.db")) - 1
    found = attempt(founded, Disk("ledger.db", last, AFTER), monkeypatch)
    assert "look with `ledger list --last 1` before trying again" in str(found)
    assert "attempted" in founded.invoke("list", "--last", "1").stdout
    result = founded.invoke("add", "--title", "again")
    assert (result.exit_code, "appended entry 16" in result.stdout) == (0, True)
    assert founded.invoke("verify").exit_code == 0
