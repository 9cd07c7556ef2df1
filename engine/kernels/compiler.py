"""Building the C kernels with the compiler that the machine has, once for all that may differ.

The shared object lies in the user's cache, in a folder named by a digest::

    ~/.cache/evidence-ledger/kernels/<64 hex digits>/mk.so

over source, header, flags, the compiler's version and the macros it predefines. The macros say what
`native` means on this processor, so that a cache shared by two machines never serves one the
instructions of the other. Exactly the bytes that were digested are compiled, and the result is
linked to its name when it is complete: of two builds at once, the first wins and both can go on.
"""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.kernels.contract import UnavailableError
from receipts.canonical import encode
from receipts.digest import Digest

SOURCES = ("cpu.c", "mk.h")
_FLAGS = ("-std=c11", "-O3", "-fPIC", "-shared")
_FLAG_SETS = ((*_FLAGS, "-march=native"), (*_FLAGS, "-mcpu=native"), _FLAGS)
_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that answered: the program, its own first line about itself, usable flags.

    The flags begin with what CC says after the program. `target` is the digest of the macros that
    the compiler predefines under these flags.
    """

    program: str
    version: str
    flags: tuple[str, ...]
    target: str


def find_compiler(environment: Mapping[str, str]) -> Compiler:
    """Return the compiler that CC names, else the first of cc, gcc and clang on PATH.

    Raises `UnavailableError` when there is none, or it does not answer.
    """
    program, *options = _command(environment)
    about = _run([program, *options, "--version"], environment).decode(errors="replace").strip()
    version = about.partition("\n")[0]
    for flags in _FLAG_SETS[:-1]:
        with suppress(UnavailableError):
            return _compiler(program, version, (*options, *flags), environment)
    return _compiler(program, version, (*options, *_FLAG_SETS[-1]), environment)


def cache_key(sources: Mapping[str, bytes], compiler: Compiler) -> str:
    """Return the 64 digits that name everything the shared object follows from."""
    facts = {
        "sources": {name: Digest.of(data) for name, data in sources.items()},
        "flags": list(compiler.flags),
        "compiler": compiler.version,
        "target": compiler.target,
    }
    return Digest.of(encode(facts)).hex


def build(sources: Mapping[str, bytes], compiler: Compiler, environment: Mapping[str, str]) -> Path:
    """Return the path of the shared object, compiling it unless the cache has it.

    Raises `UnavailableError` when it cannot be compiled or kept.
    """
    folder = _cache(environment) / cache_key(sources, compiler)
    final = folder / "mk.so"
    try:
        if not final.is_file():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryDirectory(dir=folder, prefix=".build-") as work:
                built = _compile(sources, compiler, environment, Path(work))
                with suppress(FileExistsError):
                    os.link(built, final)
    except OSError as error:
        raise UnavailableError(
            f"kernel cache {folder}: {error.strerror or error}; set XDG_CACHE_HOME"
        ) from error
    return final


def _compiler(
    program: str, version: str, flags: tuple[str, ...], environment: Mapping[str, str]
) -> Compiler:
    macros = _run([program, *flags, "-E", "-dM", "-x", "c", "-"], environment)
    return Compiler(program, version, flags, Digest.of(macros))


def _compile(
    sources: Mapping[str, bytes], compiler: Compiler, environment: Mapping[str, str], work: Path
) -> Path:
    for name, data in sources.items():
        (work / name).write_bytes(data)
    # Relative names keep the place of the build out of what is built.
    _run([compiler.program, *compiler.flags, "-o", "mk.so", SOURCES[0]], environment, work)
    return work / "mk.so"


def _command(environment: Mapping[str, str]) -> tuple[str, ...]:
    path = environment.get("PATH", os.defpath)
    named = environment.get("CC", "")
    try:
        first, *options = shlex.split(named) or [""]
    except ValueError as error:
        raise UnavailableError(f"CC={named!r} is not a command: {error}") from error
    candidates = [first] if first else ["cc", "gcc", "clang"]
    for name in candidates:
        if program := shutil.which(name, path=path):
            # The compiler runs in another folder; a link stays a link, for its name may count.
            return (str(Path(program).absolute()), *options)
    if first:
        raise UnavailableError(f"CC names {first!r}, which is not on PATH; set CC to a C compiler")
    raise UnavailableError("no C compiler on PATH; set CC or install one")


def _cache(environment: Mapping[str, str]) -> Path:
    # The XDG specification has a relative path ignored.
    root = Path(environment.get("XDG_CACHE_HOME", ""))
    if not root.is_absolute():
        if not environment.get("HOME"):
            raise UnavailableError("no place for a kernel cache; set XDG_CACHE_HOME")
        root = Path(environment["HOME"]) / ".cache"
    return root / "evidence-ledger" / "kernels"


def _run(
    command: Sequence[str], environment: Mapping[str, str], folder: Path | None = None
) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 - the user's own compiler, by full path and without a shell
            command,
            cwd=folder,
            env={**environment, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise UnavailableError(f"compiler {command[0]} does not run: {error}") from error
    if done.returncode:
        raise UnavailableError(f"compiler {command[0]} failed: {_complaint(done)}")
    return done.stdout


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode(errors="replace").splitlines()
    errors = [line for line in lines if "error" in line] or lines
    return errors[0].strip()[:200] if errors else f"exit status {done.returncode}"
