"""Every kernel of a backend held against float64, on many shapes: what must hold before any time.

Shapes are drawn from a seed and include none, one, and lengths that no vector divides. Exact
kernels are equal to the reference bit by bit, whatever the variant and the number of threads, and
so equal to each other. The decoder is held against numpy's, token by token and in its last logits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.kernel_work import BLOCK_NUMBERS, KERNELS, Kernel
from engine.kernels.backends import Backend, kernels
from engine.kernels.contract import VARIANTS, How, Kernels
from engine.kernels.model import model_of, prompt_of, splitmix64
from engine.kernels.portable import Portable
from engine.kernels.problem import difference, poisoned, pose

DECODE = "decode"
NAMES = (*KERNELS, DECODE)
_THREADS = (1, 2, 3)
_EDGES = (0, 1, 2, 31, 33)


@dataclass(frozen=True, slots=True)
class Verified:
    """How one kernel fared in one variant; `fault` is the first thing that was wrong."""

    kernel: str
    variant: str
    exact: bool
    cases: int
    fault: str | None = None


def verify(backend: Backend, names: Sequence[str], seed: int, cases: int) -> Iterator[Verified]:
    """Yield what became of each kernel and variant over so many shapes beside the edges."""
    able = kernels(backend)
    threads = _THREADS if backend.name == "c" else (1,)
    for name in names:
        for variant in VARIANTS:
            if name == DECODE:
                yield _decode(able, variant, seed, cases)
            else:
                yield _kernel(
                    able, KERNELS[name], variant, threads, list(_shapes(name, seed, cases))
                )


def _kernel(
    able: Kernels,
    kernel: Kernel,
    variant: str,
    threads: Sequence[int],
    shapes: Sequence[dict[str, int]],
) -> Verified:
    done = 0
    for number, sizes in enumerate(shapes):
        problem = pose(kernel.name, sizes, number)
        for count in threads:
            outputs = poisoned(problem)
            able.launch(How(variant, count, warmup=1, launches=2), problem, outputs)
            done += 1
            if wrong := difference(problem, outputs):
                told = f"{sizes}, {count} threads: {wrong}"
                return Verified(kernel.name, variant, kernel.exact, done, told)
    return Verified(kernel.name, variant, kernel.exact, done)


def _shapes(name: str, seed: int, cases: int) -> Iterator[dict[str, int]]:
    words = [int(word) for word in splitmix64(seed, 2 * cases)]
    if "n" in KERNELS[name].limits:
        yield from ({"n": n} for n in (*_EDGES, 100_003))
        yield from ({"n": word % 50_000} for word in words[:cases])
        return
    unit = BLOCK_NUMBERS if name == "gemv_q8_0" else 1
    drawn = zip(words[:cases], words[cases:], strict=True)
    pairs = [(rows, columns) for rows in (0, 1, 3) for columns in _EDGES]
    pairs += [(rows % 60, columns % (2048 // unit)) for rows, columns in drawn]
    yield from ({"rows": rows, "columns": columns * unit} for rows, columns in pairs)


def _decode(able: Kernels, variant: str, seed: int, cases: int) -> Verified:
    for done in range(cases):
        vocab, width = (int(word) % 200 + 1 for word in splitmix64(seed + done, 2))
        model, prompt = model_of(seed + done, vocab, width), prompt_of(seed + done, vocab, 5)
        found = able.decode(variant, model, prompt, 16)
        wanted = Portable().decode("tuned", model, prompt, 16)
        if (found.tokens, found.logits) != (wanted.tokens, wanted.logits):
            told = f"vocab {vocab}, width {width}: {found.tokens} is not {wanted.tokens}"
            return Verified(DECODE, variant, exact=True, cases=done + 1, fault=told)
    return Verified(DECODE, variant, exact=True, cases=cases)
