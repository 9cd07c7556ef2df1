"""SGLang `bench_serving`: one JSON object a run, appended to a file of JSON Lines.

    {"tag": null, "backend": "sglang", "request_rate": Infinity, …, "server_info": {…}, "duration":
     6.54, "completed": 100, …, "mean_e2e_latency_ms": 5730.4, …, "concurrency": 87.5,
     "accept_length": null, "ttfts": [0.77, …], "itls": [[…], …], "errors": ["", …]}

Rows are there with `--output-details` only; `engine.results.requests` has the formulas. The latency
of a request is never saved, so time per output token, whole latency, `concurrency` (the sum of the
latencies over the duration) and attainment of goals about them cannot be recomputed. With
speculative decoding on the OpenAI backends the tool averages gaps that it made by retokenizing, and
saves others. Runs of several turns count no input tokens. From 0.5.22 on `input_lens` are the
server's counts where it tells them, the totals still those of the client. `request_rate` is a bare
`Infinity` where
requests are sent at once; where all failed, averages are `NaN`. Files of 2024 have fewer keys.
Source of the format: python/sglang/bench_serving.py and benchmark/serving.py, 0.3 to 0.5.23.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, brief
from engine.results.reconciliation import Line, Verdict, compared, define, unavailable
from engine.results.redaction import without_secrets
from engine.results.refusals import ALL, Note, ResultError
from engine.results.requests import LISTS, SUMMARY, TOTALS, Requests, is_number, peak
from engine.results.source_json import NonFinite

NAME = "sglang"

_IDENTITY = ("backend", "tag", "model_id", "tokenizer_id", "date")
_SERVER = ("version", "model_path", "served_model_name", "tokenizer_path", "revision")
_OPENAI = ("sglang-oai", "sglang-oai-chat")
_ENDS = re.compile(r"(?:min|max)_\w+_ms")
_INPUT = ("total_input_tokens", "input_throughput", "total_throughput")
_RETOKENIZED = "made from retokenized gaps, which are not saved"
_BY_SERVER = "the rows have the server's count of the input, this is the client's"
_UNSAVED = {
    "total_input_text_tokens": "the rows do not tell text from images",
    "total_input_vision_tokens": "the rows do not tell text from images",
    "total_output_tokens_retokenized": "needs the tokenizer",
    "output_throughput_retokenized": "needs the tokenizer",
    "total_throughput_retokenized": "needs the tokenizer",
    "concurrency": "latency is not in the file; ttft + sum(itl) comes close",
    "accept_length": "measured by the server",
    "max_output_tokens_per_s": "the start of each request is not in the file",
    "max_concurrent_requests": "the start of each request is not in the file",
    "request_goodput": "latency is not in the file",
    "slo_attainment": "latency is not in the file",
}
_GROUPS = ("slo_attainment_by_metric", "cache_report")
_RESULTS = frozenset((*TOTALS, *_UNSAVED, *_GROUPS))


def recognises(content: Content) -> bool:
    """Say whether the first object has what only this client counts or names."""
    return content.has("duration", "completed") and (
        content.has("total_output_tokens_retokenized") or content.has("median_e2e_latency_ms")
    )


def read(content: Content) -> ResultFile:
    """Return one run for each object in the file."""
    records = content.documents.values
    runs = tuple(_run(record, number) for number, record in enumerate(records))
    notes = []
    if len(records) > 1:
        notes.append(Note("several-runs", f"{len(records)} runs in one file, one after the other"))
    if content.documents.noise:
        detail = f"noise lines: {content.documents.noise} (not part of any record)"
        notes.append(Note("log-noise", detail))
    return ResultFile(NAME, runs, tuple(notes))


def check(run: Run) -> Iterator[Line]:
    """Yield each average against the same from its rows."""
    requests: Requests = run.source
    if why := _why_not(requests):
        for name, value in _printed(requests.record):
            yield unavailable(name, value, _definition(name), why)
        return
    for line in requests.check():
        if requests.record[line.metric] is not None:
            yield _explained(line, requests)
    for name, value in _printed(requests.record):
        if name not in TOTALS and SUMMARY.fullmatch(name) is None:
            yield _other(name, value, requests)


def _run(record: Mapping[str, Any], number: int) -> Run:
    try:
        return _checked_run(record)
    except ResultError as error:
        raise ResultError(error.name, f"run {number}: {error.detail}") from error


def _checked_run(record: Mapping[str, Any]) -> Run:
    _require_results(record)
    requests = Requests("sglang-serve", record)
    reported = {name: record[name] for name in record if _is_result(name)}
    open_record, secrets = without_secrets(record)
    return Run(
        identity=_identity(record),
        config=Settings(open_record, apart=frozenset((*LISTS, *_IDENTITY, *reported))),
        samples=requests.samples() if requests.sent else {},
        rows=requests.rows(),
        reported=reported,
        notes=(*_notes(record, requests), *secrets),
        source=requests,
    )


def _require_results(record: Mapping[str, Any]) -> None:
    """Refuse text and NaN where a number is claimed; where all requests failed, none is."""
    if not ("completed" in record and "duration" in record):
        raise ResultError("malformed", "completed or duration is missing: no run of bench_serving")
    if record["completed"] == 0:
        return
    for name, value in record.items():
        claimed = name in TOTALS or name in _UNSAVED or SUMMARY.fullmatch(name)
        if claimed and value is not None and not is_number(value):
            raise ResultError("not-a-number", f"{name} is {brief(value)}, which is no number")


def _is_result(name: str) -> bool:
    return name in _RESULTS or bool(SUMMARY.fullmatch(name) or _ENDS.fullmatch(name))


def _identity(record: Mapping[str, Any]) -> dict[str, str]:
    found = {name: record[name] for name in _IDENTITY if name in record}
    server = record.get("server_info")
    if isinstance(server, dict) and isinstance(server.get("decode"), list):
        server = next(iter(server["decode"]), None)
    if isinstance(server, dict):
        found |= {name: server[name] for name in _SERVER if name in server}
    return {name: value for name, value in found.items() if isinstance(value, str)}


def _notes(record: Mapping[str, Any], requests: Requests) -> Iterator[Note]:
    rate = record.get("request_rate")
    if isinstance(rate, NonFinite):
        yield Note("not-json", f"request_rate is {rate}, which JSON does not have")
    yield from peak(record)
    completed, claimed = record["completed"], record.get("num_prompts")
    if completed == 0:
        yield Note("all-requests-failed", "no request succeeded: 0.0 and NaN mean missing", ALL)
    elif "ttfts" not in record:
        detail = "no rows: run sglang.bench_serving with --output-details"
        yield Note("aggregates-only", detail, ALL)
    elif not requests.sent:
        yield Note("no-rows", f"{completed} requests completed and the lists are empty", ALL)
    else:
        counts = [count for count in (completed, claimed) if is_number(count)]
        yield from requests.notes(max(counts, default=0))
        yield from _token_notes(requests)


def _token_notes(requests: Requests) -> Iterator[Note]:
    record = requests.record
    accepted = record.get("accept_length")
    if is_number(accepted) and accepted > 1:
        detail = f"accept_length {accepted}: the saved itls may not be the ones that were averaged"
        yield Note("itl-retokenized", detail)
    asked, sent = record.get("total_input_tokens"), sum(requests.kept("input_lens"))
    if is_number(asked) and asked and sent != asked and "p95_ttft_ms" in record:
        yield Note("token-counts-apart", f"{asked} input tokens in total, {sent} in the rows")
    counted, again = record.get("total_output_tokens"), record.get(_AGAIN)
    if is_number(counted) and is_number(again) and abs(again - counted) > 0.1 * counted:
        detail = f"{counted} output tokens, {again} when their text is tokenized again"
        yield Note("token-counts-apart", detail)


_AGAIN = "total_output_tokens_retokenized"


def _why_not(requests: Requests) -> str:
    completed = requests.record["completed"]
    if not requests.sent:
        return "there are no rows"
    if completed == 0 or not requests.ok:
        return "no request succeeded"
    if is_number(completed) and completed > requests.sent:
        return f"{requests.sent} of {completed} rows are in the file"
    return ""


def _printed(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every aggregate with its name, those in groups under dotted names; null is absent."""
    for name, value in record.items():
        if name in _GROUPS and isinstance(value, dict):
            for inner, number in value.items():
                if is_number(number):
                    yield f"{name}.{inner}", number
        elif _is_result(name) and name not in ("duration", *_GROUPS) and value is not None:
            yield name, value


def _definition(name: str) -> str:
    matched = SUMMARY.fullmatch(name)
    quantity, statistic = (matched[2], matched[1]) if matched else (name, "value")
    return define("sglang-serve", quantity, statistic, "unknown", "none", "ms" if matched else "1")


def _explained(line: Line, requests: Requests) -> Line:
    """Return the line with what is known of the tool where its number is not that of the rows."""
    record = requests.record
    if line.verdict not in ("differs", "float-noise", "rows-incomplete"):
        return line
    if line.about == "itl_ms" and record.get("accept_length") and record.get("backend") in _OPENAI:
        return unavailable(
            line.metric, line.reported, line.definition, _RETOKENIZED, line.recomputed
        )
    if line.metric in _INPUT and record.get("total_input_tokens") == 0:
        output = sum(record["output_lens"]) / record["duration"] if record["duration"] else None
        if line.reported == (output if line.metric == "total_throughput" else 0):
            bug: Verdict = "known-tool-bug"
            return line._replace(verdict=bug, note="runs of several turns count no input tokens")
    if line.metric in _INPUT and line.reported == _by_client(line.metric, record):
        return unavailable(line.metric, line.reported, line.definition, _BY_SERVER, line.recomputed)
    return line


def _by_client(metric: str, record: Mapping[str, Any]) -> float | None:
    """Return a figure as it follows from the client's own count of the input, of newer files."""
    asked, duration = record.get("total_input_tokens"), record["duration"]
    if not (is_number(asked) and is_number(duration) and duration > 0 and "p95_ttft_ms" in record):
        return None
    if metric == "total_input_tokens":
        return float(asked)
    given = sum(record["output_lens"]) if metric == "total_throughput" else 0
    return float((asked + given) / duration)


def _other(name: str, value: Any, requests: Requests) -> Line:
    """Return the line of an aggregate that vLLM does not have."""
    if _ENDS.fullmatch(name):
        return _end(name, value, requests)
    if name.startswith("cache_report."):
        return _cached(name, value, requests)
    if name == "slo_attainment_by_metric.ttft":
        return _attained(name, value, requests)
    guess = None
    duration = requests.record["duration"]
    if name == "concurrency" and is_number(duration) and duration > 0:
        guess = sum(requests.latencies) / duration
    why = _UNSAVED.get(name, "latency is not in the file")
    return unavailable(name, value, _definition(name), why, guess)


def _end(name: str, value: Any, requests: Requests) -> Line:
    """Compare the smallest or largest gap or time to a first token."""
    statistic, quantity = name.removesuffix("_ms").split("_", 1)
    values = {"itl": requests.gaps, "ttft": requests.kept("ttfts")}.get(quantity)
    definition = define("sglang-serve", quantity, statistic, "exact", "ok", "ms")
    if not values:
        return unavailable(name, value, definition, f"no rows of {quantity}")
    end = (min(values) if statistic == "min" else max(values)) * 1000
    return compared(name, value, end, definition, f"{quantity}_ms")


def _cached(name: str, value: Any, requests: Requests) -> Line:
    """Compare the counts of cached tokens, where each request kept its own."""
    definition = define("sglang-serve", name, "value", "exact", "ok", "1")
    asked = sum(requests.kept("input_lens"))
    if name == "cache_report.total_prompt_tokens":
        return compared(name, value, asked, definition)
    counts = requests.kept("cached_tokens") if "cached_tokens" in requests.record else [None]
    if not all(map(is_number, counts)):
        return unavailable(name, value, definition, "the cached tokens of each request are missing")
    if name == "cache_report.total_cached_tokens":
        return compared(name, value, sum(counts), definition)
    if name == "cache_report.cache_hit_rate_pct":
        rate = round(sum(counts) / asked * 100, 2) if asked > 0 else 0.0
        return compared(name, value, rate, definition)
    return unavailable(name, value, definition, "the rows do not tell where tokens were cached")


def _attained(name: str, value: Any, requests: Requests) -> Line:
    """Compare the share of all requests whose time to the first token met its goal."""
    definition = define("sglang-serve", name, "share", "exact", "sent", "1")
    goals = requests.record.get("goodput_slos_ms")
    goal = goals.get("ttft") if isinstance(goals, dict) else None
    if not is_number(goal):
        return unavailable(name, value, definition, "goodput_slos_ms does not have its goal")
    met = sum(first * 1000 <= goal for first in requests.kept("ttfts"))
    return compared(name, value, met / requests.sent, definition)
