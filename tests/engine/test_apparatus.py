"""Everything around a run, from runner to record: real processes and locks, made drivers."""

import os
import subprocess
import sys
from fractions import Fraction

import pytest

from engine import runner
from engine.apparatus import holders, lease, processes
from engine.apparatus.drivers.model import MIB
from engine.apparatus.drivers.nvidia import Nvidia
from engine.apparatus.limits import Limits
from engine.apparatus.terms import Terms
from engine.runner import Order
from ledger import session
from receipts.errors import HeldError, NotFoundError, UsageError
from tests.fixtures.nvml import Nvml, process

NOBODY = 4_194_999
PATIENT = {"drain_seconds": Fraction(1, 2), "run_pressure": Fraction(1), "steal": Fraction(1)}


@pytest.fixture
def perform(bench, clock):
    """Perform one run on a made device; return its outcome and its predicate."""

    def run(nvml, *command, residents=(), limits=None, **terms):
        declared = [holders.parse(text) for text in residents]
        made = Terms(
            driver=Nvidia(nvml),
            devices=["GPU-1"],
            residents=declared,
            limits=Limits(**(PATIENT | (limits or {}))),
            **terms,
        )
        order = Order("c", list(command) or [*bench.rows_command, "1", "500000"])
        with session.open_ledger(write=True) as here:
            outcome = runner.perform(here, here.key(), order, clock, made)
        return outcome, outcome.receipt.predicate

    return run


def test_the_receipt_lists_terms_machine_holders_samples_and_taints(perform):
    nvml = Nvml(compute=[process(NOBODY, 512)], used=512 * MIB)

    outcome, said = perform(nvml, residents=[f"{NOBODY}=600"], quiet=0.3, limits=CALM)

    assert (outcome.exit_code, said.admission, said.exit_code, said.exit_status) == (
        0,
        "admitted",
        0,
        0,
    )
    seen = said.apparatus
    assert seen.terms["driver"] == "nvml"
    assert seen.terms["limit.drain_seconds"] == "0.5"
    assert seen.machine["GPU-1.before.name"] == "NVIDIA H200"
    assert seen.machine["GPU-1.after.driver"] == "550.54.14"
    assert seen.absent["GPU-1.fan_percent"] == "Not Supported"
    assert seen.residents == [f"GPU-1: pid {NOBODY} unnamed, 512 MiB (compute)"]
    assert seen.quiet["before.samples"] == seen.quiet["after.samples"] == 2
    assert seen.quiet["before.busy_bound"] == "0.7764"
    assert seen.drained["drained"] is True
    assert seen.samples["wall_ns"] > 0
    assert said.lease["lock"] == "host.lock, device-GPU-1.lock"
    assert said.taints == []


CALM = {"processors": Fraction(1000), "pressure": Fraction(1)}
REFUSED = {
    "a holder": (Nvml(compute=[process(NOBODY, 5)]), {}, "is held by pid"),
    "unknown memory": (Nvml(used=9999 * MIB), {}, "HELD_BY_UNKNOWN"),
    "a busy device": (Nvml(utilisation=9), {"quiet": 0.2}, "not quiet before the run: device"),
}


@pytest.mark.parametrize(("nvml", "terms", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_is_75_starts_nothing_and_is_on_record(bench, perform, nvml, terms, reason):
    with pytest.raises(HeldError, match=reason) as caught:
        perform(nvml, "touch", "started", limits=CALM, **terms)

    assert caught.value.exit_code == 75
    (body,) = bench.bodies()
    assert (body["phase"], body["reason"]) == ("refused", str(caught.value))
    assert not (bench.root / "started").exists()


def test_a_device_that_is_not_here_is_refused_on_record(bench, clock):
    terms = Terms(devices=["GPU-none"])
    with session.open_ledger(write=True) as here, pytest.raises(NotFoundError):
        runner.perform(here, here.key(), Order("c", ["true"]), clock, terms)

    assert bench.phases() == ["refused"]


def test_a_forbidden_command_is_refused_on_record(bench, perform):
    with pytest.raises(UsageError, match="pkill ends what others run"):
        perform(Nvml(), "sh", "-c", "touch started; pkill x")

    assert bench.phases() == ["refused"]
    assert not (bench.root / "started").exists()


def test_a_holder_that_is_left_is_75_and_on_record_and_lives_on(bench, perform):
    stranger = subprocess.Popen(["sleep", "60"], start_new_session=True)
    nvml = Nvml()
    arrives = ArrivesAfter(nvml, 1, process(stranger.pid, 512))
    try:
        outcome, said = perform(arrives)
        assert stranger.poll() is None
        assert stranger.pid in processes.listed()
    finally:
        stranger.kill()
        stranger.wait()

    assert (outcome.exit_code, outcome.exit_status, outcome.fault) == (75, 0, None)
    assert f"is held by pid {stranger.pid} sleep" in outcome.refusal
    assert said.exit_code == 75
    assert outcome.refusal in said.taints
    assert said.apparatus.drained["drained"] is False
    assert f"pid {stranger.pid}" in said.apparatus.drained["holder.0"]
    assert bench.phases() == ["admitted", "finished"]


class ArrivesAfter(Nvml):
    """A device on which a process appears after so many readings."""

    def __init__(self, nvml, readings, holder):
        super().__init__(**nvml.__dict__)
        self.readings, self.holder = readings, holder

    def nvmlDeviceGetMemoryInfo(self, handle, version=None):  # noqa: N802 - the library's name
        if self.reads >= self.readings:
            self.compute = [self.holder]
        return super().nvmlDeviceGetMemoryInfo(handle, version)


def test_a_deadline_ends_the_group_once_taints_and_is_never_tried_again(bench, perform):
    code = "open('starts','a').write('x'); import time; time.sleep(60)"

    outcome, said = perform(Nvml(), sys.executable, "-c", code, deadline=1.5)

    assert outcome.fault == "the command ran past its deadline of 1.5 s"
    assert outcome.exit_status == -15
    assert outcome.exit_code == 1
    assert said.taints == [outcome.fault]
    assert said.duration_ns < 20 * 10**9
    assert (bench.root / "starts").read_text() == "x"
    assert bench.phases() == ["admitted", "failed"]


def test_a_run_of_more_than_a_second_keeps_its_samples_as_an_object(bench, perform):
    code = "import time; time.sleep(1.6)"
    outcome, said = perform(Nvml(), sys.executable, "-c", code)

    assert said.apparatus.samples["count"] >= 1
    kept = bench.object(outcome.receipt.require(runner.SAMPLES))
    assert kept.count(b"\n") == said.apparatus.samples["count"]


def test_a_lock_deleted_by_the_command_taints_its_run(bench, perform):
    held = "home/state/evidence-ledger/locks/host.lock"
    path = bench.root.parent / held

    _, said = perform(Nvml(), "rm", str(path))

    assert "lock host.lock was deleted while it was held" in said.taints


def test_a_profiled_run_says_so_in_its_taints(bench, perform, monkeypatch):
    fake = bench.root / "bin" / "nsys"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\nshift 2\nexec "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    command = ["nsys", "profile", "--output=trace", *bench.rows_command, "1", "500000"]

    with pytest.raises(UsageError, match="nsys is a profiler"):
        perform(Nvml(), *command)
    outcome, said = perform(Nvml(), *command, admit_profiler=True)

    assert outcome.fault is None
    assert said.taints[0].startswith("profiled by nsys")


def test_a_run_inside_a_run_borrows_the_lease(bench):
    rows = " ".join(bench.rows_command[:-1])
    inner = f"{sys.executable} -m engine.cli run --cell inner --execute -- {rows} {{raw}} 1 5"

    result = bench.run("sh", "-c", f"{inner} && {rows} $EVIDENCE_RAW 1 500000")

    assert result.exit_code == 0, result.output
    finished = [body for body in bench.bodies() if body["phase"] == "finished"]
    sources = [bench.receipt(body["receipt"]).predicate.lease["source"] for body in finished]
    assert [body["cell"] for body in finished] == ["inner", "c"]
    assert sources == ["inherited", "acquired"]


def test_a_child_that_exits_with_75_was_not_refused(bench, perform):
    outcome, said = perform(Nvml(), "sh", "-c", "exit 75")

    assert (said.exit_status, said.admission, said.exit_code) == (75, "admitted", 1)
    assert outcome.exit_code == 1
    assert bench.phases() == ["admitted", "failed"]


def test_the_locks_are_those_of_the_lease(home):
    with lease.acquire("c", devices=["GPU-1"]) as held:
        assert held.variables() == {"EVIDENCE_LEASE": ",".join(map(str, held.descriptors))}
