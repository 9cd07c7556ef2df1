"""Tables of a page: header texts, and cells that know where they stand."""

from collections.abc import Callable
from dataclasses import dataclass

from claims.pages.records import TableRecord


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its block, and its row (from 0, below the header) and column (from 0)."""

    block: int
    row: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of Markdown or HTML with its lines, the first and the last one included.

    `header` has one text a column, the rows of a header of several rows joined by a space. `before`
    is the block in front of it, None at the start of the page, and `caption` that block's text.
    """

    header: tuple[str, ...]
    header_blocks: tuple[int, ...]
    rows: tuple[tuple[Cell, ...], ...]
    first_line: int
    last_line: int
    before: int | None
    caption: str


def read(record: TableRecord, text: Callable[[int], str], line: Callable[[int], int]) -> Table:
    """Return the table of `record`, with functions for a block's text and a byte's line."""
    heads, body = record.rows[: record.heads], record.rows[record.heads :]
    columns = max(map(len, heads), default=0)
    names = [" ".join(text(row[at]) for row in heads if at < len(row)) for at in range(columns)]
    rows = tuple(
        tuple(Cell(block, row, column, text(block)) for column, block in enumerate(blocks))
        for row, blocks in enumerate(body)
    )
    before = record.before if record.before >= 0 else None
    return Table(
        tuple(" ".join(name.split()) for name in names),
        tuple(block for row in heads for block in row),
        rows,
        line(record.first),
        line(max(record.first, record.last - 1)),
        before,
        "" if before is None else " ".join(text(before).split()),
    )
