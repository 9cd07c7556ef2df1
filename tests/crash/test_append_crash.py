"""A writer killed in the middle of an append: readers say so, the next writer rolls it back.

The journal is made hot on purpose: the page cache is told to spill, so that pages of the unfinished
append are already in the file when the process kills itself. Each test asserts that they are.
"""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
# Inserts row after row inside one transaction with the smallest page cache there is, then dies.
KILLED = """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA synchronous=EXTRA")
database.execute("PRAGMA cache_size=1")
database.execute("PRAGMA cache_spill=1")
database.execute("BEGIN IMMEDIATE")
for number in range(15, 15 + int(sys.argv[2])):
    row = (number, "id %d" % number, b"h" * 32, b"e" * 3000)
    database.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", row)
os.kill(os.getpid(), signal.SIGKILL)
"""
# Appends as the program does, and dies at the COMMIT.
KILLED_AT_COMMIT = """
import os, signal, sqlite3, sys
from ledger import store

class Dying(store.Store):
    def execute(self, sql, *values):
        if sql == "COMMIT":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(sql, *values)

store.Store = Dying
from ledger import cli
sys.argv = ["ledger", "add", "--title", "never committed"]
cli.main()
"""
APPEND = """
import sys
from ledger import session
with session.open_ledger(write=True) as here:
    key = here.key()
    for number in range(25):
        title = f"{sys.argv[1]} {number}"
        here.ledger.append({"kind": "ENTRY", "title": title}, key)
"""


def die(founded, source, *arguments):
    """Run a program that must end by SIGKILL."""
    command = [sys.executable, "-c", source, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(command, cwd=founded.root, env=environment, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL


@pytest.fixture
def interrupted(founded):
    """The founded ledger with a hot journal beside it; yields the rows from before."""
    before, rows = founded.path.read_bytes(), founded.rows()
    die(founded, KILLED, founded.path, 40)
    journal = founded.path.with_name("ledger.db-journal")
    assert journal.stat().st_size > 512
    assert journal.read_bytes()[:8] == bytes.fromhex("d9d505f920a163d7"), "the journal is not hot"
    assert founded.path.read_bytes() != before, "no page of the unfinished append was written"
    return founded, rows


def test_led_8_verify_works_on_a_hot_journal_says_so_and_leaves_the_file(interrupted):
    founded, _ = interrupted
    journal = founded.path.with_name("ledger.db-journal")
    before = founded.path.read_bytes(), journal.read_bytes()
    done = founded.process("verify")
    assert (done.returncode, done.stderr) == (0, "")
    first, *_, last = done.stdout.splitlines()
    assert first == (
        "note: a writer was interrupted: ledger.db-journal holds an unfinished append; a private "
        "copy was rolled back and checked, the file itself was left as it is"
    )
    assert last.endswith("anchored to the remembered head at 15")
    assert (founded.path.read_bytes(), journal.read_bytes()) == before


def test_led_8_verify_on_a_hot_journal_exits_3_without_an_anchor(interrupted):
    founded, _ = interrupted
    founded.head_file.unlink()
    done = founded.process("verify")
    assert done.returncode == 3
    assert "unanchored" in done.stdout


def test_led_8_verify_on_a_hot_journal_still_finds_what_is_broken(founded):
    founded.harm("UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 4")
    die(founded, KILLED, founded.path, 40)
    done = founded.process("verify")
    assert done.returncode == 1
    assert "entry 4: leaf:" in done.stdout
    assert "a writer was interrupted" in done.stdout


def test_led_8_reading_a_hot_journal_gives_the_committed_entries(interrupted):
    founded, _ = interrupted
    result = founded.invoke("list")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 16
    assert founded.invoke("show", "J2").exit_code == 0
    assert founded.invoke("show", "15").exit_code == 4


def test_led_8_the_next_append_rolls_back_and_the_chain_is_whole(interrupted):
    founded, rows = interrupted
    result = founded.invoke("add", "--title", "after the crash")
    assert result.exit_code == 0
    assert "appended entry 15" in result.stdout
    assert not founded.path.with_name("ledger.db-journal").exists()
    assert founded.rows()["entry"][:15] == rows["entry"]
    report = founded.audit(founded.head())
    assert (report.code, report.entries, report.notice) == (0, 16, None)
    assert founded.invoke("verify").exit_code == 0


def test_an_append_killed_before_its_commit_leaves_nothing_and_the_next_one_works(founded):
    rows, head = founded.rows(), founded.head_file.read_bytes()
    die(founded, KILLED_AT_COMMIT)
    assert founded.head_file.read_bytes() == head
    assert founded.invoke("verify").exit_code == 0
    assert founded.invoke("add", "--title", "after").exit_code == 0
    assert founded.rows()["entry"][:15] == rows["entry"]
    assert founded.rows()["entry"][15][0] == 15
    assert founded.invoke("verify").exit_code == 0


def test_a_crash_after_the_commit_leaves_head_and_cache_behind_and_both_catch_up(founded):
    cache = founded.root / "evidence" / "ledger.index"
    kept = cache.read_bytes(), founded.head_file.read_bytes()
    founded.append(label="J7", title="committed")
    cache.write_bytes(kept[0])
    founded.head_file.write_bytes(kept[1])
    assert founded.invoke("show", "J7").exit_code == 0
    assert founded.invoke("add", "--title", "next", "--answers", "J7").exit_code == 0
    assert founded.invoke("verify").exit_code == 0


def test_four_processes_that_append_at_once_lose_nothing(founded):
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", APPEND, f"writer {number}"],
            cwd=founded.root,
            env=environment,
            stderr=subprocess.PIPE,
        )
        for number in range(4)
    ]
    assert [(writer.communicate(timeout=120)[1], writer.returncode) for writer in writers] == [
        (b"", 0)
    ] * 4
    titles = [founded.entry(index).body.title for index in range(15, 115)]
    assert len(founded.rows()["entry"]) == 115
    for number in range(4):
        mine = [title for title in titles if title.startswith(f"writer {number}")]
        assert mine == [f"writer {number} {n}" for n in range(25)]
    assert founded.invoke("verify").exit_code == 0
    assert founded.heads.recall(founded.keys["log"].public) == founded.head()


def test_a_ledger_that_is_being_written_is_held_not_broken(founded, monkeypatch):
    monkeypatch.setattr("ledger.store.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(founded.path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        result = founded.invoke("add", "--title", "x")
        assert result.exit_code == 75
        assert "is being written by another process; try again" in result.stderr
        assert founded.invoke("verify").exit_code == 0
        writer.execute("ROLLBACK")
        writer.execute("BEGIN EXCLUSIVE")
        assert founded.invoke("verify").exit_code == 75
