"""The device code of CUDA compiled by NVRTC, through `cuda-core` (extra `cuda`): no `nvcc` needed.

    python -m engine.kernels.nvrtc --arch sm_90 -o mk.cubin cuda_kernels.cuh

A program of its own, so that a build by NVRTC is kept and told like one by any other compiler.
NVRTC is a library of its wheel and needs neither a device nor its driver.
"""

import argparse
import importlib.metadata
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.kernels.compiler import Compiler, run
from engine.kernels.contract import UnavailableError
from engine.kernels.driver import Driver
from receipts.digest import Digest

OUTPUT = "mk.cubin"
_MODULE = "engine.kernels.nvrtc"
_PACKAGES = ("cuda.core", "cuda.bindings")
_WHEELS = ("cuda-core", "cuda-bindings", "nvidia-cuda-nvrtc")
_STANDARD = "c++17"
# What is compiled where nobody can say which device it is for.
_ARCHITECTURE = "sm_90"


def find_nvrtc(environment: Mapping[str, str]) -> Compiler:
    """Return NVRTC for the device here; raises `UnavailableError` where it is not installed."""
    if not all(_is_installed(name) for name in _PACKAGES):
        raise UnavailableError(f"no NVRTC (extra `cuda`); pip install {' '.join(_WHEELS)}")
    version = run([sys.executable, "-m", _MODULE, "--version"], environment).decode().strip()
    flags = ("-m", _MODULE, "--arch", _architecture())
    return Compiler(sys.executable, version, flags, Digest.of(version.encode()), output=OUTPUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile one file, or say which NVRTC this is; return the exit code."""
    parser = argparse.ArgumentParser(prog=f"python -m {_MODULE}")
    parser.add_argument("--version", action="store_true", help="say which NVRTC this is")
    parser.add_argument("--arch", default=_ARCHITECTURE, help="such as sm_90")
    parser.add_argument("-o", dest="output", type=Path, default=Path(OUTPUT))
    parser.add_argument("source", type=Path, nargs="?")
    options = parser.parse_args(arguments)
    if options.version:
        sys.stdout.write(f"{_version()}\n")
        return 0
    if options.source is None:
        parser.error("give the source")
    try:
        options.output.write_bytes(_compile(options.source.read_text("utf-8"), options.arch))
    except Exception as error:  # the bindings raise kinds of their own, told in one line
        sys.stderr.write(f"error: {' '.join(str(error).split())}\n")
        return 1
    return 0


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _compile(source: str, architecture: str) -> bytes:
    from cuda.core import Program, ProgramOptions

    # A product and a sum are each rounded, as everywhere here.
    options = ProgramOptions(arch=architecture, std=_STANDARD, fma=False)
    return bytes(Program(source, "c++", options).compile("cubin").code)


def _version() -> str:
    from cuda.bindings import nvrtc

    _, major, minor = nvrtc.nvrtcVersion()
    return f"NVRTC {major}.{minor} by cuda-core {importlib.metadata.version('cuda-core')}"


def _architecture() -> str:
    try:
        return Driver().architecture
    except UnavailableError:
        return _ARCHITECTURE


if __name__ == "__main__":
    sys.exit(main())
