"""A toy model from a seed: int8 weights and embeddings, the same bytes everywhere and for ever.

The bytes are the outputs of SplitMix64, each as eight little-endian bytes. Output i (from 0) of
seed s is mix(s + (i + 1) · γ), so whole arrays are computed at once. A model's seed yields, as its
first three outputs, the seeds of three streams: weights, embeddings, prompt.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the
constants are those of Vigna's splitmix64.c.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from receipts.digest import Digest

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_PIECE = 2**18


@dataclass(frozen=True, slots=True)
class Model:
    """Weights and embeddings: int8, one row of `width` per token of the vocabulary, row-major."""

    weights: NDArray[np.int8]
    embeddings: NDArray[np.int8]

    @property
    def digest(self) -> Digest:
        """The SHA-256 of the bytes of the weights, followed by those of the embeddings."""
        hasher = hashlib.sha256(self.weights.data)
        hasher.update(self.embeddings.data)
        return Digest("sha256:" + hasher.hexdigest())


def model_of(seed: int, vocab: int, width: int) -> Model:
    """Return the model of `seed` (0 to 2^64 - 1)."""
    weights, embeddings, _ = (int(word) for word in splitmix64(seed, 3))
    return Model(_bytes(weights, vocab, width), _bytes(embeddings, vocab, width))


def prompt_of(seed: int, vocab: int, count: int) -> list[int]:
    """Return the `count` prompt tokens of `seed`, each below `vocab`."""
    stream = int(splitmix64(seed, 3)[2])
    return [int(word) % vocab for word in splitmix64(stream, count)]


def splitmix64(seed: int, count: int, start: int = 0) -> NDArray[np.uint64]:
    """Return `count` outputs of the generator, from output `start` on."""
    z = np.arange(start + 1, start + count + 1, dtype=np.uint64)
    z *= _GAMMA
    z += np.uint64(seed)
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z


def _bytes(seed: int, vocab: int, width: int) -> NDArray[np.int8]:
    words = np.empty((vocab * width + 7) // 8, dtype="<u8")
    for start in range(0, len(words), _PIECE):
        piece = words[start : start + _PIECE]
        piece[:] = splitmix64(seed, len(piece), start)
    return words.view(np.int8)[: vocab * width].reshape(vocab, width)
