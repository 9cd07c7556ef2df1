import gzip
import json
from fractions import Fraction

import pytest

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures import pyperf


def read(*benchmarks, **metadata):
    return detect.read(pyperf.make(*benchmarks, **metadata))


def test_values_count_and_warm_ups_and_calibration_do_not():
    record = pyperf.benchmark(processes=2, values=2)
    run = read(record).runs[0]
    values = [value for one in record["runs"][1:] for value in one["values"]]
    assert run.samples["iteration_ns"] == [Fraction(value) * 10**9 for value in values]
    status = [row["status"] for row in run.rows]
    assert status == ["warm-up", "warm-up", *["warm-up", "ok", "ok"] * 2]


def test_the_peak_of_each_process_that_gave_values_is_kept():
    run = read(pyperf.benchmark(processes=3)).runs[0]
    assert run.samples["peak_mib"] == [2 + Fraction(at, 256) for at in range(3)]


@pytest.mark.parametrize(
    ("unit", "metric"), [("byte", "measured_bytes"), ("integer", "measured_count")]
)
def test_another_unit_is_another_metric(unit, metric):
    record = pyperf.benchmark(processes=1)
    record["runs"][1]["values"] = [512, 640]
    run = read(record, unit=unit).runs[0]
    assert run.samples[metric] == [512, 640]
    assert "iteration_ns" not in run.samples


def test_an_unknown_unit_is_refused():
    with pytest.raises(ResultError, match=r"mixed-units.*parsec"):
        read(pyperf.benchmark(), unit="parsec")


def test_metadata_of_a_benchmark_stands_before_that_of_the_file():
    file = read(pyperf.benchmark("a", unit="byte"), pyperf.benchmark("b"))
    assert "measured_bytes" in select(file, {"benchmark": "a"}).samples
    assert "iteration_ns" in select(file, {"benchmark": "b"}).samples
    assert (file.runs[1].identity["hostname"], file.runs[1].config["loops"]) == ("h", 8)


def test_the_older_names_of_the_lists_are_read():
    record = pyperf.benchmark(processes=1)
    record["common_metadata"] = record.pop("metadata")
    for one in record["runs"]:
        if "values" in one:
            one["samples"] = one.pop("values")
    file = detect.read(json.dumps({"version": 5, "benchmarks": [record]}).encode())
    assert len(file.runs[0].samples["iteration_ns"]) == 3
    assert file.runs[0].identity["benchmark"] == "telco"


def test_a_compressed_file_is_read():
    data = gzip.compress(pyperf.make(pyperf.benchmark()))
    assert len(detect.read(data).runs[0].samples["iteration_ns"]) == 12


def test_a_benchmark_that_only_calibrated_has_no_rows():
    file = read(pyperf.benchmark("a", processes=0), pyperf.benchmark("b"))
    assert [note.name for note in file.runs[0].notes] == ["no-rows"]
    assert file.runs[0].samples == {}


@pytest.mark.parametrize("value", [0, -0.1, "0.1", None, True])
def test_a_value_that_is_no_time_spoils_its_own_benchmark_only(value):
    broken = pyperf.benchmark("a")
    broken["runs"][2]["values"][0] = value
    file = read(broken, pyperf.benchmark("b"))
    assert [len(run.samples) for run in file.runs] == [0, 2]
    assert file.runs[0].notes[0].name == "not-a-number"


def test_the_file_has_no_averages_that_could_differ():
    file = read(pyperf.benchmark())
    assert detect.lines(file, file.runs[0]) == []


def test_a_peak_that_all_processes_share_stands_in_the_metadata_of_the_benchmark():
    record = pyperf.benchmark(processes=2, mem_max_rss=3 * 2**20)
    for one in record["runs"]:
        one["metadata"].pop("mem_max_rss", None)
    assert read(record).runs[0].samples["peak_mib"] == [3, 3]
