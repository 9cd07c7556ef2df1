"""Pages and files made to hang the whole check: each comes to an answer, or to one clear line."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from claims.numerals import numbers

PART = "It hits 61.7 tok/s and "
BOUND = "Prefill reaches 163.77 tok/s (median of 3 repetitions).<!--claim:prefill-->"
MANY_DIGITS = "7" * 500_000
PAGES = {
    "one sentence": PART * 20_000,
    "one sentence behind a claim": "Prefill reaches 163.77 tok/s<!--claim:prefill--> and "
    + PART * 5_000,
    "one sentence of claims": "It hits 163.77 tok/s<!--claim:prefill--> and " * 4000,
    "one sentence of claims, engines": "vLLM hits 163.77 tok/s<!--claim:prefill--> and " * 1000,
    "one sentence of claims, metrics": "Past prefill: 163.77 tok/s<!--claim:prefill--> and " * 2000,
    "digits": f"x {MANY_DIGITS} y\n",
    "digits beside a claim": f"Prefill reaches 163.77 tok/s<!--claim:prefill--> {MANY_DIGITS}",
    "digits that are bound": f"x {MANY_DIGITS} tok/s<!--claim:prefill--> y\n",
}
BOUND_S = 10


@pytest.fixture(scope="module")
def approved(shared_publisher):
    shared_publisher.publish(shared_publisher.level)
    return shared_publisher


@pytest.mark.parametrize("form", ["text", "concise"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_this_shape_is_checked_in_bounded_time(approved, name, form):
    begin = time.process_time()
    assert approved.check(PAGES[name], "--fresh", "--format", form).exit_code == 1
    assert time.process_time() - begin < BOUND_S


@pytest.mark.parametrize("digit", ["0", "7"])
def test_a_number_beyond_any_length_is_one_number_that_no_evidence_has(digit):
    (longest,) = numbers.find(digit * numbers.LONGEST)
    assert longest.value == int(digit * numbers.LONGEST)
    (beyond,) = numbers.find(f"{digit * (numbers.LONGEST + 1)} tok/s")
    assert (beyond.value, beyond.unit) == (numbers.BEYOND, "tok/s")


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, which may hang."""
    call = [str(Path(sys.executable).parent / words[0]), *words[1:]]
    return subprocess.run(call, cwd=root, capture_output=True, text=True, timeout=60, check=False)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("words", [("check",), ("check", "--fresh"), ("numbers",)])
@pytest.mark.parametrize("made", [pipe, device])
def test_a_page_that_is_no_file_is_refused_and_not_waited_for(approved, tmp_path, made, words):
    made(tmp_path / "endless.md")
    done = run(approved.root, "claims", *words, str(tmp_path / "endless.md"))
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.count("\n") == 1
    assert "endless.md: the page is not a regular file; name a file" in done.stderr


@pytest.mark.parametrize("name", ["ledger.db", "ledger.db-journal", "ledger.db-wal"])
@pytest.mark.parametrize("made", [pipe, device])
def test_a_ledger_that_is_no_file_is_refused_and_not_waited_for(approved, made, name):
    page = approved.root / "page.md"
    page.write_text(BOUND + "\n")
    assert run(approved.root, "claims", "check", "page.md").returncode == 0
    place = approved.root / "evidence" / name
    kept = place.read_bytes() if place.exists() else None
    place.unlink(missing_ok=True)
    made(place)
    try:
        done = run(approved.root, "claims", "check", "page.md")
    finally:
        place.unlink()
        if kept is not None:
            place.write_bytes(kept)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.count("\n") == 1
    assert name in done.stderr
    assert run(approved.root, "claims", "check", "page.md").returncode == 0
