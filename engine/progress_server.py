"""Server-sent events on loopback: `--serve-progress PORT` for a page or a script that watches.

    curl -N http://127.0.0.1:4712/events

    with serving(4712) as server, relay.open(server.sink): …

Whoever connects gets what was told so far and then what happens; `Last-Event-ID` goes on where a
lost connection ended. Only this host reaches it, and only under a loopback name, so that no web
page elsewhere can read along by a name that it points here. The last 4096 events are kept.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from engine.progress import Event, as_sse

HOST = "127.0.0.1"
KEPT = 4096
MAX_LISTENERS = 16
_HEARTBEAT_SECONDS = 5.0
_STALL_SECONDS = 5.0
_LONGEST_ID = 16
_NAMES = frozenset(("127.0.0.1", "localhost"))


class Feed:
    """The events so far, numbered from 1, and a way to wait for the next ones."""

    def __init__(self, kept: int = KEPT) -> None:
        self._events: deque[Event] = deque(maxlen=kept)
        self._count = 0
        self._closed = False
        self._changed = threading.Condition()

    @property
    def count(self) -> int:
        """How many events there were."""
        return self._count

    def add(self, event: Event) -> None:
        """Add an event: the sink of a relay. It never waits for a listener."""
        with self._changed:
            self._events.append(event)
            self._count += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Let every listener end once it has all events."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def after(self, number: int, seconds: float) -> tuple[list[tuple[int, Event]], bool]:
        """Return the events after `number`, waiting that long for one; and whether it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._count > number, seconds)
            first = self._count - len(self._events) + 1
            numbered = list(enumerate(self._events, start=first))
            return [(place, event) for place, event in numbered if place > number], self._closed


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, feed: Feed) -> None:
        self.feed = feed
        self.places = threading.BoundedSemaphore(MAX_LISTENERS)
        super().__init__((HOST, port), _Handler)


class Server:
    """A started server: its port, and the sink to open at a relay."""

    def __init__(self, port: int) -> None:
        self._feed = Feed()
        self._http = _Http(port, self._feed)
        self.sink = self._feed.add
        self.port = int(self._http.server_address[1])
        threading.Thread(target=self._http.serve_forever, args=(0.1,), daemon=True).start()

    def close(self) -> None:
        """Tell the listeners that it is over, and end."""
        self._feed.close()
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def serving(port: int) -> Iterator[Server]:
    """Serve on loopback until the block ends; port 0 takes a free one."""
    server = Server(port)
    try:
        yield server
    finally:
        server.close()


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    timeout = _STALL_SECONDS
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer a listener until the events end or it has gone."""
        refusal = self._refusal()
        if refusal:
            self.send_error(*refusal)
        elif not self.server.places.acquire(blocking=False):
            self.send_error(503, "too many listeners")
        else:
            try:
                self._stream()
            except OSError:  # gone, or too slow to be waited for
                self.close_connection = True
            finally:
                self.server.places.release()

    def log_message(self, *_: Any) -> None:
        """Say nothing: stderr belongs to whoever measures."""

    def _refusal(self) -> tuple[int, str] | None:
        if self.headers.get("Host", "").partition(":")[0] not in _NAMES:
            return 403, "ask by a loopback name"
        return None if self.path == "/events" else (404, "the events are at /events")

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        number, closed = self._last_seen(), False
        while not closed:
            found, closed = self.server.feed.after(number, _HEARTBEAT_SECONDS)
            # Without news a line that listeners ignore: it finds out whether there is one.
            news = b"".join(as_sse(event, place) for place, event in found)
            self.wfile.write(news or b": still here\n\n")
            number = found[-1][0] if found else number
        self.wfile.write(b"event: end\ndata: {}\n\n")

    def _last_seen(self) -> int:
        """Return the number after which the listener goes on; 0 if it is of another server."""
        text = self.headers.get("Last-Event-ID", "")
        known = text.isascii() and text.isdecimal() and len(text) < _LONGEST_ID
        number = int(text) if known else 0
        return number if number <= self.server.feed.count else 0
