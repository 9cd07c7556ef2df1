"""Rates, each with the clock that it was divided by; what is not known stays absent.

One transfer has four rates, and they differ by more than any change to a network card does::

    busy      bytes / time with unsent or unacknowledged data     the link's; the one to gate on
    send      bytes / time spent in send calls                    what a buffer took
    receive   bytes / time from first to last byte received       what arrived
    wall      bytes / time from start to end                      the link's, and every pause

Busy time comes in ticks of the kernel (4 ms at 250 a second): under a hundred of them it cannot
resolve 1 %, and its rate is absent. Everything is exact.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from engine.statistics import decimal_text
from receipts.errors import Error, UndecidedError

TICKS = 100
PAUSES = Fraction(1, 10)
CLOCKS = ("busy", "send", "receive", "wall")


@dataclass(frozen=True, slots=True)
class LinkRates:
    """Gbit/s by clock; None where the clock was not read or cannot resolve the transfer."""

    gbit_s: Mapping[str, Fraction | None]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phases:
    """Named parts of a wall time in ns; None is absent, and then so is the remainder."""

    parts: Mapping[str, int | None]
    wall: int | None
    remainder: int | None
    warnings: tuple[str, ...]


def per_second(count: Fraction | int, start_ms: Fraction, end_ms: Fraction) -> Fraction:
    """Return what happened a second between two readings of one clock in milliseconds."""
    if end_ms <= start_ms:
        raise UndecidedError(f"no time passed from {start_ms} to {end_ms} ms: there is no rate")
    return 1000 * count / (end_ms - start_ms)


def per_second_cut(
    count: Fraction | int, start_ms: Fraction, end_ms: Fraction, places: int
) -> Fraction:
    """Return that rate with every intermediate result cut off at `places` decimals.

    What a shell's calculator gives with a fixed scale; it tells where an inflated figure came from.
    """
    seconds = _cut((end_ms - start_ms) / 1000, places)
    if seconds <= 0:
        raise UndecidedError(f"at {places} decimals no time passed: there is no rate")
    return _cut(count / seconds, places)


def link(
    size: int, times_ns: Mapping[str, int | None], tick_ns: int | None = 4_000_000
) -> LinkRates:
    """Return the rates of `size` bytes by each of `CLOCKS`; `tick_ns` is that of the busy time."""
    if unknown := set(times_ns) - set(CLOCKS):
        raise Error(f"clock {min(unknown)!r} is unknown; use {', '.join(CLOCKS)}")
    rates: dict[str, Fraction | None] = {}
    warnings = []
    for clock in CLOCKS:
        taken = times_ns.get(clock)
        rates[clock] = Fraction(8 * size, taken) if taken else None
        if not taken:
            warnings.append(f"{clock} rate is absent: its time was not read or is zero")
    busy, wall = times_ns.get("busy"), times_ns.get("wall")
    if busy and (tick_ns is None or busy < TICKS * tick_ns):
        rates["busy"] = None
        ticks = "ticks of unknown length" if tick_ns is None else f"{busy // tick_ns} ticks"
        warnings.append(f"busy rate is absent: {ticks} cannot resolve 1 %, {TICKS} are needed")
    if busy and wall and wall > busy * (1 + PAUSES):
        share = decimal_text(100 * (1 - Fraction(busy, wall)), 3)
        warnings.append(f"wall is no rate of the link: it paused for {share} % of the time")
    return LinkRates(MappingProxyType(rates), tuple(warnings))


def phases(parts: Mapping[str, int | None], wall: int | None) -> Phases:
    """Return the parts of a wall time with what no part accounts for; an absent part is not 0."""
    absent = [name for name, taken in parts.items() if taken is None]
    known = sum(taken for taken in parts.values() if taken is not None)
    warnings = [f"{name} is absent" for name in absent]
    if wall is None:
        warnings.append("wall is absent")
    remainder = wall - known if wall is not None and not absent else None
    if wall is not None and known > wall:
        warnings.append(f"the parts take {known - wall} ns more than the wall time")
    return Phases(MappingProxyType(dict(parts)), wall, remainder, tuple(warnings))


def _cut(value: Fraction, places: int) -> Fraction:
    scale = 10**places
    return Fraction(math.trunc(value * scale), scale)
