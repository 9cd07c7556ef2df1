"""Our own raw file: every repetition with every token and every time, one JSON line each.

The first line says what was measured and how, each further line is one repetition::

    {"backend":"cpu","clock":"CLOCK_MONOTONIC","format":"evidence-ledger/rows/v1","instrument":…}
    {"logits":"sha256:…","prefill_ns":1200,"repetition":0,"token_ns":[310,305],"tokens":[7,9]}

Times are integer nanoseconds. Every line is canonical JSON, ends in a newline, and holds exactly
the fields below: a line that was cut short, edited by hand or printed by another version is
refused. Per repetition, with n = output_tokens:

    prefill_tok_s = 1e9 * prompt_tokens / prefill_ns     ttft_ms   = prefill_ns / 1e6
    decode_tok_s  = 1e9 * n / sum(token_ns)              decode_ms = sum(token_ns) / 1e6
                                                         token_ms  = sum(token_ns) / n / 1e6
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.results.content import Content
from engine.results.model import MAX_REPETITIONS, ResultFile, Run, brief
from engine.results.reconciliation import Line
from engine.results.refusals import ResultError
from engine.samples import Column
from receipts import canonical
from receipts.errors import MalformedError

NAME = "rows"
FORMAT = "evidence-ledger/rows/v1"

_IDENTITY = ("instrument", "variant", "backend", "source", "model")
_OPTIONAL = ("reason", "compiler", "build")
_COUNTS = ("vocab", "width", "prompt_tokens", "output_tokens")
_CONFIG = (*_COUNTS, "seed", "warmup", "clock")
_REQUIRED = frozenset(("format", *_IDENTITY, *_CONFIG))
_ROW = frozenset(("repetition", "prefill_ns", "token_ns", "tokens", "logits"))
_MARK = re.compile(rb'"format"\s*:\s*"evidence-ledger/rows/')
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def recognises(content: Content) -> bool:
    """Say whether the first line names a version of this format."""
    return _MARK.search(content.data.partition(b"\n")[0]) is not None


def read(content: Content) -> ResultFile:
    """Return the one run of a rows file; raises `ResultError` that names the line."""
    lines = content.data.split(b"\n")
    if lines.pop():
        detail = f"line {len(lines) + 1} has no newline: the file was cut short"
        raise ResultError("truncated", detail)
    if len(lines) - 1 > MAX_REPETITIONS:
        detail = f"{len(lines) - 1} rows are over the limit of {MAX_REPETITIONS}"
        raise ResultError("too-large", detail)
    header, rows = _read_lines(lines)
    named = (*_IDENTITY, *(name for name in _OPTIONAL if name in header))
    run = Run(
        identity={name: header[name] for name in named},
        config={name: header[name] for name in _CONFIG},
        samples=_samples(header["prompt_tokens"], header["output_tokens"], rows),
        rows=rows,
        tokens=tuple(tuple(row["tokens"]) for row in rows),
        logits=tuple(row["logits"] for row in rows),
    )
    return ResultFile(reader=NAME, runs=(run,))


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: this format keeps no averages that could differ from its rows."""
    del run
    return ()


def _read_lines(lines: list[bytes]) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    number = 1
    try:
        header = _header(canonical.decode(lines[0] if lines else b""))
        rows = []
        for number, line in enumerate(lines[1:], start=2):
            rows.append(_row(canonical.decode(line), number - 2, header))
    except MalformedError as error:
        raise ResultError("malformed", f"line {number}: {error}") from error
    if not rows:
        raise ResultError("no-rows", "the file has a header and no rows: nothing was measured")
    return header, tuple(rows)


def _header(value: Any) -> dict[str, Any]:
    header = _object(value, _REQUIRED, frozenset(_OPTIONAL))
    if header["format"] != FORMAT:
        raise MalformedError(f"format {brief(header['format'])} is unknown; this reads {FORMAT}")
    for name in (*_IDENTITY, *_OPTIONAL, "clock"):
        if not isinstance(header.get(name, ""), str):
            raise MalformedError(f"field {name} is not text")
    for name in _COUNTS:
        _integer(name, header[name], least=1)
    _integer("warmup", header["warmup"], least=0)
    _integer("seed", header["seed"], least=-canonical.MAX_INTEGER)
    return header


def _row(value: Any, repetition: int, header: Mapping[str, Any]) -> dict[str, Any]:
    row = _object(value, _ROW, frozenset())
    if _integer("repetition", row["repetition"], least=0) != repetition:
        raise MalformedError(f"repetition {row['repetition']} stands where {repetition} belongs")
    _integer("prefill_ns", row["prefill_ns"], least=1)
    _integers("token_ns", row["token_ns"], header["output_tokens"], least=1)
    _integers("tokens", row["tokens"], header["output_tokens"], least=0)
    if max(row["tokens"]) >= header["vocab"]:
        raise MalformedError(f"token {max(row['tokens'])} is outside vocab {header['vocab']}")
    if not isinstance(row["logits"], str) or not _DIGEST.fullmatch(row["logits"]):
        raise MalformedError("field logits is not sha256: and 64 hex digits")
    return row


def _object(value: Any, required: frozenset[str], optional: frozenset[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MalformedError("not a JSON object")
    if missing := required - value.keys():
        raise MalformedError(f"missing fields: {', '.join(sorted(missing))}")
    if unknown := value.keys() - required - optional:
        raise MalformedError(f"unknown fields: {', '.join(map(brief, sorted(unknown)))}")
    return value


def _integers(name: str, value: Any, length: int, least: int) -> None:
    if not isinstance(value, list):
        raise MalformedError(f"field {name} is not a list")
    if len(value) != length:
        raise MalformedError(f"field {name} holds {len(value)} values, output_tokens is {length}")
    for item in value:
        _integer(name, item, least)


def _integer(name: str, value: Any, least: int) -> int:
    if type(value) is not int or value < least:  # a bool is an int to isinstance
        raise MalformedError(
            f"field {name} has {brief(value)}, which is no integer of {least} or more"
        )
    return value


def _samples(prompt: int, output: int, rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    prefills = [row["prefill_ns"] for row in rows]
    decodes = [sum(row["token_ns"]) for row in rows]
    return {
        "prefill_tok_s": Column(prefills, 10**9 * prompt, inverse=True),
        "decode_tok_s": Column(decodes, 10**9 * output, inverse=True),
        "ttft_ms": Column(prefills, Fraction(1, 10**6)),
        "decode_ms": Column(decodes, Fraction(1, 10**6)),
        "token_ms": Column(decodes, Fraction(1, output * 10**6)),
    }
