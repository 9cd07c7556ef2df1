"""Number words: `zero failures` and `twice as fast` are claims, `one of two` is not.

Words are on for the nouns that results are counted in, and for factors.
"""

import re
from collections.abc import Iterator

VALUES: dict[str, str] = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11",
    "twelve": "12", "half": "0.5", "twice": "2", "double": "2", "triple": "3",
}  # fmt: skip
"""The value of each word."""

# Without the first letter's case; the leading boundary is tested afterwards, for it would slow
# the search down.
_WORD = re.compile(
    r"[zZtTfFsSeEnNdDhH]"
    r"(?:ero|wo|hree|our|ive|ix|even|ight|ine|en|leven|welve|alf|wice|ouble[ds]?|riple[ds]?)\b"
)
_FACTOR = re.compile(
    r"(?:[ -]?fold|[ \u00a0-](?:times|x)[ \u00a0]"
    r"(?:as|the|faster|slower|higher|lower|more|less|fewer"
    r"|better|worse|larger|smaller|greater|quicker)|[ \u00a0]orders? of magnitude)\b"
)
_TWICE = re.compile(r"[ \u00a0](?:as|the|that|of the|faster|its|their|what)\b")
_COUNTED = re.compile(
    r"(?:[ \u00a0](?:hundred|thousand|million))?"
    r"(?:[ \u00a0](?!of|and|or|the|to|in|at|for)[a-z0-9,-]+){0,3}?"
    r"[ \u00a0](?:failures?|errors?|crash(?:es)?|restarts?|deaths?|regressions?|mismatch(?:es)?"
    r"|divergences?|timeouts?|OOMs?|drops?|losses|violations?|retries|handoffs?|misses|faults?"
    r"|percent|per cent|tokens?[ \u00a0]per[ \u00a0]second)\b"
)


def find(text: str) -> Iterator[tuple[int, int, str | None]]:
    """Yield begin, stop and exclusion (None for a quantity) of each number word but `one`."""
    for match in _WORD.finditer(text):
        begin, stop = match.span()
        known = match[0].lower() in VALUES or match[0][-1] in "ds"
        if known and not text[begin - 1].isalnum() and text[begin - 1] not in "_-":
            yield begin, stop, None if _counts(text, match) else "number-word"


def _counts(text: str, match: re.Match[str]) -> bool:
    word, end = match[0].lower(), match.end()
    if word in {"half", "twice"} or word.startswith(("double", "triple")):
        return _TWICE.match(text, end) is not None
    return bool(_FACTOR.match(text, end) or _COUNTED.match(text, end))
