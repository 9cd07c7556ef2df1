"""The walk of the repetitions: start, wait, warm up, measure once, stop; then again, from nothing.

A repetition that is no measurement ends the walk, and its row says why. Nothing is tried again, and
nothing that was measured is left out. Warm-ups have the prompt of the measured request begun later,
so that they share no prefix with it; what a cache made of them all the same, the server must say.
"""

import time
from dataclasses import dataclass, field
from typing import Any

from engine.apparatus import groups
from engine.fixtures import rotated
from engine.results import stream_faults
from engine.serving import client, endpoints, feeding, record, server
from engine.serving.asked import PATHS, Asked
from engine.serving.client import Streamed
from engine.serving.faults import FaultError
from engine.serving.server import Server

_DYING_SECONDS = 0.5
Row = dict[str, Any]


@dataclass
class Measured:
    """What came of a walk; `rows` has every repetition that was begun."""

    origin_ns: int
    identity: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    interrupted: bool = False

    @property
    def fault(self) -> FaultError | None:
        """Why the walk ended before its end, None where it did not."""
        last = self.rows[-1]
        whole = last["status"] == stream_faults.OK
        return None if whole else FaultError(last["status"], last["detail"])


def measure(asked: Asked) -> Measured:
    """Walk the repetitions; each gets a server of its own unless it is to be reused."""
    done = Measured(time.monotonic_ns(), record.identify(asked))
    whole = range(asked.repetitions)
    for turn in [whole] if asked.reuse_server else [range(n, n + 1) for n in whole]:
        _turn(asked, turn, done)
        if done.fault:
            break
    return done


def _turn(asked: Asked, turn: range, done: Measured) -> None:
    """Run the repetitions of one server; the last row says how many processes outlived it."""
    before, started = len(done.rows), None
    try:
        with server.running(asked.launch) as started:
            _warm_up(asked, started)
            for number in turn:
                done.rows.append(_repetition(asked, started, number, done))
                if done.fault:
                    break
    except FaultError as error:
        done.rows.append(_failed(turn.start + len(done.rows) - before, error.name, error.detail))
    except KeyboardInterrupt:
        done.interrupted = True
        number = turn.start + len(done.rows) - before
        done.rows.append(_failed(number, "interrupted", "stopped from outside"))
    if started and started.leftovers is not None:
        done.rows[-1]["leftovers"] = started.leftovers


def _warm_up(asked: Asked, started: Server) -> None:
    for number in range(asked.warmup):
        prompt = rotated(asked.fixture.prompt, number + 1)
        found = _ask(asked, started, prompt, asked.warmup_tokens, Streamed())
        if not endpoints.understand(asked.endpoint, found.events).ended:
            raise FaultError("stream-cut", "the stream of a warm-up ended before its end")


def _repetition(asked: Asked, started: Server, number: int, done: Measured) -> Row:
    row: Row = {"repetition": number, "requests_before": started.requests}
    row |= {"started_ns": started.started_ns, "ready_ns": started.ready_ns}
    found = Streamed()
    try:
        _ask(asked, started, asked.fixture.prompt, asked.output_tokens, found)
        reading = endpoints.understand(asked.endpoint, found.events)
        row |= _moments(found) | reading.facts()
        if not reading.ended:
            raise FaultError("stream-cut", "the stream ended without saying that it was complete")
        _agree(done, _told(started, reading))
        fault = stream_faults.first(_declared(asked), row)
        row["status"] = fault[0] if fault else stream_faults.OK
        if fault:
            row["detail"] = fault[1]
        elif asked.forced:
            # Behind the measured request, so that nothing of it is in anybody's time.
            row |= feeding.feed(asked, asked.forced, started)
    except FaultError as error:
        row |= _moments(found) | _failed(number, error.name, error.detail)
    return _since(row, done.origin_ns)


def _ask(
    asked: Asked, started: Server, prompt: tuple[int, ...] | str, output: int, found: Streamed
) -> Streamed:
    url = started.url + PATHS[asked.endpoint]
    body = endpoints.body(asked, prompt, output)
    try:
        client.stream(url, body, asked.request_seconds, found)
    except FaultError as error:
        broken = error.name in ("stream-cut", "timed-out")
        if broken and groups.await_end(started.child, _DYING_SECONDS):
            raise FaultError("server-died", f"after {len(found.events)} events") from error
        raise
    started.requests += 1
    return found


def _told(started: Server, reading: endpoints.Reading) -> dict[str, Any]:
    """Return the settings in effect, as the server reports them of itself and of the request."""
    found = {"server": server.settings(started) or None, "request": reading.settings or None}
    return dict(record.plain(found))


def _agree(done: Measured, settings: dict[str, Any]) -> None:
    if len(done.rows) and settings != done.settings:
        raise FaultError("settings-differ", f"{_first_apart(done.settings, settings)} is another")
    done.settings = settings


def _first_apart(one: Any, other: Any, place: str = "settings") -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            if one.get(name) != other.get(name):
                return _first_apart(one.get(name), other.get(name), f"{place}.{name}")
    return place


def _declared(asked: Asked) -> dict[str, int]:
    names = ("prompt_tokens", "output_tokens", "warmup", "held_back")
    return {name: getattr(asked, name) for name in names}


def _moments(found: Streamed) -> dict[str, int]:
    """Return the moments that came to pass."""
    names = ("sending_ns", "sent_ns", "headers_ns", "complete_ns")
    return {name: at for name in names if (at := getattr(found, name))}


def _failed(number: int, name: str, detail: str) -> Row:
    return {"repetition": number, "status": name, "detail": record.plain(detail)}


def _since(row: Row, origin: int) -> Row:
    """Return the row with every moment counted from `origin` on."""
    found = dict(row)
    for name, at in row.items():
        if name.endswith("_ns"):
            found[name] = [each - origin for each in at] if isinstance(at, list) else at - origin
    return found
