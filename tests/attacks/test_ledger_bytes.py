"""One byte flipped, anywhere: the audit names the row, the page, or nothing that SQLite reads.

The positions are chosen by a fixed stride, so that every run checks the same ones. "Unchanged" is
allowed only where reading all rows and the schema gives what it gave before.
"""

import json
import shutil
import sqlite3

import pytest

MASKS = (0x01, 0x80, 0x20, 0xFF, 0x10, 0x03)
SAMPLES = 550
COLUMNS = ("idx", "id", "leaf_hash", "envelope")


def spread(positions, count):
    """Return `count` of the positions, spread evenly, each with a mask."""
    step = len(positions) / count
    chosen = [positions[int(number * step)] for number in range(min(count, len(positions)))]
    return [(place, MASKS[number % len(MASKS)]) for number, place in enumerate(chosen)]


def flip(data, place, mask):
    changed = bytearray(data)
    changed[place] ^= mask
    return bytes(changed)


def places(founded):
    """Return (place in the file, index of the entry) of every byte of the four columns."""
    data = founded.path.read_bytes()
    found = []
    for index, entry_id, leaf, envelope in founded.rows()["entry"]:
        record = entry_id.encode() + leaf + envelope
        start = data.index(record)
        assert data.count(record) == 1
        # A record's header of seven bytes stands before it, and before that the rowid.
        assert data[start - 8] == index
        found += [(start - 8, index), *((start + n, index) for n in range(len(record)))]
    return found


def speak(report):
    """Spell the report as text and as JSON, as the command would."""
    json.dumps(report.view(), ensure_ascii=False).encode()
    return "\n".join(report.lines()).encode()


def test_led_5_every_sampled_byte_of_a_row_is_found_in_the_file_and_its_entry_named(founded):
    data = founded.path.read_bytes()
    chosen = spread(places(founded), SAMPLES)
    assert len(chosen) >= 500
    missed = []
    for (place, index), mask in chosen:
        founded.path.write_bytes(flip(data, place, mask))
        report = founded.audit()
        speak(report)
        if report.code != 1 or index not in {finding.index for finding in report.findings}:
            missed.append((place, mask, index, [str(f) for f in report.findings]))
    assert missed == []


@pytest.mark.parametrize("column", COLUMNS)
def test_led_5_every_sampled_byte_of_a_column_is_found_behind_sqlites_back(founded, column):
    rows = founded.rows()["entry"]
    data = founded.path.read_bytes()
    place = COLUMNS.index(column)
    missed = []
    for index, *_ in rows:
        value = rows[index][place]
        raw = value.encode() if column == "id" else value
        for where in [0] if column == "idx" else range(index % 7, len(raw), 60):
            if column == "idx":
                changed = value + 1000
            else:
                flipped = flip(raw, where, 0x01)
                changed = flipped.decode("latin-1") if column == "id" else flipped
            founded.path.write_bytes(data)
            founded.harm((f"UPDATE entry SET {column} = ? WHERE idx = ?", changed, index))
            report = founded.audit()
            if report.code != 1 or index not in {finding.index for finding in report.findings}:
                missed.append((column, index, where, [str(f) for f in report.findings]))
            assert "schema" not in {finding.code for finding in report.findings}
    assert missed == []


def test_led_5_two_rows_that_change_places_are_found(founded):
    founded.harm(
        "UPDATE entry SET idx = 100 WHERE idx = 3",
        "UPDATE entry SET idx = 3 WHERE idx = 4",
        "UPDATE entry SET idx = 4 WHERE idx = 100",
    )
    assert {3, 4} <= {finding.index for finding in founded.audit().findings}


def test_led_5_a_missing_row_is_found(founded):
    founded.harm("DELETE FROM entry WHERE idx = 6")
    report = founded.audit()
    assert "entry 6: index: the row after 5 has the index 7" in {str(f) for f in report.findings}


def readable(path):
    """Return all rows and the schema as SQLite reads them, None where it cannot."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    database.text_factory = bytes
    try:
        tables = ("entry", "tree", "checkpoint", "cosignature", "sqlite_schema")
        return [database.execute(f"SELECT * FROM {table}").fetchall() for table in tables]
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    finally:
        database.close()


def test_led_7_a_flip_anywhere_in_the_file_is_found_or_was_never_read(founded):
    data = founded.path.read_bytes()
    original = readable(founded.path)
    chosen = spread(range(len(data)), SAMPLES)
    found, missed = 0, []
    for place, mask in chosen:
        founded.path.write_bytes(flip(data, place, mask))
        report = founded.audit()
        speak(report)
        found += bool(report.findings)
        if not report.findings and readable(founded.path) != original:
            missed.append((place, mask))
    assert missed == []
    assert found > SAMPLES // 3


def test_led_7_no_flip_in_the_header_or_the_schema_ends_in_a_traceback(founded):
    data = founded.path.read_bytes()
    for place, mask in spread(range(4096), 130):
        founded.path.write_bytes(flip(data, place, mask))
        speak(founded.audit())
        for words in (["list"], ["show", "J2"], ["verify"]):
            # Whatever is raised here and is not ours would end in exit 70.
            assert founded.invoke(*words).exit_code in (0, 1, 3, 4, 74)


def test_reading_verbs_on_a_damaged_ledger_never_end_in_a_traceback(founded):
    data = founded.path.read_bytes()
    for place, mask in spread(range(len(data)), 80):
        founded.path.write_bytes(flip(data, place, mask))
        for words in (["list"], ["show", "J2"], ["search", "batch"], ["key", "list"]):
            result = founded.invoke(*words)
            assert result.exit_code in (0, 1, 4)
            assert result.exit_code == 0 or len(result.stderr.splitlines()) == 1


def test_appending_to_a_damaged_ledger_never_ends_in_a_traceback(founded):
    data = founded.path.read_bytes()
    for place, mask in spread(range(len(data)), 40):
        founded.path.write_bytes(flip(data, place, mask))
        result = founded.invoke("add", "--title", "one more")
        assert result.exit_code in (0, 1, 4)
        assert len(result.stderr.splitlines()) == (result.exit_code != 0)


@pytest.mark.parametrize("size", [0, 1, 99, 100, 512, 4095, 4096, 4097, 20000, 36863])
def test_led_7_a_file_cut_short_is_found(founded, size):
    data = founded.path.read_bytes()
    assert size < len(data)
    founded.path.write_bytes(data[:size])
    result = founded.invoke("verify")
    assert result.exit_code == 1
    assert "BROKEN" in result.stdout


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 4", "leaf"),
        ("UPDATE entry SET id = 'ff' || substr(id, 3) WHERE idx = 4", "id"),
        ("UPDATE entry SET envelope = x'7b7d' WHERE idx = 4", "malformed"),
    ],
)
def test_led_5_the_program_exits_1_and_names_the_entry(founded, statement, code):
    founded.harm(statement)
    done = founded.process("verify")
    assert (done.returncode, done.stderr) == (1, "")
    assert f"entry 4: {code}: " in done.stdout
    told = json.loads(founded.process("verify", "--json").stdout)
    assert (4, code) in {(f.get("index"), f["code"]) for f in told["findings"]}
    assert told["intact"] is False


def test_a_column_of_another_type_is_found_and_named(founded):
    """A type byte that turns the blob into text of the same length."""
    data = founded.path.read_bytes()
    entry_id = founded.rows()["entry"][4][1].encode()
    start = data.index(entry_id + founded.rows()["entry"][4][2])
    changed = flip(data, start - 1, 0x01)
    founded.path.write_bytes(changed)
    messages = {str(finding) for finding in founded.audit().findings}
    assert "entry 4: type: the envelope is not stored as bytes" in messages
    (founded.root / "evidence" / "ledger.index").unlink()
    result = founded.invoke("list")
    assert result.exit_code in (1, 4)
    assert "envelope 4" in result.stderr or "entry 4 is not stored as bytes" in result.stderr


def test_led_8_a_copy_of_file_and_journal_taken_in_the_middle_is_read_as_before(founded, tmp_path):
    rows = founded.rows()
    writer = sqlite3.connect(founded.path, isolation_level=None)
    writer.execute("PRAGMA cache_size=1")
    writer.execute("PRAGMA cache_spill=1")
    writer.execute("BEGIN IMMEDIATE")
    for number in range(15, 55):
        row = (number, f"id {number}", b"h" * 32, b"e" * 3000)
        writer.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", row)
    for name in ("ledger.db", "ledger.db-journal"):
        shutil.copyfile(founded.path.with_name(name), tmp_path / name)
    writer.execute("ROLLBACK")
    writer.close()
    assert (tmp_path / "ledger.db").stat().st_size > founded.path.stat().st_size
    for name in ("ledger.db", "ledger.db-journal"):
        shutil.copyfile(tmp_path / name, founded.path.with_name(name))
    report = founded.audit()
    assert (report.findings, report.entries) == ([], 15)
    assert "a writer was interrupted" in report.notice
    founded.append()
    assert founded.rows()["entry"][:15] == rows["entry"]
