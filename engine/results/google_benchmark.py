"""google/benchmark `--benchmark_format=json`: one row a repetition, aggregates among the rows.

    {"context": {"date": …, "num_cpus": 4, "library_build_type": "release"}, "benchmarks": [
      {"name": "BM_x/8", "run_name": "BM_x/8", "run_type": "iteration", "repetitions": 3,
       "repetition_index": 0, "threads": 1, "iterations": 3070566, "real_time": 2.149e+02,
       "cpu_time": 2.13e+02, "time_unit": "ns", "items_per_second": 4.6e+06},
      {"name": "BM_x/8_mean", "run_name": "BM_x/8", "run_type": "aggregate",
       "aggregate_name": "mean", "aggregate_unit": "time", "real_time": …, …}]}

real_time and cpu_time are per iteration, in the row's own time_unit. Rows of one run_name are one
run. Rows with error_occurred failed, rows with skipped say nothing; the tool leaves both out of its
aggregates. Until 2018 neither run_type nor run_name was written, and a name's end tells. BigO and
RMS rows are fits over several benchmarks and have no time.

mean is sum * (1/n); median of fewer than three is that mean; stddev has ddof 1 and comes from a
difference of two large sums; cv is stddev / mean, a ratio although its unit says percentage. The
tool takes them over accumulated seconds and rescales, so the last bits differ, and of stddev as
many as the difference loses: that many are float noise, counted here from the rows. A user's own
statistic has a formula that no file tells.
Source of the format: src/json_reporter.cc, src/statistics.cc, v1.2 to v1.9.5.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from engine.results import repetitions
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, brief
from engine.results.reconciliation import NOISE, Line, define, unavailable
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.results.repetitions import IN_NS, NOTHING, SINGLE, Quantity, Samples, Statistic, Values
from engine.samples import Column

NAME = "google-benchmark"

_END = re.compile(r"(.+)_(mean|median|stddev|cv|BigO|RMS)")
_SETUP = (
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "threads",
    "time_unit",
    "label",
)
_NO_FIGURE = frozenset(
    (*_SETUP, "name", "run_name", "run_type", "repetition_index", "iterations", "aggregate_name")
) | {"aggregate_unit", "error_occurred", "error_message", "skipped", "skip_message", "big_o"}
_TIMES = ("real_time", "cpu_time")
_ABOUT = {
    "real_time": "iteration_ns",
    "cpu_time": "iteration_cpu_ns",
    "bytes_per_second": "gb_s",
    "items_per_second": "items_per_s",
}
_GB = Fraction(1, 10**9)


class _Group(NamedTuple):
    """The rows of one benchmark: its repetitions, and the aggregates that the tool wrote."""

    name: str
    rows: list[Mapping[str, Any]]
    aggregates: list[tuple[str, Mapping[str, Any]]]


class _Kept(NamedTuple):
    """What is recomputed from: the counted rows, their unit of time, or why there are none."""

    rows: Sequence[Mapping[str, Any]]
    unit: str
    aggregates: Sequence[tuple[str, Mapping[str, Any]]]
    repetitions: object
    measured: int
    why: str


def recognises(content: Content) -> bool:
    """Say whether there is a context of a machine and a list of benchmarks."""
    return _fits(content.first)


def _fits(record: Mapping[str, Any]) -> bool:
    context = record.get("context")
    return (
        isinstance(record.get("benchmarks"), list)
        and isinstance(context, dict)
        and bool(context.keys() & {"num_cpus", "mhz_per_cpu", "library_build_type"})
    )


def read(content: Content) -> ResultFile:
    """Return one run for each benchmark that has a name of its own, in file order."""
    documents, notes = repetitions.records(content, _fits)
    runs = [
        _run(group, one["context"]) for one in documents for group in _groups(one["benchmarks"])
    ]
    return repetitions.result(NAME, runs, (*notes, *_builds(documents)))


def check(run: Run) -> Iterator[Line]:
    """Yield each aggregate against the same from the repetitions that succeeded."""
    kept: _Kept = run.source
    claim = kept.repetitions
    if kept.measured and type(claim) is int and claim > 0:  # 0: not set, before v1.5.1
        definition = define(NAME, "repetitions", "count", "exact", "all", "1")
        yield repetitions.claimed("repetitions", claim, kept.measured, definition)
    for name, row in kept.aggregates:
        for field, reported in row.items():
            if field not in _NO_FIGURE and not isinstance(reported, str | None):
                yield _line(name, field, reported, row, kept)


def _builds(documents: list[dict[str, Any]]) -> Iterator[Note]:
    for one in documents:
        if one["context"].get("library_build_type") == "debug":
            yield Note("debug-build", "the library was built as DEBUG: timings may be affected")
            return


def _groups(rows: object) -> list[_Group]:
    """Return the rows by the benchmark that they belong to."""
    found: dict[tuple[str, ...], _Group] = {}
    listed = repetitions.objects("benchmarks", rows)
    names = {str(row.get("name")) for row in listed}
    for number, row in enumerate(listed):
        if not isinstance(row.get("name"), str):
            raise ResultError("malformed", f"row {number} has no name")
        name, aggregate = _belongs(row, names)
        parts = (row.get("family_index"), row.get("per_family_instance_index"), name)
        group = found.setdefault(tuple(map(repr, parts)), _Group(name, [], []))
        if aggregate:
            group.aggregates.append((aggregate, row))
        else:
            group.rows.append(row)
    return list(found.values())


def _belongs(row: Mapping[str, Any], names: set[str]) -> tuple[str, str]:
    """Return the benchmark of a row, and the aggregate that it is or ""."""
    name, run_name = row["name"], row.get("run_name")
    end = _END.fullmatch(name)
    if row.get("run_type") == "aggregate":
        told = row.get("aggregate_name")
        aggregate = told if isinstance(told, str) and told else end[2] if end else "aggregate"
        base = name.removesuffix(f"_{aggregate}")
        return (run_name if isinstance(run_name, str) else base), aggregate
    if row.get("run_type") is None and end:
        siblings = {f"{end[1]}_mean", f"{end[1]}_stddev"}
        if end[1] in names or siblings <= names or row.keys() & {"rms", "big_o"}:
            return end[1], end[2]
    return (run_name if isinstance(run_name, str) else name), ""


def _run(group: _Group, context: Mapping[str, Any]) -> Run:
    status = [_status(row) for row in group.rows]
    good = [row for row, what in zip(group.rows, status, strict=True) if what == "ok"]
    first = group.rows[0] if group.rows else group.aggregates[0][1]
    (samples, zeros), barred = repetitions.believed(lambda: _samples(good), NOTHING)
    notes = (*barred, *_notes(status, first.get("repetitions")), *zeros)
    why = repetitions.reason([note for note in notes if not note.unless])
    unit = str(good[0].get("time_unit")) if good else ""
    kept = _Kept(good, unit, group.aggregates, first.get("repetitions"), len(status), why)
    return Run(
        identity=repetitions.identity({**context, "benchmark": group.name}),
        config=Settings(first, only=_SETUP),
        samples=samples,
        rows=tuple({"status": what, **row} for what, row in zip(status, group.rows, strict=True)),
        reported={name: dict(row) for name, row in group.aggregates},
        notes=notes,
        source=kept,
    )


def _status(row: Mapping[str, Any]) -> str:
    if row.get("error_occurred") or row.get("skipped") == "error":
        return "failed"
    return "cancelled" if row.get("skipped") else "ok"


def _notes(status: Sequence[str], claim: object) -> Iterator[Note]:
    good, failed = status.count("ok"), status.count("failed")
    if not status:
        detail = "no rows: run without --benchmark_report_aggregates_only"
        yield Note("aggregates-only", detail, ALL)
        return
    if type(claim) is int and claim > len(status):
        yield Note("rows-incomplete", f"{len(status)} of {claim} repetitions have a row", ALL)
    if not good:
        yield Note("all-requests-failed", f"none of {len(status)} repetitions succeeded", ALL)
    elif failed:
        detail = f"{failed} of {len(status)} repetitions failed"
        yield Note("failed-rows", detail, ALL, EXCLUDE_FAILED)
    if good == 1:
        yield SINGLE


def _samples(rows: Sequence[Mapping[str, Any]]) -> Samples:
    if not rows:
        return {}, ()
    units = {str(row.get("time_unit")) for row in rows}
    factor = IN_NS.get(min(units))
    if len(units) > 1 or factor is None:
        raise ResultError(
            "mixed-units", f"time_unit is {brief(sorted(units))} in the rows of one run"
        )
    real = repetitions.numbers("real_time", [row.get("real_time") for row in rows])
    found: dict[str, tuple[Values, Fraction | int]] = {}
    for name in ("cpu_time", "bytes_per_second", "items_per_second"):
        values = [row.get(name) for row in rows]
        if all(map(repetitions.is_number, values)):
            scale = {"cpu_time": Fraction(factor), "bytes_per_second": _GB}.get(name, Fraction(1))
            found[_ABOUT[name]] = (repetitions.numbers(name, values, zero=True), scale)
    samples, notes = repetitions.further(found)
    return {"iteration_ns": Column(real, factor), **samples}, notes


def _line(name: str, field: str, reported: object, row: Mapping[str, Any], kept: _Kept) -> Line:
    """Return the line for one figure of an aggregate row."""
    timed = field in _TIMES
    unit = "1" if name == "cv" or not timed else str(row.get("time_unit"))
    quantity = Quantity(NAME, field, unit, _ABOUT.get(field, ""), "ok")
    values: list[Any] = [one.get(field) for one in kept.rows]
    why = _unable(name, field, row, values, kept)
    if why:
        statistic, convention = name, _FORMULAS[name].convention if name in _FORMULAS else "unknown"
        definition = quantity.define(statistic, convention)
        return unavailable(f"{name}.{field}", repetitions.shown(reported), definition, why)
    statistic_ = _FORMULAS[name]
    if name in ("stddev", "cv"):
        statistic_ = statistic_._replace(noise=_lost(reported, statistic_.of(values), name, values))
    return quantity.line(f"{name}.{field}", reported, statistic_, values)


def _unable(
    name: str, field: str, row: Mapping[str, Any], values: Sequence[Any], kept: _Kept
) -> str:
    """Return why an aggregate cannot be recomputed, "" where it can."""
    if name in ("BigO", "RMS"):
        return "a fit over several benchmarks"
    if kept.why or not values:
        return kept.why or "there are no rows"
    if name not in _FORMULAS:
        return "a statistic of the user's own"
    if not all(map(repetitions.is_number, values)):
        return f"not every row has a number as {field}"
    if field in _TIMES and row.get("time_unit") != kept.unit:
        return "its time_unit is not that of its rows"
    return ""


def _lost(reported: object, value: float, name: str, values: Values) -> float:
    """Return the relative difference that cancellation allows between two such deviations.

    Each of the two sums of n terms is off by up to n + 4 units of 2⁻⁵³ of the mean square, and
    their difference is the variance; |a² - b²| <= loss is the same as |a - b| <= loss / (a + b).
    """
    if not isinstance(reported, float | int) or not repetitions.is_number(reported):
        return NOISE
    n, largest = len(values), max(abs(reported), value)
    square = 1.0 if name == "cv" else _mean(values) ** 2
    loss = (n + 4) * 2.0**-52 * square * n / max(n - 1, 1)
    both = abs(reported) + value
    return max(NOISE, loss / (both * largest)) if both * largest > 0 else NOISE


def _mean(values: Values) -> float:
    return repetitions.total(values) * (1.0 / len(values))


def _median(values: Values) -> float:
    return _mean(values) if len(values) < 3 else repetitions.median(values)


def _deviation(values: Values) -> float:
    n, centre = len(values), _mean(values)
    if n == 1:
        return 0.0
    squares = repetitions.total([value * value for value in values]) * (1.0 / n)
    return math.sqrt(max(n / (n - 1.0) * (squares - centre * centre), 0.0))


def _variation(values: Values) -> float:
    centre = _mean(values)
    return _deviation(values) / centre if len(values) > 1 and centre else 0.0


_FORMULAS = {
    "mean": Statistic("mean", "sum-times-inverse", _mean),
    "median": Statistic("median", "mean-under-3", _median),
    "stddev": Statistic("stddev", "ddof1,mean-of-squares", _deviation, least=2),
    "cv": Statistic("cv", "ddof1,mean-of-squares", _variation, least=2),
}
