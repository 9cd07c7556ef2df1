"""The kernels in numpy, for machines without a C compiler: the same integers, at other speeds.

Both variants sum in int32, never in floating point, so they match the C kernels bit for bit.
`plain` walks four rows at a time and stores every product; `tuned` is one pass without such a
store. Their ratio says something about numpy and nothing about the C kernels.
"""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.kernels.contract import Decoded, check_decode, check_matvec
from engine.kernels.model import Model

_ROWS = 4


class Portable:
    """The kernels by numpy."""

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
