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
        line = [sys.executable, "-m", "engine.cli", *words]
        done = subprocess.run(  # noqa: S603  (our own program, our own words)
            line, cwd=self.root, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
            raise UndecidedError(
                f"`engine {words[0]}` made no evidence for the self-test: exit {done.returncode}, "
                f"it said {said!r}"
            )


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
