"""The device code of CUDA and Metal played by threads of the CPU, and held against float64.

No device is needed, and none is shown to work: this finds a wrong index, a wrong order of
arguments, a tie that goes astray. What a real one does is for `gpu_check.sh`, and for a Mac.
"""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from engine.kernel_work import KERNELS
from engine.kernels.contract import VARIANTS, How
from engine.kernels.model import model_of, prompt_of
from engine.kernels.native import Native
from engine.kernels.portable import Portable
from engine.kernels.problem import EPSILON, SCALAR, Problem, difference, largest, poisoned, pose
from receipts.errors import MalformedError

FOLDER = Path(__file__).parents[2] / "engine" / "kernels"
PLAYED = Path(__file__).parent / "simt"
FLAGS = ["-std=c++20", "-O1", "-fPIC", "-shared", "-pthread", "-ffp-contract=off", "-w"]
LENGTHS = [0, 1, 3, 255, 256, 1000]
MATRICES = [(0, 32), (1, 32), (3, 64), (9, 96), (33, 160), (2, 0), (1, 1056)]


def compiled(folder, name, source):
    if not shutil.which("g++"):
        pytest.skip("no g++: the device code was not played")
    (folder / f"{name}.cpp").write_text(source, encoding="utf-8")
    library = folder / f"{name}.so"
    include = ["-I", str(PLAYED), "-I", str(FOLDER)]
    done = subprocess.run(
        ["g++", *FLAGS, *include, "-o", str(library), str(folder / f"{name}.cpp")],
        capture_output=True,
        text=True,
        check=False,
    )
    if "barrier: No such file" in done.stderr:
        pytest.skip("g++ without C++20 barriers: the device code was not played")
    assert done.returncode == 0, done.stderr[:3000]
    return library


@pytest.fixture(scope="module")
def cuda(tmp_path_factory):
    """Return the whole of cuda.cu over a runtime of threads."""
    source = (FOLDER / "cuda.cu").read_text(encoding="utf-8")
    launch = re.compile(r"(\([^()]*\)|\w+)\s*<<<(.*?),\s*(\w+)>>>\(", re.DOTALL)
    played, count = launch.subn(r"simt_launcher(\1, \2, \3)(", source)
    assert count == source.count("<<<") > 0
    return Native(compiled(tmp_path_factory.mktemp("cuda"), "cuda", played))


@pytest.fixture(scope="module")
def metal(tmp_path_factory):
    """Return the kernels of metal.metal by name, each to be called with its arrays."""
    source = (FOLDER / "metal.metal").read_text(encoding="utf-8")
    code = re.sub(r"\[\[\w+(?:\(\d+\))?\]\]", "", source)
    found = re.findall(r"kernel void (\w+)\((.*?)\) \{", source, re.DOTALL)
    library = ctypes.CDLL(
        str(
            compiled(tmp_path_factory.mktemp("metal"), "metal", code + "".join(map(wrapper, found)))
        )
    )
    return {name: getattr(library, f"played_{name}") for name, _ in found}


def wrapper(function):
    """Return a C function that runs a Metal kernel for so many threads, in groups of 256."""
    name, arguments = function
    buffers = re.findall(r"device (?:const )?(\w+) \*(\w+) \[\[buffer", arguments)
    lane = "lane" in arguments
    passed = [f"(({kind} *){buffer})" for kind, buffer in buffers]
    indices = ["at", "simt::thread_in_block % 32"] if lane else ["at"]
    called = ", ".join([*passed, "*s", *indices])
    given = ", ".join([*(f"void *{buffer}" for _, buffer in buffers), "sizes *s"])
    return f"""
extern "C" void played_{name}(long threads, {given}) {{
    unsigned groups = threads < 1 ? 1 : (unsigned)((threads + 255) / 256);
    simt::run(groups, 256, [&] {{
        uint at = simt::block_in_grid * 256 + simt::thread_in_block;
        {name}({called});
    }});
}}
"""


class Sizes(ctypes.Structure):
    _fields_ = (
        ("n", ctypes.c_int64),
        ("rows", ctypes.c_int64),
        ("columns", ctypes.c_int64),
        ("scalar", ctypes.c_float),
        ("parts", ctypes.c_int32),
    )


PARTS = 7


def play(metal, variant, problem):
    """Solve a problem as the shim does, step by step."""
    outputs, inputs = poisoned(problem), list(problem.inputs.values())
    scalar = SCALAR if problem.kernel == "triad" else EPSILON
    sizes = Sizes(**problem.sizes, scalar=scalar, parts=PARTS)
    arrays = {
        "triad": [outputs.get("a"), *inputs],
        "matvec_i8": [*inputs, outputs.get("logits")],
    }.get(problem.kernel, [*inputs, outputs.get("y")])
    if problem.kernel != "argmax_f32":
        work = problem.sizes.get("rows", problem.sizes.get("n"))
        each = 1 if variant == "plain" or problem.kernel == "triad" else 32
        step(metal[f"{problem.kernel}_{variant}"], work * each, arrays, sizes)
    if "best" in outputs:
        kind = "f32" if problem.kernel == "argmax_f32" else "i32"
        logits = inputs[0] if kind == "f32" else outputs["logits"]
        bests = np.empty(PARTS, np.int64)
        step(metal[f"argmax_{kind}_part"], PARTS, [logits, bests], sizes)
        step(metal[f"argmax_{kind}_finish"], 1, [logits, bests, outputs["best"]], sizes)
    return outputs


def step(function, threads, arrays, sizes):
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    function(ctypes.c_long(threads), *pointers, ctypes.byref(sizes))


def problems(name):
    if "n" in KERNELS[name].limits:
        return [pose(name, {"n": n}, n) for n in LENGTHS]
    made = [pose(name, {"rows": r, "columns": c}, r + c) for r, c in MATRICES]
    ragged = [pose(name, {"rows": 5, "columns": 37}, 1)] if name != "gemv_q8_0" else []
    return made + ragged


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", KERNELS)
def test_cuda_computes_what_float64_says(cuda, name, variant):
    for problem in problems(name):
        outputs = poisoned(problem)
        ns = cuda.launch(How(variant, warmup=1, launches=2), problem, outputs)
        assert difference(problem, outputs) is None, problem.sizes
        assert len(ns) == 2


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", KERNELS)
def test_metal_computes_what_float64_says(metal, name, variant):
    for problem in problems(name):
        outputs = play(metal, variant, problem)
        assert difference(problem, outputs) is None, problem.sizes


def logits(*values):
    array = np.array(values, dtype=np.float32)
    return Problem("argmax_f32", {"n": len(array)}, {"logits": array})


TIES = [
    ((), -1),
    ((1, 3, 3, 2, 3), 1),
    ((-0.0, 0.0), 0),
    ((0.0, -0.0), 0),
    ((-1, -0.0, 0.0), 1),
    ((-np.inf, -np.inf), 0),
    ((*[1.0] * 700, 2.0, *[2.0] * 300), 700),
]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("values", "wanted"), TIES)
def test_ties_and_zeros_on_both_devices(cuda, metal, variant, values, wanted):
    problem = logits(*values)
    outputs = poisoned(problem)
    cuda.launch(How(variant), problem, outputs)
    assert largest(outputs) == wanted
    assert largest(play(metal, variant, problem)) == wanted


@pytest.mark.parametrize("place", [0, 1, 299, 599])
def test_a_nan_is_refused_on_both_devices(cuda, metal, place):
    values = np.linspace(-1, 1, 600)
    values[place] = np.nan
    problem = logits(*values)
    with pytest.raises(MalformedError, match="NaN"):
        cuda.launch(How("tuned"), problem, poisoned(problem))
    assert largest(play(metal, "tuned", problem)) == -2  # which the shim turns into the refusal


def test_cuda_decodes_what_numpy_decodes(cuda):
    for seed, vocab, width in ((1, 1, 1), (2, 40, 33), (3, 70, 48)):
        model, prompt = model_of(seed, vocab, width), prompt_of(seed, vocab, 3)
        wanted = Portable().decode("plain", model, prompt, 5)
        for variant in VARIANTS:
            found = cuda.decode(variant, model, prompt, 5)
            assert (found.tokens, found.logits) == (wanted.tokens, wanted.logits)


def test_metal_absorbs_a_token_as_the_header_says(metal):
    model = model_of(4, 6, 11)
    state = np.arange(200, 211, dtype=np.uint8)
    token, following = np.array([5], np.int64), np.zeros(11, np.uint8)
    arrays = [state, model.embeddings, token, following]
    step(metal["absorb"], 11, arrays, Sizes(rows=6, columns=11))
    embedding = model.embeddings[5].view(np.uint8)
    assert following.tolist() == [
        (5 * int(state[(i + 1) % 11]) + int(embedding[i])) % 256 for i in range(11)
    ]
