"""Which of many patterns may match a text, by its words alone: most are not tried at all.

::

    FAMILY = Family()
    HOPED = FAMILY.add(r"\\b(?:hop(?:e|es|ed|ing)|wish)\\b")
    may = FAMILY.may("we measured it".split())        # no word of it is hoped for
    HOPED.search(may, "we measured it")               # None, and nothing was searched
"""

from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from operator import or_

from claims.words import literals
from claims.words.literals import EDGE
from receipts import late as re

# How many parts of words are asked of a pattern before it is tried.
LEVELS = 3
_MOST = 16_384
_LETTERS = re.compile(r"[^\W_]+")


class Guards(dict[str, int]):
    """The bits of each word that was met: of `patterns`, one on each level where it is needed."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = patterns

    def likely(self, words: Iterable[str]) -> int:
        """Return the patterns that may match a text of these words, a bit for each."""
        found = reduce(or_, map(self.__getitem__, words), self._anywhere)
        count = len(self._patterns)
        # One shift for each of `LEVELS`, written out: this is asked of every sentence.
        return found & found >> count & found >> 2 * count & (1 << count) - 1

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST:
            self.clear()
        if word == word.upper():
            return 0  # there is no small letter in it
        self[word] = found = self._of(word)
        return found

    def _of(self, word: str) -> int:
        starts = {one.start() for one in _LETTERS.finditer(word)}
        ends = {one.end() for one in _LETTERS.finditer(word)}
        parts, longest = self._parts, self._longest
        found = 0
        for start in range(len(word) - 1):
            before = start in starts
            for end in range(start + 2, min(start + longest, len(word)) + 1):
                part = word[start:end]
                if part not in parts:
                    continue
                plain, opened, closed, whole = parts[part]
                found |= plain | (opened if before else 0)
                if end in ends:
                    found |= closed | (whole if before else 0)
        return found

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._parts))

    @cached_property
    def _anywhere(self) -> int:
        """The bits of patterns that need less than is asked."""
        count = len(self._patterns)
        return sum(
            1 << level * count + place
            for place, pattern in enumerate(self._patterns)
            for level in range(len(literals.edged(pattern)), LEVELS)
        )

    @cached_property
    def _parts(self) -> dict[str, list[int]]:
        """The bits of each part: anywhere in a word, at its start, at its end, as the whole."""
        count = len(self._patterns)
        found: dict[str, list[int]] = {}
        for place, pattern in enumerate(self._patterns):
            for level, some in enumerate(literals.edged(pattern)[:LEVELS]):
                for part in some:
                    bare = part.strip(EDGE)
                    which = part.startswith(EDGE) + 2 * part.endswith(EDGE)
                    found.setdefault(bare, [0, 0, 0, 0])[which] |= 1 << level * count + place
        return found


class Family:
    """Patterns that are asked of the same texts."""

    def __init__(self) -> None:
        self.patterns: list[str] = []
        self._guards = Guards(self.patterns)

    def add(self, pattern: str) -> "Guarded":
        """Return the pattern as one of the family."""
        self.patterns.append(pattern)
        return Guarded(pattern, 1 << len(self.patterns) - 1)

    def any(self, *patterns: str) -> "AnyOf":
        """Return patterns of the family as one that any of them matches."""
        return AnyOf([self.add(pattern) for pattern in patterns])

    def may(self, words: Iterable[str]) -> int:
        """Return which patterns may match a text of these words, or a part of it."""
        return self._guards.likely(words)


class Guarded:
    """A pattern that is tried only where `Family.may` says that it may match."""

    def __init__(self, pattern: str, bit: int) -> None:
        self._pattern = re.compile(pattern)
        self.bit = bit

    def search(self, may: int, text: str) -> re.Match[str] | None:
        """Return the first match in a text."""
        return self._pattern.search(text) if may & self.bit else None

    def finditer(self, may: int, text: str) -> Iterable[re.Match[str]]:
        """Return every match in a text."""
        return self._pattern.finditer(text) if may & self.bit else ()


class AnyOf:
    """Patterns of which each is tried only where it may match."""

    def __init__(self, guarded: Sequence[Guarded]) -> None:
        self._guarded = guarded
        self._bits = sum(one.bit for one in guarded)

    def search(self, may: int, text: str) -> re.Match[str] | None:
        """Return a match in a text, of the first pattern that has one."""
        if not may & self._bits:
            return None
        found = (one.search(may, text) for one in self._guarded)
        return next((one for one in found if one), None)


MOODS = Family()
"""Of the patterns by which a sentence, or a word in it, claims nothing."""
