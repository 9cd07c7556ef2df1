"""Words about a refused claim without its number.

A refusal says what is wrong, and often quotes a value while it does. On a page for readers that
value would be the claim after all, so whatever may be one is left out: every number with a unit or
with decimals, and every number that is a value of the claim to the digits shown.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from claims import numbers, wording
from claims.numbers import Number
from claims.wording import Value

WITHHELD = "[withheld]"
UNAVAILABLE = "[unavailable]"
_MOST_DECIMALS = 50


def withhold(text: str, values: Mapping[str, Value]) -> str:
    """Return `text` without the numbers that may be a result, or any of these values."""
    pieces = []
    place = 0
    for number in numbers.find(text):
        if _may_be_a_result(number, values):
            pieces += [text[place : number.start], WITHHELD]
            place = number.end
    return "".join([*pieces, text[place:]])


def unfilled(template: str, scope: Mapping[str, object], unit: str) -> str:
    """Return a wording with its conditions filled in, and nothing where its numbers would stand."""

    def one(name: str) -> str:
        if name == "unit":
            return unit
        return str(scope.get(name.removeprefix("scope."), UNAVAILABLE))

    return " ".join(wording.HOLE.sub(lambda hole: one(hole[1]), template).split())


def _may_be_a_result(number: Number, values: Mapping[str, Value]) -> bool:
    if number.decimals > 0 or numbers.is_measurement(number.unit):
        return True
    return any(_shows(number, value) for value in values.values())


def _shows(number: Number, value: Value) -> bool:
    if not isinstance(value, Fraction) or number.decimals > _MOST_DECIMALS:
        return False
    return abs(number.value) == Decimal(wording.display(abs(value), max(number.decimals, 0)))
