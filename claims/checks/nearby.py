"""Where to begin reading for words that stand directly before a place.

Patterns that end where the place is (`…\\Z`) are tried from every character before it, and a
sentence without an end may have a hundred thousand of them. None reaches back further than `REACH`
characters unless blanks or invisible characters run on, so nothing before that need be tried. They
are searched with `pos` and `endpos`, by which a look behind still sees what stands before.
"""

from receipts import late as re

REACH = 160
"""No pattern of this package that ends at a place spans more, white space kept short."""
_GAP = re.compile(r"[\s\u00ad\u200b\u200c\u200d\u2060\ufeff]{9}")


def since(text: str, stop: int) -> int:
    """Return from where on a match that ends at `stop` may begin."""
    begin = stop - REACH
    return 0 if begin <= 0 or _GAP.search(text, begin, stop) else begin


def ends(words: re.Pattern[str], text: str, stop: int | None = None) -> re.Match[str] | None:
    """Return what of the text directly before `stop`, or its end, the pattern matches."""
    stop = len(text) if stop is None else stop
    return words.search(text, since(text, stop), stop)
