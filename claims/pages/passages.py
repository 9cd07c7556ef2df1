"""The running text of a page, block by block, with the way back to line and column.

::

    We are **faster** than `vllm`.      "We are faster than vllm."

An image's text is read apart from the words around it. In `spoken` code is struck out, length for
length, for what stands in a code span is shown and not said.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from claims.pages.document import Document
from claims.pages.parts import Fragment
from claims.pages.sentences import sentence_ends

STRUCK = "\N{OBJECT REPLACEMENT CHARACTER}"
_LINE_END = re.compile(r"\r\n?|\n")
_OPENS_LINK, _CLOSES_LINK = "[", ("](", "][")


@dataclass(frozen=True, slots=True)
class Passage:
    """The rendered text of one block, heading, cell or image description."""

    block: int
    role: str
    text: str
    spoken: str
    pieces: tuple[Fragment, ...]
    offsets: tuple[int, ...]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character of `text`."""
        piece, inside = self._piece(offset)
        return piece.line, piece.column + inside

    def source(self, offset: int) -> int:
        """Return where in the page a character of `text` stands."""
        piece, inside = self._piece(offset)
        return piece.start + inside

    def source_end(self, offset: int) -> int:
        """Return where in the page the text before `offset` ends, markup behind it left out."""
        if offset <= 0:
            return self.pieces[0].start
        piece, inside = self._piece(offset - 1)
        whole = piece.text != piece.rendered
        return piece.start + (len(piece.text) if whole else min(inside + 1, len(piece.text)))

    def is_markup(self, offset: int) -> bool:
        """Say whether this character stands for markup: the bracket of a link."""
        index = bisect_right(self.offsets, offset) - 1
        if index < 0:
            return True
        return offset >= self.offsets[index] + len(self.pieces[index].rendered)

    def sentences(self) -> Iterator[tuple[int, int]]:
        """Yield start and end of each sentence, the white space before it left out."""
        start = 0
        for end in (*sentence_ends(self.spoken), len(self.text)):
            while start < end and self.text[start].isspace():
                start += 1
            if start < end:
                yield start, end
            start = end

    def _piece(self, offset: int) -> tuple[Fragment, int]:
        index = max(0, bisect_right(self.offsets, offset) - 1)
        piece = self.pieces[index]
        inside = offset - self.offsets[index]
        if piece.text != piece.rendered:
            return piece, 0
        return piece, min(inside, len(piece.text))


class Offsets:
    """Lines and columns of a page as offsets."""

    def __init__(self, source: str) -> None:
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(source))]

    def of(self, line: int, column: int) -> int:
        """Return the offset of a line and column, both from 1."""
        return self._starts[line - 1] + column - 1


def read(
    document: Document, *, links: bool = False, blocks: Iterable[int] | None = None
) -> Iterator[Passage]:
    """Yield the passages of a page in order; with `links`, link texts keep their brackets.

    With `blocks`, only those of these blocks, in ascending order, are made.
    """
    whole = (*document.fragments, *document.code) if blocks is None else ()
    chosen = document.fragments_of(blocks) if blocks is not None else whole
    pieces = sorted(chosen, key=lambda piece: piece.start)
    for (block, _), group in groupby(pieces, key=lambda one: (one.block, one.role == "alt")):
        yield _passage(document.source, block, tuple(group), links=links)


def _passage(source: str, block: int, pieces: tuple[Fragment, ...], *, links: bool) -> Passage:
    text: list[str] = []
    spoken: list[str] = []
    offsets: list[int] = []
    length = 0
    before = pieces[0].start - 1
    for piece in pieces:
        gap = _brackets(source, before, piece.start) if links else ""
        text.append(gap)
        spoken.append(gap)
        offsets.append(length + len(gap))
        text.append(piece.rendered)
        is_code = piece.role == "code"
        spoken.append(STRUCK * len(piece.rendered) if is_code else piece.rendered)
        length += len(gap) + len(piece.rendered)
        before = piece.start + len(piece.text)
    if links and source.startswith(_CLOSES_LINK, before):
        text.append("]")
        spoken.append("]")
    role = next((piece.role for piece in pieces if piece.role != "code"), "prose")
    return Passage(block, role, "".join(text), "".join(spoken), pieces, tuple(offsets))


def _brackets(source: str, start: int, end: int) -> str:
    """Return the brackets of links that close and open between two fragments."""
    closes = "]" if source.startswith(_CLOSES_LINK, start) else ""
    opens = "[" if end > 0 and end > start and source[end - 1] == _OPENS_LINK else ""
    return closes + opens
