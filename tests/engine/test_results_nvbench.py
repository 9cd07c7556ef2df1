import json

import pytest

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures import nvbench


def read(*states):
    return detect.read(nvbench.make(*states))


def test_a_state_is_selected_by_its_benchmark_axis_and_device():
    file = read(nvbench.state("I8"), nvbench.state("I16"), nvbench.state("I8", device=1))
    run = select(file, {"benchmark": "copy", "T": "I8", "device": 1})
    assert run.identity["device_info.name"] == "GPU B"
    assert run.identity["version.nvbench.git_sha"] == "0" * 40


def test_figures_are_numbers_read_from_text_and_never_citable():
    file = read(nvbench.state("I8"))
    (run,) = file.runs
    assert run.reported["nv/cold/sample_size"] == 499
    assert run.reported["nv/cold/time/gpu/mean"] == 0.00100347
    assert run.samples == {}
    assert run.notes[0].name == "aggregates-only"
    assert run.notes[0].barring("iteration_ns")


def test_cold_and_batch_are_two_quantities():
    file = read(nvbench.state("I8"))
    found = {line.metric: line for line in detect.lines(file, file.runs[0])}
    assert {line.verdict for line in found.values()} == {"not-recomputable"}
    ids = [found[f"nv/{kind}/time/gpu/mean"].definition for kind in ("cold", "batch")]
    assert ids == [
        "nvbench/cold-time-gpu/mean/unknown/launches/s",
        "nvbench/batch-time-gpu/mean/unknown/launches/s",
    ]


def test_a_skipped_state_was_never_measured():
    file = read(nvbench.state("I8"), nvbench.skipped("I16"))
    (note,) = file.runs[1].notes
    assert str(note) == "zero-repetitions: the state was skipped: 'Not a conversion.'"
    assert detect.lines(file, file.runs[1]) == []


def test_garbage_in_a_skipped_state_is_shown_as_that():
    garbage = nvbench.skipped("I16") | {"summaries": [nvbench.summary("nv/cold/time", "0e-20")]}
    file = read(garbage)
    (line,) = detect.lines(file, file.runs[0])
    assert (line.verdict, line.note[:16]) == ("not-recomputable", "zero-repetitions")


def test_the_file_of_the_rows_is_named_where_there_is_one():
    name = {"name": "filename", "type": "string", "value": "out.json-bin/0.bin"}
    beside = {"tag": "nv/json/bin:nv/cold/sample_times", "data": [name]}
    one = nvbench.state("I8")
    one["summaries"].append(beside)
    assert "out.json-bin/0.bin" in read(one).runs[0].notes[0].detail


def test_the_first_schema_is_read():
    file = detect.read(json.dumps(nvbench.first_schema()).encode())
    assert file.runs[0].reported == {"Average GPU Time (Cold)": 0.001}
    assert file.runs[0].identity["state"] == "T=I8"


def test_a_file_without_states_is_refused():
    with pytest.raises(ResultError, match="no-rows"):
        read()
