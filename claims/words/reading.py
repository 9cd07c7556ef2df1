"""The running text of a page block by block, as `claims.pages.passages`, and built only if asked.

Most blocks of a page claim nothing, and most hold neither code nor an image's text. So a block is
read where it stands in the text of the page, and a passage is made only of those that do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from claims.pages import passages
from claims.pages.document import Document
from claims.pages.flow import CODE, Block
from claims.pages.sentences import sentence_ends


class Readable(Protocol):
    """What a passage says, where its sentences end, and the way back to the page."""

    @property
    def block(self) -> int:
        """The number of its block."""

    @property
    def role(self) -> str:
        """What it is on the page: prose, a heading, a cell."""

    @property
    def text(self) -> str:
        """Its rendered text."""

    @property
    def spoken(self) -> str:
        """The same with its code struck out."""

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character of `text`."""

    def source(self, offset: int) -> int:
        """Return where in the page a character of `text` stands."""

    def source_end(self, offset: int) -> int:
        """Return where in the page the text before `offset` ends."""


def sentences(passage: Readable) -> Iterator[tuple[int, int]]:
    """Yield start and end of each sentence, the white space before it left out."""
    start, text = 0, passage.text
    for end in (*sentence_ends(passage.spoken), len(text)):
        while start < end and text[start].isspace():
            start += 1
        if start < end:
            yield start, end
        start = end


def read(document: Document, wanted: Callable[[str], object]) -> Iterator[Readable]:
    """Yield what of a page is `wanted`, by what is spoken there; all that is simple to read."""
    flow = document.walk.flow
    images = {document.block_at(piece[0]) for piece in flow.pieces if piece[4] == "alt"}
    mixed = set()
    for one in document.blocks[: flow.block + 1 - len(document.walk.asides)]:
        text = document.text[one.start : one.end]
        if one.index not in images and CODE not in text:
            yield _Plain(document, one, text, text)
        elif one.index in images or any(
            CODE in text[start:end] and wanted(text[start:end])
            for start, end in sentences(_Plain(document, one, text, text))
        ):
            mixed.add(one.index)
        else:
            yield _Plain(document, one, text, text)
    if mixed:
        yield from _passages(document, mixed)


def _passages(document: Document, blocks: set[int]) -> Iterator[passages.Passage]:
    return (one for one in passages.read(document) if one.block in blocks)


@dataclass(frozen=True, slots=True)
class _Plain:
    """A block without code and images: what it says stands in the text of the page."""

    _document: Document
    _block: Block
    text: str
    spoken: str

    @property
    def block(self) -> int:
        return self._block.index

    @property
    def role(self) -> str:
        return self._block.role

    def place(self, offset: int) -> tuple[int, int]:
        return self._document.place(self._block.start + offset)

    def source(self, offset: int) -> int:
        return self._document.offset(self._block.start + offset)

    def source_end(self, offset: int) -> int:
        if offset <= 0:
            return self.source(0)
        last = self._block.start + offset - 1
        piece, at = self._document.piece(last), self._document.offset(last)
        # Where a piece is spelt as it is rendered, each of its characters has a place of its own.
        first = self._document.places.offset(piece.first)
        spelt = self._document.source.startswith(
            self._document.text[piece.start : piece.end], first
        )
        return at + 1 if spelt else self._document.places.offset(piece.last)
