"""A baseline from its source: a commit, checked out clean, built, and traced from source to binary.

The repository's working tree is not touched: the commit is checked out as a `git worktree` in the
user's state folder, the build command runs there without a shell, and its output is kept under the
commit's name with a provenance file beside it. Two builds of one commit need not be equal bytes;
the digest says which one was measured.
"""

import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine import provenance
from engine.provenance import Dependency, Provenance
from receipts import files, workspace
from receipts.digest import Digest
from receipts.errors import ConflictError, Error, NotFoundError, UndecidedError

BUILD_TYPE = "urn:evidence-ledger:build:git-worktree:v1"
DEADLINE_SECONDS = 3600
_TAIL = 500


@dataclass(frozen=True)
class Rebuilt:
    """A binary made from a commit."""

    commit: str
    binary: Path
    digest: Digest
    provenance: Path


def rebuild(repository: Path, commit: str, command: str, output: str) -> Rebuilt:
    """Build `output` (a path in the tree) at `commit` and keep it; return what was made."""
    full = _git(repository, "rev-parse", "--verify", f"{commit}^{{commit}}").strip()
    words = shlex.split(command)
    if not words:
        raise Error("the build command is empty; give one with --build")
    folder = workspace.state_dir() / "rebuilds" / full
    kept = folder / Path(output).name
    if kept.exists():
        raise ConflictError(f"{kept} exists: this commit was built before; use it, or remove it")
    with _worktree(repository, full, folder / "tree") as tree:
        _build(words, tree)
        made = tree / output
        if not made.is_file() or not made.resolve().is_relative_to(tree.resolve()):
            raise NotFoundError(f"the build wrote no file {output} into its tree")
        shutil.copyfile(made, kept)
    kept.chmod(0o755)
    return _traced(kept, full, command, output)


def _traced(binary: Path, commit: str, command: str, output: str) -> Rebuilt:
    digest = Digest.of_file(binary)
    found = Provenance(
        name=binary.name,
        binary=digest,
        build_type=BUILD_TYPE,
        parameters={"command": command, "output": output},
        dependencies=[Dependency("source", "gitCommit", commit)],
        versions={"git": _run(["git", "--version"], None).strip()},
    )
    path = provenance.beside(binary)
    files.write_new(path, provenance.encode(found))
    return Rebuilt(commit, binary, digest, path)


@contextmanager
def _worktree(repository: Path, commit: str, tree: Path) -> Iterator[Path]:
    """Check out `commit` at `tree`; take it away again, for it is ours alone."""
    tree.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _git(repository, "worktree", "add", "--detach", str(tree), commit)
    try:
        if _git(tree, "status", "--porcelain").strip():
            raise UndecidedError(f"the checkout of {commit[:12]} is not clean; nothing was built")
        yield tree
    finally:
        _git(repository, "worktree", "remove", "--force", str(tree))


def _build(words: Sequence[str], tree: Path) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - the person's build command is the purpose
            list(words), cwd=tree, capture_output=True, timeout=DEADLINE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        told = getattr(error, "strerror", None) or f"no end after {DEADLINE_SECONDS} s"
        raise Error(f"build command {words[0]}: {told}") from error
    if done.returncode:
        last = (done.stdout + done.stderr).decode("utf-8", "replace").strip()[-_TAIL:]
        line = last.splitlines()[-1] if last else "it printed nothing"
        raise Error(f"the build exited with {done.returncode}: {line}")


def _git(place: Path, *words: str) -> str:
    return _run(["git", "-C", str(place), *words], place)


def _run(command: list[str], place: Path | None) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - git, with words of our own
            command, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise NotFoundError(f"git: {error.strerror}; install it to rebuild a baseline") from error
    if done.returncode:
        told = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no reason given"
        raise NotFoundError(f"git in {place}: {told}")
    return done.stdout
