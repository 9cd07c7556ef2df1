"""Sockets as the kernel lists them: whose they are, and who is at their other end.

/proc/PID/fd tells by inode which sockets a process holds, /proc/PID/net/{tcp,tcp6,udp,udp6} what
stands at their two ends. Those tables are of a whole network namespace. A socket that nobody holds
any more has the inode 0 and is left out; UDP that names its peer with each datagram has none here.
To list the TCP sockets of a machine the kernel goes through a table that is sized by its memory,
which takes milliseconds: whoever looks often asks for it only when it is needed.
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
_LOCAL, _PEER, _STATE, _INODE = 1, 2, 3, 9
_LISTENS = "0A"
_SOCKET = "socket:["


@dataclass(frozen=True)
class Socket:
    """One line of a table: a socket that somebody holds."""

    protocol: Protocol
    local: Address
    peer: Address
    port: int
    """The peer's."""
    inode: int
    listens: bool

    @property
    def has_peer(self) -> bool:
        """Whether it is known whom it talks to."""
        return self.port > 0 and not self.peer.is_unspecified


def require_listed(proc: Path = PROC) -> None:
    """Raise `FileNotFoundError` where nobody lists sockets: elsewhere than on Linux."""
    place = proc / "self" / "net" / "tcp"
    if not place.exists():
        raise FileNotFoundError(f"there is no {place}: sockets are listed on Linux alone")


def table(protocol: Protocol, proc: Path = PROC) -> list[Socket]:
    """Return the sockets of our network, whosever they are; `OSError` where there is no table."""
    found = list(parse(protocol, _text(proc / "self" / "net" / protocol)))
    with suppress(FileNotFoundError):  # no IPv6
        found += parse(protocol, _text(proc / "self" / "net" / f"{protocol}6"))
    return found


def parse(protocol: Protocol, text: str) -> Iterator[Socket]:
    """Yield the sockets of a table that have an owner."""
    for line in text.splitlines()[1:]:
        fields = line.split()
        with suppress(ValueError, IndexError, struct.error):
            (local, _), (peer, port) = _end(fields[_LOCAL]), _end(fields[_PEER])
            if inode := int(fields[_INODE]):
                yield Socket(protocol, local, peer, port, inode, fields[_STATE] == _LISTENS)


def held(pid: int, proc: Path = PROC) -> dict[int, Protocol | None]:
    """Return the inodes of the process's TCP and UDP sockets; `PermissionError` if that is hidden.

    None stands for a socket of which the kernel does not tell what it is. A process that has gone
    holds none.
    """
    found: dict[int, Protocol | None] = {}
    with suppress(FileNotFoundError, ProcessLookupError):
        for path in (proc / str(pid) / "fd").iterdir():
            # A descriptor may be closed while it is being read.
            with suppress(FileNotFoundError):
                target = str(path.readlink())
                if target.startswith(_SOCKET):
                    kind = _kind(path)
                    if kind != "other":
                        found[int(target[len(_SOCKET) : -1])] = kind
    return found


def _kind(path: Path) -> Protocol | Literal["other"] | None:
    try:
        name = os.getxattr(path, "system.sockprotoname")
    except OSError:
        return None
    if name.startswith((b"TCP", b"MPTCP")):
        return "tcp"
    return "udp" if name.startswith(b"UDP") else "other"


def network(pid: int | Literal["self"], proc: Path = PROC) -> str | None:
    """Return which network the process lives in, None where that is not told."""
    try:
        return str((proc / str(pid) / "ns" / "net").readlink())
    except OSError:
        return None


def _text(path: Path) -> str:
    return path.read_text(encoding="ascii")


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
