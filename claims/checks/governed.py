"""What claims govern, by where it stands in the source, and so beside which claiming word."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from claims.markers.binding import Bound
from claims.pages.document import Document
from claims.words.wordless import Wordless


class Span(NamedTuple):
    """Where in the source something is bound."""

    start: int
    end: int
    bound: Bound

    def holds(self, word: Wordless) -> bool:
        """Say whether the word stands in what is bound, and not only beside it."""
        return self.start <= word.start < self.end


class Governed:
    """What claims govern, as spans in the order of their starts."""

    def __init__(self, page: Document, bound: Iterable[Bound]) -> None:
        spans = (
            Span(page.offset(one.start), page.offset(max(one.start, one.stop - 1)) + 1, one)
            for one in bound
            if not one.is_empty
        )
        self._spans = sorted(spans, key=lambda one: (one.start, one.end, one.bound.claim))
        self._starts = [one.start for one in self._spans]
        # No span before this one reaches further; so a search backwards knows when to stop.
        self._reach = list(accumulate((one.end for one in self._spans), max))

    def beside(self, word: Wordless) -> list[Span]:
        """Return what is governed in the sentence of the word, in its order."""
        found = []
        for index in range(bisect_left(self._starts, word.sentence_end) - 1, -1, -1):
            if self._reach[index] <= word.sentence_start:
                break
            if self._spans[index].end > word.sentence_start:
                found.append(self._spans[index])
        return found[::-1]
