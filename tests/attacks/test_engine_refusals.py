"""What breaks a rule of docs/reference/formats/rows.md or plan.md, and what the command says."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine import plan, schedule
from engine.results import detect
from receipts.digest import Digest

FORMATS = Path(__file__).parents[2] / "docs" / "reference" / "formats"


def example(page, language):
    text = (FORMATS / page).read_text(encoding="utf-8")
    return re.search(rf"^ *```{language}\n(.*?)^ *```", text, re.S | re.M)[1]


ROWS = example("rows.md", "jsonl")
PLAN = example("plan.md", "yaml")
HEADER, FIRST, SECOND = map(json.loads, ROWS.splitlines())


def spell(*lines):
    return "".join(
        json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
        for line in lines
    )


def without(name, line):
    return {key: value for key, value in line.items() if key != name}


def test_the_example_of_the_page_is_a_rows_file(bench):
    (bench.root / "rows.jsonl").write_text(ROWS)

    result = bench.invoke("attach", "--cell", "c", "--json", "rows.jsonl")

    (value,) = json.loads(result.stdout)
    found = {figure["metric"]: figure["value"] for figure in value["figures"]}
    assert spell(HEADER, FIRST, SECOND) == ROWS
    assert value["reader"] == "rows"
    assert found["decode_tok_s"] == "4987531.17"
    assert found["ttft_ms"] == "0.00024"


@pytest.mark.skipif(not shutil.which("jq"), reason="not run: jq is not installed")
def test_the_example_recomputes_with_the_stock_tool_of_the_page(tmp_path):
    (tmp_path / "rows.jsonl").write_text(ROWS)

    done = subprocess.run(
        ["bash", "-c", example("rows.md", "sh")], cwd=tmp_path, capture_output=True, text=True
    )

    (run,) = detect.read(ROWS.encode()).runs
    printed = [float(line) for line in done.stdout.split()]
    assert printed == pytest.approx([float(rate) for rate in run.samples["decode_tok_s"]])


BROKEN_ROWS = {
    "ROWS-1 a file that was cut short": (ROWS[:-1], "line 3 has no newline"),
    "ROWS-1 white space": (ROWS.replace('"seed":0', '"seed": 0'), "not in canonical form"),
    "ROWS-1 a blank line": (ROWS + "\n", "line 4: "),
    "ROWS-1 carriage returns": (ROWS.replace("\n", "\r\n"), "not in canonical form"),
    "ROWS-1 a key twice": (ROWS.replace('"seed":0', '"seed":0,"seed":0'), "line 1: "),
    "ROWS-1 a fraction": (ROWS.replace(":260,", ":260.0,"), "line 2: "),
    "ROWS-2 no clock": (spell(without("clock", HEADER), FIRST), "line 1: missing fields: clock"),
    "ROWS-2 another field": (spell({**HEADER, "mean": "9"}, FIRST), "unknown fields: 'mean'"),
    "ROWS-2 no object": (ROWS.partition("\n")[0] + "\n[1]\n", "line 2: not a JSON object"),
    "ROWS-3 another version": (ROWS.replace("rows/v1", "rows/v2"), "rows/v2' is unknown"),
    "ROWS-4 text that is none": (spell({**HEADER, "clock": 1}, FIRST), "clock is not text"),
    "ROWS-4 a count of 0": (spell({**HEADER, "width": 0}, FIRST), "field width has 0"),
    "ROWS-4 a true count": (spell({**HEADER, "width": True}, FIRST), "field width has True"),
    "ROWS-4 a negative warmup": (spell({**HEADER, "warmup": -1}, FIRST), "field warmup has -1"),
    "ROWS-5 no repetition": (spell(HEADER), "nothing was measured"),
    "ROWS-5 too many": (spell(HEADER) + spell(FIRST) * 3001, "3001 rows are over the limit"),
    "ROWS-6 no logits": (spell(HEADER, without("logits", FIRST)), "missing fields: logits"),
    "ROWS-6 an average": (spell(HEADER, {**FIRST, "mean_ns": 1}), "unknown fields: 'mean_ns'"),
    "ROWS-7 a dropped outlier": (spell(HEADER, SECOND), "repetition 1 stands where 0 belongs"),
    "ROWS-7 twice the best": (spell(HEADER, FIRST, FIRST), "repetition 0 stands where 1 belongs"),
    "ROWS-8 no time": (spell(HEADER, {**FIRST, "prefill_ns": 0}), "prefill_ns has 0"),
    "ROWS-8 a time too few": (spell(HEADER, {**FIRST, "token_ns": [1, 2, 3]}), "holds 3 values"),
    "ROWS-8 time that runs back": (spell(HEADER, {**FIRST, "token_ns": [1, 2, 3, -4]}), "has -4"),
    "ROWS-9 a token too many": (spell(HEADER, {**FIRST, "tokens": [1] * 5}), "tokens holds 5"),
    "ROWS-9 a token too large": (spell(HEADER, {**FIRST, "tokens": [1, 2, 3, 64]}), "token 64 is"),
    "ROWS-10 a short digest": (spell(HEADER, {**FIRST, "logits": "sha256:ab"}), "field logits"),
    "ROWS-10 no digest": (spell(HEADER, {**FIRST, "logits": "x" * 71}), "field logits"),
}


@pytest.mark.parametrize(("text", "complaint"), BROKEN_ROWS.values(), ids=BROKEN_ROWS)
def test_a_rows_file_that_breaks_a_rule_is_not_attached(bench, text, complaint):
    (bench.root / "rows.jsonl").write_bytes(text.encode())
    before = bench.files()

    result = bench.invoke("attach", "--cell", "c", "rows.jsonl")

    assert result.exit_code == 4
    assert re.match(r"engine: rows\.jsonl: [a-z-]+: rows file: ", result.stderr)
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert bench.files() == before


def test_rows_5_a_file_over_256_mib_is_refused_by_its_size(bench):
    with (bench.root / "rows.jsonl").open("wb") as stream:
        stream.write(ROWS.encode())
        stream.truncate(256 * 1024 * 1024 + 1)

    result = bench.invoke("attach", "--cell", "c", "rows.jsonl")

    assert result.exit_code == 4
    assert "rows.jsonl: larger than 268435456 bytes" in result.stderr


def test_the_example_of_the_page_is_a_plan_with_the_digest_of_the_page(home):
    Path("tuned-vs-plain.yaml").write_text(PLAN)

    found = plan.read(Path("tuned-vs-plain.yaml"))

    assert found.digest in (FORMATS / "plan.md").read_text(encoding="utf-8")
    assert (found.plan.name, found.plan.repetitions) == ("tuned-vs-plain", 6)


BROKEN_PLANS = {
    "PLAN-1 an alias": ("cell: ", "cell: &x a\nscope: {b: *x}\nname: ", "anchors (&x)"),
    "PLAN-1 a tag": ("cell: ", "cell: !!str ", "the tag"),
    "PLAN-1 a directive": ("version: 1", "%YAML 1.1\n---\nversion: 1", "directives (%)"),
    "PLAN-1 an empty value": ("repetitions: 6", "repetitions:", "12:1: the value is empty"),
    "PLAN-1 a key twice": ("repetitions: 6", "name: other", "12:1: the key 'name' stands twice"),
    "PLAN-1 no text": ("cell: ", "cell: \x07", "the character U+0007 is not allowed"),
    "PLAN-1 too large": ("version: 1", "# " + "x" * 2**20 + "\nversion: 1", "larger than 1048576"),
    "PLAN-2 an unknown field": ("repetitions: 6", "retries: 3", "12:1: retries: unknown field"),
    "PLAN-2 a missing field": (
        "metrics: [decode_tok_s, token_ms]\n",
        "",
        "1:1: metrics: is missing",
    ),
    "PLAN-2 another version": ("version: 1", "version: 3", "1:1: version"),
    "PLAN-3 a cell of two words": ("cell: decode-v64-w32", "cell: a b", "3:1: cell"),
    "PLAN-3 an arm of two words": ("arm: tuned", "arm: a b", "9:3: candidate.arm"),
    "PLAN-3 a long name": ("name: tuned-vs-plain", "name: " + "n" * 49, "2:1: name"),
    "PLAN-4 one arm twice": ("arm: tuned", "arm: plain", "9:3: both arms have one name"),
    "PLAN-5 no command": (PLAN[PLAN.rindex("  command") : PLAN.index("repetitions")], "", "8:1: "),
    "PLAN-5 a word that is no text": ('"64"', "true", "baseline.command"),
    "PLAN-6 four repetitions": ("repetitions: 6", "repetitions: 4", "12:1: repetitions"),
    "PLAN-6 half a repetition": ("repetitions: 6", "repetitions: 5.5", "12:1: repetitions"),
    "PLAN-6 too many": ("repetitions: 6", "repetitions: 1001", "12:1: repetitions"),
    "PLAN-7 no metric": ("[decode_tok_s, token_ms]", "[]", "13:1: metrics"),
    "PLAN-7 an unknown metric": ("token_ms", "speed", "13:25: no metric is called 'speed'"),
    "PLAN-8 a limit in percent": ('"0.10"', "10%", "14:1: cv_limit"),
    "PLAN-9 nearly exact": ("cv_limit", "exactness: nearly\ncv_limit", "14:1: exactness"),
    "PLAN-9 no gate": ("cv_limit", "exactness: none\ncv_limit", "14:1: needs version: 2"),
    "PLAN-14 cell and cells": ("version: 1", "version: 2\ncells: [{cell: a}]", "either cell or"),
    "PLAN-15 a fixture that shows everything": (
        "version: 1",
        "version: 2\nfixture: {kind: natural, generator: g, cannot_see: []}",
        "fixture.cannot_see",
    ),
    "PLAN-17 no such arm": (
        "version: 1",
        "version: 2\nengagement: [{arm: fast, log: x}]",
        "2:15: no arm is called fast",
    ),
}


@pytest.mark.parametrize(("old", "new", "complaint"), BROKEN_PLANS.values(), ids=BROKEN_PLANS)
def test_a_plan_that_breaks_a_rule_starts_nothing(bench, old, new, complaint):
    assert old in PLAN
    (bench.root / "plan.yaml").write_text(PLAN.replace(old, new, 1))
    before = bench.files()

    result = bench.invoke("ab", "plan.yaml", "--execute")

    assert result.exit_code == 4
    assert result.stderr.startswith("engine: plan.yaml:")
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert bench.files() == before


@pytest.fixture
def window(bench):
    """Walk a plan whose arms write rows with these seeds; return exit code, receipt and entries."""

    def walk(plain="1", tuned="1", change=("", "")):
        program = bench.root / "rows.py"
        program.write_text(program.read_text().replace(*change))
        arms = {"baseline": ("plain", plain), "candidate": ("tuned", tuned)}
        document = {"version": 1, "name": "w", "cell": "c", "repetitions": 5}
        document |= {"metrics": ["decode_tok_s"]} | {
            side: {"arm": arm, "command": [*bench.rows_command, seed, "700001,800003"]}
            for side, (arm, seed) in arms.items()
        }
        (bench.root / "plan.yaml").write_text(json.dumps(document))
        result = bench.invoke("ab", "plan.yaml", "--execute")
        bodies = bench.bodies()
        uri = bodies[-1].get("receipt")
        return result, bench.receipt(uri) if uri else None, bodies

    return walk


def test_plan_10_the_arms_alternate_as_the_plan_promises(window):
    _, receipt, bodies = window()

    order = [(item.arm, item.repetition) for item in receipt.predicate.repetitions]
    admitted = [b for b in bodies if b["phase"] == "admitted" and "arm" in b]
    assert order == schedule.alternate("plain", "tuned", 5)
    assert [(body["arm"], body["repetition"]) for body in admitted] == order


def test_plan_11_everything_of_a_window_names_the_bytes_of_its_plan(bench, window):
    _, receipt, bodies = window()

    raw = (bench.root / "plan.yaml").read_bytes()
    receipts = [receipt, *(bench.receipt(r.receipt) for r in receipt.predicate.repetitions)]
    assert {body["plan"] for body in bodies} == {Digest.of(raw)}
    assert {one.predicate.plan for one in receipts} == {Digest.of(raw)}
    assert bench.object(Digest.of(raw)) == raw


def test_plan_12_where_tokens_differ_no_timing_is_given(bench, window):
    result, receipt, _ = window(tuned="2")

    assert result.exit_code == 1
    assert receipt.predicate.exactness.first_difference
    assert receipt.predicate.comparisons == []
    for item in receipt.predicate.repetitions:
        assert bench.receipt(item.receipt).predicate.figures == []
    assert "tok/s" not in result.output


def test_plan_13_a_failed_repetition_is_not_tried_again(bench, window):
    fails = ("header = dict", "if turn == 4: sys.exit(3)\nheader = dict")
    result, receipt, bodies = window(change=fails)

    assert result.exit_code == 1
    assert receipt is None
    assert [body["phase"] for body in bodies[-3:]] == ["admitted", "failed", "void"]
    assert (bench.root / "turn").read_text() == "5"  # five were started, none twice


def test_rows_11_an_arm_of_two_setups_is_no_arm(window):
    result, receipt, bodies = window(change=("warmup=0", "warmup=turn"))

    assert result.exit_code == 4
    assert receipt is None
    assert "rows files 1 and 2 differ in warmup: 0 and 3" in result.stderr
    assert bodies[-1]["phase"] == "void"
