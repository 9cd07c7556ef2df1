"""What follows a comment that stands alone on the line before it: a table, a paragraph, a list."""

import re
from bisect import bisect_left
from functools import cached_property

from claims.pages.directives import Directive
from claims.pages.document import Document, Table

APART = ("alt", "title", "front-matter")
"""The roles of blocks that are read apart from the text around them."""
_LINE_END = re.compile(r"[ \t>]*(?:\r\n?|\n)")
_WRITTEN = re.compile(r"[ \t>]*[^\s>]")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])\s")


class Following:
    """The blocks of a page by the lines on which they begin."""

    def __init__(self, page: Document) -> None:
        self._page = page
        self._below: dict[int, int | None] = {}

    def line(self, one: Directive) -> int | None:
        """Return the line below the comment if something stands on it."""
        if one.end not in self._below:
            self._below[one.end] = self._line_below(one.end)
        return self._below[one.end]

    def _line_below(self, end: int) -> int | None:
        stop = _LINE_END.search(self._page.source, end)
        follows = stop and _WRITTEN.match(self._page.source, stop.end())
        return self._page.places.line_column(stop.end())[0] if stop and follows else None

    @cached_property
    def tables(self) -> dict[int, Table]:
        """The first table that begins on each line."""
        return {table.first_line: table for table in reversed(self._page.tables)}

    def blocks(self, line: int) -> list[int]:
        """Return the paragraph that starts on `line`, or all blocks of the list that does."""
        first = bisect_left(self._lines, (line, 0))
        behind = bisect_left(self._lines, (self._last_line(line) + 1, 0))
        return sorted(block for _, block in self._lines[first:behind])

    def _last_line(self, line: int) -> int:
        """Return the last line of the paragraph or list that starts on `line`."""
        starts, source = self._page.places.line_starts, self._page.source
        is_list = _ITEM.match(source, starts[line - 1]) is not None
        last = line
        for number in range(line + 1, len(starts) + 1):
            end = source.find("\n", starts[number - 1])
            text = source[starts[number - 1] : end if end >= 0 else len(source)]
            if text.strip():
                blank = not source[starts[number - 2] : starts[number - 1]].strip()
                goes_on = text[:1] in " \t" or _ITEM.match(text)
                if blank and not (is_list and goes_on):
                    break
                last = number
            elif not is_list:
                break
        return last

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        """The line on which each block of text begins, with the block, in their order."""
        return sorted(
            (self._page.place(block.start)[0], block.index)
            for block in self._page.blocks
            if block.end > block.start and block.role not in APART
        )
