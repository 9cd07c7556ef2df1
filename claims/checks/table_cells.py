"""The cells of a table that one marker binds, each against its row's and column's evidence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from claims.checks import agreement, conflicts, counts, fitting, telling
from claims.checks.displayed import Value
from claims.checks.fitting import Finding
from claims.checks.grid import Cell as Given
from claims.checks.grid import Source
from claims.checks.layouts import Layout, is_headed, layout
from claims.checks.table_words import TableWords
from claims.checks.telling import Key
from claims.checks.view import View
from claims.markers.binding import Bound
from claims.pages.document import Cell, Table
from claims.registers import wording
from claims.registers.wording import FLOOR
from claims.rules import Refusal
from claims.scanner.atoms import Atom
from receipts.errors import Error

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

# What a sentence must say, its policy and its gate, no cell has room for; the claim's own has it.
_OF_A_SENTENCE = {"CLM202", "CLM305", "CLM320", "CLM410"}
_OF_ITS_CELL = {"CLM102": "CLM111", "CLM109": "CLM111"}


class TableCells:
    """One table under one claim; `taken` are the atoms that the claim answers for."""

    def __init__(self, view: View, bound: Bound, source: Source, judgement: Judgement) -> None:
        self._view = view
        self._bound = bound
        self._source = source
        self._judgement = judgement
        self._place = f"{view.name}:{bound.line}:{bound.column}"
        self._by_block: dict[int, list[Atom]] = {}
        for atom in bound.atoms:
            self._by_block.setdefault(atom.block, []).append(atom)
        self._counts: set[int] = set()
        self._verdicts: dict[tuple[int, Key], tuple[Given, Finding | None]] = {}
        self.taken: set[int] = set()
        self.shown: list[tuple[Value, int, int]] = []

    @property
    def _table(self) -> Table:
        assert self._bound.table is not None  # noqa: S101 - a table's binding has its table
        return self._bound.table

    def findings(self) -> Iterator[Refusal]:
        """Yield what is wrong with the cells, if the claim has values at all."""
        try:
            found = layout(self._bound.arguments)
        except Error as error:
            yield self._refusal("CLM012", str(error), self._place)
            return
        key = self._key(found)
        meanings = {c: found.meaning(h) for c, h in enumerate(self._table.header) if c != key}
        for header, _ in found.columns:
            if not any(is_headed(header, h) for h in self._table.header):
                yield self._refusal("CLM012", f"no column is headed {header!r}", self._place)
        for row in self._table.rows:
            self._take(row, key, meanings)
            if self._judgement.values:
                yield from self._row(found, row, key, meanings)
        yield from self._few()

    def _take(self, row: tuple[Cell, ...], key: int, meanings: dict[int, str | None]) -> None:
        for cell in row:
            if cell.column == key or meanings.get(cell.column):
                self.taken |= {atom.begin for atom in self._by_block.get(cell.block, ())}

    def _key(self, found: Layout) -> int:
        """Return the column that tells the rows apart: the one of that name, or the first."""
        wanted = found.row.replace("_", " ").lower()
        headers = [" ".join(h.replace("_", " ").lower().split()) for h in self._table.header]
        return headers.index(wanted) if wanted in headers else 0

    @cached_property
    def _first(self) -> int:
        """The least number that a row's header has: repetitions count from there."""
        texts = (row[0].text for row in self._table.rows if row)
        numbers = [int(text) for text in texts if text.strip().isdigit()]
        return min(numbers, default=0)

    def _row(
        self, found: Layout, row: tuple[Cell, ...], key: int, meanings: dict[int, str | None]
    ) -> Iterator[Refusal]:
        if key >= len(row):
            return
        name = row[key].text
        for cell in row:
            what = meanings.get(cell.column)
            if what and self._by_block.get(cell.block):
                yield from self._cell(found, name, cell, what, key)

    def _cell(self, found: Layout, name: str, cell: Cell, what: str, key: int) -> Iterator[Refusal]:
        atom = self._by_block[cell.block][0]
        try:
            given = self._given(found, name, what)
        except Error as error:
            yield self._refusal("CLM111", str(error), self._view.place(atom))
            return
        refused = [refusal for refusal in given.refusals if refusal.code not in self._told]
        for refusal in refused:
            yield self._refusal(refusal.code, refusal.message, self._view.place(atom))
        if refused:
            return
        for one in self._by_block[cell.block]:
            finding = self._finding(one, cell.block, given)
            if finding:
                code, message = finding
                where = f"row {name!r}, column {self._table.header[cell.column]!r}: {message}"
                place = self._view.place(one)
                yield self._refusal(_OF_ITS_CELL.get(code, code), where, place)
        unit = self._view.number(atom).unit
        for code, message in self._words.findings(cell, key, what, given, unit):
            yield self._refusal(code, message, self._view.place(atom))
        self._counts.add(given.offer.n)
        self._remember(atom, given)

    def _finding(self, atom: Atom, block: int, given: Given) -> Finding | None:
        """Return what is wrong with a number; rows that are alike are judged once."""
        here = telling.spot(self._view, atom, block)
        key = (id(given), here.key)
        if key not in self._verdicts:
            told = telling.tell(here, given.offer, given.offer.names)
            self._verdicts[key] = given, fitting.judge(told, given.offer)
        return self._verdicts[key][1]

    @cached_property
    def _words(self) -> TableWords:
        return TableWords(self._view, self._table, self._judgement)

    @cached_property
    def _told(self) -> set[str]:
        """The codes that were told of the claim as a whole, at the marker, or are of a sentence."""
        return {refusal.code for refusal in self._judgement.refusals} | _OF_A_SENTENCE

    def _given(self, found: Layout, name: str, what: str) -> Given:
        statistic = self._source.is_statistic(name)
        if statistic and found.row not in ("arm", "claim"):
            return self._source.summary(statistic, what)
        return self._source.cell(found, name, self._first, what)

    def _few(self) -> Iterator[Refusal]:
        """Refuse few repetitions where neither the table nor its caption says how many."""
        few = sorted(n for n in self._counts if 0 < n < FLOOR)
        text = self._view.around(self._table.rows[0][0].block) if few else ""
        for n in few:
            said = counts.told(text, n) or wording.states_count(text, n)
            if not said and len(self._table.rows) != n:
                message = f"there are only {n} repetitions, and neither table nor caption says so"
                yield self._refusal("CLM305", message, self._place)

    def _remember(self, atom: Atom, given: Given) -> None:
        number = self._view.number(atom)
        shown = [
            one.name
            for one in given.offer.headline
            if (value := agreement.converted(one.value, one.unit, number.unit)) is not None
            and agreement.grade(number, value) != "other"
        ]
        if given.offer.least is None or not shown:
            return  # one repetition is no displayed value of its cell
        about, window, date = conflicts.subject(given.judgement)
        claim, bare = given.judgement.claim, conflicts.bare(number)
        value_shown = Value((*about, shown[0]), window, date, claim.statistic, bare, claim.id)
        self.shown.append((conflicts.shared(value_shown), atom.begin, atom.block))

    def _refusal(self, code: str, message: str, place: str) -> Refusal:
        return Refusal(code, message, self._bound.claim, place)
