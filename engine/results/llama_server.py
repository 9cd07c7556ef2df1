"""llama.cpp `llama-server`: the `timings` of its responses, in streams, JSON or JSON Lines.

    data: {"choices": […], "id": "chatcmpl-1", "system_fingerprint": "b5517-1e8659e6", …,
           "timings": {"prompt_n": 13, "prompt_ms": 250.0, …, "prompt_per_second": 52.0,
                       "predicted_n": 50, "predicted_ms": 625.0, …, "predicted_per_second": 80.0}}

Every response is one row; responses of the same build and model are one run. With
`timings_per_token` each chunk of a stream has the timings so far, and the last one counts.
`prompt_n` counts only the tokens that were computed; those from the cache are `cache_n` (newer
builds), or what `tokens_evaluated` and `usage` have more. `predicted_ms` runs from the first token
to the last, but `predicted_n` counts the first one too: the tool's rate is of n tokens in the time
of n - 1. That is `server_decode_tok_s`; predicted_ms / (n - 1) is `tpot_ms`.

The tool's doubles are recomputed in its own order, 1e3 / ms * n and ms / n; n = 0 gives null.
Source of the format: tools/server, `result_timings` and `get_timings`, 2023 to 2026.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.results import documents
from engine.results.content import Content
from engine.results.documents import Documents
from engine.results.model import MAX_SAMPLES, ResultFile, Run, Settings, Status, brief
from engine.results.reconciliation import Line, compared, define, unavailable
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.samples import Column

NAME = "llama-server"

_TIMINGS = ("prompt_ms", "prompt_per_second", "predicted_n", "predicted_ms")
_EVENT = re.compile(rb"^data:(?=[ \t]*\{)", re.MULTILINE)
_MARK = re.compile(rb'"prompt_per_second"\s*:')
_COUNTS = ("prompt_n", "predicted_n", "cache_n", "draft_n", "draft_n_accepted")
_PARTS = (
    ("prompt", "", "prefill_tok_s"),
    ("predicted", "server_token_ms", "server_decode_tok_s"),
)
_LARGEST = 10**12
_MEASURED = frozenset(("prompt", "content", "timings", "tokens", "choices"))


@dataclass(slots=True)
class _Response:
    """What came back for one request: its last document with timings, or its last document."""

    last: Mapping[str, Any]
    timings: Mapping[str, Any] = field(default_factory=dict)
    status: Status = "incomplete"

    def take(self, document: Mapping[str, Any]) -> None:
        found = _timings(document)
        if document.get("error"):
            self.status = "failed"
        elif found is not None and self.status != "failed":
            self.status, self.timings = "ok", found
        self.last = {**self.last, **{n: v for n, v in document.items() if v is not None}}


def recognises(content: Content) -> bool:
    """Say whether a response with timings is in the file."""
    if not _MARK.search(content.data):
        return False
    return any(_timings(one) is not None for one in _parsed(content).values)


def read(content: Content) -> ResultFile:
    """Return one run for each build and model; raises `ResultError` that names the response."""
    found = _parsed(content)
    ours = [one for one in found.values if _is_response(one)]
    responses = _responses(ours, streamed=_EVENT.search(content.data) is not None)
    if len(responses) > MAX_SAMPLES:
        raise ResultError("too-large", f"{len(responses)} responses are over {MAX_SAMPLES}")
    for number, response in enumerate(responses):
        try:
            _require(response.timings)
        except ResultError as error:
            raise error.at(f"response {number}") from error
    others = len(found.values) - len(ours)
    told = Note("log-noise", f"{others} JSON objects are no responses")
    notes = (*_repeated(ours, streamed=len(responses) < len(ours)), *((told,) if others else ()))
    return ResultFile(NAME, tuple(_run(group) for group in _grouped(responses)), notes)


def check(run: Run) -> Iterator[Line]:
    """Yield every rate and time per token of every response against the same from n and ms."""
    responses: Sequence[_Response] = run.source
    for number, response in enumerate(responses):
        prefix = f"row{number}." if len(responses) > 1 else ""
        for line in (*_lines(response.timings), *_usage(response)):
            yield line._replace(metric=prefix + line.metric)


def _parsed(content: Content) -> Documents:
    """Return the JSON objects, those after `data:` included, with their lines kept."""
    if not _EVENT.search(content.data):
        return content.documents
    return documents.parse(_EVENT.sub(b"     ", content.data))


def _timings(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    inner = document.get("response")
    for holder in (document, inner if isinstance(inner, dict) else {}):
        for found in (holder.get("timings"), holder):
            if isinstance(found, dict) and all(name in found for name in _TIMINGS):
                return found
    return None


def _is_response(document: Mapping[str, Any]) -> bool:
    known = ("choices",), ("content", "stop"), ("error",)
    if any(all(name in document for name in names) for names in known):
        return True
    return _timings(document) is not None


def _responses(found: Iterable[Mapping[str, Any]], *, streamed: bool) -> list[_Response]:
    """Put the chunks of each response together: by id, and where there is none by `stop`."""
    responses: list[_Response] = []
    by_id: dict[str, _Response] = {}
    open_one: _Response | None = None
    for document in found:
        name = document.get("id")
        if isinstance(name, str) and (streamed or _is_chunk(document)):
            response = by_id.get(name)
        else:
            name, response = None, open_one
        if response is None:
            response = _Response({})
            responses.append(response)
        response.take(document)
        if name is not None:
            by_id[name] = response
        else:
            open_one = response if document.get("stop") is False else None
    return responses


def _is_chunk(document: Mapping[str, Any]) -> bool:
    kind = document.get("object")
    return isinstance(kind, str) and kind.endswith(".chunk")


def _repeated(found: Sequence[Mapping[str, Any]], *, streamed: bool) -> Iterator[Note]:
    names = [one["id"] for one in found if isinstance(one.get("id"), str)]
    if not streamed and len(set(names)) < len(names):
        yield Note("repeated-rows", "one response id stands in the file twice", ALL)


def _require(timings: Mapping[str, Any]) -> None:
    for name in _COUNTS:
        value = timings.get(name, 0)
        if type(value) is not int or not 0 <= value < _LARGEST:
            raise ResultError("not-a-number", f"{name} is {brief(value)}, not a count of tokens")
    for part in ("prompt", "predicted"):
        count, value = timings.get(f"{part}_n", 0), timings.get(f"{part}_ms", 0)
        if type(value) not in (int, float) or not 0 <= value < _LARGEST:
            raise ResultError("not-a-number", f"{part}_ms is {brief(value)}, not a time")
        if count > 1 and value == 0:
            raise ResultError("zero-is-missing", f"{part}_ms is 0 for {count} tokens")


def _grouped(responses: Iterable[_Response]) -> list[list[_Response]]:
    """Part the responses by build and model; one that failed nameless stays with its neighbour."""
    groups: dict[tuple[tuple[str, str], ...], list[_Response]] = {}
    nameless: list[_Response] = []
    key: tuple[tuple[str, str], ...] | None = None
    for response in responses:
        named = tuple(_identity(response).items())
        if named or response.status == "ok":
            key = named
        if key is None:
            nameless.append(response)
        else:
            groups.setdefault(key, []).extend([*nameless, response])
            nameless = []
    return [*groups.values(), *([nameless] if nameless else [])]


def _identity(response: _Response) -> dict[str, str]:
    inner = response.last.get("response")
    holder = {**(inner if isinstance(inner, dict) else {}), **response.last}
    named = {"build": holder.get("system_fingerprint"), "model": holder.get("model")}
    return {name: value for name, value in named.items() if isinstance(value, str)}


def _run(responses: Sequence[_Response]) -> Run:
    good = [response for response in responses if response.status == "ok"]
    settings = [Settings(_config(response)) for response in good]
    return Run(
        identity=_identity(responses[0]),
        config={
            name: value
            for name, value in (settings[0] if settings else {}).items()
            if all(other.get(name) == value for other in settings)
        },
        samples=_samples([response.timings for response in good]),
        rows=tuple({**one.timings, "status": one.status} for one in responses),
        reported=dict(good[0].timings) if len(good) == 1 else {},
        notes=tuple(_notes(responses, good)),
        source=good,
    )


def _config(response: _Response) -> dict[str, Any]:
    settings = response.last.get("generation_settings")
    kept = settings if isinstance(settings, dict) else {}
    counts = {name: response.timings[name] for name in _COUNTS if name in response.timings}
    return {name: value for name, value in kept.items() if name not in _MEASURED} | counts


def _samples(all_timings: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    prompts = [(t["prompt_n"], t["prompt_ms"]) for t in all_timings if t.get("prompt_n")]
    prompts = [(n, ms) for n, ms in prompts if ms]
    outputs = [(t["predicted_n"], t["predicted_ms"]) for t in all_timings if t["predicted_n"] > 1]
    times = [ms for _, ms in prompts]
    found = {
        "prefill_ms": Column(times),
        "ttft_ms": Column(times),
        "prefill_tok_s": Column([Fraction(ms) / n for n, ms in prompts], 1000, inverse=True),
        "decode_ms": Column([ms for _, ms in outputs]),
        "tpot_ms": Column([Fraction(ms) / (n - 1) for n, ms in outputs]),
        "server_token_ms": Column([Fraction(ms) / n for n, ms in outputs]),
        "server_decode_tok_s": Column([Fraction(ms) / n for n, ms in outputs], 1000, inverse=True),
    }
    return {name: column for name, column in found.items() if len(column)}


def _notes(responses: Sequence[_Response], good: Sequence[_Response]) -> Iterator[Note]:
    lost = len(responses) - len(good)
    if not good:
        yield Note("all-requests-failed", f"none of {lost} responses has timings", ALL)
        return
    if lost:
        detail = f"{lost} of {len(responses)} responses failed"
        yield Note("failed-rows", detail, ALL, EXCLUDE_FAILED)
    if len(good) == 1:
        yield Note("not-a-distribution", "single response: no spread")
    if cached := sum(_cached(response) > 0 for response in good):
        detail = f"{cached} of {len(good)} prompts came partly from the cache: prompt_n is the rest"
        yield Note("cached-prompt", detail)
    if short := sum(response.timings["predicted_n"] < 2 for response in good):
        yield Note("nothing-decoded", f"{short} of {len(good)} responses have under two tokens")


def _cached(response: _Response) -> int:
    """Return how many tokens of the prompt were not computed, as far as the file tells."""
    timings, usage = response.timings, response.last.get("usage")
    if "cache_n" in timings:
        return int(timings["cache_n"])
    asked = response.last.get("tokens_evaluated")
    if isinstance(usage, dict):
        asked = usage.get("prompt_tokens", asked)
    return asked - timings["prompt_n"] if type(asked) is int and "prompt_n" in timings else 0


def _lines(timings: Mapping[str, Any]) -> Iterator[Line]:
    for part, time_metric, rate_metric in _PARTS:
        count, time = timings.get(f"{part}_n"), timings[f"{part}_ms"]
        quantities = (
            ("per_token_ms", "ms", time_metric),
            ("per_second", "tok/s", rate_metric),
        )
        for name, unit, about in quantities:
            key = f"{part}_{name}"
            if key in timings:
                definition = define(NAME, key, "ratio", "double", "one", unit)
                yield _line(key, timings[key], count, time, definition, about)


def _line(
    key: str, reported: object, count: int | None, time: float, definition: str, about: str
) -> Line:
    if not count or not time:
        return unavailable(key, reported, definition, "there are no tokens or there is no time")
    value = 1e3 / time * count if key.endswith("per_second") else time / count
    return compared(key, reported, value, definition, about if count > 1 else "")


def _usage(response: _Response) -> Iterator[Line]:
    """Yield the counts for the client; without `cache_n` a longer prompt cannot be confirmed."""
    usage, timings = response.last.get("usage"), response.timings
    if not isinstance(usage, dict):
        return
    made, asked = timings["predicted_n"], timings.get("prompt_n", 0) + timings.get("cache_n", 0)
    known = {"completion_tokens": made, "prompt_tokens": asked, "total_tokens": asked + made}
    for name, value in known.items():
        if type(usage.get(name)) is not int:
            continue
        definition = define(NAME, f"usage.{name}", "count", "exact", "one", "1")
        if usage[name] > value and name != "completion_tokens" and "cache_n" not in timings:
            why = "cache_n is not in the file: how many tokens came from the cache is unknown"
            yield unavailable(f"usage.{name}", usage[name], definition, why)
        else:
            yield compared(f"usage.{name}", usage[name], value, definition, noise=0)
