"""The lines of a stream file, strictly: a header, then a row a repetition, each canonical JSON.

Every row that says `ok` is held against the header once more (`engine.results.stream_faults`): what
the file calls a measurement must be one. A row with another status says why there is none.
"""

import itertools
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from engine.results import stream_faults, strict_lines
from engine.results.model import brief
from engine.results.strict_lines import (
    Header,
    Row,
    digest,
    integer,
    require_fields,
    require_format,
    require_repetition,
    text,
)
from receipts.errors import MalformedError

FORMAT = "evidence-ledger/stream/v1"
HELD = -1
"""Stands among token ids for a token whose id the stream did not show."""
MAX_PIECES = 65_536
MARK = re.compile(rb'"format"\s*:\s*"evidence-ledger/stream/')

_Check = Callable[[str, Any], None]

_NUMBER = re.compile(r"(0|[1-9][0-9]{0,17})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?")


def read_lines(data: bytes) -> tuple[Header, tuple[Row, ...]]:
    """Return the header and the rows; raises `ResultError` that names the line at fault."""
    return strict_lines.read(data, _header, _row)


def _header(value: Any) -> Header:
    header = _object(value, _HEADER, _HEADER_OPTIONAL)
    require_format(header, FORMAT)
    fixture = _object(header["fixture"], _FIXTURE, {})
    if not fixture["cannot_see"]:
        raise MalformedError("field cannot_see is empty: every fixture misses something")
    return header


def _row(value: Any, repetition: int, header: Header) -> Row:
    measured = isinstance(value, dict) and value.get("status") == stream_faults.OK
    row = _object(value, _MEASURED if measured else _FAILED, _OPTIONAL if measured else _REST)
    require_repetition(row, repetition)
    if not measured and row["status"] not in stream_faults.FAULTS:
        raise MalformedError(f"status {brief(row['status'])} is unknown")
    _require_columns(row)
    if measured:
        _require_ordered(row)
        _require_fed(row, header)
        _require_fresh(row, header)
        if found := stream_faults.first(header, row):
            raise MalformedError(f"status ok, but {found[0]}: {found[1]}")
    return row


def _require_columns(row: Row) -> None:
    length = len(row.get("piece_ns", ()))
    for name in ("piece_ids", "piece_tokens", "text"):
        if name in row and len(row[name]) != length:
            raise MalformedError(f"field {name} holds {len(row[name])} values, piece_ns {length}")


def _require_ordered(row: Row) -> None:
    times = [row["sending_ns"], *row["piece_ns"], row["complete_ns"]]
    if any(later < earlier for earlier, later in itertools.pairwise(times)):
        raise MalformedError("times run backwards from sending_ns over piece_ns to complete_ns")


def _require_fresh(row: Row, header: Header) -> None:
    before, warmup = row["requests_before"], header["warmup"]
    if header["servers"] == "fresh" and before != warmup:
        raise MalformedError(f"{before} requests before on a fresh server, warmup is {warmup}")


def _require_fed(row: Row, header: Header) -> None:
    """Refuse answers to tokens that nobody sent, and a place without an answer."""
    wanted = len(header["forced"]["tokens"]) if "forced" in header else None
    for name in _FORCED:
        length = len(row[name]) if name in row else None
        if length != wanted:
            values = "absent" if length is None else f"of {length} places"
            fed = "nothing was" if wanted is None else f"{wanted} tokens were"
            raise MalformedError(f"field {name} is {values}, {fed} fed")
    answers = zip(*(row[name] for name in _FORCED), strict=True) if wanted else ()
    for place, (chosen, ids, logs) in enumerate(answers):
        of = dict(zip(ids, map(Fraction, logs), strict=False))
        if not len(of) == len(ids) == len(logs) <= header["forced"]["top"]:
            raise MalformedError(f"place {place} has {len(ids)} likeliest tokens, {len(logs)} logs")
        if of and of.get(chosen) != max(of.values()):
            raise MalformedError(f"place {place}: token {chosen} is not the likeliest")


def _object(
    value: Any, required: Mapping[str, _Check], optional: Mapping[str, _Check]
) -> dict[str, Any]:
    require_fields(value, required.keys(), optional.keys())
    for name, item in value.items():
        (required.get(name) or optional[name])(name, item)
    fields: dict[str, Any] = value
    return fields


def _one_of(*known: str) -> _Check:
    def check(name: str, value: Any) -> None:
        if value not in known:
            raise MalformedError(f"field {name} is {brief(value)}, none of {', '.join(known)}")

    return check


def _count(least: int) -> _Check:
    def check(name: str, value: Any) -> None:
        integer(name, value, least)

    return check


def _list_of(check: _Check) -> _Check:
    def each(name: str, value: Any) -> None:
        if not isinstance(value, list):
            raise MalformedError(f"field {name} is not a list")
        if len(value) > MAX_PIECES:
            raise MalformedError(f"field {name} holds {len(value)} values, over {MAX_PIECES}")
        for item in value:
            check(name, item)

    return each


def _facts(name: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise MalformedError(f"field {name} is not an object")


def _forced(name: str, value: Any) -> None:
    forced = _object(value, _CONTINUATION, {})
    if not forced["tokens"]:
        raise MalformedError(f"field {name}.tokens is empty: leave {name} out")


def _log(name: str, value: Any) -> None:
    if not (isinstance(value, str) and _NUMBER.fullmatch(value.removeprefix("-"))):
        raise MalformedError(f"field {name} has {brief(value)}, which is no number as text")


def _timings(name: str, value: Any) -> None:
    _facts(name, value)
    for key, item in value.items():
        counted = key.endswith("_n")
        if counted and (type(item) is not int or item < 0):
            raise MalformedError(f"field {name}.{key} has {brief(item)}, which is no count")
        if not counted and not (isinstance(item, str) and _NUMBER.fullmatch(item)):
            raise MalformedError(
                f"field {name}.{key} has {brief(item)}, which is no number as text"
            )


_HEADER: Mapping[str, _Check] = {
    **dict.fromkeys(("format", "instrument", "engine", "model", "endpoint", "clock"), text),
    "servers": _one_of("fresh", "reused"),
    **dict.fromkeys(("prompt_tokens", "output_tokens"), _count(1)),
    **dict.fromkeys(("warmup", "warmup_tokens", "held_back"), _count(0)),
    "command": _list_of(text),
    "fixture": _facts,
    "request": _facts,
}
_HEADER_OPTIONAL: Mapping[str, _Check] = {
    **dict.fromkeys(("package", "server_boundaries"), text),
    "build": digest,
    "settings": _facts,
    "forced": _forced,
}
_CONTINUATION: Mapping[str, _Check] = {
    "digest": digest,
    "source": text,
    "tokens": _list_of(_count(0)),
    "top": _count(1),
}
_FORCED = ("forced_ids", "forced_top_ids", "forced_top_logprobs")
_FIXTURE: Mapping[str, _Check] = {
    "kind": text,
    "generator": text,
    "digest": digest,
    "cannot_see": _list_of(text),
}
_MEASURED: Mapping[str, _Check] = {
    "status": text,
    **dict.fromkeys(("repetition", "requests_before"), _count(0)),
    **dict.fromkeys(("started_ns", "ready_ns", "sending_ns", "sent_ns"), _count(0)),
    **dict.fromkeys(("headers_ns", "complete_ns"), _count(0)),
    "piece_ns": _list_of(_count(0)),
    "text": _list_of(text),
    "prompt_tokens": _count(0),
    "output_tokens": _count(0),
}
_OPTIONAL: Mapping[str, _Check] = {
    "piece_ids": _list_of(_list_of(_count(0))),
    "piece_tokens": _list_of(_count(0)),
    "cached_tokens": _count(0),
    "timings": _timings,
    "finish": text,
    "leftovers": _count(0),
    "forced_ids": _list_of(_count(0)),
    "forced_top_ids": _list_of(_list_of(_count(0))),
    "forced_top_logprobs": _list_of(_list_of(_log)),
}
_FAILED: Mapping[str, _Check] = {"repetition": _count(0), "status": text, "detail": text}
_REST: Mapping[str, _Check] = {
    name: check for name, check in {**_MEASURED, **_OPTIONAL}.items() if name not in _FAILED
}
