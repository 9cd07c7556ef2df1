"""CUDA where there is a compiler for it; what runs on a device, gpu_check.sh verifies there."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import provenance
from engine.kernels.backends import find, kernels, make
from engine.kernels.contract import How, UnavailableError
from engine.kernels.native import ABI_VERSION, ARGUMENTS
from engine.kernels.problem import poisoned, pose
from engine.kernels.toolchains import TOOLCHAINS
from receipts.digest import Digest
from receipts.errors import Error

FOLDER = Path(__file__).parents[2] / "engine" / "kernels"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    if not (shutil.which("nvcc") or Path("/usr/local/cuda/bin/nvcc").is_file()):
        pytest.skip("no nvcc: the CUDA kernels were neither compiled nor linked")
    kept = {k: v for k, v in os.environ.items() if k not in ("NVCC", "EVIDENCE_NO_COMPILER")}
    return kept | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="module")
def built(environment):
    return make("cuda", environment)


@pytest.fixture(scope="module")
def absent(built):
    if built.info.devices:
        pytest.skip("there is a device: run engine/kernels/gpu_check.sh")
    return built


def test_it_compiles_links_and_loads_without_a_device_or_its_driver(built):
    library = ctypes.CDLL(str(built.path))
    assert library.mk_abi_version() == ABI_VERSION
    assert all(hasattr(library, f"mk_{name}") for name in (*ARGUMENTS, "decode", "get_info"))
    linked = subprocess.run(["ldd", built.path], capture_output=True, text=True, check=True).stdout
    assert "libcuda.so" not in linked
    assert "libcudart" not in linked


def test_it_exports_the_interface_and_nothing_else_of_ours(built):
    if not shutil.which("nm"):
        pytest.skip("no nm: the exported names were not listed")
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", built.path], capture_output=True, text=True, check=True
    ).stdout
    header = (FOLDER / "mk.h").read_text(encoding="utf-8")
    declared = set(re.findall(r"\b(mk_[a-z0-9_]+)\(", header.partition("MK_ABI_VERSION 2")[2]))
    assert set(re.findall(r"\b(mk_\w+)$", listed, re.MULTILINE)) == declared


def test_the_library_holds_code_for_both_devices_and_for_later_ones(built):
    if not shutil.which("cuobjdump"):
        pytest.skip("no cuobjdump: the parts of the fat binary were not listed")
    told = subprocess.run(
        ["cuobjdump", "--list-elf", "--list-ptx", built.path],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert {"sm_80", "sm_90"} <= set(re.findall(r"sm_\d+", told))
    assert ".ptx" in told


def test_its_provenance_leads_to_the_sources(built):
    found = provenance.read(built.path)
    wanted = {name: Digest.of_file(FOLDER / name).hex for name in TOOLCHAINS["cuda"][0].sources}
    assert {one.name: one.digest for one in found.dependencies} == wanted
    assert found.parameters["source"] == "cuda.cu"
    assert "--fmad=false" in found.parameters["flags"]


def test_without_a_device_it_says_the_driver_s_reason_and_number(absent, environment):
    assert absent.info.native_error in (35, 100)
    assert f"CUDA error {absent.info.native_error}: " in absent.info.reason
    with pytest.raises(UnavailableError, match="CUDA error"):
        find("cuda", environment)


def test_without_a_device_every_kernel_refuses_with_that_reason(absent):
    for name in ARGUMENTS:
        sizes = {"n": 8} if name in ("triad", "argmax_f32") else {"rows": 2, "columns": 32}
        problem = pose(name, sizes, 1)
        with pytest.raises(Error, match="CUDA error"):
            kernels(absent).launch(How("tuned"), problem, poisoned(problem))


def test_a_device_takes_no_threads_of_the_cpu(built):
    problem = pose("triad", {"n": 8}, 1)
    with pytest.raises(Error, match="threads is 1"):
        kernels(built).launch(How("tuned", threads=2), problem, poisoned(problem))


ENGINE = """
import click
from engine.cli_kernels import kernels
from receipts import console
@click.group(cls=console.Group)
def engine(): pass
engine.add_command(kernels)
console.run(engine)
"""


def test_the_check_for_a_machine_with_a_gpu_stops_where_there_is_none(
    absent, environment, tmp_path
):
    (tmp_path / "wrapper.py").write_text(ENGINE)
    named = {"ENGINE": f"{sys.executable} {tmp_path / 'wrapper.py'}", "PYTHON": sys.executable}
    done = subprocess.run(
        ["sh", FOLDER / "gpu_check.sh", "cuda", tmp_path / "work"],
        env={**environment, **named, "PYTHONPATH": str(FOLDER.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stdout == ""
    assert f"nothing was verified on cuda: {absent.info.reason}" in done.stderr
    assert not (tmp_path / "work").exists()
