"""Claims without digits: a claiming word, what it is about, and the sentence it stands in.

`find` goes through the rendered sentences of a page, headings, cells and image descriptions
included, and returns every word by which one of them says how something of this field compares::

    "Decode matches llama.cpp, and never slows down prefill."
            ~~~~~~~                ~~~~~~~~~~~~~~~~
     equal, about llama.cpp        unchanged, about prefill

A word alone is no claim: "faster" is one with a subject (a known engine, model, chip, metric, kind
of work, or a thing of ours), and in a sentence that states something (`claims.words.mood`).
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from claims.pages import passages
from claims.pages.document import Document
from claims.words import lexicon, mood, reading, subjects
from claims.words.reading import Readable
from claims.words.term import Kind, Term

# Bytes as words are told apart: capitals made small, marks and all that is not ASCII made blank.
_BLANK = (
    bytes(
        byte if chr(byte).isalnum() or byte == ord("'") else ord(" ") for byte in range(128)
    ).lower()
    + b" " * 128
)
_SAME_WIDTH = {
    ord(one): other
    for one, other in zip(
        "’‘‑‐‒\u00a0\u202f\u2009\n\t", "''---\u0020\u0020\u0020\u0020\u0020", strict=True
    )
}
_SUBJECT = re.compile(r"[NMWOTRS]{1,}(?![a-z])")
_POINTS = re.compile(r"\b(?:it|this|that|they|these|those|both|which|everything|here)\b")
_PREPOSITION = re.compile(
    r"\b(?:on|in|at|of|for|with|from|by|to|over|under|per|into|against|behind)"
    r" (?:(?:the|a|an|this|that|our|its|each|every|all|any|same|one|these|those|[a-z]+) ){0,2}\Z"
)
_AFTER = re.compile(
    r"(?: (?:in|to|of|about))? ?(?:(?:the|its|any|our|a|an|this|with) )?(?:[a-z-]+ )?\Z"
)
_BREAK = re.compile(r"[;:—–]|, | (?:but|while|whereas) ")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|does|do|can|will)\b")
_SHORT = 4
_ENOUGH, _TRIES = 8, 32
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Wordless:
    """A claiming word: its kind, its text, what it is about, and where; `start` in the page.

    `sentence_start` and `sentence_end` bound its sentence in the page, as offsets.
    """

    kind: Kind
    word: str
    about: str
    line: int
    column: int
    start: int
    sentence: str
    sentence_start: int
    sentence_end: int
    block: int


class _Said(NamedTuple):
    """A claiming word of a sentence: its kind and text, what it is about, and where it starts."""

    kind: Kind
    word: str
    about: str
    start: int


class _Told(NamedTuple):
    """All that what a sentence says depends on: its text, what of it is spoken, where it stands."""

    text: str
    spoken: str
    own: tuple[str, ...]
    is_alone: bool
    is_label: bool


def find(
    document: Document, own: Sequence[str] = (), refused: Sequence[int] = ()
) -> tuple[Wordless, ...]:
    """Return the claiming words of a page in order; `own` are the project's names of subjects.

    Sentences that hold one of the offsets `refused`, in order, are left out: a number in them is
    refused already.
    """
    if not _likely(document.text):
        return ()
    names = tuple(sorted(set(own)))
    return tuple(
        found
        for passage in reading.read(document, _likely)
        for first, last in reading.sentences(passage)
        for start, end in _portions(passage.text, first, last)
        for found in _in_sentence(passage, start, end, names, refused)
    )


def _in_sentence(
    passage: Readable, start: int, end: int, own: tuple[str, ...], refused: Sequence[int]
) -> Iterator[Wordless]:
    spoken = passage.spoken[start:end]
    if not _likely(spoken):
        return
    is_alone = len(passage.text.split(maxsplit=_SHORT)) <= _SHORT
    is_label = passage.role in ("heading", "cell")
    said = _said(_Told(passage.text[start:end], spoken, own, is_alone, is_label))
    if not said or _holds(refused, passage, start, end):
        return
    sentence = " ".join(passage.text[start:end].split())
    first, last = passage.source(start), passage.source_end(end)
    for kind, word, about, inside in said:
        place, at = passage.place(start + inside), passage.source(start + inside)
        yield Wordless(kind, word, about, *place, at, sentence, first, last, passage.block)


def _holds(offsets: Sequence[int], passage: Readable, start: int, end: int) -> bool:
    if not offsets:
        return False
    index = bisect_left(offsets, passage.source(start))
    return index < len(offsets) and offsets[index] < passage.source_end(end)


def _portions(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentence, in portions where it is longer than anybody reads."""
    while end - start > _LONGEST:
        space = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
        stop = space + 1 if space >= 0 else start + _LONGEST
        yield start, stop
        start = stop
    yield start, end


def _likely(text: str) -> int:
    """Return the patterns that may match the text; none where it says only "always", of nothing."""
    likely = lexicon.likely(_words(text))
    only_general = not likely & ~lexicon.GENERAL
    return 0 if only_general and not lexicon.PROPERTY.search(text.lower()) else likely


def _words(text: str) -> set[str]:
    plain = text.replace("’", "'").replace("‘", "'").encode("ascii", "replace")
    return set(plain.translate(_BLANK).decode("ascii").split())


# Pages repeat their sentences, and projects their pages.
@lru_cache(maxsize=4096)
def _said(told: _Told) -> tuple[_Said, ...]:
    return tuple(_read(_Sentence(told)))


def _read(sentence: "_Sentence") -> Iterator[_Said]:
    """Yield the claiming words of a sentence."""
    taken: list[tuple[int, int]] = []
    for term, pattern in sentence.tried():
        for found in islice(pattern.finditer(sentence.masked), _TRIES):
            about = sentence.about(term, *found.span())
            if about is None or any(a < found.end() and found.start() < b for a, b in taken):
                continue
            if sentence.is_idle:
                return
            if not mood.excuses(sentence.plain, sentence.masked, *found.span(), term.kind):
                taken.append(found.span())
                if len(taken) > _ENOUGH:
                    return
                yield sentence.said(term, found.start(), found.end(), about)


class _Sentence:
    """One sentence, as it is spoken, and masked."""

    def __init__(self, told: _Told) -> None:
        self._text, self._spoken, self._own, self._is_alone, self._is_label = told
        self._full = self._text.translate(_SAME_WIDTH)
        self._lowered = _lower(self._full)

    def tried(self) -> list[tuple[Term, re.Pattern[str]]]:
        """Return the patterns that may match."""
        # Masking puts capitals for small letters and nothing else, so what a pattern is spelt with
        # stands here already, or the pattern would be tried in vain.
        return lexicon.tried(_likely(self._spoken), self._lowered)

    @cached_property
    def plain(self) -> str:
        """What is spoken, in small letters."""
        if self._spoken is self._text:
            return self._lowered
        return _lower(self._spoken.translate(_SAME_WIDTH))

    @cached_property
    def masked(self) -> str:
        """The text in small letters, each subject in its capital."""
        masked = subjects.mask(self._full, self._lowered, self._own)
        # A name in code is a name; any other word in code is shown and not said.
        return _struck(masked, self._spoken) if passages.STRUCK in self._spoken else masked

    # Most sentences hold nothing that claims, and are never asked for these.
    @cached_property
    def is_idle(self) -> bool:
        """Whether it claims nothing, whatever its words."""
        return mood.is_idle(self.plain)

    @cached_property
    def _subjects(self) -> list[tuple[int, int]]:
        return [found.span() for found in _SUBJECT.finditer(self.masked)]

    @cached_property
    def _neutral(self) -> list[tuple[int, int]]:
        return subjects.neutral(self.masked)

    def about(self, term: Term, start: int, end: int) -> str | None:
        """Return what the claiming word is about, None where it is about nothing of this field."""
        if self._is_neutral(start, end) and term.needs != "inside":
            return None
        if term.kind == "general" and not self._says_a_property(start, end):
            return None
        inside = [span for span in self._subjects if start <= span[0] < end]
        if term.needs == "inside":
            return self._told(inside[-1]) if inside and not self._is_apart(start) else None
        nearest = self._nearest(start, end)
        if nearest:
            return self._told(nearest)
        if term.needs == "nothing" or (self._is_short() and term.kind != "general"):
            return "what the page is about"
        points = _POINTS.search(self.masked, 0, start) if term.needs == "pointed" else None
        return f"“{points[0]}”" if points else None

    def said(self, term: Term, start: int, end: int, about: str) -> _Said:
        """Return what stands at these offsets of the sentence."""
        while self.masked[start] == " ":
            start += 1
        word = " ".join(self._text[start:end].split()).strip(" .,;:(")
        return _Said(term.kind, word, about, start)

    def _nearest(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the last subject before the word, or else the first one after it."""
        before = [span for span in self._subjects if span[1] <= start + 1]
        after = [span for span in self._subjects if span[0] >= start]
        return before[-1] if before else after[0] if after else None

    def _is_apart(self, start: int) -> bool:
        """Say whether the clause is about something neutral and nothing else, up to the word."""
        return self._is_neutral(start, start)

    def _is_neutral(self, start: int, end: int) -> bool:
        """Say whether the head of the clause, or the object of the word, is measured by nobody."""
        clause = max((m.end() for m in _BREAK.finditer(self.masked, 0, start)), default=0)
        heads = [
            span
            for span in self._neutral
            if clause <= span[0] < start and not _PREPOSITION.search(self.masked, 0, span[0])
        ]
        if heads:
            last = max((s[1] for s in self._heads(clause, start)), default=-1)
            if heads[-1][0] > last - 1:
                return True
        following = [span for span in self._neutral if span[0] >= end > start]
        return bool(following and _AFTER.fullmatch(self.masked, end, following[0][0]))

    def _heads(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the subjects between two offsets that no preposition governs."""
        for span in self._subjects:
            if start <= span[0] < end and not _PREPOSITION.search(self.masked, 0, span[0]):
                yield span

    def _says_a_property(self, start: int, end: int) -> bool:
        rest = self.masked[:start] + " " + self.masked[end:]
        return bool(lexicon.PROPERTY.search(rest)) and not lexicon.METHOD.search(rest)

    def _is_short(self) -> bool:
        """Say whether it is a heading, cell or item of a few words, whose subject is the page's."""
        alone = self._is_alone and not _VERB.search(self.plain)
        return alone or (self._is_label and len(self._text.split()) <= _SHORT)

    def _told(self, span: tuple[int, int]) -> str:
        return " ".join(self._text[slice(*span)].split()).removesuffix("'s").removesuffix("’s")


def _struck(masked: str, spoken: str) -> str:
    return "".join(
        letter if said != passages.STRUCK or letter.isupper() else passages.STRUCK
        for letter, said in zip(masked, spoken, strict=True)
    )


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
