"""The vocabulary of measured quantities: what an id means, its unit, and which side wins.

    decode_tok_s   tok/s   higher   output tokens per second while decoding

A rate and the time it comes from are two metrics, because a ratio of medians of rates and a ratio
of medians of times are two statistics. Readers of raw files may only use ids from this registry.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from receipts.errors import NotFoundError

Polarity = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A measured quantity; `polarity` says which values are better."""

    id: str
    unit: str
    polarity: Polarity
    meaning: str


_ALL = (
    Metric("decode_tok_s", "tok/s", "higher", "output tokens per second while decoding"),
    Metric("prefill_tok_s", "tok/s", "higher", "prompt tokens per second while prefilling"),
    Metric(
        "combined_tok_s", "tok/s", "higher", "prompt and output tokens per second, timed as one"
    ),
    Metric("decode_ms", "ms", "lower", "the whole decoding of a repetition"),
    Metric("prefill_ms", "ms", "lower", "the whole prefill of a repetition"),
    Metric("combined_ms", "ms", "lower", "prefill and decoding of a repetition, timed as one"),
    Metric("ttft_ms", "ms", "lower", "from the start of the prefill to the first token"),
    Metric("token_ms", "ms", "lower", "mean time per output token of a repetition"),
)

METRICS: Mapping[str, Metric] = MappingProxyType({metric.id: metric for metric in _ALL})


def metric(name: str) -> Metric:
    """Return the metric with the id `name`; raises `NotFoundError` that lists the known ids."""
    try:
        return METRICS[name]
    except KeyError:
        known = ", ".join(METRICS)
        raise NotFoundError(f"no metric is called {name!r}; known metrics: {known}") from None
