"""Building the kernels with the compilers that the machine has, once for all that may differ.

A shared object lies in the user's cache, in a folder named by a digest, its provenance beside it::

    ~/.cache/evidence-ledger/kernels/<64 hex digits>/mk.so
    ~/.cache/evidence-ledger/kernels/<64 hex digits>/mk.so.provenance.json

The digest is over sources, flags, the compiler's version and the macros it predefines. The macros
say what `native` means on this processor, so that a cache shared by two machines never serves one
the instructions of the other. Exactly the bytes that were digested are compiled, and the folder
gets its name when it is complete: of two builds at once, the first wins and both can go on.
"""

import errno
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine import provenance
from engine.kernels.contract import UnavailableError
from engine.provenance import Dependency, Provenance
from receipts.canonical import encode
from receipts.digest import Digest
from receipts.errors import Error

SOURCES = ("cpu.c", "cpu_kernels.h", "mk.h")
OUTPUT = "mk.so"
BUILD_TYPE = "urn:evidence-ledger:build:compiler:v1"
# Products and sums are each rounded: a fused one would be another number.
_FLAGS = ("-std=c11", "-O3", "-ffp-contract=off", "-pthread", "-fPIC", "-shared")
_FLAG_SETS = ((*_FLAGS, "-march=native"), (*_FLAGS, "-mcpu=native"), _FLAGS)
_SECONDS = 240


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that answered: the program, its own line about itself, usable flags.

    The flags begin with what CC says after the program; `libraries` stand after the source.
    `target` is the digest of the macros that the compiler predefines under these flags, `output`
    the name of what it writes.
    """

    program: str
    version: str
    flags: tuple[str, ...]
    target: str
    libraries: tuple[str, ...] = ()
    output: str = OUTPUT


def find_compiler(environment: Mapping[str, str]) -> Compiler:
    """Return the compiler that CC names, else the first of cc, gcc and clang on PATH.

    Raises `UnavailableError` when there is none, or it does not answer.
    """
    program, *options = _command(environment)
    about = run([program, *options, "--version"], environment).decode(errors="replace").strip()
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
        "libraries": list(compiler.libraries),
        "compiler": compiler.version,
        "target": compiler.target,
    }
    return Digest.of(encode(facts)).hex


def build(sources: Mapping[str, bytes], compiler: Compiler, environment: Mapping[str, str]) -> Path:
    """Return the path of what was built, compiling the first source unless the cache has it.

    Raises `UnavailableError` when it cannot be compiled or kept, and when what the cache has is not
    what its provenance says.
    """
    folder = cache(environment) / cache_key(sources, compiler)
    try:
        if not (folder / compiler.output).is_file():
            folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".build-") as work:
                _keep(_compile(sources, compiler, environment, Path(work)), folder)
        provenance.read(folder / compiler.output)
    except OSError as error:
        raise UnavailableError(
            f"kernel cache {folder}: {error.strerror or error}; set XDG_CACHE_HOME"
        ) from error
    except UnavailableError:
        raise
    except Error as error:
        raise UnavailableError(f"kernel cache {folder}: {error}; delete the folder") from error
    return folder / compiler.output


def cache(environment: Mapping[str, str]) -> Path:
    """Return the folder of all builds; raises `UnavailableError` where there is no place for it."""
    # The XDG specification has a relative path ignored.
    root = Path(environment.get("XDG_CACHE_HOME", ""))
    if not root.is_absolute():
        if not environment.get("HOME"):
            raise UnavailableError("no place for a kernel cache; set XDG_CACHE_HOME")
        root = Path(environment["HOME"]) / ".cache"
    return root / "evidence-ledger" / "kernels"


def run(
    command: Sequence[str], environment: Mapping[str, str], folder: Path | None = None
) -> bytes:
    """Return what a compiler prints; raises `UnavailableError` with its first complaint."""
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


def program_on_path(name: str, environment: Mapping[str, str]) -> str | None:
    """Return the full path of a program, None if PATH has none of that name."""
    found = shutil.which(name, path=environment.get("PATH", os.defpath))
    # The compiler runs in another folder; a link stays a link, for its name may count.
    return str(Path(found).absolute()) if found else None


def _compiler(
    program: str, version: str, flags: tuple[str, ...], environment: Mapping[str, str]
) -> Compiler:
    macros = run([program, *flags, "-E", "-dM", "-x", "c", "-"], environment)
    return Compiler(program, version, flags, Digest.of(macros), ("-lm",))


def _compile(
    sources: Mapping[str, bytes], compiler: Compiler, environment: Mapping[str, str], work: Path
) -> Path:
    """Return a folder in `work` with the shared object and its provenance, and nothing else."""
    for name, data in sources.items():
        (work / name).write_bytes(data)
    # Relative names keep the place of the build out of what is built.
    command = [compiler.program, *compiler.flags, "-o", compiler.output, next(iter(sources))]
    run([*command, *compiler.libraries], environment, work)
    done = work / "done"
    done.mkdir(mode=0o700)
    binary = (work / compiler.output).rename(done / compiler.output)
    said = _provenance(sources, compiler, Digest.of_file(binary))
    provenance.beside(binary).write_bytes(provenance.encode(said))
    return done


def _keep(done: Path, folder: Path) -> None:
    try:
        done.rename(folder)
    except OSError as error:
        # Somebody else was first.
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def _provenance(sources: Mapping[str, bytes], compiler: Compiler, binary: Digest) -> Provenance:
    return Provenance(
        name=compiler.output,
        binary=binary,
        build_type=BUILD_TYPE,
        parameters={
            "program": Path(compiler.program).name,
            "flags": list(compiler.flags),
            "libraries": list(compiler.libraries),
            "source": next(iter(sources)),
            "output": compiler.output,
            "target": compiler.target,
        },
        dependencies=tuple(Dependency.of(name, data) for name, data in sources.items()),
        versions={"compiler": compiler.version},
    )


def _command(environment: Mapping[str, str]) -> tuple[str, ...]:
    named = environment.get("CC", "")
    try:
        first, *options = shlex.split(named) or [""]
    except ValueError as error:
        raise UnavailableError(f"CC={named!r} is not a command: {error}") from error
    for name in [first] if first else ["cc", "gcc", "clang"]:
        if program := program_on_path(name, environment):
            return (program, *options)
    if first:
        raise UnavailableError(f"CC names {first!r}, which is not on PATH; set CC to a C compiler")
    raise UnavailableError("no C compiler on PATH; set CC or install one")


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode(errors="replace").splitlines()
    errors = [line for line in lines if "error" in line] or lines
    return errors[0].strip()[:200] if errors else f"exit status {done.returncode}"
