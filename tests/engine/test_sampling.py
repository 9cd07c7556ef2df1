"""What is noticed once a second while a command runs."""

import os
import subprocess
import sys
import time

import pytest

from engine.apparatus import holders, lease, processes
from engine.apparatus.drivers.model import MIB
from engine.apparatus.drivers.nvidia import Nvidia
from engine.apparatus.limits import Limits
from engine.apparatus.sampling import Sampler
from receipts import canonical
from tests.fixtures.nvml import Nvml, process

NOBODY = 4_194_999
TICK = 0.02


@pytest.fixture
def sample(tmp_path):
    """Sample a made device while `during` happens; return the sampler."""

    def run(nvml, during=lambda held: None, residents=(), leader=None, driver=Nvidia):
        declared = [holders.parse(text) for text in residents]
        with lease.acquire("c", tmp_path / "locks") as held:
            made = driver(nvml)
            sampler = Sampler(made, held, ["GPU-1"], declared, Limits(), interval=TICK)
            if leader:
                sampler.follow(processes.started(leader))
            with sampler:
                wait(sampler, 2)
                during(held)
                wait(sampler, sampler.facts()["count"] + 2)
        return sampler

    return run


def wait(sampler, count):
    deadline = time.monotonic() + 20
    while sampler.facts()["count"] < count and sampler._thread.is_alive():
        assert time.monotonic() < deadline
        time.sleep(TICK)


def needs_numbers():
    if not processes.shares_numbers_with_driver():
        pytest.skip("not run: numbers here are not those of the host")


def test_a_calm_device_taints_nothing_and_is_summarised(sample):
    sampler = sample(Nvml(utilisation=97, used=512 * MIB))

    facts = sampler.facts()
    assert sampler.taints() == sampler.warnings() == []
    assert (facts["GPU-1.utilisation_max"], facts["GPU-1.used_max_bytes"]) == (97, 512 * MIB)
    assert facts["GPU-1.clock_min_mhz"] == facts["GPU-1.clock_max_mhz"] == 1980
    rows = [canonical.decode(line) for line in sampler.rows().splitlines()]
    assert len(rows) == facts["count"]
    assert rows[0]["GPU-1"]["utilisation"] == 97
    assert canonical.decode(canonical.encode(facts)) == facts


def test_a_neighbour_that_arrives_during_the_run_is_a_taint(sample):
    needs_numbers()
    nvml = Nvml()

    sampler = sample(nvml, lambda _: nvml.compute.append(process(NOBODY, 512)))

    assert sampler.taints() == [f"a neighbour arrived on GPU-1: pid {NOBODY} unnamed"]


def test_our_own_family_is_no_neighbour(sample):
    needs_numbers()
    code = (
        "import subprocess; p=subprocess.Popen(['sleep','60']); print(p.pid,flush=True); p.wait()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True
    )
    grandchild = int(child.stdout.readline())
    try:
        nvml = Nvml(compute=[process(child.pid, 5), process(grandchild, 5)])
        assert sample(nvml, leader=child.pid).taints() == []
        assert sample(nvml).taints()
    finally:
        os.kill(grandchild, 9)
        child.wait()
        child.stdout.close()


def test_where_numbers_are_those_of_the_host_it_says_that_it_cannot_tell(sample, monkeypatch):
    monkeypatch.setattr(processes, "shares_numbers_with_driver", lambda: False)

    sampler = sample(Nvml(compute=[process(NOBODY, 5)]))

    assert sampler.taints() == []
    assert sampler.warnings()[0].startswith("neighbours cannot be told from the command")


def test_heat_is_a_taint_and_a_power_cap_is_disclosed(sample):
    assert sample(Nvml(reasons=32)).taints() == [
        "device GPU-1 throttled: software thermal slowdown"
    ]
    capped = sample(Nvml(reasons=4))
    assert capped.taints() == []
    assert capped.facts()["GPU-1.power_capped"] is True


def test_time_lost_to_heat_between_samples_is_found_by_its_counter(sample):
    nvml = Nvml(lost_ns=1000)

    sampler = sample(nvml, lambda _: setattr(nvml, "lost_ns", 1500))

    assert sampler.taints() == ["device GPU-1 lost 500 ns to heat"]


def test_a_clock_that_falls_while_busy_is_a_taint_and_while_idle_none(sample):
    busy = Nvml(utilisation=90)
    told = sample(busy, lambda _: setattr(busy, "clock", 1200)).taints()
    idle = Nvml()

    assert told == ["the clock of GPU-1 fell from 1980 to 1200 MHz while busy (limit 15 %)"]
    assert sample(idle, lambda _: setattr(idle, "clock", 345)).taints() == []


def test_a_lock_that_goes_during_the_run_is_a_taint(sample):
    assert sample(Nvml(), lambda held: held.path.unlink()).taints() == [
        "lock host.lock was deleted while it was held"
    ]


def test_a_resident_is_no_neighbour_while_it_is_idle(sample):
    nvml = Nvml(compute=[process(NOBODY, 512)])
    resident = [f"{NOBODY}=600"]

    assert sample(nvml, residents=resident).taints() == []
    nvml.activity = {NOBODY: 7}
    assert sample(nvml, residents=resident).taints() == [f"resident pid {NOBODY} was busy on GPU-1"]
    nvml.unsupported = {"activity"}
    unseen = sample(nvml, residents=resident)
    assert unseen.taints() == []
    assert unseen.warnings()[0].startswith("whether residents were idle")


def test_a_driver_that_fails_ends_the_sampling_and_not_the_run(sample):
    class Broken(Nvidia):
        def read(self, device):
            raise RuntimeError("the driver has gone")

    assert sample(Nvml(), driver=Broken).taints() == ["sampling ended early: the driver has gone"]


def test_what_it_cannot_tell_is_absent(sample):
    facts = sample(Nvml(unsupported={"utilisation", "memory"})).facts()

    assert not {"GPU-1.utilisation_max", "GPU-1.used_max_bytes"} & facts.keys()


def test_sampling_costs_next_to_nothing(tmp_path):
    with lease.acquire("c", tmp_path / "locks") as held:
        sampler = Sampler(Nvidia(Nvml()), held, ["GPU-1"], [], Limits(), interval=TICK)
        with sampler:
            wait(sampler, 50)

    facts = sampler.facts()
    # At one sample a second this is well under a thousandth of one processor.
    assert facts["cost_ns"] / facts["count"] < 5_000_000
