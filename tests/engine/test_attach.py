import gzip
import json
import os
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest

from engine import figures, sidecar
from engine.results import detect
from receipts import keys, workspace
from tests.fixtures import criterion, vllm


def record(**fields):
    """Return one llama-bench record of three repetitions, with aggregates that agree."""
    times = fields.pop("samples_ns", [1_000_000, 2_000_000, 4_000_000])
    tokens = fields.get("n_prompt", 0) + fields.get("n_gen", 8)
    rates = [tokens * 10**9 / ns for ns in times]
    return {
        "build_commit": "abc123",
        "build_number": 7,
        "model_filename": "m.gguf",
        "n_ubatch": 512,
        "n_prompt": 0,
        "n_gen": 8,
        "avg_ns": sum(times) // len(times),
        "samples_ns": times,
        "samples_ts": [round(rate, 3) for rate in rates],
        **fields,
    }


@pytest.fixture
def raw(bench):
    """Write raw files: rows of a window, or llama-bench records, under the names given."""

    def write(name, *records, data=None):
        path = bench.root / name
        path.parent.mkdir(exist_ok=True)
        if data is None and records:
            data = json.dumps(list(records)).encode()
        path.write_bytes(data if data is not None else ROWS)
        return path

    return write


HEADER = {
    "format": "evidence-ledger/rows/v1",
    "instrument": "i",
    "variant": "v",
    "backend": "b",
    "source": "s",
    "model": "m",
    "clock": "CLOCK_MONOTONIC",
    "vocab": 8,
    "width": 4,
    "prompt_tokens": 4,
    "output_tokens": 1,
    "seed": 0,
    "warmup": 0,
}
ROW = {
    "repetition": 0,
    "prefill_ns": 2_000_000,
    "token_ns": [500_000],
    "tokens": [3],
    "logits": "sha256:" + "0" * 64,
}
ROWS = b"".join(
    json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    for line in (HEADER, ROW)
)


def attach(bench, *words, code=0):
    result = bench.invoke("attach", "--cell", "c", "--json", *words)
    assert result.exit_code == code, result.output
    return json.loads(result.stdout) if code == 0 else result


def test_an_attached_file_is_on_record_as_such_and_signed_by_an_engineer(bench, raw):
    key = bench.enrolled_key("engineer")
    path = raw("rows.jsonl")

    (value,) = attach(bench, path, "--key", key, "--identity", "digest=sha256:feed")

    (body,) = bench.bodies()
    receipt = bench.receipt(value["receipt"])
    said = receipt.predicate
    receipt.envelope.verify(keys.load(key).public)
    assert receipt.signer_role == "engineer"
    assert (body["phase"], body["name"], body["cell"]) == ("attached", "rows", "c")
    assert body["receipt"] == value["receipt"]
    assert body["title"] == "attached: rows.jsonl"
    assert value["uri"] == "receipt://rows"
    assert (said.origin, said.reader, said.cell) == ("attached", "rows", "c")
    assert said.identity["digest"] == "sha256:feed"
    assert said.identity["instrument"] == "i"
    assert "cell" not in said.identity
    # Nobody saw it being measured: nothing is said about when, where or by which command.
    for absent in ("started_at", "duration_ns", "command", "lease", "exit_status"):
        assert getattr(said, absent) is None
    assert set(said.environment) == {"attached_on"}
    assert bench.object(receipt.require("raw")) == path.read_bytes() == ROWS


def test_the_figures_of_a_file_with_several_cells_are_selected(bench, raw):
    path = raw(
        "sweep.json",
        record(n_ubatch=256),
        record(n_ubatch=512, samples_ns=[2_000_000, 2_000_000, 2_000_000]),
        record(n_ubatch=512, n_prompt=16, n_gen=0),
    )

    (value,) = attach(bench, path)

    found = [figure for figure in value["figures"] if figure["unit"] == "tok/s"]
    assert [(figure["metric"], figure["value"], figure["n"]) for figure in found] == [
        ("decode_tok_s", "4000", 3),
        ("decode_tok_s", "4000", 3),
        ("prefill_tok_s", "8000", 3),
    ]
    assert [figure["select"] for figure in found] == [
        {"n_ubatch": 256, "n_prompt": 0, "n_gen": 8},
        {"n_ubatch": 512, "n_prompt": 0, "n_gen": 8},
        {"n_ubatch": 512, "n_prompt": 16, "n_gen": 0},
    ]
    receipt = bench.receipt(value["receipt"])
    identity = receipt.predicate.identity
    assert (identity["build_commit"], identity["model_filename"]) == ("abc123", "m.gguf")


def test_what_the_raw_file_tells_stands_before_what_is_declared(bench, raw):
    path = raw("sweep.json", record(n_ubatch=256), record(n_ubatch=512, build_commit="def"))
    options = ["--identity", "build_commit=mine", "--identity", "n_ubatch=1"]

    (value,) = attach(bench, path, *options, "--identity", "rack=7")

    said = bench.receipt(value["receipt"]).predicate
    assert said.identity == {"rack": "7", "build_number": 7, "model_filename": "m.gguf"}
    assert "declared build_commit left out: the raw file tells it" in said.warnings
    assert "declared n_ubatch left out: the raw file tells it" in said.warnings


def test_cells_that_are_one_again_are_told_in_a_warning(bench, raw):
    later = record(n_ubatch=256, samples_ns=[1_000_000, 2_000_000, 3_000_000])
    path = raw("sweep.json", record(n_ubatch=256), record(), later)

    (value,) = attach(bench, path)

    told = "cells 0 and 2 are alike in every field: nothing selects one of them"
    assert value["warnings"] == [told]


def test_an_identity_on_which_the_cells_disagree_is_left_out(bench, raw):
    path = raw("two.json", record(build_commit="a"), record(build_commit="b", n_ubatch=1))

    (value,) = attach(bench, path)

    identity = bench.receipt(value["receipt"]).predicate.identity
    assert "build_commit" not in identity
    assert identity["model_filename"] == "m.gguf"


def test_what_the_tool_reported_wrongly_becomes_a_warning_and_no_figure(bench, raw):
    path = raw("odd.json", record(avg_ns=1))

    result = bench.invoke("attach", "--cell", "c", path)

    receipt = bench.receipt(bench.bodies()[-1]["receipt"])
    assert any("avg_ns" in warning for warning in receipt.predicate.warnings)
    assert f"  warning: {receipt.predicate.warnings[0]}" in result.stdout.splitlines()
    assert "1" not in {figure.value for figure in receipt.predicate.figures}


def test_several_files_are_attached_in_order_under_names_of_their_own(bench, raw):
    paths = [
        raw("a/run.1.jsonl"),
        raw("b/run.jsonl"),
        raw("run?.jsonl", record()),
        raw("-._.json", record()),
        raw("naïve name.json", record()),
        raw("x" * 80 + ".json", record()),
        raw("y/" + "x" * 80 + ".json", record()),
    ]

    values = attach(bench, *paths)
    again = attach(bench, paths[0])

    names = [value["name"] for value in values + again]
    long = "x" * 56
    assert names == ["run", "run-2", "run-3", "file", "na-ve-name", long, f"{long}-2", "run-4"]
    assert [body["name"] for body in bench.bodies()] == names
    assert [value["file"] for value in values] == [str(path) for path in paths]
    assert [value["entry"] for value in values] == list(range(2, 9))


def test_one_file_attached_twice_is_two_receipts_of_one_object(bench, raw):
    path = raw("rows.jsonl")

    one, other = attach(bench, path, path)

    assert (one["name"], other["name"]) == ("rows", "rows-2")
    raws = {bench.receipt(value["receipt"]).require("raw") for value in (one, other)}
    assert len(raws) == 1


def test_a_name_of_one_s_own_goes_with_one_file(bench, raw):
    path = raw("rows.jsonl")
    (value,) = attach(bench, path, "--name", "mine")
    before = bench.files()

    result = attach(bench, path, path, "--name", "both", code=2)

    assert value["uri"] == "receipt://mine"
    assert "--name goes with one file" in result.stderr
    assert bench.files() == before


UNREADABLE = {
    "of no known tool": ("notes.txt", b"hello\n", "the file is of no tool that can be read"),
    "compressed and cut": ("rows.jsonl.gz", gzip.compress(ROWS)[:-9], "truncated: the gzip file"),
    "empty": ("empty.jsonl", b"", "the file is of no tool that can be read"),
    "cut short": ("cut.jsonl", ROWS[:-1], "rows file: line 2 has no newline"),
    "of aggregates only": (
        "table.md",
        b"| model | size | t/s |\n| m | 1 | 2 |\n",
        "aggregates-only: llama-bench file: no samples_ns",
    ),
}


@pytest.mark.parametrize(("name", "data", "complaint"), UNREADABLE.values(), ids=UNREADABLE)
def test_where_one_file_cannot_be_read_none_is_attached(bench, raw, name, data, complaint):
    paths = raw("good.jsonl"), raw(name, data=data), raw("better.jsonl")
    before = bench.files()

    result = attach(bench, *paths, code=4)

    assert f"{paths[1]}: " in result.stderr
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert bench.files() == before


@pytest.mark.parametrize("kind", ["absent", "folder", "huge"])
def test_a_path_that_is_no_raw_file_is_refused_before_it_is_read(bench, raw, kind):
    good, bad = raw("good.jsonl"), Path("bad.jsonl")
    if kind == "folder":
        bad.mkdir()
    if kind == "huge":
        with bad.open("wb") as stream:
            stream.truncate(2**36)

    result = attach(bench, good, bad, code=4)

    complaints = {
        "huge": "larger than 268435456 bytes",
        "absent": "the raw file does not exist; check the path",
        "folder": "the raw file is not a regular file; name a file",
    }
    assert f"bad.jsonl: {complaints[kind]}" in result.stderr
    assert bench.phases() == []


REFUSED = {
    "cell": (["--cell", "a cell"], 4, "receipt: cell: "),
    "name": (["--name", "a name"], 4, "a receipt's or window's name: name: "),
    "identity": (["--identity", "é=1"], 4, "object key 'é' is not an ASCII string"),
    "fact": (["--identity", "commit"], 2, "--identity 'commit' is not NAME=VALUE"),
}


@pytest.mark.parametrize(("options", "code", "complaint"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_recorded_is_refused_and_nothing_is_written(
    bench, raw, options, code, complaint
):
    path = raw("rows.jsonl")
    before = bench.files()

    result = attach(bench, path, *options, code=code)

    assert complaint in result.stderr
    assert bench.files() == before


def test_a_name_that_is_taken_is_refused_and_nothing_is_written(bench, raw):
    path, other = raw("rows.jsonl"), raw("other.json", record())
    attach(bench, path, "--name", "taken")
    before = bench.files()

    result = attach(bench, other, "--name", "taken", code=4)

    assert "the name 'taken' is taken by entry 2; choose another" in result.stderr
    assert bench.files() == before


def test_a_key_without_the_engineer_role_attaches_nothing(bench, raw):
    path, key = raw("rows.jsonl"), bench.enrolled_key("runner")
    before = bench.files()

    result = attach(bench, path, "--key", key, code=1)

    assert "is not engineer; its roles: runner" in result.stderr
    assert bench.files() == before


def test_a_word_that_no_receipt_can_hold_is_refused_and_nothing_is_written(bench, raw):
    good = raw("good.jsonl")
    bad = raw("bad.json", data=json.dumps([record(build_commit="\ud800")]).encode())
    before = bench.files()

    result = attach(bench, good, bad, code=4)

    assert "not encodable as JSON" in result.stderr
    assert bench.files() == before


def test_attached_figures_are_those_that_a_run_would_have(bench, raw):
    (value,) = attach(bench, raw("rows.jsonl"))

    witnessed = figures.of_file(detect.read(ROWS))
    assert value["figures"] == [figure.plain() for figure in witnessed]
    assert {f["metric"]: Decimal(f["value"]) for f in value["figures"]}["decode_tok_s"] == 2000


def test_the_founder_attaches_with_the_key_at_hand(bench, raw):
    (value,) = attach(bench, raw("rows.jsonl"))

    bench.receipt(value["receipt"]).envelope.verify(workspace.person_key().public)


SERVED = vllm.dump(vllm.serve(failed=(1,)))


def attached(bench, *words):
    """Attach with these words and return the receipt's predicate and subjects."""
    result = bench.invoke("attach", *words, "--cell", "serve", "--json")
    assert result.exit_code == 0, result.output
    made = bench.receipt(json.loads(result.stdout)[0]["receipt"])
    return made.predicate, {one.name: one.digest.sha256 for one in made.statement.subject}


def test_a_compressed_file_is_attached_as_it_is(bench):
    data = gzip.compress(ROWS)
    (bench.root / "rows.gz").write_bytes(data)
    _, subjects = attached(bench, "rows.gz")
    assert subjects == {"raw": sha256(data).hexdigest()}


def test_a_policy_is_declared_and_goes_into_the_receipt(bench):
    (bench.root / "served.json").write_bytes(SERVED)
    silent, _ = attached(bench, "served.json")
    declared, _ = attached(bench, "served.json", "--policy", "exclude-failed-rows")
    assert (silent.policies, declared.policies) == (None, ["exclude-failed-rows"])
    lost = "failed-rows: 1 of 20 requests failed"
    assert f"{lost}; not citable (--policy exclude-failed-rows)" in silent.warnings
    assert f"{lost}; excluded, as declared (--policy exclude-failed-rows)" in declared.warnings


def test_a_sidecar_is_bound_and_its_facts_are_those_of_the_receipt(bench):
    (bench.root / "served.json").write_bytes(SERVED)
    told = {"format": sidecar.FORMAT, "host": "lab-7", "devices": [{"index": 0, "name": "H200"}]}
    (bench.root / "env.json").write_text(json.dumps(told, indent=2))
    said, subjects = attached(bench, "served.json", "--environment", "env.json")

    stored = bench.object(f"sha256:{subjects['environment']}")
    assert json.loads(stored) == told
    assert said.environment["devices.0.name"] == "H200"
    assert said.environment["host"] == "lab-7"


def test_this_machine_can_be_the_environment(bench):
    (bench.root / "served.json").write_bytes(SERVED)
    said, subjects = attached(bench, "served.json", "--environment", "here")
    assert said.environment["packages.digest"].startswith("sha256:")
    assert set(subjects) == {"raw", "environment"}


SECRET = "sk-" + "a1b2c3d4" * 4


def secretive():
    return vllm.dump(vllm.serve(server_info={"api_key": SECRET, "host": "0.0.0.0"}))


def test_a_file_with_a_secret_is_not_stored_unasked_and_the_remedy_is_told(bench):
    (bench.root / "served.json").write_bytes(secretive())
    before = bench.files()
    result = bench.invoke("attach", "served.json", "--cell", "serve")

    assert result.exit_code == 4
    assert "served.json: 1 secrets would be stored (api-key at 1:" in result.stderr
    assert "attach with --redact, or with --keep-secrets" in result.stderr
    assert SECRET not in result.output
    assert bench.files() == before


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_is_redacted_is_gone_and_every_number_is_as_it_was(bench, pack):
    packed = pack(secretive())
    (bench.root / "served.json").write_bytes(packed)
    said, subjects = attached(bench, "served.json", "--redact")
    stored = bench.object(f"sha256:{subjects['raw']}")

    assert SECRET.encode() not in stored
    assert stored == secretive().replace(SECRET.encode(), b"[redacted:api-key]")
    assert said.original == f"sha256:{sha256(packed).hexdigest()}"
    assert [text.partition(" at ")[0] for text in said.redacted] == ["api-key"]


def test_a_secret_may_be_kept_by_whoever_says_so(bench):
    (bench.root / "served.json").write_bytes(secretive())
    said, subjects = attached(bench, "served.json", "--keep-secrets")
    assert bench.object(f"sha256:{subjects['raw']}") == secretive()
    assert (said.original, said.redacted) == (None, None)


def test_a_secret_in_a_sidecar_is_no_more_stored_than_one_in_the_file(bench):
    (bench.root / "served.json").write_bytes(SERVED)
    told = {"format": sidecar.FORMAT, "host": "lab-7", "server_flags": ["--api-key", SECRET]}
    (bench.root / "env.json").write_text(json.dumps(told))
    words = ("served.json", "--environment", "env.json")
    before = bench.files()
    result = bench.invoke("attach", *words, "--cell", "serve")
    assert result.exit_code == 4
    assert "environment sidecar: 1 secrets would be stored (api-key at 1:" in result.stderr
    assert bench.files() == before

    said, subjects = attached(bench, *words, "--redact")
    stored = json.loads(bench.object(f"sha256:{subjects['environment']}"))
    assert stored == told | {"server_flags": ["--api-key", "[redacted:api-key]"]}
    assert said.environment["server_flags"] == "--api-key '[redacted:api-key]'"
    assert said.environment["host"] == "lab-7"

    kept, _ = attached(bench, *words, "--keep-secrets")
    assert kept.environment["server_flags"] == f"--api-key {SECRET}"


@pytest.mark.parametrize(
    "words",
    [
        ["--identity", f"note={SECRET}"],
        ["--identity", "password=short", "--identity", "name=served"],
        ["--identity", f"name={SECRET}"],
        ["--name", SECRET],
        ["--cell", SECRET],
    ],
)
def test_a_secret_in_what_is_declared_is_refused_and_nothing_is_written(bench, words):
    (bench.root / "served.json").write_bytes(SERVED)
    before = bench.files()
    for more in ([], ["--redact"]):
        result = bench.invoke("attach", "served.json", "--cell", "serve", *words, *more)
        assert result.exit_code == 4
        assert "its name or what is declared: 1 secrets would be stored" in result.stderr
        assert SECRET not in result.output
    assert bench.files() == before
    attached(bench, "served.json", "--identity", "endpoint=http://lab-7:8000")


def test_a_secret_in_the_name_of_a_file_is_refused(bench):
    (bench.root / f"{SECRET}.json").write_bytes(SERVED)
    result = bench.invoke("attach", f"{SECRET}.json", "--cell", "serve")
    assert result.exit_code == 4
    assert "its name or what is declared: 2 secrets would be stored" in result.stderr


def test_a_name_that_is_no_text_is_spelt_out_on_record(bench):
    path = Path(os.fsdecode(b"served\xff.json"))
    (bench.root / path).write_bytes(SERVED)
    attached(bench, path)
    assert bench.bodies()[-1]["title"] == r"attached: served\udcff.json"


def test_what_no_receipt_can_hold_is_refused_by_the_name_of_the_file(bench):
    (bench.root / "served.json").write_bytes(vllm.dump(vllm.serve(label="\ud800")))
    result = bench.invoke("attach", "served.json", "--cell", "serve")
    assert result.exit_code == 4
    assert result.stderr.startswith("engine: served.json: ")


def test_rows_without_a_metric_are_not_called_no_rows(bench):
    (bench.root / "bench.txt").write_text("BenchmarkSize 1 25 text-bytes\n")
    result = bench.invoke("attach", "bench.txt", "--cell", "size")
    assert result.exit_code == 4
    assert "bench.txt: no-metric: no quantity of its rows has a metric" in result.stderr


def test_fewer_rows_than_the_tool_counted_are_a_no(bench):
    (bench.root / "served.json").write_bytes(vllm.dump(vllm.serve(completed=21)))
    result = bench.invoke("reconcile", "served.json")
    assert "20 of 21 rows are in the file" in result.stdout
    assert result.exit_code == 1


def test_flags_that_no_shell_reads_are_a_usage_error(bench):
    result = bench.invoke("env", "--server-flags", "--x 'open")
    assert result.exit_code == 2
    assert "--server-flags: no closing quotation; quote as a shell does" in result.stderr


def test_a_summary_is_bound_beside_its_rows(bench):
    sample = criterion.sample()
    rows, averages = criterion.make(sample), criterion.make(criterion.estimates(sample))
    (bench.root / "sample.json").write_bytes(rows)
    (bench.root / "estimates.json").write_bytes(averages)
    said, subjects = attached(bench, "sample.json", "--summary", "estimates.json")
    assert said.reader == "criterion"
    assert subjects["summary"] == sha256(averages).hexdigest()


def test_a_table_of_declared_columns_is_attached_with_its_declaration(bench):
    (bench.root / "table.csv").write_text("run,first_token\n1,0.25\n2,0.5\n")
    said, _ = attached(bench, "table.csv", "--columns", "ttft_ms=first_token:s")
    assert (said.reader, said.columns) == ("columns", ["ttft_ms=first_token:s"])
    assert [figure.value for figure in said.figures] == ["375"]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (vllm.without_rows(vllm.serve()), "aggregates-only: no rows"),
        (vllm.serve(count=3, failed=range(3)), "all-requests-failed: none of 3 requests"),
    ],
)
def test_a_file_of_which_nothing_can_be_cited_is_not_attached(bench, record, said):
    (bench.root / "served.json").write_bytes(vllm.dump(record))
    result = bench.invoke("attach", "served.json", "--cell", "serve")
    assert result.exit_code == 4
    assert f"served.json: {said}" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--redact", "--keep-secrets"], "exclude each other"),
        (["other.json", "--summary", "s.json"], "--summary goes with one file"),
        (["--policy", "all"], "is not 'exclude-failed-rows'"),
        (["--columns", "ttft=first:ms"], "no metric is called 'ttft'; known:"),
    ],
)
def test_words_that_do_not_go_together_are_refused_before_anything_is_read(bench, words, said):
    (bench.root / "served.json").write_bytes(SERVED)
    result = bench.invoke("attach", "served.json", "--cell", "serve", *words)
    assert result.exit_code == 2
    assert said in result.stderr
