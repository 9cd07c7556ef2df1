"""The tables against the stock `sqlite3` shell and Python's defaults: nothing is ever changed.

Every statement of an accident or of a careless repair is refused by a trigger, and the whole file
is compared byte by byte before and after.
"""

import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

from ledger import store
from receipts.errors import ConflictError

REFUSED = "the ledger is append-only: "
SHELL = shutil.which("sqlite3")


@pytest.fixture
def cosigned(founded):
    """The founded ledger with one cosignature, inserted as a witness would."""
    opened = store.open_for_writing(founded.path)
    opened.execute("INSERT INTO cosignature VALUES (15, 'witness', 'a line')")
    opened.close()
    return founded


# Each statement, and the rule that refuses it. The ledger has fifteen entries, 0 to 14.
STATEMENTS = [
    # entry
    ("UPDATE entry SET envelope = x'00' WHERE idx = 3", "an entry is never changed"),
    ("UPDATE entry SET id = 'x'", "an entry is never changed"),
    ("UPDATE entry SET idx = idx + 100", "an entry is never changed"),
    ("UPDATE entry SET envelope = envelope", "an entry is never changed"),
    ("UPDATE OR REPLACE entry SET idx = 4 WHERE idx = 3", "an entry is never changed"),
    ("UPDATE OR IGNORE entry SET leaf_hash = x'00'", "an entry is never changed"),
    ("DELETE FROM entry", "an entry is never deleted"),
    ("DELETE FROM entry WHERE idx = 14", "an entry is never deleted"),
    ("INSERT INTO entry VALUES (3, 'n', x'00', x'00')", "the next index and a new id"),
    ("INSERT INTO entry VALUES (16, 'n', x'00', x'00')", "the next index and a new id"),
    ("INSERT INTO entry VALUES (-1, 'n', x'00', x'00')", "the next index and a new id"),
    ("INSERT INTO entry VALUES (NULL, 'n', x'00', x'00')", "the next index and a new id"),
    ("INSERT OR IGNORE INTO entry VALUES (3, 'n', x'00', x'00')", "the next index and a new id"),
    ("INSERT OR REPLACE INTO entry VALUES (3, 'n', x'00', x'00')", "the next index and a new id"),
    ("REPLACE INTO entry VALUES (3, 'n', x'00', x'00')", "the next index and a new id"),
    (
        "INSERT OR REPLACE INTO entry SELECT 15, id, x'00', x'00' FROM entry WHERE idx = 3",
        "the next index and a new id",
    ),
    (
        "INSERT INTO entry VALUES (3, 'n', x'00', x'00') "
        "ON CONFLICT (idx) DO UPDATE SET envelope = x'00'",
        "the next index and a new id",
    ),
    # tree
    ("UPDATE tree SET hash = x'00' WHERE level = 1", "a tree hash is never changed"),
    ("UPDATE OR REPLACE tree SET idx = 1 WHERE level = 1 AND idx = 0", "hash is never changed"),
    ("DELETE FROM tree", "a tree hash is never deleted"),
    ("DELETE FROM tree WHERE level = 1", "a tree hash is never deleted"),
    ("INSERT INTO tree VALUES (1, 0, x'00')", "is written once, when complete"),
    ("INSERT INTO tree VALUES (1, 7, x'00')", "is written once, when complete"),
    ("INSERT INTO tree VALUES (4, 0, x'00')", "is written once, when complete"),
    ("INSERT INTO tree VALUES (0, 0, x'00')", "is written once, when complete"),
    ("INSERT INTO tree VALUES (1, -1, x'00')", "is written once, when complete"),
    ("INSERT INTO tree VALUES (63, 0, x'00')", "is written once, when complete"),
    ("INSERT INTO tree VALUES (64, 0, x'00')", "is written once, when complete"),
    ("INSERT INTO tree VALUES (1, 9223372036854775807, x'00')", "is written once, when complete"),
    ("INSERT OR IGNORE INTO tree VALUES (1, 0, x'00')", "is written once, when complete"),
    ("REPLACE INTO tree VALUES (1, 0, x'00')", "is written once, when complete"),
    # checkpoint
    ("UPDATE checkpoint SET note = 'x' WHERE size = 15", "a checkpoint is never changed"),
    ("UPDATE OR REPLACE checkpoint SET size = 14 WHERE size = 15", "checkpoint is never changed"),
    ("DELETE FROM checkpoint", "a checkpoint is never deleted"),
    ("DELETE FROM checkpoint WHERE size = 15", "a checkpoint is never deleted"),
    ("INSERT INTO checkpoint VALUES (15, 'x')", "covers more than the one before"),
    ("INSERT INTO checkpoint VALUES (3, 'x')", "covers more than the one before"),
    ("INSERT INTO checkpoint VALUES (16, 'x')", "covers more than the one before"),
    ("INSERT INTO checkpoint VALUES (NULL, 'x')", "covers more than the one before"),
    ("INSERT OR IGNORE INTO checkpoint VALUES (15, 'x')", "covers more than the one before"),
    ("REPLACE INTO checkpoint VALUES (15, 'x')", "covers more than the one before"),
    # cosignature
    ("UPDATE cosignature SET line = 'x'", "a cosignature is never changed"),
    (
        "UPDATE OR REPLACE cosignature SET name = 'x' WHERE size = 15",
        "cosignature is never changed",
    ),
    ("DELETE FROM cosignature", "a cosignature is never deleted"),
    ("DELETE FROM cosignature WHERE size = 15", "a cosignature is never deleted"),
    ("INSERT INTO cosignature VALUES (15, 'witness', 'x')", "of a checkpoint, once a name"),
    ("INSERT INTO cosignature VALUES (16, 'other', 'x')", "of a checkpoint, once a name"),
    ("INSERT OR IGNORE INTO cosignature VALUES (15, 'witness', 'x')", "once a name"),
    ("REPLACE INTO cosignature VALUES (15, 'witness', 'x')", "once a name"),
]


@pytest.mark.parametrize(("statement", "rule"), STATEMENTS)
def test_led_1_python_with_default_pragmas_changes_nothing(cosigned, statement, rule):
    before, rows = cosigned.path.read_bytes(), cosigned.rows()
    with closing(sqlite3.connect(cosigned.path)) as database:
        with pytest.raises(sqlite3.IntegrityError, match=REFUSED) as refused:
            database.execute(statement)
        assert rule in str(refused.value)
        database.commit()
    assert cosigned.path.read_bytes() == before
    assert cosigned.rows() == rows


@pytest.mark.skipif(SHELL is None, reason="no sqlite3 shell: only Python's SQLite was tried")
@pytest.mark.parametrize(("statement", "rule"), STATEMENTS)
def test_led_1_the_stock_shell_changes_nothing(cosigned, statement, rule):
    before = cosigned.path.read_bytes()
    command = [SHELL, "-batch", "-init", "/dev/null", str(cosigned.path), statement]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode != 0
    assert REFUSED in done.stderr
    assert rule in done.stderr
    assert cosigned.path.read_bytes() == before


@pytest.mark.parametrize("statement", [statement for statement, _ in STATEMENTS])
def test_led_1_our_own_connection_changes_nothing_and_says_so_in_one_line(cosigned, statement):
    before = cosigned.path.read_bytes()
    opened = store.open_for_writing(cosigned.path)
    with pytest.raises(ConflictError, match=REFUSED) as refused, opened.transaction():
        opened.execute(statement)
    opened.close()
    assert "\n" not in str(refused.value)
    assert cosigned.path.read_bytes() == before


@pytest.mark.parametrize(
    "values",
    [
        "(15, NULL, x'00', x'00')",
        "(15, 'n', NULL, x'00')",
        "(15, 'n', x'00', NULL)",
        "(15, 'n', 'text', x'00')",
        "(15, 'n', x'00', 'text')",
        "(15, x'00', x'00', x'00')",
        "('fifteen', 'n', x'00', x'00')",
    ],
)
def test_led_2_a_row_with_a_missing_or_mistyped_value_is_refused(cosigned, values):
    before = cosigned.path.read_bytes()
    with closing(sqlite3.connect(cosigned.path)) as database, pytest.raises(sqlite3.Error):
        database.execute(f"INSERT INTO entry VALUES {values}")
    assert cosigned.path.read_bytes() == before


def test_a_row_that_the_triggers_must_let_in_is_found_by_verify(cosigned):
    with closing(sqlite3.connect(cosigned.path, isolation_level=None)) as database:
        database.execute("INSERT INTO entry VALUES (15, 'new', x'00', x'00')")
    found = cosigned.audit().findings
    assert {(f.index, f.code) for f in found} >= {(15, "id"), (15, "leaf"), (15, "malformed")}
    assert cosigned.invoke("verify").exit_code == 1


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER entry_no_update",
        "DROP TABLE cosignature",
        "ALTER TABLE entry ADD COLUMN remark TEXT",
        "ALTER TABLE entry RENAME TO entries",
        "CREATE TABLE extra (x)",
        "CREATE VIEW shadow AS SELECT * FROM entry",
        "CREATE INDEX more ON entry (leaf_hash)",
        "CREATE TRIGGER more AFTER INSERT ON entry BEGIN SELECT 1; END",
        "DROP TRIGGER entry_in_order; CREATE TRIGGER entry_in_order BEFORE INSERT ON entry "
        "WHEN 0 BEGIN SELECT 1; END",
    ],
)
def test_led_3_a_changed_schema_is_found_and_named(founded, statement):
    with closing(sqlite3.connect(founded.path)) as database:
        database.executescript(statement)
    report = founded.audit()
    assert report.code == 1
    assert any(finding.code in ("schema", "damaged") for finding in report.findings)
    result = founded.invoke("verify")
    assert result.exit_code == 1
    assert "BROKEN" in result.stdout


@pytest.mark.parametrize(
    ("pragma", "sentence"),
    [
        ("application_id = 1", "is not a ledger (application id 0x1)"),
        ("user_version = 2", "has format version 2, this program reads 1"),
        ("user_version = 0", "has format version 0, this program reads 1"),
    ],
)
def test_led_4_a_file_of_another_kind_or_version_is_refused_by_every_verb(
    founded, pragma, sentence
):
    with closing(sqlite3.connect(founded.path)) as database:
        database.execute(f"PRAGMA {pragma}")
    before = founded.path.read_bytes()
    for words in (["verify"], ["list"], ["add", "--title", "x"]):
        result = founded.invoke(*words)
        assert result.exit_code == 1
        assert sentence in result.output
    assert founded.path.read_bytes() == before


def test_led_4_a_file_that_is_no_database_is_refused_by_every_verb(founded):
    founded.path.write_bytes(b"not a database, but long enough to be looked at " * 40)
    before = founded.path.read_bytes()
    for words in (["verify"], ["list"], ["show", "0"], ["add", "--title", "x"]):
        result = founded.invoke(*words)
        assert result.exit_code == 1
        assert "is damaged: file is not a database" in result.output
    assert founded.path.read_bytes() == before


def test_led_5_a_row_hidden_below_zero_is_found(founded):
    founded.harm("INSERT INTO entry VALUES (-7, 'hidden', x'00', x'00')")
    report = founded.audit()
    assert report.code == 1
    assert any(f.index == 0 and "has the index -7" in f.message for f in report.findings)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DELETE FROM tree WHERE level = 2 AND idx = 1", "tree"),
        ("INSERT INTO tree VALUES (40, 0, x'00')", "tree"),
        ("UPDATE tree SET hash = zeroblob(32) WHERE level = 3", "tree"),
        ("UPDATE checkpoint SET note = replace(note, 'perf', 'pref') WHERE size = 9", "checkpoint"),
        ("UPDATE checkpoint SET size = 99 WHERE size = 15", "checkpoint"),
        ("UPDATE checkpoint SET size = -1 WHERE size = 15", "checkpoint"),
        ("UPDATE checkpoint SET note = note || 'x' WHERE size = 15", "checkpoint"),
        ("DELETE FROM entry WHERE idx = 14", "checkpoint"),
    ],
)
def test_led_6_a_changed_tree_hash_or_checkpoint_is_found(founded, statement, code):
    founded.harm(statement)
    report = founded.audit()
    assert report.code == 1
    assert code in {finding.code for finding in report.findings}


def test_led_6_entries_past_the_last_checkpoint_are_pending_and_said_so(founded):
    with founded.open(sign=False) as ledger:
        ledger.append({"kind": "ENTRY", "title": "unsigned"}, founded.keys["operator"])
    result = founded.invoke("verify")
    assert result.exit_code == 0
    assert "pending entries, which no checkpoint covers yet: 1" in result.stdout
    assert founded.audit().pending == 1
