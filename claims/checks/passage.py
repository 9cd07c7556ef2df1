"""A sentence, a cell or a header as such: what stands in it whatever claim it is held against.

Each is read once for all the numbers in it, of which there may be thousands, and once for all the
places of a page where it stands.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from claims.checks import arms
from claims.checks.arms import Mention
from claims.checks.metric_words import Metrics
from claims.checks.said import Said
from claims.numerals import numbers
from receipts import late as re

# No sentence reaches so far; a paragraph without an end is not read whole for each of its numbers.
FAR = 8192


class Named:
    """The arms that a passage names, and whose its numbers are."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]], names: Sequence[str]) -> None:
        self._text = text
        self._spans = spans
        self._sides: dict[tuple[str, str], str | None] = {}
        self.mentions: list[Mention] = arms.mentions(text, names)

    @cached_property
    def owned(self) -> Mapping[int, str]:
        """The arm of each number that has one, by the number's place among the spans."""
        return arms.owners(self._text, self._spans, self.mentions)

    @cached_property
    def several(self) -> bool:
        """Whether its numbers are of more than one arm."""
        return len(set(self.owned.values())) > 1

    @cached_property
    def alone(self) -> str | None:
        """The arm that is named and no other, None where there is none or are several."""
        found = {one.arm for one in self.mentions}
        return found.pop() if len(found) == 1 else None

    def side(self, baseline: str, candidate: str) -> str | None:
        """Return the arm that a comparison is about, None where that is left open."""
        pair = (baseline, candidate)
        if pair not in self._sides:
            self._sides[pair] = arms.side(self.mentions, baseline, candidate)
        return self._sides[pair]


class Passage:
    """A stretch of text with its numbers, arms and metrics; all offsets are into `text`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._named: dict[tuple[str, ...], Named] = {}
        self._has: dict[re.Pattern[str], bool] = {}

    def has(self, words: re.Pattern[str]) -> bool:
        """Say whether any of these words stand in it."""
        if words not in self._has:
            self._has[words] = words.search(self.text) is not None
        return self._has[words]

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where its measured numbers stand, with their units: those with a unit or a point."""
        found = numbers.find(self.text)
        return [(one.start, one.after) for one in found if one.unit or "." in one.text]

    def index(self, at: int) -> int | None:
        """Return which of the spans holds an offset, None where none does."""
        place = bisect_right(self.spans, at, key=_start) - 1
        return place if place >= 0 and at < self.spans[place][1] else None

    def arms(self, names: tuple[str, ...]) -> Named:
        """Return what is said here of the arms with these names."""
        if names not in self._named:
            self._named[names] = Named(self.text, self.spans, names)
        return self._named[names]

    @cached_property
    def metrics(self) -> Metrics:
        """The metrics that it names, as a sentence does."""
        return Metrics(self.text, self.spans)

    @cached_property
    def heading(self) -> Metrics:
        """The metrics that it names, as the header of a column does."""
        return Metrics(self.text, ())

    def said(self, start: int, after: int) -> Said:
        """Return the words before and behind a number."""
        return Said(self.text[max(0, start - FAR) : start], self.text[after : after + FAR])


def _start(span: tuple[int, int]) -> int:
    return span[0]
