"""Damage, and what `ledger recover` says about it: what is whole, what is lost; nothing invented.

Each case harms the file of the founded ledger, asks what is whole, has that written to a new file,
and checks that the new file holds a prefix of the old rows, byte for byte, and verifies.
"""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from ledger import audit, merkle
from receipts import canonical

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = 4096
# Dies inside a transaction whose pages are already in the file (see test_append_crash.py).
KILLED = """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
for pragma in ("synchronous=EXTRA", "cache_size=1", "cache_spill=1"):
    database.execute(f"PRAGMA {pragma}")
database.execute("BEGIN IMMEDIATE")
for number in range(15, 55):
    row = (number, "id %d" % number, b"h" * 32, b"e" * 3000)
    database.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", row)
os.kill(os.getpid(), signal.SIGKILL)
"""


def pages(f):
    return f.path.stat().st_size // PAGE


def page_with(f, index):
    """Return the number of the page that holds the end of entry `index`."""
    raw = f.rows()["entry"][index][3]
    return (f.path.read_bytes().index(raw) + len(raw) - 1) // PAGE


def zero_page(f, number):
    data = f.path.read_bytes()
    f.path.write_bytes(data[: number * PAGE] + bytes(PAGE) + data[(number + 1) * PAGE :])


def corrupt(index):
    return lambda f: zero_page(f, page_with(f, index))


def root_page_of(f, name):
    sql = f"SELECT rootpage FROM sqlite_schema WHERE name = '{name}'"
    with closing(sqlite3.connect(f.path)) as database:
        return database.execute(sql).fetchone()[0] - 1


def corrupt_index(f):
    zero_page(f, root_page_of(f, "sqlite_autoindex_entry_1"))


def cut_to(pages_kept):
    def harm(f):
        f.path.write_bytes(f.path.read_bytes()[: pages_kept(f) * PAGE])

    return harm


def flip_header(f):
    data = bytearray(f.path.read_bytes())
    data[3] ^= 0x20
    f.path.write_bytes(bytes(data))


def hot_journal(f):
    command = [sys.executable, "-c", KILLED, str(f.path)]
    assert subprocess.run(command, check=False, timeout=60).returncode == -signal.SIGKILL
    assert f.path.with_name("ledger.db-journal").stat().st_size > 512


def consistent(f, index, raw):
    values = (sha256(raw).hexdigest(), merkle.leaf_hash(raw), raw, index)
    f.harm(("UPDATE entry SET id = ?, leaf_hash = ?, envelope = ? WHERE idx = ?", *values))


def forged(f):
    """Another signature on entry 7, with the id and leaf hash that belong to it."""
    value = canonical.decode(f.rows()["entry"][7][3])
    other = canonical.decode(f.rows()["entry"][6][3])["signatures"]
    consistent(f, 7, canonical.encode(value | {"signatures": other}))


def truncated(f):
    f.harm("DELETE FROM entry WHERE idx > 11", "DELETE FROM checkpoint WHERE size > 12")


def sql(*statements):
    return lambda f: f.harm(*statements)


# name, harm, entries that are whole (None: some, not all), exit code, sentence
DAMAGE = [
    ("none", lambda f: None, 15, 0, "nothing is lost: 15 entries are whole"),
    ("a corrupt page in the middle", corrupt(7), None, 1, "lost from entry .* damaged"),
    ("a corrupt last page", corrupt(14), None, 1, "lost from entry .* on"),
    ("a corrupt index of ids", corrupt_index, 15, 0, "nothing is lost: 15 entries are whole"),
    ("the last page cut off", cut_to(lambda f: pages(f) - 1), None, 1, "lost from entry"),
    ("cut to two pages", cut_to(lambda f: 2), None, 1, "lost from entry"),
    ("a file of zero bytes", lambda f: f.path.write_bytes(b""), 0, 1, "whole: no entry"),
    ("no file", lambda f: f.path.unlink(), 0, 1, "whole: no entry"),
    ("a flipped header", flip_header, 0, 1, "whole: no entry"),
    ("a hot journal", hot_journal, 15, 0, "note: a writer was interrupted"),
    ("a changed byte", sql("UPDATE entry SET envelope = x'00' WHERE idx = 7"), 7, 1, "entry 7 on"),
    ("a changed id", sql("UPDATE entry SET id = 'x' WHERE idx = 7"), 7, 1, "the one its id names"),
    ("a forged signature", forged, 7, 1, "lost from entry 7 on: .*signature by"),
    ("a missing row", sql("DELETE FROM entry WHERE idx = 7"), 7, 1, "after 6 has the index 8"),
    ("a row below zero", sql("UPDATE entry SET idx = -1 WHERE idx = 14"), 0, 1, "the index -1"),
    ("a missing first row", sql("DELETE FROM entry WHERE idx = 0"), 0, 1, "whole: no entry"),
    ("a missing end", truncated, 12, 1, "lost from entry 12 on: the remembered head saw 15"),
    ("no end, but its checkpoint", sql("DELETE FROM entry WHERE idx > 11"), 12, 1, "covers 15"),
    ("another table's row", sql("DELETE FROM tree"), 15, 0, "nothing is lost"),
]


@pytest.mark.parametrize(
    ("name", "harm", "whole", "code", "sentence"), DAMAGE, ids=[case[0] for case in DAMAGE]
)
def test_recover_says_what_is_whole_and_writes_only_that(
    founded, tmp_path, name, harm, whole, code, sentence
):
    before = founded.rows()
    harm(founded)
    exists = founded.path.exists()
    harmed = founded.path.read_bytes() if exists else None
    output = tmp_path / "whole.db"
    result = founded.invoke("recover", "--output", output)
    said = result.stdout + result.stderr
    assert (result.exit_code, bool(re.search(sentence, said))) == (code, True), said
    assert harmed is None or founded.path.read_bytes() == harmed
    if not output.exists():
        assert whole in (0, None)
        assert "whole: no entry" in said
        return
    shutil.copyfile(output, founded.path) if exists else shutil.move(output, founded.path)
    founded.path.with_name("ledger.db-journal").unlink(missing_ok=True)
    after = founded.rows()
    count = len(after["entry"])
    assert count == whole if whole is not None else 0 < count < 15
    assert after["entry"] == before["entry"][:count]
    kept = [row for row in before["checkpoint"] if row[0] <= count]
    assert after["checkpoint"] in (kept, kept[: len(after["checkpoint"])])
    assert audit.audit(founded.path).findings == []
    head = founded.invoke("verify")
    assert head.exit_code == (0 if count == 15 else 1)


def test_rows_after_the_loss_are_told_and_not_kept(founded, tmp_path):
    founded.harm("UPDATE entry SET envelope = x'00' WHERE idx = 7")
    result = founded.invoke("recover", "--output", tmp_path / "whole.db")
    assert "readable but detached from the chain, and not kept: 7 rows (8 to 14)" in result.stdout
    assert "checkpoints kept: 7; receipts still in the store: 0" in result.stdout


def test_the_objects_of_a_deleted_ledger_are_counted(founded):
    receipts = founded.root / "evidence" / "receipts" / "ab"
    receipts.mkdir(parents=True)
    (receipts / ("ab" + "0" * 62)).write_bytes(b"x")
    founded.path.unlink()
    result = founded.invoke("recover")
    assert (result.exit_code, "receipts still in the store: 1" in result.stdout) == (1, True)


def test_recover_never_replaces_a_file_and_never_the_ledger(founded, tmp_path):
    before = founded.path.read_bytes()
    other = tmp_path / "there"
    other.write_text("mine")
    for output in (other, founded.path):
        result = founded.invoke("recover", "--output", output)
        assert (result.exit_code, "exists; a ledger is never replaced" in result.stderr) == (
            4,
            True,
        )
    assert (founded.path.read_bytes(), other.read_text()) == (before, "mine")


def test_a_recovery_killed_at_any_moment_leaves_the_damaged_file_and_no_output(founded, tmp_path):
    output = tmp_path / "whole.db"
    source = """
import os, signal, sys
from ledger import store
real = store.Store.execute
def dying(self, sql, *values):
    if sql == "COMMIT":
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, sql, *values)
store.Store.execute = dying
from ledger import cli
sys.argv = ["ledger", "recover", "--output", sys.argv[1]]
cli.main()
"""
    before = founded.path.read_bytes()
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-c", source, str(output)]
    done = subprocess.run(command, cwd=founded.root, env=environment, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert (founded.path.read_bytes(), output.exists()) == (before, False)
    assert founded.invoke("recover", "--output", output).exit_code == 0
