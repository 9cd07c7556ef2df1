"""Draining: our own group is ended, everybody else is waited for and never touched."""

import os
import subprocess
import sys
import time
from fractions import Fraction

import pytest

from engine.apparatus import drain, holders, processes
from engine.apparatus.drivers.model import MIB
from engine.apparatus.drivers.nvidia import Nvidia
from engine.apparatus.limits import Limits
from engine.apparatus.processes import Started
from tests.fixtures.nvml import Nvml, process

SHORT = Limits(drain_seconds=Fraction(1, 2))


@pytest.fixture
def stranger():
    """A process that we did not start: it stands for another user's job."""
    child = subprocess.Popen(["sleep", "60"], start_new_session=True)
    yield child
    child.kill()
    child.wait()


@pytest.fixture
def ours():
    """A group that we started: a leader that ignores SIGTERM, and its child."""
    code = (
        "import signal,subprocess; signal.signal(15, signal.SIG_IGN);"
        "p=subprocess.Popen(['sleep','60']); print(p.pid,flush=True); p.wait(); signal.pause()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True
    )
    grandchild = int(child.stdout.readline())
    yield processes.started(child.pid), grandchild
    child.kill()
    child.wait()
    child.stdout.close()


def drained(nvml, **options):
    sleep = options.pop("sleep", time.sleep)
    return drain.drain(Nvidia(nvml), ["GPU-1"], SHORT, sleep=sleep, **options)


def test_an_empty_device_is_drained_after_several_idle_readings():
    done = drained(Nvml(used=726 * MIB, unsupported={"memory_v2"}, reserved=0))

    assert done.refusal is None
    assert (done.polls, done.used_mib) == (3, 726)
    assert done.facts()["drained"] is True


def test_memory_is_waited_for_until_it_falls():
    nvml = Nvml(used=9000 * MIB, compute=[process(4_194_999, 9000)])

    def sleep(_):
        if nvml.reads > 4:
            nvml.used, nvml.compute = 0, []

    assert drained(nvml, sleep=sleep).refusal is None
    assert nvml.reads >= 8


def test_a_holder_that_we_did_not_start_is_refused_on_record_and_lives_on(stranger):
    nvml = Nvml(used=512 * MIB, compute=[process(stranger.pid, 512)])

    done = drained(nvml, ours=[Started(stranger.pid, processes.start_of(stranger.pid) - 1)])

    assert done.refusal.startswith("not drained: GPU-1 is held by pid ")
    assert f"pid {stranger.pid}" in done.refusal
    assert done.holders[0].startswith(f"GPU-1: pid {stranger.pid}")
    assert stranger.poll() is None


@pytest.mark.parametrize(
    ("nvml", "complaint"),
    [
        (Nvml(used=2049 * MIB), "2049 MiB of GPU-1 are in use (limit 2048)"),
        (Nvml(used=1000 * MIB), "HELD_BY_UNKNOWN: 1000 MiB of GPU-1"),
        (Nvml(utilisation=1), "GPU-1 is busy: 1 %"),
    ],
)
def test_a_deadline_ends_in_a_refusal_and_not_in_a_guess(nvml, complaint):
    assert complaint in drained(nvml).refusal


def test_a_declared_resident_may_stay():
    nvml = Nvml(used=5000 * MIB, compute=[process(4_194_999, 5000)])

    assert drained(nvml, residents=[holders.parse("4194999=5200")]).refusal is None


def test_our_own_group_is_ended_firmly_when_it_must_be(ours, monkeypatch):
    started, grandchild = ours
    monkeypatch.setattr(drain, "GRACE_SECONDS", 0.3)

    drained(Nvml(), ours=[started])

    deadline = time.monotonic() + 10
    while any(_runs(pid) for pid in (started.pid, grandchild)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _runs(started.pid)
    assert not _runs(grandchild)


def test_a_number_that_came_round_again_is_not_signalled(stranger):
    ticks = processes.start_of(stranger.pid)

    drain.end([Started(stranger.pid, ticks + 1), Started(stranger.pid, None)])

    assert stranger.poll() is None
    os.kill(stranger.pid, 0)


def _runs(pid):
    found = processes.read(pid)
    return found is not None and found.state != "Z"
