"""The pages of the ledger's formats: the examples are ours, the scripts do what they say."""

import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import log
from ledger.heads import Heads
from ledger.log import Ledger
from ledger.note import Verifier
from receipts.keys import from_private

REPOSITORY = Path(__file__).resolve().parents[2]
FORMATS = REPOSITORY / "docs" / "reference" / "formats"
PAGES = ("entry", "ledger", "checkpoint", "head")
TOOLS = ("bash", "sqlite3", "openssl", "ssh-keygen", "sha256sum", "xargs", "tac", "od")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
stock = pytest.mark.skipif(bool(MISSING), reason=f"no {MISSING}: the scripts were not run")
OPERATOR, LOG = (
    from_private(Ed25519PrivateKey.from_private_bytes(bytes(range(start, start + 32))))
    for start in (0, 32)
)
ORIGIN = "perf.example.org/engine"


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The ledger that the pages share, with its keys, checkpoint and head as files."""
    folder = tmp_path_factory.mktemp("example")
    moments = (datetime(2026, 11, 29, 10, minute, tzinfo=UTC) for minute in range(60))
    heads = Heads(folder / "heads")

    def clock():
        return next(moments)

    path = folder / "ledger.db"
    log.create(path, {"title": "genesis", "origin": ORIGIN}, OPERATOR, LOG, clock)
    roles = ["operator", "engineer", "runner"]
    enrol = {"kind": "KEY", "action": "enrol", "key": OPERATOR.public.openssh, "roles": roles}
    with Ledger.open(path, heads, clock, write=True) as ledger:
        ledger.log_signer = LOG
        ledger.append({**enrol, "title": "the founder is also engineer and runner"}, OPERATOR)
        third = {"kind": "ENTRY", "label": "J3", "title": "tuned against plain"}
        why = "a smaller batch leaves room in the cache"
        ledger.append({**third, "hypothesis": why}, OPERATOR)
        (folder / "checkpoint.txt").write_text(ledger.checkpoint())
    shutil.copyfile(heads.path(LOG.public), folder / "head.json")
    (folder / "key.pub").write_text(OPERATOR.public.openssh + " x\n")
    (folder / "log.pub").write_text(LOG.public.openssh + "\n")
    return folder


@pytest.fixture
def files(example, tmp_path):
    for name in ("ledger.db", "checkpoint.txt", "head.json", "key.pub", "log.pub"):
        shutil.copyfile(example / name, tmp_path / name)
    return tmp_path


def page(name):
    return (FORMATS / f"{name}.md").read_text()


def run(name, folder):
    """Run the script of a page in the folder; return its exit code."""
    [script] = re.findall(r"^```sh\n(.*?)^```$", page(name), re.DOTALL | re.MULTILINE)
    command = ["bash", "-eu", "-o", "pipefail", "-c", script]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False, timeout=60
    )
    return done.returncode


def rows(folder):
    with closing(sqlite3.connect(folder / "ledger.db")) as database:
        return database.execute("SELECT idx, id, leaf_hash, envelope FROM entry").fetchall()


def test_the_example_of_an_entry_is_what_the_writer_writes(example):
    text = page("entry")
    raw = rows(example)[2][3].decode()
    assert raw in text
    assert rows(example)[2][1] in text
    assert f"{len(raw)} of them" in text


def test_the_example_of_a_ledger_is_what_sqlite_shows(example):
    text = page("ledger")
    for index, entry_id, leaf, envelope in rows(example):
        shown = f"{index}|{entry_id[:16]}…|{leaf.hex().upper()[:16]}…|{len(envelope)}"
        assert shown in text.splitlines()


def test_the_examples_of_checkpoint_and_head_are_what_the_writer_writes(example):
    assert (example / "checkpoint.txt").read_text() in page("checkpoint")
    assert Verifier(ORIGIN, LOG.public).vkey in page("checkpoint")
    assert LOG.public.openssh in page("checkpoint")
    assert (example / "head.json").read_text() in page("head")
    assert LOG.public.raw.hex()[:16] in page("head")


@stock
@pytest.mark.parametrize("name", PAGES)
def test_the_script_of_the_page_accepts_its_example(files, name):
    assert run(name, files) == 0


HARM = [
    ("entry", "UPDATE entry SET id = 'x' WHERE idx = 2"),
    ("entry", "UPDATE entry SET id = 'x' WHERE idx = 1"),
    ("entry", "UPDATE entry SET envelope = CAST(envelope || ' ' AS BLOB) WHERE idx = 2"),
    ("ledger", "UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 1"),
    ("ledger", "UPDATE entry SET idx = 9 WHERE idx = 2"),
    ("ledger", "UPDATE tree SET hash = zeroblob(32)"),
    ("ledger", "PRAGMA user_version = 2"),
    ("checkpoint", "UPDATE tree SET hash = zeroblob(32)"),
    ("checkpoint", "UPDATE entry SET leaf_hash = zeroblob(32) WHERE idx = 2"),
    ("head", "DELETE FROM entry WHERE idx = 2"),
]


@stock
@pytest.mark.parametrize(("name", "statement"), HARM)
def test_the_script_of_the_page_refuses_a_changed_ledger(files, name, statement):
    with closing(sqlite3.connect(files / "ledger.db", isolation_level=None)) as database:
        found = database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        for (trigger,) in found.fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute(statement)
    assert run(name, files) != 0


@stock
@pytest.mark.parametrize(
    ("name", "file", "old", "new"),
    [
        ("entry", "key.pub", OPERATOR.public.openssh, LOG.public.openssh),
        ("checkpoint", "checkpoint.txt", "\n3\n", "\n2\n"),
        ("checkpoint", "checkpoint.txt", "PpCddt", "PpCdds"),
        ("checkpoint", "checkpoint.txt", "dtJM", "dtJN"),
        ("checkpoint", "log.pub", LOG.public.openssh, OPERATOR.public.openssh),
        ("head", "head.json", "d7a3", "d7a4"),
        ("head", "head.json", '"size":3', '"size":4'),
        ("head", "log.pub", LOG.public.openssh, OPERATOR.public.openssh),
    ],
)
def test_the_script_of_the_page_refuses_a_changed_file(files, name, file, old, new):
    text = (files / file).read_text()
    assert text.count(old) == 1
    (files / file).write_text(text.replace(old, new))
    assert run(name, files) != 0


@pytest.mark.parametrize("name", PAGES)
def test_every_must_of_the_page_is_held_by_a_test_that_names_it(name):
    ids = re.findall(r"\*\*\[([A-Z]+-[0-9]+)\]\*\*", page(name))
    assert len(ids) == len(set(ids)) >= 6
    folders = (REPOSITORY / "tests" / kind for kind in ("attacks", "vectors"))
    sources = "\n".join(path.read_text() for folder in folders for path in folder.glob("*.py"))
    for rule in ids:
        assert re.search(rf"def test_{rule.lower().replace('-', '_')}_", sources), rule


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_short_and_its_sections_are_in_order(name):
    text = page(name)
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings == [
        "Example",
        "Conventions",
        "Format",
        "To verify",
        "Vectors and tests",
        "Version history",
    ]
    assert len(text.splitlines()) <= 120
