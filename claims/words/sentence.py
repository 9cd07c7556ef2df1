"""One sentence as it is read for claims: its words' letters, what they are about, what they say."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from claims.words import grammar, lexicon, mood, tagging
from claims.words.grammar import SUBJECT, Rule
from claims.words.term import Kind, Term

_SAME_WIDTH = {
    ord(one): other
    for one, other in zip(
        "’‘‑‐‒\u00a0\u202f\u2009\n\t", "''---\u0020\u0020\u0020\u0020\u0020", strict=True
    )
}
_POINTS = re.compile(r"\b(?:it|this|that|they|these|those|both|which|everything|here)\b")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|does|do|can|will)\b")
# What a preposition governs is not the head of its clause.
_GOVERNED = re.compile(r"[pv][dSuoFE=1]{0,2}\Z")
_OBJECT = re.compile(r"[dFoSu]{0,2}z")
_OF = frozenset(["of", "in", "to", "about", "with"])
_PROPERTY = re.compile(r"[ZUGAV^CfI2]")
# Words of a match that claim, and are no subject and nothing that leads up to a claim.
_CLAIMS = frozenset("ςϲξ<ικμγfCQ+EeAr1^VB!LasDJIHK2GP%U=≡εqZFwuωnπθφλδσζτ5$")
_DENIED = re.compile(r"n[^,]{0,3}\Z")
_DENIABLE = frozenset(["faster", "more", "win", "best", "exact", "equal", "factor", "flat"])
# What a claim can be about where nothing of this field is named: the gain, the regression.
_GAINS = frozenset("γI")
_SHORT = 4


class Told(NamedTuple):
    """All that what a sentence says depends on: its text, what of it is spoken, where it stands."""

    text: str
    spoken: str
    own: tuple[str, ...]
    is_alone: bool
    is_label: bool


class Said(NamedTuple):
    """A claiming word of a sentence: its kind and text, what it is about, and where it starts."""

    kind: Kind
    word: str
    about: str
    start: int


class Sentence:
    """A sentence, as it is spoken, and as its letters."""

    def __init__(self, told: Told) -> None:
        self._text, self._spoken, self._own, self._is_alone, self._is_label = told
        plain = self._text.isascii() and "\n" not in self._text and "\t" not in self._text
        self._full = self._text if plain else self._text.translate(_SAME_WIDTH)
        self._lowered = _lower(self._full)

    @cached_property
    def is_idle(self) -> bool:
        """Whether it claims nothing, whatever its words."""
        return mood.is_idle(self.plain)

    @cached_property
    def plain(self) -> str:
        """What is spoken, in small letters."""
        if self._spoken is self._text:
            return self._lowered
        return _lower(self._spoken.translate(_SAME_WIDTH))

    @cached_property
    def _tagged(self) -> tagging.Tagged:
        return tagging.Tagged(self._full, self._lowered, self._spoken, self._own)

    @cached_property
    def masked(self) -> str:
        """The text in small letters, each subject in its capital."""
        letters, spans = self._tagged.letters, self._tagged.spans
        masked = self._lowered
        for at, letter in enumerate(letters):
            if letter in SUBJECT:
                start, end = spans[at]
                if letter in "TYX":
                    letter = "T"
                    start = spans[at - 1][0] if at and letters[at - 1] in "dS" else start
                masked = masked[:start] + letter * (end - start) + masked[end:]
        return masked

    def claims(self) -> Iterator[tuple[Term | Rule, int, int]]:
        """Yield what may claim, rules before set phrases, and where in the text."""
        for rule, first, last in grammar.matches(self._tagged.letters):
            yield rule, self._tagged.spans[first][0], self._tagged.spans[last - 1][1]
        for term, pattern in lexicon.tried(self._tagged.words, self._lowered):
            for found in pattern.finditer(self.masked):
                yield term, *found.span()

    def excuses(self, kind: Kind, start: int, end: int) -> bool:
        """Say whether its mood takes the claim from what stands at these offsets."""
        first, last = self._core(start, end)
        if kind in _DENIABLE and _DENIED.search(self._tagged.letters, 0, first):
            return True
        start = max(start, self._tagged.spans[first][0]) if first < last else start
        return mood.excuses(self.plain, self.masked, start, end, kind)

    def _core(self, start: int, end: int) -> tuple[int, int]:
        """Return the words of a stretch that claim, without a subject that leads up to them."""
        first, last = self._words(start, end)
        while first < last - 1 and self._tagged.letters[first] not in _CLAIMS:
            first += 1
        return first, last

    def about(self, rule: Term | Rule, start: int, end: int) -> str | None:
        """Return what the claiming word is about, None where it is about nothing of this field."""
        first, last = self._words(start, end)
        if (
            rule.kind == "general"
            and rule.needs != "nothing"
            and not self._says_a_property(start, end)
        ):
            return None
        is_inside = rule.needs == "inside"
        if is_inside and not any(one in SUBJECT for one in self._tagged.letters[first:last]):
            return None
        if rule.needs != "nothing" and self._is_neutral(first, first if is_inside else last):
            return None
        nearest = self._nearest(self._core(start, end)[0], last)
        if nearest is not None:
            return self._told(nearest)
        if (rule.needs == "nothing" and rule.kind != "general") or (
            self._is_short() and rule.kind != "general"
        ):
            return "what the page is about"
        points = _POINTS.search(self._lowered, 0, start) if rule.needs == "pointed" else None
        if points:
            return f"“{points[0]}”"
        gains = (at for at, letter in enumerate(self._tagged.letters) if letter in _GAINS)
        return next(map(self._told, gains), None)

    def said(self, rule: Term | Rule, start: int, end: int, about: str) -> Said:
        """Return what stands at these offsets of the sentence."""
        first, last = self._core(start, end)
        while last - 1 > first and self._tagged.letters[last - 1] not in _CLAIMS:
            last -= 1
        if isinstance(rule, Rule):
            start, end = self._tagged.spans[first][0], self._tagged.spans[last - 1][1]
        word = " ".join(self._text[start:end].split()).strip(" .,;:(")
        return Said(
            rule.kind,
            word,
            about,
            start + len(self._text[start:end]) - len(self._text[start:end].lstrip()),
        )

    def _words(self, start: int, end: int) -> tuple[int, int]:
        """Return the first word that lies in a stretch of the text, and the first one behind."""
        spans = self._tagged.spans
        first = bisect_right(spans, start, key=lambda span: span[1])
        return first, bisect_left(spans, end, lo=first, key=lambda span: span[0])

    def _nearest(self, first: int, last: int) -> int | None:
        """Return the last subject before a stretch of words, or else the first one from it on."""
        letters = self._tagged.letters
        known = [at for at, letter in enumerate(letters) if letter in SUBJECT and letter != "X"]
        if not known:
            known = [at for at in range(first, last) if letters[at] in SUBJECT]
        before = [at for at in known if at < first]
        return before[-1] if before else known[0] if known else None

    def _is_neutral(self, first: int, last: int) -> bool:
        """Say whether the head of the clause, or the object of the word, is measured by nobody."""
        letters = self._tagged.letters
        clause = letters.rfind(",", 0, first) + 1
        for at in range(first - 1, clause - 1, -1):
            if letters[at] in SUBJECT + "z" and not _GOVERNED.search(letters, clause, at):
                if letters[at] == "z":
                    return True
                break
        if (
            last > first
            and last < len(letters)
            and self._lowered[slice(*self._tagged.spans[last])] in _OF
        ):
            return _OBJECT.match(letters, last + 1) is not None
        return last > first and _OBJECT.match(letters, last) is not None

    def _says_a_property(self, start: int, end: int) -> bool:
        rest = self._lowered[:start] + " " + self._lowered[end:]
        first, last = self._words(start, end)
        said = self._tagged.letters[:first] + self._tagged.letters[last:]
        is_property = _PROPERTY.search(said) or lexicon.PROPERTY.search(rest)
        return bool(is_property) and not lexicon.METHOD.search(rest)

    def _is_short(self) -> bool:
        """Say whether it is a heading, cell or item of a few words, whose subject is the page's."""
        alone = self._is_alone and not _VERB.search(self.plain)
        return alone or (self._is_label and len(self._text.split()) <= _SHORT)

    def _told(self, at: int) -> str:
        start, end = self._tagged.spans[at]
        return " ".join(self._text[start:end].split()).removesuffix("'s").removesuffix("’s")


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
