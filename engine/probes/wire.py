"""The talk between a probe's two ends: short lines to agree, blocks to measure, lines to report.

    client                                                                    server
    {"direction":"forward","format":"evidence-ledger/link/v1","probe_id":"3f…",…}  →
                                ← {"interface":"lo",…,"probe_id":"3f…"}  or  {"refused":…}
    {"go":"3f…"}  →
    blocks, the last one empty: from the client if forward, else from the server
    the receiver reports {"bytes":…,"receive_ns":…}, and a server that sent {"busy_ns":…,…}

A line is canonical JSON of at most 4 KiB; a block is its length in eight bytes and that many bytes.
What is kept in memory is one block, whatever the other end sends, and every wait has an end.
"""

import os
import socket
import struct
import time
from dataclasses import asdict, dataclass, fields
from typing import Any

from engine.probes import tcp_info
from engine.results.probes import DIRECTIONS
from receipts import canonical
from receipts.errors import HeldError, MalformedError, UndecidedError

FORMAT = "evidence-ledger/link/v1"
BLOCK = 256 * 1024
MAX_LINE = 4096
MAX_STREAMS = 16
MAX_REPETITIONS = 100
MAX_MILLISECONDS = 60_000
PATIENCE_SECONDS = 10.0
"""How long one end waits for the other's next word, beyond what the measuring takes."""
_LENGTH = struct.Struct("!Q")


@dataclass(frozen=True, slots=True)
class Hello:
    """What one connection is for: one stream of one direction of one repetition of a probe."""

    probe_id: str
    repetition: int
    direction: str
    stream: int
    streams: int
    milliseconds: int
    last: bool
    """Whether the probe is over after this repetition and direction."""

    def line(self) -> dict[str, Any]:
        """Return it as it is said."""
        return {"format": FORMAT, **asdict(self)}


_RANGES = (
    ("repetition", 0, MAX_REPETITIONS - 1),
    ("stream", 0, MAX_STREAMS - 1),
    ("streams", 1, MAX_STREAMS),
    ("milliseconds", 1, MAX_MILLISECONDS),
)
_NAMES = tuple(field.name for field in fields(Hello))


def hello(line: dict[str, Any]) -> Hello:
    """Return what a client asks for; `MalformedError` for anything else."""
    if line.get("format") != FORMAT or line.keys() != {"format", *_NAMES}:
        raise MalformedError(f"the client does not speak {FORMAT}; use one version at both ends")
    told = {name: line[name] for name in _NAMES}
    if not (isinstance(told["probe_id"], str) and isinstance(told["last"], bool)):
        raise MalformedError("the client's probe has no id or no end")
    if told["direction"] not in DIRECTIONS:
        raise MalformedError("the client names no direction")
    for name, least, most in _RANGES:
        if type(told[name]) is not int or not least <= told[name] <= most:
            raise MalformedError(f"the client asks for {name} outside {least} to {most}")
    return Hello(**told)


class Wire:
    """One connection that is spoken on; whoever waits too long gets `UndecidedError`."""

    def __init__(self, connection: socket.socket, patience: float = PATIENCE_SECONDS) -> None:
        self.connection = connection
        self._patience = patience
        self._ahead = b""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._until = 0.0
        self.extend(0)

    def extend(self, milliseconds: int) -> None:
        """Let everything from now on take that long, and the patience that there is besides."""
        self._until = time.monotonic() + milliseconds / 1000 + self._patience

    def say(self, line: dict[str, Any]) -> None:
        """Send one line."""
        self._send(canonical.encode(line) + b"\n")

    def hear(self) -> dict[str, Any]:
        """Return the next line, an object; raises what a `refused` line tells."""
        while b"\n" not in self._ahead:
            piece = self._receive(bytearray(MAX_LINE))
            self._ahead += piece
            if len(self._ahead) > MAX_LINE and b"\n" not in self._ahead:
                raise MalformedError(f"the other end said a line of over {MAX_LINE} bytes")
        line, _, self._ahead = self._ahead.partition(b"\n")
        value = canonical.decode(line, MAX_LINE)
        if not isinstance(value, dict):
            raise MalformedError("the other end said a line that is no object")
        if "refused" in value:
            kind = HeldError if value.get("kind") == "held" else UndecidedError
            raise kind(f"the server refuses: {str(value['refused'])[:300]}")
        return value

    def send_blocks(self, milliseconds: int) -> dict[str, int]:
        """Send for that long; then take the receiver's word, and return what both counted."""
        block = memoryview(_LENGTH.pack(BLOCK) + os.urandom(BLOCK))
        before = tcp_info.read(self.connection)
        start = time.monotonic_ns()
        end, sent, sending = start + milliseconds * 10**6, 0, 0
        while (now := time.monotonic_ns()) < end:
            self._send(block)
            sending += time.monotonic_ns() - now
            sent += len(block)
        self._send(_LENGTH.pack(0))
        told = self.hear()
        wall = time.monotonic_ns() - start
        counted = tcp_info.between(before, tcp_info.read(self.connection))
        received = _counts(told, ("bytes", "receive_ns"))
        if received["bytes"] != sent + _LENGTH.size:
            raise MalformedError(f"{sent + 8} bytes were sent and {received['bytes']} came")
        return {**received, "send_ns": sending, "wall_ns": wall, **_busy(counted)}

    def receive_blocks(self) -> dict[str, int]:
        """Receive until the empty block; return the bytes, and the time from now to the last."""
        start = time.monotonic_ns()
        room = memoryview(bytearray(BLOCK))
        total = 0
        while True:
            self._fill(room[: _LENGTH.size])
            (length,) = _LENGTH.unpack(room[: _LENGTH.size])
            if length > BLOCK:
                raise MalformedError(f"a block of {length} bytes is over {BLOCK}")
            self._fill(room[:length])
            total += _LENGTH.size + length
            if length == 0:
                return {"bytes": total, "receive_ns": time.monotonic_ns() - start}

    def _fill(self, room: memoryview) -> None:
        if self._ahead:
            taken = min(len(self._ahead), len(room))
            room[:taken] = self._ahead[:taken]
            self._ahead, room = self._ahead[taken:], room[taken:]
        while room:
            room = room[self._into(room) :]

    def _receive(self, room: bytearray) -> bytes:
        return bytes(room[: self._into(room)])

    def _into(self, room: bytearray | memoryview) -> int:
        self._wait()
        try:
            received = self.connection.recv_into(room)
        except TimeoutError as error:
            raise UndecidedError("the other end said nothing in time; try again") from error
        if received == 0:
            raise UndecidedError("the other end closed the connection before it was done")
        return received

    def _send(self, data: bytes | memoryview) -> None:
        self._wait()
        try:
            self.connection.sendall(data)
        except TimeoutError as error:
            raise UndecidedError("the other end took nothing in time; try again") from error

    def _wait(self) -> None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise UndecidedError("the probe took longer than it may; the link may be too slow")
        self.connection.settimeout(left)


def sender_report(line: dict[str, Any]) -> dict[str, int]:
    """Return what the sender at the other end counted; `MalformedError` for anything else."""
    required = ("bytes", "receive_ns", "send_ns", "wall_ns")
    optional = ("busy_ns", "tick_ns", "rwnd_limited_ns", "sndbuf_limited_ns", "retrans_bytes")
    return _counts(line, required, optional)


def _counts(
    line: dict[str, Any], required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, int]:
    if not set(required) <= line.keys() <= {*required, *optional}:
        raise MalformedError("the other end's report has other fields than it should")
    if not all(type(value) is int and value >= 0 for value in line.values()):
        raise MalformedError("the other end's report has values that are no counts")
    return line


def _busy(counted: dict[str, int]) -> dict[str, int]:
    """Return the kernel's counters with its tick; nothing where it does not count busy time."""
    tick = tcp_info.tick_ns()
    return {**counted, "tick_ns": tick} if tick and "busy_ns" in counted else {}
