import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.results import detect, merging, strict_lines
from engine.results.model import select
from receipts import canonical
from receipts.errors import ConflictError, Error, MalformedError, UndecidedError

HEADER = {
    "format": "evidence-ledger/rows/v1",
    "instrument": "reference-decoder",
    "variant": "baseline",
    "backend": "cpu",
    "source": "sha256:" + "1" * 64,
    "model": "synthetic",
    "vocab": 512,
    "width": 64,
    "seed": 7,
    "prompt_tokens": 16,
    "output_tokens": 3,
    "warmup": 1,
    "clock": "CLOCK_MONOTONIC",
}
ROW = {
    "repetition": 0,
    "prefill_ns": 2_000_000,
    "token_ns": [1_000_000, 2_000_000, 3_000_000],
    "tokens": [5, 6, 511],
    "logits": "sha256:" + "a" * 64,
}


def raw(*repetitions, **header):
    lines = [
        {**HEADER, **header},
        *({**ROW, "repetition": i, **r} for i, r in enumerate(repetitions)),
    ]
    return b"".join(canonical.encode(line) + b"\n" for line in lines)


def refused(data):
    with pytest.raises(MalformedError) as caught:
        detect.read(data)
    return str(caught.value)


def test_one_file_is_one_run_with_its_samples_in_file_order():
    file = detect.read(raw({}, {"prefill_ns": 4_000_000}))

    (run,) = file.runs
    assert file.reader == "rows"
    assert run.samples == {
        "prefill_tok_s": (Fraction(8000), Fraction(4000)),
        "decode_tok_s": (Fraction(500), Fraction(500)),
        "ttft_ms": (Fraction(2), Fraction(4)),
        "decode_ms": (Fraction(6), Fraction(6)),
        "token_ms": (Fraction(2), Fraction(2)),
    }
    assert run.tokens == ((5, 6, 511), (5, 6, 511))
    assert run.logits == (ROW["logits"],) * 2
    assert run.rows[1] == {**ROW, "repetition": 1, "prefill_ns": 4_000_000}
    assert run.config["prompt_tokens"] == 16
    assert run.identity["variant"] == "baseline"


def test_optional_header_fields_are_absent_when_absent():
    assert "reason" not in detect.read(raw({})).runs[0].identity
    assert detect.read(raw({}, reason="no device")).runs[0].identity["reason"] == "no device"


@given(
    st.lists(
        st.tuples(st.integers(1, 2**40), st.lists(st.integers(1, 2**40), min_size=3, max_size=3)),
        min_size=1,
        max_size=6,
    )
)
def test_the_samples_follow_from_the_times_alone(times):
    run = detect.read(raw(*({"prefill_ns": p, "token_ns": t} for p, t in times))).runs[0]

    assert run.samples["decode_tok_s"] == tuple(Fraction(3 * 10**9, sum(t)) for _, t in times)
    assert run.samples["prefill_tok_s"] == tuple(Fraction(16 * 10**9, p) for p, _ in times)
    assert all(
        token * rate == 1000
        for token, rate in zip(run.samples["token_ms"], run.samples["decode_tok_s"], strict=True)
    )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"token_ns": [1, 2]}, "token_ns holds 2 values, output_tokens is 3"),
        ({"tokens": [1, 2, 3, 4]}, "tokens holds 4 values"),
        ({"tokens": 3}, "tokens is not a list"),
        ({"prefill_ns": 0}, "prefill_ns has 0"),
        ({"prefill_ns": True}, "prefill_ns has True"),
        ({"token_ns": [1, -2, 3]}, "token_ns has -2"),
        ({"token_ns": [1, "2", 3]}, "token_ns has '2'"),
        ({"tokens": [1, 2, 512]}, "token 512 is outside vocab 512"),
        ({"logits": "sha256:abc"}, "logits"),
        ({"repetition": 2}, "repetition 2 stands where 1 belongs"),
        ({"note": "x"}, "unknown fields: 'note'"),
    ],
)
def test_a_row_that_breaks_the_format_is_refused_with_its_line(change, complaint):
    message = refused(raw({}, change))

    assert message.startswith("malformed: rows file: line 3: ")
    assert complaint in message


def test_a_row_without_logits_is_refused():
    row = {name: value for name, value in ROW.items() if name != "logits"}
    data = canonical.encode(HEADER) + b"\n" + canonical.encode(row) + b"\n"

    assert "line 2: missing fields: logits" in refused(data)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "evidence-ledger/rows/v2"}, "format 'evidence-ledger/rows/v2' is unknown"),
        ({"host": "x"}, "unknown fields: 'host'"),
        ({"output_tokens": 0}, "output_tokens has 0"),
        ({"prompt_tokens": "16"}, "prompt_tokens has '16'"),
        ({"clock": 1}, "clock is not text"),
        ({"reason": 1}, "reason is not text"),
        ({"warmup": -1}, "warmup has -1"),
    ],
)
def test_a_header_that_breaks_the_format_is_refused(change, complaint):
    message = refused(raw({}, **change))

    assert message.startswith("malformed: rows file: line 1: ")
    assert complaint in message


def test_a_header_without_rows_is_refused():
    assert "nothing was measured" in refused(raw())


@pytest.mark.parametrize("cut", [1, 2, 30])
def test_a_truncated_last_line_is_refused(cut):
    assert "line 3 has no newline" in refused(raw({}, {})[:-cut])


def test_lines_that_are_not_canonical_are_refused():
    spaced = json.dumps(HEADER, sort_keys=True).encode() + b"\n" + canonical.encode(ROW) + b"\n"
    doubled = raw({}).replace(b'"prefill_ns":', b'"prefill_ns":1,"prefill_ns":')

    assert "line 1: JSON is not in canonical form" in refused(spaced)
    assert "line 2: JSON is not in canonical form" in refused(doubled)
    assert "line 3" in refused(raw({}) + b"\n")


def test_too_many_rows_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(strict_lines, "MAX_REPETITIONS", 2)

    assert "3 rows are over the limit of 2" in refused(raw({}, {}, {}))
    assert len(detect.read(raw({}, {})).runs[0].rows) == 2


def test_files_of_one_setup_merge_into_one_run_in_order():
    files = [detect.read(raw({"prefill_ns": ns})) for ns in (2_000_000, 4_000_000, 1_000_000)]

    run = merging.merge(files)

    assert run.samples["ttft_ms"] == (2, 4, 1)
    assert [row["prefill_ns"] for row in run.rows] == [2_000_000, 4_000_000, 1_000_000]
    assert len(run.tokens) == len(run.logits) == 3
    assert run.config == files[0].runs[0].config


@given(st.lists(st.lists(st.integers(1, 2**40), min_size=1, max_size=3), min_size=1, max_size=4))
def test_merging_gives_the_samples_of_one_file_with_all_rows(split):
    merged = merging.merge([detect.read(raw(*({"prefill_ns": p} for p in part))) for part in split])
    whole = detect.read(raw(*({"prefill_ns": p} for part in split for p in part))).runs[0]

    assert merged.samples == whole.samples
    assert (merged.identity, merged.config) == (whole.identity, whole.config)


@pytest.mark.parametrize("field", [{"seed": 8}, {"variant": "other"}, {"reason": "fell back"}])
def test_files_of_different_setups_do_not_merge(field):
    (name,) = field
    with pytest.raises(ConflictError, match=f"files 1 and 3 differ in {name}"):
        merging.merge([detect.read(data) for data in (raw({}), raw({}), raw({}, **field))])


def test_merging_nothing_gives_no_run():
    with pytest.raises(UndecidedError):
        merging.merge([])


def test_files_of_another_reader_do_not_merge():
    other = b'{"build_commit":"a","n_prompt":1,"n_gen":0,"samples_ns":[1],"samples_ts":[1e9]}\n'
    with pytest.raises(Error, match="llama-bench file cannot be merged"):
        merging.merge([detect.read(raw({})), detect.read(other)])


def test_the_run_of_a_file_is_selected_by_its_header():
    file = detect.read(raw({}))
    assert select(file, {"seed": "7", "variant": "baseline"}) is file.runs[0]
