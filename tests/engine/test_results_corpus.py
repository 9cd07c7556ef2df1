"""The readers against genuine files of other people; skipped where the corpus is not at hand."""

import csv
import json
import os
import statistics as stdlib
from fractions import Fraction
from pathlib import Path

import pytest

from engine.results.detect import lines, read
from engine.results.model import select
from engine.results.refusals import ResultError
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
        assert str(run.reported[metric]) == line["reported"]
        assert recomputed(run, metric) == line["reported"]
    assert len(lines) >= 18


def test_all_aggregates_of_all_260_records_of_a_real_sweep_are_confirmed():
    file = genuine("lhl_qwen3-32b-q8_raw_runs_5rep.jsonl")

    assert len(file.runs) == 260
    assert {run.notes for run in file.runs} == {()}
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
    assert [str(note) for note in file.notes] == [
        "log-noise: noise lines: 14 (not part of any record)"
    ]


def test_a_real_single_repetition_says_that_it_has_no_spread():
    (run,) = genuine("lhl_llama32-1b_single_rep.jsonl").runs
    assert [str(note) for note in run.notes] == ["not-a-distribution: single repetition: no spread"]


@pytest.mark.parametrize("name", ["doc_excerpt_build5163.csv", "doc_excerpt_build5163.sql"])
def test_real_tables_without_samples_are_refused(name):
    with pytest.raises(MalformedError, match="aggregates-only"):
        genuine(name)


TOOLS = {"inferencemax": ("vllm", "inferencex"), "llama-bench": ("llama-bench",)}
REFUSED = {
    "aiperf/qwen_concurrency1_gpu_telemetry_export.jsonl": "not-results",
    "inference-perf/vllm_summary_lifecycle_metrics.json": "aggregates-only",
    "inferencemax/gptoss-8k1k_aggregate_rows.json": "aggregates-only",
    "inferencex/glm5_fp8_vllm_tp8_isl12288_conc4_processed.json": "aggregates-only",
    "llama-batched-bench/doc_excerpt_table.md": "aggregates-only",
    "llama-bench/doc_excerpt_build5163.csv": "aggregates-only",
    "llama-bench/doc_excerpt_build5163.sql": "aggregates-only",
    "vllm/dstack_throughput.json": "aggregates-only",
    "vllm/kyuz0_r9700_failed_wrapper_latency.json": "run-failed",
    "vllm/kyuz0_r9700_throughput_2026.json": "aggregates-only",
}


def test_every_genuine_file_is_read_by_its_tool_s_reader_or_refused_by_its_name():
    found = {}
    for path in sorted(CORPUS.glob("*/*")):
        name = str(path.relative_to(CORPUS))
        try:
            file = read(path.read_bytes())
        except ResultError as error:
            found[name] = error.name
            continue
        assert file.reader in TOOLS.get(path.parent.name, (path.parent.name,)), name
        assert all(
            "differs" not in {line.verdict for line in lines(file, run)} for run in file.runs
        )
    assert found == REFUSED
