"""What the markers of a page bind, and where it stands in the source: what a notice is put over.

A *quote* is the text that one marker governs. It is known by the place of its marker, as findings
are, and it is struck from `struck` to `end`: the whole of a sentence, of other text its number.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from claims import numbers
from claims.binding import Bound, bind
from claims.document import Document, Fragment

Place = tuple[int, int]
"""Line and column, as a reader counts them."""


@dataclass(frozen=True, slots=True)
class Quote:
    """One bound text; offsets are of the source, `text` has its white space normalised."""

    claim: str
    text: str
    marker: Place
    start: int
    place: Place
    """Of the first character that is governed."""
    struck: int
    end: int
    """Behind the marker."""


def read(page: Document) -> list[Quote]:
    """Return what the markers of the page bind, in its order; empty ones bind nothing."""
    pieces = sorted((*page.fragments, *page.code), key=lambda one: one.start)
    blocks: dict[int, list[Fragment]] = {}
    for piece in pieces:
        blocks.setdefault(piece.block, []).append(piece)
    found = (one for one in bind(page).bound if not one.is_empty)
    return [_quote(one, blocks.get(one.marker.block, [])) for one in found]


def rendered(page: Document, start: int, end: int) -> str:
    """Return what a reader sees of the source between two offsets, white space normalised."""
    return " ".join("".join(_seen(page, start, end)).split())


def without(page: Document, start: int, end: int) -> str:
    """Return what a reader sees of the whole page but the source between two offsets."""
    last = len(page.source)
    return " ".join("".join((*_seen(page, 0, start), *_seen(page, end, last))).split())


def _seen(page: Document, start: int, end: int) -> list[str]:
    found = []
    for piece in sorted((*page.fragments, *page.code), key=lambda one: one.start):
        first, last = max(start - piece.start, 0), min(end - piece.start, len(piece.text))
        if first < last:
            same = piece.text == piece.rendered
            found.append(piece.rendered[first:last] if same else piece.rendered)
    return found


def _quote(bound: Bound, pieces: Sequence[Fragment]) -> Quote:
    marker = bound.marker
    start, place = _first(bound, pieces)
    measured = [one for one in bound.numbers if numbers.is_measurement(one.number.unit)]
    struck = start
    if measured and not bound.whole:
        struck = _offset(pieces, measured[0].line, measured[0].column)
    at = (marker.line, marker.column)
    return Quote(marker.claim, bound.text, at, start, place, struck, marker.end)


def _first(bound: Bound, pieces: Sequence[Fragment]) -> tuple[int, Place]:
    """Return where the text begins that the marker governs, counted back from the marker."""
    left = sum(not character.isspace() for character in bound.text)
    for piece in reversed([one for one in pieces if one.start < bound.marker.start]):
        for offset in range(len(piece.rendered) - 1, -1, -1):
            left -= not piece.rendered[offset].isspace()
            if left == 0:
                inside = offset if piece.text == piece.rendered else 0
                return piece.start + inside, (piece.line, piece.column + inside)
    return bound.marker.start, (bound.marker.line, bound.marker.column)


def _offset(pieces: Sequence[Fragment], line: int, column: int) -> int:
    """Return the offset of a place that one of these pieces holds; a piece is of one line."""
    here = [one for one in pieces if one.line == line and one.column <= column]
    return here[-1].start + column - here[-1].column
