from fractions import Fraction

import pytest

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures import criterion

ROWS = criterion.sample()
POINTS = ("mean", "median", "std_dev", "slope")


def lines(*parts):
    file = detect.read(*parts)
    return {line.metric: line for line in detect.lines(file, file.runs[0])}


def test_every_estimate_but_the_bootstrap_follows_from_the_rows():
    found = lines(criterion.make(ROWS), criterion.make(criterion.estimates(ROWS)))
    assert {found[name].verdict for name in POINTS} == {"exact"}
    rest = [line for name, line in found.items() if "." in name]
    assert len(rest) == 15
    assert {line.verdict for line in rest} == {"not-recomputable"}


def test_the_single_precision_constant_is_noise_within_its_own_tolerance():
    estimates = criterion.estimates(ROWS)
    both = criterion.make(ROWS), criterion.make(estimates)
    line = lines(*both)["median_abs_dev"]
    assert line.verdict == "float-noise"
    assert 1.7e-8 < line.relative < 1.9e-8
    estimates["median_abs_dev"]["point_estimate"] *= 1 + 1e-7
    assert lines(both[0], criterion.make(estimates))["median_abs_dev"].verdict == "differs"


def test_old_arrays_and_capitalised_keys_give_the_same():
    old = criterion.arrays(ROWS), criterion.make(criterion.estimates(ROWS, old=True))
    found = lines(*old)
    assert {found[name].verdict for name in ("Mean", "Median", "StdDev", "Slope")} == {"exact"}
    assert detect.read(old[0]).runs[0].samples == detect.read(criterion.make(ROWS)).runs[0].samples


def test_the_order_of_the_two_files_does_not_matter():
    parts = criterion.make(ROWS), criterion.make(criterion.estimates(ROWS))
    assert lines(*parts) == lines(*reversed(parts))


def test_flat_mode_has_no_slope():
    flat = criterion.sample(flat=True)
    found = lines(criterion.make(flat), criterion.make(criterion.estimates(flat)))
    assert "slope" not in found
    assert found["mean"].verdict == "exact"


def test_a_sample_is_the_time_of_a_row_over_its_iterations():
    rows = {"iters": [2.0, 4.0], "times": [10.0, 22.0]}
    run = detect.read(criterion.make(rows)).runs[0]
    assert run.samples["iteration_ns"] == [5, Fraction(11, 2)]
    assert run.rows[1] == {"iters": 4.0, "times": 22.0}


def test_a_table_names_its_benchmark_and_has_the_same_rows():
    file = detect.read(criterion.table(ROWS))
    run = select(file, {"benchmark": "Fib/loop/20"})
    assert run.samples == detect.read(criterion.make(ROWS)).runs[0].samples


def test_a_table_of_another_measurement_is_refused():
    with pytest.raises(ResultError, match=r"not-a-number.*cycles"):
        detect.read(criterion.table(ROWS, unit="cycles"))


def test_benchmark_json_gives_the_rows_a_name():
    parts = criterion.make(ROWS), criterion.make(criterion.estimates(ROWS))
    file = detect.read(*parts, criterion.make(criterion.names()))
    assert select(file, {"benchmark": "Fib/loop/20"}).samples
    assert lines(*parts, criterion.make(criterion.names()))["mean"].verdict == "exact"


def test_an_older_benchmark_json_without_full_id_gives_the_joined_parts():
    older = criterion.names()
    del older["full_id"]
    file = detect.read(criterion.make(ROWS), criterion.make(older))
    assert file.runs[0].identity["benchmark"] == "Fib/loop/20"


def test_estimates_alone_are_averages_only():
    file = detect.read(criterion.make(criterion.estimates(ROWS)))
    assert [note.name for note in file.runs[0].notes] == ["aggregates-only"]
    assert file.part == "summary"
    verdicts = {line.verdict for line in detect.lines(file, file.runs[0])}
    assert verdicts == {"not-recomputable"}


def test_estimates_of_other_rows_differ():
    other = criterion.estimates(criterion.sample(seed=2))
    found = lines(criterion.make(ROWS), criterion.make(other))
    assert {found[name].verdict for name in POINTS} == {"differs"}


def test_the_change_between_two_runs_is_no_result():
    change = {name: criterion.estimates(ROWS)[name] for name in ("mean", "median")}
    with pytest.raises(ResultError, match=r"not-results.*folder new"):
        detect.read(criterion.make(change))


def test_two_files_of_the_same_part_do_not_belong_together():
    with pytest.raises(ResultError, match="not-results"):
        detect.read(criterion.make(ROWS), criterion.make(ROWS))


def test_lists_of_different_length_are_refused():
    with pytest.raises(ResultError, match="3 iters but 2 times"):
        detect.read(criterion.make({"iters": [1.0, 2.0, 3.0], "times": [1.0, 2.0]}))


@pytest.mark.parametrize("times", [[1.0, 0.0], [1.0, -2.0], [1.0, None], [1.0, "2"]])
def test_a_time_that_is_none_is_refused(times):
    with pytest.raises(ResultError, match="not-a-number"):
        detect.read(criterion.make({"iters": [1.0, 2.0], "times": times}))


def test_messages_of_cargo_criterion_hold_rows_and_estimates_of_every_benchmark():
    messages = [criterion.message(criterion.sample(seed=n), f"Fib/{n}") for n in (1, 2)]
    data = b"\n".join([*map(criterion.make, messages), b'{"reason": "group-complete"}'])
    file = detect.read(data)
    run = select(file, {"benchmark": "Fib/2"})
    found = {line.metric: line for line in detect.lines(file, run)}
    assert {found[name].verdict for name in POINTS} == {"exact"}
    assert found["mean.lower_bound"].verdict == "not-recomputable"


@pytest.mark.parametrize(
    "data", [b"[[1, 2], [3, 4], [5, 6]]", b"[[1, 2], [3]]", b"[[1, 2], [3, 4]] x"]
)
def test_other_nested_lists_are_of_no_tool(data):
    with pytest.raises(ResultError, match="unknown-tool"):
        detect.read(data)
