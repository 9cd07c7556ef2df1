"""What it costs to look at a stream: against the same JSON parsed alone, and the server's word.

Nothing here gates on time: every test prints its ratio beside the goal.
"""

import json
import threading
import time

import pytest

from engine.results import detect
from engine.serving import client, command, endpoints
from engine.serving.client import Streamed
from tests.fixtures.sse_server import Server, llama

pytestmark = pytest.mark.bench
TOKENS = 4000


def report(what, ratio, goal):
    print(f"\n{what}: {ratio:.3f} (goal {goal})")


@pytest.fixture
def url():
    actions = llama(list(range(300, 300 + TOKENS)), prompt=8)
    whole = "".join(f"data: {data}\n\n" for _, data in actions)
    server = Server(0, {"posts": [[["raw", whole]]]})
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.url
    server.shutdown()
    server.server_close()


def cpu(action):
    """Return the processor seconds of this thread in the cheapest of five."""
    took = []
    for _ in range(5):
        start = time.thread_time()
        action()
        took.append(time.thread_time() - start)
    return min(took)


def test_reading_a_stream_costs_a_few_microseconds_a_token(url):
    def whole():
        found = Streamed()
        client.stream(url, {}, 60, found)
        assert len(found.events) == TOKENS + 1

    events = llama([300] * TOKENS, prompt=8)
    ours, alone = cpu(whole), cpu(lambda: [json.loads(data) for _, data in events])
    report("µs per token while it streams", 1e6 * ours / TOKENS, "≤ 20")
    report("reading events off the wire against json.loads of them", ours / alone, "≤ 10")


def test_understanding_a_stream_comes_after_it_and_costs_little_more_than_its_json():
    events = [(n, data) for n, (_, data) in enumerate(llama([300] * TOKENS, prompt=8))]
    alone = cpu(lambda: [json.loads(data) for _, data in events])
    ours = cpu(lambda: endpoints.understand("completion", events).facts())
    report("understanding events against json.loads", ours / alone, "≤ 3")


@pytest.mark.parametrize("output", [2000])
def test_the_client_sees_the_servers_own_time_per_token(tmp_path, output):
    pytest.importorskip("xllamacpp")
    from demo import tiny_llama

    model, raw = tmp_path / "tiny.gguf", tmp_path / "raw.jsonl"
    tiny_llama.write(model, 0)
    words = ["--llama", model, "--threads", 1, "--fixture", "cycle", "--vocab", 512]
    words += ["--prompt", 64, "--output", output, "--raw", raw]
    assert command.main([str(word) for word in words]) == 0
    (row,) = detect.read(raw.read_bytes()).runs[0].rows
    own = float(row["timings"]["predicted_ms"]) / (output - 1)
    seen = (row["piece_ns"][-1] - row["piece_ns"][0]) / 1e6 / (output - 1)
    report("time per token, the client's against llama.cpp's own", seen / own, "0.98 to 1.02")
