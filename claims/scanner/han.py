"""What a number is by the Chinese, Japanese or Korean character that touches it.

These scripts put no spaces between words, so a date, a label or a rank is told by one or two
characters: `2024年3月15日`, `图2`, `第3章`. Anything else that touches a digit there is a
measure word or text, and the number must resolve.
"""

import re

_MARKS = "年月第表图步阶附公算方版년월"

_CALENDAR = frozenset("年년月월日일号")
_UNITS_OF_TIME = {"年": "year", "년": "year", "月": "month", "월": "month"}
_SPACES = ("", " ", "\u00a0")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = re.compile(r"0?[1-9]|1[0-2]")
_DAY = re.compile(r"0?[1-9]|[12]\d|3[01]")
_MONTH_BEFORE = re.compile(r"\d[ \u00a0]?[月월][ \u00a0]?\Z")
# 代表 and 字节 are words that end alike, and stand in front of what they count.
_LABEL = re.compile(
    r"(?:步骤|阶段|(?<![代发列])表格?|(?<![意试企截])图|附录|公式|算法|方案)[ \u00a0]?\Z"
)
_ORDER = re.compile(r"第[ \u00a0]?\Z")
_VERSION = re.compile(r"版本?(?:号)?[ \u00a0]?\Z")
_COUNTED = re.compile(r"[ \u00a0]?[\u3400-\u9fff](?<![中所示的是为给列展和与或、])")
_RANKED = re.compile(r"[ \u00a0]?(?P<part>[章节步页条部篇卷])|[ \u00a0]?[一-鿿]")


def is_marked(text: str) -> bool:
    """Say whether a page has anything that `judge` looks for."""
    return not text.isascii() and any(mark in text for mark in _MARKS)


def judge(before: str, hit: str, after: str) -> str | None:
    """Return the exclusion of `hit` between `before` and `after`, None if these make it none."""
    behind = after[1:2] if after[:1] in _SPACES else after[:1]
    if behind in _CALENDAR:
        return _dated(before, hit, behind)
    if _ORDER.search(before) and hit.isdigit() and (rank := _RANKED.match(after)):
        return "label" if rank["part"] else "ordinal-word"
    if _LABEL.search(before) and hit.isdigit() and not _COUNTED.match(after):
        return "label"
    if _VERSION.search(before) and re.fullmatch(r"\d{1,2}\.\d{1,2}", hit):
        return "version"
    return None


def _dated(before: str, hit: str, behind: str) -> str | None:
    unit = _UNITS_OF_TIME.get(behind)
    if unit == "year":
        return "date" if _YEAR.fullmatch(hit) else None
    if unit == "month":
        return "date" if _MONTH.fullmatch(hit) else None
    return "date" if _DAY.fullmatch(hit) and _MONTH_BEFORE.search(before) else None
