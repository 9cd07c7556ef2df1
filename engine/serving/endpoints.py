"""What is said on the wire: the request of each endpoint, and what its events mean.

    /completion             {"content":" w448","tokens":[448],"tokens_predicted":1,"stop":false}
    /v1/completions         {"choices":[{"text":" w448","finish_reason":null}]}
    /v1/chat/completions    {"choices":[{"delta":{"content":" w448"},"finish_reason":null}]}

A *piece* is an event that carries output. How many tokens there were up to a piece is told by
`tokens_predicted`, by `timings` of every chunk (llama.cpp) or by `usage` of every chunk (vLLM), and
by nothing else: a chunk is not a token. Ids come as `tokens` or `token_ids`.
Sources: llama.cpp tools/server README; vLLM, OpenAI-compatible server.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.results.stream_lines import MAX_PIECES
from engine.serving.asked import Asked, Endpoint
from engine.serving.faults import FaultError

_END = "[DONE]"
_OPENAI = {
    "ignore_eos": True,
    "cache_prompt": False,
    "return_token_ids": True,
    "timings_per_token": True,
    "stream_options": {"include_usage": True, "continuous_usage_stats": True},
}
_LLAMA = {"ignore_eos": True, "cache_prompt": False, "return_tokens": True}
_MAX_COUNT = 2**40


@dataclass(slots=True)
class Reading:
    """What a whole stream said: its pieces, and the server's own counts and times."""

    piece_ns: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    ids: list[list[int] | None] = field(default_factory=list)
    running: list[int | None] = field(default_factory=list)
    told: dict[str, Any] = field(default_factory=dict)
    """`prompt_tokens`, `cached_tokens`, `output_tokens`, `finish`, `timings`: those that came."""
    settings: dict[str, Any] = field(default_factory=dict)
    ended: bool = False

    def facts(self) -> dict[str, Any]:
        """Return the fields of a row; what the server did not say is left out."""
        found = {"piece_ns": self.piece_ns, "text": self.text, **self.told}
        if self.ids and None not in self.ids:
            found["piece_ids"] = self.ids
        if counts := _differences(self.running):
            found["piece_tokens"] = counts
        return found


def body(asked: Asked, prompt: tuple[int, ...] | str, output_tokens: int) -> dict[str, Any]:
    """Return the request for `output_tokens` tokens after `prompt`."""
    whole = prompt if isinstance(prompt, str) else list(prompt)
    return {**_asking(asked.endpoint, whole, output_tokens), **_named(asked), **asked.fields}


def settings(asked: Asked) -> dict[str, Any]:
    """Return the request as it is described in a file: without the prompt."""
    whole = body(asked, asked.fixture.prompt, asked.output_tokens)
    return {name: value for name, value in whole.items() if name not in ("prompt", "messages")}


def understand(endpoint: Endpoint, events: Sequence[tuple[int, str]]) -> Reading:
    """Return what the events say; raises `FaultError` for one that says anything else."""
    reading = Reading()
    for at, data in events:
        if data == _END:
            reading.ended = True
            continue
        event = _parsed(data)
        try:
            if endpoint == "completion":
                _llama(reading, at, event)
            else:
                _openai(reading, at, event)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FaultError("malformed-stream", f"an event is not understood: {error}") from error
    return reading


def _named(asked: Asked) -> dict[str, str]:
    return {"model": asked.model} if asked.model else {}


def _asking(endpoint: Endpoint, prompt: Any, output_tokens: int) -> dict[str, Any]:
    # Greedy; a seed so that no server draws one.
    common = {"stream": True, "temperature": 0, "seed": 0}
    if endpoint == "completion":
        return {**common, **_LLAMA, "prompt": prompt, "n_predict": output_tokens}
    asking = {**common, **_OPENAI, "max_tokens": output_tokens}
    if endpoint == "completions":
        return {**asking, "prompt": prompt}
    return {**asking, "messages": [{"role": "user", "content": prompt}]}


def _parsed(data: str) -> dict[str, Any]:
    try:
        event = json.loads(data, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise FaultError("malformed-stream", f"an event is no JSON: {data[:80]!r}") from error
    if not isinstance(event, dict):
        raise FaultError("malformed-stream", f"an event is no object: {data[:80]!r}")
    if event.get("error"):
        raise FaultError("http-error", f"the stream says {json.dumps(event['error'])[:200]}")
    return event


def _llama(reading: Reading, at: int, event: Mapping[str, Any]) -> None:
    if event.get("stop") is True:
        reading.ended = True
        reading.told["output_tokens"] = _count(event["tokens_predicted"])
        reading.told["prompt_tokens"] = _count(event["tokens_evaluated"])
        if "stop_type" in event:
            reading.told["finish"] = _text(event["stop_type"])
        settings = event.get("generation_settings")
        reading.settings = settings if isinstance(settings, dict) else {}
    _timings(reading, event)
    ids = [_count(token) for token in event["tokens"]] if "tokens" in event else None
    if event["content"] or ids:
        _piece(reading, at, event["content"], ids, _count(event["tokens_predicted"]))


def _openai(reading: Reading, at: int, event: Mapping[str, Any]) -> None:
    usage = event.get("usage")
    if isinstance(usage, dict):
        _usage(reading, usage)
    timings = event.get("timings")
    running = usage if isinstance(usage, dict) else {}
    count = running.get("completion_tokens")
    if count is None and isinstance(timings, dict):
        count = timings.get("predicted_n")
    for choice in event.get("choices", ()):
        if choice.get("finish_reason"):
            reading.told["finish"] = _text(choice["finish_reason"])
        ids = choice.get("token_ids")
        text = _content(choice)
        if text or ids:
            known = None if ids is None else [_count(token) for token in ids]
            _piece(reading, at, text, known, None if count is None else _count(count))
    _timings(reading, event)


def _content(choice: Mapping[str, Any]) -> str:
    delta = choice.get("delta")
    if not isinstance(delta, dict):
        return choice.get("text") or ""
    return "".join(delta.get(name) or "" for name in ("reasoning", "reasoning_content", "content"))


def _usage(reading: Reading, usage: Mapping[str, Any]) -> None:
    reading.told["prompt_tokens"] = _count(usage["prompt_tokens"])
    reading.told["output_tokens"] = _count(usage["completion_tokens"])
    details = usage.get("prompt_tokens_details")
    if isinstance(details, dict) and details.get("cached_tokens") is not None:
        reading.told["cached_tokens"] = _count(details["cached_tokens"])


def _timings(reading: Reading, event: Mapping[str, Any]) -> None:
    """Keep the latest times of the server as it wrote them: counts, and numbers as text."""
    timings = event.get("timings")
    if not isinstance(timings, dict):
        return
    reading.told["timings"] = {
        name: _count(value) if name.endswith("_n") else str(value)
        for name, value in timings.items()
        if value is not None and name in _TIMED
    }
    if "cache_n" in timings:
        reading.told["cached_tokens"] = _count(timings["cache_n"])


_TIMED = frozenset({"cache_n", "prompt_n", "prompt_ms", "predicted_n", "predicted_ms"})


def _piece(
    reading: Reading, at: int, text: Any, ids: list[int] | None, running: int | None
) -> None:
    if len(reading.piece_ns) == MAX_PIECES:
        raise FaultError("malformed-stream", f"more than {MAX_PIECES} pieces of output")
    reading.piece_ns.append(at)
    reading.text.append(_text(text))
    reading.ids.append(ids)
    reading.running.append(running)


def _differences(running: Sequence[int | None]) -> list[int]:
    """Return how many tokens each piece brought the count up by; [] where one is not told."""
    known = [count for count in running if count is not None]
    if len(known) < len(running):
        return []
    return list(_steps(known))


def _steps(counts: Sequence[int]) -> Iterator[int]:
    before = 0
    for count in counts:
        if count < before:
            raise FaultError("counts-disagree", f"the running count falls from {before} to {count}")
        yield count - before
        before = count


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < _MAX_COUNT:
        raise ValueError(f"{value!r} is no count")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    # Half a surrogate pair has no bytes; what cannot be kept is shown as such.
    return value.encode("utf-8", "replace").decode("utf-8")
