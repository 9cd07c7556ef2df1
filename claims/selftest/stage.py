"""A folder of its own for the length of a self-test: a workspace, a home, and the way back.

Nothing of the person's is read or written: keys, ledger, remembered heads and the lease are those
of a home that did not exist before and does not afterwards.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from receipts.errors import UndecidedError

_SHARED = Path("/dev/shm")  # noqa: S108  (a folder of a fresh name is made in it, mode 0700)
_PATIENCE_S = 120
_TELLING = ("EVIDENCE_", "XDG_")


@dataclass(frozen=True)
class Stage:
    """The folder of a self-test, with its workspace and its home."""

    root: Path
    home: Path

    def engine(self, *words: str) -> None:
        """Run the command `engine` as a program, or raise `UndecidedError` with what it said."""
        self.finish(self.start(*words))

    def start(self, *words: str) -> "Started":
        """Start the command `engine`."""
        line = [sys.executable, "-m", "engine.cli", *words]
        process = subprocess.Popen(  # noqa: S603  (our own program, our own words)
            line, cwd=self.root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return Started(words[0], process)

    def finish(self, started: "Started") -> None:
        """Wait for a command that was started, and raise `UndecidedError` if it failed."""
        told, _ = started.process.communicate(timeout=_PATIENCE_S)
        if code := started.process.returncode:
            said = (told.strip().splitlines() or ["nothing"])[-1]
            raise UndecidedError(
                f"`engine {started.verb}` made no evidence for the self-test: exit {code}, it said "
                f"{said!r}"
            )


@dataclass(frozen=True)
class Started:
    """A command that runs: its verb and its process."""

    verb: str
    process: "subprocess.Popen[str]"


@contextmanager
def open_stage() -> Iterator[Stage]:
    """Make the folder, live there, and take it away again."""
    kept, here = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory(prefix="claims-selftest-", dir=_memory()) as name:
        folder = Path(name).resolve()
        stage = Stage(folder / "work", folder / "home")
        stage.root.mkdir()
        stage.home.mkdir()
        for told in [name for name in os.environ if name.startswith(_TELLING)]:
            del os.environ[told]
        os.environ |= {"HOME": str(stage.home), "EVIDENCE_LOCK_DIR": str(folder)}
        try:
            os.chdir(stage.root)
            yield stage
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(kept)


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Work in a folder, and come back."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


def _memory() -> str | None:
    """Return a folder that is kept in memory; what lives for seconds need not reach a disk."""
    return str(_SHARED) if _SHARED.is_dir() and os.access(_SHARED, os.W_OK) else None
