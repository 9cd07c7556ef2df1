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

    plan = json.loads(stdout)
    assert plan.items() >= {"cell": "c", "command": ["touch", "started"], "executes": False}.items()
    assert plan.items() >= {"exclusive": "this user", "automatic_retry": False}.items()
    assert (plan["devices"], plan["quiet_seconds"]) == ([], 0)
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
    admitted, refused = bench.bodies()
    assert (admitted["phase"], refused["phase"]) == ("admitted", "refused")
    assert refused["reason"] in stderr
    os.kill(leader, signal.SIGKILL)
    _, stderr = ended(program(*second), 75)  # its child holds the lock as well
    os.kill(child, signal.SIGKILL)
    wait_until(lambda: not runs(child))

    ended(program(*second), 1)
    phases = [(body["cell"], body["phase"]) for body in bench.bodies()]
    tries = [("second", "refused")] * 2 + [("second", "admitted"), ("second", "failed")]
    assert phases == [("slow", "admitted"), *tries]


def test_from_another_home_the_host_is_leased_as_well(
    bench, program, running, tmp_path, monkeypatch
):
    shared = tmp_path / "locks"
    shared.mkdir()
    shared.chmod(0o2775)
    monkeypatch.setenv("EVIDENCE_LOCK_DIR", str(shared))
    process, (leader, child) = running()
    process.kill()
    process.wait()
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "another" / name))

    second = ["run", "--cell", "second", "--execute", "--", "true"]
    _, stderr = ended(program(*second), 75)
    assert f"this host is leased to pid {process.pid}, cell slow (lock {shared}/" in stderr
    for pid in (leader, child):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not runs(child))

    ended(program(*second), 1)
    assert bench.bodies()[-1]["phase"] == "failed"


def test_two_wrappers_started_at_once_run_one_command(bench, program):
    script = "echo $$ >> starts; sleep 2"
    words = ["run", "--cell", "c", "--execute", "--", "sh", "-c", script]

    codes = []
    for process in [program(*words), program(*words)]:
        process.communicate(timeout=PATIENCE)
        codes.append(process.returncode)

    assert sorted(codes) == [1, 75]
    assert len((bench.root / "starts").read_text().split()) == 1
    assert sorted(bench.phases()) == ["admitted", "failed", "refused"]


@pytest.mark.parametrize(
    ("options", "command", "code", "reason"),
    [
        ([], ["sh", "-c", "pkill x"], 2, "pkill ends what others run; it may not run under"),
        ([], ["nsys", "profile", "true"], 2, "nsys is a profiler"),
        (["--device", "GPU-none"], ["true"], 4, "device GPU-none is not here"),
        (["--device", "../x"], ["true"], 4, "device ../x is not here"),
    ],
)
def test_a_refusal_is_a_record(bench, program, options, command, code, reason):
    _, stderr = ended(program("run", "--cell", "c", *options, "--execute", "--", *command), code)

    assert reason in stderr
    (body,) = bench.bodies()
    assert (body["phase"], body["cell"]) == ("refused", "c")
    assert stderr.endswith(f"engine.cli: {body['reason']}\n")
    assert stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--quiet", "-1"], "--quiet -1 is not between"),
        (["--quiet", "nan"], "--quiet nan is not between"),
        (["--deadline", "0"], "--deadline 0 leaves no time"),
        (["--resident", "a=1"], "--resident without --device"),
        (["--limit", "speed=1"], "--limit 'speed' is unknown"),
        (["--device", "a", "--resident", "a"], "is not NAME=MIB"),
    ],
)
def test_terms_that_are_none_are_wrong_usage(bench, program, options, complaint):
    _, stderr = ended(program("run", "--cell", "c", *options, "--", "true"), 2)

    assert complaint in stderr
    assert bench.phases() == []


def test_the_terms_stand_in_the_plan(program):
    options = ["--device", "GPU-1", "--resident", "ollama=5200", "--deadline", "60", "--json"]
    stdout, _ = ended(program("run", "--cell", "c", *options, "--", "true"), 0)

    plan = json.loads(stdout)
    assert (plan["devices"], plan["residents"]) == (["GPU-1"], ["ollama=5200"])
    assert (plan["quiet_seconds"], plan["deadline_seconds"]) == (10, 60)


def test_a_child_s_75_an_admission_and_our_exit_are_three_fields(program):
    stdout, _ = ended(
        program("run", "--cell", "c", "--json", "--execute", "--", "sh", "-c", "exit 75"), 1
    )

    value = json.loads(stdout)
    assert (value["exit_status"], value["admission"], value["exit_code"]) == (75, "admitted", 1)
    assert isinstance(value["taints"], list)


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
    assert [body["phase"] for body in bench.bodies()] == ["admitted", "refused", "refused"]
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
    precious = bench.root / "precious"
    precious.write_text("keep me")
    (locks / "host.lock").symlink_to(precious)

    _, stderr = ended(program("run", "--cell", "c", "--execute", "--", "touch", "started"), 4)

    assert "host.lock is a symbolic link; remove it" in stderr
    assert precious.read_text() == "keep me"
    (refused,) = bench.bodies()
    assert (refused["phase"], refused["reason"] in stderr) == ("refused", True)
    assert not (bench.root / "started").exists()


def test_a_window_prints_one_json_document(bench, program):
    arm = ", ".join(json.dumps(word) for word in [*bench.rows_command, "1", "500000"])
    other = arm.replace(", ", ', "-B", ', 1)
    (bench.root / "plan.yaml").write_text(
        "{version: 1, name: w, cell: c, repetitions: 5, metrics: [decode_tok_s], "
        f"baseline: {{arm: a, command: [{arm}]}}, "
        f"candidate: {{arm: b, command: [{other}]}}}}\n"
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
