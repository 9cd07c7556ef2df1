"""One sentence as it is read for claims: its words' letters, what they are about, what they say."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from claims.words import grammar, idle, lexicon, mood, tagging
from claims.words.guards import MOODS
from claims.words.rule import SUBJECT, Rule
from claims.words.term import Kind, Term
from receipts import late as re

_SAME_WIDTH = {
    ord(one): other
    for one, other in zip(
        "’‘‑‐‒\u00a0\u202f\u2009\n\t", "''---\u0020\u0020\u0020\u0020\u0020", strict=True
    )
}
_POINTS = re.compile(r"\b(?:it|this|that|they|these|those|both|which|everything|here)\b")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|does|do|can|will)\b")
# What a preposition governs is not the head of its clause, and no file that is loaded.
_GOVERNED = re.compile(r"(?:[pv][dSuoFE=1]{0,2}|Wd[dXoFN]{0,2})\Z")
# What is told behind these has a subject of its own.
_TOLD_THAT = re.compile(
    r"(?<=[a-z] )(?:report|record|note|show|find|found|add|mean|confirm|hear|see|saw|know|"
    r"demonstrat|indicat|notic|"
    r"observ|reveal|prov|establish|conclud)\w* that "
)
_OBJECT = re.compile(r"[dFoSu]{0,2}z")
_OF = frozenset(["of", "in", "to", "about", "with"])
# Whatever is so on every prompt is claimed, unless it was done.
_EVERY_CASE = re.compile(
    r"on (?:every|any|all|each) (?:[\w-]+ )?"
    r"(?:prompts?|inputs?|cases?|questions?|workloads?|requests?)\b"
)
_PROPERTY = re.compile(r"[ZUGAV^CfI2γJ]|n[yhb]*[DHLKφΔ]")
# Words of a match that claim, and are no subject and nothing that leads up to a claim.
_CLAIMS = frozenset("ςϲξ<ικμγΔfCQ+EeAr1^VB!LasDJIHK2GP%U=≡εqZFwuωnπθφλδσζτ5$")
_DENIED = re.compile(r"n[^,]{0,3}\Z")
_COMPARES = frozenset(["more", "faster", "equal", "exact"])
# "Not always higher": what claims stands behind what denies it.
_DENIES = re.compile(r"n(?!.*[Lςϲ])[^,LςϲKHIaDΔrB]{0,5}?[Cf+Qq=≡εZV]")
# "Not a win in all cases"; but "no crash on every prompt" denies a drawback.
_NOT_ALL = re.compile(r"n(?!b?[OM]?[yh]*[KHIφςLΔD])[^,KHIφςLΔD]{0,7}\Z")
_ALL = re.compile(
    r"\b(?:all|every|each|always|everywhere|invariably|consistently|universally|uniformly)\b"
)
_DENIABLE = frozenset(["faster", "more", "win", "best", "exact", "equal", "factor", "flat"])
_SUBJECTS = frozenset(SUBJECT)
_MEASURED = _SUBJECTS | {"z"}
# What a claim can be about where nothing of this field is named: the gain, the regression.
_GAINS = frozenset("γI")
_OF_TOKENS = re.compile(r"(?:token|logit)")
# How far behind "on every" its noun ends.
_NEXT_WORD = 24
# A heading or cell of so many words is about what the page is about.
_LABEL = 8


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


class Claim(NamedTuple):
    """What may claim: its first word, the word behind, and its place in the text if known."""

    rule: Term | Rule
    first: int
    last: int
    span: tuple[int, int] | None


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
        return idle.is_idle(self.plain, self._moods)

    @cached_property
    def _moods(self) -> int:
        """Which patterns may say of it, or of a word in it, that it claims nothing."""
        is_told = self._spoken == self._text
        return MOODS.may(self._tagged.chunks if is_told else self.plain.split())

    @cached_property
    def plain(self) -> str:
        """What is spoken, in small letters."""
        if self._spoken == self._text:
            return self._lowered
        return _lower(self._spoken.translate(_SAME_WIDTH))

    @cached_property
    def _tagged(self) -> tagging.Tagged:
        return tagging.Tagged(self._full, self._lowered, self._spoken, self._own)

    @cached_property
    def masked(self) -> str:
        """The text in small letters, each subject in its capital."""
        letters, spans, lowered = self._tagged.letters, self._tagged.spans, self._lowered
        parts: list[str] = []
        done = 0
        for at in self._subjects:
            letter = letters[at]
            start, end = spans[at]
            if letter in "TYX":
                letter = "T"
                if at and letters[at - 1] in "dS":
                    start = spans[at - 1][0]
            if start < done:
                # The word before is a subject as well, and is told by this one.
                parts.pop()
                done = start
            parts += [lowered[done:start], letter * (end - start)]
            done = end
        return "".join((*parts, lowered[done:]))

    @cached_property
    def _subjects(self) -> list[int]:
        """Which of the words are subjects."""
        return [at for at, letter in enumerate(self._tagged.letters) if letter in _SUBJECTS]

    def claims(self) -> Iterator[Claim]:
        """Yield what may claim, rules before set phrases."""
        for rule, first, last in grammar.matches(self._tagged.letters):
            yield Claim(rule, first, last, None)
        for term, pattern in lexicon.tried(self._tagged.chunks, self._lowered):
            for found in pattern.finditer(self.masked):
                span = found.span()
                yield Claim(term, *self._words(*span), span)

    def place(self, claim: Claim) -> tuple[int, int]:
        """Return where in the text a claim starts and ends."""
        if claim.span:
            return claim.span
        return self._tagged.spans[claim.first][0], self._tagged.spans[claim.last - 1][1]

    def excuses(self, claim: Claim) -> bool:
        """Say whether its mood takes the claim from what is said."""
        kind = claim.rule.kind
        start, end = self.place(claim)
        first = self._core(claim)
        letters = self._tagged.letters
        if kind in _DENIABLE and _DENIED.search(letters, 0, first):
            return True
        if kind == "general" and _NOT_ALL.search(letters, 0, claim.last) and self._says_all(claim):
            return True
        start = max(start, self._tagged.spans[first][0]) if first < claim.last else start
        return mood.excuses(self.plain, self.masked, start, end, kind, self._moods)

    def _says_all(self, claim: Claim) -> bool:
        """Say whether it speaks of all, so that "not" before it leaves some; "any" leaves none."""
        return _ALL.search(self._lowered, *self.place(claim)) is not None

    def _core(self, claim: Claim) -> int:
        """Return the first word that claims, behind a subject that leads up to it."""
        first, compares = claim.first, claim.rule.kind in _COMPARES
        while first < claim.last - 1 and self._tagged.letters[first] not in _CLAIMS:
            first += 1
        denied = compares and _DENIES.match(self._tagged.letters, first, claim.last)
        return denied.end() - 1 if denied else first

    def about(self, claim: Claim) -> str | None:
        """Return what the claiming word is about, None where it is about nothing of this field."""
        rule, first, last, _ = claim
        is_inside, is_named = rule.needs == "inside", rule.needs != "nothing"
        if is_inside and not any(first <= at < last for at in self._subjects):
            return None
        if is_named and self._is_neutral(
            first, first if is_inside or rule.kind == "general" else last
        ):
            return None
        if rule.kind == "general" and is_named and not self._says_a_property(claim):
            return None
        nearest = self._nearest(self._core(claim), last)
        return self._told(nearest) if nearest is not None else self._unnamed(claim)

    def _unnamed(self, claim: Claim) -> str | None:
        """Return what a claim is about in a sentence that names nothing."""
        rule = claim.rule
        if rule.kind != "general" and (rule.needs == "nothing" or self._is_short()):
            return "what the page is about"
        if rule.kind == "exact" and _OF_TOKENS.match(self._lowered, self.place(claim)[0]):
            return "tokens"
        if rule.needs in ("pointed", "nothing"):
            points = _POINTS.search(self._lowered, 0, self.place(claim)[0])
            if points:
                return f"“{points[0]}”"
        gains = (at for at, letter in enumerate(self._tagged.letters) if letter in _GAINS)
        return next(map(self._told, gains), None)

    def said(self, claim: Claim, about: str) -> Said:
        """Return what is claimed, and about what."""
        first, last = self._core(claim), claim.last
        while last - 1 > first and self._tagged.letters[last - 1] not in _CLAIMS:
            last -= 1
        start, end = claim.span or self.place(claim._replace(first=first, last=last))
        word = " ".join(self._text[start:end].split()).strip(" .,;:(")
        before = len(self._text[start:end]) - len(self._text[start:end].lstrip())
        return Said(claim.rule.kind, word, about, start + before)

    def _words(self, start: int, end: int) -> tuple[int, int]:
        """Return the first word that lies in a stretch of the text, and the first one behind."""
        spans = self._tagged.spans
        first = bisect_right(spans, start, key=lambda span: span[1])
        return first, bisect_left(spans, end, lo=first, key=lambda span: span[0])

    def _nearest(self, first: int, last: int) -> int | None:
        """Return the last subject before a stretch of words, or else the first one from it on."""
        letters = self._tagged.letters
        known = [at for at in self._subjects if letters[at] != "X"]
        if not known:
            known = [at for at in self._subjects if first <= at < last]
        before = bisect_left(known, first)
        return known[max(0, before - 1)] if known else None

    def _is_neutral(self, first: int, last: int) -> bool:
        """Say whether the head of the clause, or the object of the word, is measured by nobody."""
        letters = self._tagged.letters
        if "z" not in letters:
            return False
        if self._head(self._clause(first), first) == "z":
            return True
        if last <= first:
            return False
        is_of = last < len(letters) and self._tagged.heads[last] in _OF
        return _OBJECT.match(letters, last + is_of) is not None

    def _clause(self, first: int) -> int:
        """Return the first word of the clause in which a word stands."""
        start = (
            self._tagged.spans[first][0] if first < len(self._tagged.letters) else len(self._text)
        )
        told = max((one.end() for one in _TOLD_THAT.finditer(self._lowered, 0, start)), default=0)
        behind = self._words(told, start)[0] if told else 0
        return max(self._tagged.letters.rfind(",", 0, first) + 1, behind)

    def _head(self, clause: int, end: int) -> str:
        """Return the letter of the head of a clause: the last noun of its first group of nouns."""
        letters, head = self._tagged.letters, ""
        for at in range(clause, end):
            if letters[at] in _MEASURED and (head or not _GOVERNED.search(letters, clause, at)):
                # The layout of a folder is the folder's.
                head = "z" if head == "z" and letters[at] in "TY" else letters[at]
            elif head and letters[at] not in "oX":
                break
        return head

    def _says_a_property(self, claim: Claim) -> bool:
        said = self._tagged.letters[: claim.first] + self._tagged.letters[claim.last :]
        may = lexicon.PROPERTIES.may(self._tagged.chunks)
        start, end = self.place(claim)
        is_every = _EVERY_CASE.match(self._lowered, start, end + _NEXT_WORD) is not None
        is_property = is_every or _PROPERTY.search(said) is not None
        if not may:
            return is_property
        rest = self._lowered[:start] + " " + self._lowered[end:]
        if not is_property and not lexicon.PROPERTY.search(may, rest):
            return False
        return not lexicon.METHOD.search(may, rest)

    def _is_short(self) -> bool:
        """Say whether it is a heading, cell or item of a few words, whose subject is the page's."""
        alone = self._is_alone and not _VERB.search(self.plain)
        return alone or (self._is_label and len(self._text.split()) <= _LABEL)

    def _told(self, at: int) -> str:
        start, end = self._tagged.spans[at]
        return " ".join(self._text[start:end].split()).removesuffix("'s").removesuffix("’s")


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
