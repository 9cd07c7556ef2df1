import csv
import os
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.metrics import METRICS
from engine.results import detect
from engine.results.distributions import summarised
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures import guidellm
from tests.fixtures.mutation import mutants

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT)) / "raw"
corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)
GENERATIONS = ("0.3", "0.4", "0.5")


def read(*benchmarks, generation="0.3"):
    file = detect.read(guidellm.make(*benchmarks, generation=generation))
    assert file.reader == "guidellm"
    return file


def one(generation="0.3", **changes):
    file = read(guidellm.benchmark(generation, **changes), generation=generation)
    return file, file.runs[0], {line.metric: line for line in detect.lines(file, file.runs[0])}


def names(run):
    return {note.name for note in run.notes}


@pytest.mark.parametrize("generation", GENERATIONS)
def test_every_average_of_values_is_confirmed_from_the_rows(generation):
    _, _, lines = one(generation, errored=2, incomplete=4)

    recomputed = [line for name, line in lines.items() if name.split(".")[0] in guidellm.VALUES]
    verdicts = Counter(line.verdict for line in recomputed)
    assert set(verdicts) == {"exact", "float-noise", "not-recomputable"}
    unknown = {line.metric.split(".")[1] for line in recomputed if line.recomputed is None}
    assert unknown == {"errored", "incomplete"}  # no request of these has a token time
    assert all(
        line.note == "no request has a value: 0.0 means missing"
        for line in recomputed
        if line.recomputed is None
    )
    assert lines["request_latency.total.p99"].verdict == "exact"


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_rate_over_time_is_not_recomputable_and_says_what_comes_close(generation):
    _, run, lines = one(generation)
    line = lines["requests_per_second.successful.mean"]

    assert line.verdict == "not-recomputable"
    assert line.recomputed == 23 / 11.5
    assert run.samples["requests_per_s"] == [2]


@pytest.mark.parametrize("generation", GENERATIONS)
def test_the_samples_are_the_successful_rows_in_file_order(generation):
    benchmark = guidellm.benchmark(generation, errored=1, incomplete=2)
    run = read(benchmark, generation=generation).runs[0]
    rows = benchmark["requests"]["successful"]
    tpot = "guidellm_old_tpot_ms" if generation == "0.3" else "guidellm_tpot_ms"

    assert list(run.samples["e2e_ms"]) == [1000 * Fraction(r["request_latency"]) for r in rows]
    assert list(run.samples["ttft_ms"]) == [Fraction(r["time_to_first_token_ms"]) for r in rows]
    assert list(run.samples[tpot]) == [Fraction(r["time_per_output_token_ms"]) for r in rows]
    assert run.samples["output_tok_s"] == [
        Fraction(sum(r["output_tokens"] for r in rows)) / Fraction(11.5)
    ]
    assert Counter(row["status"] for row in run.rows) == {"ok": 23, "failed": 1, "incomplete": 2}
    assert set(run.samples) <= set(METRICS)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_changed_average_differs_and_bars_its_metric(generation):
    benchmark = guidellm.benchmark(generation)
    benchmark["metrics"]["time_to_first_token_ms"]["successful"]["percentiles"]["p99"] *= 0.9
    file = read(benchmark, generation=generation)
    (note,) = [note for note in detect.notes(file, file.runs[0]) if note.name == "differs"]

    assert note.barring("ttft_ms")
    assert not note.barring("e2e_ms")


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_sample_of_the_rows_is_incomplete_and_nothing_differs(generation):
    benchmark = guidellm.benchmark(generation)
    del benchmark["requests"]["successful"][5:]
    file = read(benchmark, generation=generation)
    (run,) = file.runs
    lines = detect.lines(file, run)

    assert names(run) == {"rows-incomplete"}
    assert all(note.barring("ttft_ms") for note in run.notes)
    assert {line.verdict for line in lines} == {"not-recomputable", "rows-incomplete", "exact"}
    assert {line.metric.split(".")[-2] for line in lines if line.verdict == "exact"} <= {
        "errored",
        "incomplete",
        "request_totals",
    }
    assert "requests_per_s" not in run.samples


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("rows", [{"successful": [], "errored": [], "incomplete": []}, {}, None])
def test_a_report_whose_rows_were_taken_out_is_read_and_barred(generation, rows):
    benchmark = guidellm.benchmark(generation) | {"requests": rows}
    file = read(benchmark, generation=generation)

    assert names(file.runs[0]) == {"no-rows"}
    assert not file.runs[0].samples
    assert not any(line.verdict == "differs" for line in detect.lines(file, file.runs[0]))


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_run_without_a_success_measured_nothing(generation):
    _, run, lines = one(generation, count=0, errored=3)

    assert names(run) == {"all-requests-failed"}
    assert not run.samples
    assert lines["time_to_first_token_ms.successful.mean"].verdict == "not-recomputable"


def test_failed_requests_need_a_policy_and_unfinished_ones_are_told():
    _, run, _ = one(errored=2, incomplete=3)
    failed = next(note for note in run.notes if note.name == "failed-rows")

    assert failed.barring("e2e_ms")
    assert not failed.barring("e2e_ms", frozenset({"exclude-failed-rows"}))
    assert not any(note.bars for note in run.notes if note.name == "cut-off")
    assert names(run) == {"failed-rows", "cut-off"}


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_first_token_that_was_never_seen_is_missing_and_not_zero(generation):
    _, run, lines = one(generation, streamed=False)
    (note,) = [note for note in run.notes if note.name == "zero-is-missing"]

    assert note.barring("ttft_ms")
    assert not note.barring("e2e_ms")
    assert "ttft_ms" not in run.samples
    assert lines["time_to_first_token_ms.successful.mean"].verdict == "not-recomputable"


def test_in_0_4_the_rates_are_those_of_single_requests():
    _, _, lines = one("0.4")
    assert lines["output_tokens_per_second.successful.p99"].verdict == "exact"


def test_a_build_between_versions_confirms_nothing_and_has_no_time_per_token():
    benchmark = guidellm.benchmark("0.4")
    for row in benchmark["requests"]["successful"]:
        row["scheduler_info"] = row.pop("info")
    file = read(benchmark, generation="0.4")
    lines = detect.lines(file, file.runs[0])

    assert {"ttft_ms", "e2e_ms"} <= set(file.runs[0].samples)
    assert not any("tpot" in name for name in file.runs[0].samples)
    assert all(line.verdict == "not-recomputable" for line in lines if "p99" in line.metric)


def test_rows_of_the_warm_up_are_kept_apart():
    _, run, lines = one("0.5", warmup=4)

    assert Counter(row["status"] for row in run.rows) == {"ok": 23, "warm-up": 4}
    assert len(run.samples["e2e_ms"]) == 23
    assert names(run) == {"warm-up"}
    assert lines["request_latency.successful.mean"].verdict in ("exact", "float-noise")


def latest():
    """Return a benchmark of 0.8: of 8 requests 2 began, and 1 got its first token, before it."""
    benchmark = guidellm.benchmark("0.5", count=8, errored=3)
    first, second, *rest = rows = benchmark["requests"]["successful"]
    begin = first["info"]["timings"]["first_token_iteration"] + 1e-4
    benchmark["start_time"] = begin
    second["request_start_time"] = begin - 1e-5
    for row in benchmark["requests"]["errored"]:
        row["info"]["timings"]["first_token_iteration"] = None
    kept = [second, *rest]
    times = [row["time_to_first_token_ms"] for row in kept]
    gaps = [row["inter_token_latency_ms"] for row in rows]
    weights = [row["output_tokens"] - 1 for row in rows]
    metrics = benchmark["metrics"] | {"slo_attainment": None}
    metrics["time_to_first_token_ms"] = dict.fromkeys(
        ("successful", "total"), guidellm.summary(times)
    ) | {"errored": guidellm.summary([])}
    metrics["inter_token_latency_ms"] = {"successful": guidellm.summary(gaps, weights)}
    return benchmark | {"metrics": metrics}, times


def test_from_0_8_on_a_first_token_counts_where_the_wait_for_it_overlaps_the_window():
    benchmark, times = latest()
    file = read(benchmark, generation="0.5")
    (run,) = file.runs
    found = {line.metric: line for line in detect.lines(file, run)}

    for name in ("time_to_first_token_ms.successful", "time_to_first_token_ms.total"):
        assert found[f"{name}.p99"].verdict == "exact"
        assert found[f"{name}.count"].recomputed == len(times) == 7
    assert found["inter_token_latency_ms.successful.count"].verdict == "exact"
    assert list(run.samples["ttft_ms"]) == [Fraction(time) for time in times]
    assert len(run.samples["guidellm_itl_ms"]) == len(run.samples["e2e_ms"]) == 8
    assert found["time_to_first_token_ms.errored.mean"].verdict == "not-recomputable"
    assert "guidellm-0.8/" in found["time_to_first_token_ms.total.p99"].definition


def test_more_rows_than_were_averaged_contradict_the_file():
    benchmark = guidellm.benchmark()
    benchmark["requests"]["successful"] *= 2
    assert names(read(benchmark).runs[0]) == {"rows-inconsistent"}


def test_a_second_report_in_the_file_is_read_and_told():
    file = detect.read(guidellm.make(guidellm.benchmark()) * 2)
    assert len(file.runs) == 2
    assert [note.name for note in file.notes] == ["several-runs"]


def test_each_benchmark_is_a_run_selected_by_its_rate():
    file = read(guidellm.benchmark(rate=2.0), guidellm.benchmark(seed=2, rate=4.0))
    run = select(file, {"strategy.rate": "4.0"})

    assert run.identity["id"] == "benchmark-2"
    assert run.identity["model"] == "a/model"
    assert len(file.runs) == 2


def test_the_versions_and_settings_of_newer_reports_are_kept():
    _, run, _ = one("0.5")

    assert run.identity["guidellm_version"] == "0.8.0"
    assert run.config["report.target"] == "http://server"


def test_equal_values_have_no_spread_however_their_last_bits_fall():
    benchmark = guidellm.benchmark()
    block = benchmark["metrics"]["output_token_count"]
    for row in benchmark["requests"]["successful"]:
        row["output_tokens"] = 128
    for status in ("successful", "total"):
        block[status] = guidellm.summary([128] * 23, merged=False) | {
            "variance": 8e-28,
            "std_dev": 2.8e-14,
        }
    file = read(benchmark)
    lines = {line.metric: line.verdict for line in detect.lines(file, file.runs[0])}

    assert lines["output_token_count.successful.variance"] in ("exact", "float-noise")
    assert lines["output_token_count.successful.std_dev"] in ("exact", "float-noise")


@pytest.mark.parametrize("value", ["12", True, float("nan"), float("inf"), [], -1.0, 10**200])
def test_a_time_that_is_no_number_is_refused(value):
    benchmark = guidellm.benchmark()
    benchmark["requests"]["successful"][3]["request_latency"] = value
    with pytest.raises(ResultError, match=r"not-a-number: .*benchmark 0: request_latency"):
        read(benchmark)


def test_a_report_without_benchmarks_is_refused():
    with pytest.raises(ResultError, match="no-rows"):
        read(generation="0.5")


def test_other_reports_of_benchmarks_are_not_taken_for_one_of_guidellm():
    for data in (b'{"context": {}, "benchmarks": [{"name": "x"}]}', b'{"benchmarks": []}'):
        with pytest.raises(ResultError, match="unknown-tool"):
            detect.read(data)


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 9)), min_size=1, max_size=40))
def test_a_summary_is_that_of_each_value_as_often_as_it_weighs(pairs):
    values, weights = [float(v) for v, _ in pairs], [float(w) for _, w in pairs]
    spread = np.repeat(values, [int(w) for w in weights])
    new = summarised(values, weights, merged=True)
    old = summarised(values, weights, merged=False)

    for found in (new, old):
        assert found["mean"] == pytest.approx(np.mean(spread), abs=1e-9)
        assert found["variance"] == pytest.approx(np.var(spread), abs=1e-9)
        assert (found["min"], found["max"]) == (min(values), max(values))
        assert found["p01"] <= found["p50"] <= found["p999"]
        assert {found["p10"], found["median"], found["mode"]} <= set(values)
    assert (new["count"], old["count"]) == (sum(weights), len(values))
    assert new["p50"] == old["p50"] or len(spread) % 2 == 0  # at a tie, the last bits decide


def test_values_without_weight_have_no_summary():
    assert summarised([1.0], [0.0], merged=True) == summarised([], [], merged=False) == {}


SMALL = [
    guidellm.report(guidellm.benchmark(g, count=3, errored=1, incomplete=1, warmup=1), generation=g)
    for g in GENERATIONS
]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damage_is_refused_or_read_but_never_an_accident(data):
    damaged = data.draw(mutants(data.draw(st.sampled_from(SMALL))))
    try:
        file = detect.read(damaged)
    except ResultError:
        return
    for run in file.runs:
        detect.notes(file, run)
        assert set(run.samples) <= set(METRICS)
        assert all(value > 0 for values in run.samples.values() for value in values)
        assert len(list(run.rows)) == len(run.rows)


def genuine(name):
    return detect.read((CORPUS / name).read_bytes())


@corpus
def test_the_recomputation_table_is_met():
    with (CORPUS / "RECOMPUTE.tsv").open(newline="") as table:
        told = [
            r for r in csv.DictReader(table, delimiter="\t") if r["file"].startswith("guidellm/")
        ]
    assert len(told) >= 18
    files = {row["file"]: genuine(row["file"]) for row in told}
    for row in told:
        file = files[row["file"]]
        lines = {line.metric: line for line in detect.lines(file, file.runs[0])}
        line = lines[row["metric"].replace(".", ".successful.")]
        assert str(line.reported) == row["reported"]
        if row["verdict"] == "float-noise":
            assert line.verdict in ("exact", "float-noise")
        else:
            assert line.verdict == row["verdict"]
            assert str(line.recomputed) == row["recomputed"]


@corpus
def test_every_average_of_values_in_a_genuine_file_is_confirmed():
    file = genuine("guidellm/rsevilla_v0.3.1_full_benchmarks.json.gz")
    (run,) = file.runs
    verdicts = Counter(line.verdict for line in detect.lines(file, run))

    assert verdicts["exact"] + verdicts["float-noise"] == 364
    assert verdicts["differs"] == verdicts["rows-incomplete"] == 0
    assert not any(note.bars for note in run.notes)
    assert len(run.samples["ttft_ms"]) == 586


@corpus
def test_a_genuine_report_with_its_rows_stripped_is_barred():
    file = genuine("guidellm/llmd_v2_report_requests_stripped.json")

    assert [names(run) for run in file.runs] == [{"no-rows"}, {"no-rows"}]
    for run in file.runs:
        assert {"differs"}.isdisjoint(line.verdict for line in detect.lines(file, run))
