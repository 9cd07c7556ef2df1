"""Chinese number words that count a result: 快了三倍, 减少一半, 性能翻倍.

As `three times faster` they claim a ratio. Elsewhere (三个, 一种, 倍数) they are text, not numbers.
"""

from collections.abc import Iterator
from decimal import Decimal

from receipts import late as re

_DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"两": 2, "兩": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_WHOLE = {"翻倍": Decimal(2), "翻番": Decimal(2), "一半": Decimal("0.5"), "半": Decimal("0.5")}
_LONGEST = 6
_NUMBER = rf"[{''.join(_DIGITS)}{''.join(_POWERS)}半]{{1,{_LONGEST}}}"
_FOUND = re.compile(
    rf"(?P<times>{_NUMBER})(?=(?:多|余)?倍(?!数|频|率|体))"
    r"|翻[倍番](?!数)"
    r"|(?:(?:[减降缩省少低短仅只]|不到|不足|节约)[了至到为有约去近 ]{0,3})(?P<half>一半)"
)


def find(text: str) -> Iterator[tuple[int, int]]:
    """Yield begin and stop of each word, in order."""
    if "倍" not in text and "半" not in text and "番" not in text:
        return
    for match in _FOUND.finditer(text):
        yield match.span(match.lastgroup or 0)


def value(word: str) -> Decimal | None:
    """Return the value of a word as `find` reads it, None if it is none."""
    if word in _WHOLE:
        return _WHOLE[word]
    total, current = 0, 0
    for sign in word:
        if sign in _DIGITS:
            current = _DIGITS[sign]
        elif sign == "万":
            total, current = max(total + current, 1) * _POWERS[sign], 0
        elif sign in _POWERS:
            total, current = total + max(current, 1) * _POWERS[sign], 0
        else:
            return None
    return Decimal(total + current) if word else None
