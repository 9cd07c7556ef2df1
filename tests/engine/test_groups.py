import os
import signal
import subprocess
import sys
import time

import pytest

from engine.apparatus import groups, processes

STAY = "import time; time.sleep(60)"
IGNORE = "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(60)"
LEAVE = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {STAY!r}]); print()"


def started(code):
    child = subprocess.Popen([sys.executable, "-c", code], process_group=0, stdout=subprocess.PIPE)
    with child.stdout:
        if "print" in code:
            child.stdout.readline()
    return child


def test_a_group_that_obeys_is_ended_gently():
    child = started(STAY)

    assert not groups.has_ended(child)
    assert groups.end(child, 5) == (-signal.SIGTERM, [])


def test_a_leader_that_ignores_the_gentle_way_is_ended_firmly_when_its_grace_is_over():
    child = started(IGNORE)
    start = time.monotonic()

    assert groups.end(child, 0.2) == (-signal.SIGKILL, [])
    assert 0.2 <= time.monotonic() - start < 5


@pytest.mark.skipif(sys.platform != "linux", reason="not run: members are read from /proc")
def test_what_a_leader_left_behind_is_counted_and_ended():
    child = started(LEAVE)
    assert groups.await_end(child, 5)

    status, left = groups.end(child, 1)

    assert status == 0
    assert len(left) == 1
    deadline = time.monotonic() + 5
    while processes.members(child.pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert processes.members(child.pid) == []


def test_a_group_whose_leader_was_collected_is_never_signalled():
    child = started("pass")
    child.wait()
    bystander = subprocess.Popen([sys.executable, "-c", STAY], process_group=0)
    child.pid = bystander.pid  # as if the number had passed to a stranger

    groups.signal_group(child, signal.SIGKILL)

    assert bystander.poll() is None
    os.killpg(bystander.pid, signal.SIGKILL)
    bystander.wait()


def test_waiting_ends_with_its_seconds():
    child = started(STAY)

    assert not groups.await_end(child, 0.05)
    groups.end(child, 5)
    assert groups.has_ended(child)
