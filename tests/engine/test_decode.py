"""The decoder against its rule in plain integers, and the program against its file format."""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels.backends import kernels, probe
from engine.kernels.contract import MAX_TOKENS, VARIANTS, Setting
from engine.kernels.decode import main, write_rows
from engine.kernels.generation import generate
from engine.kernels.model import Model, model_of, prompt_of, splitmix64
from receipts.canonical import decode
from receipts.digest import Digest
from receipts.errors import ConflictError, MalformedError

REPOSITORY = Path(__file__).parents[2]
SETTING = Setting("tuned", vocab=97, width=66, seed=0, prompt_tokens=5, output_tokens=24)
NUMPY = probe({"EVIDENCE_NO_COMPILER": "1"})


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler on PATH: the C decoder was not run")
    kept = {k: v for k, v in os.environ.items() if k not in ("CC", "EVIDENCE_NO_COMPILER")}
    # The sanitized run of these tests names its compiler here.
    kept |= {"CC": os.environ["TEST_CC"]} if "TEST_CC" in os.environ else {}
    return kept | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="module")
def native(environment):
    backend = probe(environment)
    assert backend.available, backend.reason
    return backend


def rule(model, prompt, outputs):
    """Return the tokens and the last logits by the text of mk.h, in Python's own integers."""
    weights, embeddings = model.weights.tolist(), model.embeddings.tolist()
    width = len(weights[0])
    state = [0] * width

    def absorbed(token):
        return [(5 * state[(i + 1) % width] + embeddings[token][i]) % 256 for i in range(width)]

    for token in prompt:
        state = absorbed(token)
    tokens, logits = [], []
    for _ in range(outputs):
        signed = [byte - 256 if byte > 127 else byte for byte in state]
        logits = [sum(w * s for w, s in zip(row, signed, strict=True)) for row in weights]
        tokens.append(logits.index(max(logits)))
        state = absorbed(tokens[-1])
    return tokens, b"".join(value.to_bytes(4, "little", signed=True) for value in logits)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**53 - 1),
    vocab=st.integers(1, 30),
    width=st.integers(1, 40),
    prompt=st.integers(0, 6),
    outputs=st.integers(1, 8),
)
def test_every_variant_of_every_backend_follows_the_rule(
    native, seed, vocab, width, prompt, outputs
):
    model, given_tokens = model_of(seed, vocab, width), prompt_of(seed, vocab, prompt)
    expected = rule(model, given_tokens, outputs)
    for backend in (native, NUMPY):
        for variant in VARIANTS:
            found = kernels(backend).decode(variant, model, given_tokens, outputs)
            assert (found.tokens, found.logits) == expected, (backend.name, variant)


def test_all_four_ways_give_the_same_tokens_and_logits(native):
    rows = [
        generate(replace(SETTING, variant=variant), backend)[1]
        for backend in (native, NUMPY)
        for variant in VARIANTS
    ]
    assert len({tuple(row["tokens"]) for row in rows}) == 1
    assert len({row["logits"] for row in rows}) == 1


def test_tokens_do_not_collapse(native):
    setting = replace(SETTING, vocab=512, width=128, output_tokens=64)
    assert len(set(generate(setting, native)[1]["tokens"])) > 32


def test_another_seed_gives_another_model_and_other_tokens(native):
    one, other = (generate(replace(SETTING, seed=seed), native) for seed in (0, 1))
    assert one[0]["model"] != other[0]["model"]
    assert one[1]["tokens"] != other[1]["tokens"]
    assert one[1]["logits"] != other[1]["logits"]


def test_tokens_depend_on_the_first_token_of_the_prompt(native):
    model, prompt = model_of(3, 97, 66), prompt_of(3, 97, 200)
    changed = [(prompt[0] + 1) % 97, *prompt[1:]]
    able = kernels(native)
    assert able.decode("tuned", model, prompt, 8).logits != (
        able.decode("tuned", model, changed, 8).logits
    )


def test_the_model_is_splitmix64_and_its_digest_that_of_its_bytes():
    mask = 2**64 - 1

    def stream(seed, count):
        for i in range(count):
            z = (seed + (i + 1) * 0x9E3779B97F4A7C15) & mask
            z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
            z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
            yield z ^ z >> 31

    weights, embeddings, prompt = stream(9, 3)
    data = [
        b"".join(word.to_bytes(8, "little") for word in stream(seed, 5))[: 3 * 13]
        for seed in (weights, embeddings)
    ]
    model = model_of(9, 3, 13)
    assert [model.weights.tobytes(), model.embeddings.tobytes()] == data
    assert model.digest.hex == hashlib.sha256(b"".join(data)).hexdigest()
    assert prompt_of(9, 3, 7) == [word % 3 for word in stream(prompt, 7)]


def test_a_large_model_is_made_in_pieces_of_one_stream():
    seed = int(splitmix64(4, 1)[0])
    whole = splitmix64(seed, 3 * 2**17).astype("<u8").tobytes()
    assert model_of(4, 3, 2**20).weights.tobytes() == whole


@pytest.mark.parametrize(
    ("prompt", "outputs"), [([4], 1), ([-1], 1), ([0], 0), ([0], MAX_TOKENS + 1)]
)
def test_tokens_and_counts_out_of_bounds_are_refused(native, prompt, outputs):
    for backend in (native, NUMPY):
        with pytest.raises(MalformedError):
            kernels(backend).decode("plain", model_of(0, 4, 4), prompt, outputs)


@pytest.mark.parametrize(
    "embeddings",
    [
        np.zeros((3, 4), dtype=np.int8),
        np.zeros((4, 4), dtype=np.int16),
        np.zeros((8, 4), dtype=np.int8)[::2],
    ],
)
def test_embeddings_that_c_would_misread_are_refused(native, embeddings):
    model = Model(np.zeros((4, 4), dtype=np.int8), embeddings)
    for backend in (native, NUMPY):
        with pytest.raises(MalformedError):
            kernels(backend).decode("plain", model, [0], 1)


def test_a_model_of_nothing_has_no_decoder(native):
    for shape in ((0, 4), (4, 0)):
        nothing = Model(np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.int8))
        with pytest.raises(MalformedError, match="no decoder"):
            kernels(native).decode("plain", nothing, [], 1)


def test_the_rows_follow_the_format(native):
    header, *rows = generate(replace(SETTING, repetitions=3, warmup=2), native)
    assert header == {
        "format": "evidence-ledger/rows/v1",
        "instrument": "mk-decode",
        "variant": "tuned",
        "backend": "c",
        "compiler": native.compiler,
        "build": native.artefact_digest,
        "source": native.source_digest,
        "model": model_of(0, 97, 66).digest,
        "vocab": 97,
        "width": 66,
        "seed": 0,
        "prompt_tokens": 5,
        "output_tokens": 24,
        "warmup": 2,
        "clock": "CLOCK_MONOTONIC",
    }
    assert [row["repetition"] for row in rows] == [0, 1, 2]
    for row in rows:
        assert set(row) == {"repetition", "prefill_ns", "token_ns", "tokens", "logits"}
        assert len(row["token_ns"]) == len(row["tokens"]) == 24
        assert all(type(ns) is int and ns > 0 for ns in row["token_ns"])
        assert type(row["prefill_ns"]) is int
        assert row["tokens"] == rows[0]["tokens"]
        assert Digest.parse(row["logits"]) == rows[0]["logits"]


def test_numpy_rows_carry_the_reason_and_no_build():
    header, row = generate(SETTING, NUMPY)
    assert header["backend"] == "numpy"
    assert header["reason"] == NUMPY.reason
    assert header["source"] == NUMPY.source_digest
    assert not {"build", "compiler"} & set(header)
    assert len(row["token_ns"]) == len(row["tokens"]) == 24


SMALL = ["--vocab", "50", "--width", "30", "--prompt", "3", "--tokens", "6"]


def test_the_program_writes_one_canonical_line_a_row(environment, tmp_path):
    raw = tmp_path / "rows.jsonl"
    program = [sys.executable, "-m", "engine.kernels.decode", "--variant", "plain", *SMALL]
    done = subprocess.run(
        [*program, "--repetitions", "2", "--raw", str(raw)],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"mk-decode plain on c: 2 × 6 tokens in {raw}\n"
    header, *rows = [decode(line) for line in raw.read_bytes().splitlines()]
    assert (header["backend"], header["output_tokens"], header["warmup"]) == ("c", 6, 1)
    assert [row["repetition"] for row in rows] == [0, 1]
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_the_program_says_that_numpy_ran_and_why(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("EVIDENCE_NO_COMPILER", "1")
    assert main(["--variant", "tuned", *SMALL, "--raw", str(tmp_path / "rows")]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("mk-decode tuned on numpy (EVIDENCE_NO_COMPILER")
    assert (said.out.count("\n"), said.err) == (1, "")
    assert decode((tmp_path / "rows").read_bytes().splitlines()[0])["backend"] == "numpy"


def test_an_existing_raw_file_is_refused_and_untouched(tmp_path, capsys):
    raw = tmp_path / "rows.jsonl"
    raw.write_bytes(b"evidence")
    assert main(["--variant", "plain", *SMALL, "--raw", str(raw)]) == 4
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"error: raw file {raw} exists and is never replaced; choose another name\n"
    )
    assert raw.read_bytes() == b"evidence"
    assert list(tmp_path.iterdir()) == [raw]


def test_a_dangling_link_is_not_written_through(tmp_path, capsys):
    raw = tmp_path / "rows.jsonl"
    raw.symlink_to(tmp_path / "elsewhere")
    assert main(["--variant", "plain", *SMALL, "--raw", str(raw)]) == 4
    assert capsys.readouterr().err.startswith("error: raw file")
    assert not (tmp_path / "elsewhere").exists()


def test_a_raw_file_that_appears_during_the_run_is_not_replaced(tmp_path):
    raw = tmp_path / "rows.jsonl"
    write_rows(raw, [{"a": 1}])
    with pytest.raises(ConflictError):
        write_rows(raw, [{"a": 2}])
    assert raw.read_bytes() == b'{"a":1}\n'
    assert list(tmp_path.iterdir()) == [raw]


def test_a_folder_that_is_not_there_is_named(tmp_path, capsys):
    assert main(["--variant", "plain", *SMALL, "--raw", str(tmp_path / "no" / "rows")]) == 4
    assert str(tmp_path / "no") in capsys.readouterr().err


def test_a_model_over_the_limit_is_wrong_usage(tmp_path, capsys):
    size = ["--vocab", "1048576", "--width", "131071"]
    assert main(["--variant", "plain", *size, "--raw", str(tmp_path / "rows")]) == 2
    assert capsys.readouterr().err.startswith("error: vocab × width")


@pytest.mark.parametrize(
    "wrong",
    [
        ["--variant", "fast"],
        ["--width", "0"],
        ["--width", "131072"],
        ["--vocab", "-1"],
        ["--tokens", "0"],
        ["--tokens", "1.5"],
        ["--seed", "9007199254740992"],
        ["--prompt", "0" * 30 + "1"],
        ["--warmup", "٣"],
    ],
)
def test_numbers_out_of_bounds_are_wrong_usage(tmp_path, capsys, wrong):
    with pytest.raises(SystemExit) as stop:
        main(["--variant", "plain", "--raw", str(tmp_path / "rows"), *wrong])
    assert stop.value.code == 2
    assert wrong[0] in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_help_does_not_wait_for_numpy():
    program = "import sys, engine.kernels.decode; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY).returncode == 0
