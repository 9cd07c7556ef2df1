"""Numbers that nothing stands behind, told as findings when somebody reads them.

A page may hold thousands: a checked page keeps the first few in words and of the others only where
they stand. Where all are asked for, it is read again.
"""

from array import array
from collections.abc import Sequence

from claims.checks.bound_text import brief
from claims.checks.view import View
from claims.numerals import numbers
from claims.pages import document
from claims.pages.running_text import Text
from claims.rules import UNBOUND, Refusal
from claims.scanner.atoms import DIGITS
from claims.scanner.atoms import sign as atom_sign


class Told:
    """Unbound numbers of a page: the first in words, of the others line and column."""

    def __init__(self, view: View, begins: Sequence[int], most: int) -> None:
        self._name = view.name
        self._first = [_finding(view, begin) for begin in begins[:most]]
        self._others = array("l")
        for begin in begins[most:]:
            self._others.extend(view.page.place(begin))

    def findings(self) -> list[Refusal]:
        """Return a finding for each; those that are not told in words have no message."""
        places = zip(self._others[::2], self._others[1::2], strict=True)
        counted = (f"{self._name}:{line}:{column}" for line, column in places)
        return self._first + [Refusal(UNBOUND, "", place=place) for place in counted]


def findings(name: str, source: str, begins: Sequence[int]) -> list[Refusal]:
    """Return a finding, in words, for each number that begins at a rendered offset of the page."""
    page = document.parse(source)
    view = View(name, page, Text(page))
    return [_finding(view, begin) for begin in begins]


def _finding(view: View, begin: int) -> Refusal:
    start, stop = view.sentence(begin)
    shown, sentence = _shown(view, begin), brief(view.text.read(start, stop))
    return Refusal(UNBOUND, f"{shown} stands in {sentence!r}", place=view.place_at(begin))


def _shown(view: View, begin: int) -> str:
    """Return the number with its unit as written, without reading the block around it."""
    end = view.page.blocks[view.page.block_at(begin)].end
    near = view.page.text[begin : min(end, begin + _LONGEST)]
    written = DIGITS.match(near)
    if not written:
        return near.split()[0]
    found = numbers.find(near)
    sign = atom_sign(view.page.text, begin)
    if found and found[0].start == 0 and found[0].unit:
        return f"{sign}{found[0].text} {found[0].unit}"
    return f"{sign}{written[0]}"


_LONGEST = 64
