"""Which interface a connection takes: of this host, and in trees made as sysfs makes them."""

import shlex
import socket
import sys

import pytest

from engine.probes import interface
from engine.probes.interface import Interface
from receipts.errors import UndecidedError
from tests.fixtures import network

linux = pytest.mark.skipif(sys.platform != "linux", reason="not run: routes are asked on Linux")


@pytest.fixture
def sysfs(tmp_path):
    """Return a maker of interfaces in a folder of the shape of /sys/class/net."""

    def make(name, *marks, **files):
        place = tmp_path / name
        place.mkdir()
        for text, value in {"type": "1", "mtu": "1500", **files}.items():
            (place / text).write_text(f"{value}\n")
        for mark in marks:
            (place / mark).mkdir(parents=True)
        return tmp_path

    return make


@linux
@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_loopback_is_named_as_loopback(address):
    found = interface.towards(address)

    assert (found.name, found.kind, found.speed_mbit) == ("lo", "loopback", None)
    assert found.mtu >= 16384


@linux
def test_an_address_of_this_host_is_reached_by_loopback_whatever_interface_has_it():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("not run: this host has no route")
        own = asked.getsockname()[0]
    assert interface.towards(own).kind == "loopback"


@linux
def test_a_connection_knows_its_interface():
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        socket.create_connection(listening.getsockname()) as near,
    ):
        assert interface.of(near).kind == "loopback"


def test_a_card_is_wired_and_tells_speed_and_duplex(sysfs):
    root = sysfs("eth7", "device", speed=25000, duplex="full", mtu=9000)

    assert interface.describe("eth7", root) == Interface("eth7", "wired", 25000, 9000, "full")


def test_what_a_card_does_not_know_is_absent(sysfs):
    root = sysfs("eth7", "device", speed=-1, duplex="unknown")

    found = interface.describe("eth7", root)

    assert (found.speed_mbit, found.duplex) == (None, None)
    assert found.facts() == {"interface": "eth7", "interface_kind": "wired", "mtu": 1500}


@pytest.mark.parametrize("mark", ["wireless", "phy80211"])
def test_a_wireless_interface_is_refused(sysfs, mark):
    root = sysfs("wlan0", "device", mark)

    found = interface.describe("wlan0", root)

    assert found.kind == "wireless"
    with pytest.raises(UndecidedError, match="wlan0 is wireless; a link is probed by wire"):
        interface.require_wire(found)


@pytest.mark.parametrize("below", ["lower_wlan0", "brif/wlan0"])
def test_a_bridge_or_bond_over_a_wireless_interface_is_wireless(sysfs, below):
    sysfs("wlan0", "wireless")
    root = sysfs("br0", below)

    assert interface.describe("br0", root).kind == "wireless"


def test_an_interface_without_a_card_is_virtual_and_not_refused(sysfs):
    root = sysfs("veth1")

    found = interface.describe("veth1", root)

    assert found.kind == "virtual"
    interface.require_wire(found)
    interface.require_wire(None)


def test_interfaces_that_lie_over_each_other_end_the_search(sysfs):
    sysfs("a", "lower_b")
    root = sysfs("b", "lower_a")

    assert interface.describe("a", root).kind == "virtual"


def test_a_host_that_routes_by_the_address_at_its_own_end_is_asked_with_it(tmp_path):
    if why := network.missing():
        pytest.skip(why)
    code = (
        "from engine.probes.interface import towards\n"
        f"for source in (None, {network.NEAR!r}, {network.SECOND!r}, '203.0.113.9'):\n"
        f"    print(towards({network.FAR!r}, source=source).name)"
    )
    rule = f"ip rule add from {network.SECOND} table 7 && ip route add 192.0.2.0/24 dev wa table 7"
    script = f"{rule} && {sys.executable} -c {shlex.quote(code)}"

    done = network.run(tmp_path, "bash", "-c", script)

    # An address that this host does not have chooses no route: it is asked for without.
    assert done.stdout.split() == ["va", "va", "wa", "va"], done.stderr
