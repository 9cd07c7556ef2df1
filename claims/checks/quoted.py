"""A page as those rules read it that are not about a number's value."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claims.checks.view import View
from claims.markers.binding import Bound
from claims.numerals.numbers import Number
from claims.pages.parts import Marker
from claims.scanner.atoms import Atom


@dataclass(frozen=True, slots=True)
class Located:
    """A number, the line and column of its first digit, and the sentence it stands in."""

    number: Number
    line: int
    column: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """What one marker governs: its text, the numbers in it, and whether it is a whole sentence."""

    marker: Marker
    text: str
    numbers: tuple[Located, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class QuotedPage:
    """What every marker of a page governs, and the numbers that no claim is behind."""

    bound: tuple[Quoted, ...]
    unbound: tuple[Located, ...]


def read(
    view: View, bound: Sequence[Bound], left: Iterable[Atom], *, numbers: bool = True
) -> QuotedPage:
    """Return the text that is `bound`, its `numbers` if asked, and those `left`, with sentences."""
    directives = view.page.directives if bound else ()
    ends = {(one.line, one.column): (one.start, one.end) for one in directives}
    found = [_quoted(view, one, ends, numbers=numbers) for one in bound if not one.is_empty]
    return QuotedPage(tuple(found), tuple(_located(view, atom) for atom in left))


def _quoted(
    view: View, one: Bound, ends: dict[tuple[int, int], tuple[int, int]], *, numbers: bool
) -> Quoted:
    place = ends.get((one.line, one.column), (one.start, one.stop))
    marker = Marker(one.claim, *place, one.line, one.column, view.page.block_at(one.start))
    located = tuple(_located(view, atom) for atom in one.atoms if numbers)
    return Quoted(marker, one.text, located, one.whole)


def _located(view: View, atom: Atom) -> Located:
    start, stop = view.sentence(atom.begin)
    sentence = view.text.read(start, stop)
    return Located(view.number(atom), *view.page.place(atom.begin), sentence)
