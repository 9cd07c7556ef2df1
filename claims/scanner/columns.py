"""Columns that measure: under `Memory (GB)`, `16B` is no model, and `1:30` no time of day."""

import re
from functools import cached_property

from claims.numerals.units import named
from claims.pages.document import Document
from claims.pages.flow import SEPARATOR

_MEASURES = re.compile(
    r"memory|v?ram\b|footprint|throughput|latency|bandwidth|tokens?(?![A-Za-z])|bytes|flops?\b|ops\b"
    r"|speed|\btime\b|runtime|duration|elapsed|traffic|storage|disk|显存|内存|吞吐|延迟|时延|带宽|速度"
    r"|耗时|用时|存储|字节|词元",
    re.IGNORECASE,
)
_LONGEST = 48


class Columns:
    """The columns of a page's tables, read when a number is in doubt."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def begin(self, at: int) -> int | None:
        """Return where the cell begins that holds the number at `at`, if its column measures."""
        begin = self._cell(at)
        return begin if begin in self._measured else None

    def is_head(self, at: int) -> bool:
        """Say whether the text at `at` stands in a head of a column, which names what is below."""
        return self._cell(at) in self._heads

    def _cell(self, at: int) -> int:
        """Return where the block begins that holds what stands at `at`, 0 if that is far."""
        return self._document.text.rfind(SEPARATOR, max(0, at - _LONGEST), at) + 1

    @cached_property
    def _heads(self) -> frozenset[int]:
        blocks = self._document.walk.flow.blocks
        tables = self._document.walk.tables
        return frozenset(
            blocks[cell][0] for table in tables for row in table.rows[: table.heads] for cell in row
        )

    @cached_property
    def _measured(self) -> frozenset[int]:
        """Where the cells begin whose column names a unit or what is measured."""
        text, blocks = self._document.text, self._document.walk.flow.blocks
        found: set[int] = set()
        for table in self._document.walk.tables:
            body = table.rows[table.heads :]
            for column, cell in enumerate(table.rows[table.heads - 1]):
                begin = blocks[cell][0]
                name = text[begin : text.index(SEPARATOR, begin)]
                if _MEASURES.search(name) or named(name):
                    found.update(blocks[row[column]][0] for row in body if column < len(row))
        return frozenset(found)
