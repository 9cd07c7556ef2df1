"""Whether quoted words stand in a text: word for word, marks and white space aside.

Kinds of quotation marks, dashes and spaces, capitals, and Markdown's own marks do not matter. An
ellipsis inside a quotation leaves something out; the parts must follow each other.
"""

import re

_ALIKE = {
    ord(one): other
    for one, other in zip("“”„«»‘’′‐‑‒–—−\u00a0\u202f\u2009", '"""""\'\'\'------   ', strict=True)
} | dict.fromkeys(map(ord, "*_`\\\u00ad\u200b"))
_LEFT_OUT = re.compile(r"\s*(?:\[?…\]?|\[?\.\.\.\]?)\s*")
_EDGES = " .,;:!?\"'()[]"


def plain(text: str) -> str:
    """Return the text as it is compared: lower case, one space between words, no markup."""
    return " ".join(text.translate(_ALIKE).casefold().split())


def stand_in(words: str, text: str) -> bool:
    """Say whether the quoted words stand in `text`, which is `plain` already."""
    position = 0
    parts = [plain(part).strip(_EDGES) for part in _LEFT_OUT.split(words)]
    wanted = [part for part in parts if part]
    for part in wanted:
        position = _after(part, text, position)
        if position < 0:
            return False
    return bool(wanted)


def _after(part: str, text: str, position: int) -> int:
    """Return where `part` ends in `text`, whole words and whole numbers only, or -1."""
    while True:
        start = text.find(part, position)
        if start < 0:
            return -1
        end = start + len(part)
        if _is_edge(text, start - 1, part[0], -1) and _is_edge(text, end, part[-1], 1):
            return end
        position = start + 1


def _is_edge(text: str, at: int, own: str, step: int) -> bool:
    """Say whether a word or number ends before the character at `at`."""
    other = text[at : at + 1] if at >= 0 else ""
    if not other or not own.isalnum():
        return True
    if other.isalnum():
        return False
    beyond = text[at + step : at + step + 1] if at + step >= 0 else ""
    return not (own.isdigit() and other in ".," and beyond.isdigit())
