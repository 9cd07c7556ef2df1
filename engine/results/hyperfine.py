"""hyperfine `--export-json`: one result a command, a time for each of its runs, in seconds.

    {"results": [{"command": "sleep 0.01", "mean": 0.0133, "stddev": 0.0009, "median": 0.0132,
      "user": 0.0003, "system": 0.0006, "min": 0.0101, "max": 0.0213, "times": [0.0107, …],
      "memory_usage_byte": [1425408, …], "exit_codes": [0, …], "parameters": {"n": "1"}}]}

Version 2 says ``"schema_version": 2`` and keeps one object a run, each metric with its unit::

    "measurements": [{"time_wall_clock": {"value": 0.01, "unit": "second"}, …, "exit_code": 0}],
    "summary": {"time_wall_clock": {"unit": "second", "count": 10, "mean": 0.01, …}}

A run that failed stays in the lists and in every average; only its exit code tells (null: killed by
a signal). Our samples leave it out, and a policy has to say so. stddev has ddof 1 and is null for a
single run. user and system of version 1 are means whose rows are not kept. Warm-up runs are not in
the file. The csv, Markdown, AsciiDoc and org exports have no rows.
Source of the format: hyperfine 1.5 to 2.0, src/benchmark, src/export/json.rs.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from engine.results import repetitions
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, Table
from engine.results.reconciliation import Line, define, unavailable
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.results.repetitions import MIB, PLAIN, SINGLE, Quantity, Samples, Values, mapping

NAME = "hyperfine"

_WALL, _MEMORY = "time_wall_clock", "memory_peak_resident"
_METRICS = {_WALL: "iteration_ns", "time_cpu": "iteration_cpu_ns", _MEMORY: "peak_mib"}
_FACTORS: Mapping[str, Fraction | int] = {
    "iteration_ns": 10**9,
    "iteration_cpu_ns": 10**9,
    "peak_mib": MIB,
}
_UNITS = {"iteration_ns": "second", "iteration_cpu_ns": "second", "peak_mib": "byte"}
_AGGREGATES = ("mean", "stddev", "median", "user", "system", "min", "max", "summary")
_APART = frozenset(
    (*_AGGREGATES, "command", "name", "parameters", "times", "memory_usage_byte", "exit_codes")
)
_TABLE = re.compile(
    rb"\A(?:command|name,command),(?:mean,stddev,|time_wall_clock_unit,)"
    rb"|^\| Command \| Mean [^|]*\[\w+\] \|",
    re.MULTILINE,
)


class _Rows(NamedTuple):
    """The values of every run of a command by metric, and what became of each where it is told."""

    columns: Mapping[str, Values]
    status: Sequence[str]
    codes: Sequence[Any]
    why: str = ""


def recognises(content: Content) -> bool:
    """Say whether there are results of commands, or one of the tool's tables."""
    return content.opens(_TABLE) or _fits(content.first)


def _fits(record: Mapping[str, Any]) -> bool:
    results = record.get("results")
    if not isinstance(results, list):
        return False
    return any(
        isinstance(one, dict) and "command" in one and ("mean" in one or "measurements" in one)
        for one in results
    )


def read(content: Content) -> ResultFile:
    """Return one run a command, in file order."""
    if content.opens(_TABLE):
        raise ResultError(
            "aggregates-only", "a table has no rows, run hyperfine with --export-json"
        )
    documents, notes = repetitions.records(content, _fits)
    runs = [
        _run(one, mapping(document.get("metadata")))
        for document in documents
        for one in repetitions.objects("results", document["results"])
    ]
    return repetitions.result(NAME, runs, notes)


def check(run: Run) -> Iterator[Line]:
    """Yield each average against the same from all runs, failed ones too, as the tool takes it."""
    record, rows = run.source
    if "measurements" in record or "summary" in record:
        yield from _summaries(mapping(record.get("summary")), rows)
        return
    quantity = Quantity(NAME, "wall", "s", "iteration_ns")
    yield from quantity.lines(record, PLAIN, rows.columns.get(_WALL, ()), rows.why)
    for name in ("user", "system"):
        if record.get(name) is not None:
            definition = define(NAME, name, "mean", "left-to-right", "all", "s")
            why = "the times of the single runs are not kept"
            yield unavailable(name, repetitions.shown(record[name]), definition, why)


def _summaries(summary: Mapping[str, Any], rows: _Rows) -> Iterator[Line]:
    for name, reported in summary.items():
        unit = str(mapping(reported).get("unit"))
        quantity = Quantity(NAME, name, unit, _METRICS.get(name, ""))
        values = rows.columns.get(name, ())
        why = rows.why or ("" if name in rows.columns else "no row has this metric")
        reports = mapping(reported)
        yield from quantity.lines(reports, PLAIN, values, why, f"{name}.")
        if reports.get("count") is not None:
            definition = quantity.define("count", "exact")
            kept = len(values) or len(rows.codes)
            yield repetitions.claimed(f"{name}.count", reports["count"], kept, definition)


def _run(record: dict[str, Any], metadata: Mapping[str, Any]) -> Run:
    empty = _Rows({}, (), ())
    rows, barred = repetitions.believed(lambda: _rows(record), empty)
    good = [at for at, status in enumerate(rows.status) if status == "ok"]
    samples, notes = _samples(rows, good)
    command = record.get("name") or record.get("command")
    named = {"benchmark": command, "command": record.get("command")}
    shown = {"exit_code": rows.codes, "status": rows.status, **rows.columns}
    return Run(
        identity=repetitions.identity({**metadata, **named}),
        config=Settings(_setup(record)),
        samples=samples,
        rows=Table(shown, len(rows.status)),
        reported={name: record[name] for name in _AGGREGATES if name in record},
        notes=(*barred, *_failures(len(good), len(rows.status)), *notes),
        source=(record, rows._replace(why=repetitions.reason(barred))),
    )


def _setup(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters and what else was set; version 2 wraps each parameter's value."""
    found = {name: value for name, value in record.items() if name not in _APART}
    found.pop("measurements", None)
    for name, value in mapping(record.get("parameters")).items():
        found[f"parameters.{name}"] = value["value"] if mapping(value).get("value") else value
    return found


def _samples(rows: _Rows, good: Sequence[int]) -> Samples:
    kept = {
        _METRICS[name]: [values[at] for at in good]
        for name, values in rows.columns.items()
        if name in _METRICS and good
    }
    return repetitions.further({name: (kept[name], _FACTORS[name]) for name in kept})


def _failures(good: int, rows: int) -> Iterator[Note]:
    if rows and not good:
        yield Note("all-requests-failed", f"none of {rows} runs exited with 0", ALL)
    elif good < rows:
        detail = f"{rows - good} of {rows} runs failed"
        yield Note("failed-rows", detail, ALL, EXCLUDE_FAILED)
    if rows == 1:
        yield SINGLE


def _rows(record: Mapping[str, Any]) -> _Rows:
    """Return the rows of either version; raises `ResultError` for rows that are none."""
    if "measurements" in record:
        return _measurements(record)
    if record.get("times") is None:
        raise ResultError("aggregates-only", "the times of the single runs are not in the file")
    times = repetitions.numbers("times", record["times"])
    if not times:
        raise ResultError("no-rows", "times is empty, the averages were kept")
    columns = {_WALL: times}
    if record.get("memory_usage_byte"):
        columns[_MEMORY] = repetitions.numbers("memory", record["memory_usage_byte"], zero=True)
    codes = record.get("exit_codes") or [0] * len(times)
    return _even(columns, codes)


def _even(columns: Mapping[str, Values], codes: object) -> _Rows:
    if not isinstance(codes, list):
        raise ResultError("malformed", "exit_codes is not a list")
    lengths = {len(codes), *map(len, columns.values())}
    if len(lengths) > 1:
        raise ResultError("rows-inconsistent", "times, memory and exit_codes differ in length")
    status = ["ok" if type(code) is int and code == 0 else "failed" for code in codes]
    return _Rows(columns, status, codes)


def _measurements(record: Mapping[str, Any]) -> _Rows:
    rows = repetitions.objects("measurements", record["measurements"])
    if not rows:
        raise ResultError("no-rows", "measurements is empty, the summary was kept")
    claims = [mapping(one).get("count") for one in mapping(record.get("summary")).values()]
    for claim in claims:
        repetitions.require_all(claim, len(rows))
    names = dict.fromkeys(name for row in rows for name in row if name != "exit_code")
    columns = {name: values for name in names if (values := _column(name, rows))}
    if _WALL not in columns:
        raise ResultError("rows-inconsistent", f"not every run has a {_WALL}")
    return _even(columns, [row.get("exit_code", 0) for row in rows])


def _column(name: str, rows: Sequence[Mapping[str, Any]]) -> Values:
    """Return one metric of every run; nothing where a run lacks it."""
    cells = [mapping(row.get(name)) for row in rows]
    if any(cell.get("value") is None for cell in cells):
        return []
    unit = _UNITS.get(_METRICS.get(name, ""))
    if unit and any(cell.get("unit") != unit for cell in cells):
        raise ResultError("mixed-units", f"{name} is not in {unit} in every run")
    return repetitions.numbers(name, [cell["value"] for cell in cells], zero=name != _WALL)
