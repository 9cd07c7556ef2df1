"""Hardware and models that stand beside a bound number: they must be those of its evidence.

Beside it is its sentence; for a number in a table, its row and the header of its column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from claims.checks.view import View
from claims.judging import setting
from claims.markers.binding import Bound
from claims.rules import Refusal

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_CODE = "CLM217"
Said = tuple[tuple[setting.Contradiction, ...], frozenset[str]]
"""What a text names against the evidence, and of which kinds it names what the evidence has."""


class Names:
    """The hardware and models that texts name, against one evidence; each text is read once."""

    def __init__(self, known: setting.Known) -> None:
        self._known = known
        self._said: dict[str, Said] = {}

    def __bool__(self) -> bool:
        return bool(self._known)

    def said(self, text: str) -> Said:
        """Return what a text says of the evidence."""
        if text not in self._said:
            found = tuple(setting.contradictions(text, self._known))
            self._said[text] = found, setting.agreeing(text, self._known)
        return self._said[text]

    def beside(self, header: str, row: str) -> Iterator[tuple[bool, setting.Contradiction]]:
        """Yield what header and row of a cell name against the evidence, and if the header does.

        One name that is right is enough, in either of them.
        """
        above, across = self.said(header), self.said(row)
        for is_above, (found, _), (_, right) in ((True, above, across), (False, across, above)):
            yield from ((is_above, one) for one in found if one.kind not in right)


def findings(
    view: View, bound: Sequence[Bound], judged: Mapping[str, Judgement]
) -> Iterator[Refusal]:
    """Yield the names on the page that the evidence of the claim beside them contradicts."""
    told: set[tuple[str, str]] = set()
    known: dict[str, Names] = {}
    asked: set[tuple[int, int, str]] = set()
    for one in bound:
        done = judged[one.claim]
        # A claim whose own sentence does so is refused already, wherever it stands.
        if one.form == "table" or any(refusal.code == _CODE for refusal in done.refusals):
            continue
        if one.claim not in known:
            known[one.claim] = Names(setting.known(done.claim, done.evidence))
        if known[one.claim]:
            for place, found in _beside(view, one, known[one.claim], asked):
                if (place, found.named) not in told:
                    told.add((place, found.named))
                    yield Refusal(_CODE, found.told(), one.claim, place)


def _beside(
    view: View, one: Bound, known: Names, asked: set[tuple[int, int, str]]
) -> Iterator[tuple[str, setting.Contradiction]]:
    cell = view.page.cell(view.page.block_at(one.start))
    if cell is None:
        start = view.sentence(one.start)[0]
        stop = view.sentence(max(one.start, one.stop - 1))[1]
        if (start, stop, one.claim) in asked:  # it may hold thousands of numbers of a claim
            return
        asked.add((start, stop, one.claim))
        for found in known.said(view.page.text[start:stop])[0]:
            yield view.place_at(start + found.start), found
        return
    table, here = cell
    header = table.header[here.column] if here.column < len(table.header) else ""
    for _, found in known.beside(header, view.row_text(table, here.row)):
        yield f"{view.name}:{one.line}:{one.column}", found
