"""Sockets as the kernel lists them: whose they are, and which have a peer outside of loopback.

/proc/PID/fd tells by inode which sockets a process holds, /proc/PID/net/{tcp,tcp6,udp,udp6} what
stands at their two ends. Those tables are of a whole network namespace, so they are read once for
all processes that share it. A socket that nobody holds any more has the inode 0, and one without a
peer (listening, or UDP that names its peer with each datagram) cannot be told: both are left out.
Sources: proc_pid_net(5), and get_tcp4_sock, get_tcp6_sock in the kernel's net/ipv4 and net/ipv6.
"""

import ipaddress
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Literal

from engine.apparatus.processes import PROC

Protocol = Literal["tcp", "udp"]
Address = IPv4Address | IPv6Address
TABLES: tuple[tuple[str, Protocol], ...] = (
    ("tcp", "tcp"),
    ("tcp6", "tcp"),
    ("udp", "udp"),
    ("udp6", "udp"),
)
_LOCAL, _PEER, _INODE = 1, 2, 9
_SOCKET = "socket:["


@dataclass(frozen=True)
class Socket:
    """One line of a table: a socket that somebody holds, and that has a peer."""

    protocol: Protocol
    local: Address
    peer: Address
    port: int
    """The peer's."""
    inode: int


def connected(proc: Path = PROC) -> list[Socket]:
    """Return the sockets of our network whose peer is none of loopback; `OSError` without tables.

    Their owners may be anybody. A table that is missing (no IPv6) has no sockets.
    """
    found = []
    for name, protocol in TABLES:
        try:
            text = (proc / "self" / "net" / name).read_text(encoding="ascii")
        except FileNotFoundError:
            if name == "tcp":
                raise
            continue
        found += list(parse(protocol, text))
    return [each for each in found if not each.peer.is_loopback]


def parse(protocol: Protocol, text: str) -> Iterator[Socket]:
    """Yield the sockets of a table that have a peer and an owner."""
    for line in text.splitlines()[1:]:
        fields = line.split()
        with suppress(ValueError, IndexError, struct.error):
            (local, _), (peer, port) = _end(fields[_LOCAL]), _end(fields[_PEER])
            inode = int(fields[_INODE])
            if inode and port and not peer.is_unspecified:
                yield Socket(protocol, local, peer, port, inode)


def held(pid: int, proc: Path = PROC) -> frozenset[int]:
    """Return the inodes of the sockets that the process holds; `PermissionError` if that is hidden.

    A process that has gone holds none.
    """
    found = set()
    try:
        with os.scandir(proc / str(pid) / "fd") as listed:
            for each in listed:
                # A descriptor may be closed while it is being read.
                with suppress(FileNotFoundError):
                    name = str(Path(each.path).readlink())
                    if name.startswith(_SOCKET):
                        found.add(int(name[len(_SOCKET) : -1]))
    except (FileNotFoundError, ProcessLookupError):
        return frozenset(found)
    return frozenset(found)


def network(pid: int | Literal["self"], proc: Path = PROC) -> str | None:
    """Return which network the process lives in, None where that is not told."""
    try:
        return str((proc / str(pid) / "ns" / "net").readlink())
    except OSError:
        return None


def _end(text: str) -> tuple[Address, int]:
    """Return address and port; the address stands as words of the machine's own byte order."""
    words, _, port = text.partition(":")
    size = len(words) // 8
    packed = struct.pack(
        f"={size}I", *(int(words[at : at + 8], 16) for at in range(0, 8 * size, 8))
    )
    address = ipaddress.ip_address(packed)
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address, int(port, 16)
