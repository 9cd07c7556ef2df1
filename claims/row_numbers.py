"""Columns of a table that number, date or name its rows: they hold no results."""

import re

from claims.document import Document
from claims.walk import TableRecord

_NUMBERING = re.compile(
    r"#|№|no\.?|nr\.?|n°|id|ids|idx|index|row|rank|step|stage|phase|run|rep|reps?\.?|repetition|trial"
    r"|round|iteration|issue|issues|pr|prs|commit|date|year|version|release|released|port|line|page"
    r"|section|chapter|rfc|seed",
    re.IGNORECASE,
)
_FIRST = re.compile(r"[1-9]\d?")
_MEASURED = re.compile(
    r"batch|bs|size|concurren|gpu|thread|depth|user|client|request|node|core|bit|token|length|rate"
    r"|qps|rps|stream|tp|pp|dp|device|worker|layer|expert|k",
    re.IGNORECASE,
)


def row_numbers(document: Document) -> frozenset[int]:
    """Return where the cells of such columns begin in the rendered text."""
    starts = document.walk.flow.blocks
    found: set[int] = set()
    for table in document.walk.tables:
        for column in _columns(document, table):
            body = table.rows[table.heads :]
            found |= {starts[row[column]][0] for row in body if column < len(row)}
    return frozenset(found)


def _columns(document: Document, table: TableRecord) -> list[int]:
    header = table.rows[table.heads - 1]
    names = [_text(document, block) for block in header]
    columns = [at for at, name in enumerate(names) if _NUMBERING.fullmatch(name)]
    if (
        names
        and 0 not in columns
        and not _MEASURED.search(names[0])
        and _counts_up(document, table)
    ):
        columns.append(0)
    return columns


def _counts_up(document: Document, table: TableRecord) -> bool:
    """Say whether the first column reads 1, 2, 3 and so on, at least to 3."""
    body = [row for row in table.rows[table.heads :] if row]
    return len(body) >= 3 and all(
        _text(document, row[0]) == str(number) for number, row in enumerate(body, 1)
    )


def _text(document: Document, block: int) -> str:
    blocks = document.walk.flow.blocks
    end = blocks[block + 1][0] - 1 if block + 1 < len(blocks) else len(document.text) - 1
    return document.text[blocks[block][0] : end].strip()
