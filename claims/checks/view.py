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
    """Return the unit that a column's header names: `decode (tok/s)`, `tok/s`, `TTFT, ms`."""
    words = header.replace("(", " ").replace(")", " ").replace("[", " ").replace("]", " ")
    for word in words.replace(",", " ").split():
        found = numbers.find(f"1 {word}")
        lone = len(word) == 1 and word.isalpha()
        if found and found[0].unit and (not lone or f"({word})" in header):
            return found[0].unit
    return None
