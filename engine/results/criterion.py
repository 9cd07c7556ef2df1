"""criterion.rs: sample.json has the rows, estimates.json beside it what is made of them.

    {"sampling_mode": "Linear", "iters": [209454.0, 418908.0, …], "times": [1128000.0, …]}
    {"mean": {"point_estimate": 4.72, "standard_error": 0.018, "confidence_interval": {…}},
     "median": {…}, "median_abs_dev": {…}, "slope": {…}, "std_dev": {…}}

A row is a time in nanoseconds for so many iterations; the sample is time / iterations. Up to
version 0.3.3 sample.json is [[iters], [times]] and the keys are Mean, Median, MedianAbsDev, Slope,
StdDev. raw.csv has the same rows, and benchmark.json, read beside them, the name. `cargo criterion
--message-format=json` prints rows and estimates of every benchmark, one object a line.

slope is sum(iters * times) / sum(iters²), in Linear mode only; std_dev has ddof 1; the median of an
even number is low + (high - low) * 0.5. median_abs_dev is 1.4826 times the median deviation, with
the constant in single precision: 1.8e-8 off, and float noise up to 2e-8. Standard errors and
intervals come from a bootstrap without a seed. change/estimates.json compares two runs.
Source of the format: src/analysis, src/stats, 0.2 to 0.7; cargo-criterion 1.1, src/message_formats.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.results import repetitions
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, Table, brief
from engine.results.reconciliation import Line, unavailable
from engine.results.refusals import ALL, Note, ResultError
from engine.results.repetitions import IN_NS, SINGLE, Quantity, Statistic, Values, mapping
from engine.results.source_json import Window
from engine.samples import Column

NAME = "criterion"

_SLOPES = ("slope", "Slope")
_ESTIMATES = (
    *("mean", "median", "median_abs_dev", "slope", "std_dev"),
    *("Mean", "Median", "MedianAbsDev", "Slope", "StdDev"),
)
_MESSAGE = "benchmark-complete"
_LEAST = 2
_ARRAYS = re.compile(rb"\s*\[\s*\[\s*\d[\d.eE+]*\s*,")
_CSV = re.compile(rb"\A(?:\xef\xbb\xbf)?group,function,value,\S*iteration_count\r?\n")
_QUANTITY = Quantity(NAME, "iteration", "ns", "iteration_ns")
_BOOTSTRAP = "a bootstrap without a seed"


class _Rows(NamedTuple):
    iters: Values
    times: Values


def recognises(content: Content) -> bool:
    """Say whether this is one of criterion's files."""
    if content.opens(_CSV) or _arrays(content) is not None:
        return True
    first = content.first
    return (
        {"iters", "times"} <= first.keys()
        or {"group_id", "function_id"} <= first.keys()
        or first.get("reason") in (_MESSAGE, "group-complete")
        or _estimates(first)
    )


def _estimates(record: Mapping[str, Any]) -> bool:
    pairs = (("mean", "median"), ("Mean", "Median"))
    return any(all("point_estimate" in mapping(record.get(n)) for n in pair) for pair in pairs)


def _arrays(content: Content) -> list[Any] | None:
    """Return the two lists of an old sample.json; None for anything else."""
    if not _ARRAYS.match(content.head):
        return None
    window = Window(content.data)
    window.skip_space()
    value = window.value()
    if window.skip_space() or len(value) != 2:
        return None
    lists = all(isinstance(part, repetitions.LISTS) for part in value)
    return list(value) if lists and len(value[0]) == len(value[1]) else None


def read(content: Content) -> ResultFile:
    """Return the runs of a file of rows, or the one of a summary."""
    if content.opens(_CSV):
        return repetitions.result(NAME, _table(content.text()))
    if arrays := _arrays(content):
        return repetitions.result(NAME, [_run(arrays[0], arrays[1], {}, {})])
    first = content.first
    if "reason" in first:
        return _messages(content)
    if "iters" in first:
        return repetitions.result(NAME, [_run(first["iters"], first["times"], {}, first)])
    if "group_id" in first:
        run = Run(
            repetitions.identity(_names(first)), {}, {}, (), notes=(Note("no-rows", "a name", ALL),)
        )
        return ResultFile(NAME, (run,), part="names")
    return ResultFile(NAME, (_summary(first),), part="summary")


def join(rows: ResultFile, other: ResultFile) -> ResultFile:
    """Return the rows with the estimates, or with the name, of the same benchmark."""
    if rows.part != "rows" or len(rows.runs) != 1:
        detail = "estimates.json and benchmark.json belong beside one sample.json or raw.csv"
        raise ResultError("not-results", detail)
    run, beside = rows.runs[0], other.runs[0]
    if other.part == "names":
        run = run._replace(identity={**run.identity, **beside.identity})
    else:
        run = run._replace(reported=beside.reported, source=(run.source[0], beside.source[1]))
    return ResultFile(NAME, (run,), rows.notes)


def check(run: Run) -> Iterator[Line]:
    """Yield each estimate against the same from the rows."""
    if run.source is None:
        return
    rows, estimates = run.source
    why = repetitions.reason(run.notes)
    values = [] if why else _sample(rows)
    for name, estimate in estimates.items():
        yield from _lines(name, mapping(estimate), rows, values, why)


def _lines(
    name: str, estimate: Mapping[str, Any], rows: _Rows, values: Values, why: str
) -> Iterator[Line]:
    statistic = _slope(rows) if name in _SLOPES else _STATISTICS[name]
    for key in ("point_estimate", "estimate"):
        if estimate.get(key) is not None:
            yield _QUANTITY.line(name, estimate[key], statistic, values, why)
    bounds = {**mapping(estimate.get("confidence_interval")), **estimate}
    for key in ("standard_error", "lower_bound", "upper_bound"):
        if bounds.get(key) is not None:
            definition = _QUANTITY.define(f"{statistic.name}-{key}", "bootstrap")
            yield unavailable(
                f"{name}.{key}", repetitions.shown(bounds[key]), definition, _BOOTSTRAP
            )


def _run(
    iters: object, times: object, identity: Mapping[str, Any], record: Mapping[str, Any]
) -> Run:
    rows, notes = repetitions.believed(lambda: _rows(iters, times), _Rows((), ()))
    apart = frozenset(("iters", "times"))
    return Run(
        identity=repetitions.identity(identity),
        config=Settings(record, apart=apart),
        samples={"iteration_ns": Column(_sample(rows))} if rows.iters else {},
        rows=Table({"iters": rows.iters, "times": rows.times}, len(rows.iters)),
        notes=(*notes, *((SINGLE,) if len(rows.iters) == 1 else ())),
        source=(rows, {}),
    )


def _rows(iters: object, times: object) -> _Rows:
    rows = _Rows(repetitions.numbers("iters", iters), repetitions.numbers("times", times))
    if len(rows.iters) != len(rows.times):
        detail = f"{len(rows.iters)} iters but {len(rows.times)} times"
        raise ResultError("rows-inconsistent", detail)
    if not rows.iters:
        raise ResultError("no-rows", "iters and times are empty")
    return rows


def _sample(rows: _Rows) -> list[float]:
    """Return the time of one iteration of each row, rounded to a double as criterion does it."""
    return [time / count for count, time in zip(rows.iters, rows.times, strict=True)]


def _summary(record: Mapping[str, Any]) -> Run:
    if not {"std_dev", "StdDev"} & record.keys():
        detail = "the change between two runs; give estimates.json of the folder new"
        raise ResultError("not-results", detail)
    estimates = {name: record[name] for name in _ESTIMATES if isinstance(record.get(name), dict)}
    note = Note("aggregates-only", "estimates have no rows: give sample.json with them", ALL)
    return Run({}, {}, {}, (), _points(estimates), (note,), source=(_Rows((), ()), estimates))


def _points(estimates: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {name: one.get("point_estimate", one.get("estimate")) for name, one in estimates.items()}


def _names(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the identity in a benchmark.json; older ones have no full_id."""
    parts = [record.get(name) for name in ("group_id", "function_id", "value_str")]
    whole = "/".join(part for part in parts if isinstance(part, str))
    kept = {name: value for name, value in record.items() if name != "throughput"}
    return {**kept, "benchmark": record.get("full_id") or whole}


def _table(text: str) -> list[Run]:
    """Return the runs of a raw.csv: one for each group, function and value in it."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    try:
        for row in csv.DictReader(io.StringIO(text, newline=""), strict=True):
            key = tuple(str(row[name]) for name in ("group", "function", "value"))
            groups.setdefault(key, []).append(row)
    except csv.Error as error:
        raise ResultError("malformed", f"raw.csv: {error}") from error
    return [_group(key, rows) for key, rows in groups.items()]


def _group(key: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Run:
    named = dict(zip(("group_id", "function_id", "value_str"), key, strict=True))
    named = {name: value for name, value in named.items() if value}
    units = {str(row.get("unit") or "ns") for row in rows}
    column = "sample_time_nanos" if "sample_time_nanos" in rows[0] else "sample_measured_value"
    iters, times = (
        [_double(row.get(name)) for row in rows] for name in ("iteration_count", column)
    )
    if units != {"ns"}:  # another measurement than the wall clock
        times = [f"a value in {unit}" for unit in sorted(units - {"ns"})]
    return _run(iters, times, _names(named), {})


def _double(cell: object) -> object:
    """Return a cell as the double that it spells, or as what it is for the refusal."""
    try:
        return float(str(cell))
    except ValueError:
        return cell


def _messages(content: Content) -> ResultFile:
    """Return one run for each benchmark that cargo-criterion reports."""
    ours, notes = repetitions.records(content, lambda one: "reason" in one)
    return repetitions.result(
        NAME, [_message(one) for one in ours if one["reason"] == _MESSAGE], notes[:0]
    )


def _message(record: Mapping[str, Any]) -> Run:
    unit, times = record.get("unit"), record.get("measured_values")
    factor = IN_NS.get(unit) if isinstance(unit, str) else None
    known = times if factor == 1 else [f"a value in {brief(unit)}"]
    run = _run(record.get("iteration_count"), known, {"benchmark": record.get("id")}, {})
    estimates = {name: record[name] for name in _ESTIMATES if isinstance(record.get(name), dict)}
    return run._replace(reported=_points(estimates), source=(run.source[0], estimates))


def _middle(values: Values) -> float:
    """Return the median, weighted as criterion's percentiles are."""
    ordered = sorted(values)
    rank = 0.5 * (len(ordered) - 1)
    at = int(rank)
    low, high = ordered[at], ordered[min(at + 1, len(ordered) - 1)]
    return low + (high - low) * (rank - at)


def _distance(values: Values) -> float:
    centre = _middle(values)
    return _middle([abs(value - centre) for value in values]) * 1.4826


def _slope(rows: _Rows) -> Statistic:
    """Return the line through the origin, which needs the rows and not the times per iteration."""

    def fit(values: Values) -> float:
        del values
        pairs = zip(rows.iters, rows.times, strict=True)
        above = repetitions.total([count * time for count, time in pairs])
        return above / repetitions.total([count * count for count in rows.iters])

    return Statistic("slope", "least-squares-through-0", fit)


_MEAN = Statistic("mean", "left-to-right", repetitions.mean)
_MEDIAN = Statistic("median", "linear", _middle)
_DEVIATION = Statistic("stddev", "ddof1", repetitions.deviation, least=_LEAST)
_DISTANCE = Statistic("mad", "1.4826,single-precision", _distance, noise=2e-8)
_STATISTICS = {
    "mean": _MEAN,
    "Mean": _MEAN,
    "median": _MEDIAN,
    "Median": _MEDIAN,
    "std_dev": _DEVIATION,
    "StdDev": _DEVIATION,
    "median_abs_dev": _DISTANCE,
    "MedianAbsDev": _DISTANCE,
}
