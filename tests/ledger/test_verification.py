"""`ledger verify`: what counts as success, and what the report says."""

import json
import sqlite3
from contextlib import closing

import pytest

from ledger import heads, store
from ledger.report import MAX_FINDINGS, Report


def test_an_intact_and_anchored_ledger_is_0_and_says_what_was_checked(founded):
    result = founded.invoke("verify")
    assert result.exit_code == 0
    head = founded.entry(14).id[:16]
    assert result.stdout.splitlines() == [
        "checked 15 entries, 30 signatures, 15 checkpoints; chain only, not the numbers",
        f"chain intact at {head}…, anchored to the remembered head at 15",
    ]


def test_a_ledger_without_entries_is_not_called_intact(founded):
    founded.path.unlink()
    founded.head_file.unlink()
    with store.create(founded.path):
        pass
    result = founded.invoke("verify", "--json")
    assert (result.exit_code, json.loads(result.stdout)["intact"]) == (3, False)


def test_json_says_the_same_as_the_text(founded):
    value = json.loads(founded.invoke("verify", "--json").stdout)
    assert value == {
        "entries": 15,
        "signatures": 30,
        "checkpoints": 15,
        "cosignatures": 0,
        "recoveries": [],
        "skipped": 0,
        "unread": 0,
        "pending": 0,
        "head": founded.entry(14).id,
        "origin": "perf.example.org/engine",
        "anchored_to": ["the remembered head at 15"],
        "intact": True,
        "findings": [],
    }
    founded.harm("UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 4")
    result = founded.invoke("verify", "--json")
    value = json.loads(result.stdout)
    assert (result.exit_code, value["intact"]) == (1, False)
    spoken = founded.invoke("verify").stdout
    for finding in value["findings"]:
        where = f"entry {finding['index']}" if finding["index"] is not None else "ledger"
        assert f"{where}: {finding['code']}: {finding['message']}" in spoken


def test_the_first_finding_in_the_order_of_the_ledger_comes_first(founded):
    founded.harm(
        "UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 9",
        "UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 4",
    )
    lines = founded.invoke("verify").stdout.splitlines()
    assert lines[0].startswith("entry 4: leaf:")
    assert lines[1].startswith("entry 9: leaf:")
    assert "the first is entry 4: leaf:" in lines[-1]


def test_more_findings_than_help_anybody_are_not_listed():
    report = Report()
    for number in range(MAX_FINDINGS + 10):
        report.add(number, "id", "x")
    assert len(report.findings) == MAX_FINDINGS
    assert report.code == 1


def test_several_anchors_are_all_named(founded, tmp_path):
    kept = tmp_path / "kept.txt"
    founded.invoke("checkpoint", "--output", kept)
    founded.append()
    last = founded.invoke("verify", "--anchor", kept).stdout.splitlines()[-1]
    assert last.endswith(f"anchored to the remembered head at 16, anchor {kept} at 15")


def test_a_verification_works_without_a_pinned_log_key(founded):
    file = founded.root / "evidence.yaml"
    lines = file.read_text().splitlines()
    file.write_text("\n".join(line for line in lines if not line.startswith("log_key")) + "\n")
    assert founded.invoke("verify").exit_code == 0


def test_thousands_of_signatures_are_checked_in_worker_processes(founded, monkeypatch):
    monkeypatch.setattr("ledger.signatures.BATCH", 8)
    report = founded.audit()
    assert (report.findings, report.signatures) == ([], 30)
    founded.harm("UPDATE checkpoint SET note = replace(note, 'engine ', 'engine ') WHERE size = 3")
    raw = founded.rows()["entry"][4][3]
    changed = raw[:-8] + (b"A" if raw[-8:-7] != b"A" else b"B") + raw[-7:]
    founded.harm(("UPDATE entry SET envelope = ? WHERE idx = 4", changed))
    assert (4, "signature") in {(f.index, f.code) for f in founded.audit().findings}


def test_nothing_of_verify_writes_to_the_ledger(founded):
    before = founded.path.read_bytes()
    for words in ([], ["--json"], ["--remember"]):
        founded.invoke("verify", *words)
    assert founded.path.read_bytes() == before
    names = {path.name for path in founded.path.parent.iterdir()}
    assert names == {"ledger.db", "ledger.index"}


@pytest.mark.parametrize("mode", ["WAL", "TRUNCATE", "PERSIST"])
def test_a_file_left_in_another_journal_mode_is_still_read(founded, mode):
    with closing(sqlite3.connect(founded.path)) as database:
        database.execute(f"PRAGMA journal_mode={mode}")
    assert founded.invoke("verify").exit_code == 0
    assert founded.append().index == 15
    assert founded.invoke("verify").exit_code == 0


def test_a_head_of_another_log_is_never_compared(founded):
    stranger = founded.keys["second"].public
    founded.heads.remember(stranger, heads.Head(99, bytes(32)))
    assert founded.invoke("verify").exit_code == 0
