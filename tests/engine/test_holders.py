"""Who may hold a device before a run, and what is no proof of emptiness."""

import pytest

from engine.apparatus import holders
from engine.apparatus.drivers.model import MIB
from engine.apparatus.drivers.nvidia import Nvidia
from engine.apparatus.limits import Limits
from receipts.errors import UsageError
from tests.fixtures.nvml import Nvml, process


def judged(nvml, *residents, suspects=()):
    reading = Nvidia(nvml).read("GPU-1")
    return holders.judge([reading], [holders.parse(r) for r in residents], Limits(), suspects)


def test_an_empty_device_refuses_nobody():
    assert judged(Nvml(used=4 * MIB)) == holders.Found((), (), None)


def test_a_holder_refuses_whatever_it_is_called():
    found = judged(Nvml(compute=[process(4_194_999, 512)], used=512 * MIB))

    assert found.refusal == (
        "device GPU-1 is held by pid 4194999 unnamed, 512 MiB (compute); try again later"
    )
    assert found.holders == ("GPU-1: pid 4194999 unnamed, 512 MiB (compute)",)


def test_an_empty_list_is_no_proof_where_memory_is_in_use():
    found = judged(Nvml(used=20_000 * MIB))

    assert found.refusal == (
        "HELD_BY_UNKNOWN: 20000 MiB of GPU-1 are held by no listed process (limit 256 MiB)"
    )


def test_memory_of_a_version_that_counts_the_reserve_is_allowed_the_reserve():
    assert judged(Nvml(used=100 * MIB, unsupported={"memory_v2"})).refusal is None
    assert judged(Nvml(used=1000 * MIB, unsupported={"memory_v2"})).refusal


def test_a_holder_that_does_not_tell_its_memory_explains_nothing():
    found = judged(Nvml(compute=[process(4_194_999, None)], used=900 * MIB), "4194999=1000")

    assert "is held by pid 4194999" in found.refusal


def test_a_driver_that_tells_neither_holders_nor_memory_refuses():
    nvml = Nvml(unsupported={"memory", "compute", "graphics", "mps"})

    assert judged(nvml).refusal.startswith("HELD_BY_UNKNOWN: the driver tells neither")


def test_a_declared_idle_resident_stays_and_is_on_record():
    nvml = Nvml(compute=[process(4_194_999, 512)], used=512 * MIB)

    found = judged(nvml, "4194999=600")

    assert found.refusal is None
    assert found.residents == ("GPU-1: pid 4194999 unnamed, 512 MiB (compute)",)


def test_a_resident_over_its_memory_is_undeclared():
    nvml = Nvml(compute=[process(4_194_999, 512)], used=512 * MIB)

    assert "is held by pid 4194999" in judged(nvml, "4194999=500").refusal


def test_a_busy_resident_refuses():
    nvml = Nvml(compute=[process(4_194_999, 512)], used=512 * MIB, utilisation=3)

    assert judged(nvml, "4194999=600").refusal == ("device GPU-1 has a resident and is busy: 3 %")


def test_the_process_list_is_a_second_opinion():
    found = judged(Nvml(), suspects=["pid 12 vllm"])

    assert found.refusal.startswith("the process list shows pid 12 vllm, which fills devices")
    assert judged(Nvml(), "vllm=100", suspects=["pid 12 vllm"]).refusal is None
    # Where no device is leased it is on record, and refuses nothing.
    alone = holders.judge([], [], Limits(), ["pid 12 vllm"])
    assert alone == holders.Found(("process list: pid 12 vllm",), (), None)


@pytest.mark.parametrize("text", ["ollama", "=5", "ollama=", "ollama=5.5", "ollama=-1", "a=1e3"])
def test_a_resident_is_declared_by_process_and_memory(text):
    with pytest.raises(UsageError, match="is not NAME=MIB"):
        holders.parse(text)
