"""Parts and dozens in words that say a result: half a second, two thirds of the memory.

They are read only with a unit of a result, or with what is measured, behind them: half of it, a
dozen files and a couple of flags are text.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal

from claims.numerals import units
from claims.numerals.units import UNIT
from receipts import late as re

_ONES = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
}
_WHOLES = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_COUNTS = {"dozen": 12, "dozens": 12, "couple": 2}
_PARTS = "|".join(_WHOLES)
_FOUND = re.compile(
    rf"\b(?:(?P<half>half)|(?P<count>dozens?|couple)|(?P<part>(?:{_PARTS})s?))\b(?!-)",
    re.IGNORECASE,
)
_HINTS = ("half", "ozen", "ouple", *(word[1:] for word in _WHOLES))
_NUMBER = "|".join(_ONES)
_APART = r"(?<![A-Za-z0-9_-])"
_AND_BEFORE = re.compile(
    rf"{_APART}(?:{_NUMBER})[ \u00a0-]and[ \u00a0-]a[ \u00a0-]\Z", re.IGNORECASE
)
_NUMBER_BEFORE = re.compile(rf"{_APART}(?:{_NUMBER})[ \u00a0-]\Z", re.IGNORECASE)
_ONE_BEFORE = re.compile(rf"{_APART}an?[ \u00a0-]\Z", re.IGNORECASE)
_LONGEST = len(" three and a ")
_OF_ONE = re.compile(r"[ \u00a0](?:of[ \u00a0])?an?(?=[ \u00a0])")
_OF = re.compile(r"[ \u00a0]of(?=[ \u00a0])")
_OF_RESULT = re.compile(
    r"[ \u00a0](?:of[ \u00a0](?:the|its|their|that|our)[ \u00a0](?:[a-z-]+[ \u00a0])?"
    r"(?:memory|v?ram|footprint|time|latency|duration|delay|throughput|bandwidth|speed|rate|traffic"
    r"|power|energy|cost|price|size|space|work|tokens|requests|runs|flops|hardware)"
    r"|faster|slower|less|lower|more|fewer|smaller|larger|higher|cheaper|quicker|shorter|longer)\b",
    re.IGNORECASE,
)


def find(text: str, is_claimed: Callable[[str, int], bool]) -> Iterator[tuple[int, int]]:
    """Yield begin and stop of each; `is_claimed` says whether a result's words stand behind."""
    if not any(hint in text for hint in _HINTS):
        return
    for match in _FOUND.finditer(text):
        begin, stop = match.span()
        before = (_AND_BEFORE if match["half"] else _NUMBER_BEFORE).search(
            text, max(0, begin - _LONGEST), begin
        )
        if match["half"]:
            is_result = is_claimed(text, stop) if before else _is_of_unit(text, stop, _OF_ONE)
        elif match["part"]:
            is_counted = before or _ONE_BEFORE.search(text, max(0, begin - _LONGEST), begin)
            is_result = is_counted is not None and _is_part_of_result(text, stop)
        else:
            is_dozen = match[0][0] in "dD"
            is_result = (is_dozen and is_claimed(text, stop)) or _is_of_unit(text, stop, _OF)
        if is_result:
            yield before.start() if before else begin, stop


def _is_part_of_result(text: str, end: int) -> bool:
    return _OF_RESULT.match(text, end) is not None or _is_of_unit(text, end, _OF_ONE)


def value(words: str) -> Decimal | None:
    """Return the value of words as `find` reads them, None if they are none; a third is 0.333."""
    parts = words.lower().replace("-", " ").split()
    first = _ONES.get(parts[0]) if parts else None
    last = parts[-1] if parts else ""
    if last == "half" and len(parts) > 1:
        return Decimal(first) + Decimal("0.5") if first else None
    if known := _COUNTS.get(last):
        return Decimal((first or 1) * known)
    whole = _WHOLES.get(last.removesuffix("s"))
    return round(Decimal(first or 1) / whole, 3).normalize() if whole else None


def _is_of_unit(text: str, end: int, of: re.Pattern[str]) -> bool:
    """Say whether `of a` and the unit of a result stand behind."""
    joint = of.match(text, end)
    unit = UNIT.match(text, joint.end()) if joint else None
    return unit is not None and units.claims_result(unit)
