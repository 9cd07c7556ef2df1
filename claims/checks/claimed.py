"""The claims of one page as its numbers are held against them, each with what it offers there.

A page binds a claim again and again: what depends on the claim alone is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from claims.checks import agreement, conflicts, fitting, held_against, strangers, telling
from claims.checks.displayed import Value
from claims.checks.fitting import Finding, Told
from claims.checks.grid import Source
from claims.checks.offer import Offer
from claims.checks.telling import Key, Spot
from claims.markers.binding import Bound
from claims.numerals.numbers import Number
from receipts.errors import Error

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

Verdict = tuple[Told, Finding | None]


class Claimed:
    """A claim, or a part of one, beside the other claims of the page."""

    def __init__(
        self, claim: str, judgement: Judgement, offer: Offer | None, others: Sequence[Offer]
    ) -> None:
        self._claim = claim
        self.judgement = judgement
        self.offer = offer
        self._others = others
        self._values: dict[Key, Value | None] = {}
        self._verdicts: dict[Key, Verdict] = {}

    def value(self, number: Number, index: int) -> Value | None:
        """Return what the number displays of the claim, None where it displays nothing of it.

        `index` is its place in the bound text: a claim without values has no other name for it.
        """
        key = (number.text, number.value, number.decimals, number.unit, index * (not self.offer))
        if key not in self._values:
            name = self._figure(number) if self.offer else f"#{index}"
            shows = number.unit is not None and name is not None
            self._values[key] = self._displayed(str(name), number) if shows else None
        return self._values[key]

    def _displayed(self, name: str, number: Number) -> Value:
        about, window, date = conflicts.subject(self.judgement)
        # A part, as `#min`, is another statistic than its claim's.
        statistic = self.offer.statistic if self.offer else self.judgement.claim.statistic
        bare = conflicts.bare(number)
        value = Value((*about, name), window, date, statistic, bare, self._claim)
        return conflicts.shared(value)

    def _figure(self, number: Number) -> str | None:
        """Return which value of the claim the number displays, None where it displays none."""
        for one in self.offer.headline if self.offer else ():
            value = agreement.converted(one.value, one.unit, number.unit)
            if value is not None and agreement.grade(number, value) != "other":
                return self._end or one.name
        return None

    @cached_property
    def _end(self) -> str | None:
        """Which end of the repetitions a part is, as `#min`: that is no other value of the cell."""
        own = self.offer.statistic if self.offer else ""
        return own if own != self.judgement.claim.statistic else None

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The arms that may be named on the page."""
        offers = (self.offer, *self._others) if self.offer else self._others
        return tuple(sorted({name for one in offers for name in one.names}))

    def verdict(self, here: Spot, given: Offer) -> Verdict:
        """Return what the page says of a number, and what is wrong with it; `given` is the offer.

        A number that stands in the same words elsewhere on the page is not judged again.
        """
        key = here.key
        if key not in self._verdicts:
            told = telling.tell(here, given, self._names)
            found = fitting.judge(told, given, self._others)
            found = found or self._of_a_stranger(here, told, given)
            self._verdicts[key] = (told, found or self._over_a_stranger(told, given))
        return self._verdicts[key]

    def _of_a_stranger(self, here: Spot, told: Told, given: Offer) -> Finding | None:
        """Refuse a number of an engine that is no part of the evidence, or held against one."""
        names = self._unmeasured
        found = strangers.of_cell(here.header, here.row, names)
        if found:
            return "CLM109", f"its cell is of {found}, and the evidence is of {self._measured}"
        if not names or not strangers.may_be_named(here.passage, here.start, here.after, names):
            return None
        if not strangers.are_near(told.said):
            return None
        name = strangers.named(told.said, told.number.unit, names, given.names)
        if name is None:
            return None
        return "CLM109", f"it speaks of {name}, and the evidence is of {self._measured}"

    def _over_a_stranger(self, told: Told, given: Offer) -> Finding | None:
        """Refuse a change over something that is no arm of the evidence."""
        unit = told.number.unit
        if given.kind == "level" or unit not in ("×", "%") or self._comparators is None:
            return None
        name = held_against.stranger(told.said, unit, self._comparators)
        if name is None:
            return None
        baseline = self._comparators.baseline
        return "CLM109", f"it is held against {name!r}, and the evidence is over {baseline}"

    @cached_property
    def _comparators(self) -> held_against.Known | None:
        return held_against.known(self.judgement, self.offer) if self.offer else None

    @cached_property
    def _measured(self) -> str:
        """The arms of the evidence in words, or its engines where it has no arms."""
        names = self.offer.names if self.offer else ()
        return ", ".join(names or strangers.measured(self._unmeasured))

    @cached_property
    def _unmeasured(self) -> tuple[str, ...]:
        if self.offer is None:
            return ()
        return strangers.unmeasured(strangers.known(self.judgement, self.offer, self._others))


class Used:
    """The claims and parts of claims that a page uses; `sources` gives the evidence for parts."""

    def __init__(
        self,
        judged: Mapping[str, Judgement],
        offers: Mapping[str, Offer],
        others: Sequence[Offer],
        source: Callable[[str], Source],
    ) -> None:
        self._judged = judged
        self._offers = offers
        self._others = others
        self._source = source
        self._found: dict[tuple[str, str | None, str | None], Claimed | Error] = {}

    def find(self, bound: Bound) -> Claimed:
        """Return what a marker names; raise `Error` where the evidence has no such part."""
        key = (bound.claim, bound.cell, bound.field)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._read(bound)
        if isinstance(found, Error):
            raise found
        return found

    def _read(self, bound: Bound) -> Claimed | Error:
        if not (bound.cell or bound.field):
            claim = bound.claim
            return Claimed(claim, self._judged[claim], self._offers.get(claim), self._others)
        try:
            part = self._source(bound.claim).part(bound.cell, bound.field)
        except Error as error:
            return error
        return Claimed(bound.claim, part.judgement, part.offer, self._others)
