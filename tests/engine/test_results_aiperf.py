import copy
import csv
import json
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import detect
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from tests.fixtures import aiperf, mutation

CORPUS = (
    Path(os.environ.get("EVIDENCE_CORPUS", Path(__file__).parents[3] / "shared/corpus")) / "raw"
)


def read(records, summary=None):
    beside = () if summary is None else (aiperf.text(summary),)
    return detect.read(aiperf.dump(records), *beside)


def lines(file):
    return {line.metric: line for line in detect.lines(file, file.runs[0])}


def names(file):
    return {note.name for note in (*file.notes, *file.runs[0].notes)}


def barred(file, metric, *policies):
    notes = (*file.notes, *file.runs[0].notes)
    return any(note.barring(metric, frozenset(policies)) for note in notes)


@given(
    st.integers(0, 10**6),
    st.integers(1, 40),
    st.integers(2, 60),
    st.sampled_from(["early", "late"]),
)
@settings(max_examples=40, deadline=None)
def test_every_statistic_of_a_whole_run_is_recomputed_exactly(seed, count, tokens, release):
    file = read(*aiperf.pair(count, tokens, seed, release))
    inexact = {name: line for name, line in lines(file).items() if line.verdict != "exact"}

    # A total of quotients depends on the last bit of each of its parts.
    assert inexact.keys() <= {f"{name}.sum" for name in aiperf.UNITS}
    assert {line.verdict for line in inexact.values()} <= {"float-noise"}


def test_every_number_of_the_summary_has_exactly_one_line():
    records, summary = aiperf.pair(release="late")
    file = read(records, summary)
    metrics = [line.metric for line in detect.lines(file, file.runs[0])]
    numbers = sum(len(v) - 1 for v in summary.values() if isinstance(v, dict) and "unit" in v)

    assert len(metrics) == len(set(metrics)) == numbers
    assert set(file.runs[0].reported) == set(metrics)


def test_samples_are_the_printed_values_in_file_order():
    requests = aiperf.measured(5)
    (run,) = read([aiperf.record(at, one) for at, one in enumerate(requests)]).runs

    for name, metric in (("time_to_first_token", "ttft_ms"), ("request_latency", "e2e_ms")):
        assert list(run.samples[metric]) == [Fraction(one[name] * aiperf.MS) for one in requests]
    gaps = [gap for one in requests for gap in one["inter_chunk_latency"]]
    assert [float(value) for value in run.samples["itl_ms"]] == [gap * aiperf.MS for gap in gaps]
    assert len(run.samples["tpot_ms"]) == len(run.samples["user_tok_s"]) == 5


def test_rates_of_the_run_are_counts_over_the_time_from_first_start_to_last_end():
    requests = aiperf.measured(7)
    (run,) = read([aiperf.record(at, one) for at, one in enumerate(requests)]).runs
    end = max(one["start"] + one["request_latency"] for one in requests)
    tokens = sum(one["output_sequence_length"] for one in requests)

    assert run.samples["output_tok_s"][0] == Fraction(tokens * 10**9, end - aiperf.START)
    assert run.samples["requests_per_s"][0] == Fraction(7 * 10**9, end - aiperf.START)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_records_and_summary_are_joined_in_either_order(order):
    records, summary = aiperf.pair()
    parts = (aiperf.dump(records), aiperf.text(summary))
    file = detect.read(*(parts[at] for at in order))

    assert file.runs[0].identity["model_names"] == "toy/model"
    assert file.runs[0].config["loadgen.concurrency"] == 1
    assert "ttft_ms" in file.runs[0].samples
    assert not names(file) & {"no-summary", "aggregates-only"}


def over_phase(spent, told=None):
    """Return a pair whose rates are over `spent` seconds of a phase, told to the microsecond."""
    records, summary = aiperf.pair(release="late")
    rates = ("request_throughput", "output_token_throughput", "total_token_throughput")
    for name in rates:
        amount = summary[name]["avg"] * summary["benchmark_duration"]["avg"]
        summary[name]["avg"] = amount / spent
    times = {
        "start_time": "2026-01-01T00:00:00",
        "end_time": f"2026-01-01T00:00:{told or spent:.6f}",
    }
    found = lines(read(records, summary | times))
    return [found[name] for name in rates]


def test_a_rate_over_the_phase_is_not_recomputed_and_does_not_differ():
    found = over_phase(19.1234564)
    assert {line.verdict for line in found} == {"not-recomputable"}
    assert all(0 < line.relative < 1e-7 for line in found)


def test_a_rate_that_fits_neither_the_records_nor_the_phase_differs():
    found = over_phase(19.1234564, told=19.12346)
    assert {line.verdict for line in found} == {"differs"}
    assert "requests_per_s" in {line.about for line in found}


@pytest.mark.parametrize("told", [None, "yesterday", "2026-01-01T00:00:00+00:00"])
def test_a_phase_that_is_not_told_excuses_nothing(told):
    records, summary = aiperf.pair()
    summary["request_throughput"]["avg"] *= 0.9
    found = lines(read(records, summary | {"start_time": told}))
    assert found["request_throughput"].verdict == "differs"


def test_good_requests_are_counted_and_their_rate_follows():
    records, summary = aiperf.pair()
    for at, record in enumerate(records):
        record["metrics"]["good_request_count"] = {"value": at % 3 and 1, "unit": "requests"}
    rate = 8 / summary["benchmark_duration"]["avg"]
    summary["good_request_count"] = {"unit": "requests", "avg": 8.0}
    summary["goodput"] = {"unit": "requests/sec", "avg": rate}
    found = lines(read(records, summary))
    assert found["good_request_count"].verdict == found["goodput"].verdict == "exact"


def test_percentiles_of_lists_from_a_sketch_are_those_of_hazen():
    records, summary = aiperf.pair()
    gaps = [gap for one in aiperf.measured() for gap in one["inter_chunk_latency"]]
    for name, percent in (("p1", 1), ("p50", 50), ("p99", 99)):
        value = float(np.percentile(gaps, percent, method="hazen")) * aiperf.MS
        summary["inter_chunk_latency"][name] = value
    found = lines(read(records, summary))
    for name in ("p1", "p50", "p99"):
        assert found[f"inter_chunk_latency.{name}"].verdict == "exact"
    assert "/hazen/" in found["inter_chunk_latency.p99"].definition
    assert found["inter_chunk_latency.p99"].about == "itl_ms"


def test_percentiles_of_single_values_are_never_those_of_hazen():
    records, summary = aiperf.pair()
    firsts = [one["time_to_first_token"] for one in aiperf.measured()]
    value = float(np.percentile(firsts, 99, method="hazen")) * aiperf.MS
    summary["time_to_first_token"]["p99"] = value
    assert lines(read(records, summary))["time_to_first_token.p99"].verdict == "differs"


def test_an_answer_without_content_is_a_failure_that_only_its_metric_tells():
    records, summary = aiperf.pair(failed=1)
    records[-1] = aiperf.record(99, {"start": aiperf.START})
    records[-1]["metrics"]["error_isl"] = {"value": 22, "unit": "tokens"}
    file = read(records, summary)
    assert file.runs[0].rows[-1]["status"] == "failed"
    assert lines(file)["error_request_count"].verdict == "exact"
    assert lines(file)["request_count"].verdict == "exact"


def test_two_files_of_records_are_no_pair():
    data = aiperf.dump(aiperf.pair()[0])
    with pytest.raises(ResultError) as caught:
        detect.read(data, data)
    assert caught.value.name == "not-results"


def test_fewer_records_than_requests_are_incomplete_and_never_differ():
    records, summary = aiperf.pair(12)
    file = read(records[:5], summary)
    found = lines(file)

    assert found.pop("request_count").verdict == "rows-incomplete"
    assert {line.verdict for line in found.values()} == {"not-recomputable"}
    assert "rows-incomplete" in names(file)
    assert barred(file, "ttft_ms", EXCLUDE_FAILED)


def test_a_statistic_that_was_edited_differs_and_bars_its_metric():
    records, summary = aiperf.pair()
    summary["time_to_first_token"]["p99"] *= 0.99
    file = read(records, summary)

    assert lines(file)["time_to_first_token.p99"].verdict == "differs"
    assert any(note.barring("ttft_ms") for note in detect.notes(file, file.runs[0]))


def test_a_throughput_that_was_edited_differs():
    records, summary = aiperf.pair()
    summary["output_token_throughput"]["avg"] *= 1.01
    line = lines(read(records, summary))["output_token_throughput"]
    assert (line.verdict, line.about) == ("differs", "output_tok_s")


def test_warm_up_failed_and_cancelled_records_are_rows_and_no_samples():
    requests = aiperf.measured(6)
    records = [
        aiperf.record(0, requests[0], phase="warmup"),
        *(aiperf.record(at, one) for at, one in enumerate(requests[1:4], start=1)),
        aiperf.failure(4),
        aiperf.record(5, requests[5], was_cancelled=True),
    ]
    file = read(records)
    (run,) = file.runs

    status = [row["status"] for row in run.rows]
    assert status == ["warm-up", "ok", "ok", "ok", "failed", "cancelled"]
    assert len(run.samples["ttft_ms"]) == 3
    assert barred(file, "ttft_ms")
    assert not barred(file, "ttft_ms", EXCLUDE_FAILED)
    assert "2 of 5 requests failed" in next(n for n in run.notes if n.name == "failed-rows").detail


def test_failures_that_only_the_summary_counts_need_a_policy_too():
    records, summary = aiperf.pair(failed=3)
    file = read(records[:-3], summary)

    assert lines(file)["error_request_count"].verdict == "rows-incomplete"
    assert barred(file, "ttft_ms")
    assert not barred(file, "ttft_ms", EXCLUDE_FAILED)


def test_the_share_of_errors_is_recomputed():
    found = lines(read(*aiperf.pair(failed=3)))
    assert found["request_error_rate"].verdict == found["error_request_count"].verdict == "exact"


def test_a_run_in_which_all_failed_has_no_figures():
    file = read([aiperf.failure(at) for at in range(4)])
    assert "all-requests-failed" in names(file)
    assert not file.runs[0].samples


def test_statistics_with_failed_requests_as_infinitely_slow_are_recomputed():
    requests = aiperf.measured(8)
    records, summary = aiperf.pair(8, failed=2)
    slow = [one["request_latency"] * aiperf.MS for one in requests] + [np.inf] * 2
    summary["adj_request_latency"] = {
        "unit": "ms",
        "p50": float(np.percentile(slow, 50, method="nearest")),
        "min": min(slow),
        "count": 10,
        "avg": None,
    }
    found = {n: v.verdict for n, v in lines(read(records, summary)).items() if n.startswith("adj_")}
    assert found == {f"adj_request_latency.{name}": "exact" for name in ("p50", "min", "count")}


def test_percentiles_of_lists_may_come_from_a_sketch_and_then_say_nothing():
    records, summary = aiperf.pair()
    summary["inter_chunk_latency"]["p90"] *= 1.004
    summary["request_latency"]["p90"] *= 1.004
    summary["inter_chunk_latency"]["p50"] *= 1.1
    found = lines(read(records, summary))

    assert found["inter_chunk_latency.p90"].verdict == "not-recomputable"
    assert found["request_latency.p90"].verdict == "differs"
    assert found["inter_chunk_latency.p50"].verdict == "differs"


def test_what_no_record_keeps_is_not_recomputable_with_its_reason():
    records, summary = aiperf.pair()
    summary["warmup_metrics"] = {"request_latency": {"unit": "ms", "avg": 1.0, "p50": 1.0}}
    summary["telemetry_data"] = {"endpoints": {"a": {"power": {"unit": "W", "avg": 130.0}}}}
    summary["good_request_count"] = {"unit": "requests", "avg": 3.0}
    found = lines(read(records, summary))

    assert found["warmup_metrics.request_latency.p50"].note == "made from warm-up records"
    for name in ("telemetry_data.endpoints.a.power", "good_request_count"):
        assert found[name].verdict == "not-recomputable"
        assert found[name].note


def test_a_summary_alone_is_aggregates_only():
    file = detect.read(aiperf.text(aiperf.pair()[1]))
    assert file.part == "summary"
    assert barred(file, "ttft_ms")
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}


def test_records_alone_say_that_their_number_is_unknown():
    file = read(aiperf.pair()[0])
    assert "no-summary" in names(file)
    assert not barred(file, "ttft_ms")
    assert lines(file) == {}


@pytest.mark.parametrize("change", [{"was_cancelled": True}, {"is_complete": False}])
def test_a_run_that_did_not_come_to_its_end_is_barred(change):
    records, summary = aiperf.pair()
    assert barred(read(records, summary | change), "ttft_ms")


def test_records_of_the_first_drafts_are_read():
    old = {"time_to_first_token": "ttft"}
    requests = aiperf.measured(4)
    records = [aiperf.record(at, one) for at, one in enumerate(requests)]
    for one, values in zip(records, requests, strict=True):
        metadata = one["metadata"]
        metadata["timestamp_ns"] = metadata.pop("request_start_ns")
        metadata["credit_phase"] = metadata.pop("benchmark_phase")
        one["metrics"] = {old.get(name, name): metric for name, metric in one["metrics"].items()}
        one["metrics"]["request_count"] = {"value": 1, "unit": "requests"}
        start = {"value": values["start"], "unit": "ns"}
        one["metrics"]["min_request_timestamp"] = start
    summary = aiperf.summary(requests)
    metrics = {name: one for name, one in summary.items() if isinstance(one, dict)}
    del metrics["input_config"]
    for one in metrics.values():
        one |= {"tag": "x", "header": "X", "p10": None}
        if one.keys() <= {"unit", "tag", "header", "p10", "avg"}:
            one["count"] = 1
    kept = {name: one for name, one in summary.items() if name not in metrics}
    metrics = {old.get(name, name): one for name, one in metrics.items()}
    file = read(records, kept | {"records": metrics})

    found = lines(file)
    assert found["ttft.p50"].verdict == found["request_throughput"].verdict == "exact"
    assert found["min_request_timestamp"].verdict == found["request_count"].verdict == "exact"
    assert {line.verdict for line in found.values()} == {"exact", "not-recomputable"}
    assert len(file.runs[0].samples["ttft_ms"]) == 4


def test_a_record_without_a_phase_is_of_the_profiling_phase():
    records = aiperf.pair(3)[0]
    for one in records:
        del one["metadata"]["benchmark_phase"]
    assert len(read(records).runs[0].samples["ttft_ms"]) == 3


def test_a_null_metric_is_absent_for_its_request():
    records = aiperf.pair(3)[0]
    records[1]["metrics"]["time_to_first_token"] = None
    assert len(read(records).runs[0].samples["ttft_ms"]) == 2


def test_bare_numbers_have_no_unit_and_are_no_samples():
    records = aiperf.pair(3)[0]
    for one in records:
        one["metrics"]["time_to_first_token"] = one["metrics"]["time_to_first_token"]["value"]
    file = read(records)
    assert "ttft_ms" not in file.runs[0].samples
    assert barred(file, "ttft_ms")
    assert not barred(file, "e2e_ms")


def test_two_units_of_one_metric_refuse_the_file():
    records = aiperf.pair(3)[0]
    records[2]["metrics"]["time_to_first_token"]["unit"] = "sec"
    with pytest.raises(ResultError) as caught:
        read(records)
    assert caught.value.name == "mixed-units"


def test_times_in_seconds_are_read_as_milliseconds():
    records = aiperf.pair(2)[0]
    for one in records:
        one["metrics"]["time_to_first_token"] = {"value": 0.5, "unit": "sec"}
    assert list(read(records).runs[0].samples["ttft_ms"]) == [500, 500]


@pytest.mark.parametrize("value", [None, "31", True, float("nan"), -1.0, [1.0, None]])
def test_what_is_no_measurement_refuses_the_file(value):
    records = aiperf.pair(3)[0]
    records[1]["metrics"]["time_to_first_token"]["value"] = value
    with pytest.raises(ResultError) as caught:
        read(records)
    assert caught.value.name == "not-a-number"


def test_a_time_of_zero_was_never_measured():
    records = aiperf.pair(3)[0]
    records[1]["metrics"]["request_latency"]["value"] = 0.0
    file = read(records)
    assert barred(file, "e2e_ms")
    assert not barred(file, "ttft_ms")


def test_a_record_that_stands_twice_bars_everything():
    records = aiperf.pair(3)[0]
    assert barred(read([*records, records[0]]), "ttft_ms")


def test_a_time_per_token_with_another_divisor_is_another_metric():
    records = aiperf.pair(4)[0]
    for one in records:
        one["metrics"]["inter_token_latency"]["value"] *= 1.5
    samples = read(records).runs[0].samples
    assert "aiperf_itl_ms" in samples
    assert "tpot_ms" not in samples


def test_a_key_in_the_setup_stays_out_and_is_told():
    records, summary = aiperf.pair()
    summary["input_config"]["endpoint"]["api_key"] = "sk-1"
    file = read(records, summary)
    assert "secret" in names(file)
    assert "sk-1" not in map(str, file.runs[0].config.values())


BESIDE = {
    "telemetry": ("not-results", {"timestamp_ns": 1, "gpu_index": 0, "telemetry_data": {}}),
    "server": ("not-results", {"endpoint_url": "x", "timestamp_ns": 1, "metrics": {}}),
    "server-summary": ("not-results", {"aiperf_version": "1", "summary": {}, "metrics": {}}),
    "raw": ("not-results", {"metadata": {"request_start_ns": 1}, "responses": []}),
    "slices": ("aggregates-only", {"timeslices": [], "input_config": {}}),
    "sweep": ("aggregates-only", {"metadata": {"aggregation_type": "sweep"}, "metrics": {}}),
}


@pytest.mark.parametrize(("name", "record"), BESIDE.values(), ids=BESIDE)
def test_files_that_lie_beside_the_records_are_refused_by_name(name, record):
    with pytest.raises(ResultError) as caught:
        detect.read(json.dumps(record).encode())
    assert caught.value.name == name
    assert "aiperf" in str(caught.value)


def test_log_lines_between_the_records_are_counted():
    data = aiperf.dump(aiperf.pair(3)[0])
    file = detect.read(b"INFO started\n" + data)
    assert "log-noise" in {note.name for note in file.notes}


RECORDS = aiperf.pair(2, 3)[0] + [aiperf.failure(9)]
SUMMARY = {
    name: one
    for name, one in aiperf.pair(2, 3, release="late")[1].items()
    if name not in ("output_sequence_length", "input_sequence_length")
}


def touch(file):
    for run in file.runs:
        for line in detect.lines(file, run):
            assert line.relative is None or line.relative >= 0
        list(run.rows)
        dict(run.config)
        [list(column) for column in run.samples.values()]


@given(mutation.mutants(RECORDS))
@settings(max_examples=200, deadline=None)
def test_damaged_records_are_read_or_refused_and_nothing_else(data):
    try:
        touch(detect.read(data, aiperf.text(SUMMARY)))
    except ResultError:
        return


@given(mutation.mutants(SUMMARY))
@settings(max_examples=300, deadline=None)
def test_a_damaged_summary_is_read_or_refused_and_nothing_else(data):
    for parts in ((data,), (aiperf.dump(RECORDS), data)):
        try:
            touch(detect.read(*parts))
        except ResultError:
            continue


def test_what_is_joined_leaves_the_parts_as_they_were():
    records, summary = aiperf.pair(3)
    before = copy.deepcopy((records, summary))
    read(records, summary)
    assert (records, summary) == before


needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)


def genuine(name):
    return (CORPUS / "aiperf" / f"qwen_concurrency1_{name}").read_bytes()


@needs_corpus
def test_the_verdict_of_the_recomputation_table_is_met_and_nothing_differs():
    with (CORPUS / "RECOMPUTE.tsv").open(newline="") as table:
        rows = csv.DictReader(table, delimiter="\t")
        (row,) = [row for row in rows if row["file"].startswith("aiperf/")]
    file = detect.read(genuine("profile_export.jsonl"), genuine("profile_export_aiperf.json"))
    found = lines(file)

    line = found.pop(row["metric"])
    assert line.verdict == row["verdict"]
    assert (line.reported, line.recomputed) == (float(row["reported"]), float(row["recomputed"]))
    assert {other.verdict for other in found.values()} == {"not-recomputable"}
    assert "rows-incomplete" in names(file)


@needs_corpus
def test_every_genuine_time_per_token_is_the_quotient_of_its_record():
    (run,) = detect.read(genuine("profile_export.jsonl")).runs
    assert {"tpot_ms", "itl_ms", "ttft_ms", "e2e_ms", "user_tok_s"} <= run.samples.keys()
    for row in run.rows:
        whole = round(row["request_latency"] * 10**6) - round(row["time_to_first_token"] * 10**6)
        per_token = whole / (row["output_sequence_length"] - 1)
        assert per_token * aiperf.MS == row["inter_token_latency"]


@needs_corpus
def test_genuine_telemetry_is_no_result():
    with pytest.raises(ResultError) as caught:
        detect.read(genuine("gpu_telemetry_export.jsonl"))
    assert caught.value.name == "not-results"
