"""MLPerf loadgen: `mlperf_log_summary.txt` and `mlperf_log_detail.txt`, for reference only.

    ================================================
    MLPerf Results Summary
    ================================================
    SUT name : PySUT
    Scenario : Server
    Completed samples per second    : 81.25
    Result is : VALID
    99.00 percentile latency (ns)   : 1250000

    :::MLLOG {"key": "result_validity", "value": "VALID", …, "metadata": {"is_error": false, …}}

Neither keeps one row a sample, so nothing can be recomputed and nothing may be cited as measured. A
file is read so that a claim about a reference can name it. Given both, every value of the summary
is compared with the key of the detail log that says the same: integers digit for digit, others as
far as the coarser of the two is printed (%.2f there, six significant digits here).

Percentiles are sorted[⌊n·p⌋]; means are integer quotients; rates of a server run count n - 1.
`result_token_throughput` divides by nanoseconds, and is 10⁹ times too small.
Source of the format: mlcommons/inference loadgen, results.cc and logging.cc, releases 1.0 to 5.1.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.results import documents
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, brief
from engine.results.reconciliation import Line, Verdict, compared, define, unavailable
from engine.results.refusals import ALL, Note, ResultError

NAME = "mlperf"

_HEADING = re.compile(rb"^MLPerf Results Summary[ \t\r]*$", re.MULTILINE)
_LOG = re.compile(rb'^:::MLLOG \{[^\n]*"namespace": ?"mlperf::logging"', re.MULTILINE)
_PREFIX = re.compile(rb"^:::MLLOG(?= *\{)", re.MULTILINE)
_ENTRY = re.compile(r"\s*([^:]*[^:\s])\s*:\s*(.*?)\s*")
_ERRORS = re.compile(r"^(\d+) ERRORS? encountered", re.MULTILINE)
_INTEGER = re.compile(r"-?\d{1,20}")
_DECIMAL = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?")
_PARAMETERS = "Test Parameters Used"
_RECORD = ("SUT name", "Scenario", "Mode")
_DETAIL_IDENTITY = (
    *("sut_name", "qsl_name", "test_datetime", "loadgen_version", "loadgen_git_commit_date"),
    "loadgen_git_status_message",
)
_SHOWN = 3
_LARGEST = 2**64
_NO_ROWS = "loadgen keeps no rows"
_BUG = "divided by nanoseconds: 10^9 times too small"

_KEYS = {
    "Result is": "result_validity",
    "SUT name": "sut_name",
    "Scenario": "effective_scenario",
    "Mode": "effective_test_mode",
    "Performance constraints satisfied": "result_perf_constraints_met",
    "Min duration satisfied": "result_min_duration_met",
    "Min queries satisfied": "result_min_queries_met",
    "Early stopping satisfied": "early_stopping_met",
    "Completed samples per second": "result_completed_samples_per_sec",
    "Scheduled samples per second": "result_scheduled_samples_per_sec",
    "Completed tokens per second": "result_completed_tokens_per_second",
    "Samples per second": "result_samples_per_second",
    "Tokens per second": "result_tokens_per_second",
    "QPS w/ loadgen overhead": "result_qps_with_loadgen_overhead",
    "QPS w/o loadgen overhead": "result_qps_without_loadgen_overhead",
    "TPS w/ loadgen overhead": "result_token_throughput_with_loadgen_overhead",
}
_PATTERNS = (
    (r"(min|max|mean) latency \(ns\)", "result_{}_{}latency_ns"),
    (r"(min|max|mean) first token latency \(ns\)", "result_first_token_{}_latency_ns"),
    (r"(min|max|mean) time to output token \(ns\)", "result_time_to_output_token_{}"),
    (r"([\d.]+)(?:th)? percentile latency \(ns\)", "result_{}_percentile_{}latency_ns"),
    (
        r"([\d.]+)(?:th first token percentile| percentile first token) latency \(ns\)",
        "result_first_token_{}_percentile_latency_ns",
    ),
    (
        r"([\d.]+) percentile time to output token \(ns\)",
        "result_time_per_output_token_{}_percentile_ns",
    ),
)


def recognises(content: Content) -> bool:
    """Say whether this is one of the two logs of loadgen; training logs are not."""
    return content.opens(_HEADING) or content.opens(_LOG)


def read(content: Content) -> ResultFile:
    """Return the run as a reference: identity, settings and averages, and no samples."""
    return _summary(content.text()) if content.opens(_HEADING) else _detail(content.data)


def join(detail: ResultFile, summary: ResultFile) -> ResultFile:
    """Return the run of the detail log with the summary's values beside its own."""
    rows, told = detail.runs[0], summary.runs[0]
    notes = dict.fromkeys((*rows.notes, *told.notes))
    run = rows._replace(
        reported={**told.reported, **rows.reported},
        notes=tuple(notes),
        source={**rows.source, **told.source},
    )
    return ResultFile(NAME, (run,), detail.notes)


def check(run: Run) -> Iterator[Line]:
    """Yield every average: of the summary against the detail log, and else as not recomputable."""
    detail, summary = run.source.get("detail"), run.source.get("summary")
    if detail and summary:
        yield from _against(summary, detail)
    for name, value in run.reported.items():
        if detail and summary and name in summary and _key(name, summary, detail) in detail:
            continue
        if name not in ("result_validity", "Result is"):
            why = _BUG if name == "result_token_throughput" else _NO_ROWS
            yield unavailable(name, value, _definition(name, "none"), why)


def _summary(text: str) -> ResultFile:
    head, _, parameters = text.partition(_PARAMETERS)
    results, settings = _entries(head), _entries(parameters)
    if "Result is" not in results:
        raise ResultError("truncated", "the summary ends before it says whether it is VALID")
    found = _ERRORS.search(text)
    notes = list(_notes(str(results["Result is"]), int(found[1][:9]) if found else 0, ""))
    warnings = [line[9:].strip() for line in text.splitlines() if line.startswith("WARNING: ")]
    notes += [Note("tool-warning", warning) for warning in warnings]
    run = Run(
        identity={name: str(results[name]) for name in _RECORD[:1] if name in results},
        config=Settings({**{n: results[n] for n in _RECORD[1:] if n in results}, **settings}),
        samples={},
        rows=(),
        reported={name: value for name, value in results.items() if name not in _RECORD},
        notes=tuple(notes),
        source={"summary": {**settings, **results}},
    )
    return ResultFile(NAME, (run,), part="summary")


def _entries(text: str) -> dict[str, int | float | str]:
    """Return the `name : value` lines; a value printed twice must be the same twice."""
    found: dict[str, int | float | str] = {}
    for line in text.splitlines():
        matched = None if line.startswith((" *", "WARNING")) else _ENTRY.fullmatch(line)
        if not matched or not matched[2]:
            continue
        name, value = matched[1], _number(matched[2])
        if found.setdefault(name, value) != value:
            raise ResultError("duplicate-keys", f"{brief(name)} is {found[name]} and {value}")
    return found


def _number(text: str) -> int | float | str:
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def _detail(data: bytes) -> ResultFile:
    parsed = documents.parse(_PREFIX.sub(b"        ", data))
    values, errors = _collected(parsed.values)
    reported = {
        name: value
        for name, value in values.items()
        if name.startswith(("result_", "early_stopping_")) and isinstance(value, int | float | str)
    }
    if "num_errors" in values:
        reported["num_errors"] = values["num_errors"]
    apart = frozenset(
        (*reported, *_DETAIL_IDENTITY, "loadgen_file_sha1", "loadgen_git_log_message")
    )
    claimed = values.get("num_errors")
    count = max(len(errors), claimed if type(claimed) is int else 0)
    shown = "; ".join(errors[:_SHOWN])
    told = Note("log-noise", f"noise lines: {parsed.noise} (not part of any record)")
    run = Run(
        identity={n: str(v) for n, v in Settings(values, only=_DETAIL_IDENTITY).items() if v != ""},
        config=Settings(values, apart=apart),
        samples={},
        rows=(),
        reported=reported,
        notes=tuple(_notes(str(values.get("result_validity", "")), count, shown)),
        source={"detail": values},
    )
    return ResultFile(NAME, (run,), (told,) if parsed.noise else ())


def _collected(records: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """Return the value of each key, and the messages that are marked as errors."""
    values: dict[str, Any] = {}
    errors = []
    for number, record in enumerate(records):
        key, value, metadata = record.get("key"), record.get("value"), record.get("metadata")
        if not isinstance(key, str) or "value" not in record:
            raise ResultError("malformed", f"record {number} of the log has no key and value")
        if isinstance(metadata, dict) and metadata.get("is_error") is True:
            errors.append(f"{brief(key)}: {brief(value)}")
        if key.startswith("result_") and values.get(key, value) != value:
            raise ResultError("duplicate-keys", f"{brief(key)} stands twice with two values")
        if isinstance(value, int | float) and not abs(value) < _LARGEST:
            raise ResultError("not-a-number", f"{brief(key)} is {brief(value)}")
        values[key] = value
    return values, errors


def _notes(validity: str, errors: int, shown: str) -> Iterator[Note]:
    yield Note("aggregates-only", "loadgen keeps no row a sample: for reference only", ALL)
    if validity == "INVALID":
        yield Note("run-failed", "the result is INVALID", ALL)
    if errors:
        detail = f"{validity or 'a'} result with {errors} errors in the log"
        yield Note("errors-in-log", f"{detail}: {shown}" if shown else detail, ALL)


def _against(summary: Mapping[str, Any], detail: Mapping[str, Any]) -> Iterator[Line]:
    for name, value in summary.items():
        key = _key(name, summary, detail)
        if key in detail:
            yield _same(name, value, detail[key], key)


def _key(name: str, summary: Mapping[str, Any], detail: Mapping[str, Any]) -> str:
    """Return the key of the detail log that says what a line of the summary says, or ""."""
    if name in _KEYS:
        return _KEYS[name]
    query = summary.get("Scenario") == "MultiStream"
    for pattern, key in _PATTERNS:
        if matched := re.fullmatch(pattern, name, re.IGNORECASE):
            which = matched[1].lower()
            percent = f"{float(which):.2f}" if _DECIMAL.fullmatch(which) else which
            each = ("per_query_" if percent[0].isdigit() else "query_") if query else ""
            return key.format(percent, each)
    plain = re.sub(r" ?\((\w+)\)$", r"_\1", name)
    asked = re.sub(r" ?\(\w+\)$", "", name)
    candidates = (f"effective_{plain}", f"effective_{asked}", f"requested_server_{asked}")
    return next((key for key in candidates if key in detail), "")


def _same(name: str, told: object, logged: object, key: str) -> Line:
    """Compare two printings of one value, as far as the coarser of them goes."""
    definition = _definition(key, "detail-log")
    if isinstance(told, str) or isinstance(logged, str):
        yes = {"Yes": True, "NO": False}.get(str(told), told)
        verdict: Verdict = "exact" if yes == logged else "differs"
        note = "" if verdict == "exact" else f"the detail log says {brief(logged)}"
        return Line(name, str(told), None, verdict, definition, "", note)
    if not isinstance(told, int | float) or not isinstance(logged, int | float):
        return unavailable(name, told, definition, f"the detail log says {brief(logged)}")
    value = int(logged) if isinstance(logged, bool) else logged
    if isinstance(told, int) and isinstance(value, int):
        return compared(name, told, value, definition, noise=0.0)
    return _printed(name, told, value, definition)


def _printed(name: str, told: float, logged: float, definition: str) -> Line:
    try:
        agree = float(f"{told:.6g}") == float(logged) or round(float(logged), 2) == told
        near = abs(told - logged) <= 0.005 + abs(logged) * 5e-6
    except OverflowError:
        agree = near = False
    verdict: Verdict = "exact" if agree else "float-noise" if near else "differs"
    note = "" if agree else "as far as both are printed"
    return Line(name, told, logged, verdict, definition, "", note)


def _definition(name: str, rows: str) -> str:
    unit = "ns" if name.endswith(("_ns", "(ns)")) or "output_token_m" in name else "1"
    return define(NAME, name.replace("/", "-"), "value", "as-printed", rows, unit)
