"""Why a streamed request is no measurement: each fault has a stable name, and one place decides.

    first(header, row)   ("cache-hit", "300 of 1024 prompt tokens came from the cache")

The program that measured asks before it writes a row, the reader asks again before it believes one:
a row that says `ok` and is not is refused. What is counted apart and must agree: pieces of the
stream, ids of tokens, the server's running count, its count at the end, its own timings, and what
was asked for. A stream may hold a token back until its bytes are valid UTF-8; how many may stay
without an id, or without a piece of their own, is declared before, and is 0 otherwise.
"""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "port-in-use": "Something listens where the server was to listen.",
        "not-ready": "The server was not ready in time.",
        "server-died": "The server ended by itself.",
        "http-error": "The server answered with another status than 200, or not with a stream.",
        "stream-cut": "The stream ended before it was complete.",
        "timed-out": "The request took longer than was allowed.",
        "malformed-stream": "The stream says something that the endpoint does not say.",
        "settings-differ": "The server reports other settings than in the repetition before.",
        "interrupted": "Somebody stopped the measurement.",
        "counts-untold": "The server does not say how many tokens there were.",
        "prompt-length": "The server saw a prompt of another length: its tokenizer is another one.",
        "cache-hit": "Part of the prompt came from a cache.",
        "cache-untold": "A server that was used before does not say what came from its cache.",
        "clocks-disagree": "The server says that it worked longer than the whole request took.",
        "counts-disagree": "Two counts of one thing differ.",
        "too-few-tokens": "Fewer tokens came than were asked for.",
        "too-many-tokens": "More tokens came than were asked for.",
        "held-back": "More tokens than declared came without an id of their own.",
        "not-fed": "The server cannot be fed tokens, or does not see those that were sent.",
        "pieces-not-tokens": "Pieces of text are not one token each, more often than declared.",
    }
)
"""Name of each fault → what it means."""
OK = "ok"
_SLACK_MS = 1
Found = tuple[str, str]


def first(header: Mapping[str, Any], row: Mapping[str, Any]) -> Found | None:
    """Return the name and the detail of the first fault of a complete row, None for none."""
    checks = (_untold, _prompt, _cache, _disagreement, _length, _shown, _clocks)
    return next((found for check in checks if (found := check(header, row))), None)


def shown(row: Mapping[str, Any]) -> int:
    """Return how many tokens the stream showed: by id where it has ids, else by piece."""
    ids = row.get("piece_ids")
    return len(row["piece_ns"]) if ids is None else sum(map(len, ids))


def _untold(_: Mapping[str, Any], row: Mapping[str, Any]) -> Found | None:
    lacking = [name for name in ("prompt_tokens", "output_tokens") if name not in row]
    if lacking:
        return "counts-untold", f"the server says nothing about {' and '.join(lacking)}"
    return None


def _prompt(header: Mapping[str, Any], row: Mapping[str, Any]) -> Found | None:
    sent, seen = header["prompt_tokens"], row["prompt_tokens"]
    if sent != seen:
        return "prompt-length", f"the server saw {seen} prompt tokens, the fixture has {sent}"
    return None


def _cache(header: Mapping[str, Any], row: Mapping[str, Any]) -> Found | None:
    cached = row.get("cached_tokens")
    if cached:
        of = header["prompt_tokens"]
        return "cache-hit", f"{cached} of {of} prompt tokens came from the cache"
    if cached is None and row["requests_before"] > header["warmup"]:
        return "cache-untold", f"{row['requests_before']} requests before this one on its server"
    return None


def _disagreement(_: Mapping[str, Any], row: Mapping[str, Any]) -> Found | None:
    timings = row.get("timings", {})
    output, prompt = row["output_tokens"], row["prompt_tokens"]
    predicted = timings.get("predicted_n", output)
    if predicted != output:
        return "counts-disagree", f"predicted_n is {predicted}, the end of the stream says {output}"
    if "prompt_n" in timings and timings["prompt_n"] + timings.get("cache_n", 0) != prompt:
        parts = f"prompt_n {timings['prompt_n']} and cache_n {timings.get('cache_n', 0)}"
        return "counts-disagree", f"{parts} do not make {prompt} prompt tokens"
    running = sum(row.get("piece_tokens", ()))
    if running > output or shown(row) > output:
        counts = f"{_counts(row)}, {running} by the running count"
        return "counts-disagree", f"{counts}, and {output} tokens in all"
    return _per_piece(row)


def _per_piece(row: Mapping[str, Any]) -> Found | None:
    pairs = zip(row.get("piece_tokens", ()), row.get("piece_ids", ()), strict=False)
    for place, (tokens, ids) in enumerate(pairs):
        if len(ids) > tokens:
            return "counts-disagree", f"piece {place} has {len(ids)} ids and counts {tokens} tokens"
    return None


def _length(header: Mapping[str, Any], row: Mapping[str, Any]) -> Found | None:
    asked, output = header["output_tokens"], row["output_tokens"]
    if output == asked:
        return None
    ended = f"; it stopped for {row['finish']}" if "finish" in row else ""
    name = "too-few-tokens" if output < asked else "too-many-tokens"
    return name, f"{output} tokens came, {asked} were asked for{ended}"


def _shown(header: Mapping[str, Any], row: Mapping[str, Any]) -> Found | None:
    held, declared = row["output_tokens"] - shown(row), header["held_back"]
    if held <= declared and row["piece_ns"]:
        return None
    name = "held-back" if "piece_ids" in row else "pieces-not-tokens"
    detail = f"{_counts(row)} for {row['output_tokens']} tokens; {declared} may be held back"
    return name, detail


def _clocks(_: Mapping[str, Any], row: Mapping[str, Any]) -> Found | None:
    timings = row.get("timings", {})
    worked = sum(Fraction(timings.get(name, 0)) for name in ("prompt_ms", "predicted_ms"))
    wall = Fraction(row["complete_ns"] - row["sending_ns"], 10**6)
    if worked <= wall + _SLACK_MS:
        return None
    return (
        "clocks-disagree",
        f"timings of {float(worked):.3f} ms in a wall time of {float(wall):.3f}",
    )


def _counts(row: Mapping[str, Any]) -> str:
    ids = row.get("piece_ids")
    known = "no ids" if ids is None else f"{sum(map(len, ids))} ids"
    return f"{len(row['piece_ns'])} pieces and {known}"
