import json
import re
import statistics
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from receipts import workspace
from receipts.digest import Digest

PLAN = """\
version: 1
name: tuned-vs-plain
cell: decode-v64-w32
baseline:
  arm: plain
  command: [{plain}]
candidate:
  arm: tuned
  command: [{tuned}]
repetitions: {repetitions}
metrics: [decode_tok_s, token_ms]
cv_limit: "0.10"
scope: {{lane: greedy}}
"""
SLOW = "903217,911831,891277,905413"
FAST = "400187,411539,390863,405989"


@pytest.fixture
def plan(bench):
    """Write plan.yaml; an arm is the words of its command, or seed and times of the rows."""

    def write(plain=("1", SLOW), tuned=("1", FAST), repetitions=5, **other):
        arms = {"plain": plain, "tuned": tuned}
        words = {
            name: list(arm) if arm[0] == "sh" else [*bench.rows_command, *arm]
            for name, arm in arms.items()
        }
        listed = {name: ", ".join(json.dumps(w) for w in arm) for name, arm in words.items()}
        text = PLAN.format(**listed, repetitions=repetitions)
        text += "".join(f"{name}: {value}\n" for name, value in other.items())
        (bench.root / "plan.yaml").write_text(text)
        return bench.root / "plan.yaml"

    return write


def walk(bench, plan, *options, code=0):
    """Walk the plan; return the parsed JSON, the window's receipt (or None), and the result."""
    result = bench.invoke("ab", plan, "--execute", "--json", *options)
    assert result.exit_code == code, result.output
    value = json.loads(result.stdout)
    return value, bench.receipt(value["receipt"]) if "receipt" in value else None, result


def repetitions(bench, window):
    return [bench.receipt(item.receipt) for item in window.predicate.repetitions]


def rows(bench, window, arm):
    """Return the raw rows of one arm, read from the stored files that the window names."""
    names = [s.name for s in window.statement.subject if s.name.startswith(f"{arm}/")]
    lines = [bench.object(window.require(name)).splitlines()[1:] for name in names]
    return [json.loads(line) for file in lines for line in file]


def test_a_dry_run_starts_nothing_and_writes_nothing(bench, plan):
    path = plan(plain=("sh", "-c", "touch started"))
    before = bench.files()

    result = bench.invoke("ab", path, "--json")

    value = json.loads(result.stdout)
    assert result.exit_code == 0
    assert "dry run: nothing was started; add --execute" in result.stderr
    assert value["executes"] is False
    assert value["plan"] == Digest.of_file(path)
    assert value["order"][:5] == ["plain/0", "tuned/0", "tuned/1", "plain/1", "plain/2"]
    assert bench.files() == before


def test_the_order_on_record_is_ab_ba_ab_ba(bench, plan):
    value, window, _ = walk(bench, plan(repetitions=6))

    order = "plain/0 tuned/0 tuned/1 plain/1 plain/2 tuned/2 tuned/3 plain/3 plain/4 tuned/4"
    order = f"{order} tuned/5 plain/5".split()
    runs = [body for body in bench.bodies() if "arm" in body]
    admitted = [f"{b['arm']}/{b['repetition']}" for b in runs if b["phase"] == "admitted"]
    assert admitted == order
    assert [f"{r.arm}/{r.repetition}" for r in window.predicate.repetitions] == order
    assert [f"{r['arm']}/{r['repetition']}" for r in value["repetitions"]] == order
    assert bench.phases() == ["admitted", *["admitted", "finished"] * 12, "finished"]


def test_the_receipt_names_the_plan_and_every_repetition_with_its_raw_file(bench, plan):
    path = plan()
    value, window, _ = walk(bench, path)

    said = window.predicate
    window.envelope.verify(workspace.person_key().public)
    assert bench.object(window.require("plan")) == path.read_bytes()
    assert said.plan == Digest.of_file(path)
    assert (said.origin, said.cell, said.window) == ("witnessed", "decode-v64-w32", value["window"])
    assert (said.baseline, said.candidate, said.cv_limit) == ("plain", "tuned", "0.10")
    assert said.scope == {"lane": "greedy"}
    for item, run in zip(said.repetitions, repetitions(bench, window), strict=True):
        assert run.require("raw") == window.require(f"{item.arm}/{item.repetition}")
        assert bench.object(run.require("log")) == b"to stdout\nto stderr\n"
        assert (run.predicate.arm, run.predicate.repetition) == (item.arm, item.repetition)
        assert (run.predicate.window, run.predicate.plan) == (said.window, said.plan)
        assert (run.predicate.cell, run.predicate.exit_status) == (said.cell, 0)
        assert run.predicate.figures == []
    assert len(window.statement.subject) == 1 + len(said.repetitions)


def test_every_entry_of_a_window_carries_its_name_and_its_plan(bench, plan):
    path = plan()
    value, _, _ = walk(bench, path)

    bodies = bench.bodies()
    assert {body["window"] for body in bodies} == {value["window"]}
    assert {body["plan"] for body in bodies} == {Digest.of_file(path)}
    assert (bodies[-1]["name"], bodies[-1]["receipt"]) == (value["window"], value["receipt"])


def test_the_comparison_is_what_a_stranger_recomputes_from_the_raw_rows(bench, plan):
    value, window, _ = walk(bench, plan())

    exact = {
        arm: [sum(row["token_ns"]) for row in rows(bench, window, arm)]
        for arm in ("plain", "tuned")
    }
    rate = {arm: [Fraction(2 * 10**9, ns) for ns in times] for arm, times in exact.items()}
    time = {arm: [Fraction(ns, 2 * 10**6) for ns in times] for arm, times in exact.items()}
    assert all(len(times) == 5 for times in exact.values())
    for found, samples in zip(window.predicate.comparisons, (rate, time), strict=True):
        plain, tuned = (statistics.median(samples[arm]) for arm in ("plain", "tuned"))
        higher = found.metric == "decode_tok_s"
        assert float(found.ratio) == pytest.approx(
            float(tuned / plain if higher else plain / tuned)
        )
        change = tuned / plain - 1 if higher else 1 - tuned / plain
        assert float(found.change) == pytest.approx(float(change))
        for side, arm in ((found.baseline, "plain"), (found.candidate, "tuned")):
            values = [float(sample) for sample in samples[arm]]
            assert (side.arm, side.n) == (arm, 5)
            assert float(side.value) == pytest.approx(statistics.median(values))
            assert float(side.min) == pytest.approx(min(values))
            assert float(side.max) == pytest.approx(max(values))
            cv = statistics.stdev(values) / statistics.mean(values)
            assert float(side.cv) == pytest.approx(cv, rel=1e-6)
    assert [c["metric"] for c in value["comparisons"]] == ["decode_tok_s", "token_ms"]
    assert value["exactness"] == {"result": "exact", "compared": "tokens"}


def test_above_one_the_candidate_wins_whether_higher_or_lower_is_better(bench, plan):
    _, faster, _ = walk(bench, plan())
    _, slower, _ = walk(bench, plan(plain=("1", FAST), tuned=("1", SLOW)))

    for window, wins in ((faster, True), (slower, False)):
        found = {item.metric: item for item in window.predicate.comparisons}
        assert {item.polarity for item in found.values()} == {"higher", "lower"}
        assert all((float(item.ratio) > 1) == wins for item in found.values())
        assert all((float(item.change) > 0) == wins for item in found.values())
    over = found["token_ms"].convention
    assert over == "median(baseline) / median(candidate), above 1 the candidate wins"


def test_the_text_says_what_the_receipt_says(bench, plan):
    result = bench.invoke("ab", plan(), "--execute")

    body = bench.bodies()[-1]
    comparison = bench.receipt(body["receipt"]).predicate.comparisons[0]
    assert result.exit_code == 0
    assert (
        f"window tuned-vs-plain-1, cell decode-v64-w32, receipt {body['receipt']}" in result.stdout
    )
    assert "decode_tok_s (tok/s, higher is better), exact in every repetition" in result.stdout
    assert f"ratio {float(comparison.ratio):.6g} = median(candidate)" in result.stdout
    assert "CV ddof 1" in result.stdout


def timings(bench, window):
    """Return every number in the raw rows that tells a time, and what metrics make of it."""
    found = set()
    for arm in ("plain", "tuned"):
        for row in rows(bench, window, arm):
            total = sum(row["token_ns"])
            times = [row["prefill_ns"], *row["token_ns"], total]
            rates = [f"{2e9 / total:.6g}", f"{4e9 / row['prefill_ns']:.6g}"]
            found |= {str(ns) for ns in times} | {f"{ns / 1e6:.6g}" for ns in times} | set(rates)
    return found


def spoken(receipt):
    """Return what a receipt says but for the words that this test's commands get their times by,
    the duration of the whole process, and digests, which are no measured quantities."""
    value = json.loads(receipt.envelope.payload)
    for name in ("command", "duration_ns"):
        value["predicate"].pop(name, None)
    return re.sub(r"[0-9a-f]{64}", "", json.dumps(value))


@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["text", "json"])
def test_arms_that_differ_show_the_first_token_and_no_timing_anywhere(bench, plan, as_json):
    path = plan(tuned=("7", FAST))

    result = bench.invoke("ab", path, "--execute", *as_json)

    window = bench.receipt(bench.bodies()[-1]["receipt"])
    first = "tuned repetition 0 has token 8 at 0, plain repetition 0 has 2"
    assert result.exit_code == 1
    assert first in result.stdout
    assert window.predicate.exactness.first_difference == first
    assert window.predicate.comparisons == []
    runs = repetitions(bench, window)
    assert [run.predicate.figures for run in runs] == [[]] * 2
    printed = result.stdout + result.stderr
    logs = [bench.object(run.require("log")).decode() for run in runs]
    facts = "".join(spoken(receipt) for receipt in (window, *runs))
    printed = re.sub(r"sha256:[0-9a-f]{64}", "", printed)
    for text in (printed, facts, *logs, json.dumps(bench.bodies()[-1])):
        assert "tok/s" not in text
        assert "decode_tok_s" not in text
    looked_for = timings(bench, window)
    assert len(looked_for) > 10
    for timing in looked_for:
        assert not re.search(rf"(?<![0-9.]){re.escape(timing)}(?![0-9])", printed + facts)


def test_arms_that_differ_are_finished_and_not_void(bench, plan):
    value, window, _ = walk(bench, plan(tuned=("7", FAST)), code=1)

    assert value["comparisons"] == []
    assert value["exactness"]["result"] == "differs"
    assert bench.phases()[-1] == "finished"
    assert len(rows(bench, window, "tuned")) == 1  # the numbers stay in the raw files


def test_a_first_pair_that_differs_ends_the_walk_at_once(bench, plan):
    value, window, _ = walk(bench, plan(tuned=("7", FAST)), code=1)

    assert bench.phases() == ["admitted", *["admitted", "finished"] * 2, "finished"]
    ran = [(item.arm, item.repetition) for item in window.predicate.repetitions]
    assert ran == [("plain", 0), ("tuned", 0)]
    assert len(value["repetitions"]) == 2
    names = [subject.name for subject in window.statement.subject]
    assert names == ["plan", "plain/0", "tuned/0"]
    text = bench.invoke("ab", "plan.yaml", "--execute").stdout
    assert "2 of 10 repetitions ran; every timing is withheld" in text


def test_arms_that_differ_later_are_found_when_all_have_run(bench, plan):
    program = bench.root / "rows.py"
    old, new = "tokens=[seed + 1, 9]", "tokens=[seed + 1, 9 + (turn == 3)]"
    assert old in program.read_text()
    program.write_text(program.read_text().replace(old, new))

    value, window, _ = walk(bench, plan(), code=1)

    assert len(window.predicate.repetitions) == 10
    assert value["exactness"]["first_difference"].startswith("plain repetition 1 has token 10")


@pytest.mark.parametrize(
    ("metrics", "exactness", "reason"),
    [
        ("prefill_ms", "tokens", "arm plain has no samples of prefill_ms"),
        ("prefill_tok_s", "tokens", "arm plain kept no tokens: exactness cannot be decided"),
    ],
)
def test_a_first_repetition_that_cannot_be_compared_makes_the_window_void(
    bench, plan, metrics, exactness, reason
):
    path = plan(exactness=exactness)
    if metrics == "prefill_tok_s":
        record = {"build_commit": "c", "n_prompt": 8, "n_gen": 0}
        record |= {"samples_ns": [8000], "samples_ts": [1_000_000]}
        (bench.root / "record.json").write_text(json.dumps(record))
        path = plan(plain=("sh", "-c", 'cp record.json "$EVIDENCE_RAW"'))
    path.write_text(re.sub(r"metrics: .*", f"metrics: [{metrics}]", path.read_text()))

    result = bench.invoke("ab", path, "--execute")

    assert result.exit_code == 3
    assert reason in result.stderr
    assert bench.phases() == ["admitted", "admitted", "finished", "void"]
    assert reason in bench.bodies()[-1]["reason"]


def test_equal_tokens_with_other_logits_differ_only_where_the_plan_asks(bench, plan):
    program = "sed -i s/digest(str(seed))/digest(sys.argv[3])/ rows.py"
    subprocess.run(program.split(), cwd=bench.root, check=True)

    walk(bench, plan(), code=0)
    value, _, _ = walk(bench, plan(exactness="tokens-and-logits"), code=1)

    found = value["exactness"]
    assert found["compared"] == "tokens-and-logits"
    assert found["first_difference"] == "tuned repetition 0 has other logits after equal tokens"


def test_a_repetition_that_fails_makes_the_window_void_and_what_was_finished_stays(bench, plan):
    counted = "n=$(cat turn); if [ $n -eq 3 ]; then exit 7; fi; exec "
    words = " ".join([*bench.rows_command[:-1], '"$EVIDENCE_RAW"', "1", SLOW])
    path = plan(plain=("sh", "-c", "test -e turn || echo 0 > turn; " + counted + words))

    value, window, result = walk(bench, path, code=1)

    assert window is None
    assert value == {
        "window": "tuned-vs-plain-1",
        "cell": "decode-v64-w32",
        "void": "plain repetition 1 failed: the command exited with 7",
        "log": bench.receipt(bench.bodies()[-2]["receipt"]).require("log"),
    }
    bodies = bench.bodies()
    assert bench.phases() == [
        "admitted",
        *["admitted", "finished"] * 3,
        "admitted",
        "failed",
        "void",
    ]
    assert bodies[-1]["reason"] == value["void"]
    assert "receipt" not in bodies[-1]
    kept = [bench.receipt(body["receipt"]) for body in bodies if body["phase"] == "finished"]
    assert [bench.object(run.require("raw"))[:1] for run in kept] == [b"{"] * 3
    assert "tok/s" not in result.output


@pytest.mark.parametrize(
    ("change", "code", "reason"),
    [
        ({"metrics": "prefill_ms"}, 3, "arm plain has no samples of prefill_ms; its rows give"),
        ({"repetition": "turn"}, 1, "the raw file is refused: malformed: rows file: line 2"),
        ({"warmup": "turn"}, 4, "rows files 1 and 2 differ in warmup: 0 and 3"),
    ],
    ids=["a metric without samples", "a raw file that is refused", "an arm of two setups"],
)
def test_a_window_that_cannot_be_concluded_is_void_with_its_reason(
    bench, plan, change, code, reason
):
    program = bench.root / "rows.py"
    text = program.read_text()
    text = text.replace("warmup=0", f"warmup={change.get('warmup', 0)}")
    text = text.replace("repetition=0", f"repetition={change.get('repetition', 0)}")
    program.write_text(text)
    path = plan()
    metrics = f"metrics: [{change.get('metrics', 'decode_tok_s')}]"
    path.write_text(re.sub(r"metrics: .*", metrics, path.read_text()))

    result = bench.invoke("ab", path, "--execute")

    assert result.exit_code == code
    body = bench.bodies()[-1]
    assert body["phase"] == "void"
    assert reason in body["reason"]
    assert reason in result.output
    assert body["admission"]


def test_a_void_window_names_the_log_of_the_repetition_that_failed(bench, plan):
    path = plan(plain=("sh", "-c", "echo no such device; exit 7"))

    result = bench.invoke("ab", path, "--execute")

    log = bench.receipt(bench.bodies()[-2]["receipt"]).require("log")
    assert result.stdout.splitlines()[1:] == [f"  what it printed: receipts cat {log}"]
    assert bench.object(log) == b"no such device\n"


def test_a_dry_run_shows_what_is_fixed_before_it_runs(bench, plan):
    path = plan(repetitions=7)

    lines = bench.invoke("ab", path).stdout.splitlines()
    value = json.loads(bench.invoke("ab", path, "--json").stdout)

    assert "repeated  7 times each arm" in lines
    assert "metrics   decode_tok_s, token_ms" in lines
    assert "cv_limit  0.10" in lines
    assert "scope     lane=greedy" in lines
    assert (value["repetitions"], value["cv_limit"]) == (7, "0.10")
    assert (value["metrics"], value["scope"]) == (["decode_tok_s", "token_ms"], {"lane": "greedy"})


def test_the_names_of_windows_count_up_over_whatever_carries_one(bench, plan):
    path = plan()
    bench.run(*bench.rows_command, "1", "5", options=["--name", "tuned-vs-plain-2"])

    first, _, _ = walk(bench, path)
    third, _, _ = walk(bench, path)
    bad = plan(plain=("sh", "-c", "exit 1"))
    fourth, _, _ = walk(bench, bad, code=1)
    named, _, _ = walk(bench, plan(), "--name", "the-one")

    names = [value["window"] for value in (first, third, fourth, named)]
    assert names == ["tuned-vs-plain-1", "tuned-vs-plain-3", "tuned-vs-plain-4", "the-one"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("taken", "the name 'taken' is taken by entry 3; choose another"),
        ("void-1", "the name 'void-1' is taken by entry 4; choose another"),
        ("two words", "a receipt's or window's name: name"),
    ],
)
def test_a_window_s_name_is_refused_before_anything_runs(bench, plan, name, complaint):
    bench.run(*bench.rows_command, "1", "5", options=["--name", "taken"])
    void = plan(plain=("sh", "-c", "exit 1"))
    bench.invoke("ab", void, "--execute", "--name", "void-1")
    path = plan(plain=("sh", "-c", "touch started"))
    before = bench.files()

    result = bench.invoke("ab", path, "--execute", "--name", name)

    assert result.exit_code == 4
    assert complaint in result.stderr
    assert bench.files() == before


def test_a_window_s_name_that_is_taken_meanwhile_does_not_cost_the_window(bench, plan):
    # Another program of this version would respect the window that is under way; this one does not.
    (bench.root / "take.py").write_text(
        "from ledger import session\n"
        "with session.open_ledger(write=True) as here:\n"
        "    here.ledger.append({'kind': 'RUN', 'phase': 'attached', 'title': 't', 'cell': 'c',"
        " 'name': 'tuned-vs-plain-1'}, here.key())\n"
    )
    words = " ".join([*bench.rows_command[:-1], '"$EVIDENCE_RAW"', "1", SLOW])
    take = f"test -e done || {sys.executable} take.py; touch done"
    path = plan(plain=("sh", "-c", f"{take}; {words}"))

    _, window, _ = walk(bench, path)

    body = bench.bodies()[-1]
    assert body["phase"] == "finished"
    assert "name" not in body
    assert body["reason"].startswith("unnamed: the name 'tuned-vs-plain-1' is taken by entry")
    assert len(window.predicate.comparisons) == 2


def test_nothing_takes_the_name_of_a_window_that_is_under_way(bench, plan):
    rows_file = bench.root / "elsewhere.jsonl"
    bench.run(*bench.rows_command[:-1], rows_file, "1", "5", options=["--raw", rows_file])
    attach = f"{sys.executable} -m engine.cli attach --cell c --name tuned-vs-plain-1 {rows_file}"
    words = " ".join([*bench.rows_command[:-1], '"$EVIDENCE_RAW"', "1", SLOW])
    path = plan(plain=("sh", "-c", f"test -e done || {attach} >&2; touch done; {words}"))

    _, window, _ = walk(bench, path)

    log = bench.object(repetitions(bench, window)[0].require("log")).decode()
    assert "the name 'tuned-vs-plain-1' is taken by entry 4; choose another" in log
    assert bench.bodies()[-1]["name"] == "tuned-vs-plain-1"


def test_a_key_without_the_runner_role_walks_no_plan(bench, plan):
    key = bench.enrolled_key("engineer", "operator")
    path = plan(plain=("sh", "-c", "touch started"))

    result = bench.invoke("ab", path, "--execute", "--key", key)

    assert result.exit_code == 1
    assert "is not runner; its roles: engineer, operator" in result.stderr
    assert bench.phases() == []
    assert not (bench.root / "started").exists()


def test_an_interrupt_makes_the_window_void_and_keeps_what_was_finished(bench, plan):
    kill = "os.kill(int(\"'$PPID'\"), signal.SIGINT)"
    stop = f"{sys.executable} -c 'import os, signal; {kill}'; sleep 60"
    words = " ".join([*bench.rows_command[:-1], '"$EVIDENCE_RAW"', "1", FAST])
    program = f"if [ -e once ]; then {stop}; fi; touch once; exec {words}"
    path = plan(tuned=("sh", "-c", program))

    result = bench.invoke("ab", path, "--execute")

    assert result.exit_code == 130
    assert bench.phases() == [
        "admitted",
        *["admitted", "finished"] * 2,
        "admitted",
        "failed",
        "void",
    ]
    failed, void = bench.bodies()[-2:]
    assert (failed["reason"], void["reason"]) == ("interrupted", "interrupted")
    assert (failed["arm"], failed["repetition"]) == ("tuned", 1)


def test_without_a_compiler_the_real_decoder_says_so_in_every_receipt(bench):
    def arm(variant):
        words = f"-m engine.kernels.decode --variant {variant} --vocab 64 --width 32 --tokens 8"
        return ", ".join(json.dumps(w) for w in [*words.split(), "--raw", "{raw}"])

    text = PLAN.format(
        plain=f'"{{python}}", {arm("plain")}', tuned=f'"{{python}}", {arm("tuned")}', repetitions=5
    )
    Path("plan.yaml").write_text(text)

    value, window, _ = walk(bench, Path("plan.yaml"))

    assert value["exactness"]["result"] == "exact"
    for run in repetitions(bench, window):
        identity = run.predicate.identity
        assert identity["backend"] == "numpy"
        assert identity["reason"] == "EVIDENCE_NO_COMPILER is set; unset it to use C"
        assert identity["variant"] == run.predicate.arm
        assert run.predicate.command[0] == sys.executable
