"""The command `engine` as a program: exit codes, streams, signals, two at once."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine import environment, sidecar

DECODE = [sys.executable, "-m", "engine.kernels.decode", "--vocab", "64", "--width", "32"]
DECODE += ["--tokens", "8", "--raw", "{raw}", "--variant", "tuned"]
SLEEP = "echo $$ > child; sleep 60 & echo $! >> child; wait"
PATIENCE = 20.0


@pytest.fixture
def program(bench):
    """Start `engine` programs; what a test leaves running of them is ended with it."""
    started = []

    def start(*words):
        started.append(bench.start(*words))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()
    for pid in children(bench):
        if runs(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def running(bench, program):
    """Start a run whose command and its child sleep; return the program and both numbers."""

    def start(script=SLEEP):
        process = program("run", "--cell", "slow", "--execute", "--", "sh", "-c", script)
        wait_until(lambda: len(children(bench)) == 2)
        return process, children(bench)

    return start


def children(bench):
    path = bench.root / "child"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def ended(process, code):
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, stderr
    assert "Traceback" not in stderr
    return stdout, stderr


def test_a_dry_run_starts_nothing_and_writes_nothing(bench, program):
    before = bench.files()

    stdout, stderr = ended(program("run", "--cell", "c", "--json", "--", "touch", "started"), 0)

    assert json.loads(stdout) == {"cell": "c", "command": ["touch", "started"], "executes": False}
    assert stderr == "dry run: nothing was started; add --execute\n"
    assert bench.files() == before


def test_the_command_sees_itself_admitted_when_it_looks_into_the_ledger(bench, program):
    look = f"{sys.executable} -m ledger.cli list --json"
    rows = f"{sys.executable} -S -E rows.py $EVIDENCE_RAW 1 500000 > said"
    process = program("run", "--cell", "c", "--execute", "--", "sh", "-c", f"{look} && {rows}")
    ended(process, 0)

    finished = bench.bodies()[-1]
    seen = json.loads(
        bench.object(bench.receipt(finished["receipt"]).require("log")).split(b"to st")[0]
    )
    assert [entry["index"] for entry in seen] == [0, 1, 2]
    assert seen[-1]["kind"] == "RUN"
    assert seen[-1]["title"] == "admitted: c"
    assert finished["index"] == 3


def test_a_finished_run_is_one_json_document(bench, program):
    process = program("run", "--cell", "c", "--name", "n", "--json", "--execute", "--", *DECODE)

    stdout, stderr = ended(process, 0)

    value = json.loads(stdout)
    receipt = bench.receipt(value["receipt"])
    assert (value["phase"], value["name"], value["exit_status"]) == ("finished", "n", 0)
    assert "fault" not in value
    assert value["figures"] == [figure.plain() for figure in receipt.predicate.figures]
    assert stderr == ""


def test_a_child_s_exit_status_is_a_field_and_not_ours(bench, program):
    stdout, stderr = ended(
        program("run", "--cell", "c", "--json", "--execute", "--", "sh", "-c", "exit 75"), 1
    )

    value = json.loads(stdout)
    assert (value["phase"], value["exit_status"]) == ("failed", 75)
    assert value["fault"] == "the command exited with 75"
    assert stderr == ""


def test_ctrl_c_ends_the_whole_group_and_puts_the_interruption_on_record(bench, running):
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        process, (leader, child) = running()
        process.send_signal(signal.SIGINT)
        stdout, stderr = ended(process, 130)

        assert stdout == ""
        assert stderr.endswith("engine.cli: interrupted; what was finished is on record\n")
        assert stderr.count("\n") == 1
        wait_until(lambda: not runs(leader) and not runs(child))
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()
    admitted, failed = bench.bodies()
    assert (admitted["phase"], failed["phase"]) == ("admitted", "failed")
    assert failed["reason"] == "interrupted"
    receipt = bench.receipt(failed["receipt"])
    assert receipt.predicate.exit_status == -signal.SIGTERM


def test_a_second_ctrl_c_does_not_wait_and_loses_nothing(bench, running):
    process, (leader, _) = running("trap '' TERM; " + SLEEP + "; wait; sleep 60")
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    wait_until(lambda: not runs(leader))

    assert time.monotonic() - started < 4.5  # less than the grace that one Ctrl-C gives
    ended(process, 130)
    assert bench.bodies()[-1]["reason"] == "interrupted"


def test_a_killed_wrapper_leaves_the_host_leased_until_the_command_has_gone(
    bench, program, running
):
    process, (leader, child) = running()
    process.kill()
    process.wait()

    second = ["run", "--cell", "second", "--execute", "--", "true"]
    _, stderr = ended(program(*second), 75)
    assert f"this host is leased to pid {process.pid}, cell slow (lock " in stderr
    assert stderr.endswith("); try again later\n")
    assert [body["phase"] for body in bench.bodies()] == ["admitted"]
    os.kill(leader, signal.SIGKILL)
    _, stderr = ended(program(*second), 75)  # its child holds the lock as well
    os.kill(child, signal.SIGKILL)
    wait_until(lambda: not runs(child))

    ended(program(*second), 1)
    phases = [(body["cell"], body["phase"]) for body in bench.bodies()]
    assert phases == [("slow", "admitted"), ("second", "admitted"), ("second", "failed")]


def test_of_two_runs_at_once_one_is_told_to_try_again(bench, program, running):
    holder, _ = running()

    for words in (
        ["run", "--cell", "c", "--execute", "--", "touch", "started"],
        ["ab", "plan.yaml", "--execute"],
    ):
        plan = {"version": 1, "name": "w", "cell": "c", "metrics": ["ttft_ms"]}
        arms = {"baseline": "a", "candidate": "b"}
        plan |= {side: {"arm": arm, "command": ["true"]} for side, arm in arms.items()}
        (bench.root / "plan.yaml").write_text(json.dumps(plan))
        stdout, stderr = ended(program(*words), 75)
        assert stdout == ""
        assert f": this host is leased to pid {holder.pid}, cell slow (lock " in stderr
    assert len(bench.bodies()) == 1
    assert not (bench.root / "started").exists()


def test_a_held_host_keeps_nobody_from_attaching_or_reading(bench, program, running):
    running()
    (bench.root / "r.jsonl").write_bytes(
        subprocess.run(
            [sys.executable, "-S", "rows.py", "/dev/stdout", "1", "5"],
            cwd=bench.root,
            capture_output=True,
            check=True,
        ).stdout.partition(b"to stdout")[0]
    )

    ended(program("attach", "--cell", "c", "r.jsonl"), 0)
    ended(program("env"), 0)


def test_a_lock_that_is_a_symbolic_link_is_refused(bench, program, tmp_path):
    locks = tmp_path / "home" / "state" / "evidence-ledger" / "locks"
    locks.mkdir(parents=True)
    (locks / "host.lock").symlink_to(bench.ledger)
    before = bench.files()

    _, stderr = ended(program("run", "--cell", "c", "--execute", "--", "touch", "started"), 4)

    assert "host.lock is a symbolic link; remove it" in stderr
    assert bench.files() == before


def test_a_window_prints_one_json_document(bench, program):
    arm = ", ".join(json.dumps(word) for word in [*bench.rows_command, "1", "500000"])
    (bench.root / "plan.yaml").write_text(
        "{version: 1, name: w, cell: c, repetitions: 5, metrics: [decode_tok_s], "
        f"baseline: {{arm: a, command: [{arm}]}}, candidate: {{arm: b, command: [{arm}]}}}}\n"
    )

    stdout, stderr = ended(program("ab", "plan.yaml", "--execute", "--json"), 0)

    value = json.loads(stdout)
    assert (value["window"], value["exactness"]["result"]) == ("w-1", "exact")
    assert float(value["comparisons"][0]["ratio"]) == pytest.approx(1, abs=0.01)
    assert stderr == ""


def test_the_facts_about_this_machine_can_be_seen(program):
    stdout, _ = ended(program("env", "--json"), 0)
    text, _ = ended(program("env"), 0)

    facts = json.loads(stdout)
    assert facts.items() >= environment.fingerprint().items()
    assert {"container.id", "devices", "packages.digest"} <= facts.keys()
    assert [line.split()[0] for line in text.splitlines()] == list(facts)


def test_a_sidecar_is_written_once_and_says_what_was_not_told(program, bench):
    _, told = ended(program("env", "--sidecar", "env.json", "--session", "tuesday"), 0)
    assert "server_flags left out: not told" in told
    made = sidecar.read(bench.root / "env.json")
    assert (made.session, made.server_flags) == ("tuesday", None)
    _, told = ended(program("env", "--sidecar", "env.json", "--server-flags", ""), 4)
    assert "env.json exists and is not replaced" in told


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run", "--cell", "c"], "Missing argument"),
        (["run", "--", "true"], "Missing option '--cell'"),
        (["ab"], "Missing argument"),
        (["attach", "--cell", "c"], "Missing argument"),
        (["run", "--cell", "c", "--identity", "=x", "--", "true"], "is not NAME=VALUE"),
    ],
)
def test_wrong_usage_is_told_apart_from_wrong_input(bench, program, words, complaint):
    _, stderr = ended(program(*words), 2)

    assert complaint in stderr


def test_outside_a_workspace_nothing_runs(bench, program, tmp_path, monkeypatch):
    (bench.root / "evidence.yaml").rename(bench.root / "elsewhere.yaml")

    _, stderr = ended(program("run", "--cell", "c", "--execute", "--", "touch", "started"), 4)

    assert "no evidence.yaml here or above" in stderr
    assert not (bench.root / "started").exists()


def test_asking_for_help_does_not_pay_for_the_arithmetic():
    heavy = "numpy", "pydantic", "ruamel.yaml", "sqlite_utils", "cryptography"
    script = f"import sys, engine.cli; print([m for m in {heavy!r} if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )

    assert result.stdout == "[]\n"
