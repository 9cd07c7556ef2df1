"""A Markdown page as its reader sees it: rendered text, tables, links, and what is said to us.

`parse` reads a page once and keeps the rendered text of all its blocks in one string::

    We reach **1.05×**<!--claim:C16--> on `pp512`.

    fragments  "We reach ", "1.05×", " on ", "."     code  "`pp512`"     markers  C16

The law that everything downstream rests on: ``source[start : start + len(text)] == text`` for every
fragment, whatever quotes, tables, escapes, byte order marks or line endings stand around it.

* A fragment is a run of text that stands in the source as it is rendered, within one line.
* Where rendering differs from the source (an entity, a line break, `<br>`), the spelling in the
  source is a fragment of its own: `text` is the spelling (`&nbsp;`), `rendered` what is read.
  A backslash escape needs no such case: the backslash belongs to no fragment.
* Text of raw HTML and chosen values of front matter are fragments; code blocks are not, unless the
  fence's info string says `claims-scan`. Titles of links and images, and the attributes `alt`,
  `title` and `<meta content>`, are read apart from the sentence around them: they are `asides`.
* Code spans are kept apart in `code`: they belong to the wording of a sentence, but their digits
  are not claims.

Offsets and columns count code points of the page as given, the byte order mark included; lines end
with CR, LF or CRLF; lines and columns start at 1, and a tab counts 1. Views are made when they are
asked for: a page that is only scanned pays for its text alone.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from pyromark import Markdown, Options

from claims.numerals import numbers
from claims.numerals.numbers import Number
from claims.pages import comments, directives, front_matter, tables
from claims.pages.comments import BadMarker
from claims.pages.directives import Directive
from claims.pages.flow import Block, Piece, Role, piece_at
from claims.pages.parts import Footnote, Fragment, Link, Marker
from claims.pages.places import Places
from claims.pages.records import LinkRecord
from claims.pages.tables import Cell, Table
from claims.pages.walk import Walk
from receipts.errors import MalformedError

MAX_CHARACTERS = 16 * 1024 * 1024

__all__ = ["BadMarker", "Block", "Cell", "Directive", "Role", "Table"]


class Document:
    """A page: its text as given in `source`, as rendered in `text`, and views of what it holds.

    Offsets into `text` are called *rendered* offsets; `offset` and `place` lead back. The first
    `flow_blocks` blocks are running text, the others asides.
    """

    def __init__(self, places: Places, walk: Walk) -> None:
        self.source = places.source
        self.places = places
        self.walk = walk
        self.flow_blocks = walk.flow.block + 1 - len(walk.asides)
        self.text = walk.flow.close()
        self._raw_pieces = walk.flow.pieces
        self._starts = walk.flow.starts
        self._numbers: dict[int, list[Number]] = {}
        self._verbatim: dict[int, bool] = {}

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece of the rendered text, in its order."""
        return tuple(map(Piece._make, self._raw_pieces))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page; asides come behind all others."""
        found = self.walk.flow.blocks
        ends = [start - 1 for start, _ in found[1:]] + [len(self.text) - 1]
        return tuple(
            Block(index, start, end, role)
            for index, ((start, role), end) in enumerate(zip(found, ends, strict=False))
        )

    @cached_property
    def _block_starts(self) -> list[int]:
        return [start for start, _ in self.walk.flow.blocks]

    def block_at(self, rendered: int) -> int:
        """Return the index of the block that holds a rendered offset."""
        return bisect_right(self._block_starts, rendered) - 1

    def block_text(self, block: int) -> str:
        """Return the rendered text of a block, code struck out."""
        here = self.blocks[block]
        return self.text[here.start : here.end]

    def numbers_near(self, block: int, offset: int) -> tuple[Number, ...]:
        """Return the number of a block that an offset into its text lies in, or is behind."""
        if block not in self._numbers:
            self._numbers[block] = numbers.find(self.block_text(block))
        found = self._numbers[block]
        index = bisect_right(found, offset, key=lambda number: number.start)
        return tuple(found[max(0, index - 1) : index])

    def piece(self, rendered: int) -> Piece:
        """Return the piece that holds, or is nearest before, a rendered offset."""
        return Piece(*self._raw_pieces[max(0, piece_at(self._starts, rendered))])

    def offset(self, rendered: int) -> int:
        """Return where a rendered character stands in the source: its own or its entity's place."""
        piece = self.piece(rendered)
        first = self.places.offset(piece.first)
        inside = rendered - piece.start
        if not inside or self._is_verbatim(piece, first):
            return first + inside
        return first

    def place(self, rendered: int) -> tuple[int, int]:
        """Return line and column of a rendered character."""
        return self.places.line_column(self.offset(rendered))

    def _is_verbatim(self, piece: Piece, first: int) -> bool:
        if piece.start not in self._verbatim:
            rendered = self.text[piece.start : piece.end]
            is_same = piece.kind == "code" or self.source.startswith(rendered, first)
            self._verbatim[piece.start] = is_same
        return self._verbatim[piece.start]

    @cached_property
    def fragments(self) -> tuple[Fragment, ...]:
        """The running text of the page, in the order of the source."""
        stop = self.flow_blocks
        end = self.blocks[stop].start if stop < len(self.blocks) else len(self.text)
        running = self.pieces[: bisect_left(self._starts, end)]
        found = (piece for piece in self._merged(running) if piece.kind != "code")
        return tuple(self._fragment(piece) for piece in found)

    def fragments_of(self, blocks: Iterable[int]) -> Iterator[Fragment]:
        """Yield the running text and the code spans of these blocks only, block by block."""
        for block in blocks:
            here = self.blocks[block]
            first, stop = bisect_left(self._starts, here.start), bisect_left(self._starts, here.end)
            pieces = map(Piece._make, self._raw_pieces[first:stop])
            yield from map(self._fragment, self._merged(pieces))

    @cached_property
    def code(self) -> tuple[Fragment, ...]:
        """The code spans of the page, in the order of the source."""
        return tuple(self._fragment(piece) for piece in self.pieces if piece.kind == "code")

    @cached_property
    def asides(self) -> tuple[Fragment, ...]:
        """Titles and readable attributes."""
        blocks = range(self.flow_blocks, len(self.blocks))
        found = (p for p in self.pieces if self.block_at(p.start) in blocks)
        return tuple(self._fragment(piece) for piece in found)

    def _merged(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield the pieces, those that run on joined."""
        last: Piece | None = None
        for piece in pieces:
            is_plain = piece.kind != "code" and self._is_spelt_plainly(piece)
            ends = last and (last.end, last.last, last.kind)
            if last and is_plain and ends == (piece.start, piece.first, piece.kind):
                last = last._replace(end=piece.end, last=piece.last)
                continue
            if last:
                yield last
            last = piece
            if not is_plain:
                yield piece
                last = None
        if last:
            yield last

    def _is_spelt_plainly(self, piece: Piece) -> bool:
        spelling = self.places.data[piece.first : piece.last]
        return spelling == self.text[piece.start : piece.end].encode()

    def _fragment(self, piece: Piece) -> Fragment:
        start = self.places.offset(piece.first)
        text = self.source[start : self.places.offset(piece.last)]
        block = self.block_at(piece.start)
        role = self.walk.flow.blocks[block][1]
        if piece.kind == "code":
            rendered, role = _code_text(text), "code"
            if len(rendered) != piece.end - piece.start:
                rendered = rendered.replace("\\|", "|")
        else:
            rendered = self.text[piece.start : piece.end]
            role = "alt" if piece.kind == "alt" else role
        return Fragment(text, rendered, start, *self.places.line_column(start), block, role)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables of the page, in order."""
        records = sorted(self.walk.tables, key=lambda record: record.first)
        return tuple(tables.read(record, self.block_text, self._line) for record in records)

    @cached_property
    def _cells(self) -> dict[int, tuple[Table, Cell]]:
        return {
            cell.block: (table, cell) for table in self.tables for row in table.rows for cell in row
        }

    def cell(self, block: int) -> tuple[Table, Cell] | None:
        """Return the table and the cell below its header that a block is, if it is one."""
        return self._cells.get(block)

    def _line(self, byte: int) -> int:
        return self.places.line_column(self.places.offset(byte))[0]

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Links and footnote references, in order."""
        found = [
            *(self._link(record) for record in self.walk.links),
            *(self._link(record, is_footnote=True) for record in self.walk.notes),
        ]
        return tuple(sorted(found, key=lambda link: (link.start, link.end)))

    def _link(self, record: LinkRecord, *, is_footnote: bool = False) -> Link:
        place = self.places.line_column(self.places.offset(record.first))
        destination, start, end = record.destination, record.start, record.end
        return Link(destination, start, end, *place, record.block, is_footnote)

    @cached_property
    def footnotes(self) -> tuple[Footnote, ...]:
        """The bodies of footnotes."""
        return tuple(Footnote(*definition) for definition in self.walk.definitions)

    @cached_property
    def directives(self) -> tuple[Directive, ...]:
        """What comments say to the checker, in order; malformed and misplaced ones are not here."""
        return tuple(one for one in self._said if isinstance(one, Directive))

    @cached_property
    def markers(self) -> tuple[Marker, ...]:
        """The directives that bind to a whole claim, in order."""
        return tuple(
            Marker(one.written.claim or "", one.start, one.end, one.line, one.column, one.block)
            for one in self.directives
            if one.written == directives.Written("bind", one.written.claim)
        )

    @cached_property
    def bad_markers(self) -> tuple[BadMarker, ...]:
        """The comments that mean to bind and cannot, in order."""
        return tuple(one for one in self._said if isinstance(one, BadMarker))

    @cached_property
    def _said(self) -> tuple[Directive | BadMarker, ...]:
        found = (comments.read(self.places, self.walk, one) for one in self.walk.comments)
        return tuple(one for one in found if one is not None)


# What GitHub renders, less autolinking, which would not change any text.
MARKDOWN = Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_GFM
)
_LONE_CR = re.compile(r"\r(?!\n)")
# An MDX comment has one character less than an HTML comment, so that the two change places with
# nothing around them moved.
_MDX = re.compile(r"\{/\*(?=\s*claims?\s*[:-])([^{}])([^{}]{0,512}?)\*/\}")


def parse(source: str, keys: Collection[str] = front_matter.READ) -> Document:
    """Return the Markdown page `source`; of its front matter the values of `keys` are read.

    Raises `MalformedError` for a page of more than 16 Mi characters or with lone surrogates.
    """
    if len(source) > MAX_CHARACTERS:
        raise MalformedError(
            f"page of {len(source)} characters is over the limit of {MAX_CHARACTERS}; split it"
        )
    places = Places(source)
    body = front_matter.end(source)
    text = source
    if body:
        # Empty lines of the same size keep every place of the body.
        text = "\n" * places.byte(body) + source[body:]
    if "\r" in text:
        # The parser overlooks code fences that a lone CR ends, and then hides the lines behind.
        text = _LONE_CR.sub("\n", text)
    if "{/*" in text:
        text = _MDX.sub(lambda match: f"<!--{match[2]}-->", text)
    walk = Walk(places.data, text)
    if body > 1:
        values = front_matter.values(source, body, keys)
        walk.front_matter([(places.byte(a), places.byte(b)) for a, b in one] for one in values)
    walk.read(MARKDOWN)
    return Document(places, walk)


def _code_text(spelling: str) -> str:
    """Return what a code span shows."""
    text = spelling.strip("`").replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
    if text[:1] == text[-1:] == " " and text.strip():
        return text[1:-1]
    return text
