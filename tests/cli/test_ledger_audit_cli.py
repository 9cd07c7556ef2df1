"""The audit verbs after everyday work with the engine, and every verb's JSON, through programs."""

import json
import subprocess
import sys

from click.testing import CliRunner

PLAN = {"version": 1, "name": "w", "cell": "c", "repetitions": 5, "metrics": ["decode_tok_s"]}


def run(*words):
    """Run `ledger` inside this process."""
    from ledger.cli import ledger

    return CliRunner().invoke(ledger, [str(word) for word in words], catch_exceptions=False)


def told(*words, code=0):
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def asked():
    """Return what `ledger audit` asks about, its exit code checked against it."""
    result = run("audit", "--json")
    found = json.loads(result.stdout)["observations"]
    assert result.exit_code == (1 if found else 0)
    return [(one["code"], one["message"]) for one in found]


def window(bench, name="w"):
    """Run one A/B window whose programs answer at once; return its exit code."""
    arms = {
        role: {"arm": arm, "command": [*bench.rows_command, "1", ns]}
        for role, arm, ns in (("baseline", "plain", "900001"), ("candidate", "tuned", "700001"))
    }
    (bench.root / f"{name}.yaml").write_text(json.dumps(PLAN | {"name": name} | arms))
    return bench.invoke("ab", f"{name}.yaml", "--execute", "--name", name).exit_code


def conclude(receipt, *words):
    return run("add", "--title", "t", "--evidence", receipt, "--verdict", "pass:ok", *words)


# --- everyday histories --------------------------------------------------------------------------


def test_right_after_init_there_is_nothing_to_ask(bench):
    assert asked() == []


def test_a_window_is_asked_about_until_an_entry_cites_it(bench):
    assert window(bench) == 0
    assert asked() == [("unmentioned", "no entry mentions this finished window w of c")]
    assert conclude("receipt://w").exit_code == 0
    assert asked() == []


def test_a_hypothesis_a_window_and_its_answer_leave_nothing_to_ask(bench):
    assert run("add", "--title", "h", "--label", "H1", "--hypothesis", "faster").exit_code == 0
    assert window(bench) == 0
    assert conclude("receipt://w", "--answers", "H1").exit_code == 0
    assert asked() == []


def test_a_hypothesis_that_is_written_with_the_answer_is_asked_about(bench):
    assert window(bench) == 0
    assert conclude("receipt://w", "--hypothesis", "faster").exit_code == 0
    assert asked() == [
        ("afterthought", "the hypothesis stands at entry 24, its run was admitted at entry 2")
    ]


def test_an_attached_file_that_is_cited_leaves_nothing_to_ask(bench):
    assert bench.run(*bench.rows_command, "1", "900001").exit_code == 0
    raw = bench.object(bench.receipt(bench.bodies()[-1]["receipt"]).require("raw"))
    (bench.root / "raw").write_bytes(raw)
    assert bench.invoke("attach", "raw", "--cell", "d", "--name", "a").exit_code == 0
    assert conclude("receipt://a").exit_code == 0
    assert asked() == [("unmentioned", "no entry mentions this finished run of c")]


def test_a_failed_run_stays_a_question_until_somebody_says_why(bench):
    assert bench.run("false").exit_code == 1
    failed = told("list", "--last", "1")[0]["index"]
    done = bench.run(*bench.rows_command, "1", "900001", options=("--name", "good"))
    assert done.exit_code == 0
    assert conclude("receipt://good").exit_code == 0
    assert asked() == [("unmentioned", "no entry mentions this failed run of c")]
    assert run("retract", failed, "--reason", "the wrong program").exit_code == 0
    assert asked() == []


def test_a_void_window_is_asked_about_once_and_not_for_each_repetition(bench):
    arms = {
        "baseline": {"arm": "plain", "command": [*bench.rows_command, "1", "900001"]},
        "candidate": {"arm": "tuned", "command": ["false", "{raw}"]},
    }
    (bench.root / "w.yaml").write_text(json.dumps(PLAN | arms))
    assert bench.invoke("ab", "w.yaml", "--execute", "--name", "w").exit_code == 1
    assert asked() == [("unmentioned", "no entry mentions this void window w of c")]


def test_a_window_that_is_not_exact_is_cited_with_its_failed_gate(bench):
    arms = {
        "baseline": {"arm": "plain", "command": [*bench.rows_command, "1", "900001"]},
        "candidate": {"arm": "tuned", "command": [*bench.rows_command, "2", "700001"]},
    }
    (bench.root / "w.yaml").write_text(json.dumps(PLAN | arms))
    assert bench.invoke("ab", "w.yaml", "--execute", "--name", "w").exit_code == 1
    miss = run("add", "--title", "t", "--evidence", "receipt://w", "--verdict", "miss:not exact")
    assert miss.exit_code == 0
    assert asked() == []


def test_superseding_the_binary_of_real_windows_fells_their_entries(bench):
    for name in ("w1", "w2"):
        assert window(bench, name) == 0
        assert conclude(f"receipt://{name}", "--label", name.upper()).exit_code == 0
    binary = bench.receipt(bench.bodies()[2]["receipt"]).predicate.identity["binary"]
    assert run("supersede", "--binary", binary, "--reason", "stale").exit_code == 0
    assert [told("show", name)["status"] for name in ("W1", "W2")] == ["superseded"] * 2
    selected = told("list", "--last", "1")[0]
    assert len(told("show", selected["index"])["body"]["runs"]) == 2 * 11
    assert asked() == []


# --- the verbs as programs -----------------------------------------------------------------------

TABLE = (
    "| Step | Perf | Δ | Status | Lesson |\n|---|---|---|---|---|\n"
    "| r1 | 1493 → 2267 | +30% | LANDED | a\\|b |\n| r2 | 100.0 → 110.0 | +10.0% | L | |\n"
)
FILES = {
    "table.md": TABLE,
    "findings.json": '{"findings": [{"id": "F1", "severity": "low", "status": "open"}]}',
    "lock.json": '{"publishing_enabled": false}',
    "contract.yaml": 'title: c\ngates: [{name: g, metric: m, comparison: ">=", threshold: 30}]\n',
}
VERBS = [
    (["audit"], 0, {"chain", "examined", "observations"}),
    (["lint-table", "table.md"], 1, {"rows", "contradictions", "truncated", "corrected"}),
    (["import-table", "table.md"], 0, {"entries", "corrections", "first", "last", "rows"}),
    (["import-findings", "findings.json"], 0, {"findings", "first", "last"}),
    (["import-lock", "lock.json"], 0, {"index", "id", "kind", "title", "status"}),
    (["contract", "--from", "contract.yaml"], 0, {"index", "id", "kind", "title", "status"}),
    (["add", "--title", "t", "--rests-on", "r1"], 0, {"index", "id", "kind", "status"}),
    (["supersede", "r1", "--reason", "r"], 0, {"index", "id", "kind", "status"}),
    (["show", "r1"], 0, {"effects", "body", "signed_by", "status"}),
    (["verify"], 0, {"entries", "intact", "findings"}),
]


def test_every_verb_speaks_json_and_nothing_else_as_a_program(bench):
    for name, text in FILES.items():
        (bench.root / name).write_text(text, encoding="utf-8")
    for words, code, names in VERBS:
        command = [sys.executable, "-m", "ledger.cli", *words, "--json"]
        done = subprocess.run(
            command, cwd=bench.root, capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (code, ""), words
        assert names <= set(json.loads(done.stdout)), words


def test_the_table_is_text_on_stdout_or_in_a_new_file(bench):
    (bench.root / "table.md").write_text(TABLE, encoding="utf-8")
    assert run("import-table", "table.md").stdout.startswith(
        "2 entries of recorded history, 0 corrections\nline 3, row 1 r1: contradiction:"
    )
    text = run("table").stdout
    assert text == (
        "| Step | Perf | Δ | Status | Lesson |\n| --- | --- | --- | --- | --- |\n"
        "| r1 | 1493 → 2267 | +30% | LANDED | a\\|b |\n| r2 | 100.0 → 110.0 | +10.0% | L |  |\n"
    )
    assert run("table", "--output", "out.md").stdout == ""
    assert (bench.root / "out.md").read_text(encoding="utf-8") == text
    again = run("table", "--output", "out.md")
    assert (again.exit_code, "is not replaced" in again.stderr) == (4, True)


def test_every_audit_verb_has_help_that_names_its_exit_codes_where_it_has_its_own(bench):
    for verb in ("audit", "lint-table", "import-table", "import-findings", "import-lock", "table"):
        result = run(verb, "--help")
        assert (result.exit_code, result.stdout.startswith("Usage: ")) == (0, True)
    said = {verb: " ".join(run(verb, "--help").stdout.split()) for verb in ("audit", "lint-table")}
    assert "Exit 1 when there is anything to ask about" in said["audit"]
    assert "Exit 1 when a change contradicts its operands, 3 when" in said["lint-table"]


# --- recorded history is not citable -------------------------------------------------------------


def test_no_claim_may_rest_on_recorded_history(publisher):
    (publisher.root / "history.md").write_text(TABLE, encoding="utf-8")
    assert publisher.ledger("import-table", "history.md").exit_code == 0
    publisher.write({**publisher.level, "evidence": [{"entry": "r2"}]})
    done = publisher.process("claims", "render", "prefill")
    assert done.returncode == 1
    assert "CLM314" in done.stdout + done.stderr
