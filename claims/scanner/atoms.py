"""Every number of a page's rendered text, with what it is when it is no claim.

An *atom* is one run of digits with its thousands, decimals and exponent, or one number word; each
end of a range is one. An atom whose `rule` is None must resolve to a claim: that is decided by
exclusion, never by recognising claims.
"""

from dataclasses import replace
from operator import itemgetter

from claims.numerals import number_words, numbers
from claims.numerals.numbers import Number
from claims.pages.document import Document
from claims.pages.flow import Role
from claims.scanner.columns import Columns
from claims.scanner.given import given, is_anchored
from claims.scanner.neighbours import Judged, Neighbours
from claims.scanner.vocabulary import DEFAULT, Vocabulary
from receipts import late as re

# A digit behind a letter starts no number with an exponent: v5e-8 is a name.
DIGITS = re.compile(
    r"[0-9０-９½⅓⅔¼¾⅛⅜⅝⅞](?:"
    r"(?<=[A-Za-z_]\d)\d*+(?:\.\d++)*+"
    r"|(?<=\d)\d*+(?:,\d{3}(?!\d))*+(?:\.\d++)*+"
    r"(?:[eE][-+−]?\d{1,2}(?![A-Za-z0-9_.])|\^[-−]?\d{1,2}|[½⅓⅔¼¾⅛⅜⅝⅞])?"
    r")?"
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
        start, end = self.begin - block.start, self.stop - block.start
        for number in self._document.numbers_near(block.index, start):
            if number.start <= start < number.end:
                return number
        text = self._document.block_text(block.index)
        found = numbers.plain(text, start, end)
        if not self.text[:1].isalpha():
            return found
        word = number_words.value(self.text)
        return found if word is None else replace(found, value=word)


def scan(document: Document, vocabulary: Vocabulary = DEFAULT) -> tuple[Atom, ...]:
    """Return the atoms of the rendered text, in the order of the rendered text."""
    return tuple(Atom(document, *hit) for hit in hits(document, vocabulary))


def hits(document: Document, vocabulary: Vocabulary) -> list[Judged]:
    """Return begin, stop and exclusion of each atom; words come behind all digits."""
    text = document.text
    headings = frozenset(at for at, role in document.walk.flow.blocks if role == "heading")
    known = given(document) | _in_phrases(text, vocabulary)
    found = Neighbours(text, headings, vocabulary, Columns(document)).judge(DIGITS, known)
    if "</a>" in document.source:
        found = [
            (begin, stop, "citation" if not rule and is_anchored(document, begin, stop) else rule)
            for begin, stop, rule in found
        ]
    found.extend(sorted(number_words.find(text), key=itemgetter(0)))
    return found


def _in_phrases(text: str, vocabulary: Vocabulary) -> dict[int, str]:
    """Return the exclusion of every offset that one of the project's own names covers."""
    pattern = vocabulary.pattern()
    if pattern is None:
        return {}
    return {
        at: vocabulary.phrases[" ".join(match[0].split())]
        for match in pattern.finditer(text)
        for at in range(*match.span())
    }


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
