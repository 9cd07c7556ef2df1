import csv
import json
import math
import os
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import detect
from engine.results.refusals import EXCLUDE_FAILED, ResultError
from engine.statistics import median
from tests.fixtures import vllm
from tests.fixtures.mutation import mutants

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT)) / "raw"
genuine = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)


def read(*records):
    return detect.read(vllm.dump(*records))


def lines(record):
    file = read(record)
    return {line.metric: line for line in detect.lines(file, file.runs[0])}


def names(record):
    return {note.name for note in read(record).runs[0].notes}


def test_every_average_of_a_detailed_file_is_exact_to_the_last_bit():
    found = lines(vllm.serve())
    assert {line.verdict for line in found.values()} == {"exact"}
    assert {"mean_ttft_ms", "p99_itl_ms", "std_tpot_ms", "median_e2el_ms"} < set(found)
    assert found["p99_itl_ms"].definition == "vllm-serve/itl/p99/linear/ok/ms"
    assert len(found) == 16 + 7


def test_samples_are_those_of_the_requests_that_succeeded_in_milliseconds():
    record = vllm.serve(failed=(3, 5))
    run = read(record).runs[0]

    good = [x for at, x in enumerate(record["ttfts"]) if at not in (3, 5)]
    assert run.samples["ttft_ms"] == [1000 * Fraction(value) for value in good]
    assert len(run.samples["itl_ms"]) == 18 * 7
    assert run.samples["requests_per_s"] == [18 / Fraction("12.5")]
    assert run.samples["output_tok_s"] == [18 * 8 / Fraction("12.5")]
    assert [row["status"] for row in run.rows].count("failed") == 2
    assert median(run.samples["ttft_ms"]) * 1 == median([1000 * Fraction(x) for x in good])


def test_settings_and_identity_are_told_apart_from_results():
    run = read(vllm.serve(tensor_parallel="2", server={"flags": "-x"})).runs[0]
    assert run.identity["model_id"] == "example/tiny-1b"
    assert run.config == {
        "num_prompts": 20,
        "request_rate": "inf",
        "burstiness": "1.0",
        "max_concurrency": 4,
        "tensor_parallel": "2",
        "server.flags": "-x",
    }


def test_without_latencies_what_needs_them_is_not_recomputable_and_its_guess_comes_close():
    found = lines(vllm.serve(latencies=vllm.ABSENT))
    for statistic in ("mean", "median", "std", "p99"):
        for quantity in ("tpot", "e2el"):
            line = found[f"{statistic}_{quantity}_ms"]
            assert line.verdict == "not-recomputable"
            assert math.isclose(line.recomputed, line.reported, rel_tol=1e-3)
        assert found[f"{statistic}_ttft_ms"].verdict == "exact"
    assert "tpot_ms" not in read(vllm.serve(latencies=vllm.ABSENT)).runs[0].samples


def test_an_average_that_was_edited_differs_and_bars_its_metric_alone():
    record = vllm.serve()
    record["median_ttft_ms"] -= 1e-6
    file = read(record)

    (note,) = detect.notes(file, file.runs[0])
    assert (note.name, note.bars) == ("differs", {"ttft_ms"})


def test_one_last_bit_is_float_noise_and_no_more():
    record = vllm.serve()
    record["mean_itl_ms"] = math.nextafter(record["mean_itl_ms"], math.inf)
    assert lines(record)["mean_itl_ms"].verdict == "float-noise"


def test_failed_requests_need_a_declared_policy():
    file = read(vllm.serve(failed=(0, 1)))
    (note,) = file.runs[0].notes

    assert str(note) == "failed-rows: 2 of 20 requests failed"
    assert note.barring("ttft_ms")
    assert not note.barring("ttft_ms", frozenset({EXCLUDE_FAILED}))


@pytest.mark.parametrize(
    ("record", "name", "said"),
    [
        (
            vllm.serve(count=4, failed=range(4)),
            "all-requests-failed",
            "none of 4 requests succeeded: 0.0 means missing",
        ),
        (
            vllm.without_rows(vllm.serve(count=4, failed=range(4))),
            "all-requests-failed",
            "none of 4 requests succeeded: 0.0 means missing",
        ),
        (vllm.without_rows(vllm.serve()), "aggregates-only", "--save-detailed"),
        (
            vllm.serve(ttfts=[], itls=[], errors=[], input_lens=[], output_lens=[], latencies=[],
                       generated_texts=[]),
            "no-rows",
            "20 requests completed and the lists are empty",
        ),
        (vllm.serve(num_prompts=64), "rows-incomplete", "20 of 64 requests have a row"),
        (
            vllm.serve(output_lens=[0] * 20),
            "zero-is-missing",
            "20 requests count as completed and produced no token",
        ),
        (vllm.serve(max_output_tokens_per_s=1.0), "peak-below-mean", "is under output_throughput"),
        (vllm.serve(**{"request_goodput:": None}), "misspelt-key", "has a colon"),
        (vllm.serve(output_lens=[80] * 20), "itl-per-chunk", "140 gaps for 1580 tokens"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_run_has_a_name(record, name, said):
    (note,) = [note for note in read(record).runs[0].notes if note.name == name]
    assert said in note.detail


def test_a_ttft_of_zero_is_a_missing_value():
    record = vllm.serve()
    record["ttfts"][2] = 0.0
    (note,) = [note for note in read(record).runs[0].notes if note.name == "zero-is-missing"]
    assert note.bars == {"ttft_ms", "tpot_ms"}


def test_fewer_completed_rows_than_claimed_is_named_in_its_line():
    assert lines(vllm.serve(completed=64))["completed"].verdict == "rows-incomplete"


def test_several_results_in_one_file_are_several_runs():
    file = read(vllm.serve(), vllm.serve(seed=2, max_concurrency=8))
    assert [run.config["max_concurrency"] for run in file.runs] == [4, 8]
    assert [str(note) for note in file.notes] == [
        "several-runs: 2 runs in one file, one after the other"
    ]
    array = detect.read(json.dumps([vllm.serve(), vllm.serve(seed=2)]).encode())
    assert len(array.runs) == 2


def test_one_result_twice_is_not_two_runs():
    file = read(vllm.serve(), vllm.serve())
    assert [note.name for run in file.runs for note in run.notes] == ["repeated-rows"] * 2


def test_a_count_that_the_rows_do_not_reach_bars_the_run():
    file = read(vllm.serve(completed=21))
    (note,) = detect.notes(file, file.runs[0])
    assert (str(note), note.bars) == (
        "rows-incomplete: 20 of 21 rows are in the file",
        frozenset({"*"}),
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (vllm.dump(vllm.serve(ttfts=[0.1])), "rows-inconsistent: vllm file: run 0: lists of"),
        (vllm.dump(vllm.serve(ttfts=["0.1"] * 20)), "not-a-number: vllm file: run 0: ttfts holds"),
        (vllm.dump(vllm.serve(ttfts=[True] * 20)), "not-a-number"),
        (vllm.dump(vllm.serve(itls=[[None]] * 20)), "not-a-number: vllm file: run 0: itls holds"),
        (vllm.dump(vllm.serve(latencies=[math.nan] * 20)), "not-a-number"),
        (vllm.dump(vllm.serve(output_lens="x" * 20)), "malformed"),
        (b'{"success": false, "raw_output": "no"}', "run-failed"),
        (b'{"elapsed_time": 1.0, "num_requests": 2, "tokens_per_second": 3.0}', "aggregates-only"),
        (vllm.dump(vllm.serve())[:-9], "truncated"),
        (vllm.dump(vllm.serve())[:-1] + b', "date": 1}', "duplicate-keys: key 'date'"),
    ],
)
def test_a_file_that_is_no_evidence_is_refused_by_name(data, said):
    with pytest.raises(ResultError) as caught:
        detect.read(data)
    assert said in str(caught.value)


def test_batch_latencies_are_recomputed():
    file = detect.read(vllm.latency())
    found = detect.lines(file, file.runs[0])
    assert [line.verdict for line in found] == ["exact"] * 7
    assert len(file.runs[0].samples["batch_ms"]) == 5


def test_batch_latencies_that_were_taken_out_are_missed():
    record = json.loads(vllm.latency()) | {"latencies": []}
    file = detect.read(json.dumps(record).encode())
    assert {line.verdict for line in detect.lines(file, file.runs[0])} == {"not-recomputable"}
    assert [note.name for note in file.runs[0].notes] == ["no-rows"]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_change_to_a_file_is_read_or_refused_by_name(data):
    small = vllm.serve(count=3, tokens=3)
    changed = data.draw(mutants(data.draw(st.sampled_from([small, json.loads(vllm.latency(3))]))))
    try:
        file = detect.read(changed)
        for run in file.runs:
            detect.lines(file, run)
    except ResultError:
        pass


@genuine
def test_the_answer_sheet_is_met_line_by_line():
    with (CORPUS / "RECOMPUTE.tsv").open(newline="") as table:
        sheet = [
            line
            for line in csv.DictReader(table, delimiter="\t")
            if line["file"].startswith(("vllm/", "inferencemax/"))
        ]
    files = {line["file"]: detect.read((CORPUS / line["file"]).read_bytes()) for line in sheet}
    found = {
        name: {line.metric: line for line in detect.lines(file, file.runs[0])}
        for name, file in files.items()
    }
    for line in sheet:
        ours = found[line["file"]][line["metric"]]
        assert (ours.verdict, str(ours.reported)) == (line["verdict"], line["reported"])
        if line["verdict"] == "exact":
            assert ours.recomputed == float(line["recomputed"])
    assert len(sheet) == 59


@genuine
@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("dstack_serve_detailed_983_of_1000_failed.json.gz", ["failed-rows", "zero-is-missing"]),
        ("er0080_serve_all_failed_v0.25.1.json", ["all-requests-failed"]),
        ("er0080_sweep_run0.json", ["peak-below-mean", "aggregates-only"]),
        ("dstack_serve_aggregate_2025.json", ["aggregates-only"]),
        ("dstack_latency_rows_emptied.json", ["no-rows"]),
        ("dstack_latency_2_iters.json", []),
        ("scicom_serve_detailed_l40s_c1.json", []),
        ("../inferencemax/b200_sglang_conc4_raw_detailed.json", ["misspelt-key", "itl-per-chunk"]),
    ],
)
def test_genuine_files_are_named_for_what_they_are(name, notes):
    file = detect.read((CORPUS / "vllm" / name).read_bytes())
    assert [note.name for note in file.runs[0].notes] == notes


@genuine
@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("kyuz0_r9700_failed_wrapper_latency.json", "run-failed"),
        ("dstack_throughput.json", "aggregates-only"),
        ("kyuz0_r9700_throughput_2026.json", "aggregates-only"),
    ],
)
def test_genuine_files_without_evidence_are_refused(name, refusal):
    with pytest.raises(ResultError) as caught:
        detect.read((CORPUS / "vllm" / name).read_bytes())
    assert caught.value.name == refusal
