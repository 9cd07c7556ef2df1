"""Quiet periods that are measured, not slept: so many samples in a row, all below the limits.

A period of 10 seconds is 60 samples, a sixth of a second apart, because that is how long a driver
looks back. One that is loud starts the count again; after three times the period (`patience`) the
run is refused with exit 75, and the message says what was loud. What N idle samples prove is
bounded: a neighbour that is busy in a share p of them stays unseen with probability (1 - p)^N, so
at 95 % its share is below 1 - 0.05^(1/N): 15 samples leave 18 %, 59 leave 5 %.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from math import ceil

from engine.apparatus import pressure
from engine.apparatus.drivers.model import Driver, Reading
from engine.apparatus.limits import Limits
from engine.apparatus.pressure import Look, Span
from receipts.predicates import Facts

_SHORTEST = Fraction(1, 6)
_SAMPLES = 60
_REMEDY = "try again later"
Sleep = Callable[[float], None]


@dataclass(frozen=True)
class Period:
    """A quiet period: `loud` says why it was none, None when it was."""

    needed: int
    taken: int
    idle: int
    """Samples of the quiet row in which every device told a utilisation of zero."""
    loud: str | None

    def facts(self) -> Facts:
        """Return what a receipt says about the period."""
        told: Facts = {"samples": self.needed, "taken": self.taken, "quiet": self.loud is None}
        return told | ({"busy_bound": idle_bound(self.idle)} if self.idle else {})


def idle_bound(samples: int) -> str:
    """Return the highest share, at 95 %, in which something unseen in `samples` was busy."""
    bound = 1 - Decimal("0.05") ** (1 / Decimal(samples))
    return str(bound.quantize(Decimal("0.0001"), ROUND_CEILING))


def measure(
    seconds: float,
    driver: Driver,
    devices: Sequence[str],
    limits: Limits,
    *,
    look: Callable[[], Look] = pressure.look,
    sleep: Sleep = time.sleep,
) -> Period:
    """Wait until machine and devices were quiet for `seconds` without a break, or too long."""
    length = Fraction(seconds)
    pause = max(_SHORTEST, length / _SAMPLES)
    needed = max(1, ceil(length / pause))
    last, row, idle, taken = look(), 0, 0, 0
    loud: str | None = "no sample was taken"
    while row < needed and taken < max(needed + 1, ceil(needed * limits.patience)):
        sleep(float(pause))
        now, readings = look(), [driver.read(device) for device in devices]
        found = next(_loud(pressure.between(last, now), readings, limits), None)
        row, idle = (0, 0) if found else (row + 1, idle + _is_idle(readings))
        last, taken, loud = now, taken + 1, found or loud
    return Period(needed, taken, idle, None if row >= needed else f"{loud}; {_REMEDY}")


def _loud(span: Span, readings: Sequence[Reading], limits: Limits) -> Iterator[str]:
    for reading in readings:
        if reading.utilisation is not None and reading.utilisation > limits.utilisation:
            yield f"device {reading.device} is busy: {reading.utilisation} %"
    if span.processors is not None and span.processors > limits.processors:
        yield f"{float(span.processors):.2f} processors are busy"
    if span.pressure is not None and span.pressure > limits.pressure:
        yield f"tasks wait for a processor {float(100 * span.pressure):.1f} % of the time"


def _is_idle(readings: Sequence[Reading]) -> bool:
    return bool(readings) and all(reading.utilisation == 0 for reading in readings)
