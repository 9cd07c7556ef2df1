from fractions import Fraction

import pytest

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from tests.fixtures import google_benchmark as gb


def read(rows, **context):
    return detect.read(gb.make(rows, **context))


def lines(file, at=0):
    return {line.metric: line for line in detect.lines(file, file.runs[at])}


def notes(file, at=0):
    return [note.name for note in file.runs[at].notes]


def test_each_aggregate_is_confirmed_from_its_repetitions():
    found = lines(read(gb.benchmark()))
    assert {line.verdict for line in found.values()} <= {"exact", "float-noise"}
    names = {f"{one}.{field}" for one in gb.AGGREGATES for field in ("real_time", "cpu_time")}
    assert names < set(found)
    assert found["mean.real_time"].definition == (
        "google-benchmark/real_time/mean/sum-times-inverse/ok/us"
    )


@pytest.mark.parametrize("seed", range(30))
def test_a_deviation_that_cancellation_blurs_is_still_noise_and_nothing_more_is(seed):
    rows = gb.benchmark(count=7, seed=seed)
    found = lines(read(rows))
    assert {line.verdict for line in found.values()} <= {"exact", "float-noise"}
    for row in rows:
        if row.get("aggregate_name") in ("stddev", "cv"):
            row["real_time"] *= 1 + 1e-9
    found = lines(read(rows))
    assert {found[f"{one}.real_time"].verdict for one in ("stddev", "cv")} == {"differs"}


def test_counters_are_aggregated_without_any_rescaling():
    found = lines(read(gb.benchmark()))
    assert {found[f"{one}.items_per_second"].verdict for one in gb.AGGREGATES} == {"exact"}


def test_the_median_of_two_is_their_mean():
    rows = gb.benchmark(count=2)
    assert lines(read(rows))["median.real_time"].verdict in {"exact", "float-noise"}


@pytest.mark.parametrize(("unit", "factor"), [("ns", 1), ("us", 1000), ("ms", 10**6), ("s", 10**9)])
def test_every_unit_of_time_becomes_nanoseconds(unit, factor):
    rows = gb.benchmark(count=3, unit=unit)
    run = read(rows).runs[0]
    assert run.samples["iteration_ns"] == [Fraction(row["real_time"]) * factor for row in rows[:3]]
    assert len(run.samples["iteration_cpu_ns"]) == len(run.samples["items_per_s"]) == 3


def test_benchmarks_with_units_of_their_own_stand_in_one_file():
    file = read(gb.benchmark("BM_a", unit="ns") + gb.benchmark("BM_b", unit="ms"))
    assert select(file, {"benchmark": "BM_b"}).config["time_unit"] == "ms"


def test_two_units_in_one_benchmark_are_refused_for_it_alone():
    rows = gb.benchmark("BM_a", count=2)
    rows[1]["time_unit"] = "ms"
    file = read(rows + gb.benchmark("BM_b"))
    assert notes(file) == ["mixed-units"]
    assert (file.runs[0].samples, notes(file, 1)) == ({}, [])


def test_rows_with_errors_failed_and_are_left_out_of_the_aggregates():
    rows = gb.benchmark(count=3)
    failed = {"error_occurred": True, "error_message": "x", "iterations": 0, "real_time": 0.0}
    file = read([rows[0] | failed | {"repetition_index": 3}, *rows])
    run = file.runs[0]
    assert [row["status"] for row in run.rows].count("failed") == 1
    assert len(run.samples["iteration_ns"]) == 3
    assert run.notes[0].unless == EXCLUDE_FAILED
    assert lines(file)["mean.items_per_second"].verdict == "exact"


def test_a_benchmark_that_only_failed_or_was_skipped_gives_nothing():
    failed = gb.benchmark("BM_a", count=1)[0] | {"error_occurred": True}
    skipped = gb.benchmark("BM_b", count=1)[0] | {"skipped": True, "skip_message": "no GPU"}
    file = read([failed, skipped])
    assert notes(file) == notes(file, 1) == ["all-requests-failed"]
    assert [run.rows[0]["status"] for run in file.runs] == ["failed", "cancelled"]


def test_aggregates_without_rows_are_reported_and_not_citable():
    file = read([row for row in gb.benchmark() if row["run_type"] == "aggregate"])
    assert notes(file) == ["aggregates-only"]
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}
    assert len(lines(file)) == 12


def test_repetitions_that_were_taken_out_are_missed():
    rows = gb.benchmark(count=5)
    file = read(rows[2:])
    assert notes(file) == ["rows-incomplete"]
    found = lines(file)
    assert found.pop("repetitions").verdict == "rows-incomplete"
    assert {line.verdict for line in found.values()} == {"not-recomputable"}


def test_fits_have_no_time_and_belong_to_no_benchmark_alone():
    file = read(gb.benchmark("BM_x/8") + gb.fit())
    assert notes(file, 1) == ["aggregates-only"]
    found = lines(file, 1)
    assert set(found) == {"BigO.cpu_coefficient", "BigO.real_coefficient", "RMS.rms"}
    assert {line.verdict for line in found.values()} == {"not-recomputable"}


def test_a_statistic_of_the_user_cannot_be_recomputed():
    rows = gb.benchmark(count=3)
    own = rows[3] | {"name": "BM_x/8_p90", "aggregate_name": "p90"}
    assert lines(read([*rows, own]))["p90.real_time"].note == "a statistic of the user's own"


def test_files_from_before_run_type_are_read_by_the_ends_of_names():
    kept = ("name", "iterations", "real_time", "cpu_time", "time_unit")
    rows = [{name: row[name] for name in kept} for row in gb.benchmark(count=4)]
    rows = [row for row in rows if not row["name"].endswith("_cv")]
    file = read(rows)
    assert [run.identity["benchmark"] for run in file.runs] == ["BM_x/8"]
    assert len(file.runs[0].samples["iteration_ns"]) == 4
    assert {line.verdict for line in lines(file).values()} <= {"exact", "float-noise"}


def test_a_benchmark_called_after_a_statistic_is_one_where_nothing_else_says_so():
    row = gb.benchmark("BM_mean", count=1)[0]
    del row["run_type"], row["run_name"]
    assert [run.identity["benchmark"] for run in read([row]).runs] == ["BM_mean"]


def test_no_number_is_read_where_nan_or_infinity_stands():
    rows = gb.benchmark("BM_a", count=1) + gb.benchmark("BM_b", count=1)
    rows[0]["real_time"] = float("nan")
    rows[1]["items_per_second"] = float("inf")
    file = read(rows)
    assert notes(file)[0] == "not-a-number"
    assert set(file.runs[1].samples) == {"iteration_ns", "iteration_cpu_ns"}


def test_a_processor_time_of_0_bars_only_itself():
    rows = gb.benchmark(count=1)
    rows[0]["cpu_time"] = 0.0
    run = read(rows).runs[0]
    assert run.notes[-1].bars == {"iteration_cpu_ns"}
    assert "iteration_ns" in run.samples


def test_a_debug_build_of_the_library_is_told():
    file = read(gb.benchmark(), library_build_type="debug")
    assert [note.name for note in file.notes] == ["debug-build"]


def test_a_row_without_a_name_is_refused():
    with pytest.raises(ResultError, match="row 0 has no name"):
        read([{"real_time": 1.0}])


def test_log_lines_before_the_document_are_counted():
    file = detect.read(b"Running ./a.out\n***WARNING***\n" + gb.make(gb.benchmark()))
    assert str(file.notes[0]) == "log-noise: noise lines: 2 (not part of any record)"
