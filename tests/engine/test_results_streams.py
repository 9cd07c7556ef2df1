from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import exactness
from engine.results import detect, merging, stream_faults
from receipts import canonical
from receipts.digest import Digest
from receipts.errors import Error, UndecidedError

HEADER = {
    "format": "evidence-ledger/stream/v1",
    "instrument": "engine-serving",
    "engine": "llama.cpp",
    "model": "tiny",
    "command": ["serve", "--port", "{port}"],
    "servers": "fresh",
    "endpoint": "/completion",
    "request": {"temperature": 0, "stop": ["a"]},
    "fixture": {
        "kind": "synthetic",
        "generator": "cycle/v1",
        "digest": Digest.of(b"prompt"),
        "cannot_see": ["much"],
    },
    "prompt_tokens": 16,
    "output_tokens": 3,
    "warmup": 1,
    "warmup_tokens": 8,
    "held_back": 0,
    "clock": "CLOCK_MONOTONIC",
    "server_boundaries": "its own",
}
ROW = {
    "repetition": 0,
    "status": "ok",
    "requests_before": 1,
    "started_ns": 10,
    "ready_ns": 20,
    "sending_ns": 1_000_000,
    "sent_ns": 1_500_000,
    "headers_ns": 2_000_000,
    "piece_ns": [5_000_000, 6_000_000, 8_000_000],
    "complete_ns": 9_000_000,
    "text": ["a", "b", "c"],
    "piece_ids": [[7], [8], [9]],
    "piece_tokens": [1, 1, 1],
    "prompt_tokens": 16,
    "output_tokens": 3,
    "cached_tokens": 0,
    "timings": {"prompt_n": 16, "prompt_ms": "3.2", "predicted_n": 3, "predicted_ms": "3.0"},
}


def raw(*repetitions, header=HEADER):
    lines = [header, *({**ROW, "repetition": i, **row} for i, row in enumerate(repetitions))]
    spelled = [{n: v for n, v in line.items() if v is not None} for line in lines]
    return b"".join(canonical.encode(line) + b"\n" for line in spelled)


def run(*repetitions, **fields):
    return detect.read(raw(*repetitions, header={**HEADER, **fields})).runs[0]


def test_the_samples_are_those_of_the_definitions():
    found = run({}, {"complete_ns": 11_000_000})

    assert found.samples == {
        "ttft_ms": (4, 4),
        "e2e_ms": (7, 7),
        "wall_ms": (8, 10),
        "client_decode_tok_s": (Fraction(2000, 3),) * 2,
        "client_token_ms": (Fraction(3, 2),) * 2,
        "server_prefill_ms": (Fraction("3.2"),) * 2,
        "server_prefill_tok_s": (5000, 5000),
        "server_decode_tok_s": (1000, 1000),
        "server_token_ms": (1, 1),
    }
    assert found.tokens == ((7, 8, 9),) * 2
    assert found.config["request.stop"] == '["a"]'
    assert found.config["prompt_sha256"] == HEADER["fixture"]["digest"]
    assert found.notes == ()


MOMENTS = st.lists(st.integers(0, 10**9), min_size=5, max_size=5).map(sorted)


@given(st.lists(MOMENTS, min_size=1, max_size=5))
def test_the_samples_follow_from_the_moments_and_shifting_all_of_them_changes_none(all_moments):
    def rows(shift):
        return [
            {
                "sending_ns": moments[0] + shift,
                "piece_ns": [at + shift for at in moments[1:4]],
                "complete_ns": moments[4] + shift,
                "timings": None,
            }
            for moments in all_moments
        ]

    found, shifted = run(*rows(0)), run(*rows(12345))

    assert found.samples == shifted.samples
    for number, (sending, first, _, last, complete) in enumerate(all_moments):
        assert found.samples["ttft_ms"][number] == Fraction(first - sending, 10**6)
        assert found.samples["wall_ms"][number] == Fraction(complete - sending, 10**6)
        if "client_token_ms" in found.samples:
            assert found.samples["client_token_ms"][number] == Fraction(last - first, 2 * 10**6)


def test_pieces_that_came_at_once_give_no_rate():
    assert "client_decode_tok_s" not in run({}, {"piece_ns": [8_000_000] * 3}).samples
    assert "ttft_ms" in run({}, {"piece_ns": [8_000_000] * 3}).samples


def test_a_piece_of_several_tokens_counts_as_that_many():
    found = run(
        {
            "piece_ns": [5_000_000, 8_000_000],
            "text": ["a", "bc"],
            "piece_ids": [[7], [8, 9]],
            "piece_tokens": [1, 2],
        }
    )

    assert found.samples["client_token_ms"] == (Fraction(3, 2),)
    assert found.tokens == ((7, 8, 9),)
    assert found.notes == ()


def test_a_first_token_that_was_held_back_bars_the_time_to_it():
    held = {"piece_ns": [5_000_000, 8_000_000], "text": ["", ""]}
    first = run({**held, "piece_ids": [[8], [9]], "piece_tokens": [2, 1]}, held_back=1)
    last = run({**held, "piece_ids": [[7], [8]], "piece_tokens": [1, 1]}, held_back=1)

    assert first.tokens == ((-1, 8, 9),)
    assert first.notes[0].bars == {"ttft_ms"}
    assert first.samples["client_token_ms"] == (3,)
    assert last.tokens == ((7, 8, -1),)
    assert last.notes[0].bars == {"e2e_ms"}


def test_without_anybody_who_counts_a_gap_leaves_no_rate_and_no_exact_end():
    pieces = {"piece_ns": [5_000_000, 8_000_000], "text": ["", ""], "timings": None}
    found = run({**pieces, "piece_ids": None, "piece_tokens": None}, held_back=1)

    assert "client_decode_tok_s" not in found.samples
    assert found.notes[0].bars == {"ttft_ms", "e2e_ms"}
    assert found.tokens == ()


def test_text_without_ids_is_timed_and_not_compared():
    found = run({"piece_ids": None, "piece_tokens": None})

    assert found.samples["client_token_ms"] == (Fraction(3, 2),)
    with pytest.raises(UndecidedError, match="arm a kept no tokens"):
        exactness.compare({"a": found}, "tokens")


def test_a_server_that_is_silent_about_its_cache_is_said_to_be():
    (note,) = run({"cached_tokens": None}).notes
    assert (note.name, note.bars) == ("cache-untold", frozenset())


def test_leftovers_are_told():
    assert run({"leftovers": 2}).notes[0].name == "leftovers"
    assert run({"leftovers": 0}).notes == ()


def test_files_of_one_setup_merge_into_one_run_in_order():
    files = [detect.read(raw({"complete_ns": end})) for end in (9_000_000, 8_000_000)]

    merged = merging.merge(files)

    assert merged.samples["wall_ms"] == (8, 7)
    assert merged.tokens == ((7, 8, 9),) * 2
    assert merged.config == files[0].runs[0].config


def test_merging_keeps_only_what_every_file_has():
    bare = {"piece_ids": None, "timings": None}
    merged = merging.merge([detect.read(raw({})), detect.read(raw(bare))])

    assert merged.tokens == ()
    assert "server_decode_tok_s" not in merged.samples
    assert len(merged.samples["wall_ms"]) == len(merged.rows) == 2


def test_rows_and_streams_do_not_merge_and_nothing_is_no_run():
    other = b'{"build_commit":"a","n_prompt":1,"n_gen":0,"samples_ns":[1],"samples_ts":[1e9]}\n'
    with pytest.raises(Error, match="a llama-bench file cannot be merged"):
        merging.merge([detect.read(raw({})), detect.read(other)])
    with pytest.raises(UndecidedError):
        merging.merge([])


FAULTY = {
    "counts-untold": {"output_tokens": None},
    "prompt-length": {"prompt_tokens": 17},
    "cache-hit": {"cached_tokens": 1},
    "cache-untold": {"cached_tokens": None, "requests_before": 2},
    "counts-disagree": {"timings": {"predicted_n": 4}},
    "too-few-tokens": {
        "output_tokens": 2,
        "timings": None,
        "piece_ids": [[7], [8], []],
        "piece_tokens": [1, 1, 0],
    },
    "too-many-tokens": {"output_tokens": 4, "timings": None},
    "held-back": {"piece_ids": [[7], [8], []]},
    "pieces-not-tokens": {"piece_ids": None, "piece_ns": [1, 2], "piece_tokens": [1, 2]},
    "clocks-disagree": {"timings": {"prompt_ms": "5", "predicted_ms": "4.1"}},
}


@pytest.mark.parametrize(("name", "change"), FAULTY.items(), ids=FAULTY)
def test_every_fault_of_a_row_is_found_by_its_name(name, change):
    row = {field: value for field, value in {**ROW, **change}.items() if value is not None}

    assert stream_faults.first(HEADER, ROW) is None
    found = stream_faults.first(HEADER, row)
    assert found is not None
    assert found[0] == name


def test_every_name_of_a_fault_that_a_row_shows_is_tested_here():
    elsewhere = {
        *("port-in-use", "not-ready", "server-died", "http-error", "stream-cut", "timed-out"),
        *("malformed-stream", "settings-differ", "interrupted", "not-fed"),
    }
    assert FAULTY.keys() == stream_faults.FAULTS.keys() - elsewhere
