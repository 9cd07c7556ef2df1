"""Metal has never run here: what is held without a Mac is that its sources fit the interface."""

import platform
import re
from pathlib import Path

import pytest

from engine.kernels.backends import make
from engine.kernels.contract import UnavailableError
from engine.kernels.native import ARGUMENTS

FOLDER = Path(__file__).parents[2] / "engine" / "kernels"
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "kernels.md"


def text(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def bare(source):
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", " ", source, flags=re.DOTALL))


def signatures(source, opening):
    """Return the functions of the interface as name → types and names of its arguments."""
    pattern = re.compile(opening + r"\b(?:int32_t|const char \*) ?(mk_\w+) ?\(([^)]*)\) ?[;{]")
    return {name: bare(arguments).strip() for name, arguments in pattern.findall(bare(source))}


@pytest.mark.parametrize("source", ["metal.m", "cuda.cu"])
def test_a_backend_defines_exactly_the_functions_of_the_header_with_its_arguments(source):
    declared = signatures(text("mk.h"), "")
    assert len(declared) == 10
    assert signatures(text(source), "EXPORT ") == declared


def test_the_cpu_defines_them_too():
    found = signatures(text("cpu.c"), "")
    assert found == signatures(text("mk.h"), "")


def metal_kernels():
    """Return each kernel of the Metal source as name → (buffers in order, their indices)."""
    found = {}
    for name, arguments in re.findall(r"kernel void (\w+)\((.*?)\) \{", bare(text("metal.metal"))):
        buffers = re.findall(r"(\w+) \[\[buffer\((\d+)\)\]\]", arguments)
        found[name] = ([buffer for buffer, _ in buffers], [int(index) for _, index in buffers])
    return found


def test_every_kernel_takes_the_arrays_of_the_header_in_their_order_then_the_sizes():
    scalars = {"n", "rows", "columns", "scalar", "epsilon"}
    found = metal_kernels()
    for kernel, arguments in ARGUMENTS.items():
        arrays = [one for one in arguments if one not in scalars]
        if kernel == "argmax_f32":
            assert found["argmax_f32_part"][0] == ["logits", "bests", "s"]
            assert found["argmax_f32_finish"][0] == ["logits", "bests", "best", "s"]
            continue
        wanted = [one for one in arrays if one != "best"]
        for variant in ("plain", "tuned"):
            assert found[f"{kernel}_{variant}"][0] == [*wanted, "s"], kernel


def test_buffers_are_numbered_from_0_without_a_gap():
    for name, (_, indices) in metal_kernels().items():
        assert indices == list(range(len(indices))), name


def test_the_shim_names_every_kernel_and_no_other():
    shim = text("metal.m")
    named = set(re.findall(r'@"([a-z0-9_]+)"', shim)) - {"_tuned", "_plain"}
    by_variant = {f"{one}_{variant}" for one in named for variant in ("plain", "tuned")}
    kernels = metal_kernels().keys()
    assert all(one in kernels or f"{one}_plain" in kernels for one in named)
    assert kernels <= named | by_variant


def test_both_sides_agree_on_the_sizes():
    def members(source, types):
        [body] = re.findall(r"struct sizes \{(.*?)\};", bare(source))
        return [(types.get(kind, kind), name) for kind, name in re.findall(r"(\w+) (\w+);", body)]

    host = members(text("metal.m"), {"int64_t": "long", "int32_t": "int"})
    assert host == members(text("metal.metal"), {})
    assert host[0] == ("long", "n")


def test_rounding_is_not_relaxed():
    assert "#pragma METAL fp contract(off)" in text("metal.metal")
    assert "fastMathEnabled = NO" in text("metal.m")


def test_elsewhere_than_on_a_mac_it_is_unavailable_and_says_why():
    if platform.system() == "Darwin":
        pytest.skip("this is a Mac: run engine kernels verify --backend metal")
    with pytest.raises(UnavailableError, match="Metal is of macOS"):
        make("metal", {})


def test_the_sources_and_the_page_say_that_nobody_has_run_it():
    for name in ("metal.m", "metal.metal"):
        assert "UNTESTED" in text(name).partition("*/")[0]
    assert "untested" in PAGE.read_text(encoding="utf-8").lower()
