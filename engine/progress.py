"""Progress, told while it happens: events as JSON lines, and the same as server-sent events.

    {"data":{"arm":"plain","repetition":0},"format":"evidence-ledger/progress/v1",
     "status":"start","step":"repetition/v1"}

A step is a versioned label (`engine.labels`), so that whoever reads an event knows what it meant
when it was written; the last word on each step is what a pipeline is judged by. A listener is
never waited for: one that is gone, or too slow, is dropped, because it must not cost the
measurement that it watches. Events carry no timings of arms; those come after the gate.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import IO, Any, Literal, get_args

from engine import labels
from receipts import canonical
from receipts.errors import MalformedError

FORMAT = "evidence-ledger/progress/v1"
MAX_LINE = 16 * 1024
Status = Literal["start", "ok", "fail", "info", "planned"]
STATUSES: tuple[str, ...] = get_args(Status)
Sink = Callable[["Event"], None]
"""Takes an event; one that raises `OSError` or `ValueError` (it is closed) is dropped."""
_FIELDS = frozenset(("format", "step", "status", "detail", "data"))


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a step; `data` holds values of canonical JSON."""

    step: str
    status: Status
    detail: str | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        labels.parse(self.step)
        if self.status not in STATUSES:
            raise MalformedError(f"status {self.status!r} is unknown; use {', '.join(STATUSES)}")


def encode(event: Event) -> bytes:
    """Return the event as one line of canonical JSON."""
    value: dict[str, Any] = {"format": FORMAT, "step": event.step, "status": event.status}
    value |= {"detail": event.detail} if event.detail is not None else {}
    value |= {"data": event.data} if event.data else {}
    line = canonical.encode(value) + b"\n"
    if len(line) > MAX_LINE:
        raise MalformedError(f"event of {len(line)} bytes on {event.step} is over {MAX_LINE}")
    return line


def decode(line: bytes) -> Event:
    """Return the event that a line spells; `MalformedError` for any other field or version."""
    value = canonical.decode(line.removesuffix(b"\n"), MAX_LINE)
    if not isinstance(value, dict) or not {"format", "step", "status"} <= value.keys() <= _FIELDS:
        raise MalformedError("progress event has other fields than it should")
    if value["format"] != FORMAT:
        raise MalformedError(f"progress format {str(value['format'])[:60]!r} is not {FORMAT}")
    texts = [value["step"], value["status"], value.get("detail", "")]
    if not all(isinstance(text, str) for text in texts) or not isinstance(
        value.get("data", {}), dict
    ):
        raise MalformedError("progress event has a field of another type than it should")
    return Event(value["step"], value["status"], value.get("detail"), value.get("data", {}))


def as_sse(event: Event, number: int) -> bytes:
    """Return the event as a server-sent event with an id, of the type that its status is."""
    # The data is one line: canonical JSON has no line break, not even inside a text.
    return f"id: {number}\nevent: {event.status}\ndata: ".encode() + encode(event) + b"\n"


def states(events: Iterable[Event]) -> dict[str, str]:
    """Return the last word on each step; *info* says nothing about how it goes."""
    return {event.step: event.status for event in events if event.status != "info"}


def lines(stream: IO[bytes]) -> Sink:
    """Return a sink that writes JSON lines to `stream`, each at once."""

    def write(event: Event) -> None:
        stream.write(encode(event))
        stream.flush()

    return write


class Relay:
    """Passes every event to all open sinks; nothing is lost when there is none."""

    def __init__(self, *sinks: Sink) -> None:
        self._sinks = list(sinks)

    def open(self, sink: Sink) -> Callable[[], None]:
        """Add a sink; return what removes it again."""
        self._sinks.append(sink)
        return lambda: self._drop(sink)

    def send(self, step: str, status: Status, detail: str | None = None, **data: Any) -> Event:
        """Tell that a step has come to `status`; a malformed event is raised before it is told."""
        event = Event(step, status, detail, data)
        encode(event)
        for sink in tuple(self._sinks):
            try:
                sink(event)
            except (OSError, ValueError):
                self._drop(sink)
        return event

    @property
    def listeners(self) -> int:
        """How many sinks are open."""
        return len(self._sinks)

    def _drop(self, sink: Sink) -> None:
        if sink in self._sinks:
            self._sinks.remove(sink)
