"""Who holds a device before a run: declared residents may, everybody else refuses the run.

A resident is declared by its process and its memory, `--resident ollama=5200` (at most 5200 MiB;
inside a container by the number that the driver tells, `--resident 4711=5200`), and must be idle.
An empty list of processes proves nothing, because inside a container the driver may hide them:
memory that no listed process explains is held by somebody unknown, and refuses as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.apparatus.drivers.model import MIB, Holder, Reading
from engine.apparatus.limits import Limits
from receipts.errors import UsageError

UNKNOWN = "HELD_BY_UNKNOWN"


@dataclass(frozen=True)
class Resident:
    """A process that may stay: its name or number, and the most memory it may hold, in bytes."""

    name: str
    most: int

    def covers(self, holder: Holder) -> bool:
        """Say whether `holder` is this resident and keeps to its memory."""
        known = self.name in (holder.name, str(holder.pid))
        return known and holder.used is not None and holder.used <= self.most


@dataclass(frozen=True)
class Found:
    """Who was there: everybody, those declared, and what refuses the run, if anything does."""

    holders: tuple[str, ...]
    residents: tuple[str, ...]
    refusal: str | None


def parse(text: str) -> Resident:
    """Return the resident that `NAME=MIB` declares; `UsageError` if it declares none."""
    name, _, memory = text.rpartition("=")
    if not name or not memory.isdecimal() or len(memory) > 9:
        raise UsageError(f"--resident {text[:80]!r} is not NAME=MIB, such as ollama=5200")
    return Resident(name, int(memory) * MIB)


def judge(
    readings: Sequence[Reading],
    residents: Sequence[Resident],
    limits: Limits,
    suspects: Sequence[str] = (),
) -> Found:
    """Return who holds the devices; `suspects` is the second opinion, of the process list."""
    named = [(reading, holder) for reading in readings for holder in reading.holders or ()]
    declared = [f"{r.device}: {h.told()}" for r, h in named if covered(h, residents)]
    strange = [s for s in suspects if not _is_resident(s, residents)] if readings else []
    refusal = next(_refusals(readings, residents, limits, strange), None)
    told = [f"{reading.device}: {holder.told()}" for reading, holder in named]
    told += [f"process list: {each}" for each in suspects]
    return Found(tuple(told), tuple(declared), refusal)


def covered(holder: Holder, residents: Sequence[Resident]) -> bool:
    """Say whether one of `residents` is `holder`."""
    return any(resident.covers(holder) for resident in residents)


def unknown(reading: Reading, limits: Limits) -> str | None:
    """Say why memory of the device is held by somebody unknown, None if it is not."""
    if reading.used is None:
        if reading.holders is not None:
            return None
        return f"{UNKNOWN}: the driver tells neither holders nor memory of {reading.device}"
    allowed = limits.unexplained_mib + (limits.reserved_mib if reading.reserved is None else 0)
    left = reading.unexplained() or 0
    if left <= allowed * MIB:
        return None
    return (
        f"{UNKNOWN}: {left // MIB} MiB of {reading.device} are held by no listed process "
        f"(limit {int(allowed)} MiB)"
    )


def _refusals(
    readings: Sequence[Reading],
    residents: Sequence[Resident],
    limits: Limits,
    strange: Sequence[str],
) -> Iterator[str]:
    for reading in readings:
        for holder in reading.holders or ():
            if not covered(holder, residents):
                yield f"device {reading.device} is held by {holder.told()}; try again later"
        busy = reading.utilisation is not None and reading.utilisation > limits.utilisation
        if reading.holders and busy:
            yield f"device {reading.device} has a resident and is busy: {reading.utilisation} %"
        if found := unknown(reading, limits):
            yield found
    for each in strange:
        yield f"the process list shows {each}, which fills devices; declare it or try again later"


def _is_resident(suspect: str, residents: Sequence[Resident]) -> bool:
    _, pid, name = suspect.split(" ", 2)
    return any(resident.name in (pid, name) for resident in residents)
