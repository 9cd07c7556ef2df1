"""How long it takes until a small file is durable, step by step, and how long in the worst case.

    python -m engine.probes.fsync evidence/ --iterations 200 --max-tail-ms 100 --raw fsync.jsonl

Each cycle does what a careful writer does: create, write, sync, rename, sync the folder; then it
removes the file and syncs the folder again. The ends of the steps are read from one clock, so that
nothing falls between them. On macOS the sync is F_FULLFSYNC, which reaches the disk itself.

Everything happens in a folder of its own, which is locked for as long as the probe lives; it is
removed at the end, also after Ctrl-C, and one that a killed probe left is removed by the next.
"""

import argparse
import fcntl
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.probes import filesystem, program, raw, report
from engine.results.model import MAX_REPETITIONS, ResultFile
from engine.results.probes import PHASES
from receipts import files
from receipts.errors import ConflictError, UsageError

PREFIX = ".evidence-fsync-"
MAX_BYTES = 64 * 1024 * 1024
_FRESH, _FINAL = "fresh", "final"


@dataclass(frozen=True)
class Settings:
    """How often, with how many bytes, and whether something else writes at the same time."""

    iterations: int = 200
    size: int = 4096
    load: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.iterations <= MAX_REPETITIONS:
            raise UsageError(f"--iterations {self.iterations}: choose 1 to {MAX_REPETITIONS}")
        if not 1 <= self.size <= MAX_BYTES:
            raise UsageError(f"--bytes {self.size}: choose 1 to {MAX_BYTES}")


@dataclass(frozen=True)
class Calls:
    """The calls whose durations are measured; another filesystem can be put in their place."""

    create: Callable[[Path], int] = lambda path: os.open(
        path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600
    )
    write: Callable[[int, bytes], int] = os.write
    sync: Callable[[int], None] = files.sync
    rename: Callable[[Path, Path], None] = os.rename
    sync_folder: Callable[[Path], None] = files.sync_directory
    unlink: Callable[[Path], None] = os.unlink


REAL = Calls()


def measure(folder: Path, settings: Settings, calls: Calls = REAL) -> bytes:
    """Probe the disk that `folder` is on and return the raw file.

    Raises `Error` (NOT_DURABLE) for a file system that is memory.
    """
    kind = filesystem.require_durable(folder)
    data = os.urandom(settings.size)
    with _own_folder(folder) as own, _loaded(own, load=settings.load):
        rows = [
            {"iteration": number, **_cycle(own, data, calls)}
            for number in range(settings.iterations)
        ]
    header: dict[str, Any] = {
        "probe": "fsync",
        "folder": str(folder),
        "filesystem": kind,
        "sync": "F_FULLFSYNC" if hasattr(fcntl, "F_FULLFSYNC") else "fsync",
        "bytes": settings.size,
        "iterations": settings.iterations,
        "load": settings.load,
    }
    return raw.encode(header, rows)


def judged(data: bytes, most_ms: Fraction | None) -> tuple[ResultFile, report.Gate | None]:
    """Return what a raw file says, and the gate on its slowest file if there is to be one."""
    file = raw.decode(data)
    return file, report.judge_fsync(file, most_ms) if most_ms is not None else None


def _cycle(own: Path, data: bytes, calls: Calls) -> dict[str, int]:
    """Make one file durable and remove it; return the nanoseconds of each phase."""
    fresh, final = own / _FRESH, own / _FINAL
    ends = [time.monotonic_ns()]
    descriptor = calls.create(fresh)
    try:
        ends.append(time.monotonic_ns())
        _write(descriptor, data, calls)
        ends.append(time.monotonic_ns())
        calls.sync(descriptor)
        ends.append(time.monotonic_ns())
    finally:
        os.close(descriptor)
    steps: tuple[Callable[[], None], ...] = (
        lambda: calls.rename(fresh, final),
        lambda: calls.sync_folder(own),
        lambda: calls.unlink(final),
        lambda: calls.sync_folder(own),
    )
    for step in steps:
        step()
        ends.append(time.monotonic_ns())
    pairs = zip(PHASES, ends, ends[1:], strict=False)
    return {f"{phase}_ns": end - start for phase, start, end in pairs}


def _write(descriptor: int, data: bytes, calls: Calls) -> None:
    while data:
        data = data[calls.write(descriptor, data) :]


@contextmanager
def _own_folder(folder: Path) -> Iterator[Path]:
    """Yield a locked folder inside `folder`; remove it, and those that killed probes left."""
    for abandoned in sorted(folder.glob(f"{PREFIX}*")):
        with suppress(OSError), _lock(abandoned) as free:
            if free:
                _remove(abandoned)
    own = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
    try:
        with _lock(own) as free:
            if not free:
                raise ConflictError(f"{own} was taken by another probe as it was made; try again")
            yield own
    finally:
        _remove(own)


@contextmanager
def _lock(folder: Path) -> Iterator[bool]:
    """Yield whether the folder could be locked; nobody waits."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(folder, flags)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def _remove(own: Path) -> None:
    """Remove the folder with the files that a probe makes, and with nothing else."""
    for name in (_FRESH, _FINAL, "load"):
        with suppress(FileNotFoundError):
            (own / name).unlink()
    with suppress(FileNotFoundError):
        own.rmdir()


@contextmanager
def _loaded(own: Path, *, load: bool) -> Iterator[None]:
    """Let another process write and sync beside the probe, until it is done."""
    if not load:
        yield
        return
    command = [sys.executable, "-m", "engine.probes.load", str(own / "load")]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            if not process.stdout or not process.stdout.readline():
                raise ConflictError(f"nothing could be written to {own} for a load; free some room")
            yield
        finally:
            process.kill()


def main(arguments: Sequence[str] | None = None, calls: Calls = REAL) -> int:
    """Run the program and return its exit code; 1 when the tail is over its limit."""
    return program.run(lambda: _run(_parser().parse_args(arguments), calls))


def _run(options: argparse.Namespace, calls: Calls) -> int:
    settings = Settings(options.iterations, options.bytes, options.load)
    text = options.max_tail_ms
    limit = None if text is None else program.decimal("--max-tail-ms", text)
    place = raw.place(options.raw)
    data = measure(options.folder, settings, calls)
    raw.write(place, data)
    return program.conclude(*judged(data, limit), as_json=options.json)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine.probes.fsync",
        description="Time durable writes step by step, and write the raw rows.",
    )
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="a folder on the disk in question")
    add("--iterations", type=int, default=200, help="files that are made durable")
    add("--bytes", type=int, default=4096, help="bytes in each")
    add("--max-tail-ms", help="exit 1 if one of them took longer")
    add("--load", action="store_true", help="write and sync something else at the same time")
    add("--raw", type=Path, metavar="OUT.jsonl", help=f"new file for the rows; else {raw.VARIABLE}")
    add("--json", action="store_true", help="print one JSON document and nothing else")
    return parser


if __name__ == "__main__":
    sys.exit(main())
