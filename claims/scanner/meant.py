"""Whether a word that names the number behind it is meant to, where the word alone may not say."""

import re

from claims.numerals.numbers import unit_follows
from claims.numerals.units import UNIT, canonical, claims_result, is_measurement
from claims.pages.flow import SEPARATOR
from claims.scanner.products import COUNTED

YEAR = re.compile(r"199\d|20[0-3]\d")
_UP_TO = re.compile(r"[ \u00a0](?:to|until|till|through)[ \u00a0](\d[\d.,]*)")
_AND = re.compile(r"[ \u00a0]and[ \u00a0](\d[\d.,]*)")
_RAISED = re.compile(
    r"\b[Vv]ersion (?:is |was |has been )?(?:now )?(?:updated|upgraded|bumped|raised|changed) to \Z"
)
# Llama 3.2-Vision goes on with its name, Llama 4-bit and Llama 4-GPU with what they count.
_NAME_GOES_ON = re.compile(
    r"-(?!(?:Bit|Way|Token|Fold|Shot|Node|Core|Layer|Step|Thread|Batch|User|Request|Sample|Run|Card"
    r"|Device|Expert|Head|Day|Hour|Minute|Second|Times|Point|Percent|Gpu)s?\b)(?:VL\b|[A-Z][A-Za-z]*[a-z])"
)
_SERIES = re.compile(r"[ -][Ss]eries\b")
_MULTIPLE = re.compile(
    r"[ \u00a0](?:times|points?|fold)\b"
    r"|[ \u00a0]?(?:倍|个|張|张|块|次|台|秒|毫秒|微秒|分钟|小时|万|亿)"
)
_PARAMETERS = re.compile(r"[ \u00a0-](?:[bt]r?illion|million)[ \u00a0-]parameters?\b")
_FAMILY = re.compile(r"\b(?:GTX|RTX|GeForce)(?: \d00s,?(?: and| or)?)? \Z")
_OTHER_END = re.compile(r"(?:[ \u00a0](?:vs\.?|to|→|->|±)[ \u00a0]|[–→±])(\d+(?:\.\d+)?)")
_SUPPORTED = re.compile(
    r"[ \u00a0](?:no longer|support|or (?:later|newer)|and (?:later|newer|up)"
    r"|builds?|wheels?|binaries)\b"
)
SPACES = " \u00a0\u2009\u202f\u2007"
_BEFORE_ITEM = frozenset(f"：:；;，,、。和及与或 \u00a0{SEPARATOR}")
_SENTENCE = 60
_LIST = 4000


def is_issue(word: str, before: str) -> bool:
    """Say whether `word` is of an issue: a request is a pull request, or one of a server's."""
    return word.lower() != "request" or before.lower().endswith(("pull", "merge"))


def is_year(text: str, word: str, start: int, end: int) -> bool:
    """Say whether the four digits behind `word` are a year.

    "From 2017 to 1995 ms" has none: a unit, what is counted or the other end shows it.
    """
    if COUNTED.match(text, end):
        return False
    until = (_AND if word.lower() == "between" else _UP_TO).match(text, end)
    if until is None:
        return True
    is_other = YEAR.fullmatch(until[1].rstrip(".,")) is not None
    return is_other and until[1] >= text[start:end] and not unit_follows(text, until.end())


def is_raised(text: str, start: int) -> bool:
    """Say whether `The CUDA version is updated to` stands in front of `start`."""
    return _RAISED.search(text, max(0, start - _SENTENCE), start) is not None


def is_measured(text: str, end: int) -> bool:
    """Say whether a number is one after all: 2.1 times, or the first end of `2.1 vs 1.9 s`."""
    if _MULTIPLE.match(text, end):
        return True
    other = _OTHER_END.match(text, end)
    unit = UNIT.match(text, other.end()) if other else None
    return unit is not None and is_measurement(canonical(unit))


def is_model_size(text: str, end: int) -> bool:
    """Say whether a number counts a model's parameters in words: 671 billion parameters."""
    return _PARAMETERS.match(text, end) is not None


def is_series(text: str, end: int) -> bool:
    """Say whether a number is of a series of products: RTX 30 series."""
    return _SERIES.match(text, end) is not None


def is_family(text: str, start: int, end: int) -> bool:
    """Say whether a number is of a family of cards: the GTX 600s and 700s."""
    is_hundreds = end - start == 3 and text[end - 2 : end + 1] == "00s"
    return is_hundreds and _FAMILY.search(text, max(0, start - _SENTENCE), start) is not None


def is_name_going_on(text: str, end: int) -> bool:
    """Say whether a name goes on behind the number that ends at `end`, with a dash between."""
    return _NAME_GOES_ON.match(text, end) is not None or is_series(text, end)


def is_listed(text: str, start: int, number: str) -> bool:
    """Say whether `(2)` comes after a `(1)`, or first of its block; `size (16)` does not."""
    if text[start - 2] == SEPARATOR or number == "1":
        return True
    return text.rfind(f"({int(number) - 1})", max(0, start - _LIST), start) >= 0


def is_item(text: str, start: int, number: str) -> bool:
    """Say whether `2）` is of a list that a `1）` began, and no end of a bracket."""
    before = max(0, start - _LIST)
    nearest = max(text.rfind(bracket, before, start) for bracket in "(（)）" + SEPARATOR)
    if text[start - 1] not in _BEFORE_ITEM or text[nearest] in "(（" or not number.isdigit():
        return False
    return number == "1" or text.rfind(f"{int(number) - 1}）", before, start) >= 0


def is_last(text: str, rule: str, start: int, end: int) -> bool:
    """Say whether a list of versions ends with this number, or a date with its year.

    `CUDA 11.2, 11.6 no longer ship` and `May 1, 2024 we` do; `CUDA 11.2, 12.6 is best` may not.
    """
    if rule == "version":
        return "." in text[start:end] and _SUPPORTED.match(text, end) is not None
    is_year = rule == "date" and YEAR.fullmatch(text, start, end) is not None
    return is_year and text[start:end] > "2009" and not COUNTED.match(text, end)


def measures(text: str, end: int) -> bool:
    """Say whether a unit that claims a result stands behind `end`, apart from it."""
    if text[end] not in SPACES:
        return False
    unit = UNIT.match(text, end)
    # `second` comes after first.
    return unit is not None and unit["words"] != "second" and claims_result(unit)


def multiplies(text: str, end: int) -> bool:
    """Say whether the unit of a result stands behind `end`, glued or apart, or `times as fast`."""
    unit = UNIT.match(text, end)
    if unit is None or not unit_follows(text, end):
        return unit is None and unit_follows(text, end)
    spelt = unit["words"] or unit["symbol"]
    return is_measurement(canonical(unit)) and not (len(spelt) == 1 and spelt.isalpha())


def counts(text: str, end: int) -> bool:
    """Say whether a unit or something that is counted stands behind the number ending at `end`."""
    return measures(text, end) or COUNTED.match(text, end) is not None
