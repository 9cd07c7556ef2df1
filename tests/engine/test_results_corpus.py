"""The readers against genuine files of other people; skipped where the corpus is not at hand."""

import csv
import json
import os
import statistics as stdlib
from fractions import Fraction
from pathlib import Path

import pytest

from engine.results.detect import read
from engine.results.model import select
from engine.statistics import mean, median, standard_deviation
from receipts.errors import MalformedError

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT)) / "raw"

pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)


def genuine(name):
    return read((CORPUS / "llama-bench" / name).read_bytes())


def recomputed(run, metric):
    """Print an aggregate from the samples alone, with the digits that the tool prints."""
    (rates,) = (values for name, values in run.samples.items() if name.endswith("_tok_s"))
    (times,) = (values for name, values in run.samples.items() if name.endswith("_ms"))
    figures = {
        "avg_ts": lambda: f"{float(round(mean(rates), 6)):.6f}",
        "stddev_ts": lambda: f"{float(round(standard_deviation(rates, 1), 6)):.6f}",
        "avg_ns": lambda: str(int(mean(times) * 10**6)),
    }
    return figures[metric]()


def test_every_exact_line_of_the_recomputation_table_recomputes_exactly():
    with (CORPUS / "RECOMPUTE.tsv").open(newline="") as table:
        lines = [
            line
            for line in csv.DictReader(table, delimiter="\t")
            if line["file"].startswith("llama-bench/") and line["verdict"] == "exact"
        ]
    files = {line["file"]: read((CORPUS / line["file"]).read_bytes()) for line in lines}

    for line in lines:
        row, metric = line["metric"].split(".")
        run = files[line["file"]].runs[int(row.removeprefix("row"))]
        assert run.reported[metric] == line["reported"]
        assert recomputed(run, metric) == line["reported"]
    assert len(lines) >= 18


def test_all_aggregates_of_all_260_records_of_a_real_sweep_are_confirmed():
    file = genuine("lhl_qwen3-32b-q8_raw_runs_5rep.jsonl")

    assert len(file.runs) == 260
    assert {run.warnings for run in file.runs} == {()}
    assert all(len(rows) == 5 for run in file.runs for rows in run.samples.values())


def test_the_median_of_each_cell_is_the_median_of_its_times():
    name = "kyuz0_deepseek4_build10224.jsonl"
    file = genuine(name)
    lines = [json.loads(line) for line in (CORPUS / "llama-bench" / name).read_text().splitlines()]

    for line in lines:
        run = select(file, {"n_ubatch": line["n_ubatch"]})
        middle = stdlib.median(line["samples_ns"])
        assert median(run.samples["prefill_ms"]) * 10**6 == middle
        assert median(run.samples["prefill_tok_s"]) == Fraction(2048 * 10**9, middle)
    assert len(lines) == len(file.runs) == 4


def test_a_record_inside_a_harness_log_is_read_and_the_log_lines_are_counted():
    file = genuine("mistralrs_wrapped_cmd_stdout.txt")

    assert select(file, {"n_depth": 512}).samples["decode_ms"][0] == Fraction(16340718384, 10**6)
    assert file.warnings == ("noise lines: 14 (not part of any record)",)


def test_a_real_single_repetition_says_that_it_has_no_spread():
    (run,) = genuine("lhl_llama32-1b_single_rep.jsonl").runs
    assert run.warnings == ("single repetition: no spread",)


@pytest.mark.parametrize("name", ["doc_excerpt_build5163.csv", "doc_excerpt_build5163.sql"])
def test_real_tables_without_samples_are_refused(name):
    with pytest.raises(MalformedError, match="aggregates only"):
        genuine(name)


def test_no_file_of_another_tool_is_taken_for_one_of_ours():
    others = [p for p in CORPUS.glob("*/*") if p.is_file() and p.parent.name != "llama-bench"]
    for path in others:
        with pytest.raises(MalformedError, match="no tool that can be read"):
            read(path.read_bytes())
    assert len(others) > 30
