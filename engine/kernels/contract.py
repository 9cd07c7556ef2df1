"""What every backend of the kernels offers, in which bounds, and what comes back.

Variants differ in time only: for the same input, `plain` and `tuned` of any backend return the same
integers. The kernels themselves are described in `mk.h`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from receipts.errors import Error, MalformedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from engine.kernels.model import Model

VARIANTS = ("plain", "tuned")

# One more column, every product being 128 * 128, would sum to 2^31 and overflow int32.
MAX_WIDTH = 131_071
MAX_VOCAB = 2**20
MAX_WEIGHTS = 2**30
MAX_TOKENS = 65_536


class UnavailableError(Error):
    """The C kernels cannot be had on this machine; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one run of the decoder is asked for; counts are of tokens and of generations."""

    variant: str
    vocab: int
    width: int
    seed: int
    prompt_tokens: int
    output_tokens: int
    repetitions: int = 1
    warmup: int = 1


@dataclass(frozen=True, slots=True)
class Decoded:
    """One generation: its tokens, the nanoseconds of each token's whole step and of the prefill.

    `logits` is the row that the last token was taken from, as little-endian int32.
    """

    tokens: list[int]
    token_ns: list[int]
    prefill_ns: int
    logits: bytes


class Kernels(Protocol):
    """The two kernels, by whatever means."""

    def matvec(
        self, variant: str, weights: "NDArray[np.int8]", activation: "NDArray[np.int8]"
    ) -> "tuple[NDArray[np.int32], int | None]":
        """Return weights × activation, and the lowest row of the largest logit (None: no rows)."""
        ...

    def decode(
        self, variant: str, model: "Model", prompt: "Sequence[int]", outputs: int
    ) -> Decoded:
        """Return `outputs` greedily decoded tokens after `prompt`, with their times."""
        ...


def check_matvec(variant: str, weights: "NDArray[np.int8]", activation: "NDArray[np.int8]") -> None:
    """Raise `MalformedError` unless the kernels can read these arrays as they lie in memory."""
    if variant not in VARIANTS:
        raise MalformedError(f"kernel variant {variant!r} is none of {', '.join(VARIANTS)}")
    if weights.dtype != "int8" or activation.dtype != "int8":
        raise MalformedError("matvec takes int8 arrays; convert them first")
    if weights.ndim != 2 or activation.shape != weights.shape[1:]:
        raise MalformedError(
            f"matvec of shapes {weights.shape} and {activation.shape} does not fit together"
        )
    if weights.shape[1] > MAX_WIDTH:
        raise MalformedError(f"matvec of {weights.shape[1]} columns: int32 is sure to {MAX_WIDTH}")
    if not (weights.flags.c_contiguous and activation.flags.c_contiguous):
        raise MalformedError("matvec takes row-major arrays without gaps; copy them first")


def check_decode(variant: str, model: "Model", prompt: "Sequence[int]", outputs: int) -> None:
    """Raise `MalformedError` unless prompt and output length fit the model."""
    if model.weights.size == 0 or model.embeddings.shape != model.weights.shape:
        raise MalformedError(
            f"no decoder for weights of shape {model.weights.shape} "
            f"and embeddings of shape {model.embeddings.shape}"
        )
    check_matvec(variant, model.weights, model.embeddings[0])
    if not model.embeddings.flags.c_contiguous:
        raise MalformedError("embeddings have gaps between their rows; copy them first")
    vocab = len(model.weights)
    if not 1 <= outputs <= MAX_TOKENS or len(prompt) > MAX_TOKENS:
        raise MalformedError(f"a prompt has 0 to {MAX_TOKENS} tokens, an output 1 to {MAX_TOKENS}")
    if any(not 0 <= token < vocab for token in prompt):
        raise MalformedError(f"a prompt token is outside the vocabulary of {vocab}")
