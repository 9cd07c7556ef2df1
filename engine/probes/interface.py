"""By which interface a connection goes, and whether that is a wire.

    towards("10.0.0.7")  ->  Interface(name="eth0", kind="wired", speed_mbit=25000, mtu=9000, …)

The kernel is asked for its route, because an address of this host looks like a wire and is reached
by loopback. What lies under a bridge, a bond or a tunnel's parent is looked at, too: one of them
that is wireless makes the whole wireless. What the system does not tell is absent.
"""

import ipaddress
import socket
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from receipts.errors import UndecidedError

Kind = Literal["loopback", "wired", "virtual", "wireless"]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
SYSFS = Path("/sys/class/net")
_LOOPBACK = "772"  # ARPHRD_LOOPBACK, include/uapi/linux/if_arp.h
_GET_ROUTE, _REQUEST, _NEW_ROUTE = 26, 1, 24
_DESTINATION, _SOURCE, _OUTGOING = 1, 2, 4
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface; what is None the system did not tell."""

    name: str
    kind: Kind
    speed_mbit: int | None = None
    mtu: int | None = None
    duplex: str | None = None

    def facts(self) -> dict[str, str | int]:
        """Return what a raw file says about it."""
        found = {
            "interface": self.name,
            "interface_kind": self.kind,
            "speed_mbit": self.speed_mbit,
            "mtu": self.mtu,
            "duplex": self.duplex,
        }
        return {name: value for name, value in found.items() if value is not None}


def of(connection: socket.socket, root: Path = SYSFS) -> Interface | None:
    """Return the interface by which `connection` reaches its peer; None where that is unknown."""
    name = connection.getpeername()
    zone = name[3] if len(name) > 3 else 0
    return describe(socket.if_indextoname(zone), root) if zone else towards(name[0], root)


def towards(address: str, root: Path = SYSFS, source: str | None = None) -> Interface | None:
    """Return the interface by which this host reaches `address`; None where that is unknown.

    A host may choose the route by the address at this end, `source`; where the kernel will not
    answer for that one, it is asked without.
    """
    target = _plain(address)
    if sys.platform != "linux":
        return Interface("lo0", "loopback") if target.is_loopback else None
    index = (_route(target, _plain(source)) if source else None) or _route(target)
    try:
        return describe(socket.if_indextoname(index), root) if index else None
    except OSError:  # it has gone since the kernel named it
        return None


def describe(name: str, root: Path = SYSFS) -> Interface:
    """Return what the system tells about the interface called `name`."""
    place = root / name
    speed, mtu = _number(place / "speed"), _number(place / "mtu")
    duplex = _read(place / "duplex")
    return Interface(name, _kind(place), speed, mtu, None if duplex == "unknown" else duplex)


def require_wire(interface: Interface | None) -> None:
    """Refuse a wireless interface: its rate is the weather's."""
    if interface and interface.kind == "wireless":
        raise UndecidedError(
            f"interface {interface.name} is wireless; a link is probed by wire, choose another"
        )


def _kind(place: Path) -> Kind:
    if _read(place / "type") == _LOOPBACK:
        return "loopback"
    if _wireless(place, _DEEPEST):
        return "wireless"
    return "wired" if (place / "device").exists() else "virtual"


def _wireless(place: Path, deep: int) -> bool:
    if any((place / mark).exists() for mark in ("wireless", "phy80211")):
        return True
    below = [*place.glob("lower_*"), *place.glob("brif/*")]
    names = [path.name.removeprefix("lower_") for path in below]
    return deep > 0 and any(_wireless(place.parent / name, deep - 1) for name in names)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip() or None
    except OSError:  # an interface that is down has no speed to read
        return None


def _number(path: Path) -> int | None:
    text = _read(path)
    return int(text) if text and text.isdecimal() and int(text) > 0 else None


def _plain(address: str) -> Address:
    """Return the address without its zone, and an IPv4 address that IPv6 wraps as itself."""
    plain = ipaddress.ip_address(address.partition("%")[0])
    mapped = plain.ipv4_mapped if isinstance(plain, ipaddress.IPv6Address) else None
    return mapped or plain


def _route(target: Address, source: Address | None = None) -> int | None:
    """Ask the kernel, by RTM_GETROUTE, for the index of the interface towards `target`."""
    family = socket.AF_INET if target.version == 4 else socket.AF_INET6
    address, here = target.packed, source.packed if source else b""
    route = struct.pack("=8BI", family, 8 * len(address), 8 * len(here), 0, 0, 0, 0, 0, 0)
    route += struct.pack("=HH", 4 + len(address), _DESTINATION) + address
    route += struct.pack("=HH", 4 + len(here), _SOURCE) + here if here else b""
    header = struct.pack("=IHHII", 16 + len(route), _GET_ROUTE, _REQUEST, 1, 0)
    try:
        # Of Linux alone: elsewhere the attribute is missing, and the question is not asked.
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as asked:  # type: ignore[attr-defined, unused-ignore]
            asked.settimeout(1)
            asked.sendall(header + route)
            return _outgoing(asked.recv(8192))
    except OSError:
        return None


def _outgoing(answer: bytes) -> int | None:
    if len(answer) < 28 or struct.unpack_from("=H", answer, 4)[0] != _NEW_ROUTE:
        return None
    place = 28
    while place + 8 <= len(answer):
        length, kind = struct.unpack_from("=HH", answer, place)
        if kind == _OUTGOING:
            index: int = struct.unpack_from("=I", answer, place + 4)[0]
            return index
        place += max(4, (length + 3) // 4 * 4)
    return None
