"""NVBench `--json`: one state a combination of axis values and device, figures without rows.

    {"meta": {"version": {"nvbench": {"git_sha": "348acbd…", "git_is_dirty": false}}},
     "devices": [{"id": 0, "name": "Quadro GV100", "sm_default_clock_rate": 1627000000, …}],
     "benchmarks": [{"name": "copy", "states": [{"name": "Device=0 T=I8", "device": 0,
       "axis_values": [{"name": "T", "type": "string", "value": "I8"}], "is_skipped": false,
       "summaries": [{"tag": "nv/cold/time/gpu/mean", "hint": "duration",
                      "data": [{"name": "value", "type": "float64", "value": "0.00100347"}]}]}]}]}

Numbers are strings, times are seconds. *cold* flushes the cache before each launch, *batch*
launches back to back: two quantities. The single times are in binary files beside it
(``--jsonbin``), never in here, so every figure is reported and none is citable. A skipped state has
no summaries, and what older versions print there is garbage. In the first versions summaries and
axis values stood under their names, without tags.
Source of the format: nvbench/json_printer.cu, schema 1.0.0 and the one before.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.results import repetitions
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, brief
from engine.results.reconciliation import Line, define, unavailable
from engine.results.refusals import ALL, Note
from engine.results.repetitions import mapping

NAME = "nvbench"

_UNITS = {"duration": "s", "percentage": "1", "item_rate": "1/s", "byte_rate": "B/s", "bytes": "B"}
_SETUP = ("min_samples", "min_time", "max_noise", "skip_time", "timeout", "device")
_MAX_FILES = 3
_INTEGER = re.compile(r"-?\d{1,19}", re.ASCII)


def recognises(content: Content) -> bool:
    """Say whether devices and benchmarks with states stand side by side."""
    return _fits(content.first)


def _fits(record: Mapping[str, Any]) -> bool:
    benchmarks = record.get("benchmarks")
    if "devices" not in record or not isinstance(benchmarks, list):
        return False
    return any(isinstance(one, dict) and "states" in one for one in benchmarks)


def read(content: Content) -> ResultFile:
    """Return one run a state, in file order."""
    documents, notes = repetitions.records(content, _fits)
    runs = [run for document in documents for run in _runs(document)]
    return repetitions.result(NAME, runs, notes)


def check(run: Run) -> Iterator[Line]:
    """Yield each figure as what cannot be recomputed."""
    why = repetitions.reason(run.notes)
    for metric, reported, definition in run.source:
        yield unavailable(metric, reported, definition, why)


def _runs(document: Mapping[str, Any]) -> Iterator[Run]:
    devices = document.get("devices")
    known = [one for one in devices if isinstance(one, dict)] if isinstance(devices, list) else []
    version = mapping(mapping(document.get("meta")).get("version"))
    for benchmark in repetitions.objects("benchmarks", document["benchmarks"]):
        # An empty list is written as null.
        for state in repetitions.objects("states", benchmark.get("states") or []):
            device = next((one for one in known if one.get("id") == state.get("device")), {})
            yield _run(benchmark, state, {"version": version, "device_info": device})


def _run(benchmark: Mapping[str, Any], state: Mapping[str, Any], about: dict[str, Any]) -> Run:
    figures = list(_figures(state.get("summaries")))
    named = {
        "benchmark": benchmark.get("name"),
        "state": state.get("name", state.get("description")),
    }
    setup = {name: state[name] for name in _SETUP if name in state}
    return Run(
        identity=repetitions.identity({**about, **named}),
        config=Settings({**setup, **dict(_named(state.get("axis_values")))}),
        samples={},
        rows=(),
        reported={metric: reported for metric, reported, _ in figures},
        notes=tuple(_notes(state)),
        source=figures,
    )


def _notes(state: Mapping[str, Any]) -> Iterator[Note]:
    if state.get("is_skipped"):
        why = brief(state.get("skip_reason", "no reason given"))
        yield Note("zero-repetitions", f"the state was skipped: {why}", ALL)
        return
    files = [value for _, name, value in _cells(state.get("summaries")) if name == "filename"]
    beside = f"; they are in {', '.join(map(brief, files[:_MAX_FILES]))}" if files else ""
    yield Note("aggregates-only", f"no times of single launches in --json{beside}", ALL)


def _named(values: object) -> Iterator[tuple[str, Any]]:
    """Yield name and value of each axis."""
    for one in values if isinstance(values, list) else []:
        name, value = mapping(one).get("name"), mapping(one).get("value")
        if isinstance(name, str):
            yield name, value


def _cells(summaries: object) -> Iterator[tuple[Mapping[str, Any], str, Any]]:
    """Yield each named value of each summary, of either form of the schema."""
    listed = summaries if isinstance(summaries, list) else []
    if isinstance(summaries, dict):
        listed = [{"tag": tag, **mapping(value)} for tag, value in summaries.items()]
    for summary in map(mapping, listed):
        for name, value in _named(summary.get("data", summary.get("values"))):
            yield summary, name, value


def _figures(summaries: object) -> Iterator[tuple[str, Any, str]]:
    """Yield the name, the value and the definition of each number of a state."""
    for summary, name, value in _cells(summaries):
        tag = str(summary.get("tag") or summary.get("name"))
        number = _number(value)
        if number is None:
            continue
        metric = tag if name == "value" else f"{tag}.{name}"
        quantity, _, statistic = tag.removeprefix("nv/").rpartition("/")
        unit = _UNITS.get(str(summary.get("hint")), "1")
        parts = (quantity.replace("/", "-") or "state", statistic, "unknown", "launches", unit)
        yield metric, number, define(NAME, *parts)


def _number(value: object) -> float | int | str | None:
    """Return a figure, which is a string, as the number that it spells; None for other text."""
    if isinstance(value, str):
        try:
            value = (
                int(value) if value.lstrip("-").isdecimal() and len(value) < 20 else float(value)
            )
        except ValueError:
            return None
    if not isinstance(value, int | float):
        return None
    return value if repetitions.is_number(value) else str(value)[:60]
