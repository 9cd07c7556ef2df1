"""The tables of a page for recomputation: their texts, and the places of what does not follow."""

from collections.abc import Container

from claims.checks import derived
from claims.checks.derived import Grid
from claims.checks.view import View
from claims.pages.document import Table
from claims.rules import Refusal


class Derivations:
    """Every printed change of a page's tables; `recomputed` says how many could be."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.recomputed = 0

    def findings(self, judged: Container[int] = ()) -> list[Refusal]:
        """Return the printed changes that the page's own numbers contradict.

        Blocks that are `judged` against evidence are left out: one number, one finding.
        """
        found = []
        for table in self._view.page.tables:
            grid = _grid(table)
            self.recomputed += derived.checked(grid)
            for fault in derived.faults(grid):
                block = table.rows[fault.row][fault.column].block
                if block in judged:
                    continue
                place = self._view.place_at(self._view.page.blocks[block].start)
                found.append(Refusal("CLM106", fault.message, None, place))
        return found


def _grid(table: Table) -> Grid:
    width = len(table.header)
    rows = (tuple(cell.text for cell in row) for row in table.rows)
    return Grid(table.header, tuple((*row, *[""] * (width - len(row)))[:width] for row in rows))
