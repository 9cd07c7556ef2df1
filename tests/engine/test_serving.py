"""The program against a real llama.cpp, and against servers that die, lie, stall and stay."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine import exactness
from engine.kernels.program import write_rows
from engine.results import detect, merging
from engine.serving import command
from receipts.digest import Digest
from tests.fixtures.sse_server import llama

REPOSITORY = Path(__file__).parents[2]
PROMPT = ("--fixture", "cycle", "--prompt", "32", "--vocab", "512")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Return tiny models by name: two of words, and one that speaks bytes as well."""
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: llama.cpp was not run")
    from demo import tiny_llama

    folder = tmp_path_factory.mktemp("models")
    made = {"one": (0, False), "two": (1, False), "bytes": (0, True)}
    for name, (seed, speaks_bytes) in made.items():
        tiny_llama.write(folder / name, seed, speaks_bytes=speaks_bytes)
    return {name: folder / name for name in made}


def test_a_seed_is_a_model_the_same_file_every_time(models, tmp_path):
    from demo import tiny_llama

    tiny_llama.write(tmp_path / "again", 0)

    assert Digest.of_file(tmp_path / "again") == Digest.of_file(models["one"])
    assert len({Digest.of_file(path) for path in models.values()}) == 3


@pytest.fixture
def measure(tmp_path, capfd):
    """Return what runs the program and returns its exit code, its last line, and its raw file."""
    count = iter(range(99))

    def run(*words):
        raw = tmp_path / f"raw{next(count)}.jsonl"
        code = command.main(["--raw", str(raw), *map(str, words)])
        said = capfd.readouterr()
        line = (said.out if code == 0 else said.err).strip().splitlines()[-1]
        return code, line, [json.loads(each) for each in lines(raw)], raw

    return run


def lines(raw):
    return raw.read_text().splitlines() if raw.exists() else []


def run_of(raw):
    return detect.read(raw.read_bytes()).runs[0]


def on_llama(model, *words, threads=1, output=24):
    given = ("--llama", model, "--threads", threads, "--output", output)
    return (*given, *words) if "--fixture" in words else (*given, *PROMPT, *words)


def test_one_thread_and_two_give_the_same_tokens_and_another_model_gives_others(models, measure):
    raws = []
    for model, threads in ((models["one"], 1), (models["one"], 2), (models["two"], 1)):
        code, line, _, raw = measure(*on_llama(model, threads=threads))
        assert code == 0, line
        raws.append(raw)

    one, two, other = map(run_of, raws)
    assert exactness.compare({"one": one, "two": two}, "tokens").result == "exact"
    found = exactness.compare({"one": one, "other": other}, "tokens")
    assert found.result == "differs"
    assert "other repetition 0 has token" in found.first_difference
    assert one.identity["build"] == other.identity["build"]
    assert one.identity["model"] != other.identity["model"]


def fed_with(tmp_path, tokens):
    (tmp_path / "forced.json").write_text(json.dumps(tokens))
    return "--forced", tmp_path / "forced.json"


def test_fed_with_one_continuation_threads_agree_everywhere_and_seeds_beyond_their_first_difference(
    models, measure, tmp_path
):
    forced = fed_with(tmp_path, [300 + 7 * at % 200 for at in range(40)])
    found = {}
    for name, model, threads in (("one", "one", 1), ("two", "one", 2), ("other", "two", 1)):
        code, line, _, raw = measure(*on_llama(models[model], *forced, threads=threads))
        assert code == 0, line
        found[name] = run_of(raw)

    one, two, other = found.values()
    both = exactness.compare({"one": one, "two": two}, "tokens-and-forced")
    apart = exactness.compare({"one": one, "other": other}, "tokens-and-forced")
    assert both.result == "exact"
    assert len(one.forced[0]) == 40
    assert one.forced != other.forced
    same = sum(a == b for a, b in zip(one.forced[0], other.forced[0], strict=True))
    assert apart.first_difference.startswith("other repetition 0 has token ")
    assert f"both choose alike at {same} of 40 places" in apart.first_difference
    assert "forced" not in " ".join(one.samples)


def test_fed_with_its_own_tokens_a_server_chooses_them_again(models, measure, tmp_path):
    _, _, (_, row), _ = measure(*on_llama(models["one"]))
    own = [token for ids in row["piece_ids"] for token in ids]

    _, _, (header, row), raw = measure(
        *on_llama(models["one"], *fed_with(tmp_path, own), "--forced-top", 3, "--repetitions", 1)
    )

    assert row["forced_ids"] == own
    assert {len(ids) for ids in row["forced_top_ids"]} == {3}
    assert [ids[0] for ids in row["forced_top_ids"]] == own
    assert all(float(log) < 0 for logs in row["forced_top_logprobs"] for log in logs)
    assert (header["forced"]["tokens"], header["forced"]["source"]) == (own, "file forced.json")
    config = run_of(raw).config
    assert config["forced.digest"] == header["forced"]["digest"]
    assert "forced.tokens" not in config


def test_of_a_token_that_is_no_whole_character_the_id_is_told_and_no_chance(
    models, measure, tmp_path
):
    forced = fed_with(tmp_path, [3 + 37 * at % 509 for at in range(60)])

    code, line, (_, row), _ = measure(*on_llama(models["bytes"], *forced, "--held-back", 24))

    assert code == 0, line
    untold = [place for place, ids in enumerate(row["forced_top_ids"]) if not ids]
    assert 0 < len(untold) < 60
    # Bytes of the GGUF are tokens 3 to 258; from 0xC2 on they begin a character of several.
    assert all(row["forced_ids"][place] >= 3 + 0xC2 for place in untold)


def test_after_it_was_fed_a_reused_server_is_measured_as_before(models, measure, tmp_path):
    words = on_llama(models["one"], *fed_with(tmp_path, [300, 301]), "--repetitions", 2)

    code, line, (_, *rows), raw = measure(*words, "--reuse-server")

    assert code == 0, line
    assert [row["requests_before"] for row in rows] == [1, 4]
    assert [row["cached_tokens"] for row in rows] == [0, 0]
    assert len(set(run_of(raw).forced)) == len(set(run_of(raw).tokens)) == 1


def test_a_token_that_the_model_does_not_know_is_not_fed(models, measure, tmp_path):
    words = on_llama(models["one"], *fed_with(tmp_path, [300, 99_999, 301]))

    code, line, (_, row), _ = measure(*words)

    assert code == 1
    assert line.startswith("error: repetition 0: not-fed: the server answers token ids with status")
    assert row["status"] == "not-fed"
    assert row["piece_ids"]
    assert "forced_ids" not in row


def test_the_file_names_what_was_measured_and_the_clocks_agree(models, measure):
    code, line, (header, row), raw = measure(*on_llama(models["one"]))

    assert (code, line) == (0, f"llama.cpp /completion: 1 × 24 tokens after 32 in {raw}")
    assert header["model"] == Digest.of_file(models["one"])
    assert header["package"].startswith("xllamacpp ")
    assert header["settings"]["request"]["n_predict"] == 24
    assert header["settings"]["server"]["default_generation_settings"]["n_ctx"] == 256
    assert header["fixture"]["cannot_see"]
    assert (row["status"], row["cached_tokens"], row["requests_before"]) == ("ok", 0, 1)
    assert row["leftovers"] == 0
    assert row["finish"] == "limit"
    samples = run_of(raw).samples
    assert samples["server_prefill_ms"][0] < samples["ttft_ms"][0]
    assert samples["ttft_ms"][0] < samples["e2e_ms"][0] <= samples["wall_ms"][0]
    assert row["started_ns"] < row["ready_ns"] < row["sending_ns"] < row["piece_ns"][0]


def test_repetitions_have_a_server_each_and_merge_with_those_of_other_files(models, measure):
    _, _, (header, *rows), raw = measure(*on_llama(models["one"], "--repetitions", 2))
    _, _, _, other = measure(*on_llama(models["one"]))

    assert header["servers"] == "fresh"
    assert [row["repetition"] for row in rows] == [0, 1]
    assert len({row["started_ns"] for row in rows}) == 2
    merged = merging.merge([detect.read(raw.read_bytes()), detect.read(other.read_bytes())])
    assert len(merged.samples["ttft_ms"]) == 3
    assert len(set(merged.tokens)) == 1


def test_a_reused_server_says_so_and_its_warm_cache_is_found(models, measure):
    reused = on_llama(models["one"], "--repetitions", 3, "--reuse-server")

    code, line, (header, *rows), _ = measure(*reused)
    assert code == 0, line
    assert header["servers"] == "reused"
    assert [row["requests_before"] for row in rows] == [1, 2, 3]
    assert len({row["started_ns"] for row in rows}) == 1

    code, line, (_, *rows), raw = measure(*reused, "--field", "cache_prompt=true")
    assert (code, line) == (
        1,
        "error: repetition 1: cache-hit: 31 of 32 prompt tokens came from the cache",
    )
    assert [row["status"] for row in rows] == ["ok", "cache-hit"]
    assert run_of(raw).notes[0].barring("ttft_ms")


def test_a_warm_up_with_the_same_prompt_warms_the_cache_of_a_fresh_server(
    models, measure, tmp_path
):
    prompt = tmp_path / "prompt.json"
    prompt.write_text(json.dumps([300] * 32))  # begun anywhere, it is the same
    words = ("--prompt-file", prompt, "--prompt", 32, "--field", "cache_prompt=true")
    given = ("--llama", models["one"], "--threads", 1, "--output", 8)

    assert measure(*given, *words)[1].startswith("error: repetition 0: cache-hit: ")
    assert measure(*given, *words, "--warmup", 0)[0] == 0


def test_bytes_that_are_no_character_yet_are_held_back_and_must_be_declared(models, measure):
    words = on_llama(
        models["bytes"], "--fixture", "zipf", "--prompt", 64, "--vocab", 512, output=48
    )

    code, line, (_, row), _ = measure(*words)
    assert code == 1
    held = 48 - sum(map(len, row["piece_ids"]))
    assert held > 0
    assert line.startswith("error: repetition 0: held-back: ")
    assert measure(*words, "--held-back", held - 1)[0] == 1

    code, _, (_, row), raw = measure(*words, "--held-back", held)
    assert code == 0
    (tokens,) = run_of(raw).tokens
    assert len(tokens) == 48
    assert tokens.count(-1) == held
    assert row["timings"]["predicted_n"] == 48


@pytest.mark.parametrize("endpoint", ["completions", "chat"])
def test_the_endpoints_of_openai_are_timed_by_piece(models, measure, endpoint):
    words = ("--fixture", "sentences", "--words", 4, "--prompt", 99, "--endpoint", endpoint)

    code, line, (_, row), _ = measure(*on_llama(models["one"], *words))
    assert (code, row["status"]) == (1, "prompt-length")
    assert "the fixture has 99" in line

    seen = row["prompt_tokens"]
    words = tuple(seen if word == 99 else word for word in words)
    code, _, (header, row), raw = measure(*on_llama(models["one"], *words))
    assert code == 0
    assert "piece_ids" not in row
    assert row["piece_tokens"] == [1] * 24
    assert run_of(raw).tokens == ()
    assert run_of(raw).samples["client_decode_tok_s"][0] > 0
    assert header["request"]["stream_options"]["include_usage"] is True


def test_a_prompt_that_does_not_fit_is_an_error_of_the_server(models, measure):
    words = ("--fixture", "cycle", "--prompt", 400, "--vocab", 512, "--context", 256)
    code, line, (header, row), _ = measure(*on_llama(models["one"], *words))

    assert (code, row["status"]) == (1, "http-error")
    assert "400" in line
    assert "settings" not in header


def test_a_server_that_is_killed_while_it_streams_has_died(models, tmp_path):
    raw = tmp_path / "raw.jsonl"
    words = on_llama(models["one"], "--context", 8192, output=4000)
    program = begun("--raw", raw, *words)
    try:
        server = first_child(program.pid)
        wait_for_log(program, "task")
        time.sleep(0.3)
        os.kill(server, signal.SIGKILL)
        _, said = program.communicate(timeout=30)
    finally:
        program.kill()

    assert program.returncode == 1
    assert "error: repetition 0: server-died: " in said
    row = json.loads(lines(raw)[-1])
    assert row["status"] == "server-died"
    assert run_of(raw).samples == {}


def begun(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "engine.serving", *map(str, words)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def first_child(pid):
    """Return the process whose parent is `pid`, as soon as there is one."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return int(eventually(lambda: path.read_text().split())[0])


def eventually(look, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not come to pass")


def wait_for_log(program, word):
    for line in program.stderr:
        if word in line:
            return


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 130), (signal.SIGINT, 130)])
def test_an_interrupted_program_takes_its_server_along_and_says_so(models, tmp_path, number, code):
    raw = tmp_path / "raw.jsonl"
    program = begun("--raw", raw, *on_llama(models["one"], "--context", 8192, output=6000))
    server = first_child(program.pid)
    wait_for_log(program, "processing task")
    program.send_signal(number)
    program.communicate(timeout=30)

    assert program.returncode == code
    assert not Path(f"/proc/{server}").exists()
    assert json.loads(lines(raw)[-1])["status"] == "interrupted"


def test_a_killed_program_takes_its_llama_server_along(models, tmp_path):
    program = begun(
        "--raw", tmp_path / "raw", *on_llama(models["one"], "--context", 8192, output=6000)
    )
    server = first_child(program.pid)
    wait_for_log(program, "processing task")
    program.kill()
    program.communicate(timeout=30)

    eventually(lambda: not is_running(server))


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_what_the_caller_left_open_is_in_the_hands_of_the_server(tmp_path):
    with (tmp_path / "lock").open("w") as lease:
        os.set_inheritable(lease.fileno(), True)
        look = f"import os, sys; sys.stderr.write(os.readlink('/proc/self/fd/{lease.fileno()}'))"
        words = ("--raw", tmp_path / "raw", *PROMPT, "--model", "m", "--output", 4)
        server = ("--", sys.executable, "-c", look, "{port}")
        done = subprocess.run(
            [sys.executable, "-m", "engine.serving", *map(str, (*words, *server))],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            pass_fds=(lease.fileno(),),
        )
    assert str(tmp_path / "lock") in done.stderr


def served(tmp_path, posts, *words, **script):
    """Return the words that measure a server which streams what `posts` say."""
    (tmp_path / "script.json").write_text(json.dumps({"posts": posts, **script}))
    program = REPOSITORY / "tests" / "fixtures" / "sse_server.py"
    server = (sys.executable, program, "{port}", tmp_path / "script.json", tmp_path / "log")
    prompt = ("--fixture", "cycle", "--prompt", 8, "--vocab", 99, "--output", 3)
    return (*prompt, "--model", "m", "--warmup", 0, *words, "--", *server)


GOOD = llama([7, 8, 9], prompt=8)


def answer(place, **changed):
    """Return what a server that can be fed answers after 8 tokens and `place` more."""
    top = [{"id": 7, "logprob": -1.5}, {"id": 8, "logprob": -2.25e-00}]
    told = {"tokens": [7], "tokens_evaluated": 8 + place, "completion_probabilities": [top[0]]}
    told |= changed
    told["completion_probabilities"] = [
        {"top_logprobs": top, **each} for each in told["completion_probabilities"]
    ]
    return [["status", 200, json.dumps(told)]]


UNFED = {
    "not found": ([["status", 404, "no"]], "the server answers token ids with status 404: no"),
    "no JSON": ([["status", 200, "yes"]], "with something else than JSON"),
    "a list": ([["status", 200, "[]"]], "with something else than JSON"),
    "a token more": (answer(1, tokens_evaluated=10), "9 tokens were sent, the server saw 10"),
    "no count": (answer(1, tokens_evaluated=None), "9 tokens were sent, the server saw None"),
    "no ids": (answer(1, tokens=None), "does not tell which one token it chose"),
    "two ids": (answer(1, tokens=[7, 8]), "does not tell which one token it chose"),
    "no id": (answer(1, completion_probabilities=[{"logprob": -1}]), "are not understood"),
    "no number": (
        answer(1, completion_probabilities=[{"id": 7, "logprob": None}]),
        "are not understood",
    ),
    "less likely": (
        answer(1, tokens=[8], completion_probabilities=[{"id": 8, "logprob": -2.25}]),
        "the server chose 8 and says that 7 is likelier",
    ),
    "two answers": (answer(1, tokens=[8]), "the server chose 8 and says that 7 is likelier"),
    "unlisted": (
        answer(1, tokens=[9], completion_probabilities=[{"id": 9, "logprob": -1.5}]),
        "token 9 is not among the likeliest of its own answer",
    ),
}


@pytest.mark.parametrize(("second", "detail"), UNFED.values(), ids=UNFED)
def test_a_server_that_cannot_be_fed_is_told_by_name(tmp_path, measure, second, detail):
    words = served(tmp_path, [GOOD, answer(0), second], *fed_with(tmp_path, [5, 6]))

    code, line, (_, row), _ = measure(*words)

    assert code == 1
    assert line.startswith("error: repetition 0: not-fed: ")
    assert detail in line
    assert row["piece_ids"] == [[7], [8], [9]]


def test_a_server_that_can_be_fed_is_asked_place_by_place(tmp_path, measure):
    untold = answer(1, completion_probabilities=[])
    words = served(tmp_path, [GOOD, answer(0), untold], *fed_with(tmp_path, [5, 6]))

    code, line, (_, row), raw = measure(*words)

    assert code == 0, line
    assert row["forced_ids"] == [7, 7]
    assert row["forced_top_ids"] == [[7, 8], []]
    assert row["forced_top_logprobs"] == [["-1.5", "-2.25"], []]
    assert run_of(raw).forced == ((7, 7),)


def ending(**fields):
    """Return the last event of a good stream, with other fields."""
    return ["data", json.dumps({**json.loads(GOOD[-1][1]), **fields})]


LIES = {
    "too-few-tokens": llama([7, 8], prompt=8),
    "too-many-tokens": llama([7, 8, 9, 9], prompt=8),
    "counts-disagree": [*GOOD[:-1], ending(tokens_predicted=4)],
    "held-back": llama([7, 9], prompt=8, counts=[1, 3], predicted_n=3),
    "prompt-length": llama([7, 8, 9], prompt=9),
    "cache-hit": llama([7, 8, 9], prompt=8, cached=7),
    "clocks-disagree": llama([7, 8, 9], prompt=8, prompt_ms=90_000.5),
    "stream-cut": [*GOOD[:2], ["cut"]],
    "malformed-stream": [*GOOD[:2], ["data", "{"]],
    "server-died": [*GOOD[:2], ["exit"]],
    "http-error": [["status", 500, "broken"]],
    "timed-out": [*GOOD[:2], ["sleep", 3]],
}


@pytest.mark.parametrize(("name", "actions"), LIES.items(), ids=LIES)
def test_a_server_that_fails_or_lies_is_told_by_name(tmp_path, measure, name, actions):
    code, line, (_, row), raw = measure(*served(tmp_path, [actions], "--within", 1))

    assert code == 1
    assert line.startswith(f"error: repetition 0: {name}: ")
    assert (row["status"], row["repetition"]) == (name, 0)
    assert run_of(raw).samples == {}


def test_a_stream_that_only_stops_was_cut_and_its_pieces_are_kept(tmp_path, measure):
    code, _, (_, row), _ = measure(*served(tmp_path, [GOOD[:2]]))

    assert (code, row["status"]) == (1, "stream-cut")
    assert row["piece_ids"] == [[7], [8]]


def test_chunks_are_not_taken_for_tokens(tmp_path, measure):
    def chunk(text, **more):
        return ["data", json.dumps({"choices": [{"text": text}], **more})]

    usage = {"usage": {"prompt_tokens": 8, "completion_tokens": 3}}
    end = [chunk("", **usage), ["data", "[DONE]"]]
    openai = ("--endpoint", "completions")

    code, line, _, _ = measure(*served(tmp_path, [[chunk("a"), chunk("bc"), *end]], *openai))
    assert (code, line) == (
        1,
        "error: repetition 0: pieces-not-tokens: 2 pieces and no ids for 3 tokens; "
        "0 may be held back",
    )
    code, line, _, _ = measure(*served(tmp_path, [[chunk("a"), chunk("b"), end[1]]], *openai))
    assert (code, line.split(": ")[2]) == (1, "counts-untold")
    code, line, _, _ = measure(
        *served(tmp_path, [[chunk("a"), chunk("b"), chunk("c"), *end]], *openai)
    )
    assert code == 0, line


def test_a_reused_server_that_is_silent_about_its_cache_is_refused(tmp_path, measure):
    silent = [*GOOD[:-1], ending(timings={"predicted_n": 3})]
    words = served(tmp_path, [silent], "--repetitions", 2, "--reuse-server")

    code, line, (_, *rows), _ = measure(*words)

    assert code == 1
    assert [row["status"] for row in rows] == ["ok", "cache-untold"]
    assert "1 requests before this one" in line


def test_a_server_with_other_settings_the_second_time_is_refused(tmp_path, measure):
    posts = [[*GOOD[:-1], ending(generation_settings={"top_k": k})] for k in (40, 41)]
    words = ("--repetitions", 2, "--reuse-server")

    code, line, _, _ = measure(*served(tmp_path, posts, *words))

    assert code == 1
    assert line == "error: repetition 1: settings-differ: settings.request.top_k is another"


def test_a_fault_in_a_warm_up_is_the_end_as_well(tmp_path, measure):
    words = served(tmp_path, [[["status", 500, "no"]], GOOD], "--warmup", 1)
    code, _, (_, row), _ = measure(*words)
    assert (code, row["status"]) == (1, "http-error")


def test_what_a_server_leaves_behind_is_counted_and_ended(tmp_path, measure):
    code, _, (_, row), raw = measure(*served(tmp_path, [[*GOOD, ["child"]]]))

    assert code == 0
    assert row["leftovers"] == 1
    assert run_of(raw).notes[-1].name == "leftovers"


def test_a_taken_port_is_never_measured(tmp_path, measure):
    with socket.create_server(("127.0.0.1", 0)) as neighbour:
        port = neighbour.getsockname()[1]
        code, line, (_, row), _ = measure(*served(tmp_path, [GOOD], "--port", port))

    assert (code, row["status"]) == (1, "port-in-use")
    assert f"127.0.0.1:{port} is taken" in line


def test_a_server_that_is_never_ready_is_ended_when_its_time_is_over(tmp_path, measure):
    start = time.monotonic()
    words = served(tmp_path, [GOOD], "--ready-within", 1, pages={"/health": "{}"})
    sleeper = (*words[: words.index("--")], "--", "sleep", "60", "{port}")
    code, _, (_, row), _ = measure(*sleeper)

    assert (code, row["status"]) == (1, "not-ready")
    assert time.monotonic() - start < 10


def test_a_server_that_does_not_start_is_told_with_the_reason(tmp_path, measure):
    words = served(tmp_path, [GOOD])
    own = words[: words.index("--")]
    assert measure(*own, "--", "no-such-server", "{port}")[1].endswith("No such file or directory")
    assert "server-died" in measure(*own, "--", "false", "{port}")[1]


def test_a_raw_file_is_never_replaced_and_nothing_runs_before_that_is_known(tmp_path, capfd):
    raw = tmp_path / "raw.jsonl"
    write_rows(raw, [{"kept": 1}])

    assert command.main(["--raw", str(raw), *PROMPT, "--output", "3", "--", "false"]) == 4
    assert "exists and is never replaced" in capfd.readouterr().err
    assert raw.read_text() == '{"kept":1}\n'


FED = ("--forced", "f", "--model", "m", "--", "x", "{port}")


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        ((*PROMPT, "--model", "m"), 2, "give either --llama MODEL.gguf or a server's command"),
        ((*PROMPT, "--llama", "m", "--threads", "1", "--", "x"), 2, "give either --llama"),
        ((*PROMPT, "--", "x", "{port}"), 2, "nothing says which model it is"),
        ((*PROMPT, "--model", "m", "--", "x"), 2, "where does the server listen?"),
        ((*PROMPT, "--llama", "nowhere.gguf", "--threads", "1"), 4, "nowhere.gguf does not exist"),
        ((*PROMPT, "--llama", "nowhere.gguf"), 2, "--llama needs --threads"),
        (("--prompt", "8", "--model", "m", "--", "x", "{port}"), 2, "either --fixture or"),
        ((*PROMPT, "--endpoint", "chat", "--model", "m", "--", "x", "{port}"), 2, "takes text"),
        ((*PROMPT, "--weights", "none", "--", "x", "{port}"), 4, "file none does not exist"),
        (
            (
                *PROMPT,
                "--forced",
                "f",
                "--endpoint",
                "completions",
                "--model",
                "m",
                "--",
                "x",
                "{port}",
            ),
            2,
            "--forced: /v1/completions cannot be fed token by token; llama.cpp's /completion can",
        ),
        (
            ("--fixture", "sentences", "--prompt", "9", *FED),
            2,
            "--forced continues a prompt of token ids, and this one is text",
        ),
        ((*PROMPT, *FED), 4, "f: the file of forced tokens does not exist"),
    ],
)
def test_words_that_do_not_go_together_are_refused(tmp_path, capfd, words, code, complaint):
    assert command.main(["--raw", str(tmp_path / "raw"), "--output", "3", *words]) == code
    assert complaint in capfd.readouterr().err
    assert not (tmp_path / "raw").exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "0 forced tokens are not within 1 and 8192"),
        ("[-1]", "is no list of token ids"),
        ('{"a":1}', "is no list of token ids"),
        ('["w"]', "is no list of token ids"),
    ],
)
def test_forced_tokens_are_a_list_of_ids(tmp_path, capfd, text, complaint):
    (tmp_path / "f").write_text(text)
    words = ["--raw", tmp_path / "raw", "--output", 3, *PROMPT, "--forced", tmp_path / "f"]

    assert command.main([*map(str, words), "--model", "m", "--", "x", "{port}"]) == 2
    assert complaint in capfd.readouterr().err


def test_a_prompt_file_has_as_many_tokens_as_it_is_said_to_have(tmp_path, capfd):
    (tmp_path / "p.json").write_text("[1, 2, 3]")
    words = ["--raw", str(tmp_path / "raw"), "--prompt-file", str(tmp_path / "p.json")]
    words += ["--prompt", "4", "--output", "3", "--model", "m", "--", "x", "{port}"]

    assert command.main(words) == 2
    assert "the prompt has 3 tokens, --prompt says 4" in capfd.readouterr().err
