"""What of a run leaves this machine: made tables, real sockets, and a network of its own."""

import json
import os
import socket
import sys
import time
from ipaddress import IPv6Address, ip_address
from pathlib import Path

import pytest

from engine.apparatus import connections, sockets
from engine.apparatus.connections import Connections
from engine.probes import addresses, interface
from tests.fixtures import network

linux = pytest.mark.skipif(sys.platform != "linux", reason="not run: Linux lists sockets")
HEAD = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt uid timeout inode"
)
LEADER = 4_194_301
# 192.0.2.1 and 192.0.2.7 as a machine prints them whose lowest byte comes first.
NEAR, PEER, LOOP, ANY = "010200C0", "070200C0", "0100007F", "00000000"


def line(local, peer, inode=77, port=8000, state="01"):
    ends = f"{local}:9C40 {peer}:{port:04X}"
    return f"   0: {ends} {state} 00000000:00000000 00:00000000 00000000  0  0 {inode} 1 0"


def table(*lines):
    return "\n".join([HEAD, *lines]) + "\n"


@pytest.fixture
def proc(tmp_path):
    """Return a maker of a folder of the shape of /proc with one process that holds sockets."""

    def make(*lines, holds=(77,), udp=(), state="S", net="net:[1]", pid=LEADER):
        root = tmp_path / "proc"
        for name, rows in (("tcp", lines), ("udp", udp)):
            path = root / "self" / "net" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(table(*rows))
        for name, of in (("self", "net:[1]"), (str(pid), net)):
            (root / name / "ns").mkdir(parents=True)
            (root / name / "ns" / "net").symlink_to(of)
        rest = " ".join(["1", str(pid), str(pid)] + ["0"] * 15 + ["777"])
        (root / str(pid) / "stat").write_text(f"{pid} (bench) {state} {rest}\n")
        (root / str(pid) / "fd").mkdir()
        for number, inode in enumerate(holds):
            (root / str(pid) / "fd" / str(number)).symlink_to(f"socket:[{inode}]")
        return root

    return make


@pytest.fixture
def cards(tmp_path):
    """Return a maker of a folder of the shape of /sys/class/net with one card."""

    def make(name, *marks, **files):
        root = tmp_path / "cards"
        for mark in ("device", *marks):
            (root / name / mark).mkdir(parents=True)
        for text, value in {"type": "1", **files}.items():
            (root / name / text).write_text(f"{value}\n")
        return root

    return make


@pytest.fixture
def way():
    """Return the name of the interface by which this host would reach 192.0.2.7."""
    found = interface.towards("192.0.2.7") if sys.platform == "linux" else None
    if found is None:
        pytest.skip("not run: this host has no route")
    return found.name


def looked(seen, times=1):
    seen.follow(LEADER)
    for _ in range(times - 1):
        seen.look()
    return seen


# --- tables -----------------------------------------------------------------------------------


def test_a_line_tells_both_ends_and_the_inode():
    (found,) = sockets.parse("tcp", table(line(NEAR, PEER)))

    near, peer = ip_address("192.0.2.1"), ip_address("192.0.2.7")
    assert found == sockets.Socket("tcp", near, peer, 8000, 77, listens=False)
    assert found.has_peer


def test_ipv6_stands_as_four_words_and_a_wrapped_ipv4_address_is_itself():
    long = "B80D0120" + "00000000" * 2 + "07000000"
    wrapped = "0000000000000000FFFF0000" + PEER

    found = list(sockets.parse("udp", table(line(long, long), line(wrapped, wrapped))))

    assert [str(each.peer) for each in found] == ["2001:db8::7", "192.0.2.7"]
    assert [each.protocol for each in found] == ["udp", "udp"]


@pytest.mark.parametrize(
    "left_out",
    [line(NEAR, PEER, inode=0, state="06"), "   0: x", "", line(NEAR, "0702", inode=5)],
    ids=["nobody's", "torn", "empty", "too short"],
)
def test_what_has_no_owner_is_left_out(left_out):
    assert len(list(sockets.parse("tcp", table(left_out, line(NEAR, PEER))))) == 1


def test_who_listens_has_no_peer():
    (found,) = sockets.parse("tcp", table(line(NEAR, ANY, port=0, state="0A")))

    assert (found.listens, found.has_peer) == (True, False)


def test_tables_of_both_families_are_one(proc):
    root = proc(line(NEAR, PEER))
    (root / "self" / "net" / "tcp6").write_text(table(line("0" * 32, "0" * 32, inode=9)))

    assert [each.inode for each in sockets.table("tcp", root)] == [77, 9]


@linux
def test_a_process_s_own_sockets_are_found_by_their_inode():
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        socket.create_connection(listening.getsockname()) as near,
    ):
        inodes = {os.fstat(each.fileno()).st_ino for each in (listening, near)}
        local, remote = socket.socketpair()
        with local, remote, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
            found = sockets.held(os.getpid())
            assert found[os.fstat(datagrams.fileno()).st_ino] == "udp"
            assert os.fstat(local.fileno()).st_ino not in found
        assert {inode: found[inode] for inode in inodes} == dict.fromkeys(inodes, "tcp")
    assert not inodes & sockets.held(os.getpid()).keys()


@linux
def test_the_addresses_of_this_machine_are_found_of_both_kinds():
    found = addresses.owners()

    assert found[ip_address("127.0.0.1")] == "lo"
    assert set(found.values()) <= {name for _, name in socket.if_nameindex()}
    for place in Path("/proc/self/net/if_inet6").read_text().splitlines():
        address, *_, name = place.split()
        assert found[IPv6Address(int(address, 16))] == name


# --- looks ------------------------------------------------------------------------------------


def test_a_connection_is_recorded_once_with_the_first_and_last_look_that_saw_it(proc, cards, way):
    root = proc(line(NEAR, PEER), line(NEAR, PEER, inode=78), holds=(77, 78))
    seen = Connections(root, cards(way, speed=25000))

    looked(seen, 3)
    for each in (root / str(LEADER) / "fd").iterdir():
        each.unlink()
    seen.finish()

    (found,) = seen.listed()
    assert found.plain() == {
        "protocol": "tcp",
        "peer": "192.0.2.7",
        "port": 8000,
        "local": "192.0.2.1",
        "interface": way,
        "interface_kind": "wired",
        "speed_mbit": 25000,
        "first": 0,
        "last": 2,
    }
    assert seen.taints() == seen.warnings() == []
    assert seen.facts() == {"looks": 4}
    assert "(4 of them, 1000 ms apart)" in seen.absent(1000)["connections.unseen"]


def test_after_the_last_look_nothing_is_looked_at_any_more(proc, cards, way):
    root = proc()
    seen = looked(Connections(root, cards(way)))
    seen.finish()
    (root / "self" / "net" / "tcp").write_text(table(line(NEAR, PEER)))

    seen.look()

    assert seen.listed() == []
    assert seen.facts() == {"looks": 2}


def test_a_socket_of_somebody_else_is_no_connection_of_the_run(proc, cards, way):
    seen = looked(Connections(proc(line(NEAR, PEER), holds=(5,)), cards(way, "wireless")), 3)

    assert seen.listed() == seen.taints() == []


def test_a_socket_that_was_handed_over_is_found_by_the_last_look(proc, cards, way):
    root = proc(line(NEAR, PEER), holds=())
    seen = looked(Connections(root, cards(way)))
    (root / str(LEADER) / "fd" / "9").symlink_to("socket:[77]")

    seen.finish()

    assert [(each.first, each.last) for each in seen.listed()] == [(1, 1)]


def test_a_connection_that_is_held_goes_on_without_a_second_look_into_the_tables(proc, cards, way):
    root = proc(line(NEAR, PEER), line(NEAR, ANY, inode=78, port=0, state="0A"), holds=(77, 78))
    made = cards(way)
    seen = looked(Connections(root, made))
    (root / "self" / "net" / "tcp").write_text("")

    seen.look()
    assert [(each.first, each.last) for each in seen.listed()] == [(0, 1)]

    # What is known are its ends; by which way it goes may change, and is asked again.
    (made / way / "wireless").mkdir()
    seen.look()
    assert [each.interface_kind for each in seen.listed()] == ["wired", "wireless"]


def test_a_number_that_another_socket_gets_is_looked_up_again(proc, cards, way):
    root = proc(line(LOOP, LOOP))
    seen = looked(Connections(root, cards(way)))
    (held,) = (root / str(LEADER) / "fd").iterdir()
    held.unlink()
    seen.look()
    held.symlink_to("socket:[77]")
    (root / "self" / "net" / "tcp").write_text(table(line(NEAR, PEER)))

    seen.finish()

    assert [each.first for each in seen.listed()] == [2]


def test_who_is_in_the_session_without_a_living_parent_is_of_the_run_too(proc, cards, way):
    root = proc(line(NEAR, PEER), holds=())
    orphan = root / str(LEADER + 1)
    (orphan / "fd").mkdir(parents=True)
    (orphan / "fd" / "3").symlink_to("socket:[77]")
    rest = " ".join(["1", str(LEADER + 1), str(LEADER)] + ["0"] * 15 + ["777"])
    (orphan / "stat").write_text(f"{LEADER + 1} (left) S {rest}\n")

    seen = looked(Connections(root, cards(way)), 2)

    assert [each.first for each in seen.listed()] == [1]


@linux
def test_a_look_at_connections_that_are_known_costs_next_to_nothing():
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        seen = looked(Connections(), 2)
        seen.follow(os.getpid())
        begun = time.thread_time_ns()
        for _ in range(50):
            seen.look()

    # The table of TCP alone takes as much on a machine with a few hundred GiB of memory.
    assert (time.thread_time_ns() - begun) / 50 < 4_000_000


def test_a_wireless_interface_voids_by_name_and_once(proc, cards, way):
    lines = [line(NEAR, PEER), line(NEAR, PEER, inode=78, port=9)]
    seen = looked(Connections(proc(*lines, holds=(77, 78)), cards(way, "wireless")), 2)

    told = f"WIRELESS: tcp 192.0.2.7:8000 was reached by {way}, which is wireless"
    assert seen.voids() == seen.taints() == [told]
    assert {each.interface_kind for each in seen.listed()} == {"wireless"}


def test_a_wireless_one_is_listed_whatever_else_there_is(proc, cards, way, monkeypatch):
    monkeypatch.setattr(connections, "MOST", 2)
    lines = [line(NEAR, PEER, inode=at, port=at) for at in range(10, 15)]
    root, made = proc(*lines, holds=range(10, 15)), cards(way)
    seen = looked(Connections(root, made), 2)
    assert seen.warnings() == ["3 more connections left this machine than the 2 listed"]

    (made / way / "phy80211").mkdir()
    seen.finish()

    assert len(seen.listed()) == 3
    assert seen.voids()[0].startswith("WIRELESS: tcp 192.0.2.7:10 was")


def test_a_process_that_one_may_not_read_is_said(proc, cards, way):
    root = proc(line(NEAR, PEER))
    place = root / str(LEADER) / "fd"
    place.rename(root / "away")
    place.symlink_to("fd")  # a name that leads to itself cannot be listed, by root either

    seen = looked(Connections(root, cards(way)), 3)

    (said,) = seen.warnings()
    assert said.startswith(f"connections of pid {LEADER} bench are not told: Too many levels")


def test_a_process_in_another_network_is_said_and_not_guessed_at(proc, cards, way):
    root = proc(line(NEAR, PEER), net="net:[2]")

    seen = looked(Connections(root, cards(way)))

    assert seen.warnings() == [f"connections of pid {LEADER} bench are not told: another network"]
    assert seen.listed() == []


@linux
def test_the_sockets_of_another_user_are_hidden_and_not_taken_for_none():
    if os.geteuid() != 0:
        pytest.skip("not run: only root may become somebody else")
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setuid(65534)
        try:
            sockets.held(os.getppid())
        except PermissionError:
            os._exit(9)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def test_without_tables_it_says_why_there_are_none(tmp_path):
    seen = looked(Connections(tmp_path))

    assert seen.absent(1000)["connections"].endswith("sockets are listed on Linux alone")
    assert seen.facts() == {}
    assert seen.taints() == []


def test_looking_that_breaks_later_is_a_taint(proc, cards, way):
    root = proc(line(NEAR, PEER))
    seen = looked(Connections(root, cards(way)))
    (root / "self" / "net" / "tcp").unlink()

    seen.look()

    (told,) = seen.taints()
    assert told.startswith("looking for connections ended early: ")
    assert len(seen.listed()) == 1


@linux
def test_loopback_and_one_s_own_addresses_leave_no_record():
    own = [str(each) for each in addresses.owners() if each.version == 4]
    seen = Connections()
    with socket.create_server(("0.0.0.0", 0)) as listening:
        port = listening.getsockname()[1]
        near = [socket.create_connection((address, port)) for address in own]
        seen.follow(os.getpid())
        seen.finish()
        for each in near:
            each.close()

    assert "127.0.0.1" in own
    assert seen.listed() == seen.taints() == seen.warnings() == []
    assert seen.facts() == {"looks": 2}


# --- whole runs, in a network of their own -----------------------------------------------------

HOLD = """\
import socket, sys, time
own = socket.create_server(("::", 9000), family=socket.AF_INET6, dualstack_ipv6=True)
ends = [word.partition("@") for word in sys.argv[2:]]
near = [
    socket.create_connection((host, 9000), source_address=(source, 0) if source else None)
    for host, _, source in ends
]
time.sleep(float(sys.argv[1]))
"""
FAR_6 = "fe80::2%va"


@pytest.fixture
def in_network(bench, tmp_path):
    """Execute one run of cell c among two hosts; return what it printed, its entry, its receipt."""
    if why := network.missing():
        pytest.skip(why)
    (bench.root / "hold.py").write_text(HOLD)

    def run(*hosts, code, cards="", before=""):
        python = f"{sys.executable} -S -E"
        words = [sys.executable, "-m", "engine.cli", "run", "--cell", "c", "--execute", "--json"]
        words += ["--name", "it", "--limit", "run-pressure=1", "--limit", "steal=1", "--"]
        script = (
            f"{before} {python} hold.py 1.5 {' '.join(hosts)} && {python} rows.py $EVIDENCE_RAW 1 5"
        )
        done = network.run(tmp_path, *words, "bash", "-c", script, cards=cards)
        assert done.returncode == code, done.stdout + done.stderr
        body = bench.bodies()[-1]
        return json.loads(done.stdout), body, bench.receipt(body["receipt"]).predicate

    return run


def test_a_run_says_by_which_interface_it_reached_another_host_and_no_more(in_network):
    shown, body, said = in_network(network.FAR, network.NEAR, FAR_6, "127.0.0.1", code=0)

    assert [(one["peer"], one["local"]) for one in shown["connections"]] == [
        (network.FAR, network.NEAR),
        ("fe80::2", "fe80::1"),
    ]
    for one in said.apparatus.connections:
        assert (one.protocol, one.port, one.interface) == ("tcp", 9000, "va")
        assert (one.interface_kind, one.speed_mbit) == ("virtual", 10000)
        assert 0 <= one.first <= one.last < said.apparatus.samples["looks"]
    assert said.apparatus.samples["looks"] >= 3
    assert said.apparatus.absent["connections.unseen"] == shown["connections_unseen"]
    assert "what opened and closed between two looks" in shown["connections_unseen"]
    assert (body["phase"], said.taints) == ("finished", [])


def test_a_run_that_reached_somebody_through_the_air_is_void_and_shows_no_figure(in_network, cards):
    shown, body, said = in_network(network.FAR, code=1, cards=cards("va", "phy80211"))

    told = f"WIRELESS: tcp {network.FAR}:9000 was reached by va, which is wireless"
    assert (body["phase"], body["reason"], body["exit_status"]) == ("void", told, 0)
    assert "name" not in body
    assert (shown["phase"], shown["fault"], shown["exit_code"]) == ("void", told, 1)
    assert said.taints == [told]
    assert shown["figures"] == said.figures == []
    assert [one.interface_kind for one in said.apparatus.connections] == ["wireless"]


def test_a_socket_with_the_address_of_another_card_may_go_by_either_and_one_of_them_voids(
    in_network, cards
):
    cards("wa", "wireless")

    _, body, said = in_network(f"{network.FAR}@{network.SECOND}", code=1, cards=cards("va"))

    assert [each.interface for each in said.apparatus.connections] == ["va", "wa"]
    assert {each.local for each in said.apparatus.connections} == {network.SECOND}
    assert body["reason"] == (
        f"WIRELESS: tcp {network.FAR}:9000 was reached by wa, which is wireless"
    )


def test_a_process_that_went_into_a_network_of_its_own_is_said(in_network):
    _, body, said = in_network(code=0, before="unshare -n")

    (warning,) = [each for each in said.warnings if "another network" in each]
    assert warning.startswith("connections of pid ")
    assert (body["phase"], said.apparatus.connections) == ("finished", None)
