"""Words about a refused claim without its number.

A refusal says what is wrong, and often quotes a value while it does. On a page for readers that
value would be the claim after all, so whatever may be one is left out: every number with a unit or
with decimals, and every larger one that is a value of the claim to the digits shown. What is told
of spread (a CV and its limit) is the reason itself, and stays.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from claims.judging.judge import Judgement
from claims.numerals import numbers
from claims.numerals.numbers import Number
from claims.registers import wording

WITHHELD = "[withheld]"
UNAVAILABLE = "[unavailable]"
_MOST_DECIMALS = 50
_LEAST_BARE = 100


@dataclass(frozen=True, slots=True)
class Withheld:
    """What may not be read of a claim: its values; and what may: the spread of its repetitions."""

    values: tuple[Fraction, ...]
    spread: tuple[Fraction, ...] = ()

    def in_words(self, text: str) -> str:
        """Return what was said about the claim without every number that may be a result."""
        return _without(text, lambda number: self._is_value(number) or self._may_be(number))

    def in_notes(self, text: str) -> str:
        """Return what was said about its runs, and not about the claim, without its values."""
        return _without(text, self._is_value)

    def _is_value(self, number: Number) -> bool:
        return any(_shows(number, value) for value in self.values)

    def _may_be(self, number: Number) -> bool:
        if number.unit == "%" and any(_shows(number, value) for value in self.spread):
            return False
        return number.decimals > 0 or numbers.is_measurement(number.unit)


def of(done: Judgement) -> Withheld:
    """Return what is withheld of the claim of this judgement."""
    known = {name: value for name, value in done.values.items() if isinstance(value, Fraction)}
    window = done.evidence.window
    limits = (done.claim.cv_limit, window.cv_limit if window else None)
    spread = [value for name, value in known.items() if name.endswith("cv")]
    spread += [Fraction(limit) * 100 for limit in limits if limit is not None]
    results = (value for name, value in known.items() if not name.endswith("cv"))
    return Withheld(tuple(results), tuple(spread))


def unfilled(template: str, scope: Mapping[str, object], unit: str) -> str:
    """Return a wording with its conditions filled in, and nothing where its numbers would stand."""

    def one(name: str) -> str:
        if name == "unit":
            return unit
        return str(scope.get(name.removeprefix("scope."), UNAVAILABLE))

    return " ".join(wording.HOLE.sub(lambda hole: one(hole[1]), template).split())


def _without(text: str, unwanted: Callable[[Number], bool]) -> str:
    pieces = []
    place = 0
    for number in filter(unwanted, numbers.find(text)):
        pieces += [text[place : number.start], WITHHELD]
        place = number.end
    return "".join([*pieces, text[place:]])


def _shows(number: Number, value: Fraction) -> bool:
    # "repetition 1" is no ratio of 1.24: a small whole number says what it counts.
    counts = number.unit is None and number.decimals <= 0 and abs(number.value) < _LEAST_BARE
    if counts or number.decimals > _MOST_DECIMALS:
        return False
    return abs(number.value) == Decimal(wording.display(abs(value), max(number.decimals, 0)))
