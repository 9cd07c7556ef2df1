"""Whether the tombstones and banners of a page say what the ledger says, and what they excuse.

A region answers for the numbers inside it and, if it is a banner, for the markers of its claim in
the block below. It is refused when somebody has changed it (CLM604), when what a banner names in
the claim's place is nothing or does not stand (CLM605), and when the entry that it names, or the
register where it names none, does not strike the claim (CLM606).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from claims.markers import quotes
from claims.markers.quotes import Place, Quote
from claims.notices import notice_regions
from claims.notices.banners import one_line
from claims.notices.notice_regions import Region
from claims.numerals import decimal_comma, numbers
from claims.numerals.numbers import Number
from claims.pages import locale
from claims.pages.document import Document
from claims.rules import Refusal
from receipts.errors import NotFoundError

if TYPE_CHECKING:
    from claims.notices.strikes import Strikes
    from claims.registers.register import Register
    from ledger.log import Ledger

_BEYOND: Place = (1 << 62, 0)
_AGAIN = "write it again: `claims affected {} --write`"


@dataclass
class Noticed:
    """What became of the regions of one page."""

    findings: list[Refusal] = field(default_factory=list)
    claims: set[str] = field(default_factory=set)
    """The claims that the regions are about."""
    count: int = 0
    """How many regions there are."""
    _spans: list[tuple[Place, Place]] = field(default_factory=list)
    _covered: set[Place] = field(default_factory=set)

    def holds(self, line: int, column: int) -> bool:
        """Say whether the character at this place stands inside a region."""
        before = bisect_right(self._spans, ((line, column), _BEYOND)) - 1
        return before >= 0 and (line, column) < self._spans[before][1]

    def covers(self, line: int, column: int) -> bool:
        """Say whether a banner speaks of what the marker at this place binds."""
        return (line, column) in self._covered

    def take_in(self, region: Region, below: Sequence[Quote]) -> None:
        """Take in a region, and what its banner stands over."""
        self.count += 1
        self.claims |= {region.claim} if region.claim else set()
        self._spans.append((region.first, region.last))
        self._covered |= {quote.marker for quote in below}


class Notices:
    """Holds the regions of pages against one ledger."""

    def __init__(
        self, ledger: "Ledger", register: "Register", strikes: "Callable[[], Strikes]"
    ) -> None:
        self._ledger = ledger
        self._register = register
        self._given = strikes
        self._comma = False
        self._said: dict[str, tuple[set[str], list[Number]]] = {}

    @cached_property
    def _strikes(self) -> "Strikes":
        # Most pages have no notices, and then nobody needs to know what struck whom.
        return self._given()

    def on(self, name: str, page: Document) -> Noticed:
        """Return what the regions of the page `name` are worth."""
        done = Noticed()
        found = notice_regions.find(page.source)
        if not found.found and not found.faults:
            return done
        known = quotes.read(page)
        self._comma = locale.has_comma(page.source)
        for fault in found.faults:
            line, column = fault.place
            done.findings.append(Refusal("CLM604", fault.problem, place=f"{name}:{line}:{column}"))
        for region in found.found:
            below = quotes_below(region, known)
            done.take_in(region, below)
            # One finding for a region that is wrong: what it excused would only say it again.
            faults = self._of_page(region) if region.kind == "rejected" else self._of(region, below)
            for code, message in islice(faults, 1):
                line, column = region.first
                place = f"{name}:{line}:{column}"
                done.findings.append(Refusal(code, message, region.claim or None, place))
        return done

    def _of_page(self, region: Region) -> Iterator[tuple[str, str]]:
        from claims.notices import rejected

        if one_line(region.body) != one_line(rejected.body(self._ledger)):
            yield "CLM604", "the page is not what the ledger gives now; write it again"

    def _of(self, region: Region, below: Sequence[Quote]) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with a region; the first of it is told."""
        again = _AGAIN.format(region.claim)
        if not region.is_intact([quote.text for quote in below]):
            yield "CLM604", f"the {region.kind} or its sentence was changed by hand"
        if region.claim not in self._register.claims.keys() | self._register.withdrawn.keys():
            yield "CLM010", "the register does not have it"
        if region.replacement is not None and not self._stands(region.replacement):
            yield "CLM605", f"entry {region.replacement} does not stand in its place; {again}"
        if region.kind == "banner" and region.replacement is None:
            yield "CLM605", f"the banner names nothing in the claim's place; {again}"
        if region.kind == "banner" and not below:
            yield "CLM606", "the banner stands over no sentence of the claim"
        yield from self._untrue(region, again)
        for text in [quote.text for quote in below] or [region.struck]:
            if not self._was_said(region.claim, text):
                yield "CLM604", f"the claim never said {text[:80]!r}"

    def _untrue(self, region: Region, again: str) -> Iterator[tuple[str, str]]:
        """Yield what the ledger does not say of the claim as the region does."""
        strikes = [one for one in self._strikes.of(region.claim) if one.by == region.by]
        if not strikes:
            who = "the register itself" if region.by is None else f"entry {region.by}"
            yield "CLM606", f"{who} does not strike the claim, or no longer does; {again}"
        notices = [self._strikes.notice(region.claim, one) for one in strikes]
        if not any(region.says(notice) for notice in notices):
            yield "CLM604", f"the {region.kind} says something else than the ledger; {again}"

    def _stands(self, index: int) -> bool:
        try:
            return self._strikes.stands(self._ledger.entry(index))
        except NotFoundError:
            return False

    def _was_said(self, claim: str, text: str) -> bool:
        """Say whether the claim once read so, or had the measured numbers in this text.

        Of a page with a decimal comma the text is as it stood there.
        """
        return self._read_so(claim, text) or (
            self._comma and self._read_so(claim, decimal_comma.with_point(text))
        )

    def _read_so(self, claim: str, text: str) -> bool:
        from claims.judging import values

        sentences, known = self._approved(claim)
        if text in sentences:
            return True
        gone = claim in self._register.withdrawn
        computed = {} if gone else self._strikes.basis(claim).judgement.values
        measured = [one for one in numbers.find(text) if numbers.is_measurement(one.unit)]
        return all(
            values.agrees(one, computed, values.HEADLINE) or any(_rounds_to(k, one) for k in known)
            for one in measured
        )

    def _approved(self, claim: str) -> tuple[set[str], list[Number]]:
        """Return how the claim was ever approved to read, and the numbers in that."""
        if claim not in self._said:
            sentences = self._strikes.sentences(claim)
            spelt = {*sentences, *(one.removesuffix(".") for one in sentences)}
            found = [number for one in sentences for number in numbers.find(one)]
            self._said[claim] = (spelt, found)
        return self._said[claim]


def quotes_below(region: Region, found: Sequence[Quote]) -> list[Quote]:
    """Return the quotes of a banner's claim in the block below it, of these in their order."""
    if region.kind != "banner":
        return []
    first, last = (bisect_left(found, at, key=lambda one: one.start) for at in region.reach)
    return [one for one in found[first:last] if one.claim == region.claim]


def _rounds_to(known: Number, shown: Number) -> bool:
    """Say whether a number that was approved is this one in as many digits, or in fewer."""
    if known.unit != shown.unit or shown.decimals > known.decimals:
        return False
    step = Fraction(10) ** -shown.decimals
    return round(Fraction(known.value) / step) * step == Fraction(shown.value)
