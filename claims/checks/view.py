"""A page as its judge sees it: numbers with units, and their sentences."""

from decimal import Decimal
from functools import cached_property

from claims.checks.passage import Passage
from claims.numerals import number_words, numbers
from claims.numerals.numbers import Number
from claims.pages.document import Document, Table
from claims.pages.running_text import Text
from claims.scanner.atoms import Atom
from receipts import late as re

_FACTOR_OF = re.compile(r"\b(?:a|the)\s+factor\s+(?:of|was|is)\s+\Z", re.IGNORECASE)
_LONGEST_FACTOR = 24
_LONGEST_LABEL = 32
# "mean of 5", "p99", "99th percentile": a cell that says what the others of its row are.
_A_WORD = re.compile(r"[^\W\d]\w*(?:\s[^\W\d]+)?(?:\s+of\s+\d+(?:\s\w+)?)?|\d+th\s[^\W\d]+")
_FOLD = re.compile(r"[ \u00a0-]*(?:fold|times|x(?= ))", re.IGNORECASE)
_FACTORS = {"half": "0.5", "twice": "2", "double": "2", "triple": "3"}


class View:
    """One page with the places, words and units around its atoms."""

    def __init__(self, name: str, page: Document, text: Text) -> None:
        self.name = name
        self.page = page
        self.text = text
        self._numbers: dict[int, Number] = {}
        self._around: dict[int, str] = {}
        self._last = (0, 0)
        self._sentences: dict[int, Passage] = {}
        self._passages: dict[str, Passage] = {}
        self._last_row = (0, 0, "")
        self._row_labels: dict[tuple[int, int], str] = {}

    def place(self, atom: Atom) -> str:
        """Return file, line and column of an atom's first digit."""
        line, column = self.page.place(atom.begin)
        return f"{self.name}:{line}:{column}"

    def place_at(self, rendered: int) -> str:
        """Return file, line and column of a rendered character."""
        line, column = self.page.place(rendered)
        return f"{self.name}:{line}:{column}"

    def number(self, atom: Atom) -> Number:
        """Return the atom with its unit, its own or its column's; offsets are rendered ones."""
        if atom.begin not in self._numbers:
            self._numbers[atom.begin] = self._number(atom)
        return self._numbers[atom.begin]

    def _number(self, atom: Atom) -> Number:
        text = self.page.text[atom.begin : atom.stop]
        if text[:1].isalpha():
            return self._word(atom, text.lower())
        found = atom.number
        if found is None:
            value = Decimal(0)
            return Number(text, value, 0, None, atom.begin, atom.stop, atom.stop)
        block = self.page.block_at(atom.begin)
        base = self.page.blocks[block].start
        start, stop, after = base + found.start, base + found.end, base + found.after
        unit = found.unit or self._unit_around(block, base, start)
        return Number(found.text, found.value, found.decimals, unit, start, stop, after)

    def _unit_around(self, block: int, base: int, start: int) -> str | None:
        """Return the unit of a number that none stands behind: `a factor of 1.05`, its column's."""
        before = self.page.text[max(base, start - _LONGEST_FACTOR) : start]
        return "×" if _FACTOR_OF.search(before) else self._column_unit(block)

    def _word(self, atom: Atom, word: str) -> Number:
        """Return what a number word says: `twice` and `five-fold` are multiples."""
        singular = word.rstrip("sd") if word.startswith(("double", "triple")) else word
        value = number_words.value(word) or Decimal(0)
        factor = singular in _FACTORS or self._is_factor(atom)
        decimals = -int(value.as_tuple().exponent)
        unit = "×" if factor else None
        after = atom.stop + len(times[0]) if factor and (times := self._times(atom)) else atom.stop
        return Number(word, value, decimals, unit, atom.begin, atom.stop, after)

    def _is_factor(self, atom: Atom) -> bool:
        return self._times(atom) is not None

    def _times(self, atom: Atom) -> re.Match[str] | None:
        """Return what makes a multiple of a number word: `three times`, `five-fold`."""
        return _FOLD.match(self.page.text, atom.stop, atom.stop + 12)

    def _column_unit(self, block: int) -> str | None:
        """Return the unit that the header of the column gives in which a block is a cell."""
        found = self.page.cell(block)
        if found is None or found[1].column >= len(found[0].header):
            return None
        return self._header_units[id(found[0]), found[1].column]

    @cached_property
    def _header_units(self) -> dict[tuple[int, int], str | None]:
        return {
            (id(table), column): header_unit(header)
            for table in self.page.tables
            for column, header in enumerate(table.header)
        }

    def sentence(self, at: int) -> tuple[int, int]:
        """Return where the sentence around a rendered offset starts and ends."""
        start, stop = self._last
        if not start <= at < stop:  # one asks about a sentence several times running
            self._last = start, stop = self.text.sentence(self.page.block_at(at), at)
        return start, stop

    def passage(self, block: int, at: int) -> tuple[int, Passage]:
        """Return the sentence around an offset in a block as such, and where it starts."""
        start, stop = self._last
        if not start <= at < stop:
            self._last = start, stop = self.text.sentence(block, at)
        if start not in self._sentences:
            self._sentences[start] = self.reading(self.page.text[start:stop])
        return start, self._sentences[start]

    def reading(self, text: str) -> Passage:
        """Return a text of the page as such; a page has many cells and headers that are alike."""
        if text not in self._passages:
            self._passages[text] = Passage(text)
        return self._passages[text]

    def labels(self, block: int) -> tuple[str, ...]:
        """Return the header and the row's label of a cell, if they say any word; else nothing."""
        found = self.page.cell(block)
        if found is None:
            return ()
        table, here = found
        header = table.header[here.column] if here.column < len(table.header) else ""
        row = self.row_label(table, here.row) if here.column else ""
        return tuple([text for text in (header, row) if text and not text.isspace()])

    def row_label(self, table: Table, row: int) -> str:
        """Return the first cell of a row, and what of the others is a word like it."""
        key = (id(table), row)
        if key not in self._row_labels:
            first, *rest = [cell.text for cell in table.rows[row]] or [""]
            words = (
                text for text in rest if len(text) < _LONGEST_LABEL and _A_WORD.fullmatch(text)
            )
            self._row_labels[key] = " | ".join((first, *words))
        return self._row_labels[key]

    def row_text(self, table: Table, row: int) -> str:
        """Return the texts of a row's cells; one row is asked about several times running."""
        if self._last_row[:2] != (id(table), row):
            text = " | ".join(cell.text for cell in table.rows[row])
            self._last_row = id(table), row, text
        return self._last_row[2]

    def around(self, block: int) -> str:
        """Return what a reader of a block sees with it: its whole table and caption."""
        found = self.page.cell(block)
        # One text for all that stand in a block or a table: they may be kept beyond the page.
        seen = block if found is None else -found[0].first_line
        if seen not in self._around:
            text = self.page.block_text(block) if found is None else self._with_caption(found[0])
            self._around[seen] = text
        return self._around[seen]

    def _with_caption(self, table: Table) -> str:
        cells = (cell.text for row in table.rows for cell in row)
        return " ".join((self._before(table), *table.header, *cells))

    def _before(self, table: Table) -> str:
        """Return the text in front of a table; a comment between them is no text."""
        block = table.before
        while block is not None and block >= 0:
            text = self.page.block_text(block)
            if text.strip():
                return text
            block -= 1
        return ""


def header_unit(header: str) -> str | None:
    """Return the unit that a column's header names: `decode (tok/s)`, `tok/s`, `TTFT, ms`.

    `min` is a minimum where it stands alone or beside another unit, and minutes elsewhere.
    """
    words = header.replace("(", " ").replace(")", " ").replace("[", " ").replace("]", " ")
    units = []
    for word in words.replace(",", " ").split():
        found = numbers.find(f"1 {word}")
        lone = len(word) == 1 and word.isalpha()
        whole = found and found[0].after == len(word) + 2
        if whole and found[0].unit and (not lone or f"({word})" in header):
            units.append(found[0].unit)
    others = (unit for unit in units if unit != "min")
    return next(others, None if header.strip().lower() == "min" else next(iter(units), None))
