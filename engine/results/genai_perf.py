"""NVIDIA GenAI-Perf, before AIPerf: what Perf Analyzer recorded, and the summary made of it.

    profile_export.json             {"service_kind": "openai", "endpoint": "v1/chat/completions",
     "experiments": [{"experiment": {"mode": "concurrency", "value": 1}, "requests": [
      {"timestamp": 1700000000000000000, "request_inputs": {…}, "response_timestamps": [ns, …],
       "response_outputs": [{"response": "data: {…}"}, …]}, …]}], …}                  part "rows"
    profile_export_genai_perf.json  {"request_latency": {"unit": "ms", "avg": …}, …,
     "input_config": {…}}                                                            part "summary"

Times are nanoseconds since 1970. A response of OpenAI's kind counts only if it carries text, so
that the first token is the first text and an end without text is no time; requests without any text
are left out of every time, though `request_throughput` counts them. Statistics are numpy's over ns,
times 1e-06. Tokens are counted by a tokenizer of the client, which is not here: what is made from
them cannot be recomputed. Source of the format: genai_perf 0.0.16.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from engine.results import aiperf_summary
from engine.results.aiperf_arithmetic import Series
from engine.results.aiperf_summary import Aggregate, claimed
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Settings, Table, brief
from engine.results.reconciliation import Line, compared, counted, define, unavailable
from engine.results.redaction import without_secrets
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.results.requests import is_number
from engine.samples import Column

NAME = "genai-perf"

_MS = Fraction(1, 10**6)
_PLAIN = ("rerank", "v1/embeddings", "v1/ranking", "v1/infer")
_METRICS = ("request_latency", "time_to_first_token", "request_throughput", "request_count")
_ABOUT = {"request_latency": "e2e_ms", "time_to_first_token": "ttft_ms"}
_CONVENTIONS = {"avg": "pairwise", "std": "ddof0", "min": "exact", "max": "exact"}
_NO_ROWS = Note("aggregates-only", "no rows: give profile_export.json of the run too", ALL)

Times = tuple[int, list[int]]
"""When a request was sent and when each piece of its text came, in ns."""


def recognises(content: Content) -> bool:
    """Say whether the first object is a recording of Perf Analyzer or the summary of one."""
    return content.has("experiments", "service_kind") or _is_summary(content.first)


def read(content: Content) -> ResultFile:
    """Return one run for each experiment, or the one run of a summary."""
    if len(content.documents.values) > 1:
        raise ResultError("malformed", "several documents in one file")
    if _is_summary(content.first):
        return _summary(content.first)
    experiments = content.first["experiments"]
    if not isinstance(experiments, list) or not experiments:
        raise ResultError("no-rows", "the file holds no experiment")
    return ResultFile(NAME, tuple(_run(content.first, one) for one in experiments))


def join(rows: ResultFile, summary: ResultFile) -> ResultFile:
    """Return the run of the recording with the summary's setup and aggregates."""
    if len(rows.runs) != 1:
        raise ResultError(
            "not-results", f"one summary does not tell which of {len(rows.runs)} runs"
        )
    measured, told = rows.runs[0], summary.runs[0]
    times, printed = measured.source[0], told.source[1]
    others = [note for note in told.notes if note is not _NO_ROWS]
    run = measured._replace(
        config={**measured.config, **told.config},
        reported=told.reported,
        notes=(*measured.notes, *_coverage(times, printed), *others),
        source=(times, printed),
    )
    return ResultFile(NAME, (run,), rows.notes)


def check(run: Run) -> Iterator[Line]:
    """Yield each aggregate of the summary against the same from the recording."""
    times, printed = run.source
    if printed is None:
        return
    whole = [(sent, came) for sent, came in times or () if came]
    count = claimed(printed, "request_count")
    for one in aiperf_summary.aggregates(printed):
        if times is None:
            yield _unknown(one, "the recording is in another file")
        elif len(whole) < count and one.name != "request_count":
            yield _unknown(one, f"{len(whole)} of {count} requests are in the recording")
        else:
            yield _line(one, whole, len(times))


def _is_summary(first: Mapping[str, Any]) -> bool:
    known = any(isinstance(first.get(name), dict) and "unit" in first[name] for name in _METRICS)
    return "input_config" in first and known


def _summary(printed: Mapping[str, Any]) -> ResultFile:
    setup = printed["input_config"]
    config, secrets = without_secrets(setup if isinstance(setup, dict) else {})
    run = Run(
        identity={},
        config=Settings(config),
        samples={},
        rows=(),
        reported={one.metric: one.value for one in aiperf_summary.aggregates(printed)},
        notes=(_NO_ROWS, *secrets),
        source=(None, printed),
    )
    return ResultFile(NAME, (run,), part="summary")


def _run(record: Mapping[str, Any], experiment: Any) -> Run:
    requests = experiment.get("requests") if isinstance(experiment, dict) else None
    if not isinstance(requests, list) or not requests:
        raise ResultError("no-rows", "an experiment has no requests")
    plain = record["service_kind"] != "openai" or record.get("endpoint") in _PLAIN
    times = [_times(request, plain=plain) for request in requests]
    whole = [(sent, came) for sent, came in times if came]
    setup = experiment.get("experiment")
    return Run(
        identity={n: record[n] for n in ("version",) if isinstance(record.get(n), str)},
        config=Settings({**record, **(setup if isinstance(setup, dict) else {})}),
        samples=_samples(whole),
        rows=Table(
            {
                "status": ["ok" if came else "failed" for _, came in times],
                "timestamp": [sent for sent, _ in times],
                "response_timestamps": [came for _, came in times],
            },
            len(times),
        ),
        notes=tuple(_notes(len(whole), len(times))),
        source=(times, None),
    )


def _notes(kept: int, sent: int) -> Iterator[Note]:
    if not kept:
        yield Note("all-requests-failed", f"none of {sent} requests gave any text", ALL)
    elif kept < sent:
        detail = f"{sent - kept} of {sent} requests gave no text"
        yield Note("failed-rows", detail, ALL, EXCLUDE_FAILED)


def _coverage(times: Sequence[Times], printed: Mapping[str, Any]) -> Iterator[Note]:
    kept, count = sum(bool(came) for _, came in times), claimed(printed, "request_count")
    if kept < count:
        yield Note("rows-incomplete", f"{kept} of {count} requests are in the recording", ALL)


def _samples(whole: Sequence[Times]) -> dict[str, Column]:
    """Return the times of each request with text; a first token only where text was streamed."""
    if not whole:
        return {}
    found = {"e2e_ms": Column([came[-1] - sent for sent, came in whole], _MS)}
    gaps = [after - before for _, came in whole for before, after in pairwise(came)]
    if gaps:
        found["ttft_ms"] = Column([came[0] - sent for sent, came in whole], _MS)
        found["itl_ms"] = Column(gaps, _MS)
    if (spent := _spent(whole)) > 0:
        found["requests_per_s"] = Column([spent], len(whole) * 10**9, inverse=True)
    return found


def _spent(whole: Sequence[Times]) -> int:
    return max(came[-1] for _, came in whole) - min(sent for sent, _ in whole)


def _times(request: Any, *, plain: bool) -> Times:
    """Return when a request was sent and when its text came; raises `ResultError`."""
    if not isinstance(request, dict):
        raise ResultError("malformed", f"{brief(request)} is no request")
    sent: Any = request.get("timestamp")
    came = request.get("response_timestamps")
    outputs = request.get("response_outputs")
    if not isinstance(came, list) or not isinstance(outputs, list) or len(came) != len(outputs):
        raise ResultError("rows-inconsistent", "a request has not one time for each response")
    before = 0
    for one in (sent, *came):
        if type(one) is not int or not before <= one < 2**63:
            raise ResultError("not-a-number", f"{brief(one)} is no time in ns after the one before")
        before = one
    texts = [_text(output) for output in outputs]
    kept = (
        came
        if plain
        else [at for at, text in zip(came, _mended(texts), strict=True) if _says(text)]
    )
    return sent, kept


def _text(output: Any) -> str:
    response = output.get("response") if isinstance(output, dict) else None
    return response if isinstance(response, str) else ""


def _mended(texts: Sequence[str]) -> list[str]:
    """Return the responses with each splinter of an event put back to the event before it."""
    mended = list(texts)
    for at in reversed(range(1, len(mended))):
        text = mended[at]
        if not _is_comment(text) and not text.startswith("data: "):
            place = text.find("data: ")
            head, mended[at] = (text, "") if place < 0 else (text[:place], text[place:])
            mended[at - 1] += head
    return mended


def _is_comment(text: str) -> bool:
    return text.startswith((":", "event:", "id:", "retry:"))


def _says(text: str) -> bool:
    """Say whether a response carries text: any of its events does."""
    return any(_event_says(event.strip()) for event in text.strip().split("\n\n"))


def _event_says(event: str) -> bool:
    body = event.removeprefix("data:").strip()
    if not body or _is_comment(event) or body == "[DONE]":
        return False
    try:
        return bool(_content(json.loads(body)))
    except (ValueError, RecursionError) as error:
        raise ResultError("malformed", f"a response is not JSON: {brief(body)}") from error


def _content(data: Any) -> Any:
    """Return the text in an event of one of the known kinds."""
    data = data[0] if isinstance(data, list) and data else data
    if not isinstance(data, dict):
        return None
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else {}
    inner = choice.get("delta", choice.get("message")) if isinstance(choice, dict) else None
    if isinstance(inner, dict):
        return inner.get("content")
    text = choice.get("text") if isinstance(choice, dict) else None
    return text or data.get("text_output") or data.get("generated_text")


def _unknown(one: Aggregate, why: str) -> Line:
    definition = define(NAME, one.name, one.statistic, "unknown", "none", one.unit)
    return unavailable(one.metric, one.value, definition, why)


def _line(one: Aggregate, whole: Sequence[Times], sent: int) -> Line:
    """Compare an aggregate with the same over the requests with text, of all that were sent."""
    convention = _CONVENTIONS.get(one.statistic, "linear")
    definition = define(NAME, one.name, one.statistic, convention, "with-text", one.unit)
    if one.name == "request_count" and is_number(one.value):
        return counted(one.metric, int(one.value), len(whole), definition)
    if one.name == "request_throughput" and whole and (spent := _spent(whole)) > 0:
        rate = sent / (spent / 1e9)
        return compared(one.metric, one.value, rate, definition, "requests_per_s")
    values = _values(one.name, whole)
    first = next(Series(values, 1 / 1e6).statistics(one.statistic), None) if values else None
    if first is None or one.unit != "ms":
        return _unknown(one, "needs the tokenizer of the client")
    return compared(one.metric, one.value, first, definition, _ABOUT.get(one.name, ""))


def _values(name: str, whole: Sequence[Times]) -> list[int]:
    """Return a time of each request with text, in ns; none for another metric."""
    if name == "request_latency":
        return [came[-1] - sent for sent, came in whole]
    if name == "time_to_first_token":
        return [came[0] - sent for sent, came in whole]
    if name == "time_to_second_token":
        return [came[1] - came[0] for _, came in whole if len(came) > 1]
    return []
