"""The kernels in numpy, for machines without a C compiler: the same integers, at other speeds.

Integers are summed in int32, never in floating point, so they match the C kernels bit for bit.
`plain` walks four rows at a time and stores every product; `tuned` is one pass without such a
store. Their ratio says something about numpy and nothing about the C kernels. Everything runs in
one thread: no linear algebra library is called.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernel_work import BLOCK_BYTES, BLOCK_NUMBERS
from engine.kernels.contract import Decoded, How, Info, check_decode, check_how, check_matvec
from engine.kernels.model import Model
from engine.kernels.problem import EPSILON, SCALAR, Problem, check_arrays
from receipts.errors import MalformedError

_ROWS = 4
_POISON = 0xFF
_Outputs = Mapping[str, NDArray[Any]]


class Portable:
    """The kernels by numpy."""

    def info(self) -> Info:
        """Say that this is numpy, in one thread."""
        return Info(devices=1, clock="CLOCK_MONOTONIC")

    def launch(self, how: How, problem: Problem, outputs: _Outputs) -> list[int]:
        """Solve `problem` into `outputs`; see `contract.Kernels`."""
        check_how(how)
        check_arrays(problem, outputs)
        if how.threads != 1:
            raise MalformedError("numpy runs the kernels in one thread; ask for one")
        solve, times = _SOLVERS[problem.kernel], []
        for _ in range(how.warmup + how.launches):
            for array in outputs.values():
                array.view(np.uint8).fill(_POISON)
            begin = _now()
            solve(how.variant, problem, outputs)
            times.append(_now() - begin)
        return times[how.warmup :]

    def matvec(
        self, variant: str, weights: NDArray[np.int8], activation: NDArray[np.int8]
    ) -> tuple[NDArray[np.int32], int | None]:
        """Return the logits and the lowest row of the largest; see `contract.Kernels`."""
        check_matvec(variant, weights, activation)
        logits = _LOGITS[variant](weights, activation)
        return logits, int(np.argmax(logits)) if len(logits) else None

    def decode(self, variant: str, model: Model, prompt: Sequence[int], outputs: int) -> Decoded:
        """Return a generation by the rule in `mk.h`; see `contract.Kernels`."""
        check_decode(variant, model, prompt, outputs)
        state = np.zeros(model.weights.shape[1], dtype=np.int8)
        begin = _now()
        for token in prompt:
            state = _absorb(state, model.embeddings[token])
        prefill_ns = _now() - begin
        tokens, token_ns = [], []
        logits = np.empty(0, dtype=np.int32)
        for _ in range(outputs):
            begin = _now()
            logits = _LOGITS[variant](model.weights, state)
            tokens.append(int(np.argmax(logits)))
            state = _absorb(state, model.embeddings[tokens[-1]])
            token_ns.append(_now() - begin)
        return Decoded(tokens, token_ns, prefill_ns, logits.astype("<i4").tobytes())


def _plain(weights: NDArray[np.int8], activation: NDArray[np.int8]) -> NDArray[np.int32]:
    logits = np.empty(len(weights), dtype=np.int32)
    for row in range(0, len(weights), _ROWS):
        products = np.multiply(weights[row : row + _ROWS], activation, dtype=np.int32)
        products.sum(axis=1, dtype=np.int32, out=logits[row : row + _ROWS])
    return logits


def _tuned(weights: NDArray[np.int8], activation: NDArray[np.int8]) -> NDArray[np.int32]:
    logits: NDArray[np.int32] = np.einsum("rc,c->r", weights, activation, dtype=np.int32)
    return logits


_LOGITS = {"plain": _plain, "tuned": _tuned}


def _absorb(state: NDArray[np.int8], embedding: NDArray[np.int8]) -> NDArray[np.int8]:
    # Unsigned arithmetic wraps by definition, and so it does here.
    moved = np.roll(state, -1).view(np.uint8)
    return (moved * np.uint8(5) + embedding.view(np.uint8)).view(np.int8)


def _now() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def _triad(variant: str, problem: Problem, outputs: _Outputs) -> None:
    a, b, c = outputs["a"], problem.inputs["b"], problem.inputs["c"]
    if variant == "plain":
        a[:] = b + c * np.float32(SCALAR)
    else:
        np.multiply(c, np.float32(SCALAR), out=a)
        np.add(b, a, out=a)


def _matvec_i8(variant: str, problem: Problem, outputs: _Outputs) -> None:
    weights = problem.inputs["weights"].reshape(-1, max(1, problem.sizes["columns"]))
    if problem.sizes["columns"]:
        outputs["logits"][:] = _LOGITS[variant](weights, problem.inputs["activation"])
    else:
        outputs["logits"][:] = 0
    outputs["best"][0] = np.argmax(outputs["logits"]) if len(outputs["logits"]) else -1


def _gemv(variant: str, problem: Problem, outputs: _Outputs) -> None:
    count = problem.sizes["columns"] // BLOCK_NUMBERS
    x = problem.inputs["x"].reshape(count, BLOCK_BYTES)
    weights = problem.inputs["weights"].reshape(problem.sizes["rows"], count, BLOCK_BYTES)
    for at in _steps(variant, len(weights)):
        dots = np.einsum("rkj,kj->rk", _numbers(weights[at]), _numbers(x), dtype=np.int32)
        terms = _scales(weights[at]) * _scales(x) * dots.astype(np.float32)
        outputs["y"][at] = terms.sum(axis=1, dtype=np.float32)


def _rmsnorm(variant: str, problem: Problem, outputs: _Outputs) -> None:
    shape = (problem.sizes["rows"], problem.sizes["columns"])
    x, y = problem.inputs["x"].reshape(shape), outputs["y"].reshape(shape)
    width = np.float32(max(1, shape[1]))
    for at in _steps(variant, shape[0]):
        squares = np.einsum("rc,rc->r", x[at], x[at])
        scale = np.float32(1) / np.sqrt(squares / width + np.float32(EPSILON))
        np.multiply(x[at], scale[:, None], out=y[at])
        y[at] *= problem.inputs["gain"]


def _matvec_f32(variant: str, problem: Problem, outputs: _Outputs) -> None:
    shape = (problem.sizes["rows"], problem.sizes["columns"])
    weights, x = problem.inputs["weights"].reshape(shape), problem.inputs["x"]
    if variant == "tuned":
        outputs["y"][:] = np.einsum("rc,c->r", weights, x)
        return
    for row in range(shape[0]):
        # One after the other, as a person adds.
        sums = np.cumsum(weights[row] * x, dtype=np.float32)
        outputs["y"][row] = sums[-1] if len(sums) else 0


def _argmax(variant: str, problem: Problem, outputs: _Outputs) -> None:
    logits = problem.inputs["logits"]
    nan = any(np.isnan(logits[at]).any() for at in _steps(variant, len(logits), 2**16))
    if nan:
        raise MalformedError("a logit is NaN; NaN is neither large nor small")
    outputs["best"][0] = np.argmax(logits) if len(logits) else -1


_SOLVERS: Mapping[str, Callable[[str, Problem, _Outputs], None]] = {
    "triad": _triad,
    "matvec_i8": _matvec_i8,
    "gemv_q8_0": _gemv,
    "rmsnorm": _rmsnorm,
    "matvec_f32": _matvec_f32,
    "argmax_f32": _argmax,
}


def _steps(variant: str, count: int, few: int = _ROWS) -> Iterator[slice]:
    """Yield everything in one piece when tuned, a few at a time when plain."""
    step = few if variant == "plain" else max(1, count)
    for start in range(0, count, step):
        yield slice(start, start + step)


def _numbers(blocks: NDArray[Any]) -> NDArray[np.int8]:
    return blocks[..., 2:].view(np.int8)


def _scales(blocks: NDArray[Any]) -> NDArray[np.float32]:
    return np.ascontiguousarray(blocks[..., :2]).view("<f2")[..., 0].astype(np.float32)
