"""What a kernel is given, what it must give back, and within which bound: held against float64.

    problem = pose("gemv_q8_0", {"rows": 4, "columns": 64}, seed=1)
    outputs = poisoned(problem)
    kernels.launch(How("tuned"), problem, outputs)
    difference(problem, outputs)   # None, or the first place that is wrong

Inputs come from `splitmix64`, the same bytes everywhere. Integers and roundings to float are exact
in float64, so three kernels must agree with it to the bit; for sums in float the bound is that of
Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., eq. 3.5: a sum of n rounded terms
is off by at most γ(n) · Σ|terms|, γ(n) = n·u / (1 - n·u), u = 2⁻²⁴, in whatever order it is added.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernel_work import BLOCK_BYTES, BLOCK_NUMBERS
from engine.kernels.model import splitmix64
from receipts.errors import MalformedError

Arrays = Mapping[str, NDArray[Any]]

EPSILON = float(np.float32(1e-5))
SCALAR = float(np.float32(0.4))
_UNIT = 2.0**-24
_POISON = 0xFF
_PIECE = 2**22  # numbers that are held in float64 at once
# The roundings of a row of RMSNorm that belong to no sum: mean, epsilon, root, two factors.
_ROUNDINGS = 8
# The same of q8_0: two products, and the sum of up to eight parts of the blocks' sums.
_PARTS = 12


@dataclass(frozen=True, slots=True)
class Problem:
    """The inputs of one kernel, each row-major and without gaps, by the names in `mk.h`."""

    kernel: str
    sizes: Mapping[str, int]
    inputs: Arrays


def pose(kernel: str, sizes: Mapping[str, int], seed: int) -> Problem:
    """Return the problem of `seed` (0 to 2^64 - 1); sizes may be 0."""
    streams = [int(word) for word in splitmix64(seed, 2)]
    if kernel in ("triad", "argmax_f32"):
        names = ("b", "c") if kernel == "triad" else ("logits",)
        made = {
            name: floats(stream, sizes["n"]) for name, stream in zip(names, streams, strict=False)
        }
        return Problem(kernel, sizes, made)
    rows, columns = sizes["rows"], sizes["columns"]
    one, other, make = _MATRICES[kernel]
    return Problem(
        kernel, sizes, {one: make(streams[0], rows * columns), other: make(streams[1], columns)}
    )


def poisoned(problem: Problem) -> dict[str, NDArray[Any]]:
    """Return the outputs before a launch: every byte is 0xFF, so NaN or -1."""
    rows, columns = problem.sizes.get("rows", 0), problem.sizes.get("columns", 0)
    made: dict[str, NDArray[Any]] = {}
    if problem.kernel == "triad":
        made["a"] = np.empty(problem.sizes["n"], np.float32)
    elif problem.kernel == "matvec_i8":
        made["logits"] = np.empty(rows, np.int32)
    elif problem.kernel != "argmax_f32":
        made["y"] = np.empty(rows * columns if problem.kernel == "rmsnorm" else rows, np.float32)
    if problem.kernel in ("matvec_i8", "argmax_f32"):
        made["best"] = np.empty(1, np.int64)
    for array in made.values():
        array.view(np.uint8).fill(_POISON)
    return made


def difference(problem: Problem, outputs: Arrays) -> str | None:
    """Return the first place where the outputs are not what float64 says, None if there is none."""
    for name, start, expected, bound in _REFERENCES[problem.kernel](problem):
        found = outputs[name][start : start + len(expected)]
        wrong = ~(np.abs(found.astype(np.float64) - expected) <= bound)
        if wrong.any():
            at = int(np.argmax(wrong))
            allowed = np.broadcast_to(bound, expected.shape)[at]
            return f"{name}[{start + at}] is {found[at]}, float64 says {expected[at]} ± {allowed}"
    return None


def largest(outputs: Arrays) -> int:
    """Return the lowest index of the largest output: the token that an exactness gate compares."""
    if "best" in outputs:
        return int(outputs["best"][0])
    [values] = outputs.values()
    return int(np.argmax(values)) if len(values) else -1


def check_arrays(problem: Problem, outputs: Arrays) -> None:
    """Raise `MalformedError` unless a kernel can read and write these arrays as they lie in memory.

    What `pose` and `poisoned` make always fits; arrays of somebody else may not.
    """
    expected = {**pose(problem.kernel, dict.fromkeys(problem.sizes, 0), 0).inputs}
    for name, array in {**problem.inputs, **outputs}.items():
        like = expected.get(name)
        if like is not None and array.dtype != like.dtype:
            raise MalformedError(f"{problem.kernel} takes {name} as {like.dtype}; convert it first")
        if not (array.flags.c_contiguous and array.flags.aligned and array.ndim == 1):
            raise MalformedError(f"{problem.kernel} takes {name} flat, aligned and without gaps")
    for name, length in _lengths(problem).items():
        if len({**problem.inputs, **outputs}[name]) != length:
            raise MalformedError(f"{problem.kernel} of {dict(problem.sizes)} needs {length} {name}")


def floats(seed: int, count: int) -> NDArray[np.float32]:
    """Return multiples of 2⁻²³ from -1 to 1, without 1: products of two have no underflow."""
    words = splitmix64(seed, (count + 1) // 2).astype("<u8").view("<u4")[:count]
    made: NDArray[np.float32] = (words >> np.uint32(8)).astype(np.float32)
    made *= np.float32(2.0**-23)
    made -= np.float32(1.0)
    return made


def blocks(seed: int, count: int) -> NDArray[np.uint8]:
    """Return random q8_0 blocks for `count` numbers, their scales finite and below 2."""
    if count % BLOCK_NUMBERS:
        raise MalformedError(f"q8_0 has blocks of {BLOCK_NUMBERS} numbers; {count} is no multiple")
    made = _bytes(seed, count // BLOCK_NUMBERS * BLOCK_BYTES).view(np.uint8)
    made.reshape(-1, BLOCK_BYTES)[:, 1] &= 0xBF  # the highest bit of the exponent
    return made


def integers(seed: int, count: int) -> NDArray[np.int8]:
    """Return random int8."""
    return _bytes(seed, count).view(np.int8)


def _bytes(seed: int, count: int) -> NDArray[Any]:
    return splitmix64(seed, (count + 7) // 8).astype("<u8").view(np.uint8)[:count]


_MATRICES: Mapping[str, tuple[str, str, Callable[[int, int], NDArray[Any]]]] = {
    "matvec_i8": ("weights", "activation", integers),
    "gemv_q8_0": ("weights", "x", blocks),
    "rmsnorm": ("x", "gain", floats),
    "matvec_f32": ("weights", "x", floats),
}

_Expected = Iterator[tuple[str, int, NDArray[np.float64], Any]]


def _lengths(problem: Problem) -> dict[str, int]:
    made = {name: len(array) for name, array in poisoned(problem).items()}
    if "n" in problem.sizes:
        return made | dict.fromkeys(problem.inputs, problem.sizes["n"])
    rows, columns = problem.sizes["rows"], problem.sizes["columns"]
    one, other, _ = _MATRICES[problem.kernel]
    if problem.kernel == "gemv_q8_0":
        columns = columns // BLOCK_NUMBERS * BLOCK_BYTES
    return made | {one: rows * columns, other: columns}


def _pieces(count: int, width: int) -> Iterator[slice]:
    step = max(1, _PIECE // max(1, width))
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def _gamma(roundings: int) -> float:
    return roundings * _UNIT / (1 - roundings * _UNIT)


def _triad(problem: Problem) -> _Expected:
    b, c = problem.inputs["b"], problem.inputs["c"]
    for at in _pieces(len(b), 1):
        # A product of two floats is exact in float64, and so is each rounding of ours to float.
        product = (c[at].astype(np.float64) * SCALAR).astype(np.float32)
        total = b[at].astype(np.float64) + product.astype(np.float64)
        yield "a", at.start, total.astype(np.float32).astype(np.float64), 0.0


def _matvec_i8(problem: Problem) -> _Expected:
    best, most = -1, -np.inf
    for at, weights in _matrix(problem, "weights"):
        # Sums below 2^31 are exact in float64.
        logits = weights @ problem.inputs["activation"].astype(np.float64)
        yield "logits", at.start, logits, 0.0
        if len(logits) and logits.max() > most:
            best, most = at.start + int(np.flatnonzero(logits == logits.max())[0]), logits.max()
    yield "best", 0, np.array([best], dtype=np.float64), 0.0


def _argmax(problem: Problem) -> _Expected:
    logits = problem.inputs["logits"]
    best = int(np.flatnonzero(logits == logits.max())[0]) if len(logits) else -1
    yield "best", 0, np.array([best], dtype=np.float64), 0.0


def _matvec_f32(problem: Problem) -> _Expected:
    x = problem.inputs["x"].astype(np.float64)
    for at, weights in _matrix(problem, "weights"):
        yield "y", at.start, weights @ x, _gamma(len(x) + 1) * (np.abs(weights) @ np.abs(x))


def _gemv(problem: Problem) -> _Expected:
    count = problem.sizes["columns"] // BLOCK_NUMBERS
    scales_x, x = _unpacked(problem.inputs["x"].reshape(1, count, BLOCK_BYTES))
    whole = problem.inputs["weights"].reshape(problem.sizes["rows"], count, BLOCK_BYTES)
    for at in _pieces(len(whole), problem.sizes["columns"]):
        scales, weights = _unpacked(whole[at])
        factors = scales * scales_x
        expected = (factors * np.einsum("rkj,kj->rk", weights, x[0])).sum(axis=1)
        # Parts of a block may cancel each other, so the bound adds what each product weighs.
        weight = np.abs(factors) * np.einsum("rkj,kj->rk", np.abs(weights), np.abs(x[0]))
        yield "y", at.start, expected, _gamma(count + _PARTS) * weight.sum(axis=1)


def _rmsnorm(problem: Problem) -> _Expected:
    gain = problem.inputs["gain"].astype(np.float64)
    width = len(gain)
    for at, x in _matrix(problem, "x"):
        root = np.sqrt((x * x).sum(axis=1, keepdims=True) / max(1, width) + EPSILON)
        expected = (x / root * gain).ravel()
        yield "y", at.start * width, expected, _gamma(width + _ROUNDINGS) * np.abs(expected)


_REFERENCES: Mapping[str, Callable[[Problem], _Expected]] = {
    "triad": _triad,
    "matvec_i8": _matvec_i8,
    "gemv_q8_0": _gemv,
    "rmsnorm": _rmsnorm,
    "matvec_f32": _matvec_f32,
    "argmax_f32": _argmax,
}


def _matrix(problem: Problem, name: str) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    rows, columns = problem.sizes["rows"], problem.sizes["columns"]
    whole = problem.inputs[name].reshape(rows, columns)
    for at in _pieces(rows, columns):
        yield at, whole[at].astype(np.float64)


def _unpacked(data: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return scales (rows, blocks) and numbers (rows, blocks, 32) of q8_0 (rows, blocks, 34)."""
    scales = np.ascontiguousarray(data[..., :2]).view("<f2")[..., 0]
    numbers = np.ascontiguousarray(data[..., 2:]).view(np.int8)
    return scales.astype(np.float64), numbers.astype(np.float64)
