"""How contended this machine was between two looks: pressure stalls, steal, throttling.

The kernel counts for how many microseconds *some* task waited for a processor; the growth of that
count over a run, as a share of its length, proves contention where samples of load only hint at it.
Steal is what a hypervisor gave to others. Counters are read twice and subtracted: nothing runs in
between. Sources: Documentation/accounting/psi.rst and proc_stat(5) of Linux.
"""

import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from engine.apparatus.limits import Limits
from engine.statistics import decimal_text
from receipts.predicates import Facts

ROOT = Path("/")
MIN_TICKS = 400
"""Ticks of processor time below which steal is not judged: half a per cent must be two ticks."""
_TOTAL = re.compile(r"^(some|full) .*\btotal=(\d+)$", re.MULTILINE)
_THROTTLED = {"throttled_usec": 1, "throttled_time": 1000}
_DIGITS = 4


@dataclass(frozen=True)
class Look:
    """The counters at one moment; what could not be read stands in `absent` with its reason."""

    at_ns: int
    stalls: Mapping[str, int] = field(default_factory=dict)
    """Microseconds by resource and kind, such as `cpu.some`."""
    ticks: int | None = None
    busy: int | None = None
    steal: int | None = None
    throttled_us: int | None = None
    switches: int | None = None
    load: str | None = None
    runnable: str | None = None
    swap_used_kib: int | None = None
    absent: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Span:
    """What lies between two looks: shares of its length or of all processor time."""

    wall_ns: int
    pressure: Fraction | None
    processors: Fraction | None
    steal: Fraction | None
    throttled_us: int | None
    facts: Facts

    def taints(self, limits: Limits) -> list[str]:
        """Return why a measurement in this span is doubtful."""
        return list(_taints(self, limits))


def look(root: Path = ROOT) -> Look:
    """Return the counters now."""
    absent: dict[str, str] = {}
    ticks, busy, steal, switches = _processor_time(root, absent)
    load, runnable = _load(root, absent)
    return Look(
        at_ns=time.monotonic_ns(),
        stalls=_stalls(root, absent),
        ticks=ticks,
        busy=busy,
        steal=steal,
        throttled_us=_throttled(root, absent),
        switches=switches,
        load=load,
        runnable=runnable,
        swap_used_kib=_swap(root, absent),
        absent=absent,
    )


def between(first: Look, last: Look) -> Span:
    """Return what lies between two looks."""
    wall = max(1, last.at_ns - first.at_ns)
    grown = {
        name: last.stalls[name] - first.stalls[name] for name in first.stalls.keys() & last.stalls
    }
    shares = {name: Fraction(1000 * grown[name], wall) for name in sorted(grown)}
    ticks = _less(last.ticks, first.ticks)
    steal = _share(_less(last.steal, first.steal), ticks, MIN_TICKS)
    busy = _share(_less(last.busy, first.busy), ticks, 1)
    throttled = _less(last.throttled_us, first.throttled_us)
    facts: Facts = {f"stall.{name}": _text(share) for name, share in shares.items()}
    facts |= {"wall_ns": wall} | ({} if steal is None else {"steal": _text(steal)})
    processors = None if busy is None else busy * (os.cpu_count() or 1)
    facts |= {} if processors is None else {"processors_busy": _text(processors)}
    facts |= {} if throttled is None else {"throttled_us": throttled}
    switches = _less(last.switches, first.switches)
    facts |= {} if switches is None else {"context_switches": switches}
    return Span(wall, shares.get("cpu.some"), processors, steal, throttled, facts)


def told(seen: Look) -> Facts:
    """Return the facts of one look that are states, not counters: load, runnable, swap."""
    named: dict[str, str | int | None] = {
        "load": seen.load,
        "runnable": seen.runnable,
        "swap_used_kib": seen.swap_used_kib,
    }
    return {name: value for name, value in named.items() if value is not None}


def cgroup_files(name: str, root: Path = ROOT) -> Iterator[Path]:
    """Yield where the file `name` of this process's control group may lie, the own group first."""
    for line in _read(root / "proc/self/cgroup", {}, "cgroup").splitlines():
        _, controllers, inside = [*line.split(":", 2), "", ""][:3]
        if controllers and "cpu" not in controllers.split(","):
            continue
        places = [root / "sys/fs/cgroup" / controllers]
        for place in places:
            yield place / inside.lstrip("/") / name
            # Inside a container the group's own path is not there: its root is.
            yield place / name


def _taints(span: Span, limits: Limits) -> Iterator[str]:
    if span.pressure is not None and span.pressure > limits.run_pressure:
        yield (
            f"some task waited for a processor in {_percent(span.pressure)} of the run "
            f"(limit {_percent(limits.run_pressure)})"
        )
    if span.steal is not None and span.steal > limits.steal:
        yield (
            f"the hypervisor gave {_percent(span.steal)} of the processors to others "
            f"(limit {_percent(limits.steal)})"
        )
    if span.throttled_us:
        yield f"the control group's quota stopped the run for {span.throttled_us} µs"


def _stalls(root: Path, absent: dict[str, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for resource in ("cpu", "memory", "io"):
        text = _read(root / "proc/pressure" / resource, absent, f"stall.{resource}")
        found |= {f"{resource}.{kind}": int(total) for kind, total in _TOTAL.findall(text)}
    return found


def _processor_time(
    root: Path, absent: dict[str, str]
) -> tuple[int | None, int | None, int | None, int | None]:
    """Return all ticks, those of work, those stolen, and context switches."""
    text = _read(root / "proc/stat", absent, "steal")
    found = re.search(r"^cpu +([\d ]+)$", text, re.MULTILINE)
    if not found:
        return None, None, None, None
    counts = [int(number) for number in found[1].split()][:8]
    counts += [0] * (8 - len(counts))
    idle = counts[3] + counts[4]
    switches = re.search(r"^ctxt (\d+)$", text, re.MULTILINE)
    stolen = counts[7]
    return sum(counts), sum(counts) - idle - stolen, stolen, int(switches[1]) if switches else None


def _throttled(root: Path, absent: dict[str, str]) -> int | None:
    for path in cgroup_files("cpu.stat", root):
        for line in _read(path, {}, "").splitlines():
            name, _, count = line.partition(" ")
            if name in _THROTTLED and count.isdecimal():
                return int(count) // _THROTTLED[name]
    absent["throttled_us"] = "the control group has no cpu.stat with it"
    return None


def _load(root: Path, absent: dict[str, str]) -> tuple[str | None, str | None]:
    fields = _read(root / "proc/loadavg", absent, "load").split()
    return (fields[0], fields[3]) if len(fields) >= 4 else (None, None)


def _swap(root: Path, absent: dict[str, str]) -> int | None:
    text = _read(root / "proc/meminfo", absent, "swap_used_kib")
    found = {name: int(size) for name, size in re.findall(r"^(Swap\w+): +(\d+) kB$", text, re.M)}
    return _less(found.get("SwapTotal"), found.get("SwapFree"))


def _read(path: Path, absent: dict[str, str], name: str) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        absent[name] = f"{path}: {error.strerror or type(error).__name__}"
        return ""


def _less(last: int | None, first: int | None) -> int | None:
    return None if last is None or first is None else max(0, last - first)


def _share(part: int | None, whole: int | None, enough: int) -> Fraction | None:
    return None if part is None or not whole or whole < enough else Fraction(part, whole)


def _text(share: Fraction) -> str:
    return decimal_text(share, _DIGITS)


def _percent(share: Fraction) -> str:
    return f"{decimal_text(100 * share, 3)} %"
