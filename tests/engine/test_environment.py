import os
import platform
import re
from pathlib import Path

import pytest

from engine import environment
from receipts import canonical


def test_the_facts_are_those_of_this_machine():
    facts = environment.fingerprint()

    system, node, release, _, machine = os.uname()
    assert facts["system"] == system
    assert facts.get("host", "") == node
    assert (facts["kernel"], facts["machine"]) == (release, machine)
    assert facts["python"] == platform.python_version()
    assert facts["cores"] == len(os.sched_getaffinity(0))


@pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="not run: there is no /proc here")
def test_memory_and_boot_are_what_the_kernel_says():
    facts = environment.fingerprint()

    kib = re.search(r"MemTotal:\s+([0-9]+)", Path("/proc/meminfo").read_text())[1]
    assert facts["memory_kib"] == int(kib)
    assert facts["boot"] == Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def test_looking_twice_gives_the_same_facts():
    assert environment.fingerprint() == environment.fingerprint()


def test_every_fact_has_a_place_in_signed_bytes():
    facts = environment.fingerprint()

    assert canonical.decode(canonical.encode(facts)) == facts


def test_what_cannot_be_read_is_left_out(monkeypatch):
    def refuse(self, *args, **options):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_text", refuse)
    monkeypatch.setattr(platform, "node", lambda: "")
    monkeypatch.setattr(platform, "processor", lambda: "")

    facts = environment.fingerprint()

    assert {"host", "boot", "cpu", "memory_kib", "governor", "clock_source"}.isdisjoint(facts)
    assert all(value not in (None, "", 0) for value in facts.values())


@pytest.mark.parametrize(
    "text",
    ["model name\t: Fast CPU 9\n", "Model           : Fast CPU 9\n", "Hardware: Fast CPU 9\n"],
)
def test_the_processor_is_found_under_each_name_the_kernel_gives_it(monkeypatch, text):
    genuine = Path.read_text

    def read(self, *args, **options):
        fake = self == Path("/proc/cpuinfo")
        return f"processor\t: 0\n{text}" if fake else genuine(self, *args, **options)

    monkeypatch.setattr(Path, "read_text", read)

    assert environment.fingerprint()["cpu"] == "Fast CPU 9"


def test_cores_are_counted_where_no_affinity_is_known(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")

    assert environment.fingerprint()["cores"] == os.cpu_count()
