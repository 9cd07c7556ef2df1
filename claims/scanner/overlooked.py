"""Numbers that a reader sees and a scanner of digits would overlook: each is refused by name.

They stand in code spans; as digits spelt as entities, parted by characters that nobody sees, or
taken from another script (`⁶¹ tok/s`, `٦١`, `𝟔𝟏`); or Markdown reads them as the number of a list.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from claims.numerals.units import UNIT
from claims.pages.document import Document
from claims.pages.flow import SEPARATOR
from claims.rules import Refusal
from claims.scanner import code_spans, meant
from receipts import late as re

_HIDDEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]++")
_PARTED = re.compile(rf"[0-9][.,]?({_HIDDEN.pattern})[.,]?[0-9]")
_LAST = 0x20000  # beyond it are only ideographs
_READ = frozenset("½⅓⅔¼¾⅛⅜⅝⅞")
_WIDE = re.compile(r"[^\x00-\x7f]+")
_OPENING = frozenset(f"([{{\"'“‘«~≈<>≤≥=+-−–|{SEPARATOR}")
_ITEM = re.compile(r"^[ \t>]*+(?:[-+*][ \t]+)*+(\d{1,9})[.)](?=[ \t])", re.MULTILINE)
_UNMARKED = re.compile(r"[ \t]*+")
_DIGIT_ENTITY = re.compile(r"&#(?:x0*3[0-9]|0*(?:4[89]|5[0-7]));", re.IGNORECASE)


def refusals(name: str, page: Document) -> Iterator[Refusal]:
    """Yield what the page called `name` hides in code spans (CLM108) and spells apart (CLM013)."""
    for span, claimed in code_spans.claims(page):
        message = f"{span.rendered!r} claims {claimed.text} {claimed.unit} in a code span"
        yield Refusal("CLM108", message, place=f"{name}:{span.line}:{span.column}")
    wide = set("".join(_WIDE.findall(page.text)))
    for begin, message in (*_entities(page), *_parted(page, wide), *_foreign(page, wide)):
        line, column = page.place(begin)
        yield Refusal("CLM013", message, place=f"{name}:{line}:{column}")
    for start, message in _listed(page):
        line, column = page.places.line_column(start)
        yield Refusal("CLM013", message, place=f"{name}:{line}:{column}")


def _entities(page: Document) -> Iterator[tuple[int, str]]:
    if "&#" not in page.source:
        return
    for piece in page.pieces:
        if piece.kind != "code" and "0" <= page.text[piece.start] <= "9":
            spelling = page.places.data[piece.first : piece.last].decode()
            if _DIGIT_ENTITY.fullmatch(spelling):
                yield piece.start, f"{page.text[piece.start]} is spelt {spelling}"


def _parted(page: Document, wide: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the numbers that an invisible character, one of the `wide` ones, parts in two."""
    if not any(map(_HIDDEN.match, wide)):
        return
    for match in _PARTED.finditer(page.text):
        hidden = unicodedata.name(match[1][0], "a control character").lower()
        yield match.start(), f"{hidden} stands inside a number"


def _foreign(page: Document, wide: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the numbers in digits that are not 0 to 9, full-width digits apart, which are read."""
    text = page.text
    if not any(map(_counts, wide)):
        return
    for match in _digits_of_others().finditer(text):
        if match["mark"] is None or _is_quantity(text, *match.span()):
            yield match.start(), f"{match[0]} is not written in the digits 0 to 9"


def _is_quantity(text: str, start: int, end: int) -> bool:
    """Say whether superscripts, circled digits and their like are no mark: a unit is behind."""
    before, kind = text[start - 1], unicodedata.decomposition(text[start])
    # 10⁶ is a power; 6① and 1⅕ are nothing but numbers.
    is_free = before.isspace() or before in _OPENING
    if not is_free and not (before.isdecimal() and kind.startswith(("<circle", "<fraction"))):
        return False
    # In front of a block one superscript is the mark of a footnote.
    is_first = before == SEPARATOR and end - start == 1 and text[end].isspace()
    is_mark = is_first and not kind.startswith("<fraction") and UNIT.match(text, end) is not None
    return not is_mark and meant.multiplies(text, end)


def _is_foreign_digit(char: str) -> bool:
    """Say whether a character counts in another script, full-width digits apart."""
    return unicodedata.category(char) == "Nd" and not 0xFF10 <= ord(char) <= 0xFF19


def _is_mark(char: str) -> bool:
    """Say whether it marks more than it counts: ², ④ and Ⅳ."""
    is_roman = "\u2160" <= char <= "\u2188"
    return is_roman or (unicodedata.category(char) == "No" and char not in _READ)


@lru_cache(maxsize=4096)
def _counts(char: str) -> bool:
    return _is_foreign_digit(char) or _is_mark(char)


@lru_cache(maxsize=1)
def _digits_of_others() -> re.Pattern[str]:
    """Return the pattern of digits of other scripts; `mark` are those that mark more than count."""
    every = [chr(code) for code in range(0x80, _LAST)]
    ours, theirs = "".join(filter(_is_foreign_digit, every)), "".join(filter(_is_mark, every))
    return re.compile(
        rf"[{ours}][{ours}.,\u066b\u066c]*+|(?P<mark>[{theirs}]++(?:[.,][{theirs}]++)?)"
    )


def _listed(page: Document) -> Iterator[tuple[int, str]]:
    """Yield the numbers that start a list, and that a unit behind makes a quantity."""
    found = list(_ITEM.finditer(page.source))
    numbered = {int(item[1]) for item in found}
    told = [item for item in found if _is_quantity_of_list(page.source, item, numbered)]
    read = {piece.first for piece in page.pieces} if told else set()
    for item in told:
        text = _UNMARKED.match(page.source, item.end(1) + 1)
        if text and page.places.byte(text.end()) in read:
            yield item.start(1), f"{item[1]} is read as the number of a list"


def _is_quantity_of_list(source: str, item: re.Match[str], numbered: set[int]) -> bool:
    """Say whether a unit stands behind the number of an item that continues no list."""
    number = int(item[1])
    return number > 1 and number - 1 not in numbered and meant.multiplies(source, item.end(1) + 1)
