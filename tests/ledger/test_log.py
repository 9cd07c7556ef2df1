"""The append: refused before anything is written, durable when it returns, in one transaction."""

import sqlite3
from contextlib import closing

import pytest

from ledger import checkpoint, merkle, store
from ledger.entry import decode
from ledger.note import Verifier
from receipts.errors import (
    ConflictError,
    Error,
    MalformedError,
    NotFoundError,
    SystemFailureError,
    VerificationError,
)


def test_an_entry_continues_the_chain_and_is_covered_by_a_checkpoint(founded):
    before = founded.rows()
    entry = founded.append("engineer", title="next", label="J9")
    rows = founded.rows()
    assert rows["entry"][:-1] == before["entry"]
    assert rows["entry"][-1] == (15, entry.id, entry.leaf_hash, entry.raw)
    assert entry.body.prev == before["entry"][-1][1]
    assert entry.body.at == "2026-11-29T10:01:41.000Z"
    assert len(rows["tree"]) == 8 + 4 + 2 + 1
    size, signed = rows["checkpoint"][-1]
    verifier = Verifier("perf.example.org/engine", founded.keys["log"].public)
    found = checkpoint.open_checkpoint(signed, verifier)
    leaves = merkle.Frontier()
    for row in rows["entry"]:
        leaves.add(row[2])
    assert (size, found.size, found.root) == (16, 16, leaves.root())
    assert founded.heads.recall(founded.keys["log"].public) == founded.head()


def test_without_the_log_key_an_entry_is_appended_and_pending(founded):
    with founded.open(sign=False) as ledger:
        ledger.append({"kind": "ENTRY", "title": "x"}, founded.keys["operator"])
        assert ledger.checkpoint() == founded.rows()["checkpoint"][-1][1]
    assert len(founded.rows()["checkpoint"]) == 15
    founded.append()
    assert founded.audit().pending == 0


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"kind": "NOTE"}, MalformedError),
        ({"surprise": 1}, MalformedError),
        ({"title": ""}, MalformedError),
        ({"change": "x" * 49_000}, MalformedError),
        ({"change": "\udcff"}, MalformedError),
        ({"scope": {"x": 1.5}}, MalformedError),
        ({"scope": {"x": 2**60}}, MalformedError),
        ({"scope": {"é": 1}}, MalformedError),
        ({"label": "J1"}, ConflictError),
        ({"label": "15"}, MalformedError),
        ({"answers": "e" * 64}, NotFoundError),
    ],
)
def test_what_is_refused_leaves_no_trace(founded, fields, error):
    before, head = founded.path.read_bytes(), founded.head_file.read_bytes()
    with pytest.raises(error) as refused:
        founded.append(**fields)
    assert "\n" not in str(refused.value)
    assert (founded.path.read_bytes(), founded.head_file.read_bytes()) == (before, head)
    assert founded.append().index == 15


def test_the_caller_cannot_choose_index_prev_or_version(founded):
    entry = founded.append(index=99, prev="e" * 64, v=7)
    assert (entry.index, entry.body.prev, entry.body.v) == (15, founded.entry(14).id, 1)


def test_an_open_entry_is_answered_by_id_and_only_an_open_one(founded):
    opened = founded.append(hypothesis="h")
    closing_entry = founded.append(verdict={"outcome": "miss"}, answers=opened.id)
    assert founded.audit().findings == []
    with pytest.raises(MalformedError, match=f"entry {closing_entry.index} is not an open entry"):
        founded.append(verdict={"outcome": "miss"}, answers=closing_entry.id)


def test_an_entry_is_named_by_label_index_id_or_the_beginning_of_its_id(founded):
    entry = founded.entry(4)
    with founded.open() as ledger:
        for reference in ("J2", "4", entry.id, entry.id[:6], entry.id[:40], "004"):
            assert ledger.resolve(reference).id == entry.id
        for reference in (entry.id[:5], entry.id.upper(), "j2", "J2 ", "1e0", "４"):
            with pytest.raises(NotFoundError):
                ledger.resolve(reference)


def test_the_beginning_of_several_ids_is_not_a_name(founded):
    clash = founded.entry(4).id[:10] + "0" * 54
    founded.harm(("UPDATE entry SET id = ? WHERE idx = 3", clash))
    with (
        founded.open() as ledger,
        pytest.raises(NotFoundError, match="is the beginning of several ids; give more"),
    ):
        ledger.resolve(clash[:10])


def test_one_transaction_holds_entry_tree_and_checkpoint_together(founded):
    """A checkpoint that cannot be written takes the entry with it."""
    with closing(sqlite3.connect(founded.path, isolation_level=None)) as database:
        database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON checkpoint BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    rows, head = founded.rows(), founded.head_file.read_bytes()
    with pytest.raises(ConflictError, match="no"):
        founded.append()
    assert founded.rows() == rows
    assert founded.head_file.read_bytes() == head


def test_a_full_disk_is_told_and_nothing_is_written(founded):
    rows = founded.rows()
    with founded.open() as ledger:
        pages = ledger._store.pragma("page_count")[0][0]
        ledger._store.execute(f"PRAGMA max_page_count={pages}")
        fields = {"kind": "ENTRY", "title": "x", "change": "y" * 9000}
        with pytest.raises(SystemFailureError, match="database or disk is full; nothing was"):
            ledger.append(fields, founded.keys["operator"])
    assert founded.rows() == rows
    assert founded.audit(founded.head()).code == 0


def test_a_writer_sets_the_pragmas_that_the_page_promises(founded):
    opened = store.open_for_writing(founded.path)
    expected = {
        "application_id": 0x45764C67,
        "user_version": 1,
        "journal_mode": "delete",
        "synchronous": 3,
        "recursive_triggers": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
    }
    assert {name: opened.pragma(name)[0][0] for name in expected} == expected
    opened.close()


def test_a_reader_cannot_write(founded):
    opened = store.open_for_reading(founded.path)
    with pytest.raises(SystemFailureError, match="readonly"):
        opened.execute("INSERT INTO entry VALUES (15, 'x', x'00', x'00')")
    opened.close()


def test_a_missing_node_is_named(founded):
    opened = store.open_for_reading(founded.path)
    with pytest.raises(VerificationError, match="tree hash 9/0 is missing from"):
        opened.node(9, 0)
    opened.close()


def test_the_bytes_of_an_entry_come_back_as_they_were_stored(founded):
    with founded.open() as ledger:
        for row, entry in zip(founded.rows()["entry"], ledger.entries(), strict=True):
            assert entry.raw == row[3]
            assert decode(row[3]).id == row[1]
        with pytest.raises(NotFoundError, match="no entry 15; the ledger has 15"):
            ledger.entry(15)


def test_a_body_that_is_not_an_entry_is_told_with_its_row(founded):
    founded.harm("UPDATE entry SET envelope = x'7b7d' WHERE idx = 4")
    with founded.open() as ledger, pytest.raises(Error, match="entry 4: not an envelope") as error:
        ledger.entry(4)
    assert str(error.value).endswith("; `ledger verify` tells more")
