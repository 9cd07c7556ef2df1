"""All words that claim without a digit, found by the words that must stand in a page first."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from claims.words import literals, turns
from claims.words.term import Term

TERMS = turns.TERMS
_WAYS = [(term, number) for term in TERMS for number in range(len(term.ways))]
_COUNT = len(_WAYS)
_ALL = (1 << _COUNT) - 1
GENERAL = sum(1 << number for number, (term, _) in enumerate(_WAYS) if term.kind == "general")
# How many parts of words are asked of a pattern before it is tried.
_LEVELS = 3


def likely(words: Iterable[str]) -> int:
    """Return the patterns that may match a text of these words, a bit for each of all patterns.

    A pattern may match where the words hold all that it needs, and anywhere if it needs no certain
    text. So most sentences are left out before any pattern is tried.
    """
    found = _index().anywhere
    for word in words:
        found |= _likely(word)
    return found & found >> _COUNT & found >> 2 * _COUNT & _ALL


def tried(words: Iterable[str], lowered: str) -> list[tuple[Term, re.Pattern[str]]]:
    """Return the patterns to try on a sentence in small letters, of these words."""
    bits = likely(words)
    if not bits:
        return []
    phrases = _index().phrases
    chosen: dict[Term, int] = {}
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        place = lowest.bit_length() - 1
        if all(any(map(lowered.__contains__, texts)) for texts in phrases[place]):
            term, number = _WAYS[place]
            chosen[term] = chosen.get(term, 0) | 1 << number
    return [(term, term.pattern(ways)) for term, ways in chosen.items()]


@dataclass(frozen=True, slots=True)
class _Index:
    """The patterns by the parts of words and by the phrases that they need, and those without.

    A pattern has a bit on each level of `parts`, and where it needs less, in `anywhere`.
    """

    parts: dict[str, int]
    phrases: list[tuple[frozenset[str], ...]]
    anywhere: int
    longest: int


@lru_cache(maxsize=1)
def _index() -> _Index:
    parts_of: dict[str, int] = {}
    phrases: list[tuple[frozenset[str], ...]] = []
    anywhere = 0
    for place, (term, number) in enumerate(_WAYS):
        groups = term.needed[number]
        parts = literals.parts(groups)
        for level in range(_LEVELS):
            bit = 1 << level * _COUNT + place
            if level >= len(parts):
                anywhere |= bit
                continue
            for part in parts[level]:
                parts_of[part] = parts_of.get(part, 0) | bit
        phrases.append(tuple(texts for texts in groups if texts not in parts[:_LEVELS]))
    return _Index(parts_of, phrases, anywhere, max(map(len, parts_of)))


# The words of a page come again and again: most are looked up.
@lru_cache(maxsize=16_384)
def _likely(word: str) -> int:
    index = _index()
    found = 0
    for start in range(len(word)):
        for end in range(start + 2, min(start + index.longest, len(word)) + 1):
            found |= index.parts.get(word[start:end], 0)
    return found


# Beside "every" or "always", one of these says what is so in every case.
PROPERTY = re.compile(
    r"\b(?:"
    r"holds?|held|exact(?:ly)?|correct(?:ly)?|fast|stable|wins?|won|agrees?|ahead|true|"
    r"reproduc\w+|accurate|deterministic|saturat\w+|optimal|perfect(?:ly)?|succeeds?|robust|"
    r"reliabl[ey]|scales|efficient(?:ly)?|pass(?:es)?|improves|quick|identical|lossless|"
    r"unchanged|at least as|gain|guarantee[ds]?|converge[sd]?|fair|improves?|benefits?|"
    r"consistent(?:ly)?|uniform(?:ly)?|visible|there|hums?|valid|out of the box|unmodified|"
    r"keeps? up|copes?|holds? up|fine|flawless(?:ly)?|smooth(?:ly)?|good|well|works"
    r")\b"
)
# One of these says that it is so because somebody did it.
METHOD = re.compile(
    r"\b(?:"
    r"measured|measures?|ran|run|tested|tests?|logs?|logged|prints?|printed|records?|recorded|"
    r"reports?|reported|computes?|computed|checks?|checked|lists?|listed|writes?|wrote|"
    r"repeats?|repeated|reads?|takes?|collects?|collected|stores?|shows?|supports?|requires?|"
    r"compares?|compared|describes?|sends?|starts?|started|warms?|warmed|plots?|plotted|"
    r"evaluates?|evaluated|profiled?"
    r")\b"
)
