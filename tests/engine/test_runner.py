import os
import re
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

from engine import environment
from engine.results import detect
from receipts import keys, workspace
from receipts.digest import Digest

PYTHON = [sys.executable, "-S", "-E"]
DIES = "import os, sys; os.kill(os.getpid(), int(sys.argv[1]))"
HUGE = "import sys; open(sys.argv[1], 'wb').truncate(2**36)"  # sparse: it takes no room


def outcome(bench, *command, options=(), code):
    """Run one command, expect `code`; return the result, the last entry's body, the receipt."""
    result = bench.run(*command, options=options)
    assert result.exit_code == code, result.output
    body = bench.bodies()[-1]
    return result, body, bench.receipt(body["receipt"])


def test_a_run_is_admitted_before_its_command_starts_and_finished_after_it(bench):
    program = "cp {0} seen.db && {1} -S -E rows.py $EVIDENCE_RAW 1 500000"
    command = ["sh", "-c", program.format(bench.ledger, sys.executable)]

    _, body, _ = outcome(bench, *command, code=0)

    admitted, finished = bench.bodies()
    assert bench.bodies(path=bench.root / "seen.db") == [admitted]
    assert (admitted["phase"], finished["phase"]) == ("admitted", "finished")
    assert finished["admission"] == finished["prev"]
    assert (body["cell"], body["exit_status"]) == ("c", 0)
    assert "receipt" not in admitted


def test_the_receipt_binds_everything_about_the_run(bench):
    options = ["--identity", "commit=abc", "--identity", "flags=a=b"]
    result, body, receipt = outcome(
        bench, *bench.rows_command, "1", "500000", options=options, code=0
    )

    person = workspace.person_key().public
    said = receipt.predicate
    receipt.envelope.verify(person)
    assert receipt.signer_role == "runner"
    assert (said.origin, said.cell, said.reader) == ("witnessed", "c", "rows")
    assert (said.arm, said.repetition, said.window, said.plan) == (None, None, None, None)
    assert said.command[:4] == bench.rows_command[:4]
    assert said.command[-2:] == ["1", "500000"]
    assert said.identity["program"] == Digest.of_file(Path(sys.executable).resolve())
    assert said.identity["binary"] == said.identity["program"]
    assert (said.identity["commit"], said.identity["flags"]) == ("abc", "a=b")
    assert said.identity["instrument"] == "test"
    assert said.environment == environment.fingerprint()
    assert said.lease == {"lock": "host.lock", "exclusive": "this user", "source": "acquired"}
    assert datetime.fromisoformat(said.started_at) <= datetime.fromisoformat(said.finished_at)
    assert 0 < said.duration_ns < 60 * 10**9
    assert said.exit_status == 0
    raw, log = bench.object(receipt.require("raw")), bench.object(receipt.require("log"))
    assert detect.read(raw).runs[0].rows[0]["token_ns"] == [500000, 700001]
    assert sorted(log.splitlines()) == [b"to stderr", b"to stdout"]
    assert body["receipt"] in result.stdout


def test_a_build_that_the_raw_file_tells_is_the_binary(bench):
    command = [sys.executable, "-m", "engine.kernels.decode", "--variant", "tuned", "--vocab", "64"]
    command += ["--width", "32", "--tokens", "8", "--raw", "{raw}"]

    _, _, receipt = outcome(bench, *command, code=0)

    identity = receipt.predicate.identity
    assert identity["backend"] == "numpy"
    assert identity["reason"] == "EVIDENCE_NO_COMPILER is set; unset it to use C"
    assert "build" not in identity
    assert identity["binary"] == identity["program"]


def test_the_figures_are_those_of_the_stored_raw_file(bench):
    _, _, receipt = outcome(bench, *bench.rows_command, "1", "300000", code=0)

    found = {figure.metric: figure for figure in receipt.predicate.figures}
    (row,) = detect.read(bench.object(receipt.require("raw"))).runs[0].rows
    total = sum(row["token_ns"])
    assert found["decode_ms"].value == f"{total / 10**6:.9f}".rstrip("0")
    assert float(found["decode_tok_s"].value) == pytest.approx(2 * 10**9 / total, rel=1e-8)
    assert all((figure.n, figure.statistic) == (1, "median") for figure in found.values())


FAULTS = {
    "exits with 3": (["sh", "-c", "exit 3"], "the command exited with 3", 3),
    "is not found": (["./no-such"], "./no-such: No such file or directory", None),
    "is no program": (["/etc/passwd"], "/etc/passwd: Permission denied", None),
    "is a folder": (["/"], "/: Permission denied", None),
    "dies of a signal": ([*PYTHON, "-c", DIES, "9"], "the command died of SIGKILL", -9),
    "dies of a nameless signal": ([*PYTHON, "-c", DIES, "40"], "died of signal 40", -40),
    "writes nothing": (["true"], "the command wrote no raw file", 0),
    "writes a folder": (["mkdir", "{raw}"], "the command wrote no raw file", 0),
    "writes a pipe": (["mkfifo", "{raw}"], "the command wrote no raw file", 0),
    "writes nonsense": (["cp", "evidence.yaml", "{raw}"], "the file is of no tool", 0),
    "writes an empty file": (["touch", "{raw}"], "the file is of no tool", 0),
    "writes too much": ([*PYTHON, "-c", HUGE, "{raw}"], "over the limit of 268435456 bytes", 0),
    "writes rows and fails": (
        ["sh", "-c", f"{sys.executable} -S rows.py $EVIDENCE_RAW 1 500000; exit 9"],
        "the command exited with 9",
        9,
    ),
}


@pytest.mark.parametrize(("command", "reason", "status"), FAULTS.values(), ids=FAULTS)
def test_a_run_that_fails_is_on_record_with_its_reason_and_its_log(bench, command, reason, status):
    result, body, receipt = outcome(bench, *command, options=["--name", "n"], code=1)

    assert bench.phases() == ["admitted", "failed"]
    assert reason in body["reason"]
    assert reason in result.stdout
    assert body.get("exit_status") == receipt.predicate.exit_status == status
    assert "name" not in body
    assert receipt.predicate.figures == []
    assert receipt.predicate.reader is None
    receipt.envelope.verify(workspace.person_key().public)
    assert receipt.predicate.command[0] == command[0]
    assert bench.object(receipt.require("log")) in (b"", b"to stdout\nto stderr\n")


def test_what_a_failed_run_said_and_wrote_is_kept(bench):
    program = "echo so; echo far >&2; echo half > $EVIDENCE_RAW; exit 1"
    _, _, receipt = outcome(bench, "sh", "-c", program, code=1)

    assert bench.object(receipt.require("log")) == b"so\nfar\n"
    assert bench.object(receipt.require("raw")) == b"half\n"


def test_a_raw_file_over_the_limit_is_not_copied_into_the_store(bench):
    _, _, receipt = outcome(bench, *PYTHON, "-c", HUGE, "{raw}", code=1)

    assert [subject.name for subject in receipt.statement.subject] == ["log"]


def test_a_raw_file_whose_words_no_receipt_can_hold_fails_the_run(bench):
    record = (
        '[{"build_commit":"a\\ud800","build_number":1,"n_prompt":0,"n_gen":8,"avg_ns":1000000,'
        '"avg_ts":8000.0,"stddev_ts":0.0,"samples_ns":[1000000],"samples_ts":[8000.0]}]'
    )
    (bench.root / "bench.json").write_text(record)

    _, body, receipt = outcome(bench, "cp", "bench.json", "{raw}", code=1)

    assert "the raw file is refused: not encodable" in body["reason"]
    assert bench.object(receipt.require("raw")) == record.encode()


def test_nothing_is_tried_again(bench):
    outcome(bench, "sh", "-c", "echo started >> starts; exit 1", code=1)

    assert (bench.root / "starts").read_text() == "started\n"


def test_the_command_is_told_its_raw_file_in_the_environment_and_reads_nothing(bench):
    program = "cat; echo raw is $EVIDENCE_RAW; exit 1"
    _, _, receipt = outcome(bench, "sh", "-c", program, "{raw}", code=1)

    raw = receipt.predicate.command[-1]
    assert bench.object(receipt.require("log")) == f"raw is {raw}\n".encode()
    assert not Path(raw).parent.exists()


def test_a_raw_file_at_a_path_of_its_own_stays_there(bench):
    command = [*bench.rows_command[:-1], "mine.jsonl", "1", "500000"]

    _, _, receipt = outcome(bench, *command, options=["--raw", "mine.jsonl"], code=0)

    assert bench.object(receipt.require("raw")) == (bench.root / "mine.jsonl").read_bytes()


def test_an_older_raw_file_is_never_taken_for_this_run_s(bench):
    (bench.root / "old.jsonl").write_text("of yesterday")
    before = bench.files()

    result = bench.run("touch", "started", options=["--raw", "old.jsonl"])

    assert result.exit_code == 4
    assert "raw file old.jsonl is there already; the run must write a new one" in result.stderr
    assert bench.files() == before


REFUSED = {
    "name is malformed": (["--name", "two words"], 4, "receipt's or window's name"),
    "identity is not ASCII": (["--identity", "é=1"], 4, "object key 'é' is not an ASCII string"),
    "identity has no value": (["--identity", "commit="], 2, "is not NAME=VALUE"),
    "cell is malformed": (["--cell", "a cell"], 4, "cell"),
    "key is absent": (["--key", "gone_ed25519"], 4, "gone_ed25519"),
}


@pytest.mark.parametrize(("options", "code", "complaint"), REFUSED.values(), ids=REFUSED)
def test_what_could_not_be_recorded_is_refused_before_anything_runs(
    bench, options, code, complaint
):
    before = bench.files()

    result = bench.run("touch", "started", options=options)

    assert result.exit_code == code
    assert complaint in result.stderr
    assert bench.files() == before


def test_words_that_are_no_text_are_refused_before_anything_runs(bench):
    result = bench.run("touch", os.fsdecode(b"started\xff"))

    assert result.exit_code == 4
    assert bench.phases() == []
    assert not list(bench.root.glob("started*"))


def test_a_name_that_is_taken_is_refused_before_anything_runs(bench):
    outcome(bench, *bench.rows_command, "1", "500000", options=["--name", "taken"], code=0)
    before = bench.files()

    result = bench.run("touch", "started", options=["--name", "taken"])

    assert result.exit_code == 4
    assert "the name 'taken' is taken by entry 3; choose another" in result.stderr
    assert bench.files() == before


def test_a_name_that_is_taken_meanwhile_does_not_cost_the_run(bench):
    seed = bench.root / "elsewhere.jsonl"
    bench.run(*bench.rows_command[:-1], seed, "1", "400000", options=["--raw", seed])
    attach = f"{sys.executable} -m engine.cli attach --cell c --name mine {seed}"
    command = ["sh", "-c", f"{attach} && {sys.executable} -S -E rows.py $EVIDENCE_RAW 1 500000"]

    result, body, receipt = outcome(bench, *command, options=["--name", "mine"], code=0)

    assert bench.phases()[-3:] == ["admitted", "attached", "finished"]
    assert "name" not in body
    assert body["reason"].startswith("unnamed: the name 'mine' is taken by entry")
    assert body["reason"] in result.stdout
    assert receipt.predicate.figures


def test_a_key_without_the_runner_role_is_refused_before_anything_runs(bench):
    key = bench.enrolled_key("engineer")
    before = bench.files()

    result = bench.run("touch", "started", options=["--key", key])

    assert result.exit_code == 1
    assert re.search(r"key SHA256:\S+ is not runner; its roles: engineer", result.stderr)
    assert bench.files() == before


def test_a_key_that_nobody_enrolled_is_refused_before_anything_runs(bench):
    key = bench.root.parent / "stranger_ed25519"
    keys.generate(key, "stranger")
    before = bench.files()

    result = bench.run("touch", "started", options=["--key", key])

    assert result.exit_code == 4
    assert "is not enrolled in this ledger" in result.stderr
    assert bench.files() == before


def test_a_runner_who_is_nothing_else_signs_what_it_ran(bench):
    key = bench.enrolled_key("runner")

    _, _, receipt = outcome(
        bench, *bench.rows_command, "1", "500000", options=["--key", key], code=0
    )

    receipt.envelope.verify(keys.load(key).public)


def test_the_command_stands_in_a_session_of_its_own(bench):
    program = "import os; print(os.getsid(0) == os.getpid(), os.getppid())"
    _, _, receipt = outcome(bench, *PYTHON, "-c", program, code=1)

    assert bench.object(receipt.require("log")) == f"True {os.getpid()}\n".encode()


def test_an_interrupt_of_this_process_ends_the_group_and_is_on_record(bench):
    # The leader ends at once; its child ignores SIGTERM and would hold the lock for ever.
    program = (
        "import os, signal, subprocess, sys, time\n"
        "if os.fork():\n"
        "    time.sleep(0.1)\n"
        "    os.kill(os.getppid(), signal.SIGINT)\n"
        "    time.sleep(60)\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print(os.getpid(), flush=True)\n"
        "time.sleep(60)\n"
    )

    result = bench.run(*PYTHON, "-c", program)

    assert result.exit_code == 130
    assert "interrupted; what was finished is on record" in result.stderr
    assert bench.phases() == ["admitted", "failed"]
    body = bench.bodies()[-1]
    receipt = bench.receipt(body["receipt"])
    assert (body["reason"], receipt.predicate.exit_status) == ("interrupted", -signal.SIGTERM)
    grandchild = int(bench.object(receipt.require("log")))
    assert _ends(grandchild)
    assert bench.run("true").exit_code == 1  # and not 75: the host is free


def test_an_interrupt_while_the_command_is_being_started_loses_neither(bench, monkeypatch):
    pids = []

    class Impatient(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            pids.append(self.pid)
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", Impatient)

    result = bench.run("sleep", "60")

    assert result.exit_code == 130
    assert bench.bodies()[-1]["reason"] == "interrupted"
    assert _ends(pids[0])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _ends(pid):
    """Wait until the process is gone; five seconds are far more than a kill takes."""
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def test_what_a_raw_file_tells_stands_before_what_is_declared_of_a_run(bench):
    options = ["--identity", "backend=H100", "--identity", "vocab=1", "--identity", "rack=7"]

    result = bench.run(*bench.rows_command, "1", "5", options=options)

    said = bench.receipt(bench.bodies()[-1]["receipt"]).predicate
    assert result.exit_code == 0
    assert (said.identity["backend"], said.identity["rack"]) == ("numpy", "7")
    assert "vocab" not in said.identity
    assert "declared backend left out: the raw file tells it" in said.warnings
    assert "declared vocab left out: the raw file tells it" in said.warnings
