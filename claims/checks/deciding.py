"""Which claims decide what a condition beside a number must be: those of its own words.

In running text these are the claims bound in the sentence, or between its semicolons; in a table
those of the cell, or of the row; for the header of a column those of the column. Where a sentence
tells several conditions of one kind and as many results, each goes with its own::

    "at depth 0 it decodes 133.5 tok/s and at depth 8,192 105.0"     one after the other
    "at depths of 0 and 8,192 it decodes 133.5 and 105.0 tok/s"      in the same order
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from claims.checks.view import View
from claims.markers.binding import Bound
from claims.pages.document import Table
from claims.scanner.atoms import Atom
from receipts import late as re

_TURNED = re.compile(r"\b(?:from|against|versus|vs|than)\b", re.IGNORECASE)


class Deciding:
    """The bound text of a page by what is decided by it."""

    def __init__(self, view: View, bound: Iterable[Bound]) -> None:
        self._view = view
        self._sentences: dict[int, list[Bound]] = {}
        self._blocks: dict[int, list[Bound]] = {}
        self._rows: dict[tuple[int, int], list[Bound]] = {}
        self._columns: dict[tuple[int, int], list[Bound]] = {}
        for one in bound:
            self._add(one)
        self._heads = {
            block: (table, column)
            for table in view.page.tables
            for column, block in enumerate(table.header_blocks[: len(table.header)])
        }

    def _add(self, one: Bound) -> None:
        page = self._view.page
        first = page.block_at(one.start)
        if one.form not in ("block", "region", "table"):
            self._sentences.setdefault(self._view.sentence(one.start)[0], []).append(one)
            cell = page.cell(first)
            if cell is not None:
                table, here = cell
                self._rows.setdefault((id(table), here.row), []).append(one)
                self._columns.setdefault((id(table), here.column), []).append(one)
        elif one.form != "table":
            for block in range(first, page.block_at(max(one.start, one.stop - 1)) + 1):
                self._blocks.setdefault(block, []).append(one)

    def of(self, atom: Atom) -> tuple[list[Bound], tuple[int, int]]:
        """Return what is bound that decides about a number, and the words that it stands in."""
        start, stop = self._view.sentence(atom.begin)
        block = self._view.page.block_at(atom.begin)
        ones = self._sentences.get(start)
        if ones:
            return self._clause(atom, ones, start, stop)
        return self._in_table(block) or self._blocks.get(block, []), (start, stop)

    def _in_table(self, block: int) -> list[Bound]:
        cell = self._view.page.cell(block)
        if cell is not None:
            return self._rows.get((id(cell[0]), cell[1].row), [])
        head = self._heads.get(block)
        return self._columns.get((id(head[0]), head[1]), []) if head else []

    def _clause(
        self, atom: Atom, ones: list[Bound], start: int, stop: int
    ) -> tuple[list[Bound], tuple[int, int]]:
        """Return what is bound between the semicolons around a number, if anything is."""
        if len(ones) == 1:
            return ones, (start, stop)
        text = self._view.page.text
        first = text.rfind(";", start, atom.begin) + 1 or start
        last = text.find(";", atom.stop, stop)
        last = stop if last < 0 else last
        # What is bound ends at its marker, behind its number: the words before may be others'.
        inner = [one for one in ones if first < one.stop <= last]
        return (inner, (first, last)) if inner else (ones, (start, stop))

    def header(self, atom: Atom) -> str:
        """Return what names the cell that a number stands in: its column's, or its row's, header.

        Empty outside of tables.
        """
        block = self._view.page.block_at(atom.begin)
        cell = self._view.page.cell(block)
        if cell is not None:
            table, here = cell
            return table.header[here.column] if here.column < len(table.header) else ""
        head = self._heads.get(block)
        return _corner(*head) if head else ""


def _corner(table: Table, column: int) -> str:
    """Return the first header of a table, which names the others where they are numbers."""
    return table.header[0] if column else ""


def paired(
    text: str, conditions: Sequence[int], results: Sequence[Bound], at: Callable[[Bound], int]
) -> dict[int, Bound]:
    """Return which result each condition goes with, by place; empty where that is left open.

    `conditions` are offsets into `text`, as are those of results by `at`.
    """
    marks = [*((place, "C") for place in conditions), *((at(one), "R") for one in results)]
    kinds = "".join(kind for _, kind in sorted(marks))
    n = len(results)
    if n < 2 or len(conditions) != n or kinds not in ("CR" * n, "RC" * n, "C" * n + "R" * n):
        return {}
    places = sorted(conditions)
    last = max(places[-1], *(at(one) for one in results))
    if kinds == "C" * n + "R" * n and _TURNED.search(text, places[-1], last):
        return {}
    return dict(zip(places, sorted(results, key=at), strict=True))
