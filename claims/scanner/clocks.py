"""Whether `12:30` is a time of day, or the minutes and seconds that something took.

A duration is a result, so a time of day must be told as one: by `at` or `until` in front of it, by
the date that it follows, or by its `Z`, zone or `pm`. `It ran 10:30 min` and a cell `12:45` must
resolve.
"""

import re

from claims.numerals.units import UNIT

_REACH = 32
_MARKS = frozenset("0123456789:.")
MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_BEFORE = re.compile(
    r"(?:(?<![A-Za-z])(?:[Aa]t|[Uu]ntil|[Tt]ill|[Ss]ince|@)[ \u00a0]"
    r"|(?:19|20)\d\d(?:[-/.]\d\d?[-/.]\d\d?)?,?[ \u00a0](?:at[ \u00a0])?"
    rf"|(?:{MONTHS})[a-z]{{0,6}}\.?[ \u00a0]\d\d?(?:st|nd|rd|th)?,?[ \u00a0]"
    r"|(?:上午|下午|晚上|凌晨|中午|[日号])[ \u00a0]?)\Z"
)
_ZONE = re.compile(
    r"Z(?![A-Za-z])|[ \u00a0]?(?:[AaPp]\.?[Mm]\b|UTC|GMT|CES?T\b|[PECM][SD]?T\b|[JI]ST\b)"
)
_DURING = re.compile(r"[ \u00a0]?(?:\(?h{0,2}:?mm?:ss|per|each|into|in total|later|elapsed)\b")
_JOINT = re.compile(r"[ \u00a0]?(?:[-–—]|to|and|until)[ \u00a0]?")


def is_time_of_day(text: str, start: int, end: int, last: int) -> bool:
    """Say whether the number from `start` to `end` is part of a time of day.

    `last` is where the last time of day of the text ended, for the second end of a range.
    """
    begin, stop = start, end
    while text[begin - 1] in _MARKS:
        begin -= 1
    while text[stop] in _MARKS:
        stop += 1
    while text[stop - 1] in ".:":
        stop -= 1
    if begin < last or _ZONE.match(text, stop):
        return True
    if UNIT.match(text, stop) or _DURING.match(text, stop):
        return False
    if 0 <= last < begin and _JOINT.fullmatch(text, last, begin):
        return True
    return _BEFORE.search(text, max(0, begin - _REACH), begin) is not None


def end_of(text: str, end: int) -> int:
    """Return where the time ends that the number ending at `end` is part of."""
    while text[end] in _MARKS:
        end += 1
    return end - (text[end - 1] in ".:")
