"""GuideLLM's summary of a list of values, each with a weight, in its own order of operations.

    values 3, 1, 3 with weights 1, 2, 1   ->   1 with probability 0.5, 3 with probability 0.5

The values are sorted and their weights made probabilities that add up to 1. Then mean = sum(v * p),
variance = sum((v - mean)² * p), mode = the first value of the highest probability, and a percentile
is the first value at which the running sum of probabilities reaches it: numpy's ``inverted_cdf``,
the median too, so that of four values the second is the median.

Up to 0.4, equal values stay apart, `count` is how many there are and `total_sum` their plain sum.
From 0.5 on (`merged`), equal values become one, those of weight 0 are dropped, `count` is the sum
of the weights, rounded, and `total_sum` is mean * count.
Source: DistributionSummary in guidellm/{objects,utils,schemas}/statistics.py, 0.1 to 0.8.
"""

import math
from collections.abc import Sequence

from engine.results import numeric
from engine.results.numeric import Doubles

_NAMES = ("p001", "p01", "p05", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "p999")
PERCENTILES = {name: float(f"0.{name[1:]}") for name in _NAMES}
"""Name of each percentile in the file → the share of all values that it is."""


def summarised(
    values: Sequence[float], weights: Sequence[float], *, merged: bool
) -> dict[str, float | int]:
    """Return every statistic by its name in the file; {} where no value has a weight."""
    if not sum(weights) > 0:
        return {}
    taken = numeric.doubles(values)
    order = taken.argsort()
    if not merged:
        whole = numeric.doubles(weights)
        taken, chances = taken[order], (whole / whole.sum())[order]
        return _statistics(taken, chances) | {"count": len(values), "total_sum": taken.sum().item()}
    taken, chances = _together(values, weights, order.tolist())
    found = _statistics(taken, chances)
    count = round(numeric.doubles(weights).sum().item())
    return found | {"count": count, "total_sum": found["mean"] * count}


def _together(
    values: Sequence[float], weights: Sequence[float], order: list[int]
) -> tuple[Doubles, Doubles]:
    """Return the different values in their order, and the probability of each."""
    sums: dict[float, float] = {}
    for at in order:
        sums[values[at]] = sums.get(values[at], 0.0) + weights[at]
    kept = {value: weight for value, weight in sums.items() if weight > 0}
    whole = numeric.doubles(kept.values())
    return numeric.doubles(kept.keys()), whole / whole.sum()


def _statistics(values: Doubles, chances: Doubles) -> dict[str, float | int]:
    running = chances.cumsum()
    mean = (values * chances).sum().item()
    variance = ((values - mean) ** 2 * chances).sum().item()
    found = {
        name: values[min(running.searchsorted(share, "left"), len(values) - 1)].item()
        for name, share in PERCENTILES.items()
    }
    return found | {
        "mean": mean,
        "median": found["p50"],
        "mode": values[chances.argmax()].item(),
        "variance": variance,
        "std_dev": math.sqrt(variance),
        "min": values[0].item(),
        "max": values[-1].item(),
    }
