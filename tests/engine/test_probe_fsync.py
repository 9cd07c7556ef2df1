"""Durable writes on a real disk, with tails that are injected, real or absent."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine import cli_probe
from engine.probes import filesystem, fsync, load, raw, report
from engine.probes.fsync import Calls, Settings
from engine.results import detect
from engine.results.probes import DURABLE, PHASES
from receipts import files
from receipts.errors import Error, NotFoundError
from tests.fixtures.probes import FSYNC, fsync_rows, spell

REPOSITORY = Path(__file__).parents[2]
SHM = Path("/dev/shm")
MEMORY = sys.platform == "linux" and SHM.is_dir() and os.access(SHM, os.W_OK)


@pytest.fixture
def disk(tmp_path):
    """A folder on a disk; where the tests' own folder is memory, there is nothing to probe."""
    if filesystem.name(tmp_path) == "tmpfs":
        pytest.skip("not run: the folder for tests is on tmpfs")
    return tmp_path


@pytest.fixture
def program(disk):
    """Start the probe as a program in the folder `disk`; end what a test leaves running."""
    started = []

    def start(*words, **variables):
        command = [sys.executable, "-m", "engine.probes.fsync", str(disk), *map(str, words)]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **variables}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started.append(subprocess.Popen(command, env=environment, text=True, **pipes))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def invoke(*words):
    return CliRunner().invoke(cli_probe._alone, ["probe", *map(str, words)], catch_exceptions=False)


def slow_sync(nth, seconds):
    """Return calls of a disk on which one sync, the nth, takes that long besides."""
    turns = iter(range(10**6))

    def sync(descriptor):
        files.sync(descriptor)
        if next(turns) == nth:
            time.sleep(seconds)

    return Calls(sync=sync)


# --- what is measured --------------------------------------------------------------------------


def test_every_phase_of_every_cycle_on_a_real_disk_has_a_time(disk):
    (run,) = detect.read(fsync.measure(disk, Settings(iterations=5, size=100_000))).runs

    assert len(run.rows) == 5
    assert all(row[f"{phase}_ns"] > 0 for row in run.rows for phase in PHASES)
    assert run.identity["filesystem"] not in ("tmpfs", "unknown")
    assert run.samples["durable_ms"][0] * 10**6 == sum(run.rows[0][f"{p}_ns"] for p in DURABLE)
    assert list(disk.iterdir()) == []


def test_the_calls_are_made_in_the_order_that_makes_a_file_durable(disk):
    made = []

    def noted(name, call):
        return lambda *words: made.append((name, *words)) or call(*words)

    real = fsync.REAL
    fsync.measure(
        disk,
        Settings(iterations=1, size=3),
        Calls(**{name: noted(name, getattr(real, name)) for name in Calls.__annotations__}),
    )

    assert [name for name, *_ in made] == [
        "create", "write", "sync", "rename", "sync_folder", "unlink", "sync_folder",
    ]  # fmt: skip
    assert len(made[1][2]) == 3
    assert made[0][1].parent == made[4][1] == made[6][1]


def test_a_write_that_is_cut_short_is_gone_on_with(disk):
    sizes = []

    def short(descriptor, data):
        sizes.append(os.write(descriptor, data[:3]))
        return sizes[-1]

    fsync.measure(disk, Settings(iterations=1, size=8), Calls(write=short))
    assert sizes == [3, 3, 2]


def test_the_time_of_a_slow_call_is_in_its_own_phase(disk):
    data = fsync.measure(disk, Settings(iterations=4), slow_sync(2, 0.05))

    rows = detect.read(data).runs[0].rows
    assert rows[2]["fsync_ns"] > 50_000_000
    others = [row[f"{p}_ns"] for row in rows for p in PHASES if (p, row) != ("fsync", rows[2])]
    assert sorted(others)[len(others) // 2] < 50_000_000


def test_a_load_writes_beside_the_probe_and_is_gone_after_it(disk):
    (run,) = detect.read(fsync.measure(disk, Settings(iterations=3, load=True))).runs
    assert run.config["load"] is True
    assert list(disk.iterdir()) == []


def test_a_load_ends_when_nobody_holds_its_input(disk):
    command = [sys.executable, "-m", "engine.probes.load", str(disk / "load")]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        assert process.stdout.readline() == b"ready\n"
        process.stdin.close()
        assert process.wait(timeout=20) == 0
    assert 0 < (disk / "load").stat().st_size <= load.PIECE * load.PIECES


# --- the tail ----------------------------------------------------------------------------------


def test_an_injected_slow_tail_exits_1(disk, capsys):
    words = [str(disk), "--iterations", "6", "--max-tail-ms", "40"]

    assert fsync.main(words, slow_sync(3, 0.05)) == 1
    assert "gate max durable_ms <= 40 ms: FAIL (5" in capsys.readouterr().out


def test_a_tail_within_the_limit_exits_0(disk, capsys):
    assert fsync.main([str(disk), "--iterations", "3", "--max-tail-ms", "60000"]) == 0
    assert "pass" in capsys.readouterr().out


def test_a_probe_that_was_really_held_up_exits_1(program, disk):
    process = program("--iterations", "3000", "--max-tail-ms", "250", "--json")
    until(lambda: list(disk.glob(f"{fsync.PREFIX}*/*")) or process.poll() is not None)
    for _ in range(12):  # most of these hit a phase before the name is durable
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.01)

    stdout, stderr = process.communicate(timeout=60)

    assert (process.returncode, stderr) == (1, "")
    gate = json.loads(stdout)["gate"]
    assert gate["result"] == "fail"
    assert float(gate["measured"][""]) > 250


def test_the_command_prints_the_same_table_and_exit_code(disk):
    result = invoke("fsync", disk, "--iterations", "3", "--max-tail-ms", "0.000001", "--json")

    value = json.loads(result.stdout)
    assert result.exit_code == 1
    assert value["gate"]["result"] == "fail"
    assert [line["what"] for line in value["table"]] == [*DURABLE, "durable", *PHASES[5:]]
    assert {line["p99"] for line in value["table"]} == {None}


def read(iterations):
    return raw.decode(spell({**FSYNC, "iterations": iterations}, *fsync_rows(iterations)))


def test_under_100_values_the_99th_percentile_is_absent():
    (line,) = [line for line in report.lines(read(99)) if line.what == "fsync"]
    assert line.figures() == {
        "n": 99, "min": "3", "median": "3", "p99": None, "max": "3.0001",
    }  # fmt: skip
    assert any("absent" in text for text in report.text(read(99), None))


def test_of_100_values_the_99th_percentile_is_the_second_largest():
    values = [Fraction(n) for n in range(1, 101)]
    assert report.nearest_rank(values, 99) == 99
    assert report.Line("", "x", "ms", values).figures()["p99"] == "99"


@given(st.lists(st.fractions(), min_size=1, max_size=150), st.integers(1, 100))
def test_the_nearest_rank_is_the_smallest_value_that_enough_do_not_exceed(values, percent):
    found = report.nearest_rank(values, percent)
    assert found in values
    assert 100 * sum(value <= found for value in values) >= percent * len(values)
    assert all(
        100 * sum(one <= value for one in values) < percent * len(values)
        for value in values
        if value < found
    )


# --- where nothing is durable ------------------------------------------------------------------


@pytest.mark.skipif(not MEMORY, reason="not run: there is no /dev/shm to write to")
def test_tmpfs_is_refused_as_not_durable(tmp_path):
    with pytest.raises(Error, match="NOT_DURABLE: /dev/shm is on tmpfs, which is memory") as caught:
        fsync.measure(SHM, Settings(iterations=1))
    result = invoke("fsync", SHM, "--raw", tmp_path / "raw")
    assert (caught.value.exit_code, result.exit_code) == (4, 4)
    assert not list(tmp_path.iterdir())
    assert not list(SHM.glob(f"{fsync.PREFIX}*"))


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(NotFoundError, match="does not exist; create it"):
        fsync.measure(tmp_path / "none", Settings())


@pytest.mark.skipif(sys.platform != "linux", reason="not run: statfs types are Linux's")
def test_the_filesystem_s_name_is_the_one_that_the_mount_table_has(disk):
    device = disk.stat().st_dev
    name = f"{os.major(device)}:{os.minor(device)}"
    mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    types = {fields[fields.index("-") + 1] for fields in mounts if fields[2] == name}
    if not types:
        pytest.skip("not run: the mount table does not list this device")
    assert filesystem.name(disk) in types or filesystem.name(disk).startswith("0x")


# --- what is left behind -----------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_after_an_interrupt(program, disk, number):
    process = program("--iterations", "3000", "--load", "--raw", disk / "raw")
    until(lambda: list(disk.glob(f"{fsync.PREFIX}*/load")))
    time.sleep(0.2)

    process.send_signal(number)

    _, stderr = process.communicate(timeout=20)
    assert (process.returncode, stderr) == (130, "error: interrupted; no raw file was written\n")
    assert list(disk.iterdir()) == []


def test_what_a_killed_probe_left_is_removed_by_the_next(program, disk):
    process = program("--iterations", "3000")
    until(lambda: list(disk.glob(f"{fsync.PREFIX}*")))
    process.kill()
    process.communicate()
    assert len(list(disk.iterdir())) == 1

    fsync.measure(disk, Settings(iterations=1))

    assert list(disk.iterdir()) == []


def test_the_folder_of_a_living_probe_is_left_alone(disk):
    other = disk / f"{fsync.PREFIX}living"
    other.mkdir()
    descriptor = os.open(other, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        fsync.measure(disk, Settings(iterations=1))
    finally:
        os.close(descriptor)
    assert list(disk.iterdir()) == [other]


def test_a_stranger_s_file_in_a_folder_of_that_name_is_not_removed(disk):
    other = disk / f"{fsync.PREFIX}mine"
    other.mkdir()
    (other / "notes").write_text("keep")
    fsync.measure(disk, Settings(iterations=1))
    assert (other / "notes").read_text() == "keep"


def test_nothing_is_left_when_a_call_fails(disk):
    def broken(descriptor):
        raise OSError(28, "No space left on device")

    assert fsync.main([str(disk)], Calls(sync=broken)) == 74
    assert list(disk.iterdir()) == []


# --- on record ---------------------------------------------------------------------------------


def test_a_probe_runs_under_the_lease_as_any_command_does(bench, disk):
    words = ["-m", "engine.probes.fsync", str(disk), "--iterations", "4"]
    result = bench.invoke("run", "--cell", "probe", "--execute", "--json", "--", "{python}", *words)

    value = json.loads(result.stdout)
    assert result.exit_code == 0
    made = bench.receipt(value["receipt"])
    assert made.predicate.origin == "witnessed"
    assert made.predicate.reader == "probe"
    assert {f["metric"] for f in value["figures"]} == {"durable_ms", "fsync_ms", "dirsync_ms"}
    assert len(bench.object(made.require("raw")).splitlines()) == 5


def test_record_leaves_a_witnessed_receipt_and_prints_what_it_says(bench, disk):
    result = invoke("fsync", disk, "--iterations", "4", "--record", "--name", "disk-1", "--json")

    assert result.exit_code == 0, result.output
    assert "on record as receipt://sha256:" in result.stderr
    body = bench.bodies()[-1]
    assert (body["phase"], body["cell"], body["name"]) == ("finished", "probe-fsync", "disk-1")
    kept = detect.read(bench.object(bench.receipt(body["receipt"]).require("raw")))
    assert json.loads(result.stdout) == report.view(kept, None)


def test_a_tail_over_its_limit_is_on_record_as_measured_and_exits_1(bench, disk):
    result = invoke("fsync", disk, "--iterations", "2", "--record", "--max-tail-ms", "0.000001")
    assert result.exit_code == 1
    assert bench.bodies()[-1]["phase"] == "finished"


def test_a_refused_probe_is_on_record_as_failed(bench, disk):
    result = invoke("fsync", disk / "none", "--record")
    assert result.exit_code == 3
    assert "the command exited with 4, on record as receipt://" in result.stderr
    assert bench.bodies()[-1]["phase"] == "failed"


def test_a_raw_file_can_be_attached_later(bench, disk):
    path = bench.root / "fsync.jsonl"
    assert fsync.main([str(disk), "--iterations", "2", "--raw", str(path)]) == 0
    result = bench.invoke("attach", path, "--cell", "disk", "--json")
    assert json.loads(result.stdout)[0]["reader"] == "probe"


def test_a_raw_file_is_never_replaced_and_this_is_known_before_the_probe(disk, capsys):
    (disk / "raw").write_text("mine")
    assert fsync.main([str(disk), "--raw", str(disk / "raw")]) == 4
    assert "exists and is never replaced" in capsys.readouterr().err
    assert (disk / "raw").read_text() == "mine"
