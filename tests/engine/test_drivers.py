"""What drivers answer, from recorded shapes; where a device is really here, from itself."""

import pytest

from engine.apparatus.drivers import found
from engine.apparatus.drivers.amd import Amd
from engine.apparatus.drivers.model import MIB, POWER_CAP, faults_of
from engine.apparatus.drivers.nothing import Nothing
from engine.apparatus.drivers.nvidia import Nvidia
from receipts import canonical
from receipts.errors import Error, NotFoundError
from tests.fixtures.nvml import Nvml, process

PROCESSES = {"compute", "graphics", "mps"}


def test_a_reading_has_memory_without_what_the_driver_reserves():
    reading = Nvidia(Nvml(used=700 * MIB)).read("GPU-1")

    assert (reading.used, reading.reserved) == (700 * MIB, 621 * MIB)
    assert (reading.utilisation, reading.clock_mhz, reading.throttle) == (0, 1980, 1)
    assert reading.holders == ()
    assert reading.absent == {}


def test_where_only_version_1_answers_the_reserve_is_absent_and_counted_as_used():
    reading = Nvidia(Nvml(used=700 * MIB, unsupported={"memory_v2"})).read("GPU-1")

    assert reading.used == (700 + 621) * MIB
    assert reading.reserved is None
    assert reading.absent["reserved"] == "Not Supported"


def test_holders_come_from_three_lists_and_each_once():
    nvml = Nvml(compute=[process(7, 512)], graphics=[process(7, 512), process(8, 3)])
    nvml.mps = [process(9, 1)]

    holders = Nvidia(nvml).read("GPU-1").holders

    assert [(h.pid, h.used, h.kind) for h in holders] == [
        (7, 512 * MIB, "compute"),
        (8, 3 * MIB, "graphics"),
        (9, MIB, "mps"),
    ]


def test_memory_that_a_process_does_not_tell_is_not_zero():
    reading = Nvidia(Nvml(compute=[process(7, None)], used=900 * MIB)).read("GPU-1")

    assert reading.holders[0].used is None
    assert "memory not told" in reading.holders[0].told()
    assert reading.unexplained() == 900 * MIB


def test_a_part_of_a_divided_device_is_named_and_tells_no_utilisation():
    nvml = Nvml("MIG-7", compute=[process(7, 5, instance=3)], unsupported={"utilisation"})

    reading = Nvidia(nvml).read("MIG-7")

    assert reading.holders[0].instance == "gi 3 ci 3"
    assert reading.utilisation is None
    assert reading.absent["utilisation"] == "Not Supported"


@pytest.mark.parametrize(
    ("call", "field"),
    [
        ("memory", "used"),
        ("utilisation", "utilisation"),
        ("reasons", "throttle"),
        ("violation", "throttled_ns"),
    ],
)
def test_what_is_not_supported_is_absent_with_its_reason_and_never_zero(call, field):
    reading = Nvidia(Nvml(unsupported={call})).read("GPU-1")

    assert getattr(reading, field) is None
    assert reading.absent[field] == "Not Supported"


def test_no_list_of_processes_is_not_an_empty_one():
    reading = Nvidia(Nvml(unsupported=PROCESSES)).read("GPU-1")

    assert reading.holders is None
    assert Nvidia(Nvml(unsupported=PROCESSES - {"mps"})).read("GPU-1").holders == ()


def test_the_state_is_facts_and_what_is_missing_has_a_reason():
    facts, absent = Nvidia(Nvml()).state("GPU-1")

    assert facts["name"] == "NVIDIA H200"
    assert facts["vbios"] == "96.00.89.00.01"
    assert (facts["driver"], facts["pci"]) == ("550.54.14", "00000000:4B:00.0")
    assert (facts["ecc"], facts["remapped_rows"], facts["clock_sm_max_mhz"]) == (1, 0, 1980)
    assert absent == {"fan_percent": "Not Supported"}
    assert canonical.decode(canonical.encode(facts)) == facts


def test_no_process_busy_since_then_is_an_answer_and_not_being_told_is_none():
    assert Nvidia(Nvml()).activity("GPU-1", 0) == {}
    assert Nvidia(Nvml(activity={7: 31})).activity("GPU-1", 0) == {7: 31}
    assert Nvidia(Nvml(unsupported={"activity"})).activity("GPU-1", 0) is None


def test_a_device_of_another_id_is_not_here():
    with pytest.raises(NotFoundError, match="device GPU-2"):
        Nvidia(Nvml()).read("GPU-2")


def test_power_caps_are_normal_and_heat_is_a_fault():
    assert faults_of(1 | 2 | POWER_CAP | 16 | 256) == []
    assert faults_of(8 | 64) == ["hardware slowdown", "hardware thermal slowdown"]


@pytest.fixture
def card(tmp_path):
    """A made sysfs with one card of AMD and one of another vendor; return its root."""
    device = tmp_path / "class" / "drm" / "card1" / "device"
    nodes = tmp_path / "class" / "kfd" / "kfd" / "topology" / "nodes"
    files = {
        device / "vendor": "0x1002\n",
        device / "unique_id": "18f1a8b3c5e7d902\n",
        device / "gpu_busy_percent": "12\n",
        device / "mem_info_vram_used": f"{3 * 2**30}\n",
        device / "mem_info_vram_total": f"{64 * 2**30}\n",
        device / "pp_dpm_sclk": "0: 132Mhz\n1: 2100Mhz *\n",
        device / "vbios_version": "113-D67301-063\n",
        tmp_path / "class/drm/card0/device/vendor": "0x1234\n",
        tmp_path / "class/drm/card1-DP-1/status": "connected\n",
        nodes / "0/properties": "unique_id 0\n",
        nodes / "0/gpu_id": "0\n",
        nodes / "1/properties": f"cu_count 9\nunique_id {0x18F1A8B3C5E7D902}\n",
        nodes / "1/gpu_id": "4711\n",
        tmp_path / "class/kfd/kfd/proc/99/vram_4711": f"{2**30}\n",
        tmp_path / "class/kfd/kfd/proc/98/vram_4711": "0\n",
        tmp_path / "class/kfd/kfd/proc/97/vram_1": "5\n",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_card_of_amd_is_read_from_sysfs(card):
    driver = Amd(card)
    (device,) = driver.devices()
    reading = driver.read(device)

    assert device == "18f1a8b3c5e7d902"
    assert (reading.used, reading.utilisation, reading.clock_mhz) == (3 * 2**30, 12, 2100)
    assert [(h.pid, h.used) for h in reading.holders] == [(99, 2**30)]
    assert reading.unexplained() == 2 * 2**30
    assert reading.absent["throttle"] == "sysfs does not tell it"
    facts, absent = driver.state(device)
    assert facts["vbios"] == "113-D67301-063"
    assert absent["name"].startswith("product_name: ")


def test_a_value_of_all_ones_is_absent(card):
    (card / "class/drm/card1/device/gpu_busy_percent").write_text(f"{2**16 - 1}\n")

    reading = Amd(card).read("18f1a8b3c5e7d902")

    assert reading.utilisation is None
    assert reading.absent["utilisation"] == "gpu_busy_percent is not supported"


def test_without_the_compute_driver_nobody_can_say_who_holds_a_card(card, tmp_path):
    (card / "class/kfd").rename(tmp_path / "gone")

    assert Amd(card).read("18f1a8b3c5e7d902").holders is None


def test_a_device_is_asked_of_the_driver_that_has_it(card):
    assert isinstance(found.find(("18f1a8b3c5e7d902",), card), Amd)
    with pytest.raises(NotFoundError, match=r"device GPU-9 is not here: .*amdgpu sysfs has 18f1"):
        found.find(("GPU-9",), card)


def test_a_machine_without_devices_has_a_driver_that_says_so(tmp_path):
    driver = found.find((), tmp_path)
    if not isinstance(driver, Nothing):
        pytest.skip("not run: a device is here")
    assert driver.devices() == ()
    with pytest.raises(NotFoundError, match="device x is not here"):
        driver.read("x")


def test_a_real_device_answers_in_the_same_shapes():
    try:
        driver = Nvidia()
    except (Error, ModuleNotFoundError) as error:
        pytest.skip(f"not run: {error}")
    for device in driver.devices():
        reading = driver.read(device)
        assert reading.used is not None or "used" in reading.absent
        assert reading.total is None or reading.total > 0
        facts, _ = driver.state(device)
        assert facts["driver"]
        assert canonical.decode(canonical.encode(facts)) == facts
