"""The far end of a link probe: takes blocks, or sends them, for one probe at a time.

It authenticates nobody. By default it listens on loopback, where only this host can reach it; bound
to another address it serves whoever can connect, and says so. It keeps one block in memory for each
of at most 32 connections, writes nothing, and ends by itself after a while.
"""

import ipaddress
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from engine.probes import interface, wire
from engine.probes.wire import Wire
from receipts.errors import Error, UndecidedError, UsageError

MAX_CONNECTIONS = 32
_GAP_SECONDS = 5.0
"""How long a probe keeps the server for itself between two connections."""
_POLL_SECONDS = 0.2
Tell = Callable[[str], None]


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address of this host; port 0 takes a free one."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except socket.gaierror as error:
        raise UsageError(f"--bind {host} is no address of this host: {error.strerror}") from error


def is_open(listening: socket.socket) -> bool:
    """Say whether others than this host can reach the socket."""
    address = listening.getsockname()[0]
    return not ipaddress.ip_address(address.partition("%")[0]).is_loopback


class Server:
    """Serves probes on a listening socket; `tell` gets a line for every connection that failed."""

    def __init__(self, listening: socket.socket, tell: Tell, sysfs: Path = interface.SYSFS) -> None:
        self._listening = listening
        self._tell = tell
        self._sysfs = sysfs
        self._ended = threading.Event()
        self._places = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._guard = threading.Lock()
        self._guest = ""
        self._connections = 0
        self._left = 0.0

    def serve(self, seconds: float) -> None:
        """Serve for that long, or until somebody says `stop`."""
        end = time.monotonic() + seconds
        self._listening.settimeout(_POLL_SECONDS)
        while time.monotonic() < end and not self._ended.is_set():
            with suppress(TimeoutError):
                connection, _ = self._listening.accept()
                if not self._places.acquire(blocking=False):
                    connection.close()
                    continue
                # A daemon: a client that stalls cannot keep the program from ending.
                threading.Thread(target=self._attend, args=(connection,), daemon=True).start()

    def stop(self) -> None:
        """Let `serve` end soon."""
        self._ended.set()

    def _attend(self, connection: socket.socket) -> None:
        try:
            with closing(connection):
                self._answer(Wire(connection))
        except (Error, OSError) as error:
            self._tell(f"a connection ended early: {error}")
        finally:
            self._places.release()

    def _answer(self, spoken: Wire) -> None:
        asked = wire.hello(spoken.hear())
        here = interface.of(spoken.connection, self._sysfs)
        if not self._admit(asked.probe_id):
            spoken.say({"refused": "another probe is going on; try again later", "kind": "held"})
            return
        try:
            self._measure(spoken, asked, here)
        finally:
            self._leave(last=asked.last)

    def _measure(self, spoken: Wire, asked: wire.Hello, here: interface.Interface | None) -> None:
        try:
            interface.require_wire(here)
        except UndecidedError as error:
            spoken.say({"refused": str(error), "kind": "wireless"})
            return
        spoken.say({"probe_id": asked.probe_id, **(here.facts() if here else {})})
        spoken.hear()
        spoken.extend(asked.milliseconds)
        if asked.direction == "forward":
            spoken.say(dict(spoken.receive_blocks()))
        else:
            spoken.say(dict(spoken.send_blocks(asked.milliseconds)))

    def _admit(self, probe_id: str) -> bool:
        """Let the connection in unless another probe is here: both would measure each other."""
        with self._guard:
            gone = self._connections == 0 and time.monotonic() - self._left > _GAP_SECONDS
            if self._guest and not gone and probe_id != self._guest:
                return False
            self._guest, self._connections = probe_id, self._connections + 1
            return True

    def _leave(self, *, last: bool) -> None:
        with self._guard:
            self._connections -= 1
            self._left = time.monotonic()
            if last and self._connections == 0:
                self._guest = ""
