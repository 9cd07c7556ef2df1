"""Which sequences of words claim: each rule is a pattern of the letters of `claims.words.letters`.

The rules stand in `claims.words.gains` and `claims.words.equals`; here those are tried that may
match, in their order.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, reduce
from operator import or_

from claims.words import equals, gains, literals
from claims.words.guards import LEVELS
from claims.words.rule import Rule

RULES = (*gains.RULES, *equals.RULES)
_WAYS = [(rule, way) for rule in RULES for way in rule.ways]
_COUNT = len(_WAYS)
_ALL = (1 << _COUNT) - 1


def likely(letters: Iterable[str]) -> int:
    """Return the patterns that may match a sentence of these letters, a bit for each."""
    anywhere, by_letter = _index()
    found = reduce(or_, map(by_letter.__getitem__, letters), anywhere)
    # One shift for each of `LEVELS`, written out: this is asked of every sentence.
    return found & found >> _COUNT & found >> 2 * _COUNT & _ALL


def matches(letters: str) -> Iterator[tuple[Rule, int, int]]:
    """Yield the rules that match, in their order, with the first word and the one behind."""
    bits = likely(set(letters))
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        rule, way = _WAYS[lowest.bit_length() - 1]
        for found in _compiled(way).finditer(letters):
            if found.end() > found.start():
                yield rule, *found.span()


@cache
def _compiled(way: str) -> re.Pattern[str]:
    return re.compile(way)


@lru_cache(maxsize=1)
def _index() -> tuple[int, defaultdict[str, int]]:
    """Return the patterns that need fewer letters, and by each letter those that need it."""
    anywhere, by_letter = 0, defaultdict[str, int](int)
    for place, (_, way) in enumerate(_WAYS):
        needed = literals.letters(way)
        for level in range(LEVELS):
            bit = 1 << level * _COUNT + place
            if level >= len(needed):
                anywhere |= bit
                continue
            for letter in needed[level]:
                by_letter[letter] |= bit
    return anywhere, by_letter
