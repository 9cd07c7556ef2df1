"""What a number on a page may show of a claim, in its own unit and beside its own words.

A level is its value, and its least and most where the words ask for them. A change is told in many
forms (`claims.checks.changes`), by the medians of its arms, and by how much these differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from claims.checks import agreement, changes
from claims.checks.changes import Change
from claims.checks.offer import Figure, Offer
from claims.checks.said import Said
from claims.numerals.numbers import Number
from receipts import late as re


@dataclass(frozen=True, slots=True)
class Told:
    """A number as its sentence has it: the words around it, and the arms that it is tied to.

    `owner` is the arm whose number the sentence says it is, `side` the arm that a comparison is
    about; both None where the sentence leaves it open.
    """

    number: Number
    said: Said
    owner: str | None = None
    side: str | None = None
    end: Literal["low", "high"] | None = None
    """Which end of a range it is."""
    other_metric: str = ""
    """The words of the sentence that say it is of another metric than the claim's."""


def values(told: Told, offer: Offer) -> Iterator[Fraction]:
    """Yield what the number may be: the headline, in its unit, and a change in all its forms."""
    changed = _changes(told, offer)
    for figure in offer.headline:
        if not changed or figure.name not in _OF_CHANGES:
            yield from in_unit(told.number, figure)
    for figure in (*spread(told, offer), *difference(told, offer)):
        yield from in_unit(told.number, figure)
    if told.number.unit in ("×", "%", None):
        for one in changed:
            yield from changes.readings(told.number.unit, told.said, one)


def in_unit(number: Number, figure: Figure) -> Iterator[Fraction]:
    """Yield the figure in the number's unit, nothing where the two measure different things."""
    value = agreement.converted(figure.value, figure.unit, number.unit)
    if value is not None:
        yield value


def spread(told: Told, offer: Offer) -> Iterator[Figure]:
    """Yield minimum, maximum, scatter and margin where the words ask for them."""
    near = f"{told.said.before[-40:]} | {told.said.after[:24]}"
    for name, words in _SPREAD_WORDS.items():
        if words.search(near) or _ENDS.get(name) == told.end:
            yield from (one for one in offer.figures if one.name.rpartition(".")[2] == name)


_SPREAD_WORDS = {
    "min": re.compile(r"\b(?:min(?:imum)?|lowest|slowest|smallest|worst)\b", re.IGNORECASE),
    "max": re.compile(r"\b(?:max(?:imum)?|highest|fastest|largest|best)\b", re.IGNORECASE),
    "margin": re.compile(r"\bwithin\b|\bmargin\b|±|\+/[-−]", re.IGNORECASE),
    "cv": re.compile(r"\b(?:cv|coefficient\s+of\s+variation|scatter)\b", re.IGNORECASE),
}
_ENDS = {"min": "low", "max": "high", "cv": "", "margin": ""}


_OF_CHANGES = ("ratio", "percent", "ratio.min", "ratio.max")


def change(told: Told, offer: Offer) -> Change | None:
    """Return the one change of the claim as the sentence sees it, None where it has none."""
    return _seen(told, offer, offer.figure("ratio"))


def _changes(told: Told, offer: Offer) -> list[Change]:
    """Return the changes that a number may be: the claim's, or the ends of a matrix's range."""
    ends = {"low": ("ratio.min",), "high": ("ratio.max",)}
    names = ("ratio", *ends.get(told.end or "", ("ratio.min", "ratio.max")))
    found = (_seen(told, offer, offer.figure(name)) for name in names)
    return [one for one in found if one]


def _seen(told: Told, offer: Offer, ratio: Figure | None) -> Change | None:
    if ratio is None or not ratio.value:
        return None
    turned = told.side == offer.baseline != offer.candidate
    return Change(
        ratio.value, offer.polarity, turned, offer.polarity == "higher" and told.said.of_time
    )


def difference(told: Told, offer: Offer) -> Iterator[Figure]:
    """Yield by how much the arms of a change differ, where the words ask for that."""
    old, new = offer.figure("baseline"), offer.figure("candidate")
    if old and new and told.said.is_difference:
        yield Figure("difference", abs(new.value - old.value), new.unit)
