"""What builds each native backend on this machine: its sources, and its compiler or why none.

CUDA is built by `nvcc` (NVCC, PATH, then /usr/local/cuda) for sm_80 and sm_90 with PTX for what
comes later, the runtime linked statically. Where there is none, or NVCC is `nvrtc`, the device code
alone is compiled by NVRTC for the device that is here, and launched through its driver. Metal is
built by the `clang` of the command line tools; its device code is compiled when it is loaded, so
Xcode itself is not needed.
"""

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.kernels import compiler, nvrtc
from engine.kernels.compiler import Compiler, program_on_path, run
from engine.kernels.contract import UnavailableError
from receipts.digest import Digest

NVRTC = "nvrtc"
_NVCC_PLACE = "/usr/local/cuda/bin/nvcc"
_NVCC_FLAGS = (
    *("-std=c++17", "-O3", "--shared", "-cudart", "static", "--fmad=false"),
    *("-Xcompiler", "-fPIC,-fvisibility=hidden"),
    *("-gencode", "arch=compute_80,code=sm_80"),
    *("-gencode", "arch=compute_90,code=[sm_90,compute_90]"),
)
_METAL_FLAGS = ("-O2", "-fobjc-arc", "-fvisibility=hidden", "-dynamiclib")
_METAL_LIBRARIES = ("-framework", "Foundation", "-framework", "Metal")


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A backend's sources, the first of which is compiled, and how its compiler is found."""

    sources: tuple[str, ...]
    find: Callable[[Mapping[str, str]], Compiler]


def find_nvcc(environment: Mapping[str, str]) -> Compiler:
    """Return the CUDA compiler; raises `UnavailableError` when there is none."""
    named = environment.get("NVCC", "nvcc")
    if named == NVRTC:
        raise UnavailableError("NVCC asks for NVRTC")
    program = program_on_path(named, environment)
    if program is None and "NVCC" not in environment and Path(_NVCC_PLACE).is_file():
        program = _NVCC_PLACE
    if program is None:
        raise UnavailableError(f"no {named} on PATH; install the CUDA toolkit or set NVCC")
    about = run([program, "--version"], environment).decode(errors="replace").strip().splitlines()
    version = next((line for line in about if "release" in line), about[-1] if about else "")
    # The macros also tell which host compiler nvcc calls.
    macros = run(
        [program, "-std=c++17", "-E", "-Xcompiler", "-dM", "-x", "cu", "/dev/null"], environment
    )
    return Compiler(program, version, _NVCC_FLAGS, Digest.of(macros))


def find_metal_compiler(environment: Mapping[str, str]) -> Compiler:
    """Return the compiler of Metal's host side; raises `UnavailableError` where there is none."""
    if platform.system() != "Darwin":
        raise UnavailableError(f"Metal is of macOS, and this is {platform.system()}")
    program = program_on_path("clang", environment)
    if program is None:
        raise UnavailableError("no clang on PATH; run xcode-select --install")
    about = run([program, "--version"], environment).decode(errors="replace").strip()
    macros = run([program, *_METAL_FLAGS, "-E", "-dM", "-x", "objective-c", "-"], environment)
    version = about.partition("\n")[0]
    return Compiler(program, version, _METAL_FLAGS, Digest.of(macros), _METAL_LIBRARIES)


def find_nvrtc(environment: Mapping[str, str]) -> Compiler:
    """Return NVRTC, unless NVCC names a compiler; raises `UnavailableError` where it is not."""
    if environment.get("NVCC", NVRTC) != NVRTC:
        raise UnavailableError("NVCC names another compiler")
    return nvrtc.find_nvrtc(environment)


TOOLCHAINS: Mapping[str, tuple[Toolchain, ...]] = {
    "c": (Toolchain(compiler.SOURCES, compiler.find_compiler),),
    "cuda": (
        Toolchain(("cuda.cu", "cuda_kernels.cuh", "mk.h"), find_nvcc),
        Toolchain(("cuda_kernels.cuh",), find_nvrtc),
    ),
    "metal": (Toolchain(("metal.m", "metal.metal", "mk.h"), find_metal_compiler),),
}
"""For each backend what may build it; the first that is here does."""


def choose(name: str, environment: Mapping[str, str]) -> tuple[Toolchain, Compiler]:
    """Return what builds the backend here; raises `UnavailableError` with every reason why not."""
    reasons = []
    for toolchain in TOOLCHAINS[name]:
        try:
            return toolchain, toolchain.find(environment)
        except UnavailableError as error:
            reasons.append(str(error))
    raise UnavailableError("; ".join(reasons))
