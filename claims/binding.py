"""Which numbers of a page a claim marker governs, and which stand there unbound.

A marker governs the text before it, back to the marker before, the end of the sentence before, or
the start of its block or table cell, whichever is nearest::

    Prefill is level. Decode is 1.05×<!--claim:C16--> at 35.2 tok/s.<!--claim:C17-->
                      ~~~~~~~~~~~~~~~                ~~~~~~~~~~~~~~~

A sentence ends with its full stop, so a marker glued behind that still belongs to it; a marker
after the following space governs nothing. Numbers are sought in the rendered text of a block, so
`**1.05**×` and `35&nbsp;tok/s` are one number each; code spans belong to the wording, but no
number is read from them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from claims.document import Document, Fragment, Marker
from claims.numbers import Number, find, is_measurement
from claims.sentences import is_finished, sentence_ends

_LONGEST_PHRASE = 2


@dataclass(frozen=True, slots=True)
class Located:
    """A number, the line and column of its first character, and the sentence it stands in.

    The offsets inside `number` relate to the rendered text of its block.
    """

    number: Number
    line: int
    column: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A marker, the rendered text it governs (white space normalised) and the numbers in it."""

    marker: Marker
    text: str
    numbers: tuple[Located, ...]
    whole: bool = False
    """Whether this is a sentence to its end (or its block's), and not a number or a phrase."""

    @property
    def is_empty(self) -> bool:
        """Say whether no word and no digit is governed, which is an error of the page."""
        return not any(map(str.isalnum, self.text))


@dataclass(frozen=True, slots=True)
class Bindings:
    """What every marker governs, in order, and the measured numbers that no marker governs."""

    bound: tuple[Bound, ...]
    unbound: tuple[Located, ...]


def bind(document: Document) -> Bindings:
    """Return what each marker of `document` governs, and the measurements left over."""
    markers: dict[int, list[Marker]] = {}
    for marker in document.markers:
        markers.setdefault(marker.block, []).append(marker)
    bound: list[Bound] = []
    unbound: list[Located] = []
    for number, pieces in _blocks(document):
        block = _Block(pieces)
        here = _bound(block, markers.pop(number, []))
        bound.extend(here)
        taken = {located.number.start for one in here for located in one.numbers}
        unbound.extend(
            located
            for located in block.located
            if is_measurement(located.number.unit) and located.number.start not in taken
        )
    bound.extend(Bound(marker, "", ()) for alone in markers.values() for marker in alone)
    return Bindings(tuple(sorted(bound, key=lambda one: one.marker.start)), tuple(unbound))


def _blocks(document: Document) -> Iterator[tuple[int, list[Fragment]]]:
    """Yield each block's number with its text and code in the order of the page."""
    pieces = sorted((*document.fragments, *document.code), key=lambda piece: piece.start)
    for number, group in groupby(pieces, key=lambda piece: piece.block):
        yield number, list(group)


def _bound(block: "_Block", markers: list[Marker]) -> list[Bound]:
    bound = []
    previous = 0
    for marker in markers:
        end = block.offset_of(marker.start)
        start = max(previous, block.sentence_start(end))
        text, whole = _one_line(block.text[start:end]), block.is_sentence(start, end)
        bound.append(Bound(marker, text, block.numbers(start, end), whole))
        previous = end
    return bound


class _Block:
    """The rendered text of one block, with the way back from it to the page."""

    def __init__(self, pieces: list[Fragment]) -> None:
        self._pieces = pieces
        self._verbatim = [piece.text == piece.rendered for piece in pieces]
        self._offsets: list[int] = []
        self.text, readable = self._join()
        self._stop = len(self.text.rstrip())
        self._ends = sentence_ends(readable)
        self.located = self._locate(find(readable))
        self._number_starts = [located.number.start for located in self.located]

    def _join(self) -> tuple[str, str]:
        """Return the rendered text, and the same with code struck out, length for length."""
        text: list[str] = []
        readable: list[str] = []
        length = 0
        for before, piece in zip((None, *self._pieces), self._pieces, strict=False):
            if before and (before.role == "alt") != (piece.role == "alt"):
                # An image's text is read apart from the words around it.
                text.append(" ")
                readable.append(" ")
                length += 1
            self._offsets.append(length)
            text.append(piece.rendered)
            readable.append(
                "\ufffc" * len(piece.rendered) if piece.role == "code" else piece.rendered
            )
            length += len(piece.rendered)
        self._offsets.append(length)
        return "".join(text), "".join(readable)

    def _locate(self, numbers: list[Number]) -> list[Located]:
        sentences: dict[int, str] = {}
        located = []
        for number in numbers:
            index = bisect_right(self._ends, number.start)
            if index not in sentences:
                sentences[index] = self._sentence(index)
            located.append(Located(number, *self._place(number.start), sentences[index]))
        return located

    def _sentence(self, index: int) -> str:
        start = self._ends[index - 1] if index else 0
        end = self._ends[index] if index < len(self._ends) else len(self.text)
        return _one_line(self.text[start:end])

    def _place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a rendered character: its own, or its entity's first."""
        index = bisect_right(self._offsets, offset, hi=len(self._pieces)) - 1
        piece = self._pieces[index]
        inside = offset - self._offsets[index] if self._verbatim[index] else 0
        return piece.line, piece.column + inside

    def offset_of(self, position: int) -> int:
        """Return where in the rendered text the page's `position` lies."""
        return self._offsets[bisect_left(self._pieces, position, key=lambda piece: piece.start)]

    def sentence_start(self, end: int) -> int:
        """Return where the sentence starts whose text or full stop reaches up to `end`."""
        index = bisect_left(self._ends, end)
        return self._ends[index - 1] if index else 0

    def is_sentence(self, start: int, end: int) -> bool:
        """Say whether more than two words stand there and nothing follows in sentence or block.

        A number with its unit is one word, however it is spelt.
        """
        if end < self._stop and not is_finished(self.text, end):
            return False
        found = self.numbers(start, end)
        places = (start, *(number.number.after for number in found))
        stops = (*(number.number.start for number in found), end)
        between = (self.text[a:b] for a, b in zip(places, stops, strict=True))
        words = sum(any(map(str.isalnum, word)) for gap in between for word in gap.split())
        return words + bool(found) > _LONGEST_PHRASE

    def numbers(self, start: int, end: int) -> tuple[Located, ...]:
        """Return the numbers that lie wholly between two offsets of the rendered text."""
        first = bisect_left(self._number_starts, start)
        last = bisect_left(self._number_starts, end)
        return tuple(one for one in self.located[first:last] if one.number.end <= end)


def _one_line(text: str) -> str:
    return " ".join(text.split())
