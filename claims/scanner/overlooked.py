"""Numbers that a reader sees and a scanner of digits would overlook: each is refused by name."""

import re
from collections.abc import Iterator

from claims.numerals import numbers
from claims.numerals.numbers import UNITS, Number
from claims.pages.document import Document
from claims.rules import Refusal

_RATES = frozenset(name for name, unit in UNITS.items() if "/" in unit.dimension)
_DURATIONS = frozenset(("s", "min", "h"))
_AROUND = re.compile(r"[\s~≈<>≤≥±/,–→-]*")
_DIGIT_ENTITY = re.compile(r"&#(?:x0*3[0-9]|0*(?:4[89]|5[0-7]));", re.IGNORECASE)


def refusals(name: str, page: Document) -> Iterator[Refusal]:
    """Yield what the page called `name` hides in code spans (CLM108) and in entities (CLM013)."""
    for span in page.code:
        claimed = _claimed(span.rendered)
        if claimed:
            message = f"{span.rendered!r} claims {claimed.text} {claimed.unit} in a code span"
            yield Refusal("CLM108", message, place=f"{name}:{span.line}:{span.column}")
    if "&#" not in page.source:
        return
    for piece in page.pieces:
        if piece.kind != "code" and "0" <= page.text[piece.start] <= "9":
            spelling = page.places.data[piece.first : piece.last].decode()
            if _DIGIT_ENTITY.fullmatch(spelling):
                line, column = page.place(piece.start)
                message = f"{page.text[piece.start]} is spelt {spelling}"
                yield Refusal("CLM013", message, place=f"{name}:{line}:{column}")


def _claimed(code: str) -> Number | None:
    """Return the first number of a code span that claims a result.

    A rate always does; any other measurement does where the span holds nothing but quantities.
    """
    found = numbers.find(code)
    for number in found:
        if number.unit in _RATES:
            return number
    measured = [one for one in found if numbers.is_measurement(one.unit)]
    ends = [0, *(one.after for one in found)]
    starts = [*(one.start for one in found), len(code)]
    gaps = (code[end:start] for end, start in zip(ends, starts, strict=True))
    if not measured or not all(_AROUND.fullmatch(gap) for gap in gaps):
        return None
    return next((one for one in measured if one.unit not in _DURATIONS), None)
