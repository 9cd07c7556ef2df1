"""Numbers beside the name of a condition, against the evidence of the claim that decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from claims.checks import conditions, counts
from claims.checks.conditions import Fact, Known
from claims.checks.deciding import Deciding, paired
from claims.checks.view import View
from claims.markers.binding import Bound
from claims.numerals import numbers
from claims.numerals.numbers import Number
from claims.registers import facts
from claims.rules import Refusal
from claims.scanner.atoms import Atom
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judge import Judgement


class Verdict(NamedTuple):
    """What the words beside a number make of it, in the sentence or row of a claim.

    `fits` where it is a fact so named, `refusal` where such a fact is another number; neither
    where the evidence has none. `is_own` says that no other claim may explain it.
    """

    fits: bool = False
    refusal: Refusal | None = None
    is_own: bool = False


_OPEN = Verdict()
_Part = tuple[str, str | None]
"""A claim, and the cell of its evidence that a marker names instead of its own."""


class Contradictions:
    """The conditions of a page by the claims that decide about them."""

    def __init__(self, view: View, bound: Sequence[Bound], judged: Mapping[str, Judgement]) -> None:
        self._view = view
        self._judged = judged
        self._deciding = Deciding(view, bound)
        self._known: dict[_Part, Known] = {}
        self._pairs: dict[tuple[int, str], dict[int, Bound]] = {}
        self._named: dict[int, frozenset[str]] = {}
        self._clauses: dict[int, list[Atom]] = {}

    def learn(self, atoms: Sequence[Atom]) -> None:
        """Take in the numbers of the page that no claim answers for."""
        for atom in atoms:
            ones, (start, _) = self._deciding.of(atom)
            if len({(one.claim, one.cell) for one in ones}) > 1:
                self._clauses.setdefault(start, []).append(atom)

    def verdict(self, atom: Atom) -> Verdict:
        """Return what the words beside a number make of it."""
        ones, span = self._deciding.of(atom)
        if not ones:
            return _OPEN
        number = self._view.number(atom)
        names = frozenset() if numbers.is_measurement(number.unit) else self.named(atom, number)
        if not names:
            return _OPEN
        parts = self._parts(atom, ones, span, names)
        return self.held(parts, names, number, self._view.place(atom))

    def held(
        self, parts: Sequence[_Part], names: frozenset[str], number: Number, place: str
    ) -> Verdict:
        """Return what a number so named is to these claims, or cells of their evidence."""
        told: Refusal | None = None
        for claim, cell in parts:
            known = self.known(claim, cell)
            if any(known.holds(name, number.value, number.text) for name in names):
                return Verdict(fits=True)
            for name in names:
                meant = known.meant(name)
                if meant and told is None:
                    message = f"the evidence has {_told(meant)}, the page says {number.text}"
                    told = Refusal("CLM201", message, claim, place)
        return Verdict(refusal=told, is_own=any(map(conditions.is_topic, names)))

    def named(self, atom: Atom, number: Number) -> frozenset[str]:
        """Return what the words beside a number, or the header of its cell, call it."""
        if atom.begin not in self._named:
            self._named[atom.begin] = self._name(atom, number)
        return self._named[atom.begin]

    def _name(self, atom: Atom, number: Number) -> frozenset[str]:
        found = self._beside(number)
        header = "" if found else self._deciding.header(atom)
        if not header or _LETTER.search(self._view.page.text, *self._view.sentence(atom.begin)):
            return found or self._equal(atom, number)
        return conditions.of_header(header)

    def _equal(self, atom: Atom, number: Number) -> frozenset[str]:
        """Return what a number without a name is of one of several claims: `105 at 4,096 and …`."""
        parts = dict.fromkeys((one.claim, one.cell) for one in self._deciding.of(atom)[0])
        known = [self.known(*part) for part in parts] if len(parts) > 1 else []
        return frozenset(
            topic
            for topic in ("depth", "batch", "ubatch", "concurrency")
            if any(one.holds(topic, number.value, number.text) for one in known)
            and self._stands_bare(number)
        )

    def _stands_bare(self, number: Number) -> bool:
        return _AT.search(self._view.page.text, max(0, number.start - 8), number.start) is not None

    def _beside(self, number: Number) -> frozenset[str]:
        start, stop = self._view.sentence(number.start)
        start, stop = max(start, number.start - _NEAR), min(stop, number.after + _NEAR)
        text, here = self._view.page.text[start:stop], number.start - start
        if any(one.start <= here < one.end for one in counts.find(text)):
            return frozenset()
        return conditions.named(text[:here], text[number.after - start :])

    def _parts(
        self, atom: Atom, ones: list[Bound], span: tuple[int, int], names: frozenset[str]
    ) -> list[_Part]:
        """Return the claims that decide; one of several where the sentence ties it to that."""
        parts = list(dict.fromkeys((one.claim, one.cell) for one in ones))
        if len(parts) > 1:
            for name in names:
                mine = self._paired(span, ones, name).get(atom.begin)
                if mine is not None:
                    return [(mine.claim, mine.cell)]
        return parts

    def _paired(self, span: tuple[int, int], ones: list[Bound], name: str) -> dict[int, Bound]:
        start = span[0]
        if (start, name) not in self._pairs:
            results: list[Bound] = []
            for one in ones:
                again = results and (results[-1].claim, results[-1].cell) == (one.claim, one.cell)
                if not again and self.known(one.claim, one.cell).meant(name):
                    results.append(one)
            places = [
                atom.begin
                for atom in self._clauses.get(start, ())
                if name in self.named(atom, self._view.number(atom))
            ]
            text = self._view.page.text
            self._pairs[start, name] = paired(text, places, results, lambda one: one.stop)
        return self._pairs[start, name]

    def claims(self, atom: Atom) -> list[str]:
        """Return the claims in whose words, or row, a number stands."""
        return list(dict.fromkeys(one.claim for one in self._deciding.of(atom)[0]))

    def header(self, atom: Atom) -> str:
        """Return what names the cell of a number, empty outside of tables."""
        return self._deciding.header(atom)

    def in_layout(self, atom: Atom, claims: Sequence[str]) -> Iterator[Refusal]:
        """Refuse a number in a table whose cells are compared, beside a name that says otherwise.

        Its rows differ in their facts: the header of a column is none of one claim's.
        """
        number = self._view.number(atom)
        if not numbers.is_measurement(number.unit):
            names = self._beside(number)
            parts = [(claim, None) for claim in claims]
            refusal = self.held(parts, names, number, self._view.place(atom)).refusal
            if refusal is not None:
                yield refusal

    def known(self, claim: str, cell: str | None = None) -> Known:
        """Return the conditions of a claim; of another cell, as far as a marker names it."""
        if (claim, cell) not in self._known:
            judgement = self._judged[claim]
            n = judgement.values.get("n")
            other = dict(one.split("=", 1) for one in (cell or "").split(",") if "=" in one)
            told = [fact for fact in _facts(judgement) if fact.name not in other]
            told += [
                Fact(name, number)
                for name, text in other.items()
                if (number := whole(text)) is not None
            ]
            self._known[claim, cell] = Known(told, n if isinstance(n, int) else 0)
        return self._known[claim, cell]


_NEAR = 200
_AT = re.compile(r"\b(?:[Aa]t|[Ww]ith|[Ff]or)\s+\Z")
_LETTER = re.compile(r"[^\W\d_]")
_WHOLE = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


def _facts(judgement: Judgement) -> Iterator[Fact]:
    """Yield the numbers of a claim's scope and evidence, of both sides and of every cell."""
    claim, evidence = judgement.claim, judgement.evidence
    told = [claim.scope, claim.baseline_scope or {}, claim.candidate_scope or {}, evidence.facts]
    told += [side.facts for side in evidence.sides.values()]
    told += [part.evidence.facts for part in evidence.parts]
    for one in told:
        for name, value in one.items():
            number = whole(facts.text(value))
            if number is not None:
                yield Fact(name, number)
    for name in ("cells", "cells.planned"):
        count = judgement.values.get(name)
        if isinstance(count, int):
            yield Fact(name, Decimal(count))


def whole(text: str) -> Decimal | None:
    """Return the number that a fact is, None where it is a word or a name."""
    return Decimal(text.replace(",", "")) if _WHOLE.fullmatch(text) else None


def _told(meant: Sequence[Fact]) -> str:
    """Return the facts in words: `n_depth 4096`, and of several each number once."""
    first = {fact.number: fact for fact in reversed(meant)}
    return " or ".join(f"{fact.name} {fact.number}" for fact in reversed(first.values()))
