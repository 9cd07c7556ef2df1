"""What every backend of the kernels offers, in which bounds, and what comes back.

For the same input, `plain` and `tuned` of any backend return the same bits where a kernel is exact,
and stay within a stated bound where it is not. The kernels themselves are described in `mk.h`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from receipts.errors import Error, MalformedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from engine.kernels.model import Model
    from engine.kernels.problem import Problem

VARIANTS = ("plain", "tuned")

# One more column, every product being 128 * 128, would sum to 2^31 and overflow int32.
MAX_WIDTH = 131_071
MAX_VOCAB = 2**20
MAX_WEIGHTS = 2**30
MAX_TOKENS = 65_536


MAX_THREADS = 1024
MAX_LAUNCHES = 10_000


class UnavailableError(Error):
    """A backend of the kernels cannot be had on this machine; the sentence says why."""


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


@dataclass(frozen=True, slots=True)
class How:
    """How a kernel is launched: so many times for nothing, then so many times measured.

    `threads` are of the CPU; numpy and devices take 1.
    """

    variant: str
    threads: int = 1
    warmup: int = 0
    launches: int = 1


@dataclass(frozen=True, slots=True)
class Info:
    """What runs the kernels; what is not told is 0 or empty.

    `devices` is 0 where nothing can run, and `reason` says why, `native_error` with the driver's
    own number. Sizes are bytes, `bandwidth` is nominal and in bytes per second.
    """

    devices: int
    clock: str
    device: str = ""
    driver: str = ""
    reason: str = ""
    native_error: int = 0
    memory: int = 0
    cache: int = 0
    bandwidth: int = 0


class Kernels(Protocol):
    """The kernels, by whatever means."""

    def launch(self, how: How, problem: "Problem", outputs: "Mapping[str, Any]") -> list[int]:
        """Solve `problem` into `outputs`; return the nanoseconds of each measured launch.

        Raises `MalformedError` for what the kernel refuses: a NaN among logits, bounds.
        """
        ...

    def info(self) -> Info:
        """Say what runs the kernels."""
        ...

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


def check_how(how: How) -> None:
    """Raise `MalformedError` unless a kernel can be launched like this."""
    if how.variant not in VARIANTS:
        raise MalformedError(f"kernel variant {how.variant!r} is none of {', '.join(VARIANTS)}")
    if not 1 <= how.threads <= MAX_THREADS:
        raise MalformedError(f"{how.threads} threads are outside 1 to {MAX_THREADS}")
    if not (0 <= how.warmup <= MAX_LAUNCHES and 1 <= how.launches <= MAX_LAUNCHES):
        raise MalformedError(f"launches are 1 to {MAX_LAUNCHES}, warm-up ones 0 to {MAX_LAUNCHES}")


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
