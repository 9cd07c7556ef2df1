"""The client against a server that streams at moments which it writes down."""

import json
import threading
import time

import pytest

from engine import fixtures
from engine.serving import client, endpoints
from engine.serving.asked import Asked, Launch
from engine.serving.client import Streamed
from engine.serving.faults import FaultError
from tests.fixtures.sse_server import Server, llama


@pytest.fixture
def serve():
    running = []

    def start(*posts):
        server = Server(0, {"posts": list(posts)})
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


def ask(server, seconds=10):
    found = Streamed()
    client.stream(server.url, {"prompt": [1]}, seconds, found)
    return found


def refused(server, seconds=10):
    found = Streamed()
    with pytest.raises(FaultError) as caught:
        client.stream(server.url, {}, seconds, found)
    return caught.value, found


def asked(endpoint="completion", **fields):
    fixture = fixtures.given((1, 2, 3), "p")
    return Asked(Launch(("x",), "x"), fixture, 3, 4, endpoint=endpoint, **fields)


def test_no_event_is_stamped_before_it_was_sent_and_most_soon_after(serve):
    server = serve([step for n in range(40) for step in (["sleep", 0.005], ["data", str(n)])])

    found = ask(server)

    assert [data for _, data in found.events] == [str(n) for n in range(40)]
    lags = sorted(at - sent for (at, _), sent in zip(found.events, server.sent, strict=True))
    assert lags[0] > 0
    assert lags[len(lags) // 2] < 5_000_000
    assert found.sending_ns <= found.sent_ns
    assert found.sending_ns < found.headers_ns <= found.events[0][0]
    assert found.events[-1][0] <= found.complete_ns


def test_gaps_between_events_are_those_of_the_server(serve):
    server = serve([["data", "a"], ["sleep", 0.1], ["data", "b"], ["sleep", 0.05], ["data", "c"]])

    (first, _), (second, _), (third, _) = ask(server).events

    assert second - first == pytest.approx(server.sent[1] - server.sent[0], abs=20_000_000)
    assert third - second == pytest.approx(server.sent[2] - server.sent[1], abs=20_000_000)


def test_an_event_in_pieces_has_the_moment_of_its_last_piece_and_many_in_one_have_one(serve):
    server = serve([["raw", "data: a"], ["sleep", 0.05], ["raw", "b\n\ndata: c\n\ndata: d\n\n"]])

    found = ask(server).events

    assert [data for _, data in found] == ["ab", "c", "d"]
    assert len({at for at, _ in found}) == 1
    assert found[0][0] > server.sent[1]


def test_comments_and_carriage_returns_are_no_data(serve):
    server = serve([["raw", ": ping\r\n\r\nevent: x\r\ndata: a\r\ndata: b\r\n\r\n"]])
    assert [data for _, data in ask(server).events] == ["a\nb"]


def test_another_status_is_told_with_what_the_server_says(serve):
    error, _ = refused(serve([["status", 503, "no\nmodel"]]))
    assert str(error) == "http-error: status 503: no model"


def test_a_response_that_is_no_stream_is_refused(serve):
    error, _ = refused(serve([["type", "application/json"], ["raw", "{}"]]))
    assert str(error) == "http-error: the response is application/json, no stream"


def test_a_stream_that_breaks_off_is_cut_and_what_came_is_kept(serve):
    error, found = refused(serve([["data", "a"], ["cut"]]))
    assert error.name == "stream-cut"
    assert [data for _, data in found.events] == ["a"]


def test_a_stream_that_stalls_is_over_when_its_time_is(serve):
    start = time.monotonic()
    error, found = refused(serve([["data", "a"], ["sleep", 20], ["data", "b"]]), seconds=2)
    assert error.name == "timed-out"
    assert len(found.events) == 1
    assert time.monotonic() - start < 15


def test_a_stream_that_never_ends_is_over_when_its_time_is(serve):
    error, found = refused(serve([["data", "a"], ["sleep", 0.02]] * 1000), seconds=2)
    assert error.name == "timed-out"
    assert 1 < len(found.events) < 500


def test_nobody_there_is_a_cut_stream(serve):
    server = serve([])
    server.shutdown()
    server.server_close()
    assert refused(server)[0].name == "stream-cut"


def test_the_proxy_of_the_environment_is_not_asked(serve, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert ask(serve([["data", "a"]])).events


def test_the_request_pins_what_is_to_be_pinned():
    body = endpoints.body(asked(fields={"cache_prompt": True}), (1, 2, 3), 4)

    assert body["prompt"] == [1, 2, 3]
    assert (body["n_predict"], body["temperature"], body["ignore_eos"]) == (4, 0, True)
    assert body["return_tokens"] is True
    assert body["cache_prompt"] is True  # what somebody declares goes before
    assert "prompt" not in endpoints.settings(asked())
    chat = endpoints.body(asked("chat", model="m"), "hello", 4)
    assert chat["messages"] == [{"role": "user", "content": "hello"}]
    assert (chat["model"], chat["max_tokens"]) == ("m", 4)
    assert chat["stream_options"]["include_usage"] is True


def understood(actions, endpoint="completion"):
    return endpoints.understand(endpoint, [(n, data) for n, (_, data) in enumerate(actions)])


def test_events_of_llama_cpp_become_pieces_and_counts():
    reading = understood(llama([7, 8, 9], prompt=5, counts=[1, 3, 4], predicted_n=4, prompt_ms=1.5))

    assert reading.ended
    assert reading.facts() == {
        "piece_ns": [0, 1, 2],
        "text": [" w7", " w8", " w9"],
        "piece_ids": [[7], [8], [9]],
        "piece_tokens": [1, 2, 1],
        "prompt_tokens": 5,
        "output_tokens": 4,
        "cached_tokens": 0,
        "finish": "limit",
        "timings": {"cache_n": 0, "prompt_n": 5, "predicted_n": 4, "prompt_ms": "1.5"},
    }


def chunk(text, usage=None, **choice):
    whole = {"choices": [{"index": 0, "text": text, "finish_reason": None, **choice}]}
    return ["data", json.dumps({**whole, "usage": usage} if usage else whole)]


def test_a_chunk_of_several_tokens_is_one_piece_with_all_its_ids():
    usage = {"prompt_tokens": 5, "completion_tokens": 3}
    details = {"prompt_tokens_details": {"cached_tokens": 2}}
    reading = understood(
        [
            chunk("a", {**usage, "completion_tokens": 1}, token_ids=[7]),
            chunk("bc", usage, token_ids=[8, 9]),
            ["data", json.dumps({"choices": [], "usage": {**usage, **details}})],
            ["data", "[DONE]"],
        ],
        "completions",
    )

    facts = reading.facts()
    assert facts["piece_ids"] == [[7], [8, 9]]
    assert facts["piece_tokens"] == [1, 2]
    assert (facts["cached_tokens"], facts["output_tokens"]) == (2, 3)
    assert reading.ended


def test_pieces_that_nobody_counts_have_no_count():
    reading = understood([chunk("a"), chunk("b", finish_reason="length")], "completions")

    assert reading.facts() == {"piece_ns": [0, 1], "text": ["a", "b"], "finish": "length"}
    assert not reading.ended


def test_chats_have_their_pieces_in_deltas_and_a_role_is_none():
    deltas = [{"role": "assistant", "content": None}, {"reasoning_content": "hm"}, {"content": "a"}]
    events = [["data", json.dumps({"choices": [{"delta": delta}]})] for delta in deltas]

    assert understood(events, "chat").facts() == {"piece_ns": [1, 2], "text": ["hm", "a"]}


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("{", "malformed-stream"),
        ("[]", "malformed-stream"),
        ("[" * 100_000, "malformed-stream"),
        ('{"stop": false, "tokens": [1]}', "malformed-stream"),
        ('{"content": "a", "tokens": [-1], "tokens_predicted": 1}', "malformed-stream"),
        ('{"content": "a", "tokens": [true], "tokens_predicted": 1}', "malformed-stream"),
        ('{"content": 5, "tokens": [1], "tokens_predicted": 1}', "malformed-stream"),
        ('{"content": "a", "tokens": [1], "tokens_predicted": 1.5}', "malformed-stream"),
        ('{"content": "a", "tokens": 3, "tokens_predicted": 1}', "malformed-stream"),
        ('{"error": {"code": 500, "message": "out of memory"}}', "http-error"),
    ],
)
def test_an_event_that_says_anything_else_is_refused(data, name):
    with pytest.raises(FaultError) as caught:
        understood([["data", data]])
    assert caught.value.name == name


def test_a_running_count_that_falls_is_refused():
    with pytest.raises(FaultError, match="counts-disagree: the running count falls from 2 to 1"):
        understood(llama([7, 8], prompt=1, counts=[2, 1])).facts()


def test_half_a_surrogate_pair_is_kept_as_what_it_is():
    event = {"content": "\ud800", "tokens": [1], "tokens_predicted": 1}
    assert understood([["data", json.dumps(event)]]).text == ["?"]
