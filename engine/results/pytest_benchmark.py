"""pytest-benchmark `--benchmark-json`: seconds per call, one number a round, one run a test.

    {"machine_info": {…}, "commit_info": {"id": "b8e9…", "dirty": true}, "benchmarks": [
      {"name": "test_fib[20]", "fullname": "bench.py::test_fib[20]", "params": {"n": 20},
       "stats": {"min": …, "mean": …, "stddev": …, "rounds": 5, "q1": …, "outliers": "1;0",
                 "ops": …, "total": …, "iterations": 100, "data": [2.005, 2.004, …]}}], …}

A round times `iterations` calls and keeps the time of one: of the processor, where a timer for it
was chosen (``--benchmark-timer=time.process_time``). ``--benchmark-save`` and autosave leave out
data unless told ``--benchmark-save-data``. All formulas are those of Python's `statistics` (stddev
has ddof 1, and is 0 for a single round); quartiles follow method 2 for an even and method 3 for an
odd number of rounds. Until 5.2 hd15iqr gave the first value above the fence instead of the
highest below it. total is `sum`, which adds up exactly since Python 3.12.
Source of the format: pytest_benchmark/stats.py, 3.2.2 to 5.3.1.
"""

import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.results import repetitions
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, Table
from engine.results.reconciliation import Line, Verdict
from engine.results.refusals import Note, ResultError
from engine.results.repetitions import SINGLE, Quantity, Statistic, Values, mapping
from engine.samples import Column

NAME = "pytest-benchmark"

_MACHINE = ("machine_info", "commit_info", "datetime", "version")
_QUANTITY = Quantity(NAME, "call", "s", "iteration_ns")
_OF_PROCESSOR = Quantity(NAME, "call", "s", "iteration_cpu_ns")
_PROCESSOR_TIMERS = ("process_time", "process_time_ns", "thread_time", "thread_time_ns")
_EXACT_SUM = (3, 12)


def recognises(content: Content) -> bool:
    """Say whether machine, commit and benchmarks stand side by side."""
    return _fits(content.first)


def _fits(record: Mapping[str, Any]) -> bool:
    benchmarks = record.get("benchmarks")
    return (
        "machine_info" in record
        and ("commit_info" in record or "datetime" in record)
        and isinstance(benchmarks, list)
    )


def read(content: Content) -> ResultFile:
    """Return one run a test, in file order."""
    documents, notes = repetitions.records(content, _fits)
    runs = [
        _run(one, document)
        for document in documents
        for one in repetitions.objects("benchmarks", document["benchmarks"])
    ]
    return repetitions.result(NAME, runs, (*notes, *_dirty(documents)))


def check(run: Run) -> Iterator[Line]:
    """Yield each figure of the test against the same from its rounds."""
    stats, values, python, quantity = run.source
    data = stats.get("data")
    if stats.get("rounds") is not None and isinstance(data, repetitions.LISTS):
        definition = quantity.define("count", "exact")
        yield repetitions.claimed("rounds", stats["rounds"], len(data), definition)
    why = repetitions.reason(run.notes)
    yield from quantity.lines(stats, _statistics(python), values, why)
    yield from _fence(stats, values, why, quantity)
    if stats.get("outliers") is not None:
        yield _outliers(stats["outliers"], values, why)


def _dirty(documents: list[dict[str, Any]]) -> Iterator[Note]:
    for document in documents:
        if mapping(document.get("commit_info")).get("dirty") is True:
            yield Note("dirty-tree", "the working tree had changes that no commit has")
            return


def _run(record: dict[str, Any], document: Mapping[str, Any]) -> Run:
    stats = mapping(record.get("stats"))
    none: Values = ()
    values, barred = repetitions.believed(lambda: _data(stats), none)
    named = {"benchmark": record.get("name"), "fullname": record.get("fullname")}
    machine = {name: document[name] for name in _MACHINE if name in document}
    python = str(mapping(document.get("machine_info")).get("python_version"))
    setup = {**record, "iterations": stats.get("iterations")}
    timer = mapping(record.get("options")).get("timer")
    quantity = _OF_PROCESSOR if timer in _PROCESSOR_TIMERS else _QUANTITY
    return Run(
        identity=repetitions.identity({**machine, **named}),
        config=Settings(setup, apart=frozenset(("name", "fullname", "stats"))),
        samples={quantity.about: Column(values, 10**9)} if values else {},
        rows=Table({"data": values}, len(values)),
        reported={name: value for name, value in stats.items() if name != "data"},
        notes=(*barred, *((SINGLE,) if len(values) == 1 else ())),
        source=(stats, values, python, quantity),
    )


def _data(stats: Mapping[str, Any]) -> Values:
    """Return the time of each round; raises `ResultError` that says why they cannot be used."""
    data = stats.get("data")
    if data is None:
        raise ResultError("aggregates-only", "no data: run pytest with --benchmark-save-data")
    if isinstance(data, repetitions.LISTS):
        repetitions.require_all(stats.get("rounds"), len(data))
    values = repetitions.numbers("data", data)
    if not values:
        raise ResultError("no-rows", "data is empty, the averages were kept")
    return values


def _statistics(python: str) -> dict[str, Statistic]:
    total = math.fsum if _version(python) >= _EXACT_SUM else repetitions.total
    return {**_STATISTICS, "total": Statistic("sum", "python", total), "ops": _rate(total)}


def _rate(total: Callable[[Values], float]) -> Statistic:
    return Statistic("rate", "rounds-over-total", lambda values: len(values) / total(values))


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isascii() and part.isdigit())


def _fence(
    stats: Mapping[str, Any], values: Values, why: str, quantity: Quantity
) -> Iterator[Line]:
    """Yield the highest value under the upper fence, and know the old version's mistake."""
    if stats.get("hd15iqr") is None:
        return
    line = quantity.line("hd15iqr", stats["hd15iqr"], _HIGHEST, values, why)
    if line.verdict == "differs" and line.reported == _first_above(values):
        note = "the first value above the fence, pytest-benchmark before 5.3"
        line = line._replace(verdict="known-tool-bug", note=note)
    yield line


def _outliers(reported: object, values: Values, why: str) -> Line:
    """Return the line for the two counts of outliers, which are printed as one text."""
    definition = _QUANTITY.define("outliers", "stddev;iqr")
    if why:
        return Line("outliers", str(reported), None, "not-recomputable", definition, "", why)
    text = f"{_beyond_deviation(values)};{_beyond_fences(values)}"
    verdict: Verdict = "exact" if reported == text else "differs"
    return Line("outliers", str(reported), None, verdict, definition, "", f"the rows give {text}")


def _deviation(values: Values) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0


def _quartile(values: Values, *, upper: bool) -> float:
    """Return a quartile; https://en.wikipedia.org/wiki/Quartile names the methods 2 and 3."""
    ordered, rounds = sorted(values, reverse=upper), len(values)
    if rounds == 1:
        return ordered[0]
    if rounds % 2 == 0:
        return statistics.median(ordered[: rounds // 2])
    n, q = rounds // 4, rounds % 4
    # In the order of the tool's additions, which matters for the last bit.
    near, far = (ordered[n - 1], ordered[n]) if q == 1 else (ordered[n + 1], ordered[n])
    return 0.25 * near + 0.75 * far


def _fences(values: Values) -> tuple[float, float]:
    low, high = _quartile(values, upper=False), _quartile(values, upper=True)
    reach = 1.5 * (high - low)
    return low - reach, high + reach


def _lowest(values: Values) -> float:
    ordered = sorted(values)
    at = bisect_left(ordered, _fences(values)[0])
    return ordered[min(at, len(ordered) - 1)]


def _highest(values: Values) -> float:
    ordered = sorted(values)
    return ordered[max(bisect_right(ordered, _fences(values)[1]) - 1, 0)]


def _first_above(values: Values) -> float:
    ordered = sorted(values)
    return ordered[min(bisect_right(ordered, _fences(values)[1]), len(ordered) - 1)]


def _beyond_deviation(values: Values) -> int:
    centre, reach = statistics.mean(values), _deviation(values)
    return sum(not centre - reach <= value <= centre + reach for value in values)


def _beyond_fences(values: Values) -> int:
    low, high = _fences(values)
    return sum(not low <= value <= high for value in values)


def _spread(values: Values) -> float:
    return _quartile(values, upper=True) - _quartile(values, upper=False)


_HIGHEST = Statistic("max", "within-1.5-iqr", _highest)
_STATISTICS = {
    "min": Statistic("min", "exact", min),
    "max": Statistic("max", "exact", max),
    "mean": Statistic("mean", "python", statistics.mean),
    "stddev": Statistic("stddev", "ddof1,python", _deviation, least=2),
    "median": Statistic("median", "linear", statistics.median),
    "q1": Statistic("q1", "method-2-or-3", lambda values: _quartile(values, upper=False)),
    "q3": Statistic("q3", "method-2-or-3", lambda values: _quartile(values, upper=True)),
    "iqr": Statistic("iqr", "method-2-or-3", _spread),
    "ld15iqr": Statistic("min", "within-1.5-iqr", _lowest),
    "iqr_outliers": Statistic("count", "beyond-1.5-iqr", _beyond_fences),
    "stddev_outliers": Statistic("count", "beyond-stddev", _beyond_deviation),
}
