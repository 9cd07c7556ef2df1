"""What the structure of a page says of a number: it numbers a row, heads a column, cites."""

import re

from claims.numerals.numbers import unit_follows
from claims.pages.document import Document
from claims.pages.flow import SEPARATOR
from claims.pages.records import TableRecord
from claims.scanner import pins
from claims.scanner.products import CARDS

_NUMBERING = re.compile(
    r"#|№|no\.?|nr\.?|n°|id|ids|idx|index|row|rank|step|stage|phase|run|rep|reps?\.?|repetition|trial"
    r"|round|iteration|issue|issues|pr|prs|commit|date|year|version|release|released|port|line|page"
    r"|section|chapter|rfc|seed|compute capability|capability|cc|sm|arch|architecture",
    re.IGNORECASE,
)
# Columns whose numbers have points; a row's or a run's has none, so "Rank 0.93" is a result.
_PARTED = re.compile(
    r"date|year|version|release|released|commit|compute capability|capability|cc|arch|architecture"
    r"|section|chapter|id|ids|#|no\.?|nr\.?|№|n°",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"\d+\.\d+(?![.\d])")
_NAMED_ROW = re.compile(r"[A-Z][a-z]+ [01]")
_HARDWARE = re.compile(r"gpu|device|card|hardware|accelerator|machine|system", re.IGNORECASE)
_ANCHOR_BEFORE = re.compile(r"(?:([0-9]+)\s*</a>[\s,;|]*)?<a\b[^<>]*>\s*\Z", re.IGNORECASE)
_ANCHOR_AFTER = re.compile(
    r"\s*</a>(?:[\s,;|]*<a\b[^<>]{0,512}>\s*([0-9]+)\s*</a>)?", re.IGNORECASE
)
_LONGEST_TAG = 512
_NUMBERED = re.compile(rf"{SEPARATOR}(\d{{1,2}}): (?=[A-Za-z])")
_MEASURED = re.compile(
    r"batch|bs|size|concurren|gpu|thread|depth|user|client|request|node|core|bit|token|length|rate"
    r"|qps|rps|stream|tp|pp|dp|device|worker|layer|expert|k",
    re.IGNORECASE,
)


def given(document: Document) -> dict[int, str]:
    """Return the exclusion of what begins at these rendered offsets, whatever stands around it.

    These are the cells of columns that number their rows, products as headers of columns, and links
    of a number alone.
    """
    text, starts = document.text, document.walk.flow.blocks
    found: dict[int, str] = {}
    for link in document.walk.links:
        # A cell that is a link to its log is a result, and no citation.
        is_alone = text[link.start - 1] == SEPARATOR == text[link.end]
        if link.end - link.start <= 3 and text[link.start : link.end].isdigit() and not is_alone:
            found[link.start] = "citation"
        found |= dict.fromkeys(pins.behind_link(text, link.start, link.end), "version")
    found |= dict.fromkeys(_listed(text), "list-ordinal")
    for table in document.walk.tables:
        header, body = table.rows[table.heads - 1], table.rows[table.heads :]
        for column in _columns(document, table):
            cells = (starts[row[column]][0] for row in body if column < len(row))
            is_counted = not _PARTED.fullmatch(_text(document, header[column]))
            found |= {
                cell: "row-number"
                for cell in cells
                if not (is_counted and _DECIMAL.match(text, cell))
            }
        for cell in _products(document, table):
            if _text(document, cell) in CARDS:
                found[starts[cell][0]] = "hardware-name"
        found |= dict.fromkeys(_rows_by_name(document, table), "row-number")
    return found


def _listed(text: str) -> list[int]:
    """Return the numbers of blocks that count on from 0 or 1: `0: quiet`, `1: loud`, `2: all`."""
    found: list[int] = []
    row: list[int] = []
    for match in _NUMBERED.finditer(text):
        number, start = int(match[1]), match.start(1)
        goes_on = row and number == int(text[row[-1] : text.index(":", row[-1])]) + 1
        if not goes_on or text.find(SEPARATOR, row[-1]) != match.start():
            row = []
        if row or number < 2:
            row.append(start)
        found += row[-1:] if len(row) > 3 else row if len(row) == 3 else []
    return found


def is_anchored(document: Document, begin: int, stop: int) -> bool:
    """Say whether a link in HTML is a number that counts on from, or to, the link beside it."""
    text = document.text
    if stop - begin > 2 or not text[begin:stop].isdigit() or unit_follows(text, stop):
        return False
    number, start = int(text[begin:stop]), document.offset(begin)
    last = _ANCHOR_BEFORE.search(document.source, max(0, start - _LONGEST_TAG), start)
    following = _ANCHOR_AFTER.match(document.source, start + stop - begin)
    if last is None or following is None:
        return False
    return last[1] == str(number - 1) or following[1] == str(number + 1)


def _rows_by_name(document: Document, table: TableRecord) -> list[int]:
    """Return where the numbers of a first column stand that reads Query 1, Query 2 and so on."""
    body = [row[0] for row in table.rows[table.heads :] if row]
    first = next((cell for cell in body if _NAMED_ROW.fullmatch(_text(document, cell))), None)
    if first is None or _MEASURED.search(_text(document, first)):
        return []
    word, _, number = _text(document, first).rpartition(" ")
    found: list[int] = []
    for cell in body[body.index(first) :]:
        if _text(document, cell) != f"{word} {int(number) + len(found)}":
            break
        found.append(document.walk.flow.blocks[cell][0] + len(word) + 1)
    return found if len(found) > 1 else []


def _products(document: Document, table: TableRecord) -> list[int]:
    """Return the cells that may be a product alone: headers, and columns that name hardware."""
    names = [_text(document, cell) for cell in table.rows[0]]
    columns = [at for at, name in enumerate(names) if _HARDWARE.fullmatch(name)]
    body = table.rows[table.heads :]
    return table.rows[0] + [row[at] for row in body for at in columns if at < len(row)]


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
