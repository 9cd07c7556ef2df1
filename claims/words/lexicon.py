"""All words that claim without a digit, found by the words that must stand in a page first."""

import re
from collections.abc import Iterable
from functools import lru_cache

from claims.words import extremes, gains, levels
from claims.words.term import Term

TERMS = (*gains.TERMS, *levels.TERMS, *extremes.TERMS)
_LETTERS = 6


def _stem(word: str) -> str:
    """Return what "lose" and "loses" have in common, roughly; the same for heads and for pages."""
    return (word.rstrip("sed") or word)[:_LETTERS]


def _by_stem() -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, term in enumerate(TERMS):
        for stem in {_stem(head) for head in term.heads}:
            found.setdefault(stem, []).append(number)
    return found


_BY_STEM = _by_stem()


def terms(words: Iterable[str]) -> list[Term]:
    """Return the terms one of whose heads begins as one of these words does, in their own order.

    So most sentences are left out before any pattern is tried.
    """
    return [TERMS[n] for n in sorted({n for word in words for n in _begun(word)})]


# The words of a page come again and again: most are looked up, and few are stems.
@lru_cache(maxsize=16_384)
def _begun(word: str) -> tuple[int, ...]:
    return tuple(_BY_STEM.get(_stem(word), ()))


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
