"""Numeric gates, each the set of figures that it passes: `tps >= 30 ± 0.5` passes 29.5 and more."""

from decimal import Decimal
from fractions import Fraction
from math import inf

from ledger.bodies import NumericGate

_Edge = tuple[Fraction | float, int]


def is_looser(old: NumericGate, new: NumericGate) -> bool:
    """Say whether the new gate passes something that the old one failed."""
    if old.metric != new.metric:
        return False
    (old_low, old_high), (new_low, new_high) = _passed(old), _passed(new)
    return new_low < old_low or new_high > old_high


def _passed(gate: NumericGate) -> tuple[_Edge, _Edge]:
    """Return the ends of what the gate passes; an end that is excluded lies a little inside."""
    # By way of Decimal: Fraction refuses texts of over 4,300 digits, which a body may hold.
    threshold, slack = (Fraction(Decimal(text)) for text in (gate.threshold, gate.tolerance or 0))
    inside = 1 if gate.comparison in (">", "<") else 0
    low, high = (threshold - slack, inside), (threshold + slack, -inside)
    if gate.comparison in (">", ">="):
        return low, (inf, 0)
    return (low, high) if gate.comparison == "==" else ((-inf, 0), high)


def spell(gate: NumericGate) -> str:
    """Return what the gate demands, in one line."""
    slack = f" ± {gate.tolerance}" if gate.tolerance else ""
    return f"{gate.metric} {gate.comparison} {gate.threshold}{slack}"
