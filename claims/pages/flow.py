"""The rendered text of a page as one string, in blocks, with the way back to the source.

All blocks stand one behind the other in `text`, each between two `SEPARATOR`s, so that one pass of
one pattern reads the whole page. A *piece* is a run of rendered text that stands in the source
without a gap; where rendering differs from the spelling, it does so for the whole piece.
"""

from bisect import bisect_right
from dataclasses import dataclass
from html import unescape
from typing import Literal, NamedTuple

from receipts import late as re

Role = Literal["prose", "heading", "cell", "alt", "title", "code", "fence", "front-matter"]
Kind = Literal["text", "code", "alt"]

# White space to every pattern, and in no way part of a word.
SEPARATOR = "\x1e"
# Stands for each character of a code span: it is read, and it is neither word nor space.
CODE = "\ufffc"

_SPELT = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|\r\n?|\n")


class Piece(NamedTuple):
    """Rendered text from `start` to `end`, spelt by the bytes `first` to `last` of the body."""

    start: int
    end: int
    first: int
    last: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Block:
    """A leaf block or table cell: its part of the rendered text, and what it is on the page."""

    index: int
    start: int
    end: int
    role: Role


class Flow:
    """The rendered text while it grows; `close` ends it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._parts = [SEPARATOR]
        self.length = 1
        self.starts: list[int] = []
        self.pieces: list[tuple[int, int, int, int, Kind]] = []
        self.blocks: list[tuple[int, Role]] = []
        self.is_open = False
        self._was_alt = False

    @property
    def block(self) -> int:
        """The index of the newest block."""
        return len(self.blocks) - 1

    def open(self, role: Role) -> int:
        """Start a block and return its index."""
        if self.is_open:
            self.end_block()
        self.blocks.append((self.length, role))
        self.is_open = True
        self._was_alt = False
        return len(self.blocks) - 1

    def end_block(self) -> None:
        """End the open block, if one is open."""
        if self.is_open:
            self._parts.append(SEPARATOR)
            self.length += 1
            self.is_open = False

    def add_text(self, rendered: str, first: int, last: int) -> None:
        """Append a piece of text, which no image's text stands before, to the open block."""
        start = self.length
        self.length = end = start + len(rendered)
        self._parts.append(rendered)
        self.starts.append(start)
        self.pieces.append((start, end, first, last, "text"))

    def add(self, rendered: str, first: int, last: int, kind: Kind = "text") -> None:
        """Append a piece to the open block."""
        is_alt = kind == "alt"
        if is_alt is not self._was_alt:
            # An image's text is read apart from the words around it.
            self._was_alt = is_alt
            if self.length > self.blocks[-1][0]:
                self._parts.append(" ")
                self.length += 1
        end = self.length + len(rendered)
        self._parts.append(CODE * len(rendered) if kind == "code" else rendered)
        self.starts.append(self.length)
        self.pieces.append((self.length, end, first, last, kind))
        self.length = end

    def add_spelt(self, first: int, last: int, kind: Kind = "text") -> None:
        """Append bytes of the body in which only entities and line ends are not verbatim."""
        text = self._data[first:last].decode()
        done = 0
        for match in _SPELT.finditer(text):
            first = self._add_verbatim(text[done : match.start()], first, kind)
            rendered = " " if match[0][0] in "\r\n" else unescape(match[0])
            self.add(rendered, first, first + len(match[0]), kind)
            first, done = first + len(match[0]), match.end()
        self._add_verbatim(text[done:], first, kind)

    def _add_verbatim(self, text: str, first: int, kind: Kind) -> int:
        last = first + len(text.encode())
        if text:
            self.add(text, first, last, kind)
        return last

    def close(self) -> str:
        """End the last block and return the whole text."""
        self.end_block()
        return "".join(self._parts)


def piece_at(starts: list[int], offset: int) -> int:
    """Return the index of the piece that holds the rendered character at `offset`."""
    return bisect_right(starts, offset) - 1
