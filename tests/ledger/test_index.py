"""The cache: deleted, damaged, stale, foreign or read-only, the answers stay the same."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ledger import index
from ledger.index import Index
from ledger.log import cache_path

QUESTIONS = (
    ["show", "J2", "--json"],
    ["list", "--json"],
    ["list", "--kind", "key", "--json"],
    ["key", "list", "--json"],
    ["search", "smaller", "--json"],
    ["search", "batch 512", "--json"],
)
REPOSITORY = Path(__file__).resolve().parents[2]


def answers(founded):
    results = [founded.invoke(*words) for words in QUESTIONS]
    assert [result.exit_code for result in results] == [0] * len(QUESTIONS)
    return [result.stdout for result in results]


@pytest.fixture
def cache(founded):
    return cache_path(founded.path)


def grow(founded, number):
    for count in range(number):
        founded.append(title=f"more {count}", label=f"M{count}")


def deleted(founded, cache):
    cache.unlink()


def emptied(founded, cache):
    cache.write_bytes(b"")


def garbage(founded, cache):
    cache.write_bytes(b"this is no database" * 500)


def cut_short(founded, cache):
    cache.write_bytes(cache.read_bytes()[:4096])


def holed(founded, cache):
    data = bytearray(cache.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    cache.write_bytes(bytes(data))


def scribbled(founded, cache):
    data = bytearray(cache.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    cache.write_bytes(bytes(data))


def another_version(founded, cache):
    with closing(sqlite3.connect(cache)) as database:
        database.execute("PRAGMA user_version=99")


def no_stamp(founded, cache):
    with closing(sqlite3.connect(cache)) as database:
        database.execute("DELETE FROM stamp")
        database.commit()


def bad_stamp(founded, cache):
    with closing(sqlite3.connect(cache)) as database:
        database.execute("UPDATE stamp SET head = x'00ff'")
        database.commit()


def foreign(founded, cache):
    """A cache that was built from a ledger with other entries at the same places."""
    with closing(sqlite3.connect(cache)) as database:
        database.execute("UPDATE stamp SET head = ?", ("f" * 64,))
        database.execute("UPDATE mention SET value = 'J2', idx = 3 WHERE value = 'J1'")
        database.execute("UPDATE entry SET kind = 'ENTRY'")
        database.commit()


def ahead(founded, cache):
    """A cache of a ledger that was since rolled back."""
    with closing(sqlite3.connect(cache)) as database:
        database.execute("UPDATE stamp SET size = 99, head = ?", ("f" * 64,))
        database.commit()


def a_folder(founded, cache):
    cache.unlink()
    cache.mkdir()


def a_dangling_link(founded, cache):
    cache.unlink()
    cache.symlink_to("/nowhere/at/all")


@pytest.mark.parametrize(
    "harm",
    [
        deleted,
        emptied,
        garbage,
        cut_short,
        holed,
        scribbled,
        another_version,
        no_stamp,
        bad_stamp,
        foreign,
        ahead,
        a_folder,
        a_dangling_link,
    ],
)
def test_whatever_happened_to_the_cache_the_answers_stay_the_same(founded, cache, harm):
    expected = answers(founded)
    harm(founded, cache)
    assert answers(founded) == expected
    assert founded.invoke("add", "--title", "next", "--label", "J9").exit_code == 0
    assert founded.invoke("add", "--title", "next", "--label", "J9").exit_code == 4
    assert founded.invoke("verify").exit_code == 0


def test_a_stale_cache_catches_up(founded, cache, tmp_path):
    answers(founded)
    shutil.copyfile(cache, tmp_path / "kept")
    grow(founded, 3)
    expected = answers(founded)
    shutil.copyfile(tmp_path / "kept", cache)
    assert answers(founded) == expected
    assert founded.invoke("show", "M2").exit_code == 0


def test_flips_in_the_cache_never_end_in_a_traceback(founded, cache):
    answers(founded)
    data = cache.read_bytes()
    for place in range(0, len(data), len(data) // 60):
        changed = bytearray(data)
        changed[place] ^= 0xFF
        cache.write_bytes(bytes(changed))
        for words in (["show", "J2"], ["list"], ["search", "smaller"], ["add", "--title", "x"]):
            result = founded.invoke(*words)
            assert result.exit_code in (0, 1, 4)
            assert len(result.stderr.splitlines()) == (result.exit_code != 0)


# The right to read everything is taken from the process where the tests run as root.
DROP = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


@pytest.mark.skipif(
    bool(DROP) and shutil.which("setpriv") is None,
    reason="runs as root without setpriv: a read-only folder cannot be had, it was not tried",
)
@pytest.mark.parametrize("with_cache", [True, False])
def test_in_a_folder_that_may_only_be_read_the_answers_stay_the_same(founded, cache, with_cache):
    expected = answers(founded)
    if not with_cache:
        cache.unlink()
    for path in (founded.path, cache):
        path.exists() and path.chmod(0o444)
    founded.path.parent.chmod(0o555)
    try:
        command = [*DROP, sys.executable, "-m", "ledger.cli"]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        options = {"capture_output": True, "text": True, "check": False, "env": environment}
        told = [
            subprocess.run([*command, *words], cwd=founded.root, **options)
            for words in (*QUESTIONS, ["verify"], ["add", "--title", "x"])
        ]
    finally:
        founded.path.parent.chmod(0o755)
    assert [done.stdout for done in told[: len(QUESTIONS)]] == expected
    assert told[-2].returncode == 0
    assert told[-1].returncode == 74
    assert "nothing was written" in told[-1].stderr
    assert cache.exists() is with_cache


def test_a_cache_in_memory_answers_like_one_on_disk(founded, cache):
    expected = answers(founded)
    with founded.open() as ledger:
        memory = Index(None)
        memory.catch_up(ledger._store)
        for what, value in (("label", "J1"), ("label", "nobody"), ("claim", "c1")):
            assert memory.find(what, value) == ledger.index.find(what, value)
        assert memory.values("label") == ledger.index.values("label") == ["J1", "J2", "J3"]
        assert memory.of_kinds("KEY") == ledger.index.of_kinds("KEY")
        assert memory.search("smaller", 9) == ledger.index.search("smaller", 9)
        memory.close()
    assert answers(founded) == expected


def test_entries_are_found_before_and_after_the_batch_is_written(founded, monkeypatch):
    monkeypatch.setattr(index, "BATCH", 4)
    with founded.open() as ledger:
        for number in range(11):
            fields = {"kind": "ENTRY", "title": f"number {number}", "label": f"N{number}"}
            ledger.append(fields, founded.keys["operator"])
            for seen in range(number + 1):
                assert ledger.index.find("label", f"N{seen}") == [15 + seen]
    assert founded.invoke("show", "N10").exit_code == 0


def test_a_cache_that_cannot_be_written_does_not_stop_an_append(founded, cache, monkeypatch):
    monkeypatch.setattr(index, "BATCH", 1)
    with (
        founded.open() as ledger,
        closing(sqlite3.connect(cache, isolation_level=None)) as other,
    ):
        ledger.index._db.execute("PRAGMA busy_timeout=10")
        other.execute("BEGIN IMMEDIATE")
        entry = ledger.append({"kind": "ENTRY", "title": "x"}, founded.keys["operator"])
        other.execute("ROLLBACK")
    assert entry.index == 15
    assert founded.invoke("show", "15").exit_code == 0


@pytest.mark.parametrize("harm", [holed, scribbled, garbage, cut_short])
def test_a_search_alone_rebuilds_a_damaged_cache(founded, cache, harm):
    expected = founded.invoke("search", "smaller").stdout
    harm(founded, cache)
    assert founded.invoke("search", "smaller").stdout == expected


@pytest.mark.parametrize("query", ['"', "*", "a OR b", "NEAR(", "col:x", "(", "-", "é", "'", "^x"])
def test_any_text_can_be_searched_for(founded, query):
    result = founded.invoke("search", "--", query)
    assert result.exit_code in (0, 2)
    assert result.exit_code == 0 or "give at least one word" in result.stderr


def test_search_finds_words_of_every_field_and_says_where(founded):
    result = founded.invoke("search", "twice")
    assert result.stdout == "9  ENTRY  three\n    J3 measure [twice]\n"
    assert founded.invoke("search", "nobodysaidthis").stdout == "no entry has these words\n"
    assert len(founded.invoke("search", "operator", "--limit", "1").stdout.splitlines()) <= 2
