"""Where something stands on a page: bytes, code points, lines and columns."""

import re
from bisect import bisect_right
from functools import cached_property
from operator import itemgetter

from receipts.errors import MalformedError

_LINE_END = re.compile(r"\r\n?|\n")
# Long runs are cut, so that a place inside one costs little.
_NOT_ASCII = re.compile(r"[^\x00-\x7f]{1,1024}")


class Places:
    """Byte offsets of a page as offsets in code points, lines and columns.

    Raises `MalformedError` when the page holds a lone surrogate and so has no bytes.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        try:
            self.data = source.encode("utf-8")
        except UnicodeEncodeError as error:
            raise MalformedError(
                f"page holds a lone surrogate at character {error.start}; save it as UTF-8"
            ) from error
        self._is_ascii = len(self.data) == len(source)

    @cached_property
    def _runs(self) -> tuple[list[int], list[tuple[int, str, int]]]:
        """The first byte of each run of wide characters; its offset, its text, its last byte."""
        firsts: list[int] = []
        runs: list[tuple[int, str, int]] = []
        extra = 0
        for match in _NOT_ASCII.finditer(self.source):
            first, wide = match.start() + extra, len(match[0].encode())
            firsts.append(first)
            runs.append((match.start(), match[0], first + wide))
            extra += wide - len(match[0])
        return firsts, runs

    def offset(self, byte: int) -> int:
        """Return the offset in code points of a byte."""
        if self._is_ascii:
            return byte
        firsts, runs = self._runs
        index = bisect_right(firsts, byte) - 1
        if index < 0:
            return byte
        start, run, last = runs[index]
        if byte >= last:
            return start + len(run) + byte - last
        return start + len(run.encode()[: byte - firsts[index]].decode("utf-8", "ignore"))

    def byte(self, offset: int) -> int:
        """Return the byte at which the character at `offset` starts."""
        if self._is_ascii:
            return offset
        firsts, runs = self._runs
        index = bisect_right(runs, offset, key=itemgetter(0)) - 1
        if index < 0:
            return offset
        start, run, _ = runs[index]
        return (
            firsts[index] + len(run[: offset - start].encode()) + max(0, offset - start - len(run))
        )

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset at which each line starts."""
        return [0, *(end.end() for end in _LINE_END.finditer(self.source))]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return line and column of the character at `offset`, both from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1
