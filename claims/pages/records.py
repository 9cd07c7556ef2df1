"""What a walk over a page keeps of tables, links and comments, in bytes and rendered offsets."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class TableRecord:
    """A table by the blocks of its cells, row for row, the first `heads` rows being its header.

    `before` is the newest block when it began, `first` and `last` are its bytes.
    """

    first: int
    last: int
    before: int
    heads: int = 1
    rows: list[list[int]] = field(default_factory=list)


@dataclass(slots=True)
class LinkRecord:
    """A link or footnote reference by its part of the rendered text and its bytes."""

    destination: str
    start: int
    end: int
    first: int
    last: int
    block: int


@dataclass(slots=True)
class CommentRecord:
    """An HTML comment by its bytes; `before` is how much rendered text precedes it."""

    first: int
    last: int
    block: int
    before: int
    in_html: bool
    is_closed: bool = True
