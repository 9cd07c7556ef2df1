"""CUDA without nvcc: the launches of launching.py, over a driver that threads of the CPU play.

No device is needed, and none is shown to work; the code that NVRTC compiles is compiled for real.
"""

import ctypes
import os
import re
from pathlib import Path

import numpy as np
import pytest

from engine import provenance
from engine.kernel_work import KERNELS
from engine.kernels import nvrtc
from engine.kernels.backends import find, make
from engine.kernels.contract import VARIANTS, How, UnavailableError
from engine.kernels.driver import Driver, Step
from engine.kernels.launching import Launched
from engine.kernels.model import model_of, prompt_of
from engine.kernels.portable import Portable
from engine.kernels.problem import difference, largest, poisoned, pose
from receipts.digest import Digest
from receipts.errors import MalformedError, SystemFailureError
from tests.engine.test_kernels_on_threads import PLAYED, TIES, compiled, logits, problems

CUBIN = b"\x7fELF played"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Return the path of a driver of threads."""
    source = (PLAYED / "libcuda.cpp").read_text(encoding="utf-8")
    return compiled(tmp_path_factory.mktemp("driver"), "libcuda", source)


@pytest.fixture(scope="module")
def launched(library):
    return Launched(Driver(str(library)), CUBIN)


@pytest.fixture
def held(library):
    """Return what says how much of the device's memory is held."""
    return ctypes.CDLL(str(library)).played_held


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_is_launched_as_float64_wants_it(launched, held, name, variant):
    for problem in problems(name):
        outputs = poisoned(problem)
        ns = launched.launch(How(variant, warmup=1, launches=2), problem, outputs)
        assert difference(problem, outputs) is None, problem.sizes
        assert len(ns) == 2
        assert all(one > 0 for one in ns)
    assert held() == 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("values", "wanted"), TIES)
def test_ties_go_to_the_lowest_index(launched, variant, values, wanted):
    problem = logits(*values)
    outputs = poisoned(problem)
    launched.launch(How(variant), problem, outputs)
    assert largest(outputs) == wanted


def test_a_nan_is_refused_and_the_memory_is_given_back(launched, held):
    values = np.linspace(-1, 1, 600)
    values[299] = np.nan
    problem = logits(*values)
    with pytest.raises(MalformedError, match="NaN is neither large nor small"):
        launched.launch(How("tuned"), problem, poisoned(problem))
    assert held() == 0


def test_it_decodes_what_numpy_decodes(launched, held):
    for seed, vocab, width in ((1, 1, 1), (2, 40, 33), (3, 70, 48)):
        model, prompt = model_of(seed, vocab, width), prompt_of(seed, vocab, 3)
        wanted = Portable().decode("plain", model, prompt, 5)
        for variant in VARIANTS:
            found = launched.decode(variant, model, prompt, 5)
            assert (found.tokens, found.logits) == (wanted.tokens, wanted.logits)
            assert len(found.token_ns) == 5
    assert held() == 0


def test_a_matrix_times_a_vector_is_what_numpy_says(launched):
    rng = np.arange(12, dtype=np.int8)
    found, best = launched.matvec("tuned", rng.reshape(3, 4), rng[:4])
    assert (found.tolist(), best) == ([14, 38, 62], 2)


def test_what_is_told_of_the_device_is_the_driver_s(launched, library):
    told = launched.info()
    assert (told.devices, told.device, told.clock) == (1, "played", "cuEvent")
    assert told.driver == "CUDA driver interface 13.0"
    assert told.bandwidth == 1000 * 1000 * 2 * 125
    assert Driver(str(library)).architecture == "sm_90"


def test_threads_of_the_cpu_are_refused(launched):
    problem = pose("triad", {"n": 8}, 1)
    with pytest.raises(MalformedError, match="threads is 1"):
        launched.launch(How("tuned", threads=2), problem, poisoned(problem))


def test_without_a_driver_or_a_device_the_reason_is_told(library, tmp_path):
    with pytest.raises(UnavailableError, match="no CUDA driver: "):
        Driver(str(tmp_path / "libcuda.so.1"))
    source = "#define DEVICES 0\n" + (PLAYED / "libcuda.cpp").read_text(encoding="utf-8")
    with pytest.raises(UnavailableError, match=r"CUDA error 100: played \(cuInit\)"):
        Driver(str(compiled(tmp_path, "none", source)))


def test_what_the_driver_refuses_is_told_with_its_word(library):
    driver = Driver(str(library))
    with pytest.raises(SystemFailureError, match=r"CUDA error 200: played \(cuModuleLoadData\)"):
        driver.load(b"no cubin")
    with pytest.raises(SystemFailureError, match=r"\(cuModuleGetFunction\)"):
        driver.load(CUBIN)(Step("no_such_kernel", 1, 1, []))
    with driver.memory() as memory, pytest.raises(SystemFailureError, match="CUDA error 2"):
        memory.take(2**31)


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    pytest.importorskip("cuda.core", reason="not run: cuda-core is not installed")
    pytest.importorskip("cuda.bindings.nvrtc", reason="not run: cuda-bindings is not installed")
    kept = {k: v for k, v in os.environ.items() if k != "EVIDENCE_NO_COMPILER"}
    return kept | {"NVCC": "nvrtc", "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="module")
def built(environment):
    return make("cuda", environment)


def test_nvrtc_compiles_the_device_code_with_its_provenance_beside_it(built):
    assert built.path.name == nvrtc.OUTPUT
    assert built.path.read_bytes()[:4] == b"\x7fELF"
    assert re.fullmatch(r"NVRTC \d+\.\d+ by cuda-core [\d.]+", built.compiler)
    found = provenance.read(built.path)
    source = Path(nvrtc.__file__).with_name("cuda_kernels.cuh")
    assert {one.name: one.digest for one in found.dependencies} == {
        source.name: Digest.of_file(source).hex
    }


def test_every_kernel_that_is_launched_is_in_the_cubin(built):
    launching = Path(nvrtc.__file__).with_name("launching.py").read_text(encoding="utf-8")
    names = set(re.findall(r'Step\(\s*f?"(\w+?)(?:_\{work\.variant\})?"', launching))
    assert names == {*KERNELS, "absorb", "store_token", "store_best", "argmax_i32"}
    entries = set(re.findall(rb"\.text\.(\w+)", built.path.read_bytes()))
    for name in names:
        both = {f"{name}_{variant}".encode() for variant in VARIANTS}
        assert both <= entries if name in KERNELS else name.encode() in entries


def test_built_without_a_device_it_says_why_it_cannot_run(built, environment):
    if built.info.devices:
        pytest.skip("there is a device: run engine/kernels/gpu_check.sh with NVCC=nvrtc")
    assert built.info.reason.startswith(("no CUDA driver: ", "CUDA error "))
    with pytest.raises(UnavailableError, match=re.escape(built.info.reason)):
        find("cuda", environment)


def test_a_source_that_does_not_compile_is_told_in_one_line(environment, tmp_path, capsys):
    (tmp_path / "wrong.cuh").write_text("__global__ void kernel() { nonsense }")
    code = nvrtc.main(["-o", str(tmp_path / "out"), str(tmp_path / "wrong.cuh")])
    said = capsys.readouterr().err
    assert (code, said.count("\n"), said[:7]) == (1, 1, "error: ")
    assert "nonsense" in said
    assert not (tmp_path / "out").exists()


def test_without_either_compiler_both_reasons_are_told(monkeypatch):
    monkeypatch.setattr(nvrtc, "_PACKAGES", ("no_such_package",))
    with pytest.raises(
        UnavailableError, match=r"NVCC asks for NVRTC; no NVRTC \(extra `cuda`\); pip"
    ):
        make("cuda", {"NVCC": "nvrtc"})
    with pytest.raises(UnavailableError, match=r"no nowhere on PATH; .*; NVCC names another"):
        make("cuda", {"NVCC": "nowhere", "PATH": ""})
