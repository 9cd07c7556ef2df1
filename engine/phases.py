"""Where the time of each repetition went: prefill, decode, and what neither label covers.

    plain/0 warm-up   absent      absent      absent     absent   1 discarded before it was timed
    plain/0           0.26        0.802       41.2       42.3

Repetitions are known by arm and number, as their receipts say; none is counted off. What a file or
a receipt does not tell is absent, which is not 0 and not the neighbour's. The remainder is wall
time less the labelled phases, exactly (`engine.labels`). Whose clock, and from where to where, is
told below the table, for two readers do not mean the same by one word.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine import labels
from engine.labels import Stage
from engine.recorded import Repeated
from engine.results.model import ResultFile, apart
from engine.statistics import decimal_text
from receipts.errors import ConflictError

PREFILL, DECODE = "prefill/v1", "decode/v1"
ABSENT = "absent"
NAMES = ("prefill", "decode", "unlabelled", "wall")
_Times = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Phases:
    """The phases of one repetition in nanoseconds; None is absent. `note` says what there is to."""

    place: str
    prefill: int | None = None
    decode: int | None = None
    unlabelled: int | None = None
    wall: int | None = None
    note: str = ""

    def view(self) -> dict[str, Any]:
        """Return it as plain values; what is absent is null."""
        times = {f"{name}_ns": getattr(self, name) for name in NAMES}
        return {"repetition": self.place, **times, "note": self.note or None}

    def cells(self) -> list[str]:
        """Return it as the cells of a table, in milliseconds."""
        return [self.place, *(_shown(getattr(self, name)) for name in NAMES), self.note]


@dataclass(frozen=True, slots=True)
class _Reading:
    """How one reader's rows tell phases: `times` of a row, and what these words mean there."""

    times: Callable[[Mapping[str, Any]], _Times]
    meaning: str


def of(repeated: Iterable[Repeated]) -> list[Phases]:
    """Return the phases of every repetition, with the warm-ups that were discarded before it.

    Raises `ConflictError` where two are one.
    """
    found = [phases for one in repeated for phases in _of_run(one)]
    counted = Counter(phases.place for phases in found)
    twice = next((place for place, times in counted.items() if times > 1), None)
    if twice:
        raise ConflictError(f"repetition {twice} is named twice; name each receipt once")
    return found


def timed_ns(file: ResultFile) -> int:
    """Return the nanoseconds that all rows of a raw file tell of; 0 where its rows tell no phases.

    Rows are timed one after another in one process, so their sum cannot be longer than its life.
    """
    known = _READINGS.get(file.reader)
    if known is None:
        return 0
    good = (row for run in file.runs for row in run.rows if row.get("status", "ok") == "ok")
    return sum(_whole(known.times(row)) for row in good)


def meanings(repeated: Iterable[Repeated]) -> Iterator[str]:
    """Yield what the words mean, for each reader among the raw files."""
    names = dict.fromkeys(one.file.reader for one in repeated if one.file)
    for name in names:
        known = _READINGS.get(name)
        yield f"{name}: {known.meaning if known else 'its rows tell no phases'}"


def table(found: Sequence[Phases]) -> list[list[str]]:
    """Return header and rows of a table."""
    return [["repetition", *(f"{name} ms" for name in NAMES), ""], *(one.cells() for one in found)]


def _of_run(one: Repeated) -> Iterator[Phases]:
    if one.file is None:
        yield Phases(one.place, note=one.absent or "no raw file")
        return
    several = sum(len(run.rows) for run in one.file.runs) > 1
    process = one.run.duration_ns if one.run and not several else None
    names = apart(one.file) if len(one.file.runs) > 1 else [""]
    for run, name in zip(one.file.runs, names, strict=True):
        start = f"{one.place} {name}".rstrip()
        warmup = run.config.get("warmup")
        if isinstance(warmup, int) and warmup > 0:
            yield Phases(f"{start} warm-up", note=f"{warmup} discarded before it was timed")
        for number, row in enumerate(run.rows):
            place = f"{start} row {row.get('repetition', number)}" if several else start
            yield _of_row(place, one.file, row, process)


def _of_row(place: str, file: ResultFile, row: Mapping[str, Any], process: int | None) -> Phases:
    status = row.get("status", "ok")
    if status == "warm-up":
        return Phases(f"{place} warm-up", note="discarded")
    if status != "ok":
        return Phases(place, note=str(status))
    known = _READINGS.get(file.reader)
    times = known.times(row) if known else {}
    wall = times.get("wall", process)
    return _labelled(place, times.get("prefill"), times.get("decode"), wall)


def _labelled(place: str, prefill: int | None, decode: int | None, wall: int | None) -> Phases:
    """Return the phases with their remainder, which needs all three to be there."""
    if prefill is None or decode is None or wall is None:
        return Phases(place, prefill, decode, None, wall)
    stages = [Stage(PREFILL, prefill), Stage(DECODE, decode)]
    profile = labels.reconcile(stages, {PREFILL: 1, DECODE: 1}, wall)
    if profile.void:
        return Phases(place, note=f"void: {profile.void}")
    return Phases(place, prefill, decode, profile.unlabelled_ns, wall)


def _whole(times: _Times) -> int:
    return times["wall"] if "wall" in times else times["prefill"] + times["decode"]


def _of_rows(row: Mapping[str, Any]) -> _Times:
    return {"prefill": row["prefill_ns"], "decode": sum(row["token_ns"])}


def _of_stream(row: Mapping[str, Any]) -> _Times:
    sent, pieces = row["sent_ns"], row["piece_ns"]
    times = {"prefill": pieces[0] - sent, "decode": pieces[-1] - pieces[0]}
    return {**times, "wall": row["complete_ns"] - sent}


_READINGS: Mapping[str, _Reading] = {
    "rows": _Reading(
        _of_rows,
        "prefill and decode by the program's own clock; "
        "wall from the start of its process to the end, by the runner",
    ),
    "stream": _Reading(
        _of_stream,
        "prefill from sending to the first piece, decode from there to the last, "
        "wall from sending to the end of the response, all by the client's clock",
    ),
}


def _shown(ns: int | None) -> str:
    return ABSENT if ns is None else decimal_text(Fraction(ns, 10**6), 6)
