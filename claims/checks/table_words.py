"""What the header and the row of a bound table's cell say of it: statistic, hardware, breadth.

The words of a column are told once, at its first cell, and those of a row once, wherever they
stand: a table may have as many rows as it likes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claims.checks import headings
from claims.checks.fitting import Finding
from claims.checks.grid import Cell as Given
from claims.checks.offer import Offer
from claims.checks.settings import Names
from claims.checks.view import View
from claims.judging import setting
from claims.pages.document import Cell, Table

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_UNMEASURED = ("n", "cv")


class TableWords:
    """The words of one table, held against the evidence of its cells."""

    def __init__(self, view: View, table: Table, judgement: Judgement) -> None:
        self._view = view
        self._table = table
        self._judgement = judgement
        self._known: dict[int, Names] = {}
        self._told: set[tuple[str, int, str]] = set()

    def findings(
        self, cell: Cell, key: int, what: str, given: Given, unit: str | None
    ) -> Iterator[Finding]:
        """Yield what is wrong with the words of a cell that shows `what` of the evidence."""
        header = self._table.header[cell.column]
        label = self._table.rows[cell.row][key].text
        if what.rpartition(".")[2] not in _UNMEASURED:
            yield from self._statistic(cell, (header, label), given.offer, unit)
        yield from self._breadth(cell, header, given.judgement)
        yield from self._setting(cell, header, given.judgement)

    def _statistic(
        self, cell: Cell, texts: tuple[str, str], given: Offer, unit: str | None
    ) -> Iterator[Finding]:
        ratio = unit in ("×", "%")
        for text, place in zip(texts, (("column", cell.column), ("row", cell.row)), strict=True):
            word = headings.misfit(text, (given.statistic,), given.metric, unit, ratio=ratio)
            if word and self._is_new((*place, word)):
                number = given.figures[0].name if given.figures else "the number"
                yield "CLM205", headings.told(word, f"its {number}", given.statistic)

    def _breadth(self, cell: Cell, header: str, judgement: Judgement) -> Iterator[Finding]:
        word = headings.says_more(header, every_cell=judgement.of_every_cell)
        if word and self._is_new(("column", cell.column, word)):
            yield "CLM203", f"the header says {word!r} of this column; the evidence is of one cell"

    def _setting(self, cell: Cell, header: str, judgement: Judgement) -> Iterator[Finding]:
        """Yield the hardware and models of header and row that the evidence is not of."""
        known = self._names(judgement)
        if not known:
            return
        for above, found in known.beside(header, self._view.row_text(self._table, cell.row)):
            place = ("column", cell.column) if above else ("row", cell.row)
            if self._is_new((*place, found.named)):
                yield found.code, found.told()

    def _names(self, judgement: Judgement) -> Names:
        if id(judgement) not in self._known:
            # A cell of the claim's own entry is under the claim's own scope, which names things.
            own = self._judgement.claim
            claim = own if judgement.claim.id == own.id else judgement.claim
            self._known[id(judgement)] = Names(setting.known(claim, judgement.evidence))
        return self._known[id(judgement)]

    def _is_new(self, told: tuple[str, int, str]) -> bool:
        if told in self._told:
            return False
        self._told.add(told)
        return True
