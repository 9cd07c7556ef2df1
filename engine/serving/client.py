"""One streamed request, and the moment of everything that came back.

A moment is taken as soon as the bytes are here, before anybody looks at them; events are kept as
text and understood when the stream has ended, so that nothing is parsed between two tokens. The
request is sent when its last byte has been handed to the system. Collection of garbage waits
meanwhile. Both ends of the sending are kept: a busy host may let us see its end late, never its
beginning. Server-sent events are parsed by httpx2.
"""

import gc
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import httpx2

from engine.results.stream_lines import MAX_PIECES
from engine.serving.faults import FaultError

_SENDING, _SENT = "http11.send_request_headers.started", "http11.send_request_body.complete"
_MAX_EVENT = 1024 * 1024
_MAX_EVENTS = 2 * MAX_PIECES
_MAX_BODY = 400


@dataclass(slots=True)
class Streamed:
    """What came back, in nanoseconds of the monotonic clock: each event with its moment."""

    sending_ns: int = 0
    sent_ns: int = 0
    headers_ns: int = 0
    complete_ns: int = 0
    events: list[tuple[int, str]] = field(default_factory=list)


def stream(url: str, body: Mapping[str, Any], seconds: float, found: Streamed) -> None:
    """Post `body` as JSON and keep in `found` what comes back, also where it ends in a fault.

    Raises `FaultError` for another status than 200, a response that is no stream, one that breaks
    off, and one that takes too long.
    """
    transport = _Stamping(time.monotonic_ns() + int(seconds * 10**9))
    with httpx2.Client(transport=transport, trust_env=False, timeout=seconds) as caller:
        request = caller.build_request(
            "POST",
            url,
            json=body,
            headers={"Accept": "text/event-stream", "Accept-Encoding": "identity"},
            extensions={"trace": _noting(found)},
        )
        try:
            with _without_collection():
                response = caller.send(request, stream=True)
                found.headers_ns = time.monotonic_ns()
                _require_stream(response)
                _keep(response, transport, found)
        except _TooLateError as error:
            raise FaultError("timed-out", f"no end of the response in {seconds:g} s") from error
        except httpx2.TimeoutException as error:
            raise FaultError("timed-out", f"nothing came for {seconds:g} s") from error
        except httpx2.TransportError as error:
            raise FaultError("stream-cut", _said(error)) from error


def _keep(response: httpx2.Response, transport: "_Stamping", found: Streamed) -> None:
    for event in httpx2.EventSource(response, max_event_size=_MAX_EVENT):
        found.events.append((transport.at_ns, event.data))
        if len(found.events) > _MAX_EVENTS:
            raise FaultError("malformed-stream", f"more than {_MAX_EVENTS} events")
    found.complete_ns = time.monotonic_ns()


def _noting(found: Streamed) -> Any:
    def note(name: str, _: Mapping[str, Any]) -> None:
        if name == _SENT:
            found.sent_ns = time.monotonic_ns()
        elif name == _SENDING:
            found.sending_ns = time.monotonic_ns()

    return note


def _require_stream(response: httpx2.Response) -> None:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if response.status_code != httpx2.codes.OK:
        start = b"".join(_first_bytes(response)).decode("utf-8", "replace")
        raise FaultError("http-error", f"status {response.status_code}: {_line(start)}")
    if kind != "text/event-stream":
        raise FaultError("http-error", f"the response is {_line(kind) or 'of no type'}, no stream")


def _first_bytes(response: httpx2.Response) -> Iterator[bytes]:
    read = 0
    for piece in response.iter_bytes():
        yield piece
        read += len(piece)
        if read > _MAX_BODY:
            return


def _line(text: str) -> str:
    """Return foreign text as one short printable line."""
    return "".join(c if c.isprintable() else " " for c in text[:_MAX_BODY]).strip()


def _said(error: Exception) -> str:
    return _line(str(error)) or type(error).__name__


@contextmanager
def _without_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class _TooLateError(Exception):
    """The deadline of the whole request has passed, though bytes still come."""


class _Stamping(httpx2.BaseTransport):
    """A transport that keeps the moment at which the bytes last read had come."""

    def __init__(self, deadline_ns: int) -> None:
        self.at_ns = 0
        self._deadline_ns = deadline_ns
        self._inner = httpx2.HTTPTransport(trust_env=False)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pass the request on, and the response back with its bytes stamped."""
        response = self._inner.handle_request(request)
        inner = cast("httpx2.SyncByteStream", response.stream)
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Stamped(inner, self),
            extensions=response.extensions,
        )

    def stamp(self) -> None:
        """Take the moment; raise `_TooLateError` once the deadline has passed."""
        self.at_ns = time.monotonic_ns()
        if self.at_ns > self._deadline_ns:
            raise _TooLateError

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()


class _Stamped(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, transport: _Stamping) -> None:
        self._inner = inner
        self._transport = transport

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._inner:
            self._transport.stamp()
            yield piece

    def close(self) -> None:
        self._inner.close()
