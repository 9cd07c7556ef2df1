"""What a number is that no word in front of it names: by its own form, and by what is behind it."""

from collections.abc import Mapping

from claims.pages.flow import SEPARATOR
from claims.scanner import clocks, counts, meant
from claims.scanner.glued import DATE, IP, has_unit
from claims.scanner.products import COUNTED, RADEON, is_card
from claims.scanner.vocabulary import Before
from receipts import late as re

_MONTH_AFTER = re.compile(
    r"(?:st|nd|rd|th)?[ \u00a0](?:of )?"
    rf"(?:{clocks.MONTHS})[a-z]{{0,6}}\b"
)
_PROPER = re.compile(r"[(\"'“]?[A-Z][A-Za-z]{2,}")
ENDS = frozenset(f".,;:)*+!?{SEPARATOR}")
_DAY_BEFORE = re.compile(r"\d(?:st|nd|rd|th),? \Z")
_ORDERS = frozenset(("O(", "Θ(", "Ω("))
_LISTED = re.compile(r"\)[ \u00a0](?=[A-Za-z])")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_ILLIONS = frozenset("bmt")


def judge(text: str, start: int, end: int, words: Mapping[str, Before]) -> str | None:
    """Return the exclusion of a number that stands free, None if it must resolve."""
    if text[end] in " +-\u00a0" and (rule := counts.counted(text, start, end)):
        return rule
    if text[start + 1] == "^" and text[start:end] in counts.CONSTANTS:
        return None if COUNTED.match(text, end) or has_unit(text, end) else "constant"
    if end - start == 4 and (rule := _four_digits(text, start, end, words)):
        return rule
    if text[end + 1 : end + 2] in _ILLIONS and meant.is_model_size(text, end):
        return "model-name"
    return _two_digits(text, start, end) if end - start <= 2 else None


def parted(text: str, start: int, end: int) -> str | None:
    """Judge digits with several points in them, which no quantity of ours has."""
    hit = text[start:end]
    if IP.fullmatch(hit):
        return "ip-address"
    if DATE.fullmatch(hit):
        return "date"
    return None if _THOUSANDS.fullmatch(hit) else "version"


def _two_digits(text: str, start: int, end: int) -> str | None:
    if text[start - 2 : start] in _ORDERS:
        return "complexity"
    if _MONTH_AFTER.match(text, end):
        return "date"
    return "list-ordinal" if _is_item(text, start, end) else None


def _is_item(text: str, start: int, end: int) -> bool:
    """Say whether `(1)`, `1)` or `1）` begins an item of a list within a sentence."""
    if text[end] == "）":
        return meant.is_item(text, start, text[start:end])
    if text[end] != ")" or meant.measures(text, end + 1):
        return False
    if text[start - 1] == "(" and text[end + 1 : end + 2] in meant.SPACES:
        is_followed = text[end + 2 : end + 3].isalpha()
        return is_followed and meant.is_listed(text, start, text[start:end])
    if not _LISTED.match(text, end) or text[start - 1] not in meant.SPACES:
        return False
    before = text[max(0, start - 80) : start].rpartition(SEPARATOR)[2]
    return before.count("(") <= before.count(")")


def _four_digits(text: str, start: int, end: int, words: Mapping[str, Before]) -> str | None:
    if meant.YEAR.fullmatch(text, start, end):
        return _year(text, start, end, words)
    if RADEON.match(text, start):
        return "hardware-name"
    return "hardware-name" if is_card(text, start, end) and not has_unit(text, end) else None


def _year(text: str, start: int, end: int, words: Mapping[str, Before]) -> str | None:
    if text[start - 1] == "(" and text[end] in ");,+":
        return "year"
    if text[start - 2 : start] == ", " and (text[end] == ")" or text[start - 4] == "l"):
        return "year"  # (Doe et al., 2021), Doe et al., 2021
    before = text[max(0, start - 12) : start].replace(",", " ").split()[-1:]
    known = words.get(before[0].lower()) if before else None
    if (known and known.rule == "date") or _DAY_BEFORE.search(text, max(0, start - 8), start):
        return "date"
    is_named = before and _PROPER.fullmatch(before[0]) and text[end] in ENDS
    return "year" if is_named and text[start:end] > "2009" else None
