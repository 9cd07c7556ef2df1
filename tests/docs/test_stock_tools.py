"""The page for strangers: bash, sqlite3, coreutils, openssl and ssh-keygen, nothing of ours."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "verify-with-stock-tools.md"
TOOLS = ("bash", "sqlite3", "sha256sum", "openssl", "ssh-keygen")
missing = [tool for tool in TOOLS if shutil.which(tool) is None]
pytestmark = pytest.mark.skipif(bool(missing), reason=f"not run: {missing} are not installed")


def change(path, sql):
    """Change the ledger behind its triggers, as somebody with the file would."""
    with sqlite3.connect(path) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
            database.execute(f"DROP TRIGGER {name}")
        database.execute(sql)
    database.close()


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory):
    """A folder with the page's script, a ledger of six entries, and a checkpoint of five."""
    folder = tmp_path_factory.mktemp("stranger")
    script = re.search(r"```bash file=verify.sh\n(.*?)^```", PAGE.read_text("utf-8"), re.S | re.M)
    (folder / "verify.sh").write_text(script[1], encoding="utf-8")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "EVIDENCE_"))}
    for words in (
        ["init"],
        *(["add", "--title", f"entry {n}", "--verdict", "observation"] for n in range(3)),
        ["checkpoint", "--output", "checkpoint.txt"],
        ["add", "--title", "after the checkpoint", "--verdict", "observation"],
    ):
        command = [sys.executable, "-m", "ledger.cli", *words]
        environment = {**kept, "HOME": str(folder / "home")}
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return folder


def verify(folder):
    done = subprocess.run(
        ["bash", "verify.sh", "evidence/ledger.db", "checkpoint.txt"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.strip()


def test_a_stranger_verifies_the_ledger_with_the_page_alone(handed_out):
    code, said = verify(handed_out)
    assert (code, said[:13]) == (0, "ok: 6 entries")
    assert "the checkpoint of 5 is a prefix" in said


ATTACKS = {
    "edited": (
        "UPDATE entry SET envelope = CAST(replace(CAST(envelope AS TEXT), 'sig\":\"', 'sig\":\"A')"
        " AS BLOB) WHERE idx = 3",
        "REFUSED: entry 3: id",
    ),
    "edited with its id": (
        "UPDATE entry SET envelope = (SELECT envelope FROM entry WHERE idx = 4),"
        " id = 'x' || (SELECT id FROM entry WHERE idx = 4) WHERE idx = 3",
        "REFUSED: entry 3: id",
    ),
    "deleted": ("DELETE FROM entry WHERE idx = 3", "REFUSED: entry 3 is missing"),
    "truncated": (
        "DELETE FROM entry WHERE idx >= 4",
        "REFUSED: 4 entries are here, the checkpoint covers 5: truncated",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_copy_that_was_changed_is_refused_by_name(attack, handed_out, tmp_path):
    sql, sentence = ATTACKS[attack]
    copy = tmp_path / "copy"
    shutil.copytree(handed_out, copy)
    change(copy / "evidence" / "ledger.db", sql)
    assert verify(copy) == (1, sentence)
