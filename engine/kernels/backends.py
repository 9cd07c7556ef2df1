"""Which kernels can run here: C where a compiler is found and its work loads, else numpy, and why.

`probe` never fails. A missing compiler, a read-only cache or a shared object of another version of
`mk.h` all end in the numpy backend with a reason, which every raw file repeats: numbers from numpy
must never pass for numbers from C. EVIDENCE_NO_COMPILER=1 asks for numpy.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.kernels.compiler import SOURCES, build, find_compiler
from engine.kernels.contract import Kernels, UnavailableError
from engine.kernels.native import Native
from engine.kernels.portable import Portable
from receipts.digest import Digest

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Backend:
    """What runs the kernels, and exactly which bytes.

    `name` is "c" or "numpy"; `reason` says why it is not C, and is absent when it is. The source is
    cpu.c followed by mk.h, or the numpy module; the artefact is the shared object at `path`.
    """

    name: str
    source_digest: Digest
    reason: str | None = None
    compiler: str | None = None
    flags: tuple[str, ...] = ()
    artefact_digest: Digest | None = None
    path: Path | None = None

    @property
    def available(self) -> bool:
        """Whether the C kernels can be used."""
        return self.name == "c"


def probe(environment: Mapping[str, str] | None = None, folder: Path = _HERE) -> Backend:
    """Return the best backend, building the C sources in `folder` if the cache lacks them.

    `environment` (the process's own when not given) is where CC, PATH and XDG_CACHE_HOME are read.
    """
    environment = os.environ if environment is None else environment
    if environment.get("EVIDENCE_NO_COMPILER", "0") not in ("", "0"):
        return _numpy("EVIDENCE_NO_COMPILER is set; unset it to use C")
    try:
        return _c(environment, folder)
    except UnavailableError as error:
        return _numpy(str(error))


def kernels(backend: Backend) -> Kernels:
    """Return the kernels of a probed backend, ready to be called."""
    return Native(backend.path) if backend.path else Portable()


def _c(environment: Mapping[str, str], folder: Path) -> Backend:
    compiler = find_compiler(environment)
    sources = {name: _read(folder / name) for name in SOURCES}
    path = build(sources, compiler, environment)
    Native(path)
    return Backend(
        name="c",
        source_digest=Digest.of(b"".join(sources.values())),
        compiler=compiler.version,
        flags=compiler.flags,
        artefact_digest=Digest.of(_read(path)),
        path=path,
    )


def _numpy(reason: str) -> Backend:
    return Backend("numpy", Digest.of_file(_HERE / "portable.py"), reason)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnavailableError(f"kernel file {path}: {error.strerror}") from error
