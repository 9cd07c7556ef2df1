"""pyperf (once perf): processes that each give some values, after warm-ups that do not count.

    {"version": "1.0", "metadata": {"name": "telco", "unit": "second", …}, "benchmarks": [
      {"metadata": {…}, "runs": [
        {"metadata": {"mem_max_rss": 14065664, …}, "warmups": [[1, 0.0230], [2, 0.0225]]},
        {"metadata": {…}, "warmups": [[8, 0.0224]], "values": [0.02275, 0.02252, 0.02256]}]}]}

A value is of one loop already, in seconds unless unit says byte or integer. A run without values
only calibrated the number of loops. What all benchmarks share stands in the metadata of the file,
what all runs share in that of the benchmark. The file has no averages. Before version 1.0 the
lists were called samples and common_metadata. mem_max_rss is of a whole process, the interpreter
included.
Source of the format: pyperf/_bench.py, 0.8 to 2.11.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.results import repetitions
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, Table, brief
from engine.results.reconciliation import Line
from engine.results.refusals import ResultError
from engine.results.repetitions import MIB, NOTHING, SINGLE, Samples, Values, mapping
from engine.samples import Column

NAME = "pyperf"

_IDENTITY = (
    *("hostname", "cpu_model_name", "cpu_machine", "platform", "python_version"),
    *("python_implementation", "python_compiler", "python_executable", "perf_version"),
    *("performance_version", "commit_id", "commit_date", "commit_branch", "boot_time"),
)
_METRICS = {
    "second": ("iteration_ns", 10**9),
    "byte": ("measured_bytes", 1),
    "integer": ("measured_count", 1),
}


def recognises(content: Content) -> bool:
    """Say whether there are benchmarks that consist of runs."""
    return _fits(content.first)


def _fits(record: Mapping[str, Any]) -> bool:
    benchmarks = record.get("benchmarks")
    if "version" not in record or not isinstance(benchmarks, list):
        return False
    return any(isinstance(one, dict) and isinstance(one.get("runs"), list) for one in benchmarks)


def read(content: Content) -> ResultFile:
    """Return one run a benchmark, in file order."""
    documents, notes = repetitions.records(content, _fits)
    runs = [
        _run(one, document)
        for document in documents
        for one in repetitions.objects("benchmarks", document["benchmarks"])
    ]
    return repetitions.result(NAME, runs, notes)


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: the file keeps no averages that could differ from its rows."""
    del run
    return ()


def _run(record: Mapping[str, Any], document: Mapping[str, Any]) -> Run:
    own = mapping(record.get("metadata", record.get("common_metadata")))
    metadata = {**mapping(document.get("metadata")), **own}
    none: list[dict[str, Any]] = []
    processes, broken = repetitions.believed(
        lambda: repetitions.objects("runs", record.get("runs")), none
    )
    (samples, zeros), barred = repetitions.believed(lambda: _samples(processes, metadata), NOTHING)
    rows = [row for at, one in enumerate(processes) for row in _rows(at, one)]
    counted = [row for row in rows if row["status"] == "ok"]
    named = {name: metadata[name] for name in _IDENTITY if name in metadata}
    return Run(
        identity=repetitions.identity({**named, "benchmark": metadata.get("name")}),
        config=Settings(metadata, apart=frozenset((*_IDENTITY, "name"))),
        samples=samples,
        rows=Table(
            {name: [row[name] for row in rows] for name in rows[0]} if rows else {}, len(rows)
        ),
        notes=(*(broken or barred), *zeros, *((SINGLE,) if len(counted) == 1 else ())),
    )


def _values(process: Mapping[str, Any]) -> Values:
    """Return what a process gave, per loop: nothing where it only calibrated."""
    found = process.get("values", process.get("samples"))
    return repetitions.numbers("values", [] if found is None else found)


def _samples(processes: Sequence[Mapping[str, Any]], metadata: Mapping[str, Any]) -> Samples:
    kept = [(values, one) for one in processes if (values := _values(one))]
    if not kept:
        raise ResultError("no-rows", f"none of {len(processes)} runs has values")
    unit = metadata.get("unit", "second")
    if not isinstance(unit, str) or unit not in _METRICS:
        raise ResultError("mixed-units", f"unit is {brief(unit)}, not second, byte or integer")
    metric, factor = _METRICS[unit]
    values = [value for values, _ in kept for value in values]
    shared = metadata.get("mem_max_rss")
    held: list[Any] = [mapping(one.get("metadata")).get("mem_max_rss", shared) for _, one in kept]
    peaks = {"peak_mib": (held, MIB)} if all(map(_is_size, held)) else {}
    samples, notes = repetitions.further(peaks)
    return {metric: Column(values, factor), **samples}, notes


def _is_size(value: object) -> bool:
    return type(value) is int and repetitions.is_number(value) and value >= 0


def _rows(number: int, process: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the warm-ups of a process, each with its loops, and then its values."""
    warmups = process.get("warmups")
    for pair in warmups if isinstance(warmups, list) else []:
        loops, value = pair if isinstance(pair, list) and len(pair) == 2 else (None, pair)
        yield {"status": "warm-up", "run": number, "loops": loops, "value": value}
    values = process.get("values", process.get("samples"))
    for value in values if isinstance(values, repetitions.LISTS) else ():
        yield {"status": "ok", "run": number, "loops": None, "value": value}
