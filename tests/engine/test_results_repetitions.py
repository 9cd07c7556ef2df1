"""What holds for all readers of micro-benchmark tools, and their genuine files."""

import csv
import json
import math
import os
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.metrics import METRICS
from engine.results import detect, repetitions
from engine.results.content import unpack
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures import (
    criterion,
    go_bench,
    google_benchmark,
    hyperfine,
    nvbench,
    pyperf,
    pytest_benchmark,
)
from tests.fixtures.mutation import mutants

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT)) / "raw"
genuine = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)

SAMPLE = criterion.sample(4)
FITS = google_benchmark.fit()
DOCUMENTS = {
    "hyperfine": hyperfine.document(hyperfine.old(4, parameters={"n": "1"}), hyperfine.old(1)),
    "hyperfine-2": hyperfine.document_2(hyperfine.new(3, parameters={"n": {"value": "1"}})),
    "google-benchmark": google_benchmark.document(google_benchmark.benchmark(count=3) + FITS),
    "pytest-benchmark": pytest_benchmark.document(
        pytest_benchmark.benchmark(count=5), pytest_benchmark.benchmark("test_b", count=1)
    ),
    "pyperf": pyperf.document(pyperf.benchmark(processes=2, values=2)),
    "criterion": SAMPLE,
    "criterion-estimates": criterion.estimates(SAMPLE),
    "criterion-names": criterion.names(),
    "criterion-message": criterion.message(SAMPLE),
    "criterion-arrays": [SAMPLE["iters"], SAMPLE["times"]],
    "nvbench": nvbench.document(nvbench.state("I8"), nvbench.skipped("I16")),
    "nvbench-first": nvbench.first_schema(),
}
TEXTS = {
    "go": go_bench.make(go_bench.section("example.org/a", ["Size/n=1", "Sum"])),
    "go-events": go_bench.events(go_bench.section("example.org/a", ["Sum"])),
    "criterion-csv": criterion.table(SAMPLE),
}


def survives(data, *beside):
    """Read whatever it is, and look at all of it; only a refusal may come out."""
    try:
        file = detect.read(data, *beside)
        for run in file.runs:
            list(detect.lines(file, run))
            dict(run.identity), dict(run.config), list(run.rows[:3])
            assert all(len(column) for column in run.samples.values())
            assert set(run.samples) <= set(METRICS)
            assert all(value >= 0 for column in run.samples.values() for value in column)
    except ResultError:
        pass


@pytest.mark.parametrize("name", DOCUMENTS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_or_read_and_never_breaks_a_reader(name, data):
    survives(data.draw(mutants(DOCUMENTS[name])))


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_damaged_text_is_refused_or_read_and_never_breaks_a_reader(name, data):
    whole = TEXTS[name]
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    pieces = [b"", b"\xff", b"\n", b"-", b"0", b"NaN", b"1e99", b",", b'"', b" 7 ns/op", b"x: y\n"]
    survives(whole[:start] + data.draw(st.sampled_from(pieces)) + whole[end:])


@settings(max_examples=60, deadline=None)
@given(damaged=mutants(criterion.estimates(SAMPLE)))
def test_damaged_estimates_beside_rows_never_break_a_reader(damaged):
    survives(criterion.make(SAMPLE), damaged)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_file_is_known_by_its_content_for_the_tool_that_wrote_it(name):
    file = detect.read(json.dumps(DOCUMENTS[name]).encode())
    known = ("criterion", "google-benchmark", "hyperfine", "nvbench", "pyperf", "pytest-benchmark")
    assert file.reader == next(tool for tool in known if name.startswith(tool))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_is_printed_from_the_rows_never_differs(name):
    file = detect.read(json.dumps(DOCUMENTS[name]).encode())
    verdicts = {line.verdict for run in file.runs for line in detect.lines(file, run)}
    assert verdicts <= {"exact", "float-noise", "not-recomputable"}


@given(st.lists(st.floats(1e-9, 1e9), min_size=2, max_size=50))
def test_sums_and_deviations_go_from_left_to_right(values):
    whole = 0.0
    for value in values:
        whole += value
    mean = whole / len(values)
    squares = 0.0
    for value in values:
        squares += (value - mean) * (value - mean)

    assert repetitions.total(values) == whole
    assert repetitions.deviation(values) == math.sqrt(squares / (len(values) - 1))


@pytest.mark.parametrize("value", [True, None, "1", float("nan"), float("inf"), 10**400, 1e-200])
def test_what_is_no_measured_number_is_none(value):
    assert not repetitions.is_number(value)


@pytest.mark.parametrize("value", [0, 0.0, -1, 1e-12, 10**15])
def test_a_finite_number_of_a_measurable_size_is_one(value):
    assert repetitions.is_number(value)


def corpus(name, *beside):
    return detect.read(*((CORPUS / one).read_bytes() for one in (name, *beside)))


MICRO = ("hyperfine", "criterion", "pytest-benchmark")


@genuine
def test_the_recomputation_table_is_met_line_by_line():
    with (CORPUS / "RECOMPUTE.tsv").open(newline="") as table:
        sheet = [
            line
            for line in csv.DictReader(table, delimiter="\t")
            if line["file"].partition("/")[0] in MICRO
        ]
    for line in sheet:
        ours = reconciled(line["file"], line["metric"])
        assert str(ours.reported) == line["reported"]
        assert ours.recomputed == pytest.approx(float(line["recomputed"]), rel=1e-15, abs=0)
        # The table adds up with numpy; added up as the tool does it, noise becomes exact.
        allowed = {"float-noise": {"float-noise", "exact"}}
        assert ours.verdict in allowed.get(line["verdict"], {line["verdict"]})
        if line["verdict"] == "exact":
            assert ours.recomputed == float(line["recomputed"])
    assert len(sheet) == 13


def reconciled(name, metric):
    rows = name.replace("estimates", "sample")
    file = corpus(rows, name) if rows != name else corpus(name)
    cell, _, last = metric.rpartition(".")
    run = select(file, {"benchmark": cell}) if name.startswith("pytest") else file.runs[0]
    return {line.metric: line for line in detect.lines(file, run)}[last]


@genuine
def test_added_up_as_the_tool_does_it_genuine_averages_are_exact():
    for metric in ("0.mean", "0.median", "0.stddev"):
        assert reconciled("hyperfine/bencher_one_memory.json", metric).verdict == "exact"
    for metric in ("Mean", "Median", "StdDev", "Slope"):
        assert reconciled("criterion/fibonacci_new_estimates.json", metric).verdict == "exact"
    distance = reconciled("criterion/fibonacci_new_estimates.json", "MedianAbsDev")
    assert distance.verdict == "float-noise"


@genuine
def test_shortened_rounds_of_three_genuine_tests_do_not_spoil_the_fourth():
    file = corpus("pytest-benchmark/gha_several_units.json")
    barred = [[note.name for note in run.notes] for run in file.runs]
    assert barred == [["rows-incomplete"], ["rows-incomplete"], ["rows-incomplete"], []]
    assert [len(run.samples) for run in file.runs] == [0, 0, 0, 1]
    assert [note.name for note in file.notes] == ["dirty-tree"]
    whole = select(file, {"benchmark": "test_sleep_2"})
    assert {line.verdict for line in detect.lines(file, whole)} == {"exact"}


@genuine
def test_a_genuine_pyperf_file_gives_its_120_values_without_calibration():
    (run,) = corpus("pyperf/telco.json").runs
    assert run.identity["benchmark"] == "telco"
    assert len(run.samples["iteration_ns"]) == 120
    assert len(run.samples["peak_mib"]) == 40
    assert [row["status"] for row in run.rows[:4]] == ["warm-up"] * 4


@genuine
def test_the_rows_of_criterion_are_the_same_in_json_and_csv():
    (first,), (second,) = (
        corpus(f"criterion/fibonacci_new_{name}").runs for name in ("sample.json", "raw.csv")
    )
    assert first.samples == second.samples
    assert second.identity["benchmark"] == "Fibonacci/Iterative"
    assert len(first.samples["iteration_ns"]) == 100


@genuine
def test_genuine_go_benchmarks_are_told_apart_by_name_package_and_note():
    old = corpus("go-bench/benchstat_old.txt")
    assert [len(run.samples["iteration_ns"]) for run in old.runs] == [10, 10]
    assert select(old, {"format": "gob"}).samples["iteration_ns"][0] == Fraction(3069)

    twins = corpus("go-bench/gha_duplicate_names.txt")
    caches = {"pkg": "github.com/gofiber/fiber/v3/middleware/cache"}
    run = select(twins, caches | {"name": "BenchmarkAppendMsgitem-4"})
    assert run.samples["iteration_ns"] == [Fraction("55.76")]
    assert run.samples["gb_s"] == [Fraction("2.83337")]
    assert run.samples["allocations"] == [0]

    units = corpus("go-bench/benchstat_units.txt")
    assert [len(run.rows) for run in units.runs] == [1, 3, 1, 3]
    assert not any(run.samples for run in units.runs)
    assert {note.name for run in units.runs for note in run.notes} == {
        "no-metric",
        "not-a-distribution",
    }


@genuine
def test_every_state_of_a_genuine_nvbench_file_is_reported_and_none_is_citable():
    file = corpus("nvbench/axes_gv100_gp100.json.gz")
    names = [run.notes[0].name for run in file.runs]
    assert (names.count("aggregates-only"), names.count("zero-repetitions")) == (88, 38)
    assert not any(run.samples for run in file.runs)
    assert all(not run.reported for run in file.runs if run.notes[0].name == "zero-repetitions")
    run = select(file, {"benchmark": "simple", "device": 0})
    assert run.reported["nv/cold/time/gpu/mean"] == 0.0010034715849794225
    assert run.identity["device_info.name"] == "Quadro GV100"


@genuine
def test_a_genuine_google_benchmark_without_repetitions_gives_single_samples():
    file = corpus("google-benchmark/gha_fib.json")
    assert [run.identity["benchmark"] for run in file.runs] == ["fib_10", "fib_20"]
    assert file.runs[0].samples["iteration_ns"] == [Fraction(214.98980114547953)]
    assert [note.name for note in file.runs[0].notes] == ["not-a-distribution"]


@genuine
def test_no_genuine_file_of_another_tool_is_taken_for_a_micro_benchmark():
    ours = {"go-bench", "google-benchmark", "nvbench", "pyperf", *MICRO}
    files = [path for path in sorted(CORPUS.glob("*/*")) if path.is_file()]
    taken = {path.relative_to(CORPUS).as_posix(): taker(path.read_bytes()) for path in files}
    for name, reader in taken.items():
        assert (reader in ours) == (name.partition("/")[0] in ours), name
    assert sum(reader in ours for reader in taken.values()) == 11


def taker(data):
    """Return the name of the reader that takes a file, whether it can use it or not."""
    content = unpack(data)
    return next((one.NAME for one in detect.READERS if one.recognises(content)), None)
