"""The two ends of a range that one claim gives: the least at its beginning, the most at its end.

::

    "105.0 tok/s (104.8–105.1)"    the least and the most of the repetitions
    "104.8–105.0 tok/s"            ends at the median, and hides the best repetition
    "1.86–1.24×"                   has its ends swapped

"From 25.0 to 46.6 tok/s" tells of two arms and is no range; nor are two claims with a marker each.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from claims.checks import agreement
from claims.checks.fitting import Finding, Told
from claims.checks.offer import Offer
from claims.registers import wording

_CHANGES = ("×", "%")


def findings(told: Sequence[Told], given: Offer) -> Iterator[tuple[int, Finding]]:
    """Yield what is wrong with the ends of ranges among the numbers of a text, by their place."""
    for index, (low, high) in enumerate(pairwise(told)):
        if (low.end, high.end) == ("low", "high"):
            for at, one, end, other in (
                (index, low, "min", "max"),
                (index + 1, high, "max", "min"),
            ):
                if found := _misfit(one, given, end, other):
                    yield at, found


def _misfit(told: Told, given: Offer, end: str, other: str) -> Finding | None:
    number, shown = told.number, told.number.unit or given.unit
    if given.kind == "change" and shown not in _CHANGES:
        return None  # from the baseline to the candidate
    wanted, opposite = (_ends(given, name, shown) for name in (end, other))
    if not wanted or _is_one(told, wanted):
        return None
    side = "begins" if end == "min" else "ends"
    right = wording.display_as(wanted[0], number)
    if _is_one(told, opposite):
        return (
            "CLM102",
            f"{number.text} {side} the range, whose ends are swapped; it {side} at {right}",
        )
    return "CLM102", f"{number.text} is no end of the range, which {side} at {right}"


def _is_one(told: Told, values: Sequence[Fraction]) -> bool:
    number, about = told.number, told.said.about
    return any(agreement.grade(number, one, about=about) == "agrees" for one in values)


def _ends(given: Offer, end: str, unit: str | None) -> list[Fraction]:
    """Return what the least, or the most, of a claim may be in this unit."""
    names = {end} if given.kind == "level" else {f"ratio.{end}", f"pair.{end}"}
    found = [one for one in given.figures if one.name in names]
    if unit == "%" and given.kind != "level":
        return [100 * (one.value - 1) for one in found]
    values = (agreement.converted(one.value, one.unit, unit) for one in found)
    return [value for value in values if value is not None]
