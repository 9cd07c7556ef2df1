import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import detect
from engine.results.refusals import ResultError
from tests.fixtures.mlperf import detail, entries, entry, log, summary
from tests.fixtures.mutation import mutants

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT)) / "raw" / "mlperf"
genuine = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)
SCENARIOS = ["Server", "Offline", "SingleStream", "MultiStream"]


def lines(*parts):
    file = detect.read(*parts)
    return {line.metric: line for line in detect.lines(file, file.runs[0])}


def notes(*parts):
    return {note.name: note for note in detect.read(*parts).runs[0].notes}


@pytest.mark.parametrize("data", [summary(), detail()], ids=["summary", "detail"])
def test_a_log_is_a_reference_without_rows(data):
    (run,) = detect.read(data).runs
    assert run.samples == {}
    assert list(run.rows) == []
    assert notes(data)["aggregates-only"].barring("ttft_ms")
    assert {line.verdict for line in lines(data).values()} == {"not-recomputable"}
    assert run.identity["SUT name" if data == summary() else "sut_name"] == "made-up"


def test_the_summary_says_how_it_was_set_up_and_what_it_found():
    (run,) = detect.read(summary()).runs
    assert run.config["Scenario"] == "Server"
    assert run.config["target_qps"] == "83.5"
    assert run.reported["Result is"] == "VALID"
    assert type(run.reported["Mean latency (ns)"]) is int


def test_the_detail_log_names_its_build_and_keeps_no_lists():
    (run,) = detect.read(detail()).runs
    assert run.identity["loadgen_version"] == "5.1.0 @ 0123abcdef"
    assert "loaded_qsl_set" not in run.config
    assert run.config["effective_target_qps"] == "83.5"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_summary_and_detail_of_one_run_agree_in_every_value(scenario):
    found = lines(detail(scenario=scenario), summary(scenario=scenario))
    compared = [line for line in found.values() if "/detail-log/" in line.definition]
    assert {line.verdict for line in compared} == {"exact"}
    assert {"Mean latency (ns)", "99.00 percentile latency (ns)", "Result is"} <= set(found)
    assert {"min_duration (ms)", "print_timestamps", "target_qps"} <= set(found)


@settings(max_examples=60)
@given(st.floats(0.02, 10**9))
def test_a_rate_agrees_as_far_as_both_print_it(rate):
    line = lines(detail(rate=rate), summary(rate=rate))["Scheduled samples per second"]
    assert line.verdict in ("exact", "float-noise")


def test_the_order_of_the_two_files_does_not_matter():
    assert lines(detail(), summary()) == lines(summary(), detail())


def test_another_run_in_the_detail_log_differs():
    found = lines(detail(seed=2), summary(seed=1))
    assert found["Mean latency (ns)"].verdict == "differs"
    assert lines(detail(validity="INVALID"), summary())["Result is"].verdict == "differs"
    assert lines(detail(rate=81.3), summary())["Scheduled samples per second"].verdict == "differs"


def test_two_logs_of_one_kind_cannot_be_joined():
    with pytest.raises(ResultError, match="not-results"):
        detect.read(detail(), detail())


def test_a_valid_result_with_errors_in_the_log_is_told():
    data = detail(errors=["too slow", "again"])
    note = notes(data)["errors-in-log"]
    assert note.detail.startswith("VALID result with 2 errors in the log: 'error_0': 'too slow'")
    assert note.barring("ttft_ms")
    assert "2 errors" in notes(summary(errors=2))["errors-in-log"].detail
    assert "errors-in-log" not in notes(detail(), summary())


@pytest.mark.parametrize("data", [summary(validity="INVALID"), detail(validity="INVALID")])
def test_an_invalid_result_is_a_failed_run(data):
    assert "run-failed" in notes(data)


def test_warnings_of_the_tool_are_repeated():
    assert notes(summary(warning="odd setting"))["tool-warning"].detail == "odd setting"


def test_the_throughput_over_nanoseconds_is_named():
    assert "10^9" in lines(detail())["result_token_throughput"].note


def test_a_summary_that_stops_before_its_verdict_is_truncated():
    with pytest.raises(ResultError, match="truncated"):
        detect.read(summary().partition(b"Result is")[0])


def test_a_value_printed_twice_must_be_the_same_twice():
    name = b"SUT name : made-up\n"
    assert detect.read(summary().replace(name, name + name)).runs[0].identity["SUT name"]
    with pytest.raises(ResultError, match="duplicate-keys"):
        detect.read(summary().replace(b"\nMax", b"\nMin latency (ns) : 1\nMax"))
    with pytest.raises(ResultError, match="duplicate-keys"):
        detect.read(log([*entries(), entry("result_validity", "INVALID")]))


def test_training_logs_are_not_of_loadgen():
    training = b':::MLLOG {"namespace": "", "key": "submission_benchmark", "value": "x"}\n'
    with pytest.raises(ResultError, match="unknown-tool"):
        detect.read(training * 3)


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_log_is_read_or_refused_and_nothing_else(data):
    made = entries()
    at = data.draw(st.integers(0, len(made) - 1))
    line = b":::MLLOG " + data.draw(mutants(made[at])) + b"\n"
    parts = [log(made[:at]) + line + log(made[at + 1 :])]
    if data.draw(st.booleans()):
        text = summary()
        start = data.draw(st.integers(0, len(text)))
        junk = data.draw(st.sampled_from([b"", b": ", b" : nan\n", b"9" * 40, b"\xff", b"1e999"]))
        parts.append(text[:start] + junk + text[start + data.draw(st.integers(0, 9)) :])
    try:
        file = detect.read(*parts)
        for run in file.runs:
            detect.lines(file, run)
    except ResultError:
        pass


@genuine
def test_the_genuine_pair_agrees_in_every_value():
    parts = [next(CORPUS.glob(name)).read_bytes() for name in ("*detail.txt", "*summary.txt")]
    found = lines(*parts)
    compared = [line for line in found.values() if "/detail-log/" in line.definition]

    assert {line.verdict for line in compared} == {"exact"}
    assert len(compared) == 58
    assert {line.verdict for line in lines(parts[0]).values()} == {"not-recomputable"}
