"""Which interface has which address of this machine.

A route says how the kernel would go; the address at this end of a socket says how a socket goes
that was bound to one interface. Sources: netdevice(7) for SIOCGIFCONF, which lists IPv4 only, and
proc_pid_net(5) for if_inet6. Elsewhere than on Linux nothing is found.
"""

import array
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from engine.probes.interface import Address

INET6 = Path("/proc/self/net/if_inet6")
_LIST = 0x8912  # SIOCGIFCONF, include/uapi/linux/sockios.h
_NAME, _ROOM = 16, 65536


def owners(inet6: Path = INET6) -> dict[Address, str]:
    """Return the name of the interface that has each address."""
    if sys.platform != "linux":
        return {}
    return dict([*_four(), *_six(inet6)])


def _four() -> Iterator[tuple[Address, str]]:
    import fcntl

    room = array.array("B", bytes(_ROOM))
    asked = struct.pack("iP", _ROOM, room.buffer_info()[0])
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        length = struct.unpack("iP", fcntl.ioctl(any_socket, _LIST, asked))[0]
        yield from four(room.tobytes()[:length])


def four(listed: bytes) -> Iterator[tuple[Address, str]]:
    """Yield what a list of `struct ifreq` tells; an alias (`eth0:1`) is its interface's."""
    size = _NAME + (24 if struct.calcsize("P") == 8 else 16)
    for at in range(0, len(listed) - size + 1, size):
        name = listed[at : at + _NAME].split(b"\0")[0].decode("utf-8", "replace")
        family = struct.unpack_from("=H", listed, at + _NAME)[0]
        if family == socket.AF_INET:
            address = listed[at + _NAME + 4 : at + _NAME + 8]
            yield ipaddress.IPv4Address(address), name.partition(":")[0]


def _six(path: Path) -> Iterator[tuple[Address, str]]:
    with suppress(OSError, ValueError):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            address, *_, name = line.split()
            yield ipaddress.IPv6Address(int(address, 16)), name
