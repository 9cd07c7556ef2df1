"""A page read for mutation: its numbers, markers and sentences, each with its place in the source.

What the page sets aside (ignores, notices, citations, exclusions) claims nothing, and so nothing of
it is mutated.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from claims.checks import ignoring
from claims.checks.view import View
from claims.citing import citations
from claims.citing.brackets import Citation
from claims.desk import Desk
from claims.markers import binding
from claims.markers.binding import Bindings, Bound
from claims.notices import notice_regions
from claims.pages import document
from claims.pages.document import Document
from claims.pages.running_text import Text
from claims.scanner import atoms
from claims.scanner.atoms import Atom
from claims.scanner.vocabulary import Vocabulary

_PLAIN = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Shown:
    """A number of the page that counts, and where its digits and its unit stand in the source.

    `unit` is empty where no unit is written behind the digits. `claim` is None for a number that
    only repeats what the evidence was measured under.
    """

    text: str
    start: int
    end: int
    unit: str
    line: int
    claim: str | None
    is_whole: bool


class PageReading:
    """One page that passes, taken apart."""

    def __init__(self, name: str, source: str, desk: Desk, words: Vocabulary) -> None:
        self.name = name
        self.source = source
        self.register = desk.register
        self._judge = desk.judge
        self._values: dict[str, list[Fraction]] = {}
        self.page: Document = document.parse(source)
        self.found = atoms.scan(self.page, words)
        self.text = Text(self.page)
        self.view = View(name, self.page, self.text)

    @cached_property
    def bindings(self) -> Bindings:
        """What its markers bind."""
        return binding.bind(self.page, self.found, self.register.claims, self.text)

    @cached_property
    def citations(self) -> list[Citation]:
        """What it cites."""
        return list(citations.find(self.page))

    @cached_property
    def numbers(self) -> list[Shown]:
        """Every number that counts, in the order of the page."""
        found = [
            self._shown(atom, bound)
            for bound in self.bindings.bound
            if bound.claim in self.register.claims
            for atom in bound.atoms
        ]
        found += [self._shown(atom, None) for atom in self.bindings.left if self._counts(atom)]
        return sorted((one for one in found if one), key=lambda one: one.start)

    def offers(self, claim: str, text: str) -> bool:
        """Say whether the digits are those of some value of the claim, rounded half-even."""
        if claim not in self._values:
            done = self._judge.judge(self.register.find(claim))
            values = done.values.values()
            self._values[claim] = [Fraction(one) for one in values if not isinstance(one, str)]
        plain = text.replace(",", "")
        decimals = len(plain.partition(".")[2])
        try:
            shown = Fraction(plain)
        except ValueError:
            return True
        return any(round(value, decimals) == shown for value in self._values[claim])

    def sentence_start(self, bound: Bound) -> int:
        """Return where the sentence of some bound text begins in the source."""
        return self.page.offset(self.view.sentence(bound.start)[0])

    def sentence_end(self, bound: Bound) -> int:
        """Return where that sentence ends in the source."""
        stop = self.view.sentence(max(bound.start, bound.stop - 1))[1]
        return self.page.offset(max(stop - 1, bound.start)) + 1

    def block_end(self, bound: Bound) -> int:
        """Return where the line ends on which the block of some bound text ends."""
        block = self.page.block_at(max(bound.start, bound.stop - 1))
        at = self.page.offset(max(self.page.blocks[block].end - 1, 0))
        end = self.source.find("\n", at)
        return len(self.source) if end < 0 else end

    def _counts(self, atom: Atom) -> bool:
        spans = citations.spans(self.citations)
        return not (
            citations.holds(spans, atom.start)
            or any(first <= atom.line <= last for first, last in self._set_aside)
        )

    @cached_property
    def _set_aside(self) -> list[tuple[int, int]]:
        ignores = ignoring.read(self.name, self.source)
        regions = notice_regions.find(self.source).found
        last = self.source.count("\n") + 1
        return [
            *(one.target or (1, last) for one in ignores),
            *((region.first[0], region.last[0]) for region in regions),
        ]

    def _shown(self, atom: Atom, bound: Bound | None) -> Shown | None:
        """Return the number as it stands in the source, None where its spelling is another."""
        number = self.view.number(atom)
        unit = self.page.text[number.end : number.after]
        start, text = atom.start, atom.text
        if not _PLAIN.fullmatch(text) or not self.source.startswith(text, start):
            return None
        end = start + len(text)
        written = unit if unit and self.source.startswith(unit, end) else ""
        claim = bound.claim if bound else None
        whole = bound is not None and (bound.whole or bound.form == "region")
        return Shown(text, start, end, written, atom.line, claim, whole)

    def markers(self) -> Iterator[tuple[Bound, int, int]]:
        """Yield each marker behind text with what it binds, and its span in the source."""
        spans = {(one.line, one.column): (one.start, one.end) for one in self.page.markers}
        for bound in self.bindings.bound:
            if bound.form == "marker" and (bound.line, bound.column) in spans:
                yield bound, *spans[bound.line, bound.column]
