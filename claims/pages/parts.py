"""The parts of a page that its readers are handed, each with its place in the source."""

from dataclasses import dataclass

from claims.pages.flow import Role


@dataclass(frozen=True, slots=True)
class Fragment:
    """One run of rendered text; fragments with the same `block` are parts of one running text.

    `block` numbers the leaf block or table cell and means nothing but equality and order.
    """

    text: str
    rendered: str
    start: int
    line: int
    column: int
    block: int
    role: Role


@dataclass(frozen=True, slots=True)
class Marker:
    """A comment `<!--claim:ID-->`, which binds what stands before it to the claim `ID`."""

    claim: str
    start: int
    end: int
    line: int
    column: int
    block: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link, or a reference to the footnote `[^destination]`.

    `start` and `end` span its text in the page's rendered `text` (nothing, for a footnote), `line`
    and `column` are where it begins in the source.
    """

    destination: str
    start: int
    end: int
    line: int
    column: int
    block: int
    is_footnote: bool = False


@dataclass(frozen=True, slots=True)
class Footnote:
    """The body of a footnote: the blocks from `first` up to `stop`, which it does not hold."""

    label: str
    first: int
    stop: int
