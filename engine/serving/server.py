"""A server from its start to its end: one port, one process group, one deadline.

Nothing may listen on the port before, or a neighbour would be measured. What the program was given
by its own caller (a lease is a descriptor) it hands on: while the server lives, the lease is held,
whatever becomes of us. Its output goes where ours goes.
"""

import errno
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from engine.apparatus import groups
from engine.serving.asked import Launch
from engine.serving.faults import FaultError

HOST = "127.0.0.1"
GRACE_SECONDS = 2.0
"""Below what our own caller grants us, so that the server is gone before we are."""
_POLL_SECONDS = 0.01
_PROBES = ("/health", "/v1/models")
_MAX_SETTINGS = 1024 * 1024
_MAX_STATUS = 200


@dataclass(eq=False)
class Server:
    """A running server and how it came up, in nanoseconds of the monotonic clock."""

    url: str
    child: groups.Child
    started_ns: int
    ready_ns: int = 0
    requests: int = 0
    leftovers: int | None = None
    """How many of its processes outlived it; None while it runs."""

    def require_alive(self) -> None:
        """Raise `FaultError` if the server has ended."""
        if groups.has_ended(self.child):
            raise FaultError("server-died", "the server ended by itself; its output says why")


@contextmanager
def running(launch: Launch) -> Iterator[Server]:
    """Start the server, wait until it is ready, and end its group whatever happens."""
    port = _free_port(launch.port)
    words = [_word(word, port) for word in launch.command]
    started = time.monotonic_ns()
    try:
        child = subprocess.Popen(  # noqa: S603 - running the person's command is the purpose
            words,
            stdin=subprocess.PIPE if launch.attached else subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),
            close_fds=False,  # only what our caller left open on purpose is inheritable
            process_group=0,
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FaultError("server-died", f"{words[0][:200]}: {why}") from error
    server = Server(f"http://{HOST}:{port}", child, started)
    try:
        _await_ready(server, launch.ready_seconds)
        yield server
    finally:
        if child.stdin:
            child.stdin.close()
        _, left = groups.end(child, GRACE_SECONDS)
        server.leftovers = len(left)


def settings(server: Server) -> dict[str, Any] | None:
    """Return what the server says about itself at `/props`, None where it has no such page."""
    with _caller() as caller, caller.stream("GET", f"{server.url}/props") as response:
        if response.status_code != httpx2.codes.OK:
            return None
        whole = b""
        for piece in response.iter_bytes():
            whole += piece
            if len(whole) > _MAX_SETTINGS:
                raise FaultError("malformed-stream", f"/props is over {_MAX_SETTINGS} bytes")
    try:
        found = json.loads(whole, parse_float=str)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _caller() -> httpx2.Client:
    """Return a client that goes straight to this host, whatever the environment says."""
    return httpx2.Client(trust_env=False, timeout=5.0)


def _free_port(wanted: int) -> int:
    """Return `wanted`, or a port of the system's choice for 0, on which nothing listens."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As servers do: what lingers of an earlier server on this port is no neighbour.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
            probe.listen(1)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise FaultError("port-in-use", f"{HOST}:{wanted} is taken; choose another") from error
        return int(probe.getsockname()[1])


def _word(word: str, port: int) -> str:
    return str(port) if word == "{port}" else word


def _await_ready(server: Server, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    with _caller() as caller:
        while not _is_ready(caller, server.url):
            server.require_alive()
            if time.monotonic() > deadline:
                raise FaultError("not-ready", f"the server was not ready in {seconds:g} s")
            time.sleep(_POLL_SECONDS)
    server.require_alive()
    server.ready_ns = time.monotonic_ns()


def _is_ready(caller: httpx2.Client, url: str) -> bool:
    """Ask for health, and where there is no such page for the list of models."""
    for path in _PROBES:
        try:
            status = caller.get(url + path).status_code
        except httpx2.TransportError:
            return False
        if status != httpx2.codes.NOT_FOUND:
            return status == httpx2.codes.OK
    return False
