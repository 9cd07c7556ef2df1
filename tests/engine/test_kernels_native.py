"""The six measured kernels against float64, in every variant, backend and number of threads."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernel_work import KERNELS
from engine.kernels import problem as problems
from engine.kernels.backends import kernels, probe
from engine.kernels.compiler import SOURCES
from engine.kernels.contract import VARIANTS, How
from engine.kernels.native import ARGUMENTS
from engine.kernels.portable import Portable
from engine.kernels.problem import Problem, difference, largest, poisoned, pose
from receipts.errors import MalformedError

FOLDER = Path(__file__).parents[2] / "engine" / "kernels"
EXACT = [name for name, kernel in KERNELS.items() if kernel.exact]
THREADS = (1, 2, 5)
SEEDS = st.integers(0, 2**64 - 1)


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler on PATH: the C kernels were not run")
    kept = {k: v for k, v in os.environ.items() if k not in ("CC", "EVIDENCE_NO_COMPILER")}
    # The sanitized run of these tests names its compiler here.
    kept |= {"CC": os.environ["TEST_CC"]} if "TEST_CC" in os.environ else {}
    return kept | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="module")
def native(environment):
    backend = probe(environment)
    assert backend.available, backend.reason
    return kernels(backend)


def ways(native):
    yield from ((native, How(variant, count)) for variant in VARIANTS for count in THREADS)
    yield from ((Portable(), How(variant)) for variant in VARIANTS)


def solved(native, problem):
    """Return the outputs of every way, each held against float64."""
    found = []
    for able, how in ways(native):
        outputs = poisoned(problem)
        able.launch(how, problem, outputs)
        assert difference(problem, outputs) is None, (type(able).__name__, how)
        found.append(outputs)
    return found


def shifted(problem, offset):
    """Return the same inputs, `offset` numbers into their memory: aligned to one, not to more."""
    moved = {}
    for name, array in problem.inputs.items():
        room = np.empty(len(array) + offset, array.dtype)
        room[offset:] = array
        moved[name] = room[offset:]
    return replace(problem, inputs=moved)


@st.composite
def posed(draw, names=tuple(KERNELS)):
    name = draw(st.sampled_from(names))
    if "n" in KERNELS[name].limits:
        sizes = {"n": draw(st.integers(0, 3000))}
    else:
        unit = 32 if name == "gemv_q8_0" else 1
        columns = draw(st.integers(0, 400 // unit)) * unit
        sizes = {"rows": draw(st.integers(0, 13)), "columns": columns}
    return shifted(pose(name, sizes, draw(SEEDS)), draw(st.integers(0, 3)))


@settings(max_examples=150)
@given(problem=posed())
def test_every_kernel_is_what_float64_says_for_any_shape_and_alignment(native, problem):
    solved(native, problem)


@settings(max_examples=80)
@given(problem=posed(tuple(EXACT)))
def test_exact_kernels_give_the_same_bits_however_they_are_run(native, problem):
    found = solved(native, problem)
    bits = {tuple(array.tobytes() for array in outputs.values()) for outputs in found}
    assert len(bits) == 1


@settings(max_examples=40)
@given(problem=posed(("gemv_q8_0", "rmsnorm", "matvec_f32")))
def test_the_number_of_threads_changes_no_bit_of_any_kernel(native, problem):
    for variant in VARIANTS:
        bits = set()
        for count in THREADS:
            outputs = poisoned(problem)
            native.launch(How(variant, count), problem, outputs)
            bits.add(outputs["y"].tobytes())
        assert len(bits) == 1


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("size", [0, 1])
def test_nothing_and_one_are_sizes_too(native, name, size):
    unit = 32 if name == "gemv_q8_0" else 1
    for sizes in (
        [{"n": size}]
        if "n" in KERNELS[name].limits
        else [{"rows": size, "columns": unit}, {"rows": 1, "columns": size * unit}]
    ):
        solved(native, pose(name, sizes, 3))


def test_the_order_of_a_float_sum_shows_in_its_last_bits(native):
    problem = pose("matvec_f32", {"rows": 64, "columns": 4000}, 1)
    by_variant = {}
    for variant in VARIANTS:
        outputs = poisoned(problem)
        native.launch(How(variant), problem, outputs)
        assert difference(problem, outputs) is None
        by_variant[variant] = outputs["y"].tobytes()
    assert by_variant["plain"] != by_variant["tuned"]


def logits(*values):
    array = np.array(values, dtype=np.float32)
    return Problem("argmax_f32", {"n": len(array)}, {"logits": array})


def best(able, how, problem):
    outputs = poisoned(problem)
    able.launch(how, problem, outputs)
    return largest(outputs)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ((), -1),
        ((7,), 0),
        ((1, 3, 3, 2, 3), 1),
        ((-0.0, 0.0), 0),
        ((0.0, -0.0), 0),
        ((-1, -0.0, 0.0), 1),
        ((-np.inf, -np.inf), 0),
        ((-np.inf, -3.4e38), 1),
        ((3.4e38, np.inf, np.inf), 1),
        ((1e-45, 3e-45, -1e-45), 1),
        ((-1e-45, -0.0), 1),
    ],
)
def test_argmax_takes_the_lowest_of_the_largest_and_both_zeros_for_one(native, values, wanted):
    for able, how in ways(native):
        assert best(able, how, logits(*values)) == wanted, (able, how)


@settings(max_examples=60)
@given(
    values=st.lists(st.sampled_from([-1.0, -0.0, 0.0, 1.0]), min_size=1, max_size=40),
    copies=st.integers(1, 80),
)
def test_ties_go_to_the_lowest_index_wherever_threads_divide_them(native, values, copies):
    repeated = values * copies
    wanted = next(i for i, value in enumerate(repeated) if value == max(values))
    for able, how in ways(native):
        assert best(able, how, logits(*repeated)) == wanted


@settings(max_examples=60)
@given(
    count=st.integers(1, 3000),
    place=st.floats(0, 1, exclude_max=True),
    bits=st.sampled_from([0x7FC00000, 0xFFC00000, 0x7F800001, 0xFF800001, 0xFFFFFFFF]),
)
def test_a_nan_anywhere_is_refused_whatever_its_bits(native, count, place, bits):
    array = np.linspace(-1, 1, count).astype(np.float32)
    array.view(np.uint32)[int(place * count)] = bits
    for able, how in ways(native):
        with pytest.raises(MalformedError, match="NaN"):
            best(able, how, logits(*array))


@pytest.mark.parametrize("name", KERNELS)
def test_outputs_are_poisoned_before_the_launch_that_is_kept(native, name):
    sizes = {"n": 9} if "n" in KERNELS[name].limits else {"rows": 3, "columns": 32}
    problem = pose(name, sizes, 5)
    fresh = poisoned(problem)
    assert all((array.view(np.uint8) == 0xFF).all() for array in fresh.values())
    assert difference(problem, fresh) is not None
    outputs = {key: np.zeros_like(array) for key, array in fresh.items()}
    ns = native.launch(How("tuned", 2, warmup=2, launches=3), problem, outputs)
    assert difference(problem, outputs) is None
    assert len(ns) == 3
    assert all(type(one) is int and one > 0 for one in ns)


LOOP = "for (int64_t i = {}; i < {}; i++) "
BREAKAGES = {
    "triad": (LOOP.format("begin", "end") + "a[i]", LOOP.format("begin + 1", "end") + "a[i]"),
    "matvec_i8": ("if (logits[r] > logits[best])", "if (logits[r] >= logits[best])"),
    "gemv_q8_0": ("exponent + 112u", "exponent + 111u"),
    "rmsnorm": ("x[c] * scale * gain[c]", "x[c] * scale"),
    "matvec_f32": (LOOP.format("0", "n") + "sum +=", LOOP.format("1", "n") + "sum +="),
    "argmax_f32": ("logits[i] > logits[best]", "logits[i] >= logits[best]"),
}


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_that_is_slightly_wrong_is_caught(environment, tmp_path, name):
    for source in SOURCES:
        text = (FOLDER / source).read_text(encoding="utf-8")
        (tmp_path / source).write_text(text.replace(*BREAKAGES[name]), encoding="utf-8")
    broken = probe(environment, tmp_path)
    assert broken.available, broken.reason
    problem = pose(
        name, {"n": 40} if "n" in KERNELS[name].limits else {"rows": 9, "columns": 64}, 1
    )
    if name in ("matvec_i8", "argmax_f32"):  # only ties show it
        problem = replace(
            problem, inputs={key: np.ones_like(array) for key, array in problem.inputs.items()}
        )
    outputs = poisoned(problem)
    kernels(broken).launch(How("plain"), problem, outputs)
    assert difference(problem, outputs) is not None


def test_a_launch_that_writes_nothing_is_seen_for_its_poison(environment, tmp_path):
    for source in SOURCES:
        text = (FOLDER / source).read_text(encoding="utf-8")
        lazy = text.replace("    do_part(crew, 0);", "    if (crew->ticket < 3) do_part(crew, 0);")
        (tmp_path / source).write_text(lazy, encoding="utf-8")
    problem = pose("triad", {"n": 100}, 1)
    outputs = poisoned(problem)
    able = kernels(probe(environment, tmp_path))
    able.launch(How("tuned", launches=2), problem, outputs)
    assert difference(problem, outputs) is None
    able.launch(How("tuned", launches=5), problem, outputs)
    assert "nan" in (difference(problem, outputs) or "")


@pytest.mark.parametrize(
    ("x", "why"),
    [
        (np.zeros(32, np.float64), "float32"),
        (np.zeros(64, np.float32)[::2], "gaps"),
        (np.zeros(31, np.float32), "needs 32 x"),
        (np.zeros(132, np.uint8)[1:129].view(np.float32), "aligned"),
    ],
)
def test_arrays_that_would_be_misread_are_refused(native, x, why):
    problem = pose("matvec_f32", {"rows": 2, "columns": 32}, 1)
    problem = replace(problem, inputs={**problem.inputs, "x": x})
    for able in (native, Portable()):
        with pytest.raises(MalformedError, match=why):
            able.launch(How("plain"), problem, poisoned(problem))


def test_short_outputs_are_refused(native):
    problem = pose("triad", {"n": 8}, 1)
    for able in (native, Portable()):
        with pytest.raises(MalformedError, match="needs 8 a"):
            able.launch(How("plain"), problem, {"a": np.empty(7, np.float32)})


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (How("fast"), "variant"),
        (How("plain", threads=0), "threads"),
        (How("plain", threads=1025), "threads"),
        (How("plain", launches=0), "launches"),
        (How("plain", warmup=-1), "launches"),
    ],
)
def test_a_launch_that_makes_no_sense_is_refused(native, how, why):
    problem = pose("triad", {"n": 8}, 1)
    for able in (native, Portable()):
        with pytest.raises(MalformedError, match=why):
            able.launch(how, problem, poisoned(problem))


def test_numpy_takes_one_thread_only():
    problem = pose("triad", {"n": 8}, 1)
    with pytest.raises(MalformedError, match="one thread"):
        Portable().launch(How("plain", threads=2), problem, poisoned(problem))


def test_q8_0_has_whole_blocks_only(native):
    with pytest.raises(MalformedError, match="multiple"):
        pose("gemv_q8_0", {"rows": 1, "columns": 33}, 1)
    ragged = Problem(
        "gemv_q8_0",
        {"rows": 1, "columns": 33},
        {"weights": np.zeros(34, np.uint8), "x": np.zeros(34, np.uint8)},
    )
    with pytest.raises(MalformedError, match="32"):
        native.launch(How("plain"), ragged, poisoned(ragged))


def test_scales_of_q8_0_are_halves_of_every_kind(native):
    halves = np.array([0, 0x8000, 1, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x7BFF], dtype="<u2")
    ones = np.ones((len(halves), 34), np.uint8)
    ones[:, :2] = halves.view(np.uint8).reshape(-1, 2)
    x = np.ones(34, np.uint8)
    x[:2] = np.array([0x3C00], dtype="<u2").view(np.uint8)
    problem = Problem(
        "gemv_q8_0", {"rows": len(halves), "columns": 32}, {"weights": ones.ravel(), "x": x}
    )
    for outputs in solved(native, problem):
        assert outputs["y"].tolist() == (32 * halves.view("<f2").astype(float)).tolist()


def test_every_kernel_has_a_reference_and_the_header_s_arguments(native):
    assert problems._REFERENCES.keys() == KERNELS.keys() == ARGUMENTS.keys()
    header = (FOLDER / "mk.h").read_text(encoding="utf-8")
    for name, arguments in ARGUMENTS.items():
        [signature] = [s for s in header.split(";") if f"mk_{name}(const struct mk_how" in s]
        listed = signature[signature.rindex("(") + 1 : signature.rindex(")")].split(",")
        assert tuple(one.split()[-1].lstrip("*") for one in listed) == ("how", *arguments)


def test_inputs_are_fresh_for_every_seed_and_the_same_for_one():
    for name, kernel in KERNELS.items():
        sizes = {"n": 64} if "n" in kernel.limits else {"rows": 2, "columns": 32}
        one, again, other = (pose(name, sizes, seed).inputs for seed in (1, 1, 2))
        for key in one:
            assert one[key].tobytes() == again[key].tobytes()
            assert one[key].tobytes() != other[key].tobytes()
