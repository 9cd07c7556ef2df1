"""Wait until devices are free again, and refuse when they are not: never guess, never kill others.

1. what we started is ended: TERM to its group, a wait, KILL
2. the driver is polled until memory is below the threshold, nobody unknown holds any, and the
   device was idle in several readings in a row
3. a deadline ends in a refusal, exit 75, that lists who is still there

Workers that outlive their parent, processes stuck in the driver, zombies: all of them end in a
refusal on record. Only groups whose leader has the number *and* the start time that we recorded are
signalled, so a number that came round again is safe.
"""

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from engine.apparatus import holders, processes
from engine.apparatus.drivers.model import MIB, Driver, Reading
from engine.apparatus.holders import Resident
from engine.apparatus.limits import Limits
from engine.apparatus.processes import Started
from receipts.predicates import Facts

GRACE_SECONDS = 5.0
_POLL_SECONDS = 0.2


@dataclass(frozen=True)
class Drained:
    """How a drain ended: `refusal` says who is still there, None when all is free."""

    waited_ns: int
    polls: int
    holders: tuple[str, ...]
    """Who held a device at the end."""
    used_mib: int | None
    """The most memory in use on one of the devices at the end."""
    refusal: str | None

    def facts(self) -> Facts:
        """Return what a receipt says about the drain."""
        told: Facts = {"waited_ns": self.waited_ns, "polls": self.polls}
        told |= {} if self.used_mib is None else {"used_mib": self.used_mib}
        return told | {"drained": self.refusal is None}


def drain(
    driver: Driver,
    devices: Sequence[str],
    limits: Limits,
    *,
    ours: Sequence[Started] = (),
    residents: Sequence[Resident] = (),
    sleep: Callable[[float], None] = time.sleep,
) -> Drained:
    """End what is left of `ours`, then wait until all devices are drained or the deadline."""
    begun = time.monotonic_ns()
    end(ours)
    polls, row = 0, 0
    while True:
        readings = [driver.read(device) for device in devices]
        left = [why for reading in readings for why in _left(reading, residents, limits)]
        polls, row = polls + 1, 0 if left else row + 1
        waited = time.monotonic_ns() - begun
        if not devices or row >= limits.drain_samples:
            return _drained(waited, polls, readings, None)
        if waited > limits.drain_seconds * 10**9:
            why = "; ".join(left) or "not idle for long enough"
            return _drained(waited, polls, readings, f"not drained: {why}; try again later")
        sleep(_POLL_SECONDS)


def end(ours: Sequence[Started]) -> None:
    """End the groups of processes that we started: gently, and after a grace firmly."""
    _signal(ours, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while any(_has_members(each) for each in ours) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS / 10)
    _signal(ours, signal.SIGKILL)


def _signal(ours: Sequence[Started], number: int) -> None:
    for each in ours:
        # The leader must still be there, and be the one we know: a number alone may be another's.
        if each.is_alive():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(each.pid, number)


def _has_members(one: Started) -> bool:
    found = processes.read(one.pid)
    runs = found is not None and found.ticks == one.ticks and found.state != "Z"
    return one.is_alive() and (runs or bool(processes.members(one.pid)))


def _left(reading: Reading, residents: Sequence[Resident], limits: Limits) -> list[str]:
    held = [h for h in reading.holders or () if not holders.covered(h, residents)]
    found = [f"{reading.device} is held by {holder.told()}" for holder in held]
    kept = sum(h.used or 0 for h in reading.holders or () if h not in held)
    if reading.used is not None and reading.used - kept > limits.drain_mib * MIB:
        over = (reading.used - kept) // MIB
        found.append(f"{over} MiB of {reading.device} are in use (limit {int(limits.drain_mib)})")
    if (reading.utilisation or 0) > limits.utilisation:
        found.append(f"{reading.device} is busy: {reading.utilisation} %")
    if not held and (strange := holders.unknown(reading, limits)):
        found.append(strange)
    return found


def _drained(waited: int, polls: int, readings: Sequence[Reading], refusal: str | None) -> Drained:
    told = tuple(f"{r.device}: {h.told()}" for r in readings for h in r.holders or ())
    used = [reading.used // MIB for reading in readings if reading.used is not None]
    return Drained(waited, polls, told, max(used, default=None), refusal)
