"""What touches a number: nothing but punctuation, a unit, or the word that it is part of."""

from claims.pages.flow import SEPARATOR
from claims.scanner import meant
from claims.scanner.glued import ADDRESS, Verdict, word
from receipts import late as re

# A unit glued to a number that nothing is glued in front of; 1990s is not one.
GLUED = re.compile(
    rf"(?:[×x%]|ms|µs|(?<!\d{{4}})(?<![1-9]00)s|[KMGT]i?B|tok/s)(?=[\s{SEPARATOR},;:)†*…]|[.](?:\s|\Z)|[–/]\d)"
)
FREE_BEFORE = frozenset(f"{meant.SPACES}{SEPARATOR}~≈≥≤→±,;(|−\ufffc")
_FREE_AFTER = frozenset(f"{meant.SPACES}{SEPARATOR},;)%†‡|→±!?\ufffc")
_WORD = 64
_LONG_WORD = 2048
_NEXT_WORD = 17
_SIZES = frozenset("BbT")
_CACHED = 8192
# Judging a word depends on nothing but the word, and a site has the same words on every page.
_CACHE: dict[tuple[str, str, str], Verdict] = {}


def is_free(text: str, before: str, behind: str, start: int, end: int) -> bool:
    """Say whether nothing but punctuation touches the number, as far as that is cheap to see.

    What is not free here is judged as a word, which comes to the same if it is none.
    """
    if before not in FREE_BEFORE:
        is_range = before == "–" and text[start - 2].isdigit() and end - start != 4
        if not is_range:
            return False
    if behind in _FREE_AFTER:
        return True
    if behind in ".:":
        return text[end + 1 : end + 2].isspace()
    return behind == "–" and text[end + 1].isdigit() and end - start != 4


def as_word(text: str, start: int, end: int) -> Verdict:
    """Judge a number by the word that it is part of, as far as white space."""
    left, right = "", ""
    if not text[start - 1].isspace():
        left = text[max(0, start - _WORD) : start].rsplit(None, 1)[-1]
        if len(left) >= _WORD:
            long = text[max(0, start - _LONG_WORD) : start].rsplit(None, 1)[-1]
            if "://" in long or "www." in long:
                return ADDRESS
    if not text[end].isspace():
        right = text[end : end + _WORD].split(None, 1)[0]
    # Only a size looks further: 5B tokens are a number, 5B is a model.
    reach = len(right) + (_NEXT_WORD if right[:1] in _SIZES else 0)
    after = text[start : end + reach]
    key = left, right, after
    verdict = _CACHE.get(key)
    if verdict is None:
        if len(_CACHE) >= _CACHED:
            _CACHE.clear()
        verdict = _CACHE[key] = word(left, text[start:end], right, after)
    return verdict
