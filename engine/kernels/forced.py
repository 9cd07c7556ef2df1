"""Teacher forcing: the decoder is fed given tokens and its every row of logits is kept.

    b"".join(rows(able, "plain", model, prompt, forced))     len(forced) rows of vocab × int32

Row i is what the decoder would choose from after the prompt and i forced tokens, whatever it would
have chosen before: one token that differs does not hide what comes after it. Each row is decoded
from the start, so this is for comparing, never for timing.
"""

from collections.abc import Iterator, Sequence

from engine.kernels.contract import Kernels
from engine.kernels.model import Model


def rows(
    able: Kernels, variant: str, model: Model, prompt: Sequence[int], forced: Sequence[int]
) -> Iterator[bytes]:
    """Yield the row of logits, little-endian int32, before each of the `forced` tokens."""
    for place in range(len(forced)):
        yield able.decode(variant, model, [*prompt, *forced[:place]], 1).logits
