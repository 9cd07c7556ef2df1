import csv
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine.results import detect
from engine.results.refusals import ResultError
from tests.fixtures import mutation, vllm

CORPUS = (
    Path(os.environ.get("EVIDENCE_CORPUS", Path(__file__).parents[3] / "shared/corpus")) / "raw"
)
CELL = {
    "hw": "b200",
    "tp": 8,
    "ep": 1,
    "conc": 4,
    "model": "toy/model",
    "framework": "trt",
    "precision": "fp4",
    "tput_per_gpu": 10512.5,
    "output_tput_per_gpu": 5000.0,
    "mean_ttft": 0.9,
    "p99_intvty": 86.0,
}


def processed():
    """Return a result whose times were made into seconds, as `process_result.py` names them."""
    record = {k: v for k, v in vllm.serve().items() if not isinstance(v, list)}
    times = {name: value for name, value in record.items() if name.endswith("_ms")}
    kept = {name: value for name, value in record.items() if name not in times}
    return kept | {name.removesuffix("_ms"): value / 1000 for name, value in times.items()}


def refused(value):
    with pytest.raises(ResultError) as caught:
        detect.read(json.dumps(value).encode())
    return caught.value


@pytest.mark.parametrize(
    "value",
    [CELL, [CELL, CELL], {"hw": "h100", "conc": 4, "tput_per_gpu": 1.0}, processed()],
    ids=["one", "array", "early", "processed"],
)
def test_aggregates_are_refused_as_such(value):
    error = refused(value)
    assert error.name == "aggregates-only"
    assert "inferencex" in str(error)
    assert "seconds" in error.detail


def test_the_raw_result_before_it_was_processed_is_read_by_another_reader():
    assert detect.read(json.dumps(vllm.serve()).encode()).reader == "vllm"


@given(mutation.mutants([CELL, CELL]))
@settings(max_examples=100, deadline=None)
def test_damaged_aggregates_are_refused_and_nothing_else(data):
    with pytest.raises(ResultError):
        detect.read(data)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: files were not read")
@pytest.mark.parametrize(
    "name",
    [
        "inferencemax/gptoss-8k1k_aggregate_rows.json",
        "inferencex/glm5_fp8_vllm_tp8_isl12288_conc4_processed.json",
    ],
)
def test_genuine_aggregates_are_refused_as_such(name):
    with pytest.raises(ResultError) as caught:
        detect.read((CORPUS / name).read_bytes())
    assert caught.value.name == "aggregates-only"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: files were not read")
def test_every_verdict_on_the_genuine_raw_result_is_met():
    name = "inferencemax/b200_sglang_conc4_raw_detailed.json"
    with (CORPUS / "RECOMPUTE.tsv").open(newline="") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["file"] == name]
    file = detect.read((CORPUS / name).read_bytes())
    found = {line.metric: line for line in detect.lines(file, file.runs[0])}

    for row in rows:
        line = found[row["metric"]]
        assert (line.verdict, float(line.reported)) == (row["verdict"], float(row["reported"]))
        if row["verdict"] == "exact":
            assert line.recomputed == float(row["recomputed"])
    assert len(rows) == 21
