"""Tables of text: CSV with commas, semicolons or tabs, told by its header line.

    run;time_ms
    1;12.5
    "2"; 12.75

A byte order mark, quoted cells, space around cells and blank lines are fine. A row with more or
fewer cells than the header, and a name that stands twice in it, are refused. Cells stay text. Of
three ways to read the header that one is taken which has the wanted columns in it.
"""

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from engine.results.documents import MAX_DOCUMENTS
from engine.results.model import brief
from engine.results.refusals import ResultError

MAX_COLUMNS = 4096
_DELIMITERS = (",", ";", "\t")


class Delimited(NamedTuple):
    """The rows below the header, each as long as it, and the line on which each starts."""

    header: list[str]
    rows: list[list[str]]
    lines: list[int]


def parse(text: str, wanted: Collection[str]) -> Delimited:
    """Return the table in `text`; raises `ResultError` that names the line.

    `wanted` are names that the header must have.
    """
    delimiter = _delimiter(text, wanted)
    records = _records(text, delimiter)
    _, header = next(records, (1, []))
    _require_unique(header)
    found = Delimited(header, [], [])
    for line, cells in records:
        if len(cells) != len(header):
            detail = f"line {line} has {len(cells)} cells, the header has {len(header)}"
            raise ResultError("malformed", detail)
        if len(found.rows) == MAX_DOCUMENTS:
            raise ResultError("too-large", f"over {MAX_DOCUMENTS} rows in one file")
        found.rows.append(cells)
        found.lines.append(line)
    return found


def _delimiter(text: str, wanted: Collection[str]) -> str:
    """Return the delimiter by which the header has the most of the wanted columns, then of any."""
    headers = {mark: next(_records(text, mark), (1, []))[1] for mark in _DELIMITERS}
    best = max(
        _DELIMITERS,
        key=lambda mark: (len({*wanted} & {*headers[mark]}), len(headers[mark])),
    )
    missing = [name for name in wanted if name not in headers[best]]
    if missing:
        there = ", ".join(brief(name) for name in headers[best][:40]) or "nothing"
        raise ResultError("no-such-column", f"{brief(missing[0])}; the header has {there}")
    return best


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line that is not blank, and the number of its first line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if len(cells) > MAX_COLUMNS:
                raise ResultError("too-large", f"line {line} has over {MAX_COLUMNS} cells")
            if cells and (len(cells) > 1 or cells[0].strip()):
                yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        raise ResultError("malformed", f"line {line}: {error}") from error


def _require_unique(header: list[str]) -> None:
    for name, count in Counter(header).items():
        if name and count > 1:
            detail = f"{count} columns of the header are called {brief(name)}"
            raise ResultError("duplicate-keys", detail)
