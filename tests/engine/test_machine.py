"""What decides how fast this machine is: every fact is there, or its reason is."""

import os
import subprocess
import sys

from engine.apparatus import machine
from receipts import canonical


def test_this_machine_is_described_and_every_gap_has_a_reason():
    found = machine.describe()

    asked = set(machine._questions(machine.ROOT))
    told = {name for name in found.facts if not name.startswith("variable.")}
    assert told | set(found.absent) == asked
    assert told.isdisjoint(found.absent)
    assert all(found.absent.values())
    assert canonical.decode(canonical.encode([found.facts, found.absent])) == [
        found.facts,
        found.absent,
    ]


def test_looking_twice_gives_the_same_facts():
    assert machine.describe() == machine.describe()


def test_nothing_readable_is_nothing_known_and_not_zero(tmp_path):
    found = machine.describe(tmp_path)

    assert set(found.facts) - {"affinity", "clock_resolution_ns", "blas"} <= {
        name for name in found.facts if name.startswith("variable.")
    }
    assert found.absent["smt"] == "No such file or directory"
    assert found.absent["cpu_quota"].startswith("the control group has neither")


def test_facts_are_read_where_the_kernel_keeps_them(tmp_path):
    files = {
        "sys/devices/system/cpu/smt/control": "notsupported\n",
        "sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq": "800000\n",
        "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
        "proc/cpuinfo": "microcode\t: 0xb000\nflags\t\t: fpu vme hypervisor\n",
        "sys/devices/system/cpu/vulnerabilities/mds": "Not affected\n",
        "proc/meminfo": "SwapTotal:           0 kB\n",
        "proc/self/cgroup": "0::/a\n",
        "sys/fs/cgroup/a/cpu.max": "150000 100000\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    facts = machine.describe(tmp_path).facts

    assert (facts["smt"], facts["thp"], facts["microcode"]) == ("notsupported", "madvise", "0xb000")
    assert (facts["frequency_min_khz"], facts["hypervisor"], facts["swap_kib"]) == (800000, True, 0)
    assert facts["cpu_quota"] == "1.5"
    assert facts["cpu_flags"].startswith("sha256:")
    (tmp_path / "sys/fs/cgroup/a/cpu.max").write_text("max 100000\n")
    assert machine.describe(tmp_path).facts["cpu_quota"] == "max"


def test_variables_by_which_one_binary_runs_at_another_speed_are_recorded(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")

    assert machine.describe().facts["variable.OPENBLAS_CORETYPE"] == "Prescott"


def test_affinity_is_told_in_ranges():
    assert list(machine._ranges([0, 1, 2, 5, 7, 8])) == ["0-2", "5", "7-8"]
    cores = sorted(os.sched_getaffinity(0))
    assert machine.describe().facts["affinity"].startswith(str(cores[0]))


def test_numpy_is_not_imported_to_find_out_about_it():
    program = (
        "import sys; from engine.apparatus import machine;"
        "print(machine.describe().absent['blas']); print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines()[1] == "False"
    assert done.stdout.startswith("this process has loaded none")
