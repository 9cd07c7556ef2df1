"""Statistics in doubles, in the order of operations of the library that the tools use: numpy.

A tool that writes `np.mean(x)` must be answered with `np.mean(x)`: only then can the same rows be
asked for the same number, digit for digit. numpy is imported when it is first needed, because most
commands read files without recomputing anything.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

Doubles = Any
"""A one-dimensional numpy array of doubles."""


def doubles(values: Sequence[float] | Iterable[float]) -> Doubles:
    """Return `values` as a numpy array; packed ones are not copied."""
    import numpy as np

    if isinstance(values, array):
        return np.frombuffer(values, dtype=np.float64) if values else np.empty(0)
    return np.array(list(values), dtype=np.float64)


def joined(lists: Iterable[Sequence[float]]) -> "array[float]":
    """Return all values of all lists, one after the other, packed."""
    whole = array("d")
    for values in lists:
        whole.extend(values)
    return whole


def mean(values: Doubles) -> float:
    """Return `np.mean`: pairwise sums."""
    import numpy as np

    return float(np.mean(values))


def median(values: Doubles) -> float:
    """Return `np.median`: the mean of the two middle values of an even number."""
    import numpy as np

    return float(np.median(values))


def deviation(values: Doubles, ddof: int) -> float:
    """Return `np.std` with `ddof` subtracted from n."""
    import numpy as np

    return float(np.std(values, ddof=ddof))


def percentile(values: Doubles, percent: float, method: str = "linear") -> float:
    """Return `np.percentile` by its named method, such as ``linear`` or ``inverted_cdf``."""
    import numpy as np

    # numpy types the names of its methods one by one; ours come from a table.
    return float(np.percentile(values, percent, method=method))  # type: ignore[call-overload]
