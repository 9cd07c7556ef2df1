"""What the markers of a page bind, and where it stands in the source: what a notice is put over.

A *quote* is the text that one marker governs. It is known by the place of its marker, as findings
are, and it is struck from `struck` to `end`: the whole of a sentence, of other text its number.
"""

from dataclasses import dataclass

from claims.markers import binding
from claims.markers.binding import Bound
from claims.pages.document import Document
from claims.scanner import atoms

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
    end: int | None
    """Behind the marker; None where it does not stand behind what it binds."""


def read(page: Document) -> list[Quote]:
    """Return what is bound on the page, in its order; what binds no word binds nothing."""
    ends = {(one.line, one.column): one.end for one in page.directives}
    found = binding.bind(page, atoms.scan(page)).bound
    quotes = [_quote(page, one, ends) for one in found if not one.is_empty]
    return sorted(quotes, key=lambda one: one.start)


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


def _quote(page: Document, one: Bound, ends: dict[Place, int]) -> Quote:
    first = _first(page, one.start, one.stop)
    start, struck = page.offset(first), page.offset(first)
    if one.atoms and not one.whole:
        sign = len(one.atoms[0].sign)
        struck = page.offset(one.atoms[0].begin - sign)
    at = (one.line, one.column)
    end = ends.get(at) if one.form == "marker" else None
    return Quote(one.claim, one.text, at, start, page.place(first), struck, end)


def _first(page: Document, start: int, stop: int) -> int:
    """Return where the first character stands that is no white space, as a rendered offset."""
    text = page.text[start:stop]
    return start + len(text) - len(text.lstrip())
