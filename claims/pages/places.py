"""Where something stands on a page: bytes, code points, lines and columns."""

import re
from bisect import bisect_right
from functools import cached_property

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
    def _runs(self) -> tuple[list[int], list[tuple[int, str]]]:
        """The first byte of each run of wide characters, with its offset and its text."""
        firsts: list[int] = []
        runs: list[tuple[int, str]] = []
        extra = 0
        for match in _NOT_ASCII.finditer(self.source):
            firsts.append(match.start() + extra)
            runs.append((match.start(), match[0]))
            extra += len(match[0].encode()) - len(match[0])
        return firsts, runs

    def offset(self, byte: int) -> int:
        """Return the offset in code points of a byte."""
        if self._is_ascii:
            return byte
        firsts, runs = self._runs
        index = bisect_right(firsts, byte) - 1
        if index < 0:
            return byte
        start, run = runs[index]
        inside, wide = byte - firsts[index], run.encode()
        if inside >= len(wide):
            return start + len(run) + inside - len(wide)
        return start + len(wide[:inside].decode("utf-8", "ignore"))

    def byte(self, offset: int) -> int:
        """Return the byte at which the character at `offset` starts."""
        if self._is_ascii:
            return offset
        firsts, runs = self._runs
        index = bisect_right(runs, (offset, "\U0010ffff")) - 1
        if index < 0:
            return offset
        start, run = runs[index]
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
