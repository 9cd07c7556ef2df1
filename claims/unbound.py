"""Numbers that nothing stands behind, told as findings when somebody reads them.

A page may hold thousands: a checked page keeps only where they stand, and is read again for this.
"""

from collections.abc import Iterable

from claims import document, numbers
from claims.atoms import DIGITS
from claims.atoms import sign as atom_sign
from claims.bound_text import brief
from claims.rules import Refusal
from claims.running_text import Text
from claims.view import View


def findings(name: str, source: str, places: Iterable[int]) -> list[Refusal]:
    """Return a finding for each number of the page `source` that begins at a rendered offset."""
    page = document.parse(source)
    view = View(name, page, Text(page))
    return [_finding(view, begin) for begin in places]


def _finding(view: View, begin: int) -> Refusal:
    start, stop = view.sentence(begin)
    shown, sentence = _shown(view, begin), brief(view.text.read(start, stop))
    return Refusal("CLM101", f"{shown} stands in {sentence!r}", place=view.place_at(begin))


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
