"""Best-of-N: a ceiling, and nothing else. It is labelled with its N and enters no comparison.

::

    ceiling([34.1, 34.3, 33.9], "higher")      34.3, labelled max_of_3

The best of many is not what the next repetition gives, and grows with N, so two of them compare
nothing. As a limit of the machine it is what there is; a figure above the limit is invalid (data
in a cache, or a clock that did not wait).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.metrics import Polarity
from engine.statistics import Sample, decimal_text, maximum, minimum
from receipts.errors import UndecidedError


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The best of `n` repetitions; `label` is how it must be printed."""

    value: Fraction
    n: int
    label: str


@dataclass(frozen=True, slots=True)
class Share:
    """What part of a limit was reached; not `valid` where it is more than all of it."""

    share: Fraction
    valid: bool
    warnings: tuple[str, ...]


def ceiling(samples: Sequence[Sample], polarity: Polarity) -> Ceiling:
    """Return the best repetition, labelled max_of_N, or min_of_N where lower is better."""
    n = len(samples)
    if polarity == "higher":
        return Ceiling(maximum(samples), n, f"max_of_{n}")
    return Ceiling(minimum(samples), n, f"min_of_{n}")


def share_of(value: Fraction, limit: Fraction, polarity: Polarity = "higher") -> Share:
    """Return the part of a limit that `value` reaches; of a time, the limit is the shortest one."""
    if value <= 0 or limit <= 0:
        raise UndecidedError("a value or a limit is not above zero")
    share = value / limit if polarity == "higher" else limit / value
    if share <= 1:
        return Share(share, valid=True, warnings=())
    percent = decimal_text(100 * share, 4)
    return Share(share, valid=False, warnings=(f"INVALID: {percent} % of a physical limit",))
