"""Every number of a page's rendered text, with what it is when it is no claim.

An *atom* is one run of digits with its thousands, decimals and exponent, or one number word; each
end of a range is one. An atom whose `rule` is None must resolve to a claim: that is decided by
exclusion, never by recognising claims.
"""

import re
from collections.abc import Callable, Iterator

from claims import number_words, numbers
from claims.document import Document
from claims.exclusions import Neighbours
from claims.flow import Role
from claims.numbers import Number
from claims.given import given
from claims.vocabulary import DEFAULT, Vocabulary

DIGITS = re.compile(
    r"[0-9０-９½⅓⅔¼¾⅛⅜⅝⅞](?:(?<=[0-9０-９])\d*+(?:,\d{3}(?!\d))*+(?:\.\d++)*+"
    r"(?:(?:[eE][-+−]?\d{1,2}(?![A-Za-z0-9_.]))|\^[-−]?\d{1,2})?)?"
)


class Atom:
    """One number of the page; offsets and places are worked out when they are asked for.

    `begin` and `stop` span it in the document's rendered `text`; `rule` names its exclusion.
    """

    __slots__ = ("_document", "_number", "begin", "rule", "stop")

    def __init__(self, document: Document, begin: int, stop: int, rule: str | None) -> None:
        self._document = document
        self.begin = begin
        self.stop = stop
        self.rule = rule

    def __repr__(self) -> str:
        return f"Atom({self.text!r}, {self.line}:{self.column}, {self.rule})"

    @property
    def text(self) -> str:
        """The digits or the word, as rendered, without sign and unit."""
        return self._document.text[self.begin : self.stop]

    @property
    def sign(self) -> str:
        """The sign in front of it as written, or nothing."""
        return sign(self._document.text, self.begin)

    @property
    def start(self) -> int:
        """Where its first digit stands in the source."""
        return self._document.offset(self.begin)

    @property
    def end(self) -> int:
        """Where it ends in the source."""
        return self._document.offset(self.stop - 1) + 1

    @property
    def line(self) -> int:
        """The line of its first digit."""
        return self._document.place(self.begin)[0]

    @property
    def column(self) -> int:
        """The column of its first digit."""
        return self._document.place(self.begin)[1]

    @property
    def block(self) -> int:
        """The block that it stands in."""
        return self._document.block_at(self.begin)

    @property
    def role(self) -> Role:
        """What that block is on the page."""
        piece = self._document.piece(self.begin)
        return "alt" if piece.kind == "alt" else self._document.blocks[self.block].role

    @property
    def number(self) -> Number | None:
        """Its value and unit; offsets in it relate to the text of its block. None if excluded."""
        if self.rule is not None:
            return None
        block = self._document.blocks[self.block]
        text = self._document.block_text(block.index)
        return numbers.at(text, self.begin - block.start, self.stop - block.start)


def scan(document: Document, vocabulary: Vocabulary = DEFAULT) -> tuple[Atom, ...]:
    """Return the atoms of the rendered text, in the order of the rendered text."""
    return tuple(Atom(document, *hit) for hit in hits(document, vocabulary))


def hits(document: Document, vocabulary: Vocabulary) -> Iterator[tuple[int, int, str | None]]:
    """Yield begin, stop and exclusion of each atom; words come behind all digits."""
    text = document.text
    blocks = document.walk.flow.blocks
    headings = frozenset(start for start, role in blocks if role == "heading")
    known = given(document)
    rule = _with_phrases(text, Neighbours(text, headings, vocabulary).rule, vocabulary)
    for match in DIGITS.finditer(text):
        begin, stop = match.span()
        yield begin, stop, (known.get(begin) if known else None) or rule(begin, stop)
    yield from number_words.find(text)


Judge = Callable[[int, int], str | None]


def _with_phrases(text: str, judge: Judge, vocabulary: Vocabulary) -> Judge:
    pattern = vocabulary.pattern()
    if pattern is None:
        return judge
    spans = [(m.start(), m.end(), " ".join(m[0].split())) for m in pattern.finditer(text)]
    inside = {
        at: vocabulary.phrases[phrase] for start, end, phrase in spans for at in range(start, end)
    }

    def with_phrases(begin: int, stop: int) -> str | None:
        return inside.get(begin) or judge(begin, stop)

    return with_phrases


_SIGNS = frozenset("+-−–")
_NO_SIGN_BEHIND = re.compile(r"[A-Za-z0-9_)\]%×.+−–—-]")


def sign(text: str, begin: int) -> str:
    """Return the sign in front of the number at `begin`, if what stands there is one."""
    before = text[begin - 1 : begin]
    if before == ".":
        begin, before = begin - 1, text[begin - 2 : begin - 1]
    if before in _SIGNS and before and not _NO_SIGN_BEHIND.match(text, begin - 2):
        return before
    return ""
