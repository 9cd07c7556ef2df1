"""Products that are called by their number alone: `a 4090`, `3090 Ti`, `4090 GPUs`, `4090 显卡`."""

import re

CARDS = frozenset(
    [
        "1060",
        "1070",
        "1080",
        "1650",
        "1660",
        "2060",
        "2070",
        "2080",
        "3050",
        "3060",
        "3070",
        "3080",
        "3090",
        "4050",
        "4060",
        "4070",
        "4080",
        "4090",
        "5050",
        "5060",
        "5070",
        "5080",
        "5090",
    ]
)
"""The numbers that graphics cards go by."""

COUNTED = re.compile(
    r"[ \u00a0](?:output |input |prompt |total |random |concurrent )?"
    r"(?:requests?|tokens?|prompts?|users?"
    r"|steps?|iterations?|samples?|runs?|lines?|sequences?|clients?|batches|questions?|examples?"
    r"|trials?|nodes?|cores?|threads?|workers?|layers?|experts?|heads?|ranks?|streams?|reps|repetitions|entries|rows|items|images|words|characters|bytes|seconds|ms|GPUs?)\b"
)
"""What a number counts if this stands behind it."""

RADEON = re.compile(r"[5-9]\d{3} ?(?:XTX|XT|GRE)\b")
"""A card that is called by its number and its letters alone: 7900 XTX."""

_AFTER = re.compile(
    r"[ -]?(?:(?:Ti|GPUs?|Super|SUPER|[Ll]aptop|[Dd]esktop|[Mm]obile|D)\b|显卡|显存|单?卡|为例)"
)
_BEFORE = frozenset(
    [
        "a",
        "an",
        "the",
        "single",
        "one",
        "dual",
        "two",
        "with",
        "on",
        "my",
        "per",
        "each",
        "and",
        "or",
        "vs",
        "nvidia",
    ]
)
_LISTED = re.compile(r"(?:[A-Z]{1,3}\d{2,4}|L4|T4)[A-Za-z]{0,3}, (?:and |or )?\Z")
_GOES_ON = re.compile(r",? (?:and |or )?(?:[A-Z]{1,3}\d{2,4}|L4|T4)\b|[.;)]")
_TIMES = re.compile(r"\d{0,2}[x×]")


def is_card(text: str, start: int, end: int) -> bool:
    """Say whether the four digits are a card's, by the words in front of and behind them."""
    if text[start:end] not in CARDS:
        return False
    if _AFTER.match(text, end):
        return True
    if _LISTED.search(text, max(0, start - 16), start) and _GOES_ON.match(text, end):
        return True  # A100, 4090 and H800
    words = text[max(0, start - 12) : start].split()
    is_led = bool(words) and (words[-1].lower() in _BEFORE or _TIMES.fullmatch(words[-1]))
    return bool(is_led) and not COUNTED.match(text, end)
