import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import detect
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from tests.fixtures import genai_perf, mutation


def read(record, summary=None):
    beside = () if summary is None else (genai_perf.text(summary),)
    return detect.read(genai_perf.text(record), *beside)


def lines(file):
    return {line.metric: line for line in detect.lines(file, file.runs[0])}


@given(st.integers(0, 10**6), st.integers(2, 20), st.sets(st.integers(1, 19), max_size=3))
@settings(max_examples=25, deadline=None)
def test_every_time_of_the_summary_is_recomputed_exactly(seed, count, empty):
    record = genai_perf.recording(count, seed=seed, empty=empty)
    found = lines(read(record, genai_perf.summary(record)))

    unknown = {name for name, line in found.items() if line.verdict != "exact"}
    assert {name.split(".")[0] for name in unknown} <= {"output_sequence_length", "telemetry_stats"}
    assert {found[name].verdict for name in unknown} == {"not-recomputable"}


def test_the_first_token_is_the_first_text_and_the_last_the_last():
    record = genai_perf.recording(1, tokens=6)
    request = record["experiments"][0]["requests"][0]
    came = request["response_timestamps"][1:-2]
    samples = read(record).runs[0].samples

    assert float(samples["ttft_ms"][0]) == (came[0] - genai_perf.START) / 10**6
    assert float(samples["e2e_ms"][0]) == (came[-1] - genai_perf.START) / 10**6
    assert len(samples["itl_ms"]) == len(came) - 1


def test_a_request_without_text_failed_and_needs_a_policy():
    (run,) = read(genai_perf.recording(5, empty={2})).runs
    assert [row["status"] for row in run.rows] == ["ok", "ok", "failed", "ok", "ok"]
    assert len(run.samples["e2e_ms"]) == 4
    (note,) = run.notes
    assert note.barring("e2e_ms")
    assert not note.barring("e2e_ms", frozenset({EXCLUDE_FAILED}))


def test_a_run_without_any_text_has_no_figures():
    (run,) = read(genai_perf.recording(3, empty=range(3))).runs
    assert not run.samples
    assert [note.name for note in run.notes] == ["all-requests-failed"]


def test_a_whole_answer_has_no_first_token():
    whole = {"object": "chat.completion", "choices": [{"message": {"content": "all"}}]}
    record = genai_perf.recording(1)
    (request,) = record["experiments"][0]["requests"]
    request["response_timestamps"] = [genai_perf.START + 5]
    request["response_outputs"] = [{"response": json.dumps(whole)}]
    samples = read(record).runs[0].samples
    assert samples.keys() == {"e2e_ms", "requests_per_s"}


def test_an_event_that_came_in_two_pieces_is_one_event_at_the_time_of_the_first():
    record = genai_perf.recording(1, tokens=6)
    (request,) = record["experiments"][0]["requests"]
    outputs, came = request["response_outputs"], request["response_timestamps"]
    head, tail = outputs[1]["response"][:20], outputs[1]["response"][20:]
    outputs[1:2] = [{"response": head}, {"response": tail}]
    came.insert(2, came[1] + 1)
    samples = read(record).runs[0].samples
    assert float(samples["ttft_ms"][0]) == (came[1] - genai_perf.START) / 10**6


def test_every_experiment_is_a_run():
    record = genai_perf.recording()
    second = genai_perf.recording(seed=2)["experiments"][0]
    second["experiment"]["value"] = 4
    record["experiments"].append(second)
    file = read(record)
    assert [run.config["value"] for run in file.runs] == [1, 4]
    with pytest.raises(ResultError) as caught:
        read(record, genai_perf.summary(record))
    assert caught.value.name == "not-results"


def test_a_statistic_that_was_edited_differs():
    record = genai_perf.recording()
    summary = genai_perf.summary(record)
    summary["request_latency"]["p99"] *= 0.99
    file = read(record, summary)
    assert lines(file)["request_latency.p99"].verdict == "differs"
    assert any(note.barring("e2e_ms") for note in detect.notes(file, file.runs[0]))


def test_fewer_requests_than_the_summary_counts_never_differ():
    record = genai_perf.recording()
    summary = genai_perf.summary(record)
    del record["experiments"][0]["requests"][3:]
    file = read(record, summary)
    found = lines(file)
    assert found.pop("request_count").verdict == "rows-incomplete"
    assert {line.verdict for line in found.values()} == {"not-recomputable"}
    assert file.runs[0].notes[0].name == "rows-incomplete"


def test_a_summary_alone_is_aggregates_only():
    file = detect.read(genai_perf.text(genai_perf.summary(genai_perf.recording())))
    assert (file.reader, file.part) == ("genai-perf", "summary")
    assert file.runs[0].notes[0].name == "aggregates-only"
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}


@pytest.mark.parametrize("value", [None, 1.5, "1", -1, True, 2**70])
def test_a_time_that_is_none_refuses_the_file(value):
    record = genai_perf.recording()
    record["experiments"][0]["requests"][0]["timestamp"] = value
    with pytest.raises(ResultError) as caught:
        read(record)
    assert caught.value.name == "not-a-number"


def test_responses_without_a_time_each_refuse_the_file():
    record = genai_perf.recording()
    record["experiments"][0]["requests"][0]["response_timestamps"].pop()
    with pytest.raises(ResultError) as caught:
        read(record)
    assert caught.value.name == "rows-inconsistent"


RECORD = genai_perf.recording(2, tokens=2)
SUMMARY = genai_perf.summary(RECORD)


def touch(file):
    for run in file.runs:
        for line in detect.lines(file, run):
            assert line.relative is None or line.relative >= 0
        list(run.rows)
        dict(run.config)
        [list(column) for column in run.samples.values()]


@given(st.one_of(mutation.mutants(RECORD), mutation.mutants(SUMMARY)))
@settings(max_examples=300, deadline=None)
def test_damaged_files_are_read_or_refused_and_nothing_else(data):
    for parts in ((data,), (genai_perf.text(RECORD), data), (data, genai_perf.text(SUMMARY))):
        try:
            touch(detect.read(*parts))
        except ResultError:
            continue
