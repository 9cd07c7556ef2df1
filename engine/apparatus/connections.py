"""Which connections of a run left this machine, and by which interface each of them went.

Looked for when the run's process has started, with every sample, and before its group is ended.
A peer that is an address of this machine is reached by loopback and leaves no record. One reached
through the air makes the run void: such a rate is the weather's. What only samples can miss (a
connection between two looks), and what no table tells, is said in the record itself.

A look costs as much as the run has processes and descriptors: the kernel's table of TCP is asked
for only while one of them is a socket of which it is not known yet where it goes.
"""

import threading
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.apparatus import processes, sockets
from engine.apparatus.processes import PROC, Started
from engine.apparatus.sockets import Socket
from engine.probes import addresses, interface
from engine.probes.interface import SYSFS, Address, Interface
from receipts.predicates import Connection, Facts

WIRELESS = "WIRELESS"
MOST = 256
"""Connections listed in a receipt; how many more there were is told."""
_WHOLE = 10
"""Once in so many looks, first with the first sample, and in the last one all processes of the
machine are gone through, for those of the group and session whose parent has ended; they are
followed from then on."""
_ENDED = ("Z", "X")
_UNSEEN = (
    "what opened and closed between two looks ({looks} of them, {every} ms apart), what left the"
    " run's family, UDP without a peer, what is no socket (RDMA), what carries a tunnel"
)


@dataclass(frozen=True)
class _Key:
    """What makes two connections one: the ports at this end do not tell them apart."""

    protocol: sockets.Protocol
    peer: Address
    port: int
    local: Address
    by: Interface | None

    @property
    def wireless(self) -> str | None:
        """The name of the interface if it is wireless."""
        return self.by.name if self.by and self.by.kind == "wireless" else None

    def told(self) -> str:
        """Return it for a person."""
        host = f"[{self.peer}]" if self.peer.version == 6 else str(self.peer)
        return f"{self.protocol} {host}:{self.port}"


class Connections:
    """Grows with every look; `follow` it with the run's first process, `finish` it once."""

    def __init__(self, proc: Path = PROC, sysfs: Path = SYSFS) -> None:
        self._proc, self._sysfs = proc, sysfs
        self._leader: int | None = None
        self._seen: dict[_Key, list[int]] = {}
        """First and last look that saw each."""
        self._unlisted: set[_Key] = set()
        self._settled: dict[int, Socket | None] = {}
        """TCP sockets whose ends are known, and stay; None for one of this machine alone."""
        self._members: tuple[Started, ...] = ()
        """Processes of the family that nobody alive may have started."""
        self._hidden: dict[str, dict[str, None]] = {}
        """Why the sockets of a process are not told: which processes."""
        self._looks = 0
        self._finished = False
        self._untold: dict[str, None] = {}
        self._fault: str | None = None
        self._one_at_a_time = threading.Lock()

    def follow(self, leader: int) -> None:
        """Note the run's first process, and look."""
        self._leader = leader
        self.look()

    def finish(self) -> None:
        """Look for the last time: what is found afterwards is of the ending, not of the run."""
        self.look(last=True)

    def look(self, *, last: bool = False) -> None:
        """Look once; whatever goes wrong, the run goes on and the record says so."""
        with self._one_at_a_time:
            if self._leader is None or self._finished or self._fault:
                return
            self._finished = last
            try:
                self._look(self._leader, whole=last or self._is_whole())
                self._looks += 1
            except Exception as error:
                self._fault = str(error)[:160] or type(error).__name__

    def listed(self) -> list[Connection]:
        """Return what left this machine, in the order in which it was seen."""
        return [_connection(key, *looks) for key, looks in self._seen.items()]

    def taints(self) -> list[str]:
        """Return what makes the run doubtful, that which voids it first."""
        early = f"looking for connections ended early: {self._fault}"
        return [*self.voids(), *self._untold, *([early] if self._fault and self._looks else [])]

    def voids(self) -> list[str]:
        """Return why the run is void: one sentence for each wireless interface."""
        found: dict[str, str] = {}
        for key in self._seen:
            if key.wireless:
                told = f"{WIRELESS}: {key.told()} was reached by {key.wireless}, which is wireless"
                found.setdefault(key.wireless, told)
        return list(found.values())

    def warnings(self) -> list[str]:
        """Return what could not be seen, and what was seen and is not listed."""
        more = f"{len(self._unlisted)} more connections left this machine than the {MOST} listed"
        return [*self._not_told(), *([more] if self._unlisted else [])]

    def facts(self) -> Facts:
        """Return how often it was looked; nothing where that was impossible."""
        return {"looks": self._looks} if self._looks else {}

    def absent(self, interval_ms: int) -> dict[str, str]:
        """Return why there is no list of connections, or what one, present or not, cannot tell."""
        if self._looks:
            return {"connections.unseen": _UNSEEN.format(looks=self._looks, every=interval_ms)}
        return {"connections": self._fault} if self._fault else {}

    def _is_whole(self) -> bool:
        return self._looks % _WHOLE == 1

    def _look(self, leader: int, *, whole: bool) -> None:
        sockets.require_listed(self._proc)
        ours = self._ours(self._family(leader, whole=whole))
        self._settled = {inode: end for inode, end in self._settled.items() if inode in ours}
        fresh = {inode: kind for inode, kind in ours.items() if inode not in self._settled}
        found = self._ends("tcp", fresh) if any(k != "udp" for k in fresh.values()) else []
        found += self._ends("udp", fresh) if any(k != "tcp" for k in fresh.values()) else []
        self._judge([*found, *(each for each in self._settled.values() if each)])

    def _judge(self, found: list[Socket]) -> None:
        """Record those of the sockets that reach another machine. A way may change, ends do not."""
        own = addresses.owners() if any(each.has_peer for each in found) else {}
        known: dict[tuple[Address, Address], tuple[Interface | None, ...]] = {}
        for socket in found:
            ends = socket.peer, socket.local
            if ends not in known:
                known[ends] = self._ways(socket, own)
            for by in known[ends]:
                self._saw(_Key(socket.protocol, socket.peer, socket.port, socket.local, by))
            if socket.protocol == "tcp" and (socket.has_peer or socket.listens):
                self._settled[socket.inode] = socket if known[ends] else None

    def _ends(self, protocol: sockets.Protocol, fresh: Container[int]) -> list[Socket]:
        return [each for each in sockets.table(protocol, self._proc) if each.inode in fresh]

    def _family(self, leader: int, *, whole: bool) -> frozenset[int]:
        """Return the run's processes, as many as are seen without going through all others."""
        roots = [leader, *(each.pid for each in self._members if each.is_alive())]
        near = processes.descendants(roots, self._proc)
        if near is not None and not whole:
            return near
        family = processes.family(leader, processes.listed(self._proc))
        family |= near or frozenset()
        self._members = tuple(processes.started(pid) for pid in family - {leader})
        return family

    def _ours(self, family: Iterable[int]) -> dict[int, sockets.Protocol | None]:
        """Return the sockets of these processes, so far as one may know."""
        here, ours = sockets.network("self", self._proc), dict[int, sockets.Protocol | None]()
        for pid in sorted(family):
            if sockets.network(pid, self._proc) not in (here, None):
                self._hide(pid, "another network")
                continue
            try:
                ours |= sockets.held(pid, self._proc)
            except OSError as error:
                self._hide(pid, error.strerror or type(error).__name__)
        return ours

    def _hide(self, pid: int, why: str) -> None:
        found = processes.read(pid, self._proc)
        if found is None or found.state in _ENDED:  # it holds nothing any more
            return
        named = f"pid {pid} {processes.name_of(pid, self._proc) or 'unnamed'}"
        self._hidden.setdefault(why, {})[named] = None

    def _not_told(self) -> Iterator[str]:
        for why, named in self._hidden.items():
            more = f" and of {len(named) - 1} more processes" if len(named) > 1 else ""
            yield f"connections of {next(iter(named))}{more} are not told: {why}"

    def _saw(self, key: _Key) -> None:
        if key.by is None:
            self._untold[f"by which interface {key.told()} was reached is not told"] = None
        if key in self._seen:
            self._seen[key][1] = self._looks
        elif len(self._seen) < MOST or self._is_new_fault(key):
            self._seen[key] = [self._looks, self._looks]
        else:
            self._unlisted.add(key)

    def _is_new_fault(self, key: _Key) -> bool:
        return key.wireless is not None and key.wireless not in {one.wireless for one in self._seen}

    def _ways(self, socket: Socket, own: Mapping[Address, str]) -> tuple[Interface | None, ...]:
        """Return the interfaces by which a socket may go; none where it stays on this machine.

        The route says how the kernel would go, the address at this end how a socket goes that was
        bound to one interface. Where they differ nobody can tell, and both are on record.
        """
        if not socket.has_peer or socket.peer.is_loopback or socket.peer in own:
            return ()
        bound = own.get(socket.local)
        owner = interface.describe(bound, self._sysfs) if bound else None
        if socket.peer.is_link_local and owner:  # such an address says nothing without its card
            return (owner,)
        routed = interface.towards(str(socket.peer), self._sysfs, str(socket.local))
        if routed and routed.kind == "loopback":
            return ()
        differs = owner is not None and owner.kind != "loopback" and owner != routed
        return (routed, owner) if differs else (routed,)


def _connection(key: _Key, first: int, last: int) -> Connection:
    by = key.by
    value = {"protocol": key.protocol, "peer": str(key.peer), "port": key.port}
    value |= {"local": str(key.local), "first": first, "last": last}
    told = by.facts() if by else {}
    names = ("interface", "interface_kind", "speed_mbit")
    value |= {name: told[name] for name in names if name in told}
    return Connection.parse(value, "connection")
