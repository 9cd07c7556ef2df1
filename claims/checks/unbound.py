"""Numbers that nothing stands behind, told as findings when somebody reads them.

A page may hold thousands: a checked page keeps only where they stand, and is read again for this.
"""

from collections.abc import Sequence

from claims.checks.bound_text import brief
from claims.checks.view import View
from claims.numerals import numbers
from claims.pages import document
from claims.pages.running_text import Text
from claims.rules import UNBOUND, Refusal
from claims.scanner.atoms import DIGITS
from claims.scanner.atoms import sign as atom_sign


def findings(
    name: str, source: str, places: Sequence[int], most: int | None = None
) -> list[Refusal]:
    """Return a finding for each number of the page `source` that begins at a rendered offset.

    Those behind the first `most` have a place and no message: they are counted and not told.
    """
    page = document.parse(source)
    view = View(name, page, Text(page))
    stop = len(places) if most is None else most
    told = [_finding(view, begin) for begin in places[:stop]]
    return told + [Refusal(UNBOUND, "", place=view.place_at(begin)) for begin in places[stop:]]


def _finding(view: View, begin: int) -> Refusal:
    start, stop = view.sentence(begin)
    shown, sentence = _shown(view, begin), brief(view.text.read(start, stop))
    return Refusal(UNBOUND, f"{shown} stands in {sentence!r}", place=view.place_at(begin))


def _shown(view: View, begin: int) -> str:
    """Return the number with its unit as written, without reading the block around it."""
    near = view.page.text[begin : begin + _LONGEST]
    written = DIGITS.match(near)
    if not written:
        return near.split()[0]
    found = numbers.find(near)
    sign = atom_sign(view.page.text, begin)
    if found and found[0].start == 0 and found[0].unit:
        return f"{sign}{found[0].text} {found[0].unit}"
    return f"{sign}{written[0]}"


_LONGEST = 64
