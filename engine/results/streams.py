"""Our own raw file of a served request: every token or piece with the moment at which it came.

The first line says what was asked of which server, each further line is one repetition::

    {"endpoint":"/completion","engine":"llama.cpp","format":"evidence-ledger/stream/v1",…}
    {"cached_tokens":0,"complete_ns":…,"piece_ids":[[448],[327]],"piece_ns":[…],"repetition":0,…}

Times are nanoseconds of one monotonic clock of the client since its program began. With n tokens
after the first piece, up to the last one, per repetition:

    ttft_ms   first piece - sending     client_decode_tok_s   1e9 * n / (last - first piece)
    e2e_ms    last piece - sending      client_token_ms       (last - first piece) / n / 1e6
    wall_ms   complete - sending        server_*              from the server's own `timings`

What the server timed has boundaries that only the server knows. They are samples where the file
says which these are, and that is a setting of the run: two that differ give no ratio.
Specification: docs/reference/formats/stream.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.results import stream_faults
from engine.results.content import Content
from engine.results.model import ResultFile, Run, Setting
from engine.results.reconciliation import Line
from engine.results.refusals import ALL, Note
from engine.results.stream_lines import FORMAT, HELD, MARK, read_lines
from engine.samples import Column
from receipts import canonical

NAME = "stream"
__all__ = ["FORMAT", "HELD", "NAME", "check", "read", "recognises"]

_IDENTITY = ("instrument", "engine", "package", "build", "model")
_DROPPED = frozenset((*_IDENTITY, "format"))


def recognises(content: Content) -> bool:
    """Say whether the first line names a version of this format."""
    return MARK.search(content.data.partition(b"\n")[0]) is not None


def read(content: Content) -> ResultFile:
    """Return the one run of a stream file; raises `ResultError` that names the line."""
    header, rows = read_lines(content.data)
    good = [row for row in rows if row["status"] == stream_faults.OK]
    run = Run(
        identity={name: header[name] for name in _IDENTITY if name in header},
        config=_config(header),
        samples=_samples(header, good) if good else {},
        rows=rows,
        tokens=_tokens(good),
        forced=tuple(tuple(row["forced_ids"]) for row in good if "forced_ids" in row),
        notes=tuple(_notes(rows, good)),
    )
    return ResultFile(reader=NAME, runs=(run,))


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: this format keeps no averages that could differ from its rows."""
    del run
    return ()


def _config(header: Mapping[str, Any]) -> dict[str, Setting]:
    """Return every setting by a dotted name, a list as its JSON."""
    whole = {name: value for name, value in header.items() if name not in _DROPPED}
    found = dict(_flat(whole, ""))
    found["prompt_sha256"] = found.pop("fixture.digest")
    found.pop("forced.tokens", None)  # its digest says as much, and shorter
    return found


def _flat(source: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Setting]]:
    for name, value in source.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            text = canonical.encode(value).decode() if isinstance(value, list) else value
            yield prefix + name, text


def _tokens(rows: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, ...], ...]:
    if not all("piece_ids" in row for row in rows):
        return ()
    return tuple(tuple(_in_order(row)) for row in rows)


def _in_order(row: Mapping[str, Any]) -> list[int]:
    """Return the ids by position; `HELD` stands for each token that came without one."""
    found: list[int] = []
    counts = row.get("piece_tokens", map(len, row["piece_ids"]))
    for tokens, ids in zip(counts, row["piece_ids"], strict=True):
        found += [HELD] * (tokens - len(ids)) + ids
    return found + [HELD] * (row["output_tokens"] - len(found))


def _samples(header: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    millisecond = Fraction(1, 10**6)
    found = {
        "ttft_ms": Column([row["piece_ns"][0] - row["sending_ns"] for row in rows], millisecond),
        "e2e_ms": Column([row["piece_ns"][-1] - row["sending_ns"] for row in rows], millisecond),
        "wall_ms": Column([row["complete_ns"] - row["sending_ns"] for row in rows], millisecond),
    }
    decoded = [_decoded(row) for row in rows]
    if all(tokens and span for tokens, span in decoded):
        each = [Fraction(span, tokens) for tokens, span in decoded]
        found["client_decode_tok_s"] = Column(each, 10**9, inverse=True)
        found["client_token_ms"] = Column(each, millisecond)
    return found | (_of_server(rows) if "server_boundaries" in header else {})


def _decoded(row: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many tokens came after the first piece, up to the last one, and in how many ns.

    Where nobody counts by piece, a piece is a token if there are as many as tokens.
    """
    times = row["piece_ns"]
    if "piece_tokens" in row:
        after = sum(row["piece_tokens"][1:])
    elif "piece_ids" in row:
        after = sum(map(len, row["piece_ids"][1:])) if not _held(row) else 0
    else:
        after = len(times) - 1 if not _held(row) else 0
    return after, times[-1] - times[0]


def _held(row: Mapping[str, Any]) -> int:
    return int(row["output_tokens"]) - stream_faults.shown(row)


def _of_server(rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    all_timings = [row.get("timings", {}) for row in rows]
    found: dict[str, Column] = {}
    for part, time, rate in (
        ("prompt", "server_prefill_ms", "server_prefill_tok_s"),
        ("predicted", "", "server_decode_tok_s"),
    ):
        if not all(f"{part}_ms" in one and one.get(f"{part}_n") for one in all_timings):
            continue
        spans = [Fraction(one[f"{part}_ms"]) for one in all_timings]
        each = [ms / one[f"{part}_n"] for ms, one in zip(spans, all_timings, strict=True)]
        if all(each):
            found |= {time: Column(spans)} if time else {"server_token_ms": Column(each)}
            found[rate] = Column(each, 1000, inverse=True)
    return found


def _notes(rows: Sequence[Mapping[str, Any]], good: Sequence[Mapping[str, Any]]) -> list[Note]:
    notes = [
        Note("run-failed", f"repetition {row['repetition']}: {row['status']}: {row['detail']}", ALL)
        for row in rows
        if row["status"] != stream_faults.OK
    ]
    for row in good:
        place = f"repetition {row['repetition']}"
        if held := _held(row):
            detail = f"{place}: {held} of {row['output_tokens']} tokens came without an id or piece"
            notes.append(Note("held-back", detail, _distorted(row)))
        if "cached_tokens" not in row:
            notes.append(Note("cache-untold", f"{place}: the server says nothing about its cache"))
        if row.get("leftovers"):
            detail = f"{place}: {row['leftovers']} processes outlived the server and were ended"
            notes.append(Note("leftovers", detail))
    return notes


def _distorted(row: Mapping[str, Any]) -> frozenset[str]:
    """Return the times that are of another token than the one they are named for."""
    if "piece_tokens" not in row:
        return frozenset({"ttft_ms", "e2e_ms"})
    first, last = row["piece_tokens"][0], sum(row["piece_tokens"])
    shown = len(row["piece_ids"][0]) if "piece_ids" in row else 1
    found = {"ttft_ms"} if first > shown else set()
    return frozenset(found | ({"e2e_ms"} if last < row["output_tokens"] else set()))
