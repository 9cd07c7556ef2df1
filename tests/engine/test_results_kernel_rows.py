"""The raw file of a kernel: every rule of its page, and the samples as a law of the times."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import exactness
from engine.kernel_work import KERNELS
from engine.results import detect, kernel_rows, merging
from engine.results.refusals import ResultError
from receipts import canonical

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats" / "kernel-rows.md"
DIGEST = "sha256:" + "0" * 64
HEADER = {
    "format": kernel_rows.FORMAT,
    "instrument": "mk",
    "kernel": "triad",
    "variant": "tuned",
    "backend": "c",
    "source": DIGEST,
    "n": 1000,
    "threads": 2,
    "seed": 0,
    "warmup": 1,
    "launches": 2,
    "clock": "CLOCK_MONOTONIC",
    "nominal_bytes_s": 10**11,
}
ROW = {"repetition": 0, "ns": [400, 600], "best": 3, "output": DIGEST}


def raw(header=HEADER, *rows):
    lines = [header, *(rows or (ROW,))]
    return b"".join(canonical.encode(line) + b"\n" for line in lines)


def without(value, *names):
    return {name: item for name, item in value.items() if name not in names}


def refused(data, name, *words):
    with pytest.raises(ResultError) as raised:
        detect.read(data)
    assert raised.value.name == name
    for word in words:
        assert word in str(raised.value)


def only(data):
    [run] = detect.read(data).runs
    return run


def notes(run):
    return {note.name: note for note in run.notes}


@given(
    kernel=st.sampled_from(sorted(KERNELS)),
    size=st.integers(1, 500),
    times=st.lists(
        st.lists(st.integers(1, 10**12), min_size=3, max_size=3), min_size=1, max_size=5
    ),
)
def test_samples_follow_from_sizes_and_times_alone(kernel, size, times):
    sizes = {"n": size} if "n" in KERNELS[kernel].limits else {"rows": size, "columns": 32 * size}
    header = {**without(HEADER, "n"), "kernel": kernel, "launches": 3, **sizes}
    rows = [{**ROW, "repetition": at, "ns": list(ns)} for at, ns in enumerate(times)]
    run = only(raw(header, *rows))
    work = KERNELS[kernel]
    for at, ns in enumerate(times):
        mean = Fraction(sum(ns), 3)
        assert run.samples["kernel_us"][at] == mean / 1000
        assert run.samples["gb_s"][at] == work.moved(sizes) / mean
        if work.operations(sizes):
            assert run.samples["tflop_s"][at] == work.operations(sizes) / mean / 1000
        else:
            assert "tflop_s" not in run.samples


@pytest.mark.parametrize(
    ("kernel", "sizes", "moved", "operations"),
    [
        ("triad", {"n": 10}, 120, 20),
        ("matvec_i8", {"rows": 3, "columns": 5}, 15 + 5 + 12, 0),
        ("gemv_q8_0", {"rows": 3, "columns": 64}, 68 * 3 + 68 + 12, 384),
        ("rmsnorm", {"rows": 3, "columns": 5}, 120 + 20, 60),
        ("matvec_f32", {"rows": 3, "columns": 5}, 60 + 20 + 12, 30),
        ("argmax_f32", {"n": 10}, 40, 0),
    ],
)
def test_the_work_of_a_launch_is_what_the_page_says(kernel, sizes, moved, operations):
    assert KERNELS[kernel].moved(sizes) == moved
    assert KERNELS[kernel].operations(sizes) == operations
    assert f"| `{kernel}` |" in PAGE.read_text(encoding="utf-8")


def test_krows_1_canonical_lines_to_the_end():
    refused(raw()[:-1], "truncated")
    refused(raw().replace(b'"best":3', b'"best": 3'), "malformed", "line 2")


@pytest.mark.parametrize("name", [*without(HEADER, "nominal_bytes_s")])
def test_krows_2_every_required_field_is_there(name):
    if name == "format":
        refused(raw(without(HEADER, name)), "unknown-tool")
    else:
        refused(raw(without(HEADER, name)), "malformed", "line 1")


@pytest.mark.parametrize("more", [{"vocab": 3}, {"rows": 3}, {"note": "x"}])
def test_krows_2_no_other_field_is_there(more):
    refused(raw({**HEADER, **more}), "malformed", "unknown fields")


def test_krows_3_this_format_and_a_known_kernel():
    refused(raw({**HEADER, "format": "evidence-ledger/kernel-rows/v2"}), "malformed", "v2")
    refused(raw({**HEADER, "kernel": "sort"}), "malformed", "line 1")


@pytest.mark.parametrize("name", ["n", "threads", "launches", "nominal_bytes_s"])
@pytest.mark.parametrize("value", [0, -1, "1", True])
def test_krows_4_counts_are_integers_above_0(name, value):
    refused(raw({**HEADER, name: value}), "malformed", name)


@pytest.mark.parametrize("change", [{"seed": -1}, {"warmup": -1}, {"variant": 3}, {"device": 1}])
def test_krows_4_text_is_text_and_seeds_are_not_negative(change):
    refused(raw({**HEADER, **change}), "malformed", next(iter(change)))


def test_krows_5_at_least_one_row_and_not_too_many():
    refused(canonical.encode(HEADER) + b"\n", "no-rows")
    refused(raw(HEADER, *([ROW] * 3001)), "too-large")


@pytest.mark.parametrize("row", [without(ROW, "best"), {**ROW, "x": 1}, {**ROW, "triad_ns": [1]}])
def test_krows_6_rows_have_exactly_their_fields(row):
    refused(raw(HEADER, row), "malformed", "line 2", "fields")


def test_krows_6_triad_times_are_there_where_the_header_says_so():
    header = {**HEADER, "triad_n": 5}
    refused(raw(header), "malformed", "triad_ns")
    assert only(raw(header, {**ROW, "triad_ns": [7]})).rows[0]["triad_ns"] == [7]


def test_krows_7_repetitions_count_from_0():
    refused(raw(HEADER, {**ROW, "repetition": 1}), "malformed", "stands where 0")


@pytest.mark.parametrize("ns", [[1], [1, 2, 3], [0, 1], [1, -1], [1, 1.5], 7, []])
def test_krows_8_as_many_times_as_launches_and_none_of_0(ns):
    line = json.dumps({**ROW, "ns": ns}, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    refused(canonical.encode(HEADER) + b"\n" + line, "malformed", "line 2")


@pytest.mark.parametrize("best", [-1, "3", True])
def test_krows_9_best_is_an_index(best):
    refused(raw(HEADER, {**ROW, "best": best}), "malformed", "best")


@pytest.mark.parametrize("output", ["sha256:0", "md5:" + "0" * 32, 7])
def test_krows_10_output_is_a_digest(output):
    refused(raw(HEADER, {**ROW, "output": output}), "malformed", "output")


def test_krows_11_a_launch_above_the_nominal_limit_bars_everything():
    # 12,000 bytes in 120 ns are 100 GB/s, the limit itself; one nanosecond less is above it.
    assert "above-limit" not in notes(only(raw(HEADER, {**ROW, "ns": [120, 9000]})))
    run = only(raw(HEADER, {**ROW, "ns": [119, 9000]}))
    note = notes(run)["above-limit"]
    assert all(note.barring(metric) for metric in run.samples)
    assert "nominal" in note.detail


def test_krows_11_the_fastest_triad_of_the_file_is_the_limit_where_no_driver_tells():
    header = {**without(HEADER, "nominal_bytes_s"), "triad_n": 1000}
    rows = [
        {**ROW, "ns": [300, 300], "triad_ns": [500, 299]},
        {**ROW, "repetition": 1, "ns": [300, 299], "triad_ns": [9000]},
    ]
    run = only(raw(header, *rows))
    assert kernel_rows.limit(run) == (Fraction(12000, 299), "triad, the fastest of 3 launches")
    assert kernel_rows.fastest(run) == Fraction(12000, 299)
    assert "above-limit" not in notes(run)
    faster = [rows[0], {**rows[1], "ns": [298, 300]}]
    assert notes(only(raw(header, *faster)))["above-limit"].bars


def test_without_a_limit_that_is_remarked_and_nothing_barred():
    run = only(raw(without(HEADER, "nominal_bytes_s")))
    assert kernel_rows.limit(run) is None
    assert not notes(run)["no-limit"].bars


def test_what_a_cache_could_hold_is_remarked():
    for cache, expected in ((3000, False), (3001, True)):
        run = only(raw({**HEADER, "cache_bytes": cache}))
        assert ("fits-in-cache" in notes(run)) is expected


def test_a_fallback_is_remarked_with_its_reason():
    run = only(raw({**HEADER, "backend": "numpy", "reason": "no C compiler on PATH"}))
    assert "no C compiler" in notes(run)["not-native"].detail
    assert run.identity["reason"] == "no C compiler on PATH"


def test_outputs_are_what_an_exactness_gate_compares():
    one = only(raw())
    other = only(raw(HEADER, {**ROW, "output": "sha256:" + "1" * 64}))
    assert one.tokens == ((3,),)
    assert exactness.compare({"a": one, "b": one}, "tokens-and-logits").result == "exact"
    found = exactness.compare({"a": one, "b": other}, "tokens-and-logits")
    assert found.result == "differs"


def test_files_of_one_setup_are_merged_and_of_two_are_not():
    merged = merging.merge([detect.read(raw()), detect.read(raw())])
    assert len(merged.samples["gb_s"]) == len(merged.tokens) == 2
    with pytest.raises(Exception, match="differ in threads"):
        merging.merge([detect.read(raw()), detect.read(raw({**HEADER, "threads": 1}))])


def test_the_example_of_the_page_is_read():
    page = PAGE.read_text(encoding="utf-8")
    [example] = re.findall(r"^```jsonl\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    run = only(example.encode())
    assert run.identity["kernel"] == "rmsnorm"
    assert len(run.samples["kernel_us"]) == 2
