"""Our own probes of a link and of a disk: what was counted and timed, one JSON line each.

The first line says what was probed and how, each further line is one stream of one direction, or
one file made durable::

    {"clock":"CLOCK_MONOTONIC","format":"evidence-ledger/probe/v1","interface":"lo","probe":"link",…}
    {"busy_ns":2004000000,"bytes":6291456008,"direction":"forward","repetition":0,"stream":0,…}

Every line is canonical JSON. A rate in Gbit/s is 8 * bytes / ns, exactly; where several streams ran
at once it is all their bytes over the longest of their times. Busy time is counted in ticks of the
kernel: a probe that lasted for less than 100 of them gives no rate at all.
Specification: docs/reference/formats/probe.md.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.results.content import Content
from engine.results.model import MAX_REPETITIONS, MAX_SAMPLES, ResultFile, Run, brief
from engine.results.reconciliation import Line
from engine.results.refusals import ALL, Note, ResultError
from engine.samples import Column
from receipts import canonical
from receipts.errors import MalformedError

NAME = "probe"
FORMAT = "evidence-ledger/probe/v1"
LEAST_TICKS = 100
"""How often the kernel's clock must tick in a busy time: one tick is then one percent."""
DIRECTIONS = ("forward", "backward")
"""From the client to the server, and from the server to the client."""
PHASES = ("create", "write", "fsync", "rename", "dirsync", "unlink", "unlinksync")
DURABLE = PHASES[:5]
"""After these a file is where it belongs, and stays there when the power fails."""
KINDS = ("loopback", "wired", "virtual", "wireless")
NOT_DURABLE = ("tmpfs", "ramfs", "hugetlbfs")
"""Filesystems that are memory: a sync on them is quick and keeps nothing."""
CLOCKS = {
    "link_busy_gbps": "busy_ns",
    "link_wall_gbps": "wall_ns",
    "link_send_gbps": "send_ns",
    "link_receive_gbps": "receive_ns",
}

_LONGEST = 4096
_MARK = re.compile(rb'"format"\s*:\s*"evidence-ledger/probe/')
_Fields = Mapping[str, Callable[[Any], bool]]


def recognises(content: Content) -> bool:
    """Say whether the first line names a version of this format."""
    return _MARK.search(content.data.partition(b"\n")[0]) is not None


def read(content: Content) -> ResultFile:
    """Return the run of a disk, or those of both directions of a link; errors name the line."""
    lines = content.data.split(b"\n")
    if lines.pop():
        detail = f"line {len(lines) + 1} has no newline: the file was cut short"
        raise ResultError("truncated", detail)
    if len(lines) - 1 > MAX_SAMPLES:
        detail = f"{len(lines) - 1} rows are over the limit of {MAX_SAMPLES}"
        raise ResultError("too-large", detail)
    header, rows = _read_lines(lines)
    _require_all(rows, header)
    runs = _link_runs(header, rows) if header["probe"] == "link" else [_fsync_run(header, rows)]
    return ResultFile(reader=NAME, runs=tuple(runs))


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: this format keeps no averages that could differ from its rows."""
    del run
    return ()


def _read_lines(lines: list[bytes]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    number = 1
    try:
        header = _header(canonical.decode(lines[0] if lines else b""))
        take = _link_row if header["probe"] == "link" else _fsync_row
        rows = []
        for line in lines[1:]:
            number += 1
            rows.append(take(canonical.decode(line)))
    except MalformedError as error:
        raise ResultError("malformed", f"line {number}: {error}") from error
    return header, rows


def _text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable()


def _whole(least: int, most: int = canonical.MAX_INTEGER) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most  # a bool is an int, too


def _one_of(*known: str) -> Callable[[Any], bool]:
    return lambda value: value in known


def _hex(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{32}", value) is not None


def _bool(value: Any) -> bool:
    return value is True or value is False


_COMMON: _Fields = {"format": _text, "probe": _text, "clock": _text}
_LINK: _Fields = {
    **_COMMON,
    "probe_id": _hex,
    "peer": _text,
    "repetitions": _whole(1, MAX_REPETITIONS),
    "streams": _whole(1, 64),
    "milliseconds": _whole(1),
    "block_bytes": _whole(1),
}
_FACE: _Fields = {
    "interface": _text,
    "interface_kind": _one_of(*KINDS),
    "speed_mbit": _whole(1),
    "mtu": _whole(1),
    "duplex": _text,
}
_LINK_OPTIONAL: _Fields = {**_FACE, **{f"peer_{name}": test for name, test in _FACE.items()}}
_LINK_ROW: _Fields = {
    "repetition": _whole(0),
    "direction": _one_of(*DIRECTIONS),
    "stream": _whole(0),
    "bytes": _whole(1),
    "send_ns": _whole(1),
    "receive_ns": _whole(1),
    "wall_ns": _whole(1),
}
_BUSY: _Fields = {"busy_ns": _whole(0), "tick_ns": _whole(1)}
_LIMITED = ("rwnd_limited_ns", "sndbuf_limited_ns", "retrans_bytes")
_LINK_ROW_OPTIONAL: _Fields = {**_BUSY, **dict.fromkeys(_LIMITED, _whole(0))}
_FSYNC: _Fields = {
    **_COMMON,
    "folder": _text,
    "filesystem": _text,
    "sync": _one_of("fsync", "F_FULLFSYNC"),
    "bytes": _whole(1),
    "iterations": _whole(1, MAX_REPETITIONS),
    "load": _bool,
}
_FSYNC_ROW: _Fields = {
    "iteration": _whole(0),
    **dict.fromkeys([f"{phase}_ns" for phase in PHASES], _whole(1)),
}


def _header(value: Any) -> dict[str, Any]:
    kind = value.get("probe") if isinstance(value, dict) else None
    if kind == "link":
        header = _object(value, _LINK, _LINK_OPTIONAL)
    elif kind == "fsync":
        header = _object(value, _FSYNC, {})
    else:
        raise MalformedError(f"probe {brief(kind)} is unknown; there are link and fsync")
    if header["format"] != FORMAT:
        raise MalformedError(f"format {brief(header['format'])} is unknown; this reads {FORMAT}")
    if "wireless" in (header.get("interface_kind"), header.get("peer_interface_kind")):
        raise MalformedError("interface_kind is wireless: no link that is probed has one")
    if header.get("filesystem") in NOT_DURABLE:
        raise MalformedError(f"filesystem is {header['filesystem']}, on which nothing is durable")
    return header


def _link_row(value: Any) -> dict[str, Any]:
    row = _object(value, _LINK_ROW, _LINK_ROW_OPTIONAL)
    told = _BUSY.keys() & row.keys()
    if told and told != _BUSY.keys():
        raise MalformedError("busy_ns and tick_ns go together")
    return row


def _fsync_row(value: Any) -> dict[str, Any]:
    return _object(value, _FSYNC_ROW, {})


def _object(value: Any, required: _Fields, optional: _Fields) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MalformedError("not a JSON object")
    if missing := required.keys() - value.keys():
        raise MalformedError(f"missing fields: {', '.join(sorted(missing))}")
    if unknown := value.keys() - required.keys() - optional.keys():
        raise MalformedError(f"unknown fields: {', '.join(map(brief, sorted(unknown)))}")
    for name, test in {**required, **optional}.items():
        if name in value and not test(value[name]):
            raise MalformedError(f"field {name} has {brief(value[name])}, which it cannot have")
    return value


def _require_all(rows: Sequence[Mapping[str, Any]], header: Mapping[str, Any]) -> None:
    """Refuse a file in which a row is missing, doubled or out of its place."""
    names, planned = _planned(header)
    found = [tuple(row[name] for name in names) for row in rows]
    for number, (here, wanted) in enumerate(zip(found, planned, strict=False), start=2):
        if here != wanted:
            places = " where ".join("/".join(map(str, one)) for one in (here, wanted))
            raise ResultError("rows-inconsistent", f"line {number}: {places} belongs")
    if len(found) != len(planned):
        detail = f"{len(found)} rows of {len(planned)} that the first line announces"
        raise ResultError("rows-incomplete", detail)


def _planned(header: Mapping[str, Any]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    if header["probe"] == "fsync":
        return ("iteration",), [(number,) for number in range(header["iterations"])]
    places = [
        (repetition, direction, stream)
        for repetition in range(header["repetitions"])
        for direction in DIRECTIONS
        for stream in range(header["streams"])
    ]
    return ("repetition", "direction", "stream"), places


def _link_runs(header: Mapping[str, Any], rows: Sequence[dict[str, Any]]) -> Iterator[Run]:
    named = [name for name in ("probe_id", "peer", *_LINK_OPTIONAL) if name in header]
    config = ("repetitions", "streams", "milliseconds", "block_bytes", "clock")
    for direction in DIRECTIONS:
        ours = tuple(row for row in rows if row["direction"] == direction)
        width = header["streams"]  # rows are in their places: those of one repetition are together
        together = [ours[start : start + width] for start in range(0, len(ours), width)]
        samples, notes = _rates(direction, together)
        yield Run(
            identity={"instrument": "link-probe", **{name: header[name] for name in named}},
            config={"direction": direction, **{name: header[name] for name in config}},
            samples=samples,
            rows=ours,
            notes=notes,
        )


def _rates(
    direction: str, together: Sequence[Sequence[Mapping[str, Any]]]
) -> tuple[dict[str, Column], tuple[Note, ...]]:
    """Return a rate for every clock and repetition, or why this probe was too short for any.

    A short probe measures how fast buffers fill: its other clocks are no better than busy time.
    """
    clocks = dict(CLOCKS)
    if not all("busy_ns" in row for streams in together for row in streams):
        del clocks["link_busy_gbps"]
    elif (ticks := min(map(_ticks, together))) < LEAST_TICKS:
        detail = f"{direction}: the kernel ticked {ticks} times while busy, not {LEAST_TICKS}"
        return {}, (Note("probe-unresolved", detail, ALL),)
    rates = {
        metric: Column([_rate(streams, clock) for streams in together])
        for metric, clock in clocks.items()
    }
    return rates, ()


def _ticks(streams: Sequence[Mapping[str, Any]]) -> int:
    return max(int(row["busy_ns"] // row["tick_ns"]) for row in streams)


def _rate(streams: Sequence[Mapping[str, Any]], clock: str) -> Fraction:
    total = sum(row["bytes"] for row in streams)
    return Fraction(8 * total, max(row[clock] for row in streams))


def _fsync_run(header: Mapping[str, Any], rows: Sequence[dict[str, Any]]) -> Run:
    identity = ("folder", "filesystem", "sync")
    config = ("bytes", "iterations", "load", "clock")
    whole = [sum(row[f"{phase}_ns"] for phase in DURABLE) for row in rows]
    parts = {
        "durable_ms": whole,
        "fsync_ms": [row["fsync_ns"] for row in rows],
        "dirsync_ms": [row["dirsync_ns"] for row in rows],
    }
    return Run(
        identity={"instrument": "fsync-probe", **{name: header[name] for name in identity}},
        config={name: header[name] for name in config},
        samples={name: Column(ns, Fraction(1, 10**6)) for name, ns in parts.items()},
        rows=tuple(rows),
    )
