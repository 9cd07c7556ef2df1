from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from tests.fixtures import go_bench


def read(*lines):
    return detect.read("\n".join([*lines, ""]).encode())


def test_repeated_lines_are_repetitions_in_their_order():
    file = read("BenchmarkA-8  10  1726 ns/op", "BenchmarkA-8  10  1723.5 ns/op")
    (run,) = file.runs
    assert run.samples["iteration_ns"] == [1726, Fraction("1723.5")]
    assert run.rows[0] == {"ns/op": "1726", "status": "ok", "iterations": 10}
    assert detect.lines(file, run) == []


@given(st.lists(st.decimals("0.0001", "99999", places=4), min_size=1, max_size=9))
def test_samples_are_the_very_decimals_of_the_text(values):
    (run,) = read(*(f"BenchmarkA 1 {value} ns/op" for value in values)).runs
    assert run.samples["iteration_ns"] == [Fraction(value) for value in values]


def test_each_known_unit_is_a_metric_of_its_own():
    (run,) = read("BenchmarkA-8  10  2 ns/op  92.75 MB/s  64 B/op  0 allocs/op").runs
    assert run.samples["gb_s"] == [Fraction("0.09275")]
    assert (run.samples["allocated_bytes"], run.samples["allocations"]) == ([64], [0])


def test_a_unit_of_no_metric_stays_in_the_rows():
    (run,) = read("BenchmarkA-8  10  2 ns/op  17.5 frames/op").runs
    assert list(run.samples) == ["iteration_ns"]
    assert run.rows[0]["frames/op"] == "17.5"
    assert run.notes[-1].name == "no-metric"


def test_processors_and_parts_of_the_name_are_settings():
    file = read(
        "BenchmarkEncode/format=json-8  1  2 ns/op",
        "BenchmarkEncode/format=json-16  1  2 ns/op",
        "BenchmarkEncode/format=gob  1  2 ns/op",
    )
    run = select(file, {"benchmark": "BenchmarkEncode/format=json", "gomaxprocs": 16})
    assert run is select(file, {"name": "BenchmarkEncode/format=json-16"})
    assert select(file, {"format": "gob"}) is file.runs[2]


def test_equal_names_in_two_packages_are_two_runs():
    sections = [go_bench.section(f"example.org/{name}", ["Sum"]) for name in "ab"]
    file = detect.read(go_bench.make(*sections))
    assert [len(run.samples["iteration_ns"]) for run in file.runs] == [3, 3]
    assert select(file, {"pkg": "example.org/b"}) is file.runs[1]


def test_the_same_section_again_goes_on_with_the_same_runs():
    section = go_bench.section("example.org/a", ["Sum"])
    (run,) = detect.read(go_bench.make(section, section)).runs
    assert len(run.samples["iteration_ns"]) == 6
    assert run.identity["cpu"] == "Some CPU @ 2.60GHz"


def test_the_same_output_twice_is_not_twice_as_many_repetitions():
    once = ["pkg: a/b", "BenchmarkA 10 1726 ns/op", "BenchmarkA 10 1723 ns/op"]
    (note,) = read(*once, *once).notes
    assert (note.name, note.barring("iteration_ns")) == ("rows-inconsistent", True)
    assert not read(*once, once[0], *once[:0:-1]).notes


def test_one_result_that_comes_out_the_same_again_is_two_repetitions():
    file = read(*["BenchmarkA 1000000000 0.25 ns/op"] * 2)
    assert (file.notes, len(file.runs[0].rows)) == ((), 2)


def test_a_key_with_another_value_begins_another_run():
    file = read("note: before", "BenchmarkA 1 2 ns/op", "note: after", "BenchmarkA 1 3 ns/op")
    assert select(file, {"note": "after"}).samples["iteration_ns"] == [3]


def test_the_events_of_go_test_json_are_the_same_text():
    sections = [go_bench.section(f"example.org/{name}", ["Sum", "Max"]) for name in "ab"]
    plain, events = (make(*sections) for make in (go_bench.make, go_bench.events))
    assert detect.read(events).runs == detect.read(plain).runs


def test_a_failed_benchmark_is_a_failed_row():
    (run,) = read("BenchmarkA-8 1 2 ns/op", "--- FAIL: BenchmarkA-8", "    a_test.go:5: no").runs
    assert [row["status"] for row in run.rows] == ["ok", "failed"]
    assert run.notes[0].unless == EXCLUDE_FAILED
    assert run.samples["iteration_ns"] == [2]


def test_a_benchmark_that_only_failed_says_so():
    file = read("BenchmarkA-8 1 2 ns/op", "--- FAIL: BenchmarkB-8")
    assert [note.name for note in file.runs[1].notes] == ["run-failed"]
    assert file.runs[1].samples == {}


def test_a_result_that_the_log_tore_apart_is_told_and_not_dropped_silently():
    file = read("BenchmarkA-8 1 2 ns/op", "BenchmarkA-8   \tserver started", "     100  17 ns/op")
    assert len(file.runs[0].samples["iteration_ns"]) == 1
    assert str(file.notes[0]).startswith("log-noise: 1 lines begin like a result")


def test_names_alone_and_the_rest_of_the_log_are_no_results():
    file = read("=== RUN BenchmarkA", "BenchmarkA", "BenchmarkA-8 1 2 ns/op", "PASS", "ok x 1s")
    assert (len(file.runs), file.notes) == (1, ())


@pytest.mark.parametrize("value", ["0", "0.000", "-1", "NaN", "+Inf", "1_000", "1e999", "x"])
def test_what_is_no_time_spoils_its_own_benchmark_only(value):
    file = read(f"BenchmarkA 1 {value} ns/op", "BenchmarkB 1 2 ns/op")
    assert file.runs[0].notes[0].name == "not-a-number"
    assert [list(run.samples) for run in file.runs] == [[], ["iteration_ns"]]


def test_a_last_value_without_its_unit_was_cut_off():
    file = read("BenchmarkB 1 2 ns/op", "BenchmarkA 1 2 ns/op 17")
    assert file.runs[1].notes[0].name == "truncated"


def test_a_unit_that_only_some_rows_have_is_no_metric_of_the_run():
    (run,) = read("BenchmarkA 1 2 ns/op 8 B/op", "BenchmarkA 1 2 ns/op").runs
    assert list(run.samples) == ["iteration_ns"]
    assert run.notes[0].bars == {"allocated_bytes"}


def test_one_metric_in_two_units_is_refused():
    with pytest.raises(ResultError, match="mixed-units"):
        read("BenchmarkA 1 2 ns/op 1 sec/op", "BenchmarkA 1 2 ns/op 1 sec/op")


def test_prose_about_benchmarks_is_of_no_tool():
    with pytest.raises(ResultError, match="unknown-tool"):
        read("Benchmarks 3 times faster", "Benchmark results follow", "Benchmarking 100 of 200")
