"""A value in other units: the mistake of a page that has one, and what it should have shown.

::

    15978 MiB      "15.6 GB" is the value in GiB, and "15.5 GiB" should be 15.6 GiB
"""

from collections.abc import Iterator
from fractions import Fraction

from claims.checks import agreement
from claims.checks.offer import Figure, Offer
from claims.numerals.numbers import UNITS, Number
from claims.registers import wording

CERTAIN_DIGITS = 3
"""From how many digits on a number says by itself which value it is."""


def mistake(number: Number, offer: Offer) -> tuple[str, str] | None:
    """Return the finding on digits that are the value in another unit than the page's."""
    for figure in offer.headline:
        for unit, value in _in_every_unit(number, figure):
            if unit != number.unit and agreement.grade(number, value) == "agrees":
                ours, theirs = unit or "no unit", number.unit or "no unit"
                return "CLM104", f"{number.text} is the value in {ours}, the page says {theirs}"
    return None


def _in_every_unit(number: Number, figure: Figure) -> Iterator[tuple[str | None, Fraction]]:
    """Yield a value in its unit and in the others of its dimension: GiB where the page has GB."""
    yield figure.unit, figure.value
    ours, known = UNITS.get(figure.unit or ""), sum(map(str.isdigit, number.text))
    if ours is None or known < CERTAIN_DIGITS:
        return
    for unit, other in UNITS.items():
        if other.dimension == ours.dimension and unit != figure.unit:
            yield unit, figure.value * ours.factor / other.factor


def told(number: Number, offer: Offer) -> str:
    """Return what the claim is about in words, in the unit and the digits of the page."""
    digits = min(max(number.decimals, 0), 9)
    return ", ".join(
        f"{name} {wording.display(value, max(digits, 2 * (unit == '×')))} {unit or ''}".rstrip()
        for name, value, unit in (_as_shown(one, number.unit) for one in offer.headline)
    )


def _as_shown(figure: Figure, unit: str | None) -> tuple[str, Fraction, str | None]:
    """Return a figure in the unit of the page, or in its own where the two do not convert."""
    value = agreement.converted(figure.value, figure.unit, unit) if unit else None
    return (figure.name, figure.value, figure.unit) if value is None else (figure.name, value, unit)
