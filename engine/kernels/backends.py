"""Which kernels can run here: each backend that builds, loads and finds a device, and why not more.

`probe` never fails: a missing compiler, a read-only cache or a shared object of another version of
`mk.h` all end in the numpy backend with a reason, which every raw file repeats: numbers from numpy
must never pass for numbers from C. EVIDENCE_NO_COMPILER=1 asks for numpy. `find` is for those who
want one backend and no other.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine import provenance
from engine.kernels import nvrtc
from engine.kernels.compiler import build, cache
from engine.kernels.contract import Info, Kernels, UnavailableError
from engine.kernels.driver import CLOCK, Driver
from engine.kernels.launching import Launched
from engine.kernels.native import Native
from engine.kernels.portable import Portable
from engine.kernels.toolchains import TOOLCHAINS, choose
from receipts.digest import Digest

NUMPY = "numpy"
NAMES = (*TOOLCHAINS, NUMPY)
_HERE = Path(__file__).parent
_NOTHING = Info(devices=0, clock="")


@dataclass(frozen=True, slots=True)
class Backend:
    """What runs the kernels, and exactly which bytes.

    `name` is "c", "cuda", "metal" or "numpy"; `reason` says why it is no other. The source is the
    sources one after the other, or the numpy module; the artefact is the shared object at `path`.
    """

    name: str
    source_digest: Digest
    reason: str | None = None
    compiler: str | None = None
    flags: tuple[str, ...] = ()
    artefact_digest: Digest | None = None
    provenance_digest: Digest | None = None
    path: Path | None = None
    info: Info = field(default=_NOTHING, compare=False)

    @property
    def available(self) -> bool:
        """Whether native kernels can be used."""
        return self.name != NUMPY


def probe(environment: Mapping[str, str] | None = None, folder: Path = _HERE) -> Backend:
    """Return the C backend, building the sources in `folder` if the cache lacks them, else numpy.

    `environment` (the process's own when not given) is where CC, PATH and XDG_CACHE_HOME are read.
    """
    try:
        return find("c", environment, folder)
    except UnavailableError as error:
        return _numpy(str(error))


def find(name: str, environment: Mapping[str, str] | None = None, folder: Path = _HERE) -> Backend:
    """Return the backend `name`, ready to run; raises `UnavailableError` that says why not."""
    built = make(name, environment, folder)
    if not built.info.devices:
        raise UnavailableError(built.info.reason or f"{name} finds no device")
    return built


def make(name: str, environment: Mapping[str, str] | None = None, folder: Path = _HERE) -> Backend:
    """Return the backend `name`, built and loaded, whether or not there is a device for it."""
    environment = os.environ if environment is None else environment
    if name == NUMPY:
        return _numpy(None)
    if environment.get("EVIDENCE_NO_COMPILER", "0") not in ("", "0"):
        raise UnavailableError("EVIDENCE_NO_COMPILER is set; unset it to use C")
    toolchain, compiler = choose(name, environment)
    sources = {source: _read(folder / source) for source in toolchain.sources}
    path = build(sources, compiler, environment)
    return Backend(
        name=name,
        source_digest=Digest.of(b"".join(sources.values())),
        compiler=compiler.version,
        flags=compiler.flags,
        artefact_digest=Digest.of(_read(path)),
        provenance_digest=Digest.of(_read(provenance.beside(path))),
        path=path,
        info=_info(path),
    )


def provenance_file(digest: str, environment: Mapping[str, str]) -> bytes | None:
    """Return the bytes of the provenance with this digest in the cache, None if it has none."""
    for path in sorted(cache(environment).glob(f"*/{provenance.beside(Path('*')).name}")):
        data = _read(path)
        if Digest.of(data) == digest:
            return data
    return None


def kernels(backend: Backend) -> Kernels:
    """Return the kernels of a probed backend, ready to be called."""
    return _load(backend.path) if backend.path else Portable()


def _load(path: Path) -> Kernels:
    if path.suffix == Path(nvrtc.OUTPUT).suffix:
        return Launched(Driver(), _read(path))
    return Native(path)


def _info(path: Path) -> Info:
    """Say what would run what was built; that there is no device is no reason not to build."""
    try:
        return _load(path).info()
    except UnavailableError as error:
        if path.suffix != Path(nvrtc.OUTPUT).suffix:
            raise
        return Info(devices=0, clock=CLOCK, reason=str(error))


def _numpy(reason: str | None) -> Backend:
    return Backend(NUMPY, Digest.of_file(_HERE / "portable.py"), reason, info=Portable().info())


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnavailableError(f"kernel file {path}: {error.strerror}") from error
