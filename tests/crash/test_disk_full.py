"""A full disk: one line, exit 74, nothing lost, and everything works again afterwards.

Two disks are played: a file-size limit of the process (`RLIMIT_FSIZE`, every write beyond it fails)
and, where this may be mounted, a file system of a few pages.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from receipts.digest import Digest

REPOSITORY = Path(__file__).resolve().parents[2]
# Runs a command of ours in which no file can grow beyond so many bytes.
LIMITED = """
import resource, runpy, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
module, limit, sys.argv = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
sys.argv.insert(0, module.partition(".")[0])
__import__(module)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
sys.modules[module].main()
"""


def limited(folder, limit, module, *words):
    command = [sys.executable, "-B", "-c", LIMITED, module, str(limit), *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )


def refused(done):
    """Exit 74, one line, nothing on stdout."""
    assert (done.returncode, done.stdout) == (74, ""), done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize(
    "limit", ["the size of the ledger", "half a page more", "a journal's head"]
)
def test_an_append_that_does_not_fit_is_told_and_the_ledger_is_untouched(founded, limit):
    size = founded.path.stat().st_size
    bytes_ = {"the size of the ledger": size, "half a page more": size + 2048}.get(limit, 600)
    before, head = founded.path.read_bytes(), founded.head_file.read_bytes()
    change = "y" * 40_000
    said = refused(
        limited(founded.root, bytes_, "ledger.cli", "add", "--title", "x", "--change", change)
    )
    assert "nothing was written" in said
    assert founded.rows()["entry"][-1][0] == 14
    assert founded.invoke("verify").exit_code == 0
    assert founded.head_file.read_bytes() == head
    assert founded.path.read_bytes() == before
    assert founded.invoke("add", "--title", "x", "--change", change).exit_code == 0
    assert founded.invoke("verify").exit_code == 0


def test_a_head_that_does_not_fit_is_told_and_the_entry_stands(founded, monkeypatch):
    """A limit that the ledger fits under and the head does not is no real disk: it is played."""

    def full(*words):
        raise OSError(28, "No space left on device", str(founded.head_file))

    with monkeypatch.context() as patch:
        patch.setattr("ledger.heads.os.pwrite", full)
        result = founded.invoke("add", "--title", "x")
    assert (result.exit_code, result.stdout) == (74, "")
    assert "entry 15 is in the ledger, but its head could not be remembered" in result.stderr
    assert founded.invoke("verify").exit_code == 0
    assert founded.heads.recall(founded.keys["log"].public) == founded.head()


def test_an_object_that_does_not_fit_leaves_nothing_in_the_store(founded):
    (founded.root / "long.txt").write_bytes(os.urandom(200_000))
    words = ["add", "--title", "x", "--notes", "long.txt"]
    refused(limited(founded.root, 150_000, "ledger.cli", *words))
    objects = founded.root / "evidence" / "objects"
    assert [path for path in objects.rglob("*") if path.is_file()] == []
    assert len(founded.rows()["entry"]) == 15
    assert founded.invoke(*words).exit_code == 0
    digest = Digest.of_file(founded.root / "long.txt")
    assert (objects / digest.hex[:2] / digest.hex).stat().st_size == 200_000


def test_an_export_that_does_not_fit_leaves_no_folder(founded, tmp_path):
    folder = tmp_path / "out" / "export"
    refused(limited(founded.root, 4000, "ledger.cli", "export", folder))
    assert list((tmp_path / "out").iterdir()) == []
    assert founded.invoke("export", folder).exit_code == 0


def test_an_import_that_does_not_fit_leaves_neither_ledger_nor_objects(founded, tmp_path):
    (founded.root / "long.txt").write_bytes(os.urandom(200_000))
    assert founded.invoke("add", "--title", "x", "--notes", "long.txt").exit_code == 0
    assert founded.invoke("export", tmp_path / "export").exit_code == 0
    evidence = founded.root / "evidence"
    shutil.rmtree(evidence)
    for limit in (10_000, 150_000):
        refused(limited(founded.root, limit, "ledger.cli", "import", tmp_path / "export"))
        assert [path for path in evidence.rglob("*") if path.is_file()] == []
    assert founded.invoke("import", tmp_path / "export").exit_code == 0
    assert founded.invoke("verify").exit_code == 0


@pytest.fixture
def small_disk(founded, tmp_path):
    """The evidence of the founded ledger on a file system with little room left."""
    place = tmp_path / "disk"
    place.mkdir()
    size = founded.path.stat().st_size
    options = ["-t", "tmpfs", "-o", f"size={2 * size + 16 * 4096}", "tmpfs", str(place)]
    done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    shutil.copytree(founded.root / "evidence", place / "evidence")
    shutil.rmtree(founded.root / "evidence")
    (founded.root / "evidence").symlink_to(place / "evidence")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_file_system_that_fills_up_loses_nothing_that_was_acknowledged(founded, small_disk):
    appended = 0
    for _ in range(200):
        result = founded.invoke("add", "--title", "x", "--change", "y" * 4000)
        if result.exit_code != 0:
            break
        appended += 1
    assert result.exit_code == 74
    assert "full" in result.stderr or "No space left" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert appended > 0
    assert len(founded.rows()["entry"]) == 15 + appended
    assert founded.invoke("verify").exit_code == 0
    (small_disk / "evidence" / "ledger.index").unlink(missing_ok=True)
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    assert founded.invoke("add", "--title", "x").exit_code == 0
    assert founded.invoke("verify").exit_code == 0
