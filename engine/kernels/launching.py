"""CUDA without `nvcc`: each kernel as the launches that it takes, on code that NVRTC compiled.

What `cuda.cu` does in C++, step by step: the same device code, the same blocks and threads, the
same events. `store_best` and `argmax` keep a key, which must be 0 before every launch.
"""

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import matvec
from engine.kernels.contract import Decoded, How, Info, check_decode, check_how
from engine.kernels.driver import Driver, Memory, Place, Step
from engine.kernels.model import Model
from engine.kernels.problem import EPSILON, SCALAR, Problem, check_arrays
from receipts.errors import MalformedError

_THREADS, _WARP, _POISON, _KEY = 256, 32, 0xFF, 8
_COUNT, _FLOAT = ctypes.c_int64, ctypes.c_float


@dataclass(frozen=True, slots=True)
class _Work:
    """A problem on the device: where its arrays are, and its sizes."""

    tuned: bool
    units: int
    places: Mapping[str, Place]
    sizes: Mapping[str, int]

    @property
    def variant(self) -> str:
        return "tuned" if self.tuned else "plain"

    def of(self, *names: str) -> list[Any]:
        """Return arguments by name: arrays first, then sizes."""
        return [
            self.places[name] if name in self.places else _COUNT(self.sizes[name]) for name in names
        ]

    def per_row(self) -> int:
        """Return the blocks that give a row to a thread, or to a warp where tuned."""
        return _blocks(self.sizes["rows"] * (_WARP if self.tuned else 1))

    def filling(self, n: int) -> int:
        """Return the blocks that fill the device for a loop over n, no more than n needs."""
        return min(_blocks(n), max(self.units * 8, 1))


class Launched:
    """The kernels of a cubin on the first device; see `contract.Kernels`."""

    def __init__(self, driver: Driver, code: bytes) -> None:
        self._driver = driver
        self._start = driver.load(code)

    @property
    def units(self) -> int:
        """The number of the device's multiprocessors."""
        return self._driver.units

    def info(self) -> Info:
        """Say what runs the kernels."""
        return self._driver.info()

    def launch(self, how: How, problem: Problem, outputs: Mapping[str, NDArray[Any]]) -> list[int]:
        """Solve `problem` into `outputs`, timed by events; see `contract.Kernels`."""
        check_how(how)
        check_arrays(problem, outputs)
        if how.threads != 1:
            raise MalformedError("a device schedules its own threads; threads is 1")
        with self._driver.memory() as memory:
            work = self._work(how.variant, problem, outputs, memory)
            ns = [self._once(work, problem, outputs) for _ in range(how.warmup + how.launches)]
            for name, array in outputs.items():
                memory.read(work.places[name], array)
            self._refuse_nan(work, memory)
        return ns[how.warmup :]

    def matvec(
        self, variant: str, weights: NDArray[np.int8], activation: NDArray[np.int8]
    ) -> tuple[NDArray[np.int32], int | None]:
        """Return weights × activation, and the lowest row of the largest logit (None: no rows)."""
        return matvec.solve(self, variant, weights, activation)

    def decode(self, variant: str, model: Model, prompt: Sequence[int], outputs: int) -> Decoded:
        """Return a generation, each step timed by events; see `contract.Kernels`."""
        check_decode(variant, model, prompt, outputs)
        tokens, logits = np.empty(outputs, np.int32), np.empty(len(model.weights), np.int32)
        with self._driver.memory() as memory:
            given = memory.copy(np.array(prompt, dtype=np.int32))
            made, scores = memory.take(tokens.nbytes), memory.take(logits.nbytes)
            decoder = _Decoder(self, variant, model, memory, scores)
            prefill_ns = self._driver.timed(lambda: decoder.absorb(*_each(given, len(prompt))))
            token_ns = [
                self._driver.timed(partial(decoder.step, place)) for place in _each(made, outputs)
            ]
            memory.read(made, tokens)
            memory.read(scores, logits)
        return Decoded(tokens.tolist(), token_ns, prefill_ns, logits.astype("<i4").tobytes())

    def start(self, *steps: Step | Place) -> None:
        """Launch these in order; a `Place` among them is a key that is set to 0."""
        for step in steps:
            if isinstance(step, Place):
                self._driver.fill(step, 0, _KEY)
            else:
                self._start(step)

    def _work(
        self, variant: str, problem: Problem, outputs: Mapping[str, NDArray[Any]], memory: Memory
    ) -> _Work:
        places = {name: memory.copy(array) for name, array in problem.inputs.items()}
        places |= {name: memory.take(array.nbytes) for name, array in outputs.items()}
        if "best" in outputs:
            places |= {"key": memory.take(_KEY), "nan": memory.copy(np.zeros(1, np.int32))}
        return _Work(variant == "tuned", self._driver.units, places, problem.sizes)

    def _once(self, work: _Work, problem: Problem, outputs: Mapping[str, NDArray[Any]]) -> int:
        for name, array in outputs.items():
            self._driver.fill(work.places[name], _POISON, array.nbytes)
        return self._driver.timed(lambda: self.start(*_STEPS[problem.kernel](work)))

    def _refuse_nan(self, work: _Work, memory: Memory) -> None:
        found = np.zeros(1, np.int32)
        if "nan" in work.places:
            memory.read(work.places["nan"], found)
        if found[0]:
            raise MalformedError(
                "native kernel refused: a logit is NaN; NaN is neither large nor small"
            )


class _Decoder:
    """The decoder's state on the device, which a token moves on."""

    def __init__(
        self, kernels: Launched, variant: str, model: Model, memory: Memory, scores: Place
    ) -> None:
        vocab, width = model.weights.shape
        self._kernels, self._width = kernels, width
        self._embeddings = memory.copy(model.embeddings)
        self._states = [memory.copy(np.zeros(width, np.uint8)), memory.take(width)]
        self._places = {
            "weights": memory.copy(model.weights),
            "logits": scores,
            "key": memory.take(_KEY),
        }
        sizes = {"rows": vocab, "columns": width}
        self._work = _Work(variant == "tuned", kernels.units, self._places, sizes)

    def absorb(self, *tokens: Place) -> None:
        """Move the state on by these tokens."""
        for token in tokens:
            now, following = self._states
            arguments = [now, self._embeddings, _COUNT(self._width), token, following]
            self._kernels.start(Step("absorb", _blocks(self._width), _THREADS, arguments))
            self._states.reverse()

    def step(self, place: Place) -> None:
        """Take the best token of the state, keep it at `place`, and absorb it."""
        self._places["activation"] = self._states[0]
        keep = Step("store_token", 1, 1, [self._places["key"], place])
        self._kernels.start(*_matvec_i8(self._work), keep)
        self.absorb(place)


# The launches of a kernel in order; a `Place` among them is a key that is set to 0.


def _triad(work: _Work) -> Iterator[Step | Place]:
    n = work.sizes["n"]
    blocks = work.filling(n // 4 + 1) if work.tuned else _blocks(n)
    arguments = [*work.of("a", "b", "c"), _FLOAT(SCALAR), _COUNT(n)]
    yield Step(f"triad_{work.variant}", blocks, _THREADS, arguments)


def _matvec_i8(work: _Work) -> Iterator[Step | Place]:
    yield work.places["key"]
    arguments = work.of("weights", "rows", "columns", "activation", "logits")
    yield Step(f"matvec_i8_{work.variant}", work.per_row(), _THREADS, arguments)
    blocks = work.filling(work.sizes["rows"])
    yield Step("argmax_i32", blocks, _THREADS, work.of("logits", "rows", "key"))


def _matvec_i8_best(work: _Work) -> Iterator[Step | Place]:
    yield from _matvec_i8(work)
    yield Step("store_best", 1, 1, work.of("key", "best"))


def _gemv_q8_0(work: _Work) -> Iterator[Step | Place]:
    arguments = work.of("weights", "rows", "columns", "x", "y")
    yield Step(f"gemv_q8_0_{work.variant}", work.per_row(), _THREADS, arguments)


def _rmsnorm(work: _Work) -> Iterator[Step | Place]:
    rows = work.sizes["rows"]
    if rows:
        arguments = [*work.of("x", "gain"), _FLOAT(EPSILON), *work.of("rows", "columns", "y")]
        yield Step(
            f"rmsnorm_{work.variant}", rows if work.tuned else _blocks(rows), _THREADS, arguments
        )


def _matvec_f32(work: _Work) -> Iterator[Step | Place]:
    arguments = work.of("weights", "rows", "columns", "x", "y")
    yield Step(f"matvec_f32_{work.variant}", work.per_row(), _THREADS, arguments)


def _argmax_f32(work: _Work) -> Iterator[Step | Place]:
    n = work.sizes["n"]
    yield work.places["key"]
    blocks = work.filling(n) if work.tuned else _blocks(n)
    arguments = work.of("logits", "n", "key", "nan")
    yield Step(f"argmax_f32_{work.variant}", blocks, _THREADS, arguments)
    yield Step("store_best", 1, 1, work.of("key", "best"))


_STEPS: Mapping[str, Callable[[_Work], Iterator[Step | Place]]] = {
    "triad": _triad,
    "matvec_i8": _matvec_i8_best,
    "gemv_q8_0": _gemv_q8_0,
    "rmsnorm": _rmsnorm,
    "matvec_f32": _matvec_f32,
    "argmax_f32": _argmax_f32,
}


def _blocks(threads: int) -> int:
    # A launch of no blocks is an error, so there is always one.
    return max(1, -(-threads // _THREADS))


def _each(first: Place, count: int) -> list[Place]:
    return [Place(first.value + 4 * number) for number in range(count)]
