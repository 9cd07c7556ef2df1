"""All words that claim without a digit, found by the words that must stand in a page first."""

from collections.abc import Iterable
from functools import cache

from claims.words import literals, turns
from claims.words.guards import Family, Guards
from claims.words.term import Term
from receipts import late as re

TERMS = turns.TERMS
_WAYS = [(term, number) for term in TERMS for number in range(len(term.ways))]
_GUARDS = Guards([way for term in TERMS for way in term.written_out])
PROPERTIES = Family()


def likely(words: Iterable[str]) -> int:
    """Return the patterns that may match a text of these words, a bit for each of all patterns.

    A pattern may match where the words hold all that it needs, and anywhere if it needs no certain
    text. So most sentences are left out before any pattern is tried.
    """
    return _GUARDS.likely(words)


def tried(words: Iterable[str], lowered: str) -> list[tuple[Term, re.Pattern[str]]]:
    """Return the patterns to try on a sentence in small letters, of these words."""
    bits = likely(words)
    chosen: dict[Term, int] = {}
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        place = lowest.bit_length() - 1
        if all(any(map(lowered.__contains__, texts)) for texts in _phrases(place)):
            term, number = _WAYS[place]
            chosen[term] = chosen.get(term, 0) | 1 << number
    return [(term, term.pattern(ways)) for term, ways in chosen.items()]


@cache
def _phrases(place: int) -> tuple[frozenset[str], ...]:
    """Return the groups of texts of a pattern of which each has one in whatever matches."""
    term, number = _WAYS[place]
    return literals.phrases(term.written_out[number])


# Beside "every" or "always", one of these says what is so in every case.
PROPERTY = PROPERTIES.add(
    r"\b(?:"
    r"holds?|held|exact(?:ly)?|correct(?:ly)?|fast|stable|wins?|won|agrees?|ahead|true|"
    r"reproduc\w+|accurate|deterministic|saturat\w+|optimal|perfect(?:ly)?|succeeds?|robust|"
    r"reliabl[ey]|scales|efficient(?:ly)?|pass(?:es)?|quick|identical|lossless|"
    r"unchanged|at least as|gain|guarantee[ds]?|converge[sd]?|fair|improves?|benefits?|"
    r"consistent(?:ly)?|uniform(?:ly)?|visible|there|hums?|valid|out of the box|unmodified|"
    r"keeps? (?:up|\w+ing)|speeds? (?:it |them |things |everything )?up|helps?|shows? up|copes?|"
    r"fine|met|meets?|finish(?:es|ed)|validates?|handles?|detected|"
    r"flawless(?:ly)?|smooth(?:ly)?|good|well|work(?:s|ed)?"
    r")\b"
)
# One of these says that it is so because somebody did it.
METHOD = PROPERTIES.add(
    r"\b(?:"
    r"measured|measures?|ran|run|(?:was|were|is|are|been|we|have|has) (?:\w+ )?tested|"
    r"(?:we|script|suite|harness|it|that|which) tests?|logs?|logged|prints?|printed|records?|"
    r"recorded|"
    r"reports?|reported|computes?|computed|checks?|checked|lists?|listed|writes?|wrote|"
    r"repeats?|repeated|reads?|takes?|collects?|collected|stores?|shows?(?! up)|supports?|"
    r"requires?|"
    r"compares?|compared|describes?|sends?|starts?|started|warms?|warmed|plots?|plotted|"
    r"evaluates?|evaluated|profiled?"
    r")\b"
)
