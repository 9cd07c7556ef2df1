"""Progress as lines and as server-sent events, heard by real sockets."""

import io
import json
import os
import socket
import threading
import time
import urllib.request
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import labels, progress, progress_server
from engine.progress import Event, Relay
from receipts.canonical import MAX_INTEGER
from receipts.errors import MalformedError

VALUES = st.recursive(
    st.text() | st.integers(-MAX_INTEGER, MAX_INTEGER) | st.booleans(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc_"), inner),
    max_leaves=8,
)
EVENTS = st.builds(
    Event,
    st.sampled_from(["repetition/v1", "window/v12"]),
    st.sampled_from(progress.STATUSES),
    st.none() | st.text(),
    st.dictionaries(st.text("abc_"), VALUES, max_size=3),
)


@pytest.fixture
def served():
    """A relay whose events a server passes on; yields both."""
    relay = Relay()
    with progress_server.serving(0) as server:
        relay.open(server.sink)
        yield relay, server


def listen(server, **headers):
    """Return a connection that has asked for the events and has the head of the answer."""
    near = socket.create_connection(("127.0.0.1", server.port), 10)
    lines = {"Host": f"127.0.0.1:{server.port}", **headers}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    near.sendall(f"GET /events HTTP/1.1\r\n{head}\r\n".encode())
    return near, near.makefile("rb")


def parse(stream, count):
    """Return so many events of a stream as their fields, comments passed over."""
    found, fields = [], {}
    while len(found) < count:
        line = stream.readline().decode().rstrip("\n")
        if line == "" and fields:
            found.append(fields)
            fields = {}
        elif line.partition(":")[0] in ("id", "event", "data"):
            name, _, value = line.partition(": ")
            assert name not in fields
            fields[name] = value
    return found


def answered(stream):
    status = stream.readline().decode()
    while stream.readline() not in (b"\r\n", b""):
        pass
    return status


# --- lines -------------------------------------------------------------------------------------


@given(EVENTS)
def test_an_event_is_one_line_and_comes_back_as_it_was(event):
    line = progress.encode(event)
    assert line.count(b"\n") == 1
    assert progress.decode(line) == event


@given(EVENTS, st.integers(1, 10**6))
def test_a_server_sent_event_is_the_same_line_with_an_id(event, number):
    ident, kind, data, end, rest = progress.as_sse(event, number).split(b"\n")
    assert (ident, kind) == (f"id: {number}".encode(), f"event: {event.status}".encode())
    assert progress.decode(data.removeprefix(b"data: ")) == event
    assert (end, rest) == (b"", b"")


def test_an_event_reads_as_the_format_says():
    stream = io.BytesIO()
    Relay(progress.lines(stream)).send("repetition/v1", "start", arm="plain", repetition=0)
    assert stream.getvalue() == (
        b'{"data":{"arm":"plain","repetition":0},"format":"evidence-ledger/progress/v1",'
        b'"status":"start","step":"repetition/v1"}\n'
    )


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[]",
        b'{"format":"evidence-ledger/progress/v2","status":"ok","step":"a/v1"}',
        b'{"format":"evidence-ledger/progress/v1","status":"done","step":"a/v1"}',
        b'{"format":"evidence-ledger/progress/v1","status":"ok","step":"a"}',
        b'{"format":"evidence-ledger/progress/v1","status":"ok","step":1}',
        b'{"data":[],"format":"evidence-ledger/progress/v1","status":"ok","step":"a/v1"}',
        b'{"format":"evidence-ledger/progress/v1","more":1,"status":"ok","step":"a/v1"}',
        b'{"format": "evidence-ledger/progress/v1","status":"ok","step":"a/v1"}',
        b'"' + b"x" * progress.MAX_LINE + b'"',
    ],
)
def test_a_line_that_is_no_event_is_refused(line):
    with pytest.raises(MalformedError):
        progress.decode(line)


@pytest.mark.parametrize(
    ("step", "status", "data"),
    [
        ("a", "ok", {}),
        ("a/v1", "done", {}),
        ("a/v1", "ok", {"x": 0.5}),
        ("a/v1", "ok", {"x": None}),
    ],
)
def test_a_malformed_event_is_raised_before_anybody_is_told(step, status, data):
    stream = io.BytesIO()
    with pytest.raises(MalformedError):
        Relay(progress.lines(stream)).send(step, status, **data)
    assert stream.getvalue() == b""


def test_an_event_without_a_bound_is_refused():
    with pytest.raises(MalformedError, match="is over 16384"):
        Relay().send("a/v1", "info", "x" * 20_000)


# --- sinks -------------------------------------------------------------------------------------


def test_every_open_sink_gets_every_event_and_a_closed_one_no_more():
    first, second = [], []
    relay = Relay(first.append)
    close = relay.open(second.append)
    relay.send("a/v1", "start")
    close()
    relay.send("a/v1", "ok")
    assert [event.status for event in first] == ["start", "ok"]
    assert [event.status for event in second] == ["start"]


def test_a_reader_that_went_away_is_dropped_and_the_others_hear_on():
    heard = []
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb", buffering=0) as broken:
        relay = Relay(progress.lines(broken), heard.append)
        relay.send("a/v1", "start")
        relay.send("a/v1", "ok")
    assert [event.status for event in heard] == ["start", "ok"]
    assert relay.listeners == 1


def test_the_last_words_of_a_run_are_what_a_pipeline_is_judged_by():
    heard = []
    relay = Relay(heard.append)
    for step, status in (
        ("build/v1", "planned"),
        ("build/v1", "start"),
        ("build/v1", "ok"),
        ("build/v1", "info"),
        ("run/v1", "start"),
    ):
        relay.send(step, status)
    assert progress.states(heard) == {"build/v1": "ok", "run/v1": "start"}
    assert not labels.pipeline(["build/v1", "run/v1"], progress.states(heard)).passed
    relay.send("run/v1", "ok")
    assert labels.pipeline(["build/v1", "run/v1"], progress.states(heard)).passed


# --- server-sent events ------------------------------------------------------------------------


def test_a_listener_hears_what_was_told_before_it_came_and_what_happens_then(served):
    relay, server = served
    relay.send("repetition/v1", "start", repetition=0)
    near, stream = listen(server)
    with closing(near), closing(stream):
        assert "200" in answered(stream)
        (early,) = parse(stream, 1)
        relay.send("repetition/v1", "ok", "done", repetition=0)
        (late,) = parse(stream, 1)
    assert (early["id"], early["event"]) == ("1", "start")
    assert (late["id"], late["event"]) == ("2", "ok")
    assert json.loads(late["data"]) == {
        "data": {"repetition": 0},
        "detail": "done",
        "format": progress.FORMAT,
        "status": "ok",
        "step": "repetition/v1",
    }


def test_a_lost_connection_goes_on_where_it_ended(served):
    relay, server = served
    for number in range(5):
        relay.send("a/v1", "info", n=number)
    near, stream = listen(server, Last_Event_ID="3")
    with closing(near), closing(stream):
        answered(stream)
        assert [event["id"] for event in parse(stream, 2)] == ["4", "5"]


@pytest.mark.parametrize("number", ["99", "-1", "x", "9" * 5000])
def test_an_id_that_this_server_never_gave_starts_from_the_beginning(served, number):
    relay, server = served
    relay.send("a/v1", "ok")
    near, stream = listen(server, Last_Event_ID=number)
    with closing(near), closing(stream):
        answered(stream)
        assert parse(stream, 1)[0]["id"] == "1"


def test_a_stock_client_hears_the_end():
    with progress_server.serving(0) as server:
        relay = Relay(server.sink)
        relay.send("a/v1", "ok")
        url = f"http://127.0.0.1:{server.port}/events"
        with urllib.request.urlopen(url, timeout=10) as answer:
            assert answer.headers["Content-Type"] == "text/event-stream"
            threading.Timer(0.2, server.close).start()
            body = answer.read()
    assert body.startswith(b"id: 1\nevent: ok\ndata: {")
    assert body.endswith(b"event: end\ndata: {}\n\n")


def test_only_loopback_is_listened_on(served):
    _, server = served
    assert server._http.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [("/", "localhost", 404), ("/events", "evil.example", 403), ("/events", "", 403)],
)
def test_another_path_or_name_is_refused(served, path, host, status):
    _, server = served
    with closing(socket.create_connection(("127.0.0.1", server.port), 10)) as near:
        near.sendall(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
        assert near.makefile("rb").readline().split()[1] == str(status).encode()


def test_a_listener_that_does_not_read_costs_the_relay_nothing(served):
    relay, server = served
    near, stream = listen(server)
    with closing(near), closing(stream):
        started = time.monotonic()
        for number in range(2000):
            relay.send("a/v1", "info", "x" * 1000, n=number)
        assert time.monotonic() - started < 5


def test_a_listener_too_many_is_told_so(served):
    _, server = served
    open_ones = [listen(server) for _ in range(progress_server.MAX_LISTENERS)]
    try:
        assert all("200" in answered(stream) for _, stream in open_ones)
        near, stream = listen(server)
        with closing(near), closing(stream):
            assert "503" in answered(stream)
    finally:
        for near, stream in open_ones:
            stream.close()
            near.close()


def test_what_is_kept_is_bounded_and_the_ids_show_the_gap():
    feed = progress_server.Feed(kept=3)
    for _ in range(5):
        feed.add(Event("a/v1", "info"))
    found, closed = feed.after(0, 0)
    assert [number for number, _ in found] == [3, 4, 5]
    assert not closed
