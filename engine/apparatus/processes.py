"""Processes as the kernel lists them: which are ours, and who else might use a device.

A number alone names no process, because numbers come round again; with the time of its start (in
ticks since boot) it does. What a process is called is a second opinion and no more: a server under
another name is not seen, so the driver is asked first (`engine.apparatus.holders`).
Source of the fields: proc_pid_stat(5). Elsewhere than on Linux nothing is found.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

PROC = Path("/proc")
SERVERS = frozenset(
    (
        *("llama-server", "llama-bench", "llama-cli", "llama-batched-bench", "ollama", "vllm"),
        *("sglang", "trtllm-serve", "trtllm-bench", "tritonserver", "text-generation-launcher"),
        *("torchrun", "deepspeed", "lmdeploy", "mlx_lm.server", "aphrodite", "koboldcpp"),
    )
)
"""Names under which programs that fill an accelerator are started."""
_MODULES = ("vllm", "sglang", "tensorrt_llm", "mlx_lm", "lmdeploy", "xllamacpp")
_INITIAL_NAMESPACE = 0xEFFFFFFC  # PROC_PID_INIT_INO of the kernel


@dataclass(frozen=True)
class Started:
    """A process that we started: its number and when the kernel started it, None if untold."""

    pid: int
    ticks: int | None

    def is_alive(self) -> bool:
        """Say whether this very process is still there, be it only to be collected."""
        return self.ticks is not None and start_of(self.pid) == self.ticks


@dataclass(frozen=True)
class Process:
    """One line of the process list."""

    pid: int
    parent: int
    group: int
    session: int
    state: str
    ticks: int
    name: str


def started(pid: int) -> Started:
    """Return the process `pid` of this moment."""
    return Started(pid, start_of(pid))


def start_of(pid: int, proc: Path = PROC) -> int | None:
    """Return when the process started, in ticks since boot; None if there is no such process."""
    found = read(pid, proc)
    return found.ticks if found else None


def read(pid: int, proc: Path = PROC) -> Process | None:
    """Return the process with this number, None if there is none or it cannot be read."""
    try:
        text = (proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        # The command's name, in parentheses, may hold anything, parentheses too.
        head, _, tail = text.rpartition(")")
        fields = tail.split()
        numbers = [int(fields[at]) for at in (1, 2, 3, 19)]
        return Process(
            pid=pid,
            state=fields[0],
            parent=numbers[0],
            group=numbers[1],
            session=numbers[2],
            ticks=numbers[3],
            name=head.partition("(")[2],
        )
    except (OSError, ValueError, IndexError):
        return None


def listed(proc: Path = PROC) -> dict[int, Process]:
    """Return all processes that can be seen, by number."""
    found = (read(int(each.name), proc) for each in proc.glob("[0-9]*") if each.name.isdecimal())
    return {each.pid: each for each in found if each}


def members(group: int) -> list[int]:
    """Return the living processes of the group besides its leader."""
    return [
        each.pid
        for each in listed().values()
        if each.group == group and each.pid != group and each.state != "Z"
    ]


def family(leader: int, everyone: Mapping[int, Process]) -> frozenset[int]:
    """Return `leader`, its descendants, and who is in its group or session."""
    ours = {leader}
    ours |= {each.pid for each in everyone.values() if leader in (each.group, each.session)}
    grown = True
    while grown:
        more = {each.pid for each in everyone.values() if each.parent in ours} - ours
        ours |= more
        grown = bool(more)
    return frozenset(ours)


def descendants(leaders: Iterable[int], proc: Path = PROC) -> frozenset[int] | None:
    """Return `leaders` and who descends from them, as each process lists its own children.

    It costs as much as they are many, not as the machine has processes. None where the kernel keeps
    no such lists (CONFIG_PROC_CHILDREN).
    """
    found: set[int] = set()
    left = list(leaders)
    while left:
        pid = left.pop()
        if pid in found:
            continue
        found.add(pid)
        with suppress(FileNotFoundError, ProcessLookupError):
            for thread in (proc / str(pid) / "task").iterdir():
                children = thread / "children"
                try:
                    left += map(int, children.read_text(encoding="ascii").split())
                except FileNotFoundError:
                    if (thread / "stat").exists():
                        return None
    return frozenset(found)


def ancestors(pid: int, everyone: Mapping[int, Process]) -> frozenset[int]:
    """Return `pid` and the processes that it comes from."""
    found: set[int] = set()
    while pid in everyone and pid not in found:
        found.add(pid)
        pid = everyone[pid].parent
    return frozenset(found)


def suspects(proc: Path = PROC) -> list[str]:
    """Return, as `pid N NAME`, others whose name or module is one that fills an accelerator."""
    everyone = listed(proc)
    near = ancestors(os.getpid(), everyone)
    found = []
    for pid in sorted(everyone.keys() - near):
        name = _known(everyone[pid].name, _words(pid, proc))
        if name and everyone[pid].state != "Z":
            found.append(f"pid {pid} {name}")
    return found


def name_of(pid: int, proc: Path = PROC) -> str | None:
    """Return the name of the process: of its program file, else the one it gives itself."""
    with suppress(OSError):
        return _plain((proc / str(pid) / "exe").readlink().name.removesuffix(" (deleted)"))
    found = read(pid, proc)
    return _plain(found.name) if found else None


def shares_numbers_with_driver(proc: Path = PROC) -> bool:
    """Say whether process numbers here are those of the host, which drivers tell.

    Inside a container they are not: a number of the driver's names somebody else here, or nobody.
    """
    try:
        return (proc / "self" / "ns" / "pid").stat().st_ino == _INITIAL_NAMESPACE
    except OSError:
        return False


def _words(pid: int, proc: Path) -> list[str]:
    try:
        with (proc / str(pid) / "cmdline").open("rb") as stream:
            data = stream.read(65536)
    except OSError:
        return []
    return [_plain(word.decode("utf-8", "replace")) for word in data.split(b"\0") if word]


def _known(name: str, words: list[str]) -> str | None:
    """Return what the process is known as: its own name, its program's, or a Python module's."""
    bases = [name, *(Path(word).name for word in words[:1])]
    if bases[-1].startswith("python"):
        bases += [Path(word).name for word in words[1:2]]
        bases += list(_module(words))
    return next((base for base in bases if base in SERVERS or base in _MODULES), None)


def _module(words: list[str]) -> Iterator[str]:
    for flag, module in pairwise(words):
        if flag == "-m":
            yield module.partition(".")[0]


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8", "replace")[:80]
