"""Once a second during a run: who is on the devices, whether they throttle, whether the lock holds.

The samples are taken by a thread that sleeps between them; what it costs in processor time is in
its own summary. A neighbour that arrives, a clock that faults, a lock that goes: each is a taint,
kept and told, and never a reason to stop or to try again. A run shorter than one interval has no
sample of its own; it is looked at before and after.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import TracebackType
from typing import Any, Self

from engine.apparatus import holders, processes
from engine.apparatus.connections import Connections
from engine.apparatus.drivers.model import POWER_CAP, Driver, Holder, Reading, faults_of
from engine.apparatus.holders import Resident
from engine.apparatus.lease import Lease
from engine.apparatus.limits import Limits
from engine.apparatus.processes import Started
from engine.statistics import decimal_text
from receipts import canonical
from receipts.predicates import Facts

INTERVAL_SECONDS = 1.0
MAX_ROWS = 100_000
_UNSEEN = "neighbours cannot be told from the command: the driver names processes of the host"
_IDLE_UNSEEN = "whether residents were idle during the run is not told by the driver"


@dataclass
class _Device:
    """What was seen of one device so far."""

    peak: int | None = None
    most: int | None = None
    clocks: list[int] = field(default_factory=list)
    """Lowest and highest clock while busy."""
    bits: int = 0
    throttled: list[int] = field(default_factory=list)
    """First and last count of time lost to heat."""
    since: int = 0


class Sampler:
    """Samples while it is entered; `follow` is told the run's first process."""

    def __init__(
        self,
        driver: Driver,
        lease: Lease,
        devices: Sequence[str],
        residents: Sequence[Resident],
        limits: Limits,
        interval: float = INTERVAL_SECONDS,
    ) -> None:
        self._leader: int | None = None
        self._driver, self._lease = driver, lease
        self._residents, self._limits, self._interval = residents, limits, interval
        self._devices = {device: _Device(since=_now_us()) for device in devices}
        self._taints: dict[str, None] = {}
        self._warnings: dict[str, None] = {}
        self._rows: list[bytes] = []
        self._count = self._cost_ns = 0
        self._ours: frozenset[int] = frozenset()
        self.connections = Connections()
        """What of the run left this machine, looked for with every sample."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="sampling", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()

    def follow(self, started: Started) -> None:
        """Note the run's first process: it and its family are no neighbours."""
        self._leader = started.pid
        self.connections.follow(started.pid)

    def taints(self) -> list[str]:
        """Return what happened that makes the run doubtful."""
        clocks = [_slowed(name, seen, self._limits) for name, seen in self._devices.items()]
        heat = [_heated(name, seen) for name, seen in self._devices.items()]
        own = [*self._taints, *(each for each in (*clocks, *heat) if each)]
        return [*self.connections.taints(), *own]

    def warnings(self) -> list[str]:
        """Return what could not be seen."""
        return [*self._warnings, *self.connections.warnings()]

    def rows(self) -> bytes:
        """Return every sample, one line of canonical JSON each."""
        return b"".join(self._rows)

    def facts(self) -> Facts:
        """Return the summary that a receipt carries."""
        told: Facts = {"count": self._count, "cost_ns": self._cost_ns}
        told |= {"interval_ms": round(1000 * self._interval)} | self.connections.facts()
        for name, seen in self._devices.items():
            values = {
                "utilisation_max": seen.peak,
                "used_max_bytes": seen.most,
                "clock_min_mhz": seen.clocks[0] if seen.clocks else None,
                "clock_max_mhz": seen.clocks[1] if seen.clocks else None,
                "power_capped": bool(seen.bits & POWER_CAP) if seen.bits else None,
            }
            told |= {f"{name}.{key}": value for key, value in values.items() if value is not None}
        return told

    def absent(self) -> dict[str, str]:
        """Return what no sample can tell, and why."""
        return self.connections.absent(round(1000 * self._interval))

    def _work(self) -> None:
        while not self._stop.wait(self._interval):
            begun = time.thread_time_ns()
            try:
                self._sample()
                self.connections.look()
            except Exception as error:  # whatever it is, the run goes on and the receipt says so
                self._taints[
                    f"sampling ended early: {str(error)[:160] or type(error).__name__}"
                ] = None
                return
            self._cost_ns += time.thread_time_ns() - begun

    def _sample(self) -> None:
        self._count += 1
        self._taints |= dict.fromkeys(self._lease.faults())
        row: dict[str, Any] = {"at_ns": time.monotonic_ns()}
        for name, seen in self._devices.items():
            reading = self._driver.read(name)
            _keep(seen, reading)
            for fault in faults_of(reading.throttle or 0):
                self._taints[f"device {name} throttled: {fault}"] = None
            self._watch(reading, seen)
            row |= {name: _row(reading)}
        if len(self._rows) < MAX_ROWS:
            self._rows.append(canonical.encode(row) + b"\n")

    def _watch(self, reading: Reading, seen: _Device) -> None:
        if not reading.holders:
            return
        kept = [each for each in reading.holders if holders.covered(each, self._residents)]
        for holder in reading.holders:
            if holder not in kept and not self._is_ours(holder):
                told = f"a neighbour arrived on {reading.device}: {holder.told()}"
                self._taints.setdefault(_briefly(told))
        if kept:
            self._watch_residents(reading.device, seen, kept)

    def _is_ours(self, holder: Holder) -> bool:
        if not processes.shares_numbers_with_driver():
            self._warnings[_UNSEEN] = None
            return True
        if holder.pid not in self._ours and self._leader is not None:
            self._ours |= processes.family(self._leader, processes.listed())
        return holder.pid in self._ours

    def _watch_residents(self, device: str, seen: _Device, kept: Sequence[Holder]) -> None:
        busy = self._driver.activity(device, seen.since)
        seen.since = _now_us()
        if busy is None:
            self._warnings[_IDLE_UNSEEN] = None
            return
        for holder in kept:
            if busy.get(holder.pid, 0) > self._limits.utilisation:
                self._taints[f"resident pid {holder.pid} was busy on {device}"] = None


def _keep(seen: _Device, reading: Reading) -> None:
    seen.peak = _most(seen.peak, reading.utilisation)
    seen.most = _most(seen.most, reading.used)
    seen.bits |= reading.throttle or 0
    if reading.clock_mhz is not None and reading.utilisation:
        clocks = [*seen.clocks, reading.clock_mhz]
        seen.clocks = [min(clocks), max(clocks)]
    if reading.throttled_ns is not None:
        seen.throttled = [*seen.throttled[:1], reading.throttled_ns]


def _slowed(name: str, seen: _Device, limits: Limits) -> str | None:
    if not seen.clocks:
        return None
    low, high = seen.clocks
    if high == 0 or Fraction(high - low, high) <= limits.clock_drop:
        return None
    limit = decimal_text(100 * limits.clock_drop, 3)
    return f"the clock of {name} fell from {high} to {low} MHz while busy (limit {limit} %)"


def _heated(name: str, seen: _Device) -> str | None:
    lost = seen.throttled[-1] - seen.throttled[0] if len(seen.throttled) > 1 else 0
    return f"device {name} lost {lost} ns to heat" if lost > 0 else None


def _row(reading: Reading) -> Mapping[str, Any]:
    told: dict[str, Any] = {
        "used": reading.used,
        "utilisation": reading.utilisation,
        "clock_mhz": reading.clock_mhz,
        "throttle": reading.throttle,
        "throttled_ns": reading.throttled_ns,
        "holders": None if reading.holders is None else [each.told() for each in reading.holders],
    }
    return {name: value for name, value in told.items() if value is not None}


def _most(one: int | None, other: int | None) -> int | None:
    return max((value for value in (one, other) if value is not None), default=None)


def _briefly(text: str) -> str:
    return text.partition(", ")[0]


def _now_us() -> int:
    return time.time_ns() // 1000
