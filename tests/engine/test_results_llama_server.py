import json
import os
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from tests.fixtures.llama_server import completion, dump, response, stream, timings
from tests.fixtures.mutation import mutants

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT)) / "raw" / "llama-server"
genuine = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)


def only(data):
    (run,) = detect.read(data).runs
    return run


def lines(data):
    file = detect.read(data)
    return {line.metric: line for line in detect.lines(file, file.runs[0])}


def notes(data):
    return {note.name: note for note in only(data).notes}


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 100_000), st.integers(2, 5000))
def test_every_rate_and_time_per_token_is_exact(seed, prompt, output):
    found = lines(dump(response(times=timings(seed, prompt, output))))
    assert {found[name].verdict for name in found if "per" in name} == {"exact"}
    assert len([name for name in found if "per" in name]) == 4


@pytest.mark.parametrize(
    "data",
    [
        dump(*(response(seed) for seed in (1, 2, 3))),
        json.dumps([response(seed) for seed in (1, 2, 3)], indent=2).encode(),
        stream(1, 2, 3),
        stream(1, 2, 3, per_token=True),
        dump(*({"request": seed, "response": response(seed)} for seed in (1, 2, 3))),
    ],
    ids=["lines", "array", "stream", "stream with timings per token", "wrapped"],
)
def test_each_response_is_one_row_however_it_was_kept(data):
    run = only(data)
    assert [row["prompt_ms"] for row in run.rows] == [timings(s)["prompt_ms"] for s in (1, 2, 3)]
    assert run.identity == {"build": "b6789-0123abcd", "model": "tiny"}
    assert [row["status"] for row in run.rows] == ["ok"] * 3
    assert {len(column) for column in run.samples.values()} == {3}


@pytest.mark.parametrize("build", ["b5517-1e8659e6", "b6789-0123abcd"])
def test_the_build_is_in_the_fingerprint(build):
    assert only(stream(1, build=build)).identity["build"] == build


def test_bare_timings_are_responses_too():
    run = only(dump(timings(1), timings(2)))
    assert len(run.samples["ttft_ms"]) == 2
    assert run.identity == {}


def test_samples_are_exact_and_count_tokens_after_the_first():
    times = timings(1, prompt=17, output=32)
    samples = only(dump(response(times=times))).samples
    first, rest = Fraction(times["prompt_ms"]), Fraction(times["predicted_ms"])

    assert samples["ttft_ms"][0] == samples["prefill_ms"][0] == first
    assert samples["prefill_tok_s"][0] == 17 * 1000 / first
    assert samples["decode_ms"][0] == rest
    assert samples["tpot_ms"][0] == rest / 31
    assert samples["server_token_ms"][0] == rest / 32
    assert samples["server_decode_tok_s"][0] == 32 * 1000 / rest


def test_completions_without_id_are_told_apart_by_stop():
    data = b"".join(
        f"data: {json.dumps(one)}\n\n".encode()
        for seed in (1, 2)
        for one in (
            {"index": 0, "content": "a", "stop": False},
            completion(seed + 50, stop=False),
            completion(seed),
        )
    )
    run = only(data)
    assert [row["prompt_ms"] for row in run.rows] == [timings(s)["prompt_ms"] for s in (1, 2)]
    assert run.config["n_predict"] == 32
    assert run.config["temperature"] == "0.5"


def test_a_prompt_from_the_cache_is_told():
    new = dump(response(times=timings(prompt=5, cached=12)))
    old = dump(completion() | {"tokens_evaluated": 40})
    assert "1 of 1 prompts" in notes(new)["cached-prompt"].detail
    assert "cached-prompt" in notes(old)
    assert "cached-prompt" not in notes(dump(completion()))
    assert lines(new)["usage.prompt_tokens"].verdict == "exact"


def test_a_longer_prompt_without_cache_n_cannot_be_confirmed():
    one = response()
    one["usage"]["prompt_tokens"] += 5
    assert lines(dump(one))["usage.prompt_tokens"].verdict == "not-recomputable"


def test_a_prompt_wholly_from_the_cache_has_no_rate():
    times = timings(prompt=0, cached=17)
    assert times["prompt_per_second"] is None
    found = lines(dump(response(times=times)))
    assert found["prompt_per_second"].verdict == "not-recomputable"
    assert "prefill_tok_s" not in only(dump(response(times=times))).samples


def test_drafted_tokens_are_kept_in_the_rows():
    run = only(dump(response(times=timings(draft_n=20, draft_n_accepted=15))))
    assert run.rows[0]["draft_n_accepted"] == 15


def test_a_response_of_one_token_has_no_decode_rate():
    data = dump(response(times=timings(output=1)), response(2))
    assert len(only(data).samples["server_decode_tok_s"]) == 1
    assert len(only(data).samples["ttft_ms"]) == 2
    assert "nothing-decoded" in notes(data)


def test_a_changed_rate_differs_and_bars_its_metric():
    times = timings()
    times["predicted_per_second"] *= 1.0001
    file = detect.read(dump(response(times=times)))
    barred = [note for note in detect.notes(file, file.runs[0]) if note.name == "differs"]
    assert [note.barring("server_decode_tok_s") for note in barred] == [True]


def test_failed_and_unfinished_responses_need_a_policy():
    failed = dump(response(1), {"error": {"code": 500, "message": "x"}}, response(2))
    unfinished = stream(1, 2) + stream(3, finished=False)
    for data, status in ((failed, "failed"), (unfinished, "incomplete")):
        run = only(data)
        note = notes(data)["failed-rows"]
        assert sorted(row["status"] for row in run.rows) == sorted(["ok", status, "ok"])
        assert note.barring("ttft_ms")
        assert not note.barring("ttft_ms", frozenset({EXCLUDE_FAILED}))
        assert len(run.samples["ttft_ms"]) == 2


def test_a_failed_response_without_a_name_stays_with_its_neighbours():
    data = dump({"error": {"code": 503}}, response(1), response(2))
    assert len(only(data).rows) == 3


def test_two_builds_are_two_runs():
    file = detect.read(dump(response(1, build="b1-aa"), response(2, build="b2-bb")))
    assert select(file, {"build": "b2-bb"}).rows[0]["prompt_ms"] == timings(2)["prompt_ms"]


def test_one_response_logged_twice_is_not_two():
    file = detect.read(dump(response(1), response(1)))
    assert [note.name for note in file.notes if note.barring("ttft_ms")] == ["repeated-rows"]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"prompt_ms": 0.0}, "zero-is-missing"),
        ({"prompt_ms": None}, "not-a-number"),
        ({"predicted_ms": -1.0}, "not-a-number"),
        ({"predicted_n": 1.5}, "not-a-number"),
        ({"predicted_n": True}, "not-a-number"),
        ({"prompt_n": -1}, "not-a-number"),
        ({"cache_n": "12"}, "not-a-number"),
        ({"prompt_n": 10**30}, "not-a-number"),
    ],
)
def test_what_is_no_time_or_count_is_refused_with_the_response(change, name):
    with pytest.raises(ResultError, match="llama-server file: response 1: ") as caught:
        detect.read(dump(response(1), response(2) | {"timings": timings(2) | change}))
    assert caught.value.name == name


def test_broken_json_in_a_stream_names_its_line():
    with pytest.raises(ResultError, match="line 3"):
        detect.read(b": ping\n\ndata: {" + stream(1)[20:])


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data):
    whole = [response(1), completion(2), response(3, times=timings(cached=4)), timings(5)]
    if data.draw(st.booleans()):
        changed = data.draw(mutants(whole))
    else:
        changed = stream(1) + b"data: " + data.draw(mutants(response(2))) + b"\n\n" + stream(3)
    try:
        file = detect.read(changed)
        for run in file.runs:
            detect.lines(file, run)
            assert all(value > 0 for column in run.samples.values() for value in column)
    except ResultError:
        pass


@genuine
def test_a_genuine_stream_recomputes_to_the_digit():
    data = (CORPUS / "timings_sse_excerpt_b5517.txt").read_bytes()
    run = only(data)

    assert {line.verdict for line in lines(data).values()} == {"exact"}
    assert run.identity == {"build": "b5517-1e8659e6", "model": "phi-4"}
    assert float(run.samples["server_decode_tok_s"][0]) == 73.42812414639806
