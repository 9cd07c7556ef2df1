"""Contention between two looks: shares, taints, and what a short run cannot resolve."""

from dataclasses import replace
from fractions import Fraction

import pytest

from engine.apparatus import limits, pressure
from engine.apparatus.limits import Limits
from engine.apparatus.pressure import Look
from receipts import canonical
from receipts.errors import UsageError

SECOND = 10**9
FIRST = Look(0, {"cpu.some": 100}, ticks=1000, busy=10, steal=5, throttled_us=7, switches=1)


def later(**fields):
    return replace(FIRST, at_ns=10 * SECOND, ticks=3000, **fields)


def test_shares_are_of_the_wall_and_of_all_processor_time():
    span = pressure.between(FIRST, later(stalls={"cpu.some": 200_100}, busy=1010, steal=15))

    assert span.pressure == Fraction(2, 100)
    assert span.steal == Fraction(10, 2000)
    assert span.facts["stall.cpu.some"] == "0.02"
    assert span.facts["throttled_us"] == 0
    assert canonical.decode(canonical.encode(span.facts)) == span.facts


def test_pressure_steal_and_quota_over_their_limits_taint():
    last = later(stalls={"cpu.some": 310_100}, steal=17, throttled_us=57)

    assert pressure.between(FIRST, last).taints(Limits()) == [
        "some task waited for a processor in 3.1 % of the run (limit 1 %)",
        "the hypervisor gave 0.6 % of the processors to others (limit 0.5 %)",
        "the control group's quota stopped the run for 50 µs",
    ]


def test_at_the_limit_nothing_taints():
    last = later(stalls={"cpu.some": 100_100}, steal=15)

    assert pressure.between(FIRST, last).taints(Limits()) == []


def test_a_run_too_short_for_the_tick_says_nothing_about_steal():
    span = pressure.between(FIRST, replace(FIRST, at_ns=SECOND, ticks=1100, steal=9))

    assert span.steal is None
    assert "steal" not in span.facts


def test_what_one_look_lacks_is_absent_and_not_zero():
    span = pressure.between(FIRST, Look(SECOND))

    assert (span.pressure, span.steal, span.processors, span.throttled_us) == (None,) * 4
    assert span.facts == {"wall_ns": SECOND}
    assert span.taints(Limits()) == []


def test_counters_are_read_where_the_kernel_keeps_them(tmp_path):
    files = {
        "proc/pressure/cpu": "some avg10=1.5 avg60=6 total=1826\nfull avg10=0 avg60=0 total=3\n",
        "proc/stat": "cpu  100 1 20 800 40 2 3 34 5 6\ncpu0 1 1\nctxt 99\n",
        "proc/loadavg": "0.81 1.74 2.62 2/345 6789\n",
        "proc/meminfo": "MemTotal: 9 kB\nSwapTotal:    100 kB\nSwapFree:      60 kB\n",
        "proc/self/cgroup": "0::/me.slice\n",
        "sys/fs/cgroup/me.slice/cpu.stat": "usage_usec 5\nthrottled_usec 41\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    seen = pressure.look(tmp_path)

    assert seen.stalls == {"cpu.some": 1826, "cpu.full": 3}
    assert (seen.ticks, seen.busy, seen.steal) == (1000, 126, 34)
    assert (seen.throttled_us, seen.switches, seen.load) == (41, 99, "0.81")
    assert pressure.told(seen) == {"load": "0.81", "runnable": "2/345", "swap_used_kib": 40}
    assert seen.absent["stall.memory"].endswith("proc/pressure/memory: No such file or directory")


def test_an_older_control_group_counts_nanoseconds(tmp_path):
    folder = tmp_path / "sys/fs/cgroup/cpu,cpuacct/me"
    folder.mkdir(parents=True)
    (folder / "cpu.stat").write_text("nr_throttled 2\nthrottled_time 41000\n")
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("9:name=systemd:/\n4:cpu,cpuacct:/me\n")

    assert pressure.look(tmp_path).throttled_us == 41


def test_this_machine_can_be_looked_at_twice():
    first = pressure.look()
    span = pressure.between(first, pressure.look())

    assert span.wall_ns > 0
    assert first.absent.keys().isdisjoint(("load",)) or first.load is None


def test_limits_are_changed_by_name_and_stand_in_the_receipt():
    changed = limits.parse({"run-pressure": "0.05", "drain-mib": "100"})

    assert changed.run_pressure == Fraction(1, 20)
    assert changed.facts()["run_pressure"] == "0.05"
    assert changed.steal == Limits().steal


@pytest.mark.parametrize(
    "pair",
    [("nothing", "1"), ("steal", "x"), ("steal", "-1"), ("steal", "1/0"), ("steal", "9" * 30)],
)
def test_a_limit_that_is_none_is_refused(pair):
    with pytest.raises(UsageError, match=r"^--limit "):
        limits.parse([pair])
