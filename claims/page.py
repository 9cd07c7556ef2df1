"""A page against the register: every bound sentence and number judged, every unbound number named.

A marker behind a sentence binds the whole sentence, which must read as the claim renders. A marker
glued to a number inside a sentence, or in a table cell, binds the numbers with a unit before it:
each must be what the claim is about (no minimum, no maximum), rounded as it is displayed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from claims import binding, document, numbers, values, wording
from claims.binding import Bound, Located
from claims.document import Document
from claims.judge import Judge, Judgement
from claims.numbers import Number
from claims.register import Register
from claims.rules import Refusal


@dataclass
class Checked:
    """What was found on one page, with what it was found among."""

    name: str
    numbers: int = 0
    bound: int = 0
    unbound: int = 0
    ignored: int = 0
    claims: set[str] = field(default_factory=set)
    findings: list[Refusal] = field(default_factory=list)

    @property
    def checked(self) -> int:
        """How many things were looked at; none is no success."""
        return self.numbers + len(self.claims)

    def set_aside(self, numbers: int) -> None:
        """Count so many unbound numbers as ignored: the page gives a reason for each."""
        self.unbound -= numbers
        self.ignored += numbers

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "file": self.name,
            "numbers": self.numbers,
            "bound": self.bound,
            "unbound": self.unbound,
            "ignored": self.ignored,
            "claims": sorted(self.claims),
            "findings": [finding.view() for finding in self.findings],
        }

    def summary(self) -> str:
        """Return the denominators in one line."""
        used = ", ".join(sorted(self.claims)) or "none"
        return (
            f"{self.name}: {self.numbers} numbers with a unit: {self.bound} bound, "
            f"{self.unbound} unbound; claims used: {used}; {len(self.findings)} findings"
        )


class Checker:
    """Checks pages against one register; each claim is judged once."""

    def __init__(self, register: Register, judge: Judge) -> None:
        self._register = register
        self._judge = judge
        self._judged: dict[str, Judgement] = {}

    def check(self, name: str, source: str) -> Checked:
        """Return what was found on the page `name` with the text `source`."""
        page = document.parse(source)
        found = binding.bind(page)
        done = Checked(name)
        done.findings.extend(_bad_markers(name, page))
        for bound in found.bound:
            done.findings.extend(self._bound(name, bound, done))
        for located in found.unbound:
            done.numbers, done.unbound = done.numbers + 1, done.unbound + 1
            message = f"{_full(located.number)} stands in {_brief(located.sentence)!r}"
            done.findings.append(Refusal("CLM101", message, place=_place(name, located)))
        done.findings.sort(key=_position)
        return done

    def _bound(self, name: str, bound: Bound, done: Checked) -> Iterator[Refusal]:
        marker = bound.marker
        place = f"{name}:{marker.line}:{marker.column}"
        measured = [n for n in bound.numbers if numbers.is_measurement(n.number.unit)]
        done.numbers += len(measured)
        done.bound += len(measured)
        if bound.is_empty:
            yield Refusal("CLM012", "the marker binds no text", marker.claim, place)
            return
        if marker.claim not in self._register.claims:
            yield Refusal("CLM010", "the register does not have it", marker.claim, place)
            return
        done.claims.add(marker.claim)
        judgement = self._judgement(marker.claim)
        for refusal in judgement.refusals:
            yield Refusal(refusal.code, refusal.message, marker.claim, place)
        if judgement.sentence is not None:
            yield from _compare(name, bound, judgement, judgement.sentence)

    def _judgement(self, claim: str) -> Judgement:
        if claim not in self._judged:
            self._judged[claim] = self._judge.judge(self._register.find(claim))
        return self._judged[claim]


def _compare(name: str, bound: Bound, judgement: Judgement, sentence: str) -> Iterator[Refusal]:
    if bound.text == sentence or (bound.whole and bound.text == sentence.removesuffix(".")):
        return
    if bound.whole:
        yield from _compare_sentence(name, bound, judgement, sentence)
    else:
        yield from _compare_numbers(name, bound, judgement)


def _compare_numbers(name: str, bound: Bound, judgement: Judgement) -> Iterator[Refusal]:
    """Compare each number with what the claim is about; the words around it are the page's."""
    place = f"{name}:{bound.marker.line}:{bound.marker.column}"
    claim = judgement.claim.id
    wide = wording.says_more(bound.text)
    if wide:
        message = f"it says {wide!r} of this number; the evidence is of one cell"
        yield Refusal("CLM203", message, claim, place)
    measured = [n for n in bound.numbers if numbers.is_measurement(n.number.unit)]
    if not measured:
        message = f"{_brief(bound.text)!r} holds no number of the claim"
        yield Refusal("CLM404", message, claim, place)
    for located in measured:
        number = located.number
        if not values.agrees(number, judgement.values, values.HEADLINE):
            has = values.told(judgement.values, values.HEADLINE, number.decimals)
            message = f"{number.text} is no value of the claim; it has {has}"
            yield Refusal("CLM102", message, claim, _place(name, located))


def _compare_sentence(
    name: str, bound: Bound, judgement: Judgement, sentence: str
) -> Iterator[Refusal]:
    """Tell a changed number from a changed word: the first is named where it stands."""
    wanted = numbers.find(sentence)
    differing = [
        (located, number)
        for located, number in zip(bound.numbers, wanted, strict=False)
        if (located.number.text, located.number.unit) != (number.text, number.unit)
    ]
    if len(wanted) == len(bound.numbers) and differing:
        for located, number in differing:
            message = f"{_full(located.number)} stands here, the evidence gives {_full(number)}"
            yield Refusal("CLM102", message, judgement.claim.id, _place(name, located))
        return
    place = f"{name}:{bound.marker.line}:{bound.marker.column}"
    message = f"{_brief(bound.text)!r} stands here, {_brief(sentence)!r} was approved"
    yield Refusal("CLM404", message, judgement.claim.id, place)


def _bad_markers(name: str, page: Document) -> Iterator[Refusal]:
    for bad in page.bad_markers:
        place = f"{name}:{bad.line}:{bad.column}"
        yield Refusal("CLM012", bad.problem, place=place)


def _place(name: str, located: Located) -> str:
    return f"{name}:{located.line}:{located.column}"


def _position(finding: Refusal) -> tuple[int, int]:
    parts = (finding.place or "::").rsplit(":", 2)
    return (int(parts[1] or 0), int(parts[2] or 0))


def _full(number: Number) -> str:
    return f"{number.text} {number.unit}" if number.unit else number.text


def _brief(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}…"
