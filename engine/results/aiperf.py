"""NVIDIA AIPerf: the records of a run (JSON Lines), and the summary that the tool made of them.

    profile_export.jsonl          {"metadata": {…}, "metrics": {…}, "error": null}   part "rows"
    profile_export_aiperf.json    {"request_latency": {"unit": "ms", "avg": …}, …,
                                   "input_config": {…}, "was_cancelled": false}      part "summary"

`engine.results.aiperf_records` reads the records, which are the evidence, and `aiperf_summary`
checks the summary against them. A summary alone has no rows; records alone do not say how many they
should be. Nothing in either names the engine, its commit or the GPU. Telemetry of GPUs, server
metrics and raw payloads lie beside them and hold no results; time slices and sweeps are aggregates
only.
Source of the format: aiperf/exporters and post_processors, 2025-10 (no schema version) to 0.13.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.results import aiperf_summary
from engine.results.aiperf_records import Records, failed_rows
from engine.results.aiperf_summary import claimed
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings
from engine.results.reconciliation import Line
from engine.results.redaction import without_secrets
from engine.results.refusals import ALL, Note, ResultError

NAME = "aiperf"

_RECORD = frozenset(
    {"request_start_ns", "timestamp_ns", "benchmark_phase", "credit_phase", "x_request_id"}
)
_SUMMARY = ("aiperf_version", "was_cancelled", "error_summary", "benchmark_id")
_IDENTITY = ("aiperf_version", "schema_version", "benchmark_id", "start_time", "end_time")
_NOT_RESULTS = {
    "telemetry of GPUs": ("telemetry_data", "gpu_index"),
    "metrics of the server": ("endpoint_url", "timestamp_ns", "metrics"),
    "metrics of the server, summarised": ("aiperf_version", "summary", "metrics"),
}
_NO_SUMMARY = Note(
    "no-summary", "whether all records are here is unknown: give profile_export_aiperf.json too"
)
_NO_RECORDS = Note(
    "aggregates-only", "no rows: give profile_export.jsonl (--export-level records) too", ALL
)


def recognises(content: Content) -> bool:
    """Say whether the first object is a record, a summary, or a file that lies beside them."""
    first = content.first
    return _is_record(first) or _is_summary(first) or bool(_beside(first)) or _is_sweep(first)


def read(content: Content) -> ResultFile:
    """Return the one run of the records or of the summary."""
    first = content.first
    if what := _beside(first):
        raise ResultError("not-results", f"{what}; the results are in profile_export.jsonl")
    if _is_sweep(first):
        raise ResultError(
            "aggregates-only", "time slices or several runs; give the records of each"
        )
    return _summary(content) if _is_summary(first) else _records(content)


def join(rows: ResultFile, summary: ResultFile) -> ResultFile:
    """Return the run of the records with the summary's setup, claims and aggregates."""
    measured, told = rows.runs[0], summary.runs[0]
    records, printed = measured.source[0], told.source[1]
    kept = [note for note in measured.notes if note.name != "failed-rows"]
    notes = [*kept, *_coverage(printed, records), *(n for n in told.notes if n is not _NO_RECORDS)]
    run = Run(
        identity={**measured.identity, **told.identity},
        config=told.config,
        samples=measured.samples,
        rows=measured.rows,
        reported=told.reported,
        notes=tuple(notes),
        source=(records, printed),
    )
    return ResultFile(NAME, (run,), tuple(n for n in rows.notes if n is not _NO_SUMMARY))


def check(run: Run) -> Iterator[Line]:
    """Yield each aggregate of the summary against the same from the records."""
    records, printed = run.source
    if records is None:
        yield from aiperf_summary.without_rows(printed, "the records are in another file")
    elif printed is not None:
        yield from aiperf_summary.lines(printed, records)


def _is_record(first: Mapping[str, Any]) -> bool:
    metadata = first.get("metadata")
    return isinstance(metadata, dict) and "metrics" in first and bool(_RECORD & metadata.keys())


def _is_summary(first: Mapping[str, Any]) -> bool:
    return "input_config" in first and any(name in first for name in _SUMMARY)


def _beside(first: Mapping[str, Any]) -> str:
    """Return what the file is that lies beside results, "" for none of them."""
    metadata = first.get("metadata")
    if isinstance(metadata, dict) and "metrics" not in first and "responses" in first:
        return "raw requests and responses" if _RECORD & metadata.keys() else ""
    found = (what for what, names in _NOT_RESULTS.items() if all(name in first for name in names))
    return next(found, "") if not _is_summary(first) or "metrics" in first else ""


def _is_sweep(first: Mapping[str, Any]) -> bool:
    metadata = first.get("metadata")
    sweep = isinstance(metadata, dict) and "aggregation_type" in metadata
    return sweep or ("timeslices" in first and "input_config" in first)


def _records(content: Content) -> ResultFile:
    records = Records(content.documents.values)
    run = Run(
        identity={},
        config={},
        samples=records.samples(),
        rows=records.table(),
        notes=tuple(records.notes()),
        source=(records, None),
    )
    notes = [_NO_SUMMARY]
    if content.documents.noise:
        detail = f"noise lines: {content.documents.noise} (not part of any record)"
        notes.append(Note("log-noise", detail))
    return ResultFile(NAME, (run,), tuple(notes))


def _summary(content: Content) -> ResultFile:
    printed = content.first
    if len(content.documents.values) > 1:
        raise ResultError("malformed", "several summaries in one file")
    setup = printed["input_config"]
    config, secrets = without_secrets(setup if isinstance(setup, dict) else {})
    run = Run(
        identity=_identity(printed),
        config=Settings(config),
        samples={},
        rows=(),
        reported={one.metric: one.value for one in aiperf_summary.aggregates(printed)},
        notes=(_NO_RECORDS, *_ends(printed), *secrets),
        source=(None, printed),
    )
    return ResultFile(NAME, (run,), part="summary")


def _identity(printed: Mapping[str, Any]) -> dict[str, str]:
    found = {name: printed.get(name) for name in _IDENTITY}
    endpoint = printed["input_config"].get("endpoint") if _has_setup(printed) else None
    models = endpoint.get("model_names") if isinstance(endpoint, dict) else None
    if isinstance(models, list):
        found["model_names"] = ", ".join(map(str, models))
    return {name: value for name, value in found.items() if isinstance(value, str)}


def _has_setup(printed: Mapping[str, Any]) -> bool:
    return isinstance(printed["input_config"], dict)


def _ends(printed: Mapping[str, Any]) -> Iterator[Note]:
    """Yield a note where the summary says that the run did not come to its end."""
    if printed.get("was_cancelled") is True:
        yield Note("run-failed", "the summary says was_cancelled: the run was stopped early", ALL)
    if printed.get("is_complete") is False:
        why = str(printed.get("incomplete_reason") or "no reason given")
        yield Note("run-failed", f"the summary says that the run is not complete: {why}", ALL)


def _coverage(printed: Mapping[str, Any], records: Records) -> Iterator[Note]:
    """Yield what the claims of the summary say about the records."""
    kept, count = len(records.ok), claimed(printed, "request_count")
    if kept < count:
        yield Note("rows-incomplete", f"{kept} of {count} requests have a record", ALL)
    failed = max(records.failed, claimed(printed, "error_request_count"))
    if failed and kept:
        yield failed_rows(failed, failed + max(kept, count))
