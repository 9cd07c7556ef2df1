from fractions import Fraction

import pytest

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures import pytest_benchmark as pb


def read(*benchmarks, **more):
    return detect.read(pb.make(*benchmarks, **more))


def lines(file, at=0):
    return {line.metric: line for line in detect.lines(file, file.runs[at])}


def notes(file, at=0):
    return [note.name for note in file.runs[at].notes]


@pytest.mark.parametrize("count", range(2, 14))
def test_every_figure_of_every_number_of_rounds_is_exact(count):
    found = lines(read(pb.benchmark(count=count)))
    assert {line.verdict for line in found.values()} == {"exact"}
    assert len(found) == 16


def test_samples_are_the_rounds_in_nanoseconds():
    record = pb.benchmark(count=3)
    run = read(record).runs[0]
    assert run.samples["iteration_ns"] == [Fraction(x) * 10**9 for x in record["stats"]["data"]]


def test_a_test_is_selected_by_its_name_or_its_parameters():
    file = read(pb.benchmark("test_a[3]", 3), pb.benchmark("test_a[4]", 4))
    assert select(file, {"benchmark": "test_a[4]"}) is select(file, {"params.n": 4})
    assert file.runs[0].identity["commit_info.id"] == "0" * 40


def test_a_deviation_of_a_single_round_is_none():
    file = read(pb.benchmark(count=1))
    assert notes(file) == ["not-a-distribution"]
    assert lines(file)["stddev"].verdict == "not-recomputable"
    assert lines(file)["mean"].verdict == "exact"


def test_text_among_the_rounds_spoils_its_own_test_only():
    broken = pb.benchmark("test_b", 5)
    broken["stats"]["data"][4] = "and so on"
    file = read(broken, pb.benchmark("test_a", 5))
    assert notes(file) == ["not-a-number"]
    assert (file.runs[0].samples, list(file.runs[1].samples)) == ({}, ["iteration_ns"])
    assert {line.verdict for line in lines(file, 1).values()} == {"exact"}


def test_rounds_that_were_taken_out_are_missed_and_nothing_is_recomputed_from_the_rest():
    file = read(pb.benchmark(rounds=68536))
    assert notes(file) == ["rows-incomplete"]
    found = lines(file)
    rounds = found.pop("rounds")
    assert (rounds.verdict, rounds.recomputed) == ("rows-incomplete", 11)
    assert {line.verdict for line in found.values()} == {"not-recomputable"}


def test_saved_without_data_only_averages_are_left():
    record = pb.benchmark()
    del record["stats"]["data"]
    file = read(record)
    assert notes(file) == ["aggregates-only"]
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}


def test_the_upper_datum_of_older_versions_is_a_known_bug():
    record = pb.benchmark(count=11)
    record["stats"]["hd15iqr"] = max(record["stats"]["data"])
    line = lines(read(record))["hd15iqr"]
    assert line.verdict == "known-tool-bug"


def test_a_changed_count_of_outliers_differs():
    record = pb.benchmark(outliers="0;0")
    assert lines(read(record))["outliers"].verdict == "differs"


def test_a_changed_mean_bars_the_time():
    file = read(pb.benchmark(mean=2.0))
    assert any(note.barring("iteration_ns") for note in detect.notes(file, file.runs[0]))


def test_since_python_3_12_a_total_is_added_up_exactly():
    tenths = pb.benchmark()
    tenths["stats"] = {"data": [0.1] * 10, "total": 1.0, "ops": 10.0}
    assert lines(read(tenths, python="3.12.1"))["total"].verdict == "exact"
    assert lines(read(tenths, python="3.11.7"))["total"].verdict == "float-noise"


def test_a_dirty_tree_is_told():
    assert [note.name for note in read(pb.benchmark(), dirty=True).notes] == ["dirty-tree"]


def test_a_file_without_tests_is_refused():
    with pytest.raises(ResultError, match="no-rows"):
        read()


@pytest.mark.parametrize(
    ("timer", "metric"), [("process_time", "iteration_cpu_ns"), ("monotonic", "iteration_ns")]
)
def test_a_timer_of_the_processor_measures_another_metric(timer, metric):
    record = pb.benchmark() | {"options": {"timer": timer}}
    record["stats"]["mean"] *= 2
    file = read(record)
    assert list(file.runs[0].samples) == [metric]
    assert lines(file)["mean"].about == lines(file)["hd15iqr"].about == metric
    (note,) = detect.notes(file, file.runs[0])
    assert note.barring(metric)
