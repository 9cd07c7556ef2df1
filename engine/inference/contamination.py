"""What a contaminated ratio is made of: the true one, and what moved either side of it.

::

    observed = true * (numerator seen / numerator clean) * (denominator clean / denominator seen)

which is exact in rationals, and adds up in logarithms. A baseline that is low by the share d
multiplies every ratio over it by 1 / (1 - d), not by 1 + d: 12.5 % too slow makes 1.143, not 1.125.
Logarithms are doubles.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.statistics import Sample
from receipts.errors import Error, UndecidedError


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The factors of an observed ratio. The logarithms are of the factors, in this order.

    `blame` is the side whose shift is larger in logarithms, or *neither* where nothing shifted.
    """

    observed: Fraction
    true: Fraction
    numerator_shift: Fraction
    denominator_shift: Fraction
    blame: Literal["numerator", "denominator", "neither"]
    log_observed: float
    log_true: float
    log_numerator: float
    log_denominator: float


def anatomy(seen: tuple[Sample, Sample], clean: tuple[Sample, Sample]) -> Anatomy:
    """Return the split of numerator / denominator as seen, given both sides measured clean."""
    over, under = (Fraction(side) for side in seen)
    true_over, true_under = (Fraction(side) for side in clean)
    if min(over, under, true_over, true_under) <= 0:
        raise UndecidedError("a side is not above zero, so there is no ratio to take apart")
    return of_shifts(over / under, over / true_over, true_under / under)


def of_shifts(observed: Sample, numerator_shift: Sample, denominator_shift: Sample) -> Anatomy:
    """Return the split of an observed ratio by known shifts, each above 1 where it raised it."""
    ratio, above, below = Fraction(observed), Fraction(numerator_shift), Fraction(denominator_shift)
    if min(ratio, above, below) <= 0:
        raise UndecidedError("a ratio or a shift is not above zero")
    true = ratio / above / below
    logs = [_ln(one) for one in (ratio, true, above, below)]
    parts = abs(logs[2]), abs(logs[3])
    if above == below == 1:
        blame: Literal["numerator", "denominator", "neither"] = "neither"
    else:
        blame = "numerator" if parts[0] > parts[1] else "denominator"
    return Anatomy(ratio, true, above, below, blame, *logs)


def inflation(defect: Fraction) -> Fraction:
    """Return what a baseline that is too low by the share `defect` multiplies a ratio by."""
    if not defect < 1:
        raise Error(
            f"a baseline cannot be low by {float(defect):g} of itself; give a share under 1"
        )
    return 1 / (1 - defect)


def observed_change(true_change: Fraction, defect: Fraction) -> Fraction:
    """Return the change that is seen over a baseline too low by the share `defect`."""
    return (1 + true_change) * inflation(defect) - 1


def change_inflation(true_change: Fraction, defect: Fraction) -> Fraction:
    """Return how many times larger than true a change looks over a baseline that is too low."""
    if true_change == 0:
        raise UndecidedError("no change times anything is no change")
    return observed_change(true_change, defect) / true_change


def _ln(ratio: Fraction) -> float:
    return math.log(ratio) if ratio >= 1 else -math.log(1 / ratio)
