"""Tables of repetitions: what the readers of micro-benchmark tools have in common.

Such a tool runs one thing many times, keeps a number for each time, and prints a summary::

    {"command": "sleep 0.01", "mean": 0.0133, "stddev": 0.0009, "times": [0.0107, 0.0127, …]}

One file holds many benchmarks, and the broken rows of one say nothing about the others: its run
carries a note that bars it, and has no samples. Only a file in which no run can be believed is
refused.

The tools written in C++ and Rust add up from left to right and square deviations in a second pass;
`mean` and `deviation` do the same, so that the same rows give the same digits.
"""

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, NamedTuple, TypeVar

from engine.results.content import Content
from engine.results.model import MAX_RUNS, ResultFile, Run, Settings, brief
from engine.results.reconciliation import NOISE, Line, compared, counted, define, unavailable
from engine.results.refusals import ALL, Note, ResultError
from engine.samples import Column

Values = Sequence[float]
Samples = tuple[dict[str, Column], tuple[Note, ...]]
"""Columns by metric id, and what is to know about them."""

NOTHING: Samples = ({}, ())
T = TypeVar("T")

IN_NS: Mapping[str, int] = {"ns": 1, "us": 1000, "ms": 10**6, "s": 10**9}
"""How many nanoseconds each unit of time is."""

MIB = Fraction(1, 2**20)
"""Mebibytes in a byte."""

LISTS = (list, array)
"""What a JSON list is read as; long ones of doubles are packed."""

SINGLE = Note("not-a-distribution", "single repetition: no spread")
_LARGEST = 1e100  # its square is a double too; no time, count or rate comes near
_UNBELIEVED = frozenset(("malformed", "mixed-units", "not-a-number", "rows-inconsistent"))


class Statistic(NamedTuple):
    """A formula of a tool: its name and convention, and how few values it can do with."""

    name: str
    convention: str
    of: Callable[[Values], float]
    least: int = 1
    noise: float = NOISE


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a tool summarises: the parts of its formulas' ids, and the metric id it is `about`."""

    tool: str
    name: str
    unit: str
    about: str = ""
    rows: str = "all"

    def lines(
        self,
        reported: Mapping[str, Any],
        statistics: Mapping[str, Statistic],
        values: Values,
        why: str = "",
        prefix: str = "",
    ) -> Iterator[Line]:
        """Yield a line for each of `statistics` that is `reported` under its key.

        `why` says that there are no values, or none to be believed; null is an absent value.
        """
        for key, statistic in statistics.items():
            if reported.get(key) is not None:
                yield self.line(prefix + key, reported[key], statistic, values, why)

    def line(
        self, metric: str, reported: object, statistic: Statistic, values: Values, why: str = ""
    ) -> Line:
        """Return the line for one aggregate."""
        definition = self.define(statistic.name, statistic.convention)
        few = "one repetition has no spread" if len(values) == 1 else "there are no rows"
        if why or len(values) < statistic.least:
            return unavailable(metric, shown(reported), definition, why or few)
        value = statistic.of(values)
        return compared(metric, shown(reported), value, definition, self.about, statistic.noise)

    def define(self, statistic: str, convention: str) -> str:
        """Return the id of a formula over this quantity."""
        return define(self.tool, self.name, statistic, convention, self.rows, self.unit)


def records(
    content: Content, fits: Callable[[Mapping[str, Any]], bool]
) -> tuple[list[dict[str, Any]], tuple[Note, ...]]:
    """Return the documents that the tool wrote, and a note on what else is in the file."""
    values = content.documents.values
    ours = [one for one in values if fits(one)]
    noise = content.documents.noise + len(values) - len(ours)
    told = [Note("log-noise", f"noise lines: {noise} (not part of any record)")] if noise else []
    if len(ours) > 1:
        told.append(Note("several-runs", f"{len(ours)} documents in one file, one after the other"))
    return ours, tuple(told)


def believed(take: Callable[[], T], otherwise: T) -> tuple[T, tuple[Note, ...]]:
    """Return what `take` returns; where it refuses the rows, `otherwise` and a note that bars."""
    try:
        return take(), ()
    except ResultError as error:
        return otherwise, (Note(error.name, error.detail, ALL),)


def result(reader: str, runs: Sequence[Run], notes: tuple[Note, ...] = ()) -> ResultFile:
    """Return the file of these runs.

    Raises `ResultError` where there are none or too many, or where every one's rows are broken.
    """
    if not runs:
        raise ResultError("no-rows", "the list of benchmarks is empty: nothing was measured")
    if len(runs) > MAX_RUNS:
        raise ResultError("too-large", f"{len(runs)} runs are over the limit of {MAX_RUNS}")
    first = [note for run in runs for note in run.notes[:1]]
    broken = [note for note in first if note.name in _UNBELIEVED and note.bars == ALL]
    if len(broken) == len(runs):
        raise ResultError(broken[0].name, broken[0].detail)
    return ResultFile(reader, tuple(runs), notes)


def reason(notes: Sequence[Note]) -> str:
    """Return why a run's aggregates cannot be recomputed, "" where nothing bars it."""
    return next((str(note) for note in notes if "*" in note.bars), "")


def objects(name: str, value: object) -> list[dict[str, Any]]:
    """Return a list of JSON objects as what it is; raises `ResultError` for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ResultError("malformed", f"{name} is {brief(value)}, not a list of objects")
    return value


def identity(source: Mapping[str, Any]) -> dict[str, str]:
    """Return the single values of nested objects as text under dotted names."""
    found = Settings(source).items()
    return {n: str(v).lower() if isinstance(v, bool) else str(v) for n, v in found}


def mapping(value: object) -> Mapping[str, Any]:
    """Return an optional JSON object: empty where it is absent, null or something else."""
    return value if isinstance(value, dict) else {}


def is_number(value: object) -> bool:
    """Say whether this is a finite number of a size that can be measured; a bool is none."""
    if type(value) is not int and type(value) is not float:
        return False
    return value == 0 or 1 / _LARGEST < abs(value) < _LARGEST


def numbers(name: str, values: object, *, zero: bool = False) -> Values:
    """Return a list of numbers above 0, or from 0 where `zero` allows it.

    Raises `ResultError` for anything else: ``malformed`` or ``not-a-number``.
    """
    if not isinstance(values, LISTS):
        raise ResultError("malformed", f"{name} is {brief(values)}, not a list of numbers")
    for value in values:
        if not is_number(value) or value < 0 or (value == 0 and not zero):
            what = "from 0" if zero else "above 0"
            raise ResultError("not-a-number", f"{name} holds {brief(value)}, no number {what}")
    return values


def further(
    found: Mapping[str, tuple[Values, Fraction | int]],
) -> Samples:
    """Return further metrics of the same rows as columns.

    One that holds a 0 is left out, with a note: a clock too coarse, or a system that cannot tell.
    """
    samples: dict[str, Column] = {}
    notes: list[Note] = []
    for metric, (values, factor) in found.items():
        zeros = sum(value == 0 for value in values)
        if zeros:
            detail = f"{zeros} of {len(values)} rows have a {metric} of 0"
            notes.append(Note("zero-is-missing", detail, frozenset({metric})))
        elif values:
            samples[metric] = Column(values, factor)
    return samples, tuple(notes)


def shown(value: object) -> object:
    """Return a reported value as it is if it is a number that can be compared, else as text."""
    return value if is_number(value) else str(value) if isinstance(value, str) else brief(value)


def claimed(metric: str, reported: object, rows: int, definition: str) -> Line:
    """Return the line for a claimed number of repetitions against those that have a row."""
    return counted(metric, shown(reported), rows, definition)


def require_all(reported: object, rows: int) -> None:
    """Raise `ResultError` where fewer rows are kept than were measured."""
    if type(reported) is int and is_number(reported) and reported > rows:
        raise ResultError("rows-incomplete", f"{rows} of {reported} repetitions have a row")


def total(values: Values) -> float:
    """Return the sum from left to right; `sum` is more exact in newer Pythons."""
    return reduce(add, values, 0.0)


def mean(values: Values) -> float:
    """Return the sum from left to right over the number of values."""
    return total(values) / len(values)


def deviation(values: Values) -> float:
    """Return the sample standard deviation (ddof 1) in two passes, from left to right."""
    centre = mean(values)
    squares = total([(value - centre) * (value - centre) for value in values])
    return math.sqrt(squares / (len(values) - 1))


def median(values: Values) -> float:
    """Return the middle value, or half the sum of the two middle values of an even number."""
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


PLAIN: Mapping[str, Statistic] = {
    "mean": Statistic("mean", "left-to-right", mean),
    "stddev": Statistic("stddev", "ddof1", deviation, least=2),
    "median": Statistic("median", "linear", median),
    "min": Statistic("min", "exact", min),
    "max": Statistic("max", "exact", max),
}
"""The formulas of a tool that adds up from left to right, under the keys that most tools use."""
