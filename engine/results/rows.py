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

from engine.results import strict_lines
from engine.results.content import Content
from engine.results.model import ResultFile, Run
from engine.results.reconciliation import Line
from engine.results.strict_lines import (
    digest,
    integer,
    require_fields,
    require_format,
    require_repetition,
    text,
)
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


def recognises(content: Content) -> bool:
    """Say whether the first line names a version of this format."""
    return _MARK.search(content.data.partition(b"\n")[0]) is not None


def read(content: Content) -> ResultFile:
    """Return the one run of a rows file; raises `ResultError` that names the line."""
    header, rows = strict_lines.read(content.data, _header, _row)
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


def _header(value: Any) -> dict[str, Any]:
    header = require_fields(value, _REQUIRED, frozenset(_OPTIONAL))
    require_format(header, FORMAT)
    for name in (*_IDENTITY, *_OPTIONAL, "clock"):
        text(name, header.get(name, ""))
    for name in _COUNTS:
        integer(name, header[name], least=1)
    integer("warmup", header["warmup"], least=0)
    integer("seed", header["seed"], least=-canonical.MAX_INTEGER)
    return header


def _row(value: Any, repetition: int, header: Mapping[str, Any]) -> dict[str, Any]:
    row = require_fields(value, _ROW, frozenset())
    integer("repetition", row["repetition"], least=0)
    require_repetition(row, repetition)
    integer("prefill_ns", row["prefill_ns"], least=1)
    _integers("token_ns", row["token_ns"], header["output_tokens"], least=1)
    _integers("tokens", row["tokens"], header["output_tokens"], least=0)
    if max(row["tokens"]) >= header["vocab"]:
        raise MalformedError(f"token {max(row['tokens'])} is outside vocab {header['vocab']}")
    digest("logits", row["logits"])
    return row


def _integers(name: str, value: Any, length: int, least: int) -> None:
    if not isinstance(value, list):
        raise MalformedError(f"field {name} is not a list")
    if len(value) != length:
        raise MalformedError(f"field {name} holds {len(value)} values, output_tokens is {length}")
    for item in value:
        integer(name, item, least)


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
