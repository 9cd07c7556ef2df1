"""All words that claim without a digit, found by the words that must stand in a page first."""

import re
from collections.abc import Iterable
from functools import lru_cache

from claims.words import courses, degrees, extremes, gains, levels, spending, turns
from claims.words.term import Term

TERMS = tuple(
    term for room in (gains, levels, extremes, courses, degrees, spending, turns) for term in room.TERMS
)
_LETTERS = 6
_START = 3


def _stem(word: str) -> str:
    """Return what "lose" and "loses" have in common, roughly; the same for heads and for pages."""
    return (word.rstrip("sed") or word)[:_LETTERS]


@lru_cache(maxsize=1)
def _by_start() -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Return the terms by the stems of their heads, and by how the words of their patterns begin.

    Heads are for the patterns that could match without any word of their own.
    """
    stems: dict[str, set[int]] = {}
    starts: dict[str, set[int]] = {}
    for number, term in enumerate(TERMS):
        for head in term.heads:
            stems.setdefault(_stem(head), set()).add(number)
        for start in term.parts:
            starts.setdefault(start, set()).add(number)
    return stems, starts


def terms(words: Iterable[str]) -> list[Term]:
    """Return the terms of which a head, or what a pattern needs, begins as one of the words does.

    So most sentences are left out before any pattern is tried. They come in their own order.
    """
    return [TERMS[n] for n in sorted({n for word in words for n in _begun(word)})]


# The words of a page come again and again: most are looked up, and few begin any term.
@lru_cache(maxsize=16_384)
def _begun(word: str) -> tuple[int, ...]:
    stems, starts = _by_start()
    found = stems.get(_stem(word), set()) | starts.get(word, set())
    for length in range(_START, len(word)):
        found |= starts.get(word[:length], set())
    if word.endswith("n't"):
        found |= starts.get("n't", set())
    return tuple(found)


# Beside "every" or "always", one of these says what is so in every case.
PROPERTY = re.compile(
    r"\b(?:holds?|held|exact(?:ly)?|correct(?:ly)?|fast|stable|wins?|won|agrees?|ahead|true"
    r"|reproduc\w+|accurate|deterministic|saturat\w+|optimal|equally|same|perfect(?:ly)?|succeeds?|"
    r"robust"
    r"|reliabl[ey]|scales|efficient(?:ly)?|pass(?:es)?|improves|quick|identical|lossless|unchanged"
    r"|at least as|stays?|remains?|gain|good|well|works)\b"
)
METHOD = re.compile(
    r"\b(?:measured|measures?|ran|run|tested|tests?|logs?|logged|prints?|printed|records?|recorded|"
    r"reports?"
    r"|reported|computes?|computed|checks?|checked|lists?|listed|writes?|wrote|repeats?|repeated|"
    r"reads?"
    r"|takes?|collects?|collected|stores?|shows?|supports?|requires?|compares?|compared|describes?|"
    r"sends?"
    r"|starts?|started|warms?|warmed|plots?|plotted|evaluates?|evaluated|profiled?)\b"
)
