"""What a driver is asked, and what it answers: readings of one device at one moment.

A field that the driver does not tell is None and its reason stands in `absent`: never 0, because an
idle device and one that says nothing are not the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from receipts.predicates import Facts

MIB = 2**20


@dataclass(frozen=True)
class Holder:
    """A process that holds memory of a device, as the driver tells it."""

    pid: int
    """The number on the host, which inside a container is another process's or nobody's."""
    used: int | None
    """Bytes; None where the driver does not tell them."""
    kind: str
    name: str | None = None
    instance: str | None = None
    """The part of a divided device, such as `gi 3 ci 0`."""

    def told(self) -> str:
        """Return the holder as people read it: `pid 7 ollama, 512 MiB (compute)`."""
        memory = "memory not told" if self.used is None else f"{_mib(self.used)} MiB"
        where = f", {self.instance}" if self.instance else ""
        return f"pid {self.pid} {self.name or 'unnamed'}, {memory} ({self.kind}{where})"


@dataclass(frozen=True)
class Reading:
    """One device at one moment; memory in bytes, utilisation in percent, clock in MHz."""

    device: str
    used: int | None = None
    reserved: int | None = None
    total: int | None = None
    utilisation: int | None = None
    clock_mhz: int | None = None
    throttle: int | None = None
    """Bits of `FAULTS` and others, as the driver sets them."""
    throttled_ns: int | None = None
    """A counter of time lost to heat: its differences show what lies between two samples."""
    holders: tuple[Holder, ...] | None = None
    absent: Mapping[str, str] = field(default_factory=dict)

    def unexplained(self) -> int | None:
        """Return the bytes in use that no listed holder accounts for, None if that is not told."""
        if self.used is None:
            return None
        return self.used - sum(holder.used or 0 for holder in self.holders or ())


class Driver(Protocol):
    """One vendor's driver, or none."""

    @property
    def name(self) -> str:
        """What the driver is called in receipts."""
        ...

    def devices(self) -> tuple[str, ...]:
        """Return the ids of all devices."""
        ...

    def read(self, device: str) -> Reading:
        """Return what the driver tells of the device now."""
        ...

    def state(self, device: str) -> tuple[Facts, dict[str, str]]:
        """Return the facts about the device that a receipt carries, and why others are absent."""
        ...

    def activity(self, device: str, since: int) -> Mapping[int, int] | None:
        """Return utilisation in percent by process since that time (µs); None if not told."""
        ...


FAULTS: Mapping[int, str] = {
    8: "hardware slowdown",
    32: "software thermal slowdown",
    64: "hardware thermal slowdown",
    128: "hardware power brake",
}
"""Bits of clock reasons that taint; 4, the power cap, is normal on many devices and disclosed."""
POWER_CAP = 4


def faults_of(bits: int) -> list[str]:
    """Return the names of the fault bits that are set."""
    return [name for bit, name in FAULTS.items() if bits & bit]


def _mib(size: int) -> int:
    return (size + MIB - 1) // MIB
