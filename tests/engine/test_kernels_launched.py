"""CUDA without nvcc: the launches of launching.py, over a driver that threads of the CPU play.

No device is needed, and none is shown to work; the code that NVRTC compiles is compiled for real.
"""

import ctypes

import numpy as np
import pytest

from engine.kernel_work import KERNELS
from engine.kernels.contract import VARIANTS, How, UnavailableError
from engine.kernels.driver import Driver, Step
from engine.kernels.launching import Launched
from engine.kernels.model import model_of, prompt_of
from engine.kernels.portable import Portable
from engine.kernels.problem import difference, largest, poisoned, pose
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
