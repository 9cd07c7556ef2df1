"""What a number is by the Chinese, Japanese or Korean character that touches it.

These scripts put no spaces between words, so a date, a label or a rank is told by one or two
characters: `2024年3月15日`, `图2`, `第3章`. Anything else that touches a digit there is a
measure word or text, and the number must resolve.
"""

import re

from claims.pages.flow import CODE

_MARKS = "年月第表图步阶附公算方版년월亿以个）系腾龙玑麟鹏米端"

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
_VERSION = re.compile(r"版本?(?:号)?[：:]?[ \u00a0]?\Z")
_PORT = re.compile(r"[ \u00a0]?(?:号)?端口")
_OF_PORT = re.compile(r"端口号?(?:[为是：:])?[ \u00a0]?\Z")
_AND_LATER = re.compile(r"[ \u00a0]?[及或]?(?:以上|更高|更新)的?版本")
_PRODUCT = re.compile(
    r"(?:昇腾[ \u00a0]?[39]10|鲲鹏[ \u00a0]?9\d0"
    r"|骁龙[ \u00a0]?(?:[4-8]\d\d|[5-8])"
    r"|小米[ \u00a0]?1[0-7]|天玑[ \u00a0]?[6-9]\d{3}|麒麟[ \u00a0]?(?:[6-9]\d0|9\d{3})"
    r"|锐龙[ \u00a0]?[3579])\Z"
)
_MEASURED = re.compile(r"[ \u00a0]?(?:[.%％×\d]|[倍个张块次台秒毫微分万亿])|[ \u00a0]?[A-Za-z]+/s")
_CARDS = re.compile(r"[RG]TX[ \u00a0]?\Z")
_SIZE_OF_MODEL = re.compile(r"亿(?:[（(]\d[\d.]*[ \u00a0]?B[)）]|(?:级|规模)?的?(?:模型)?参数)")
_PARAMETERS = re.compile(r"参数(?:量|规模|数量?)?(?:为|达到?|约|是|有|：)?[ \u00a0]?\Z")
_INVENTORY = re.compile(
    rf"\+?多?个[A-Za-z/ {CODE}-]{{0,20}}(?:OP|算子)(?!数|[A-Za-z])"
    r"|(?:\+|多)[ \u00a0]?[种个款](?:[^，。、；\d]{0,6}?)(?:App|应用|场景|模型|语言|项目|产品)"
)
_COUNTED = re.compile(r"[ \u00a0]?[\u3400-\u9fff](?<![中所示的是为给列展和与或、])")
_RANKED = re.compile(r"[ \u00a0]?(?P<part>[章节步页条部篇卷])|[ \u00a0]?[一-鿿]")


def is_marked(text: str) -> bool:
    """Say whether a page has anything that `judge` looks for."""
    return not text.isascii() and any(mark in text for mark in _MARKS)


def judge(before: str, hit: str, after: str) -> str | None:
    """Return the exclusion of `hit` between `before` and `after`, None if these make it none."""
    if found := _counted(before, hit, after):
        return found
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


def _counted(before: str, hit: str, after: str) -> str | None:
    """Judge a number by the words that say what it counts or names."""
    if _SIZE_OF_MODEL.match(after) or (after[:1] == "亿" and _PARAMETERS.search(before)):
        return "model-name"
    if hit.isdigit() and (_PORT.match(after) or (len(hit) > 3 and _OF_PORT.search(before))):
        return "port"
    if _INVENTORY.match(after):
        return "inventory"
    if _AND_LATER.match(after):
        return "version"
    is_product = _PRODUCT.search(before + hit) and not _MEASURED.match(after)
    if is_product or (after.lstrip()[:1] == "系" and _CARDS.search(before)):
        return "hardware-name"
    return None


def _dated(before: str, hit: str, behind: str) -> str | None:
    unit = _UNITS_OF_TIME.get(behind)
    if unit == "year":
        return "date" if _YEAR.fullmatch(hit) else None
    if unit == "month":
        return "date" if _MONTH.fullmatch(hit) else None
    return "date" if _DAY.fullmatch(hit) and _MONTH_BEFORE.search(before) else None
