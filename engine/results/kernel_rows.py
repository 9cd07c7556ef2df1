"""Our own raw file of one kernel: every repetition with every launch, one JSON line each.

The first line says what was measured and how, each further line is one repetition::

    {"backend":"c","format":"evidence-ledger/kernel-rows/v1","kernel":"gemv_q8_0","rows":30841,…}
    {"best":17,"ns":[2106000,2098113],"output":"sha256:…","repetition":0,"triad_ns":[5900000]}

Every line is canonical JSON, ends in a newline, and holds exactly the fields of the specification.
Per repetition, with L launches, and B bytes and F operations of a launch by the sizes:

    kernel_us = sum(ns) / L / 1e3   gb_s = B * L / sum(ns)   tflop_s = F * L / sum(ns) / 1e3

No launch moves bytes faster than the hardware: above the limit, which is the driver's bandwidth or
else the fastest triad of the file, the times are wrong and nothing is citable.
Specification: docs/reference/formats/kernel-rows.md.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.kernel_work import KERNELS, TRIAD, Kernel
from engine.results import strict_lines
from engine.results.content import Content
from engine.results.model import ResultFile, Run, brief
from engine.results.reconciliation import Line
from engine.results.refusals import ALL, Note
from engine.results.strict_lines import (
    digest,
    integer,
    require_fields,
    require_format,
    require_repetition,
    text,
)
from engine.samples import Column
from receipts.errors import MalformedError

NAME = "kernel-rows"
FORMAT = "evidence-ledger/kernel-rows/v1"

_IDENTITY = ("instrument", "kernel", "variant", "backend", "source")
_TOLD = ("reason", "compiler", "build", "provenance", "device", "driver")
_COUNTS = ("threads", "launches")
_HINTS = ("cache_bytes", "nominal_bytes_s", "triad_n")
_REQUIRED = frozenset(("format", *_IDENTITY, *_COUNTS, "seed", "warmup", "clock"))
_ROW = frozenset(("repetition", "ns", "best", "output"))
_MARK = re.compile(rb'"format"\s*:\s*"evidence-ledger/kernel-rows/')
_TIMES_CACHE = 4


def recognises(content: Content) -> bool:
    """Say whether the first line names a version of this format."""
    return _MARK.search(content.data.partition(b"\n")[0]) is not None


def read(content: Content) -> ResultFile:
    """Return the one run of a file; raises `ResultError` that names the line."""
    header, rows = strict_lines.read(content.data, _header, _row)
    kernel = KERNELS[header["kernel"]]
    named = (*_IDENTITY, *(name for name in _TOLD if name in header))
    config = (*kernel.sizes, *_COUNTS, "seed", "warmup", "clock")
    run = Run(
        identity={name: header[name] for name in named},
        config={name: header[name] for name in (*config, *_HINTS) if name in header},
        samples=_samples(kernel, header, rows),
        rows=rows,
        tokens=tuple((row["best"],) for row in rows),
        logits=tuple(row["output"] for row in rows),
    )
    return ResultFile(NAME, (run._replace(notes=tuple(_notes(run))),))


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: this format keeps no averages that could differ from its rows."""
    del run
    return ()


def limit(run: Run) -> tuple[Fraction, str] | None:
    """Return the most bytes per nanosecond that the hardware moves, and who says so; or None.

    Bytes per nanosecond are GB/s. The driver's bandwidth goes before a measured triad, whose
    fastest launch counts: a ceiling, not an average.
    """
    if nominal := run.config.get("nominal_bytes_s"):
        return Fraction(int(nominal), 10**9), "nominal, as the driver tells it"
    times = [ns for row in run.rows for ns in row.get("triad_ns", ())]
    if not times:
        return None
    moved = KERNELS[TRIAD].moved({"n": int(run.config["triad_n"])})
    return Fraction(moved, min(times)), f"triad, the fastest of {len(times)} launches"


def fastest(run: Run) -> Fraction:
    """Return the bytes per nanosecond of the fastest launch."""
    return Fraction(_moved(run), min(ns for row in run.rows for ns in row["ns"]))


def _moved(run: Run) -> int:
    kernel = KERNELS[str(run.identity["kernel"])]
    return kernel.moved({name: int(run.config[name]) for name in kernel.sizes})


def _notes(run: Run) -> Iterator[Note]:
    ceiling = limit(run)
    if ceiling is None:
        yield Note("no-limit", "no bandwidth is told and no triad was measured beside the kernel")
    elif fastest(run) > ceiling[0]:
        shown = f"{float(fastest(run)):.1f} GB/s is above {float(ceiling[0]):.1f} GB/s"
        why = "held by a cache, not waited for, or the limit was disturbed: measure again"
        yield Note("above-limit", f"{shown} ({ceiling[1]}): {why}", ALL)
    if _moved(run) < _TIMES_CACHE * int(run.config.get("cache_bytes", 0)):
        yield Note("fits-in-cache", f"a launch moves {_moved(run)} bytes beside the cache's")
    if reason := run.identity.get("reason"):
        yield Note("not-native", f"ran in {run.identity['backend']}: {reason}")


def _samples(
    kernel: Kernel, header: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> dict[str, Column]:
    sizes = {name: header[name] for name in kernel.sizes}
    launches = header["launches"]
    sums = [sum(row["ns"]) for row in rows]
    found = {
        "kernel_us": Column(sums, Fraction(1, launches * 1000)),
        "gb_s": Column(sums, kernel.moved(sizes) * launches, inverse=True),
    }
    if operations := kernel.operations(sizes):
        found["tflop_s"] = Column(sums, Fraction(operations * launches, 1000), inverse=True)
    return found


def _header(value: Any) -> dict[str, Any]:
    kernel = KERNELS.get(str(value.get("kernel"))) if isinstance(value, dict) else None
    sizes = kernel.sizes if kernel else ()
    header = require_fields(value, _REQUIRED | set(sizes), frozenset((*_TOLD, *_HINTS)))
    require_format(header, FORMAT)
    if kernel is None:
        raise MalformedError(f"kernel {brief(header['kernel'])} is none of {', '.join(KERNELS)}")
    for name in (*_IDENTITY, *_TOLD, "clock"):
        text(name, header.get(name, ""))
    for name in (*sizes, *_COUNTS, *(name for name in _HINTS if name in header)):
        integer(name, header[name], least=1)
    integer("warmup", header["warmup"], least=0)
    integer("seed", header["seed"], least=0)
    return header


def _row(value: Any, repetition: int, header: Mapping[str, Any]) -> dict[str, Any]:
    triad = {"triad_ns"} if "triad_n" in header else set()
    row = require_fields(value, _ROW | triad, frozenset())
    integer("repetition", row["repetition"], least=0)
    require_repetition(row, repetition)
    if len(_times("ns", row["ns"])) != header["launches"]:
        raise MalformedError(f"ns holds {len(row['ns'])} times of {header['launches']} launches")
    for name in triad:
        _times(name, row[name])
    integer("best", row["best"], least=0)
    digest("output", row["output"])
    return row


def _times(name: str, value: Any) -> list[int]:
    if not isinstance(value, list) or not value:
        raise MalformedError(f"field {name} is no list of times")
    return [integer(name, item, least=1) for item in value]
