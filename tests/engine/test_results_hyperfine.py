import json
from fractions import Fraction

import pytest

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from tests.fixtures import hyperfine


def read(*results):
    return detect.read(hyperfine.make(*results))


def read_2(*results):
    return detect.read(json.dumps(hyperfine.document_2(*results)).encode())


def lines(file):
    return {line.metric: line for line in detect.lines(file, file.runs[0])}


def notes(file):
    return [note.name for note in file.runs[0].notes]


def test_every_average_over_the_runs_is_exact():
    found = lines(read(hyperfine.old()))
    exact = {name for name, line in found.items() if line.verdict == "exact"}
    assert exact == {"mean", "stddev", "median", "min", "max"}
    assert found["stddev"].definition == "hyperfine/wall/stddev/ddof1/all/s"


def test_user_and_system_time_have_no_rows():
    found = lines(read(hyperfine.old()))
    assert {found[name].verdict for name in ("user", "system")} == {"not-recomputable"}


def test_seconds_become_nanoseconds_and_bytes_mebibytes():
    record = hyperfine.old(3)
    run = read(record).runs[0]
    assert run.samples["iteration_ns"] == [Fraction(x) * 10**9 for x in record["times"]]
    assert run.samples["peak_mib"][0] == 1


def test_a_changed_average_differs_and_bars_the_metric():
    file = read(hyperfine.old(mean=0.0125))
    (doubt,) = [note for note in detect.notes(file, file.runs[0]) if note.name == "differs"]
    assert doubt.bars == {"iteration_ns"}


def test_failed_runs_are_no_samples_but_part_of_the_averages():
    file = read(hyperfine.old(5, failed=(1, 3)))
    run = file.runs[0]
    assert len(run.samples["iteration_ns"]) == 3
    assert [row["status"] for row in run.rows] == ["ok", "failed", "ok", "failed", "ok"]
    assert run.notes[0].barring("iteration_ns")
    assert not run.notes[0].barring("iteration_ns", frozenset({EXCLUDE_FAILED}))
    assert lines(file)["mean"].verdict == "exact"


@pytest.mark.parametrize("code", [None, 1, -1, True, "0"])
def test_every_exit_code_but_0_is_a_failure(code):
    file = read(hyperfine.old(2, exit_codes=[0, code]))
    assert notes(file) == ["failed-rows"]


def test_runs_that_all_failed_give_nothing_to_cite():
    file = read(hyperfine.old(2, failed=(0, 1)))
    assert notes(file) == ["all-requests-failed"]
    assert file.runs[0].samples == {}


def test_a_single_run_has_no_deviation():
    file = read(hyperfine.old(1))
    assert "stddev" not in lines(file)
    assert notes(file) == ["not-a-distribution"]


def test_older_files_without_memory_and_exit_codes_are_read():
    record = hyperfine.old(3)
    del record["memory_usage_byte"], record["exit_codes"]
    file = read(record | {"parameter": "7"})
    assert list(file.runs[0].samples) == ["iteration_ns"]
    assert select(file, {"parameter": 7}) is file.runs[0]


def test_a_memory_of_0_is_missing_and_bars_only_itself():
    file = read(hyperfine.old(2, memory_usage_byte=[0, 4096]))
    (note,) = file.runs[0].notes
    assert (note.name, note.bars) == ("zero-is-missing", {"peak_mib"})
    assert list(file.runs[0].samples) == ["iteration_ns"]


def test_a_command_is_selected_by_its_name_and_its_parameters():
    one, two = (hyperfine.old(3, seed=n, parameters={"n": str(n)}) for n in (1, 2))
    file = read(one, two)
    assert select(file, {"benchmark": "sleep 0.01", "parameters.n": 2}) is file.runs[1]


def test_results_without_times_are_averages_only():
    record = hyperfine.old(3)
    del record["times"]
    file = read(record)
    assert notes(file) == ["aggregates-only"]
    assert {line.verdict for line in lines(file).values()} == {"not-recomputable"}


def test_a_broken_command_does_not_spoil_the_others():
    broken = hyperfine.old(2, times=[0.01, "x"])
    file = read(broken, hyperfine.old(2))
    assert notes(file) == ["not-a-number"]
    assert [len(run.samples) for run in file.runs] == [0, 2]
    with pytest.raises(ResultError, match="not-a-number"):
        read(broken)


def test_lists_of_different_length_are_refused():
    with pytest.raises(ResultError, match="rows-inconsistent"):
        read(hyperfine.old(3, exit_codes=[0, 0]))


def test_every_summary_of_version_2_is_exact():
    file = read_2(hyperfine.new(6))
    found = lines(file)
    assert found["time_wall_clock.mean"].verdict == found["time_cpu.stddev"].verdict == "exact"
    assert found["time_wall_clock.count"].verdict == "exact"
    assert found["cpu_cycles.mean"].verdict == "not-recomputable"
    assert found["time_cpu.median"].about == "iteration_cpu_ns"


def test_version_2_gives_wall_and_processor_time_and_memory():
    run = read_2(hyperfine.new(4)).runs[0]
    assert set(run.samples) == {"iteration_ns", "iteration_cpu_ns", "peak_mib"}
    assert run.samples["peak_mib"] == [2] * 4
    assert (run.identity["benchmark"], run.identity["command"]) == ("nap", "sleep 0.01")
    assert run.identity["hyperfine_version"] == "2.0.0"


def test_a_killed_run_of_version_2_failed():
    assert notes(read_2(hyperfine.new(4, failed=(2,)))) == ["failed-rows"]


def test_the_wrapped_parameters_of_version_2_are_settings():
    file = read_2(hyperfine.new(2, parameters={"n": {"value": "5"}}))
    assert file.runs[0].config["parameters.n"] == "5"


def test_measurements_that_were_taken_out_are_missed():
    record = hyperfine.new(5)
    del record["measurements"][3:]
    file = read_2(record)
    assert notes(file) == ["rows-incomplete"]
    assert file.runs[0].samples == {}


def test_another_unit_in_one_run_is_refused():
    record = hyperfine.new(3)
    record["measurements"][1]["time_wall_clock"]["unit"] = "millisecond"
    with pytest.raises(ResultError, match="mixed-units"):
        read_2(record)


@pytest.mark.parametrize(
    "table",
    [
        b"command,mean,stddev,median,user,system,min,max\nsleep,1,0.1,1,0,0,1,1\n",
        b"| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n|:---|---:|---:|---:|---:|\n",
        b"command,time_wall_clock_unit,time_wall_clock_mean\nsleep,s,1\n",
    ],
)
def test_a_table_has_no_rows(table):
    with pytest.raises(ResultError, match=r"aggregates-only.*--export-json"):
        detect.read(table)
