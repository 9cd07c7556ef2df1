"""What stands around a bound number: scope that it shares, counts of repetitions, wide words.

A number that no claim is behind is *scope* where it equals a fact of a claim's evidence (or of its
own scope) that is bound nearby: in the same section, or anywhere on the page for headings and front
matter. Nothing with the unit of a result is scope. In the sentence or table row of a claim, a
number beside the name of a fact that is another number contradicts it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from claims.checks import counts, repetitions, roles, sorting
from claims.checks.contradictions import Contradictions, whole
from claims.checks.offer import Offer
from claims.checks.view import View
from claims.judging import hardware
from claims.markers.binding import Bound
from claims.numerals import numbers
from claims.pages.flow import CODE
from claims.registers import breadth, facts, statistic_words, wording
from claims.registers.wording import FLOOR
from claims.rules import Refusal
from claims.scanner.atoms import Atom
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judge import Judgement


class Surroundings:
    """The claims of a page by where they are bound."""

    def __init__(
        self,
        view: View,
        bound: Sequence[Bound],
        judged: Mapping[str, Judgement],
        offers: Mapping[str, Offer],
    ) -> None:
        self._view = view
        self._bound = bound
        self._judged = judged
        self._offers = offers
        self._told: dict[tuple[int, int], bool] = {}
        self._against = Contradictions(view, bound, judged)
        self._refused: dict[int, Refusal] = {}
        claims = {one.claim for one in bound}
        self._values = {claim: _values(judged[claim]) for claim in claims}
        self._known = {value for known in self._values.values() for value in known}
        self._headings = [b.start for b in view.page.blocks if b.role == "heading"]
        self._by_section: dict[int, set[str]] = {}
        for one in bound:
            self._by_section.setdefault(self._section(one.start), set()).add(one.claim)

    def sorted(self, left: Iterable[Atom]) -> tuple[list[Atom], list[Atom]]:
        """Return the atoms that are scope, and the rest."""
        atoms = sorted(left, key=lambda atom: atom.begin)
        self._against.learn(atoms)
        rest, scope = sorting.parted(atoms, self._is_scope)
        return scope, rest

    def findings(self, rest: Sequence[Atom]) -> Iterator[Refusal]:
        """Yield contradictions of scope, wrong counts, and words that are too wide."""
        begins = [atom.begin for atom in rest]
        for atom in rest:
            refusal = self._refused.get(atom.begin) or self._miscounted(atom)
            if refusal is not None:
                yield refusal
        for start, stop, ones in self._stretches():
            if ones[0].form == "table":
                claims = list(dict.fromkeys(one.claim for one in ones))
                for atom in rest[bisect_left(begins, start) : bisect_left(begins, stop)]:
                    yield from self._against.in_layout(atom, claims)
            if _WORDED.search(self._view.page.text, start, stop):
                yield from self._wide(start, stop, ones)
                yield from self._counts(start, stop, ones)
                yield from self._cells(start, stop, ones)
                yield from self._typical(start, stop, ones)
        yield from self._few()

    def _section(self, at: int) -> int:
        return bisect_right(self._headings, at)

    def _near(self, atom: Atom) -> Iterable[str]:
        here = self._by_section.get(self._section(atom.begin))
        if here and atom.role not in ("heading", "front-matter"):
            return here
        return self._values

    def _is_scope(self, atom: Atom) -> bool:
        verdict = self._against.verdict(atom)
        if verdict.refusal:
            self._refused[atom.begin] = verdict.refusal
        if verdict.refusal or verdict.fits:
            return verdict.fits and self._stands_apart(atom)
        if self._is_memory(atom):
            return True
        if not self._may_be_known(atom):
            return False
        number = self._view.number(atom)
        if numbers.is_measurement(number.unit):
            return False
        near = self._against.claims(atom) if verdict.is_own else self._near(atom)
        names = {name for claim in near for name in self._values[claim].get(number.value, ())}
        return bool(names) and self._has_a_role(atom, names)

    def _is_memory(self, atom: Atom) -> bool:
        """Say whether a number is that of a card's own memory, as the evidence names the card."""
        text = self._view.page.text
        if not _GIGABYTES.match(text, atom.stop):
            return False
        start = max(self._view.sentence(atom.begin)[0], atom.begin - _LONGEST_NAME)
        known = (self._judged[claim].evidence.facts for claim in self._near(atom))
        words = (value for one in known for value in one.values() if isinstance(value, str))
        return hardware.is_its_memory(text[start : atom.begin], atom.text, words)

    def _stands_apart(self, atom: Atom) -> bool:
        start, stop = self._view.sentence(atom.begin)
        start, stop = max(start, atom.begin - _NEAR), min(stop, atom.stop + _NEAR)
        text = self._view.page.text
        return roles.stands_apart(text[start : atom.begin], text[atom.stop : stop])

    def _has_a_role(self, atom: Atom, names: set[str]) -> bool:
        """Say whether the number stands for one of these facts, and is not only equal to it."""
        start, stop = self._view.sentence(atom.begin)
        text = self._view.page.text
        before, own, after = (
            text[start : atom.begin],
            text[atom.begin : atom.stop],
            text[atom.stop : stop],
        )
        if not roles.stands_apart(before, after):
            return False
        if roles.is_counted(before, own, after) or self._is_count_cell(atom):
            return repetitions.is_named(names)
        if roles.is_of_another(before, after, names):
            return False
        running = atom.role not in ("heading", "front-matter", "cell")
        return not running or roles.is_named(before, own, after, names)

    def _may_be_known(self, atom: Atom) -> bool:
        """Say whether the digits alone leave it open: they rule out almost every number."""
        text = self._view.page.text
        digits = text[atom.begin : atom.stop].replace(",", "")
        if len(digits) > numbers.LONGEST:
            return False
        if not digits.replace(".", "", 1).isdecimal() or text[atom.stop] in _SCALES:
            return True
        return Decimal(digits) in self._known

    def _stretches(self) -> Iterator[tuple[int, int, list[Bound]]]:
        """Yield each sentence, or table, that holds bound text, with what is bound in it."""
        found: dict[tuple[int, int], list[Bound]] = {}
        for one in self._bound:
            if one.form == "table":
                span = (one.start, one.stop)
            else:
                first = self._view.sentence(one.start)
                last = self._view.sentence(max(one.start, one.stop - 1))
                span = (first[0], last[1])
            found.setdefault(span, []).append(one)
        for (start, stop), ones in found.items():
            yield start, stop, ones

    def _wide(self, start: int, stop: int, ones: list[Bound]) -> Iterator[Refusal]:
        """Refuse words that claim more than one scope, wherever in the sentence they stand."""
        free = [one for one in ones if not self._is_approved(one)]
        if not free:
            return
        every = all(self._judged[one.claim].of_every_cell for one in free)
        word = breadth.says_more(self._view.text.read(start, stop), every_cell=every)
        if word:
            one = free[0]
            cells = len({part.cell for part in self._judged[one.claim].evidence.parts})
            of = f"{cells} cells" if cells else "one cell"
            message = f"it says {word!r} of this number; the evidence is of {of}"
            yield Refusal(
                "CLM203", message, one.claim, f"{self._view.name}:{one.line}:{one.column}"
            )

    def _is_approved(self, one: Bound) -> bool:
        """Say whether the words are the claim's own, which were judged with the claim."""
        sentence = self._judged[one.claim].sentence
        return sentence is not None and one.text in (sentence, sentence.removesuffix("."))

    def _is_settled(self, one: Bound) -> bool:
        """Say whether the text is compared word for word with the approved sentence anyway."""
        return one.whole or one.form == "region" or self._is_approved(one)

    def _counts(self, start: int, stop: int, ones: list[Bound]) -> Iterator[Refusal]:
        """Refuse a count of repetitions that is not that of any claim bound beside it."""
        free = [one for one in ones if not self._is_settled(one)]
        offers = [self._offers.get(one.claim) for one in free]
        if not repetitions.known(offers):
            return
        text = self._view.page.text[start:stop]
        for count in counts.find(text):
            if count.value > 1 and not repetitions.fits(count, text, offers):
                place = self._view.place_at(start + count.start)
                yield self._miscount(count.text, free[0].claim, offers, place)

    def _cells(self, start: int, stop: int, ones: list[Bound]) -> Iterator[Refusal]:
        """Refuse a number word for the cells of a matrix of which there are others."""
        text = self._view.page.text[start:stop]
        for one in ones:
            values = self._judged[one.claim].values
            known = {values[name] for name in ("cells", "cells.planned") if name in values}
            for count in counts.of_cells(text) if known and not self._is_settled(one) else ():
                if count.value not in known:
                    message = f"it speaks of {count.text}, and the evidence is of {values['cells']}"
                    place = self._view.place_at(start + count.start)
                    yield Refusal("CLM211", f"{message} cells", one.claim, place)

    def _miscounted(self, atom: Atom) -> Refusal | None:
        """Refuse a number of repetitions, in its column or before a table, that is none there."""
        if self._is_count_cell(atom):
            claims = self._against.claims(atom)
        elif self._leads_in(atom):
            claims = list(self._near(atom))
        else:
            return None
        offers = [self._offers.get(claim) for claim in claims]
        number = self._view.number(atom)
        if not repetitions.known(offers) or number.unit:
            return None
        return self._miscount(number.text, claims[0], offers, self._view.place(atom))

    def _miscount(
        self, text: str, claim: str, offers: Iterable[Offer | None], place: str
    ) -> Refusal:
        told = repetitions.told(offers)
        message = f"{text!r} repetitions stand here, the evidence has {told}"
        return Refusal("CLM211", message, claim, place)

    def _leads_in(self, atom: Atom) -> bool:
        """Say whether a number counts repetitions of what follows: `Medians of 5 runs each:`."""
        start, stop = self._view.sentence(atom.begin)
        text = self._view.page.text
        if not text[max(start, stop - 8) : stop].rstrip().endswith(":"):
            return False
        if self._against.claims(atom):
            return False
        return roles.is_counted(text[start : atom.begin], atom.text, text[atom.stop : stop])

    def _is_count_cell(self, atom: Atom) -> bool:
        return repetitions.is_header(self._against.header(atom))

    def _typical(self, start: int, stop: int, ones: list[Bound]) -> Iterator[Refusal]:
        """Refuse words that make a single sample what usually happens."""
        single = (
            one
            for one in ones
            if self._n(one.claim) == 1 and one.form != "table" and not self._is_settled(one)
        )
        one = next(single, None)
        word = statistic_words.of_many(self._view.text.read(start, stop)) if one else None
        if one and word:
            message = f"it says {word!r}, and the evidence is a single sample"
            place = f"{self._view.name}:{one.line}:{one.column}"
            yield Refusal("CLM305", message, one.claim, place)

    def _n(self, claim: str) -> int:
        given = self._offers.get(claim)
        return given.n if given else 0

    def _few(self) -> Iterator[Refusal]:
        """Refuse few repetitions where neither sentence nor paragraph says how many."""
        for one in self._bound:
            n = self._n(one.claim)
            if not 0 < n < FLOOR or one.form == "table" or self._is_settled(one):
                continue
            if self._is_told(self._view.page.block_at(one.start), n):
                continue
            refused = {refusal.code for refusal in self._judged[one.claim].refusals}
            if "CLM305" not in refused:
                message = f"there are only {n} repetitions, and the page does not say so beside it"
                place = f"{self._view.name}:{one.line}:{one.column}"
                yield Refusal("CLM305", message, one.claim, place)

    def _is_told(self, block: int, n: int) -> bool:
        """Say whether what stands around a block tells that there are `n` repetitions."""
        if (block, n) not in self._told:
            text = self._view.around(block)
            self._told[block, n] = counts.told(text, n) or wording.states_count(text, n)
        return self._told[block, n]


# A letter, or code, which may read as one: a cell of a number alone says no word.
_WORDED = re.compile(rf"[^\W\d_]|{CODE}")
_GIGABYTES = re.compile(r"[\s-]?Gi?B\b")
_LONGEST_NAME = 48
_NEAR = 200
_SCALES = frozenset("kKMBG")
# `pp2048` and `decode-v4096-w2048`: the numbers of a cell's own name.
_IN_NAME = re.compile(r"(?<=[A-Za-z])\d+(?![\w.]*\d)|(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_NAMING = ("cell", "lane", "fixture", "workload")


def _values(judgement: Judgement) -> dict[Decimal, set[str]]:
    """Return the numbers that are facts of a claim, each with the names of those facts.

    They are of its scope and its evidence's, in every cell of a matrix, and its repetitions.
    """
    found: dict[Decimal, set[str]] = {}
    told = [judgement.evidence.facts, judgement.claim.scope]
    told += [part.evidence.facts for part in judgement.evidence.parts]
    for name, value in (item for one in told for item in one.items()):
        text = facts.text(value)
        number = whole(text)
        if number is not None:
            found.setdefault(number, set()).add(name)
        elif name in _NAMING:
            for digits in _IN_NAME.findall(text):
                found.setdefault(Decimal(digits), set()).add(name)
    n = judgement.values.get("n")
    if isinstance(n, int):
        found.setdefault(Decimal(n), set()).add("n")
    return found
