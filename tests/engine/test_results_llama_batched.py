import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results import detect
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures import llama_batched
from tests.fixtures.llama_batched import batched, dump, sweep, table
from tests.fixtures.mutation import mutants

DEFAULT = Path(__file__).parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", DEFAULT)) / "raw" / "llama-batched-bench"
genuine = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not read"
)


def read(*records):
    return detect.read(dump(*records))


def only(*records):
    (run,) = read(*records).runs
    return run


def lines(*records):
    file = read(*records)
    return {line.metric: line for line in detect.lines(file, file.runs[0])}


def notes(*records):
    return {note.name for note in only(*records).notes}


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 4096), st.integers(1, 512), st.booleans())
def test_every_speed_is_exact_in_the_float32_of_the_tool(seed, pp, pl, shared):
    found = lines(batched(pp=pp, pl=pl, shared=shared, seed=seed))
    assert [line.verdict for line in found.values()] == ["exact"] * 4
    assert set(found) == {"speed_pp", "speed_tg", "t", "speed"}


@settings(max_examples=60)
@given(st.integers(1, 2**31 - 1))
def test_the_nearest_float32_of_a_printed_time_is_the_time_of_the_tool(microseconds):
    time = np.float32(microseconds) / np.float32(1000000)
    assert np.float32(llama_batched.printed(time)) == time


def test_speeds_are_of_all_sequences_and_a_shared_prompt_counts_once():
    apart = only(batched(pp=128, tg=64, pl=4))
    shared = only(batched(pp=128, tg=64, pl=4, shared=True))
    prefill, decode = Fraction(apart.rows[0]["t_pp"]), Fraction(apart.rows[0]["t_tg"])

    assert apart.samples["prefill_tok_s"][0] == 512 / prefill
    assert shared.samples["prefill_tok_s"][0] == 128 / prefill
    assert apart.samples["decode_tok_s"][0] == 256 / decode
    assert apart.samples["decode_ms"][0] == 1000 * decode
    assert shared.samples["summed_tok_s"][0] == 384 / (prefill + decode)


def test_a_cache_of_another_size_does_not_change_the_speed_over_all():
    record = batched(shared=True, unified=False)
    assert lines(record)["speed"].verdict == "exact"


def test_a_build_that_counts_the_cache_instead_of_the_tokens_is_a_known_bug():
    record = batched(shared=True, unified=False)
    whole = np.float32(record["t_pp"]) + np.float32(record["t_tg"])
    record["speed"] = llama_batched.printed(np.float32(record["n_kv"]) / whole)
    assert lines(record)["speed"].verdict == "known-tool-bug"


@pytest.mark.parametrize("name", ["speed_pp", "speed_tg", "t", "speed"])
def test_a_changed_result_differs(name):
    record = batched(longest=9_000_000)
    assert lines({**record, name: record[name] * 1.00001})[name].verdict == "differs"


def test_lines_with_the_same_settings_are_repetitions_of_one_run():
    records = [batched(seed=seed) for seed in range(5)]
    run = only(*records)

    assert [float(rate) for rate in run.samples["decode_ms"]] == pytest.approx(
        [1000 * record["t_tg"] for record in records]
    )
    assert "not-a-distribution" not in notes(*records)
    assert set(lines(*records)) >= {"row0.speed_pp", "row4.speed"}


def test_other_settings_are_another_run_and_selectable():
    file = read(batched(pl=1), batched(pl=2), batched(pl=4))
    assert select(file, {"pl": 2}).samples["prefill_tok_s"][0] > 0
    assert len(file.runs) == 3


def test_one_shot_has_no_spread():
    assert "not-a-distribution" in notes(batched())


def test_the_same_line_twice_is_not_two_repetitions():
    (note,) = [n for n in only(batched(), batched()).notes if n.name == "repeated-rows"]
    assert note.barring("decode_tok_s")


def test_a_sweep_is_told_apart_by_its_keys_and_says_that_n_kv_is_depth():
    file = read(*(sweep(depth, seed=depth) for depth in (0, 512, 1024)))
    run = select(file, {"n_kv": 1024})

    assert [one.identity["tool"] for one in file.runs] == ["ik-sweep-bench"] * 3
    assert "n-kv-is-depth" in {note.name for note in run.notes}
    assert "summed_tok_s" not in run.samples
    assert {line.verdict for line in detect.lines(file, run)} == {"exact"}
    assert all(line.definition.startswith("ik-sweep-bench/") for line in detect.lines(file, run))


def test_both_tools_in_one_file_are_never_one_run():
    file = read(sweep(0), batched())
    assert [run.identity["tool"] for run in file.runs] == ["ik-sweep-bench", "llama-batched-bench"]


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 9))
def test_a_first_line_that_is_a_mean_agrees_within_the_printed_digits(seed, repetitions):
    record = sweep(0, repetitions=repetitions, seed=seed)
    assert {line.verdict for line in lines(record).values()} <= {"exact", "float-noise"}
    assert "may-be-a-mean" in notes(record)


def test_a_later_line_of_a_sweep_is_held_to_the_digit():
    record = sweep(512)
    changed = {**record, "speed_pp": record["speed_pp"] * (1 + 3e-7)}
    assert lines(changed)["speed_pp"].verdict in ("float-noise", "differs")
    assert (
        lines({**record, "speed_pp": record["speed_pp"] * 1.0001})["speed_pp"].verdict == "differs"
    )


def test_memory_of_a_newer_sweep_is_reported_as_not_recomputable():
    found = lines(sweep(512, rss_hwm_mib=123.5, vram_delta_mib=None))
    assert found["rss_hwm_mib"].verdict == "not-recomputable"
    assert "vram_delta_mib" not in found


def test_the_markdown_tables_are_aggregates_only():
    for data in (table(batched()), table(sweep(0), sequences=False), b"log\n" + table(batched())):
        with pytest.raises(ResultError, match="aggregates-only: llama-batched-bench file"):
            detect.read(data)


def test_log_lines_between_records_are_counted():
    file = detect.read(b"main: loading\n" + dump(batched()) + b"\nperf: done\n")
    assert [str(note) for note in file.notes] == [
        "log-noise: noise lines: 2 (not part of any record)"
    ]


def test_unknown_keys_are_settings():
    assert select(read(batched() | {"is_tg_separate": 1}), {"is_tg_separate": 1})


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"t_pp": 0.0}, "zero-is-missing"),
        ({"t_pp": 1e-60}, "zero-is-missing"),
        ({"t_tg": -1.0}, "not-a-number"),
        ({"t_tg": "1.0"}, "not-a-number"),
        ({"pl": 1.5}, "not-a-number"),
        ({"pl": None}, "not-a-number"),
        ({"speed": True}, "not-a-number"),
        ({"pp": 10**30}, "not-a-number"),
    ],
)
def test_what_is_no_time_or_count_is_refused_with_the_record(change, name):
    with pytest.raises(
        ResultError, match=f"{name}: llama-batched-bench file: record 1: "
    ) as caught:
        read(batched(), batched() | change)
    assert caught.value.name == name


def test_a_phase_without_tokens_gives_no_samples():
    record = batched(tg=0) | {"t_tg": 0.0, "speed_tg": 0.0}
    assert set(only(record).samples) == {"prefill_tok_s", "prefill_ms"}
    assert lines(record)["speed_tg"].verdict == "not-recomputable"


@settings(max_examples=200)
@given(mutants([batched(), batched(seed=2), sweep(0), sweep(512)]))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data):
    try:
        file = detect.read(data)
        for run in file.runs:
            detect.lines(file, run)
            assert all(value is not None for column in run.samples.values() for value in column)
    except ResultError:
        pass


@genuine
def test_genuine_files_recompute_to_the_digit():
    for name, runs in (("doc_excerpt.jsonl", 2), ("ik_sweep_bench_doc_excerpt.jsonl", 5)):
        file = detect.read((CORPUS / name).read_bytes())
        assert file.reader == "llama-batched-bench"
        assert len(file.runs) == runs
        assert {line.verdict for run in file.runs for line in detect.lines(file, run)} == {"exact"}


@genuine
def test_the_genuine_table_is_aggregates_only():
    with pytest.raises(ResultError, match="aggregates-only"):
        detect.read((CORPUS / "doc_excerpt_table.md").read_bytes())
