"""Link probes between real processes and threads over loopback, and what a server refuses."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import cli_probe
from engine.probes import link, raw, report, server, tcp_info, wire
from engine.probes.wire import Hello, Wire
from engine.results import detect
from receipts.errors import ConflictError, HeldError, MalformedError, UndecidedError, UsageError
from tests.fixtures.probes import LINK, link_rows, spell, without

linux = pytest.mark.skipif(sys.platform != "linux", reason="not run: busy time is Linux's")
REPOSITORY = Path(__file__).parents[2]
LONG = str(max(1.5, 250 * (tcp_info.tick_ns() or 0) / 10**9))
"""Seconds of a probe that any kernel resolves, also on a host with other things to do."""
LOOSE = 150
"""Milliseconds of a probe that is too short for any kernel's 100 ticks but the fastest."""


@contextmanager
def serving(**options):
    """Serve on loopback in a thread; yield the port and what the server tells."""
    told = []
    with server.listen("127.0.0.1", 0) as listening:
        ours = server.Server(listening, told.append, **options)
        thread = threading.Thread(target=ours.serve, args=(60,))
        thread.start()
        try:
            yield listening.getsockname()[1], told
        finally:
            ours.stop()
            thread.join()


@pytest.fixture
def far():
    """A server on loopback; yields its port and what it tells."""
    with serving() as found:
        yield found


@pytest.fixture
def air(tmp_path):
    """A tree as sysfs makes it, in which the loopback interface is a wireless card."""
    (tmp_path / "sys" / "lo" / "wireless").mkdir(parents=True)
    return tmp_path / "sys"


@pytest.fixture
def program():
    """Start the commands as programs; what a test leaves running of them is ended with it."""
    started = []

    def start(module, *words):
        command = [sys.executable, "-m", module, *map(str, words)]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(command, env=environment, text=True, **pipes)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def busy_with(port):
    """Say whether the server at `port` is at a probe: then it refuses another."""
    other = greet(port, probe_id="cd" * 16, last=True)
    with closing(other.connection):
        try:
            other.hear()
        except HeldError:
            return True
    return False


def invoke(*words):
    return CliRunner().invoke(cli_probe._alone, ["probe", *map(str, words)], catch_exceptions=False)


def quick(port, **changes):
    return link.Settings("127.0.0.1", port, **{"milliseconds": LOOSE, "repetitions": 1, **changes})


def greet(port, **changes):
    """Connect and say a hello with these fields changed; return the wire."""
    asked = Hello("ab" * 16, 0, "forward", 0, 1, LOOSE, last=False).line()
    one = Wire(socket.create_connection(("127.0.0.1", port)), 5)
    one.say({**asked, **changes})
    return one


# --- two programs ------------------------------------------------------------------------------


@linux
@pytest.mark.slow
def test_two_programs_measure_both_directions_and_every_clock(program, tmp_path):
    far = program("engine.cli_probe", "probe", "link", "--server", "--json")
    head = "".join(far.stdout.readline() for _ in range(4))
    listening = json.loads(head)
    path = tmp_path / "link.jsonl"
    words = [f"127.0.0.1:{listening['port']}", "--seconds", LONG, "--repetitions", "1"]
    near = program("engine.probes.link", *words, "--raw", path, "--min-gbps", "0.01", "--json")

    stdout, stderr = near.communicate(timeout=60)

    assert (near.returncode, stderr) == (0, "")
    value = json.loads(stdout)
    assert value["gate"]["result"] == "pass"
    assert value["gate"]["metric"] == "link_busy_gbps"
    assert {line["where"] for line in value["table"]} == {"forward", "backward"}
    forward, backward = detect.read(path.read_bytes()).runs
    for run in (forward, backward):
        (row,) = run.rows
        assert len(run.samples) == 4
        assert row["busy_ns"] % row["tick_ns"] < 1000
        assert row["busy_ns"] <= row["wall_ns"] + row["tick_ns"]
        assert row["send_ns"] <= row["wall_ns"]
        assert run.identity["interface_kind"] == run.identity["peer_interface_kind"] == "loopback"
    assert forward.identity["probe_id"] == backward.identity["probe_id"]
    assert listening["listening"] == "127.0.0.1"


def test_a_server_says_that_it_authenticates_nobody_and_where_it_listens(program):
    far = program("engine.cli_probe", "probe", "link", "--server", "--for", "0.1")

    stdout, stderr = far.communicate(timeout=30)

    assert far.returncode == 0
    assert re.fullmatch(r"listening on 127\.0\.0\.1 port [0-9]+\n", stdout)
    assert "authenticates nobody; on loopback: only this host reaches it" in stderr


def test_a_server_on_every_address_says_who_can_reach_it(program):
    far = program(
        "engine.cli_probe", "probe", "link", "--server", "--bind", "0.0.0.0", "--for", "0"
    )

    _, stderr = far.communicate(timeout=30)

    assert "whoever reaches 0.0.0.0 can use it" in stderr


def test_ctrl_c_ends_a_client_at_once_and_leaves_no_raw_file(far, program, tmp_path):
    words = [f"127.0.0.1:{far[0]}", "--seconds", "30", "--raw", tmp_path / "raw"]
    near = program("engine.probes.link", *words)
    until(lambda: busy_with(far[0]))
    time.sleep(0.2)

    near.send_signal(signal.SIGINT)

    _, stderr = near.communicate(timeout=10)
    assert near.returncode == 130
    assert stderr == "error: interrupted; no raw file was written\n"
    assert list(tmp_path.iterdir()) == []


# --- the near end ------------------------------------------------------------------------------


def test_streams_at_once_have_a_row_each_under_one_probe_id(far):
    data = link.measure(quick(far[0], streams=3, milliseconds=60))

    header, *rows = map(json.loads, data.splitlines())
    places = [(row["direction"], row["stream"]) for row in rows]
    assert places == [(d, s) for d in ("forward", "backward") for s in range(3)]
    assert header["streams"] == 3
    assert len(header["probe_id"]) == 32
    assert far[1] == []


@linux
def test_a_probe_that_is_too_short_is_unresolved_and_prints_no_number(far, tmp_path):
    path = tmp_path / "raw"

    result = invoke("link", "--client", f"127.0.0.1:{far[0]}", "--seconds", "0.05", "--raw", path)

    assert result.exit_code == 3
    assert "PROBE_UNRESOLVED" in result.stderr
    assert result.stdout == ""
    assert all(not run.samples for run in detect.read(path.read_bytes()).runs)


def test_a_server_serves_one_probe_after_another_without_a_pause(far):
    ids = [link.measure(quick(far[0], milliseconds=20)) for _ in range(3)]
    assert len({json.loads(data.splitlines()[0])["probe_id"] for data in ids}) == 3


def test_where_no_server_answers_nothing_is_decided():
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(UndecidedError, match=r"no probe server answers .*--server --bind"):
        link.measure(quick(port))


def test_a_server_that_hangs_is_not_waited_for_without_end():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        one = Wire(socket.create_connection(silent.getsockname()), 0.2)
        started = time.monotonic()
        with closing(one.connection), pytest.raises(UndecidedError, match="in time"):
            one.hear()
    assert time.monotonic() - started < 5


def test_a_server_that_closes_in_the_middle_is_an_error_and_no_number():
    def leave(listening):
        connection, _ = listening.accept()
        with closing(connection):
            heard = Wire(connection)
            heard.say({"probe_id": heard.hear()["probe_id"]})
            heard.hear()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=leave, args=(listening,), daemon=True).start()
        with pytest.raises((UndecidedError, OSError)):
            link.measure(quick(listening.getsockname()[1]))


def test_a_server_whose_count_differs_is_not_believed():
    def lie(listening):
        connection, _ = listening.accept()
        with closing(connection):
            heard = Wire(connection)
            heard.say({"probe_id": heard.hear()["probe_id"]})
            heard.hear()
            got = heard.receive_blocks()
            heard.say({**got, "bytes": got["bytes"] + 1})
            connection.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=lie, args=(listening,), daemon=True).start()
        with pytest.raises(MalformedError, match="bytes were sent and"):
            link.measure(quick(listening.getsockname()[1]))


@pytest.mark.parametrize(
    "line",
    [
        {"bytes": 1, "receive_ns": 2, "send_ns": 3},
        {"bytes": 1, "receive_ns": 2, "send_ns": 3, "wall_ns": 4, "more": 5},
        {"bytes": -1, "receive_ns": 2, "send_ns": 3, "wall_ns": 4},
        {"bytes": "1", "receive_ns": 2, "send_ns": 3, "wall_ns": 4},
        {"bytes": True, "receive_ns": 2, "send_ns": 3, "wall_ns": 4},
    ],
)
def test_a_report_of_other_fields_or_no_counts_is_refused(line):
    with pytest.raises(MalformedError, match="other end's report"):
        wire.sender_report(line)


@pytest.mark.parametrize("text", ["", "host", ":1", "host:", "host:0", "host:65536", "host:x"])
def test_what_is_no_host_and_port_is_refused(text):
    with pytest.raises(UsageError, match="is not HOST:PORT"):
        link.address(text)


def test_an_ipv6_address_stands_in_brackets():
    assert link.address("[::1]:4711") == ("::1", 4711)


@pytest.mark.parametrize(
    "changes",
    [{"milliseconds": 0}, {"milliseconds": 60_001}, {"streams": 17}, {"repetitions": 101}],
)
def test_settings_are_bounded(changes):
    with pytest.raises(UsageError, match="choose 1 to"):
        quick(1, **changes)


# --- the far end -------------------------------------------------------------------------------


def test_a_second_probe_at_the_same_time_is_told_to_come_back(far):
    with closing(greet(far[0]).connection):
        time.sleep(0.2)
        other = greet(far[0], probe_id="cd" * 16)
        with closing(other.connection), pytest.raises(HeldError, match="another probe is going on"):
            other.hear()


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "evidence-ledger/link/v2"},
        {"direction": "sideways"},
        {"streams": 17},
        {"streams": 0},
        {"milliseconds": 60_001},
        {"milliseconds": "9"},
        {"repetition": -1},
        {"last": 1},
        {"probe_id": 7},
        {"more": 1},
    ],
)
def test_a_hello_that_asks_for_anything_else_is_not_answered(far, changes):
    one = greet(far[0], **changes)
    with closing(one.connection), pytest.raises(UndecidedError, match="closed the connection"):
        one.hear()
    until(lambda: len(far[1]) == 1)


def test_a_line_without_an_end_is_cut_off(far):
    with socket.create_connection(("127.0.0.1", far[0])) as near:
        near.sendall(b"x" * (wire.MAX_LINE + 1))
        assert near.recv(1) == b""
    until(lambda: far[1])
    assert "a line of over 4096 bytes" in far[1][0]


def test_a_block_of_any_other_length_is_refused_before_it_is_kept():
    one, other = socket.socketpair()
    with closing(one), closing(other):
        listening = socket.create_server(("127.0.0.1", 0))
        with listening:
            near = socket.create_connection(listening.getsockname())
            far_end, _ = listening.accept()
        with closing(near), closing(far_end):
            near.sendall((1 << 60).to_bytes(8, "big"))
            with pytest.raises(MalformedError, match="is over 262144"):
                Wire(far_end, 5).receive_blocks()


# --- the gate ----------------------------------------------------------------------------------


def read(*rows, **changes):
    return raw.decode(spell({**LINK, **changes}, *(rows or link_rows())))


@pytest.mark.parametrize("metric", ["link_wall_gbps", "link_send_gbps", "link_receive_gbps"])
def test_a_gate_fed_with_any_clock_but_busy_time_is_refused_by_metric_id(metric):
    with pytest.raises(ConflictError, match=f"takes link_busy_gbps; {metric} has another"):
        report.judge_link(read(), metric, Fraction(1))


def test_the_gate_holds_both_directions_against_their_busy_rate():
    slow = [
        {**row, "busy_ns": 1_000_000_000} if row["direction"] == "backward" else row
        for row in link_rows()
    ]

    assert report.judge_link(read(), "link_busy_gbps", Fraction(10)).passed
    gate = report.judge_link(read(*slow), "link_busy_gbps", Fraction(10))
    assert not gate.passed
    assert gate.measured == {"forward": 10, "backward": 8}
    assert gate.line() == ("gate median link_busy_gbps >= 10 Gbit/s: FAIL (forward 10, backward 8)")


def test_without_busy_time_no_gate_is_judged_and_the_table_says_absent():
    bare = read(*(without("busy_ns", without("tick_ns", row)) for row in link_rows()))

    with pytest.raises(UndecidedError, match="busy time is absent"):
        report.judge_link(bare, "link_busy_gbps", Fraction(1))
    assert "forward: busy absent: this kernel does not count it" in list(report.text(bare, None))
    assert report.view(bare, None)["runs"][0]["absent"] == ["link_busy_gbps"]


@pytest.mark.parametrize("name", ["interface", "peer_interface"])
def test_without_an_interface_no_gate_is_judged(name):
    header = without(f"{name}_kind", without(name, LINK))
    file = raw.decode(spell(header, *link_rows()))

    with pytest.raises(UndecidedError, match="nothing says that it is a wire"):
        report.judge_link(file, "link_busy_gbps", Fraction(1))
    assert any("interface absent" in line for line in report.text(file, None))


def test_the_table_names_ends_clocks_and_absence():
    lines = list(report.text(read(), None))

    assert lines[2] == "here   eth7: wired, speed 10000 Mbit/s, MTU 9000, duplex full"
    assert lines[3] == "there  eth1: wired, speed absent, MTU absent, duplex absent"
    row = next(line for line in lines if "link_busy_gbps" in line)
    assert row.split() == ["link_busy_gbps", "2", "10", "10", "absent", "10"]


def test_a_gate_that_fails_exits_1(far):
    words = ["--client", f"127.0.0.1:{far[0]}", "--seconds", "0.05", "--repetitions", "1"]
    result = invoke("link", *words, "--min-gbps", "100000", "--json")
    assert result.exit_code in (1, 3)
    result = invoke("link", *words, "--min-gbps", "1e3")
    assert (result.exit_code, result.stdout) == (2, "")


@linux
def test_a_real_gate_that_cannot_be_reached_exits_1(far):
    words = ["--client", f"127.0.0.1:{far[0]}", "--seconds", LONG, "--repetitions", "1"]

    result = invoke("link", *words, "--min-gbps", "100000", "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["gate"]["result"] == "fail"


# --- words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "give either --server or --client"),
        (["--server", "--client", "h:1"], "give either --server or --client"),
        (["--server", "--min-gbps", "1"], "--min-gbps is for the client"),
        (["--server", "--record"], "--record is for the client"),
        (["--client", "h:1", "--port", "1"], "--port is for the server"),
        (["--client", "h:1", "--for", "1"], "--for is for the server"),
        (["--client", "h:1", "--seconds", "2s"], "--seconds '2s' is not a decimal number"),
        (["--client", "h:1", "--name", "n"], "belong to --record"),
        (["--client", "h:1", "--record", "--raw", "r"], "leave --raw out"),
        (["--server", "--bind", "no.such.host.invalid"], "is no address of this host"),
    ],
)
def test_words_that_do_not_go_together_are_refused(words, complaint):
    result = invoke("link", *words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert result.stdout == ""


@linux
def test_a_wireless_end_is_refused_before_anything_is_sent(far, air):
    with pytest.raises(UndecidedError, match="interface lo is wireless"):
        link.measure(quick(far[0], sysfs=air))


@linux
def test_a_server_at_a_wireless_interface_refuses_and_the_client_says_so(air):
    with serving(sysfs=air) as (port, _), pytest.raises(UndecidedError) as caught:
        link.measure(quick(port))
    assert str(caught.value).startswith("the server refuses: interface lo is wireless")
