"""vLLM `bench serve`, `bench latency` and `bench throughput`, and the copies of InferenceMAX.

    {"date": "20260428-081917", "backend": "vllm", "model_id": "…", "num_prompts": 50,
     "request_rate": "inf", "max_concurrency": 1, "duration": 293.3, "completed": 50, …,
     "ttfts": [0.878, …], "itls": [[0.039, …], …], "errors": ["", …], "mean_ttft_ms": 886.4, …}

Rows are in seconds, averages in milliseconds; `engine.results.requests` has the formulas. Without
`--save-detailed` the lists are deleted, and what is left is no evidence. Several runs in one file
(`--append-result`, or JSON Lines under the name .json) are several runs here. Until the autumn of
2025 one key was spelt ``request_goodput:``. `bench latency` keeps seconds per batch iteration;
`bench throughput` keeps no rows.
Source of the format: vllm/benchmarks/{serve,latency,throughput}.py, 2024-11 to 2026-10.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.results import numeric
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, Table, brief
from engine.results.reconciliation import Line, compared, define, unavailable
from engine.results.refusals import ALL, Note, ResultError
from engine.results.requests import LISTS, SUMMARY, TOTALS, Requests, peak, require_numbers
from engine.samples import Column

NAME = "vllm"

_IDENTITY = (
    *("model_id", "tokenizer_id", "backend", "endpoint_type", "label", "date"),
    *("version", "server_version"),
)
_OTHER_RESULTS = (
    *("request_goodput", "request_goodput:", "max_output_tokens_per_s"),
    *("max_concurrent_requests", "rtfx"),
)
_LATENCY = ("avg_latency", "percentiles")
_THROUGHPUT = ("elapsed_time", "num_requests", "tokens_per_second")


def recognises(content: Content) -> bool:
    """Say whether the file is of one of the three benchmarks, or of a wrapper around them."""
    if content.has("total_output_tokens_retokenized"):
        return False
    return (
        content.has("completed", "duration", "request_throughput", "total_input_tokens")
        and not content.has("median_ttft")
    ) or any(content.has(*names) for names in (_LATENCY, _THROUGHPUT, ("success", "raw_output")))


def read(content: Content) -> ResultFile:
    """Return one run for each object in the file."""
    if content.first.get("success") is False:
        raise ResultError("run-failed", "a wrapper recorded success: false")
    if content.has(*_THROUGHPUT):
        raise ResultError("aggregates-only", "bench throughput keeps no rows")
    records = content.documents.values
    runs = tuple(_run(record, number) for number, record in enumerate(records))
    notes = []
    if _repeated(records):
        twice = Note("repeated-rows", "one result stands in the file more than once", ALL)
        runs = tuple(run._replace(notes=(*run.notes, twice)) for run in runs)
    if len(records) > 1:
        notes.append(Note("several-runs", f"{len(records)} runs in one file, one after the other"))
    if content.documents.noise:
        detail = f"noise lines: {content.documents.noise} (not part of any record)"
        notes.append(Note("log-noise", detail))
    return ResultFile(NAME, runs, tuple(notes))


def _repeated(records: Sequence[Mapping[str, Any]]) -> bool:
    first: dict[str, Mapping[str, Any]] = {}
    stamps = [
        f"{one.get('date')} {one.get('duration')} {one.get('avg_latency')}" for one in records
    ]
    known = [first.setdefault(stamp, one) for stamp, one in zip(stamps, records, strict=True)]
    return any(one is not was and one == was for one, was in zip(records, known, strict=True))


def check(run: Run) -> Iterable[Line]:
    """Yield each average against the same from its rows."""
    if isinstance(run.source, Requests):
        return run.source.check() if run.source.sent else _without_rows(run.reported)
    return _latency_lines(run.source)


def _run(record: Mapping[str, Any], number: int) -> Run:
    try:
        return _latency(record) if "avg_latency" in record else _serve(record)
    except ResultError as error:
        raise error.at(f"run {number}") from error


def _serve(record: Mapping[str, Any]) -> Run:
    requests = Requests("vllm-serve", record)
    reported = {name: record[name] for name in record if _is_result(name)}
    apart = frozenset((*LISTS, *_IDENTITY, *reported))
    return Run(
        identity=Settings(record, only=_IDENTITY),
        config=Settings(record, apart=apart),
        samples=requests.samples() if requests.sent else {},
        rows=requests.rows(),
        reported=reported,
        notes=tuple(_notes(record, requests)),
        source=requests,
    )


def _is_result(name: str) -> bool:
    return name in TOTALS or name in _OTHER_RESULTS or SUMMARY.fullmatch(name) is not None


def _notes(record: Mapping[str, Any], requests: Requests) -> Iterator[Note]:
    if "request_goodput:" in record:
        yield Note("misspelt-key", "request_goodput: has a colon in its name")
    yield from peak(record)
    completed = record.get("completed")
    if completed == 0:
        detail = f"none of {record.get('num_prompts', 'the')} requests succeeded: 0.0 means missing"
        yield Note("all-requests-failed", detail, ALL)
    elif "ttfts" not in record:
        detail = "no rows: run vllm bench serve with --save-result --save-detailed"
        yield Note("aggregates-only", detail, ALL)
    elif not requests.sent:
        yield Note("no-rows", f"{completed} requests completed and the lists are empty", ALL)
    else:
        yield from requests.notes(record.get("num_prompts"))


def _without_rows(reported: Mapping[str, Any]) -> Iterator[Line]:
    for name, value in reported.items():
        if isinstance(value, int | float):
            definition = define("vllm-serve", name, "value", "unknown", "none", "1")
            yield unavailable(name, value, definition, "there are no rows")


def _latency(record: Mapping[str, Any]) -> Run:
    times = record.get("latencies", [])
    require_numbers("latencies", times)
    if any(not value > 0 for value in times):
        raise ResultError("not-a-number", "latencies holds what is no time above 0")
    empty = Note("no-rows", "latencies is empty, the averages were kept", ALL)
    return Run(
        identity={},
        config={},
        samples={"batch_ms": Column(times, 1000)} if times else {},
        rows=Table({"latencies": times}, len(times)),
        reported={name: record[name] for name in ("avg_latency", "std_latency") if name in record},
        notes=() if times else (empty,),
        source=(times, record, _percentiles(record)),
    )


def _percentiles(record: Mapping[str, Any]) -> dict[float, Any]:
    found = record.get("percentiles", {})
    if not isinstance(found, dict):
        raise ResultError("malformed", f"percentiles is {brief(found)}, not an object")
    for percent in found:
        if not re.fullmatch(r"\d{1,2}(\.\d{1,4})?|100", percent):
            raise ResultError("malformed", f"{brief(percent)} is no percentile")
    return {float(percent): value for percent, value in found.items()}


def _latency_lines(source: tuple[Any, Mapping[str, Any], dict[float, Any]]) -> Iterator[Line]:
    rows, record, percentiles = source
    times = numeric.doubles(rows)
    reported = [("avg_latency", "mean", "pairwise"), ("std_latency", "std", "ddof0")]
    for name, statistic, convention in reported:
        if name in record:
            definition = define("vllm-latency", "batch", statistic, convention, "all", "s")
            taken = numeric.mean if statistic == "mean" else lambda x: numeric.deviation(x, 0)
            value = taken(times) if len(times) else None
            yield compared(name, record[name], value, definition, "batch_ms")
    for percent, shown in percentiles.items():
        definition = define("vllm-latency", "batch", f"p{percent:g}", "linear", "all", "s")
        value = numeric.percentile(times, percent) if len(times) else None
        yield compared(f"p{percent:g}", shown, value, definition, "batch_ms")
