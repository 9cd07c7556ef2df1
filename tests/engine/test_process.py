"""A command as a process group of its own, ended whole and alone."""

import os
import sys
import time
from pathlib import Path

import pytest

from engine.apparatus import process


def alive(number):
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except FileNotFoundError:
        return False
    return state.split()[0] != "Z"


@pytest.fixture
def start(tmp_path):
    """Run Python code as the command; return what became of it and what it printed."""

    def started(code, **variables):
        reading, writing = os.pipe()
        log = tmp_path / "log"
        log.unlink(missing_ok=True)
        try:
            done = process.run([sys.executable, "-c", code], log, variables, writing)
        finally:
            os.close(reading)
            os.close(writing)
        return done, log.read_text(encoding="utf-8")

    return started


def test_a_command_that_ends_well_has_no_fault(start):
    done, printed = start("import os; print(os.environ['EVIDENCE_RAW'])", EVIDENCE_RAW="here")
    assert (done, printed) == (process.Done(0, None), "here\n")


def test_what_a_command_leaves_behind_is_ended_and_told(start, tmp_path):
    code = (
        "import subprocess, sys;"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "print(p.pid, flush=True)"
    )
    before = time.monotonic()
    done, printed = start(code)
    assert time.monotonic() - before < 30
    assert done.warnings == ("the command left processes behind; they were ended",)
    left = int(printed)
    deadline = time.monotonic() + 10
    while alive(left) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(left)


def test_a_process_in_a_session_of_its_own_is_not_ours_and_is_left_alone(start):
    code = (
        "import subprocess, sys;"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(5)'],"
        " start_new_session=True);"
        "print(p.pid, flush=True)"
    )
    done, printed = start(code)
    os.kill(int(printed), 0)
    assert done == process.Done(0, None)
    os.kill(int(printed), 15)


@pytest.mark.parametrize("number", [15, 1])
def test_a_cancelled_wrapper_interrupts_its_command(start, number):
    code = f"import os, time; os.kill(os.getppid(), {number}); time.sleep(60)"
    before = time.monotonic()
    done, _ = start(code)
    assert done.fault == process.INTERRUPTED
    assert time.monotonic() - before < 30
