"""`engine compare`: exit codes, streams, formats, and the outcome on record."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import cli_compare, sidecar
from engine.comparison.outcome import CONVENTION
from ledger.cli import ledger
from receipts.cli import receipts
from tests.fixtures import vllm

REPOSITORY = Path(cli_compare.__file__).parents[1]
CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", REPOSITORY.parent / "shared" / "corpus")) / "raw"
FACTS = {
    "boot": "b1",
    "container": {"id": "c1"},
    "devices": [],
    "driver": "580.95.05",
    "host": "node-1",
    "packages": {"vllm": "0.25.1"},
    "server_flags": ["--tp", "4"],
}
RATES = {"request_throughput", "output_throughput", "total_token_throughput"}


def environment(session="s1", **changed):
    """Return the bytes of a sidecar; a field that is given as None is left out."""
    told = {name: value for name, value in (FACTS | changed).items() if value is not None}
    return sidecar.encode(sidecar.make({**told, "session": session, "format": sidecar.FORMAT}))


def quicker(factor, **changes):
    """Return a serving result like the fixture's, every time of it multiplied by `factor`."""
    record = vllm.serve(duration=12.5 * factor)
    for name, value in record.items():
        if name in ("ttfts", "latencies"):
            record[name] = [x * factor for x in value]
        elif name == "itls":
            record[name] = [[x * factor for x in gaps] for gaps in value]
    return record | vllm.summary({n: record[n] for n in LISTS}, record["duration"]) | changes


LISTS = ("input_lens", "output_lens", "ttfts", "itls", "latencies", "errors")


def llama_bench(*factors, **changes):
    """Return a file of llama-bench with a record for each ubatch, its times multiplied."""
    records = []
    for at, factor in enumerate(factors):
        times = [round(ns * factor) for ns in (1_000_000_000, 1_010_000_000, 990_000_000)]
        record = {
            "build_commit": f"c0ffee{factor}",
            "n_ubatch": 256 << at,
            "n_prompt": 512,
            "n_gen": 0,
            "samples_ns": times,
            "samples_ts": [float(f"{512e9 / ns:.6g}") for ns in times],
        }
        records.append(record | changes)
    return "\n".join(map(json.dumps, records)).encode()


@pytest.fixture
def arms(home):
    """Return a function that writes both arms with their sidecars; None leaves a file out."""

    def write(a, b, env_a=None, env_b=None):
        told = {"a.json": a, "b.json": b}
        told |= {
            "a.json.env.json": env_a or environment(),
            "b.json.env.json": env_b or environment(),
        }
        for name, data in told.items():
            data = json.dumps(data).encode() if isinstance(data, dict) else data
            if data is not None:
                (home / name).write_bytes(data)

    return write


def run(*words, code=0):
    result = CliRunner().invoke(cli_compare._alone, ["compare", "a.json", "b.json", *words])
    assert result.exit_code == code, result.output
    return result


def answer(*words, code=0):
    return json.loads(run(*words, "--json", code=code).stdout)


def changes(value):
    return {(d["metric"], d["statistic"]): d["change_percent"] for d in value["deltas"]}


def numbers(value):
    """Yield every figure in the deltas and the headline of an answer."""
    for delta in value["deltas"]:
        yield from (delta[name] for name in ("a", "b", "change", "change_percent", "floor"))
    yield from (value["headline"][name] for name in ("armA", "armB", "ratio_b_over_a"))


# what moved


def test_a_quicker_server_is_better_in_throughput_and_in_latency(arms):
    arms(quicker(1), quicker(0.8))
    value = answer()

    found = changes(value)
    assert found["output_tok_s", "value"] == "25"
    assert found["ttft_ms", "median"].startswith(("20", "19.99999"))
    assert (value["outcome"], value["publishable"], value["refusal"]) == ("COMPARED", True, None)
    assert value["profile_verified"]["verified"] is True
    assert value["profile_verified"]["fields"] >= 10
    assert value["headline"]["ratio_b_over_a"] == "0.8"
    facts = sidecar.facts(sidecar.parse(environment()))
    assert value["environment_verified"] == {"verified": True, "fields": len(facts)}


def test_llama_bench_files_of_two_commits_are_compared_run_by_run(arms):
    arms(llama_bench(1, 2), llama_bench(1.25, 1.6))
    value = answer()

    rates = [d["change_percent"] for d in value["deltas"] if d["metric"] == "prefill_tok_s"]
    times = [d["change_percent"] for d in value["deltas"] if d["metric"] == "prefill_ms"]
    assert (rates, times) == (["-20", "25"], ["-25", "20"])
    assert [d["run"] for d in value["deltas"]][::2] == [
        "build_commit=c0ffee1, n_ubatch=256",
        "build_commit=c0ffee2, n_ubatch=512",
    ]


def test_a_run_can_be_picked_and_its_setting_be_the_variable(arms):
    arms(llama_bench(1, 2), llama_bench(1, 1.6))

    one = answer("--select", "n_ubatch=512")
    assert [d["change_percent"] for d in one["deltas"]] == ["25", "20"]
    words = ["--select-a", "n_ubatch=256", "--select-b", "n_ubatch=512"]
    assert answer(*words, code=4)["refusal"]["fields"] == ["n_ubatch"]
    assert answer(*words, "--variable", "n_ubatch")["variables"] == ["n_ubatch"]
    assert answer("--select", "n_ubatch=9", code=3)["refusal"]["name"] == "MISSING_ARM"


def test_text_prints_the_convention_both_arms_and_the_change(arms):
    arms(quicker(1), quicker(0.8))
    lines = run().stdout.splitlines()

    assert lines[0].startswith("A  a.json  vllm  sha256:")
    assert "one session" in lines
    assert lines[5] == CONVENTION
    place = lines.index("output_tok_s (tok/s, higher is better), value")
    assert lines[place + 1].split() == ["n", "value", "CV", "ddof", "1", "min", "max"]
    assert lines[place + 2].split() == ["A", "1", "12.8", "absent", "12.8", "12.8"]
    assert lines[place + 4] == "  change +25.00 %"
    assert lines[-1] == "publishable: yes"


def test_markdown_is_one_table(arms):
    arms(quicker(1), quicker(0.8))
    lines = run("--format", "markdown").stdout.splitlines()

    head = lines.index("| run | metric | A | B | change | verdict |")
    assert {line.count("|") for line in lines[head:]} == {7}
    assert any("| output_tok_s value (tok/s, higher is better) | 12.8 (n 1" in x for x in lines)


def test_markdown_of_a_refusal_has_no_table(arms):
    arms(quicker(1), quicker(0.8, max_concurrency=8))
    text = run("--format", "markdown", code=4).stdout

    assert "**REFUSED PROFILE_MISMATCH**: max_concurrency is 4 in A and 8 in B" in text
    assert "|" not in text


def test_a_metric_that_one_file_lacks_is_absent_and_so_is_its_change(arms):
    old = quicker(1)
    del old["latencies"]
    arms(quicker(1), old)

    lines = run().stdout.splitlines()
    place = lines.index("e2e_ms (ms, lower is better), median")
    assert lines[place + 3].split() == ["B", "absent"]
    assert lines[place + 4] == "  change absent"
    [delta] = [d for d in answer()["deltas"] if d["metric"] == "e2e_ms"]
    assert (delta["b"], delta["change"]) == (None, None)
    assert delta["a"]["n"] == 20


def test_a_metric_whose_own_average_contradicts_its_rows_is_not_citable(arms):
    arms(quicker(1), quicker(0.8, mean_ttft_ms=1.0))

    text = run().stdout
    assert "ttft_ms (ms, lower is better), median\n  not citable: differs\n" in text
    assert text.rstrip().endswith("publishable: no (not citable: differs)")
    [delta] = [d for d in answer()["deltas"] if d["metric"] == "ttft_ms"]
    assert (delta["not_citable"], delta["a"], delta["change"]) == ("differs", None, None)


# refusals


@pytest.mark.parametrize(
    ("field", "value"), [("max_concurrency", 8), ("request_rate", "4.0"), ("model_id", "other")]
)
def test_one_changed_setting_is_a_mismatch_that_names_it(arms, field, value):
    arms(quicker(1), quicker(0.8, **{field: value}))

    assert f"REFUSED PROFILE_MISMATCH: {field} is " in run(code=4).stdout
    found = answer(code=4)
    assert found["refusal"]["code"] == 4
    assert found["refusal"]["fields"] == [field]
    assert found["profile_verified"]["verified"] is False
    assert found["publishable"] is False
    assert set(numbers(found)) == {None}
    assert {d["metric"] for d in found["deltas"]} >= {"ttft_ms", "output_tok_s"}
    run("--variable", field)


def test_one_removed_setting_cannot_be_verified_and_is_named(arms):
    b = quicker(0.8)
    del b["burstiness"]
    arms(quicker(1), b)

    found = answer(code=6)
    assert found["refusal"] | {"reason": ""} == {
        "code": 6,
        "name": "PROFILE_UNVERIFIABLE",
        "fields": ["burstiness"],
        "reason": "",
    }
    assert found["profile_verified"]["verified"] is False
    assert set(numbers(found)) == {None}


def test_one_changed_driver_is_a_mismatch_that_names_it(arms):
    arms(quicker(1), quicker(0.8), env_b=environment(driver="590.44.01"))

    text = run(code=4).stdout
    assert "REFUSED PROFILE_MISMATCH: environment.driver is 580.95.05 in A and 590.44.01" in text
    run("--variable", "driver")


@pytest.mark.parametrize("field", ["container", "driver", "host", "devices", "server_flags"])
def test_a_sidecar_without_a_required_fact_cannot_be_verified(arms, field):
    arms(quicker(1), quicker(0.8), env_b=environment(**{field: None}))

    [named] = [n for n in answer(code=6)["refusal"]["fields"] if n.startswith(field)]
    assert named == {"container": "container.id"}.get(field, field)


@pytest.mark.parametrize("damage", [lambda raw: raw[:-3], lambda raw: raw.replace(b"v1", b"v9")])
def test_a_damaged_sidecar_cannot_be_verified(arms, damage):
    arms(quicker(1), quicker(0.8), env_b=damage(environment()))

    [only] = answer(code=6)["refusals"]
    assert only["reason"].startswith("environment of B: b.json.env.json: environment sidecar: ")


def test_without_sidecars_the_remedy_is_named_and_can_be_taken(arms, home):
    arms(quicker(1), quicker(0.8))
    (home / "b.json.env.json").unlink()

    assert "environment of B: no sidecar beside b.json; name one with" in run(code=6).stdout
    lines = run("--no-environment").stdout.splitlines()
    assert "environment not compared" in lines
    assert lines[-1] == "publishable: no (environment not compared)"
    assert answer("--env-b", "a.json.env.json")["publishable"] is True
    assert answer("--env-b", "gone.json", code=6)["refusal"]["name"] == "PROFILE_UNVERIFIABLE"


def test_files_of_two_sessions_are_called_cross_session(arms):
    arms(quicker(1), quicker(0.8), env_b=environment("s2"))

    text = run().stdout
    assert "cross-session: the files are of two sessions and back no claim of change" in text
    assert (answer()["session"], answer()["publishable"]) == ("cross-session", False)


MISSING = {
    "no file": (None, "b.json: the raw file does not exist"),
    "no results": (b"hello", "unknown-tool"),
    "cut short": (json.dumps(vllm.serve()).encode()[:-20], "b.json: "),
    "nothing succeeded": (vllm.serve(failed=range(20)), "all-requests-failed"),
    "failed rows": (vllm.serve(failed=(3,)), "failed-rows"),
    "no rows": (vllm.without_rows(vllm.serve()), "aggregates-only"),
}


@pytest.mark.parametrize("name", MISSING)
def test_an_arm_that_gives_nothing_is_missing_and_says_why(arms, name):
    b, why = MISSING[name]
    arms(quicker(1), b)

    found = answer(code=3)
    assert found["refusal"]["name"] == "MISSING_ARM"
    assert why in found["refusal"]["reason"]
    assert (found["publishable"], found["profile_verified"]["verified"]) == (False, False)
    assert set(numbers(found)) == {None}
    assert found["headline"]["publishable"] is False
    assert "REFUSED MISSING_ARM: B: " in run(code=3).stdout


def test_rows_that_failed_are_left_out_only_under_a_declared_policy(arms):
    arms(vllm.serve(failed=(3,)), vllm.serve(failed=(3,)))

    assert answer("--policy", "exclude-failed-rows")["deltas"][0]["a"]["n"] == 19


@pytest.mark.parametrize("name", ["ttfts", "itls"])
def test_a_baseline_of_zero_is_refused(arms, name):
    zero = quicker(1)
    zero[name] = [[0.0] * 7 for _ in range(20)] if name == "itls" else [0.0] * 20
    zero |= vllm.summary({n: zero[n] for n in LISTS}, zero["duration"])
    arms(zero, quicker(0.8))

    found = answer(code=5)
    assert found["refusal"]["name"] == "ZERO_BASELINE"
    assert found["refusal"]["fields"] == [{"ttfts": "ttft_ms", "itls": "itl_ms"}[name]]
    assert set(numbers(found)) == {None}


def test_all_reasons_are_told_and_the_first_in_the_order_decides(arms):
    b = quicker(0.8, max_concurrency=8)
    del b["burstiness"]
    arms(quicker(1), b, env_b=environment(driver="590"))

    found = answer(code=6)
    assert [one["code"] for one in found["refusals"]] == [6, 4, 4]
    lines = run(code=6).stdout.splitlines()
    assert [line.split(":")[0] for line in lines[2:5]] == [
        "REFUSED PROFILE_UNVERIFIABLE",
        "REFUSED PROFILE_MISMATCH",
        "REFUSED PROFILE_MISMATCH",
    ]
    assert answer("--variable", "burstines", code=2)["refusal"]["name"] == "USAGE"


@pytest.mark.parametrize(
    "words",
    [
        ["--select", "n_ubatch"],
        ["--profile", "gone.yaml"],
        ["--cell", "two words"],
        ["--control", "a.json"],
        ["--columns", "nonsense"],
        ["--format", "pdf"],
        ["--no-environment", "--env-b", "b.json.env.json"],
    ],
)
def test_wrong_words_are_a_usage_error(arms, words):
    arms(quicker(1), quicker(0.8))

    result = run(*words, code=2)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_a_required_field_that_no_file_tells_is_named(arms, home):
    arms(quicker(1), quicker(0.8))
    (home / "p.yaml").write_text("version: 1\nfields: [concurrency, requests, temperature]\n")

    assert answer("--profile", "p.yaml", code=6)["refusal"]["fields"] == ["temperature"]
    (home / "p.yaml").write_text("fields: [concurrency, requests]\n")
    assert answer("--profile", "p.yaml")["outcome"] == "COMPARED"
    (home / "p.yaml").write_text("fields: []\n")
    assert "no field is named" in run("--profile", "p.yaml", code=2).stderr


def test_a_hostile_value_stays_on_its_line(arms):
    arms(quicker(1, request_rate="x\x1b[2J\nREFUSED"), quicker(0.8))

    text = run(code=4).stdout
    assert "\x1b" not in text
    assert len(text.splitlines()) == 4


# noise floors


def test_a_change_under_the_floor_is_flat_and_both_floors_are_printed(arms, home):
    arms(quicker(1), quicker(1.002))
    for name, factor in (("a1", 1), ("a2", 1.0033), ("a3", 1), ("a4", 0.9961)):
        (home / name).write_text(json.dumps(quicker(factor)))
        (home / f"{name}.env.json").write_bytes(environment())
    words = ["--control", "a1", "a2", "--control", "a3", "a4"]

    [found] = [d for d in answer(*words)["deltas"] if d["metric"] == "output_tok_s"]
    assert found["verdict"] == "flat"
    assert found["floor"]["n"] == 2
    assert found["floor"]["maximum_exceeded_with"] == "1/3"
    assert float(found["floor"]["maximum_percent"]) == 0.40
    assert 1.5 < float(found["floor"]["t_rule_percent"]) < 1.6
    text = run(*words).stdout
    assert "change -0.20 %: flat, neither a win nor a loss (floor 1.5" in text
    arms(quicker(1), quicker(0.8))
    assert "change +25.00 %: B is better (floor 1.5" in run(*words).stdout


def test_a_control_of_another_concurrency_is_a_mismatch(arms, home):
    arms(quicker(1), quicker(0.8))
    for name, factor in (("a1", 1), ("a2", 1.01)):
        (home / name).write_text(json.dumps(quicker(factor, max_concurrency=8)))

    found = answer("--control", "a1", "a2", "--no-environment", code=4)
    assert found["refusal"]["reason"] == (
        "A against control 1: max_concurrency is 4 in A and 8 in B"
    )
    assert answer("--control", "a1", "gone", "--no-environment", code=3)


def test_one_file_given_twice_is_no_control(arms):
    arms(quicker(1), quicker(0.8))

    result = run("--control", "a.json", "a.json", code=2)
    assert result.stderr.endswith(
        "--control a.json a.json: the same bytes twice measure no noise\n"
    )


def test_a_pair_given_twice_is_one_control(arms, home):
    arms(quicker(1), quicker(0.8))
    for name, factor in (("a1", 1.01), ("a2", 1.02)):
        (home / name).write_text(json.dumps(quicker(factor)))

    for again in (("a1", "a2"), ("a2", "a1")):
        result = run("--control", "a1", "a2", "--control", *again, "--no-environment", code=2)
        assert "this pair is given twice; measure another" in result.stderr


def test_a_file_compared_with_itself_is_said_to_be_so(arms):
    arms(quicker(1), quicker(1))
    warning = "A and B are the same bytes: a file compared with itself"

    assert warning in answer()["warnings"]
    arms(quicker(1), quicker(0.8))
    assert warning not in answer()["warnings"]


@pytest.mark.parametrize("path", [".", "/", ""])
def test_a_path_without_a_name_is_a_missing_arm(arms, path):
    arms(quicker(1), quicker(0.8))
    result = CliRunner().invoke(cli_compare._alone, ["compare", "a.json", path, "--json"])

    assert result.exit_code == 3, result.output
    assert "not a regular file" in json.loads(result.stdout)["refusal"]["reason"]


# genuine files


GENUINE = [
    "llama-bench/lhl_qwen3-32b-q8_raw_runs_5rep.jsonl",
    "llama-bench/kyuz0_deepseek4_build10224.jsonl",
    "vllm/scicom_serve_detailed_l40s_c1.json",
    "inferencemax/b200_sglang_conc4_raw_detailed.json",
    "sglang/scicom_output_details_h100.jsonl",
]


@pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not compared"
)
@pytest.mark.parametrize("name", GENUINE)
def test_a_genuine_file_compared_with_itself_is_flat(home, name):
    data = (CORPUS / name).read_bytes()
    for path in ("a.json", "b.json"):
        (home / path).write_bytes(data)
        (home / f"{path}.env.json").write_bytes(environment())
    found = answer()

    assert {d["change"] for d in found["deltas"] if not d["not_citable"]} == {"0"}
    assert len(found["deltas"]) >= 4
    assert found["unpaired"] == []


@pytest.mark.skipif(
    not CORPUS.is_dir(), reason="no corpus at EVIDENCE_CORPUS: genuine files were not compared"
)
def test_genuine_files_with_one_changed_setting_name_it(home):
    record = json.loads((CORPUS / "vllm" / "scicom_serve_detailed_l40s_c1.json").read_bytes())
    (home / "a.json").write_text(json.dumps(record))
    (home / "b.json").write_text(json.dumps(record | {"max_concurrency": 2}))

    found = answer("--no-environment", code=4)
    assert found["refusal"]["reason"] == "max_concurrency is 1 in A and 2 in B"


# on record


def invoke(command, *words):
    return CliRunner().invoke(command, [str(w) for w in words], catch_exceptions=False)


def on_record(folder, a, b, **environments):
    arms = {"a.json": a, "b.json": b}
    for name, record in arms.items():
        if record is not None:
            (folder / name).write_text(json.dumps(record))
        told = environments.get(name[0], environment())
        (folder / f"{name}.env.json").write_bytes(told)


def test_an_outcome_is_a_signed_receipt_and_an_entry(bench, home):
    on_record(home, quicker(1), quicker(0.8))
    found = answer("--cell", "serve-c4")

    [body] = bench.bodies()
    assert (body["phase"], body["cell"], body["exit_status"]) == ("finished", "serve-c4", 0)
    assert body["receipt"] == found["receipt"]
    receipt = bench.receipt(found["receipt"])
    predicate = receipt.predicate
    assert (predicate.outcome, predicate.publishable, predicate.session) == (
        "COMPARED",
        True,
        "one",
    )
    assert bench.object(receipt.require("a")) == (home / "a.json").read_bytes()
    assert bench.object(receipt.require("environment-b")) == environment()
    [rate] = [d for d in predicate.deltas if d.metric == "output_tok_s"]
    assert (rate.baseline.value, rate.candidate.value, rate.change) == ("12.8", "16", "0.25")
    shown = invoke(receipts, "show", found["receipt"].removeprefix("receipt://"))
    assert "outcome: COMPARED" in shown.stdout
    assert json.loads(invoke(receipts, "list", "--json").stdout)[0]["kind"] == "comparison"


def test_a_refusal_is_on_record_with_its_reason_and_without_a_figure(bench, home):
    on_record(home, quicker(1), quicker(0.8, max_concurrency=8))
    found = answer(code=4)

    [body] = bench.bodies()
    assert (body["phase"], body["exit_status"]) == ("refused", 4)
    assert body["reason"] == "PROFILE_MISMATCH: max_concurrency is 4 in A and 8 in B"
    predicate = bench.receipt(found["receipt"]).predicate
    assert (predicate.outcome, predicate.exit_status, predicate.deltas) == (
        "PROFILE_MISMATCH",
        4,
        [],
    )
    assert predicate.problems == [body["reason"]]


def test_an_arm_that_is_gone_leaves_a_receipt_about_the_other(bench, home):
    on_record(home, quicker(1), None)
    found = answer(code=3)

    receipt = bench.receipt(found["receipt"])
    assert [one.name for one in receipt.statement.subject] == [
        "a",
        "environment-a",
        "environment-b",
    ]
    assert receipt.predicate.candidate.raw is None


def test_where_nothing_could_be_read_the_entry_says_so_alone(bench):
    found = answer(code=3)

    assert found["receipt"] is None
    [body] = bench.bodies()
    assert body["phase"] == "refused"
    assert "receipt" not in body
    assert body["reason"].startswith("MISSING_ARM: A: a.json: the raw file does not exist")


def test_no_record_leaves_none(bench, home):
    on_record(home, quicker(1), quicker(0.8))
    before = bench.files()

    assert "receipt" not in answer("--no-record")
    assert bench.files() == before


def test_without_a_ledger_the_outcome_is_printed_and_nothing_written(arms, home):
    arms(quicker(1), quicker(0.8))
    before = sorted(home.rglob("*"))

    assert "receipt" not in answer()
    assert sorted(home.rglob("*")) == before


def test_a_key_that_is_no_runner_records_nothing_and_the_outcome_is_printed(bench, home):
    on_record(home, quicker(1), quicker(0.8))
    key = bench.enrolled_key("engineer")

    result = run("--key", key, "--json", code=1)
    assert json.loads(result.stdout)["outcome"] == "COMPARED"
    assert result.stderr.startswith("not on record: key SHA256:")
    assert result.stderr.endswith("--no-record compares without a ledger\n")
    assert bench.bodies() == []
    on_record(home, quicker(1), quicker(0.8, max_concurrency=8))
    run("--key", key, code=4)


def test_a_file_with_a_secret_in_it_is_named_and_not_stored(bench, home):
    token = "hf_" + "A1b2C3d4E5" * 4
    on_record(home, quicker(1, note=token), quicker(0.8, note=token))
    found = answer()

    receipt = bench.receipt(found["receipt"])
    stored = b"".join(path.read_bytes() for path in (home / "evidence" / "objects").rglob("*/*"))
    assert token.encode() not in stored
    assert receipt.require("a")
    assert any(
        w.startswith("a is not stored: secrets in it: 1") for w in receipt.predicate.warnings
    )


def test_a_file_whose_name_is_no_text_is_compared_and_on_record(bench, home):
    on_record(home, quicker(1), quicker(0.8))
    (home / os.fsdecode(b"b\xff.json")).write_text(json.dumps(quicker(0.8)))
    words = ["compare", "a.json", os.fsdecode(b"b\xff.json"), "--no-environment"]
    result = CliRunner().invoke(cli_compare._alone, words)

    assert result.exit_code == 0, result.output
    assert bench.bodies()[-1]["title"] == r"compared: a.json with b\udcff.json"


def test_a_secret_that_differs_is_told_to_nobody(bench, home):
    token = "hf_" + "A1b2C3d4E5" * 4
    flags = environment(server_flags=["--api-key", token])
    on_record(home, quicker(1), quicker(0.8, note=token), env_b=flags)
    result = run("--json", code=6)

    assert token not in result.output
    found = json.loads(result.stdout)
    receipt, [body] = bench.receipt(found["receipt"]), bench.bodies()
    assert "note is [redacted:huggingface-token] in B and absent in A" in found["refusal"]["reason"]
    assert token not in json.dumps(receipt.predicate.problems)
    assert token not in json.dumps(body)


def test_the_audit_and_an_entry_that_cites_it_take_a_comparison(bench, home):
    on_record(home, quicker(1), quicker(0.8))
    uri = answer()["receipt"]

    words = ["--title", "compared", "--verdict", "measured-only: faster", "--evidence", uri]
    assert invoke(ledger, "add", *words).exit_code == 0
    audited = invoke(ledger, "audit", "--json")
    assert audited.exit_code in (0, 3), audited.output
    assert "evidence" not in {one["code"] for one in json.loads(audited.stdout)["observations"]}


def test_the_command_runs_by_itself(arms, home):
    arms(quicker(1), quicker(0.8))
    done = subprocess.run(
        [sys.executable, "-m", "engine.cli_compare", "compare", "a.json", "b.json"],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("publishable: yes\n")
