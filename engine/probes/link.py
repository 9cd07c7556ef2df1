"""The near end of a link probe: bulk TCP to the server, then from it, again and again.

    python -m engine.probes.link 10.0.0.7:4711 --seconds 2 --repetitions 5 --raw link.jsonl

Four rates come of it, over four times. Only busy time, which the kernel keeps, is the link's own:
wall time holds every pause of the sender, time in send calls ends when buffers are full and not
when the bytes have gone, and the receiver's time begins with a delay. So only a busy rate is
judged. Both directions carry one probe id; both ends say by which interface they are connected.
"""

import argparse
import os
import socket
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.probes import interface, program, raw, report, wire
from engine.probes.wire import Hello, Wire
from engine.results.model import ResultFile
from engine.results.probes import DIRECTIONS
from receipts.errors import MalformedError, UndecidedError, UsageError

CONNECT_SECONDS = 10.0


@dataclass(frozen=True)
class Settings:
    """Which server is asked, and for how much; the time is that of one stream in one direction."""

    host: str
    port: int
    milliseconds: int = 2000
    streams: int = 1
    repetitions: int = 5
    sysfs: Path = interface.SYSFS

    def __post_init__(self) -> None:
        _within("--seconds", self.milliseconds, wire.MAX_MILLISECONDS, "milliseconds")
        _within("--streams", self.streams, wire.MAX_STREAMS, "streams")
        _within("--repetitions", self.repetitions, wire.MAX_REPETITIONS, "repetitions")


def address(text: str) -> tuple[str, int]:
    """Return host and port in `HOST:PORT`; an IPv6 address stands in brackets."""
    host, _, port = text.rpartition(":")
    host = host[1:-1] if host[:1] == "[" and host[-1:] == "]" else host
    if not host or not port.isdecimal() or not 1 <= int(port) <= 65535:
        raise UsageError(f"{text[:80]!r} is not HOST:PORT")
    return host, int(port)


def measure(settings: Settings) -> bytes:
    """Probe the link and return the raw file."""
    probe_id = os.urandom(16).hex()
    header: dict[str, Any] = {}
    rows = []
    for repetition in range(settings.repetitions):
        for direction in DIRECTIONS:
            hellos = _hellos(settings, probe_id, repetition, direction)
            header, found = _together(settings, hellos)
            rows += found
    named = f"[{settings.host}]" if ":" in settings.host else settings.host
    header |= {
        "probe": "link",
        "probe_id": probe_id,
        "peer": f"{named}:{settings.port}",
        "milliseconds": settings.milliseconds,
        "streams": settings.streams,
        "repetitions": settings.repetitions,
        "block_bytes": wire.BLOCK,
    }
    return raw.encode(header, rows)


def _hellos(settings: Settings, probe_id: str, repetition: int, direction: str) -> list[Hello]:
    last = repetition == settings.repetitions - 1 and direction == DIRECTIONS[-1]
    return [
        Hello(
            probe_id=probe_id,
            repetition=repetition,
            direction=direction,
            stream=stream,
            streams=settings.streams,
            milliseconds=settings.milliseconds,
            last=last,
        )
        for stream in range(settings.streams)
    ]


def _together(
    settings: Settings, hellos: Sequence[Hello]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run the streams of one direction at once; return both interfaces and a row a stream."""
    with ExitStack() as open_ones:
        wires = [Wire(open_ones.enter_context(_connect(settings))) for _ in hellos]
        faces = [
            _agree(one, asked, settings.sysfs) for one, asked in zip(wires, hellos, strict=True)
        ]
        for one, asked in zip(wires, hellos, strict=True):
            one.say({"go": asked.probe_id})
            one.extend(asked.milliseconds)
        counted = _at_once(wires, hellos)
    rows = [
        {"repetition": h.repetition, "direction": h.direction, "stream": h.stream, **row}
        for h, row in zip(hellos, counted, strict=True)
    ]
    return faces[0], rows


def _at_once(wires: Sequence[Wire], hellos: Sequence[Hello]) -> list[dict[str, int]]:
    with ThreadPoolExecutor(len(wires)) as pool:
        try:
            return list(pool.map(_stream, wires, hellos))
        except BaseException:
            for one in wires:  # so that no other stream is waited for in vain
                with suppress(OSError):
                    one.connection.shutdown(socket.SHUT_RDWR)
            raise


def _connect(settings: Settings) -> socket.socket:
    try:
        return socket.create_connection((settings.host, settings.port), CONNECT_SECONDS)
    except OSError as error:
        where, why = f"{settings.host}:{settings.port}", error.strerror or error
        raise UndecidedError(
            f"no probe server answers at {where} ({why}); "
            "start one there: engine probe link --server --bind ADDRESS"
        ) from error


def _agree(one: Wire, asked: Hello, sysfs: Path) -> dict[str, Any]:
    """Say what is wanted, and return both ends' interfaces, neither of them wireless."""
    here = interface.of(one.connection, sysfs)
    interface.require_wire(here)
    one.say(asked.line())
    told = one.hear()
    if told.pop("probe_id", None) != asked.probe_id:
        raise MalformedError("the server answered for another probe")
    return {**(here.facts() if here else {}), **{f"peer_{name}": told[name] for name in told}}


def _stream(one: Wire, asked: Hello) -> dict[str, int]:
    if asked.direction == "forward":
        return one.send_blocks(asked.milliseconds)
    received = one.receive_blocks()
    one.say(dict(received))
    return {**wire.sender_report(one.hear()), **received}


def _within(option: str, value: int, most: int, what: str) -> None:
    if not 1 <= value <= most:
        raise UsageError(f"{option} gives {value} {what}; choose 1 to {most}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    return program.run(lambda: _run(_parser().parse_args(arguments)))


def _run(options: argparse.Namespace) -> int:
    settings = Settings(
        *address(options.server),
        milliseconds=program.milliseconds("--seconds", options.seconds),
        streams=options.streams,
        repetitions=options.repetitions,
    )
    limit = program.decimal("--min-gbps", options.min_gbps) if options.min_gbps else None
    place = raw.place(options.raw)
    data = measure(settings)
    raw.write(place, data)
    file, gate = judged(data, limit)
    return program.conclude(file, gate, as_json=options.json)


def judged(data: bytes, least: Fraction | None) -> tuple[ResultFile, report.Gate | None]:
    """Return what a raw file says, and the gate if there is to be one.

    Raises `UndecidedError` for a probe that was too short, and where a gate cannot be judged.
    """
    file = raw.decode(data)
    report.require_resolved(file)
    return file, report.judge_link(file, report.BUSY, least) if least is not None else None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine.probes.link",
        description="Probe the link to a server, both ways, and write the raw rows.",
    )
    add = parser.add_argument
    add("server", metavar="HOST:PORT", help="where engine probe link --server listens")
    add("--seconds", default="2", help="how long each stream sends, such as 0.5")
    add("--streams", type=int, default=1, help="connections at once")
    add("--repetitions", type=int, default=5, help="times that both directions are measured")
    add("--min-gbps", help="exit 1 unless both directions' busy rates reach this")
    add("--raw", type=Path, metavar="OUT.jsonl", help=f"new file for the rows; else {raw.VARIABLE}")
    add("--json", action="store_true", help="print one JSON document and nothing else")
    return parser


if __name__ == "__main__":
    sys.exit(main())
