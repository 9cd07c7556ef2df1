import csv
import json
import math
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import detect
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from tests.fixtures import mutation, sglang

CORPUS = (
    Path(os.environ.get("EVIDENCE_CORPUS", Path(__file__).parents[3] / "shared/corpus")) / "raw"
)
GENUINE = "sglang/scicom_output_details_h100.jsonl"
UNSAVED = {"concurrency", "max_output_tokens_per_s", "max_concurrent_requests"}
UNSAVED |= {"total_input_text_tokens", "total_input_vision_tokens"}
UNSAVED |= {"total_output_tokens_retokenized"}


def read(*records):
    return detect.read(sglang.dump(*records))


def lines(file, run=0):
    return {line.metric: line for line in detect.lines(file, file.runs[run])}


def names(run):
    return {note.name for note in run.notes}


@given(st.integers(0, 10**6), st.integers(1, 30), st.sets(st.integers(0, 29), max_size=5))
@settings(max_examples=25, deadline=None)
def test_every_average_that_its_rows_give_is_recomputed_exactly(seed, count, failed):
    failed = {at for at in failed if at < count - 1}
    file = read(sglang.run(count=count, seed=seed, failed=failed))
    found = lines(file)

    unknown = {name for name, line in found.items() if line.verdict == "not-recomputable"}
    expected = {name for name in found if "tpot" in name or "e2e" in name}
    assert unknown == expected | UNSAVED
    assert {line.verdict for name, line in found.items() if name not in unknown} == {"exact"}


def test_every_aggregate_in_the_file_has_exactly_one_line():
    record = sglang.run(max_itl_ms=1.0, request_goodput=0.5, slo_attainment=0.1)
    file = read(record)

    metrics = [line.metric for line in detect.lines(file, file.runs[0])]
    assert len(metrics) == len(set(metrics))
    assert set(metrics) == set(file.runs[0].reported) - {"duration", "accept_length"}


def by_server(**changes):
    """Return a run whose rows have the server's count of the input: one more token each."""
    record = sglang.run(**changes)
    record["input_lens"] = [count + 1 for count in record["input_lens"]]
    return record


def test_totals_of_the_client_do_not_differ_from_rows_counted_by_the_server():
    file = read(by_server())
    found, (run,) = lines(file), file.runs
    assert "differs" not in {line.verdict for line in found.values()}
    for name in ("total_input_tokens", "input_throughput", "total_throughput"):
        assert found[name].verdict == "not-recomputable"
        assert found[name].recomputed > found[name].reported
    assert "token-counts-apart" in names(run)


def test_a_throughput_that_follows_from_neither_count_differs():
    found = lines(read(by_server(input_throughput=1.0)))
    assert found["input_throughput"].verdict == "differs"
    assert found["total_throughput"].verdict == "not-recomputable"


def test_files_of_before_the_server_was_asked_are_held_to_their_rows():
    record = by_server()
    for name in [name for name in record if name.startswith("p95_")]:
        del record[name]
    assert lines(read(record))["total_throughput"].verdict == "differs"


def test_a_latency_that_was_not_saved_is_not_guessed_but_shown_how_close_the_parts_come():
    line = lines(read(sglang.run()))["mean_e2e_latency_ms"]

    assert line.verdict == "not-recomputable"
    assert line.recomputed == pytest.approx(line.reported, rel=1e-3)
    assert line.recomputed != line.reported


def test_concurrency_is_latency_over_duration_and_its_guess_comes_close():
    line = lines(read(sglang.run()))["concurrency"]
    assert line.verdict == "not-recomputable"
    assert line.recomputed == pytest.approx(line.reported, rel=1e-3)


def test_an_average_that_was_edited_differs_and_bars_its_metric():
    record = sglang.run()
    record["median_ttft_ms"] *= 0.9
    file = read(record)

    assert lines(file)["median_ttft_ms"].verdict == "differs"
    assert any(note.barring("ttft_ms") for note in detect.notes(file, file.runs[0]))


def test_an_infinite_request_rate_is_a_setting_and_told():
    (run,) = read(sglang.run()).runs
    assert run.config["request_rate"] == "Infinity"
    assert "not-json" in names(run)
    assert not any(note.bars for note in run.notes)


def test_a_finite_request_rate_is_not_told():
    (run,) = read(sglang.run(request_rate=4.0)).runs
    assert run.config["request_rate"] == "4.0"
    assert "not-json" not in names(run)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "12.5", True, [1.0]])
def test_what_is_no_number_where_one_is_claimed_refuses_the_file(value):
    with pytest.raises(ResultError) as caught:
        read(sglang.run(mean_ttft_ms=value))
    assert caught.value.name == "not-a-number"


def test_null_is_absent_and_has_no_line():
    assert "p95_ttft_ms" not in lines(read(sglang.run(p95_ttft_ms=None)))


@pytest.mark.parametrize("key", ["ttfts", "itls"])
def test_nan_in_a_row_refuses_the_file(key):
    record = sglang.run()
    record[key][0] = math.nan if key == "ttfts" else [math.nan]
    with pytest.raises(ResultError) as caught:
        read(record)
    assert caught.value.name == "not-a-number"


def test_a_run_in_which_all_failed_is_read_with_its_nan_and_gives_no_figure():
    file = read(sglang.run(count=5, failed=range(5)))
    (run,) = file.runs

    assert {"all-requests-failed"} <= names(run)
    assert any(note.barring("ttft_ms") and not note.unless for note in run.notes)
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}
    assert not run.samples


def test_failed_rows_are_no_samples_and_need_a_policy():
    (run,) = read(sglang.run(count=10, failed={2, 3})).runs

    assert len(run.samples["ttft_ms"]) == 8
    assert [row["status"] for row in run.rows].count("failed") == 2
    note = next(note for note in run.notes if note.name == "failed-rows")
    assert note.barring("ttft_ms")
    assert not note.barring("ttft_ms", frozenset({EXCLUDE_FAILED}))


def test_runs_appended_to_one_file_are_several_runs():
    file = read(sglang.run(seed=1), sglang.run(seed=2, request_rate=8.0))
    assert [run.config["request_rate"] for run in file.runs] == ["Infinity", "8.0"]
    assert [note.name for note in file.notes] == ["several-runs"]
    assert {line.verdict for line in lines(file, 1).values()} == {"exact", "not-recomputable"}


def test_without_output_details_every_line_is_not_recomputable():
    file = read(sglang.without_rows(sglang.run()))
    assert names(file.runs[0]) >= {"aggregates-only"}
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}
    assert len(lines(file)) > 25


def test_the_few_averages_of_the_early_client_are_read():
    file = read(sglang.early(sglang.run()))
    assert file.reader == "sglang"
    assert "aggregates-only" in names(file.runs[0])
    assert "median_itl_ms" in lines(file)


def test_old_runs_without_p90_and_server_are_exact():
    record = sglang.run()
    for name in [n for n in record if n.startswith(("p90", "p95")) or n == "server_info"]:
        del record[name]
    verdicts = Counter(line.verdict for line in lines(read(record)).values())
    assert not verdicts.keys() - {"exact", "not-recomputable"}


def test_fewer_rows_than_completed_requests_bar_everything_and_never_differ():
    record = sglang.run(count=10)
    for name in sglang.LISTS:
        record[name] = record[name][:6]
    file = read(record)

    assert "rows-incomplete" in names(file.runs[0])
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}


def test_emptied_lists_are_no_rows():
    file = read(sglang.run(**{name: [] for name in sglang.LISTS}))
    assert "no-rows" in names(file.runs[0])
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}


def test_lists_of_different_length_are_refused():
    record = sglang.run()
    record["itls"].pop()
    with pytest.raises(ResultError) as caught:
        read(record)
    assert caught.value.name == "rows-inconsistent"


def test_averages_of_retokenized_gaps_are_not_recomputable_instead_of_wrong():
    record = sglang.run(backend="sglang-oai", gaps=[0.002, 0.003], accept_length=3.1)
    file = read(record)
    found = lines(file)

    assert "itl-retokenized" in names(file.runs[0])
    assert {found[f"{s}_itl_ms"].verdict for s in sglang.STATISTICS} == {"not-recomputable"}
    assert found["mean_ttft_ms"].verdict == "exact"


def test_on_the_native_backend_averages_of_other_gaps_differ():
    found = lines(read(sglang.run(gaps=[0.002, 0.003], accept_length=3.1)))
    assert found["mean_itl_ms"].verdict == "differs"


def test_runs_of_several_turns_count_no_input_which_is_a_known_bug_of_the_tool():
    record = sglang.run(total_input_tokens=0, input_throughput=0.0)
    record["total_throughput"] = record["output_throughput"]
    found = lines(read(record))
    for name in ("total_input_tokens", "input_throughput", "total_throughput"):
        assert found[name].verdict == "known-tool-bug"


def test_token_counts_that_lie_apart_are_told():
    (run,) = read(sglang.run(total_output_tokens_retokenized=3)).runs
    assert "token-counts-apart" in names(run)


def test_a_peak_below_the_mean_is_told():
    assert "peak-below-mean" in names(read(sglang.run(max_output_tokens_per_s=1.0)).runs[0])


def test_what_is_known_of_the_server_names_the_run_and_its_secrets_stay_out():
    server = {"version": "0.5.9", "model_path": "/m", "api_key": "sk-1", "tp_size": 8}
    (run,) = read(sglang.run(server_info=server)).runs

    assert run.identity["version"] == "0.5.9"
    assert run.config["server_info.tp_size"] == 8
    assert "sk-1" not in map(str, run.config.values())
    assert "secret" in names(run)


def test_a_server_of_two_parts_is_named_by_its_decoding_part():
    server = {"prefill": [{}], "decode": [{"version": "0.5.5"}]}
    assert read(sglang.run(server_info=server)).runs[0].identity["version"] == "0.5.5"


def test_the_cache_report_is_recomputed_from_the_cached_tokens_of_each_request():
    record = sglang.run(count=4, cached_tokens=[1, 2, 3, 4])
    asked = sum(record["input_lens"])
    record["cache_report"] = {
        "total_prompt_tokens": asked,
        "total_cached_tokens": 10,
        "cache_hit_rate_pct": round(10 / asked * 100, 2),
        "device_cached_tokens": 7,
        "host_cached_tokens": None,
        "storage_backend": None,
    }
    found = {n: line.verdict for n, line in lines(read(record)).items() if n.startswith("cache")}
    assert found == {
        "cache_report.total_prompt_tokens": "exact",
        "cache_report.total_cached_tokens": "exact",
        "cache_report.cache_hit_rate_pct": "exact",
        "cache_report.device_cached_tokens": "not-recomputable",
    }


def test_the_share_of_requests_in_time_is_recomputed_for_the_first_token_only():
    record = sglang.run(count=10, failed={0}, goodput_slos_ms={"ttft": 125.0, "e2el": 300.0})
    met = sum(0 < first * 1000 <= 125.0 for first in record["ttfts"])
    record["slo_attainment_by_metric"] = {"ttft": met / 10, "e2el": 0.9}
    found = lines(read(record))
    assert found["slo_attainment_by_metric.ttft"].verdict == "exact"
    assert found["slo_attainment_by_metric.e2el"].verdict == "not-recomputable"


@pytest.mark.parametrize(("end", "verdict"), [(1.0, "exact"), (0.5, "differs")])
def test_the_largest_gap_is_recomputed(end, verdict):
    record = sglang.run()
    largest = max(gap for gaps in record["itls"] for gap in gaps) * 1000
    assert lines(read(record | {"max_itl_ms": largest * end}))["max_itl_ms"].verdict == verdict


def test_a_result_of_vllm_is_not_taken_for_one_of_sglang():
    record = sglang.run()
    for name in [n for n in record if "e2e" in n or "retokenized" in n]:
        del record[name]
    assert read(record | {"total_token_throughput": 1.0}).reader == "vllm"


SMALL = json.loads(
    sglang.dump(sglang.run(count=3, tokens=4, cached_tokens=[1, 2, 3], cache_report={"x": 1}))
)


@given(mutation.mutants(SMALL))
@settings(max_examples=300, deadline=None)
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data):
    try:
        file = detect.read(data)
    except ResultError:
        return
    for run in file.runs:
        detect.lines(file, run)
        list(run.rows)
        dict(run.config)
        [list(column) for column in run.samples.values()]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: files were not read")
def test_every_verdict_of_the_recomputation_table_is_met():
    with (CORPUS / "RECOMPUTE.tsv").open(newline="") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["file"] == GENUINE]
    file = detect.read((CORPUS / GENUINE).read_bytes())
    found = lines(file)

    for row in rows:
        line = found[row["metric"]]
        assert line.verdict == row["verdict"], row["metric"]
        assert float(line.reported) == float(row["reported"])
        if row["verdict"] == "exact":
            assert line.recomputed == float(row["recomputed"])
    assert len(rows) == 22
