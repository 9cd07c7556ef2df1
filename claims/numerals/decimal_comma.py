"""Numbers with a decimal comma as numbers with a decimal point, in text of the same length.

Points and commas change places inside a number, and nowhere else. What may be either is told by
`doubt`: `1,234` and `1.234` are a thousand in one language and one and a bit in the other.
"""

import re

_NUMBER = re.compile(
    r"(?<![\w.,])(?<![A-Za-z]-)(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)(?![.,]?\d)", re.ASCII
)
_ADDRESS = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}", re.ASCII)
_EITHER = re.compile(r"([1-9]\d{0,2})[.,](\d{3})", re.ASCII)
_POINT = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)\.\d+", re.ASCII)
_SWAPPED = str.maketrans(".,", ",.")


def with_point(text: str) -> str:
    """Return text with decimal commas as one with decimal points, of the same length."""
    return _NUMBER.sub(lambda found: _swapped(found[0]), text)


def doubt(written: str) -> str | None:
    """Return why a number that is to have a decimal comma cannot be read; None where it can."""
    if either := _EITHER.fullmatch(written):
        thousand, part = "".join(either.groups()), ",".join(either.groups())
        return f"{written} may be {thousand} or {part}: the page has a decimal comma"
    if _POINT.fullmatch(written):
        return f"{written} has a decimal point, and the page a decimal comma"
    return None


def _swapped(number: str) -> str:
    return number if _ADDRESS.fullmatch(number) else number.translate(_SWAPPED)
