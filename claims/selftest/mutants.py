"""Mutants of a page that passes: one thing wrong in each, made by rule and not by taste.

What is left out is what would be true as well: digits that are the rounding of those that stood
there, numbers swapped that are equal, a marker taken out whose neighbour binds to the same claim.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from claims.markers.binding import Bound
from claims.registers.model import Claim
from claims.selftest.pages import PageReading, Shown

_INSERTED = " Memory falls by 23.4 %."
_STATISTIC = re.compile(r"\b(?:median|mean|average)\b", re.IGNORECASE)
_WIDE = "On every GPU, always: "


@dataclass(frozen=True, slots=True)
class Mutant:
    """A page with one thing wrong: what, and on which line."""

    what: str
    line: int
    source: str


def make(page: PageReading) -> Iterator[Mutant]:
    """Yield every mutant of the page."""
    for makes in (_digits, _signs, _units, _swaps, _markers, _claims, _words, _quotes, _regions):
        yield from (one for one in makes(page) if one.source != page.source)


def _digits(page: PageReading) -> Iterator[Mutant]:
    """Yield the last digit one up and one down, and a digit left out at either end."""
    for one in page.numbers:
        for what, text in _other_digits(one.text):
            yield _put(page, one, what, text)


def _other_digits(text: str) -> Iterator[tuple[str, str]]:
    last = int(text[-1]) if text[-1].isdecimal() else None
    if last is None:
        return
    yield "last digit up", text[:-1] + str(last + 1 if last < 9 else 8)
    if 0 < last < 9:
        yield "last digit down", text[:-1] + str(last - 1)
    shorter = text[:-1].rstrip(".").replace(",", "")
    if shorter and not _rounds_to(text, shorter):
        yield "last digit dropped", shorter
    longer = text[1:].lstrip(",")
    if longer[:1].isdecimal():
        yield "first digit dropped", longer


def _rounds_to(text: str, shorter: str) -> bool:
    """Say whether some value is rounded to both, the full number and the shorter one."""
    try:
        full, short = (Decimal(one.replace(",", "")) for one in (text, shorter))
    except InvalidOperation:
        return True
    return 2 * abs(full - short) <= _step(full) + _step(short)


def _step(number: Decimal) -> Decimal:
    """Return what one more in the last digit would add."""
    return Decimal(1).scaleb(int(number.as_tuple().exponent))


def _signs(page: PageReading) -> Iterator[Mutant]:
    for one in page.numbers:
        before = page.source[: one.start]
        if before[-1:] in ("-", "−", "+") and before[-2:-1] in ("", " ", "\n", "(", "|"):
            other = "−" if before[-1] == "+" else "+"
            source = before[:-1] + other + page.source[one.start :]
            yield Mutant("sign turned", one.line, source)
        elif before[-1:] in ("", " ", "\n", "(") and one.claim:
            yield _put(page, one, "sign added", f"−{one.text}")


def _units(page: PageReading) -> Iterator[Mutant]:
    for one in page.numbers:
        if not one.unit or not one.claim:
            continue
        end = one.end + len(one.unit)
        unit = one.unit.strip()
        other = {"×": " %", "x": " %", "%": "×"}.get(unit, " tok/s" if unit == "ms" else " ms")
        yield Mutant("unit changed", one.line, _replaced(page, one.end, end, other))
        if unit in ("×", "x") and one.is_whole:
            yield Mutant("× left out", one.line, _replaced(page, one.end, end, ""))


def _swaps(page: PageReading) -> Iterator[Mutant]:
    """Yield each bound number in the place of the next other one, and that one in its place."""
    bound = [one for one in page.numbers if one.claim]
    for one, other in pairwise(bound):
        if other.start < one.end or _reads_alike(page, one, other):
            continue
        between = page.source[one.end : other.start]
        text = other.text + between + one.text
        source = _replaced(page, one.start, other.end, text)
        yield Mutant(f"swapped with {other.text}", one.line, source)


def _reads_alike(page: PageReading, one: Shown, other: Shown) -> bool:
    """Say whether a page says the same with both swapped: equal numbers, the ends of a range."""
    between = page.source[one.end : other.start].strip()
    same = Decimal(one.text.replace(",", "")) == Decimal(other.text.replace(",", ""))
    return same or between in ("–", "-", "—", "to")


def _markers(page: PageReading) -> Iterator[Mutant]:
    """Yield a marker with an id that is none, left out, and at the start of its line."""
    for bound, start, end in page.markers():
        marker = page.source[start:end]
        unknown = _renamed(marker, bound.claim, f"{bound.claim[:60]}-x")
        yield Mutant("id of no claim", bound.line, _replaced(page, start, end, unknown))
        if bound.atoms and not _goes_on(page, bound):
            yield Mutant("marker left out", bound.line, _replaced(page, start, end, ""))
        line = page.source.rfind("\n", 0, start) + 1
        moved = page.source[line:start] + page.source[end:]
        source = page.source[:line] + marker + moved
        yield Mutant("marker at the start of its line", bound.line, source)


def _renamed(marker: str, claim: str, other: str) -> str:
    """Return a marker with another id."""
    head, colon, rest = marker.partition(":")
    return head + colon + rest.replace(claim, other, 1)


def _goes_on(page: PageReading, bound: Bound) -> bool:
    """Say whether the next marker of the block takes the text over, and its claim says the same."""
    block = page.page.block_at(bound.start)
    later = [
        one
        for one in page.bindings.bound
        if page.page.block_at(one.start) == block and one.start >= bound.stop
    ]
    if not later or later[0].claim not in page.register.claims:
        return False
    return all(page.offers(later[0].claim, atom.text) for atom in bound.atoms)


def _claims(page: PageReading) -> Iterator[Mutant]:
    """Yield a marker that names another claim of the page, where that has other numbers."""
    used = list(dict.fromkeys(one.claim for one in page.bindings.bound))
    known = [claim for claim in used if claim in page.register.claims]
    for bound, start, end in page.markers():
        mine = {atom.text for atom in bound.atoms}
        others = (one for one in known if one != bound.claim)
        other = next((c for c in others if not any(page.offers(c, text) for text in mine)), None)
        if other and mine:
            marker = _renamed(page.source[start:end], bound.claim, other)
            source = _replaced(page, start, end, marker)
            yield Mutant(f"bound to {other}", bound.line, source)


def _words(page: PageReading) -> Iterator[Mutant]:
    """Yield required words left out, forbidden and wide ones added, and a number beside them."""
    for bound in page.bindings.bound:
        claim = page.register.claims.get(bound.claim)
        if claim is None or bound.form in ("table", "region", "link", "footnote"):
            continue
        start, end = page.sentence_start(bound), page.block_end(bound)
        yield from _statistics(page, bound, start)
        if bound.whole:
            yield from _of_the_register(page, bound, claim, (start, end))
        if bound.atoms and claim.kind != "matrix":
            wide = _replaced(page, start, start, _WIDE)
            yield Mutant("with words that are too wide", bound.line, wide)
        if page.page.cell(page.page.block_at(bound.start)) is None:
            source = _replaced(page, end, end, _INSERTED)
            yield Mutant("with a number of no claim", bound.line, source)


def _statistics(page: PageReading, bound: Bound, start: int) -> Iterator[Mutant]:
    """Yield the sentence of a marker with another statistic named."""
    found = _STATISTIC.search(page.source, start, page.sentence_end(bound))
    if found and bound.atoms and bound.form == "marker":
        other = "mean" if found[0].lower() == "median" else "median"
        source = _replaced(page, *found.span(), other)
        yield Mutant(f"{found[0]} told as {other}", bound.line, source)


def _of_the_register(
    page: PageReading, bound: Bound, claim: Claim, span: tuple[int, int]
) -> Iterator[Mutant]:
    """Yield a sentence without each word that it must retain, and with each that is forbidden."""
    start, end = span
    for words in claim.must_retain:
        at = page.source.lower().find(words.lower(), start, end)
        if at >= 0:
            source = _replaced(page, at, at + len(words), "")
            yield Mutant(f"without {words!r}", bound.line, source)
    for words in claim.forbidden:
        source = _replaced(page, start, start, f"{words.capitalize()}: ")
        yield Mutant(f"with {words!r}", bound.line, source)


def _quotes(page: PageReading) -> Iterator[Mutant]:
    """Yield each quotation of a citation with another letter in its longest word."""
    spans = {
        quote.span
        for found in page.citations
        if not found.tentative
        for quote in (*found.inside, *filter(None, (found.before,)))
    }
    for start, end in sorted(spans):
        word = max(page.source[start:end].split(), key=len, default="")
        letters = [at for at, letter in enumerate(word) if letter.isalnum()]
        if not letters:
            continue
        at = page.source.index(word, start) + letters[len(letters) // 2]
        other = "7" if page.source[at] != "7" else "8"
        line = page.source.count("\n", 0, at) + 1
        yield Mutant(f"another letter in {word!r}", line, _replaced(page, at, at + 1, other))


def _regions(page: PageReading) -> Iterator[Mutant]:
    """Yield each generated region with another letter in it, and without its end."""
    begun = [one for one in page.page.directives if one.written.form == "begin"]
    ended = [one for one in page.page.directives if one.written.form == "end"]
    for first, last in zip(begun, ended, strict=False):
        inside = range(first.end, last.start)
        at = next((n for n in inside if page.source[n].isalpha()), None)
        if at is not None:
            yield Mutant("a word of a region", first.line, _replaced(page, at, at + 1, "Q"))
        source = _replaced(page, last.start, last.end, "")
        yield Mutant("a region without its end", first.line, source)


def _put(page: PageReading, one: Shown, what: str, text: str) -> Mutant:
    return Mutant(f"{what}: {text}", one.line, _replaced(page, one.start, one.end, text))


def _replaced(page: PageReading, start: int, end: int, text: str) -> str:
    return page.source[:start] + text + page.source[end:]
