"""How often something was measured, by the page's own words: `n = 5`, `five hundred runs`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from claims.checks import conditions
from receipts import late as re


@dataclass(frozen=True, slots=True)
class Count:
    """A number of repetitions as a sentence tells it, and where it stands there.

    `least` says that it is only the fewest that the words leave room for: `dozens of runs`.
    """

    value: int
    start: int
    end: int
    text: str
    least: bool = False


_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {word: value for value, word in enumerate(_ONES)}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, 2)}
_VALUES |= {"single": 1, "dozen": 12}
_POWERS = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
# The fewest of which these words are said; what nobody would object to is left open.
_VAGUE = {
    "several": 3, "many": 10, "numerous": 10, "countless": 100, "scores": 40, "dozens": 24,
    "hundreds": 200, "thousands": 2000, "tens": 20,
}  # fmt: skip
_WORD = "|".join(sorted({*_VALUES, *_POWERS}, key=len, reverse=True))
_NUMBER = (
    rf"(?P<digits>(?<![\w.,])\d{{1,3}}(?:,\d{{3}})+|(?<![\w.,])\d{{1,9}})(?![\w.]*\d)"
    rf"|(?P<words>\b(?:a\s+(?=hundred|thousand|dozen|single))?(?:{_WORD})(?:[\s-]+(?:and\s+)?(?:{_WORD}))*\b)"
)
# "A micro-batch of 512 runs at 5,757 tok/s" tells of no runs.
_RUNS = (
    r"runs?(?!\s+(?:faster|slower|quicker|as\b|at\s+(?:about\s+|only\s+|~\s?)?[\d.,]+\s?k?\s?"
    r"(?:tok|t/s|×|x\b|%|ms\b|s\b|µs|ns\b|[GMT]i?B|req)))"
)
_NOUN = rf"(?:repetitions?|repeats?|reps?|{_RUNS}|samples?|trials?|measurements?|pairs?)\b"
# "5 warm-up runs" and "5 other runs" are not what was counted, nor is "2 cells it runs at".
_KIND = (
    r"(?:(?![a-z-]*[^\Wsu]s\b|it\b|they\b|we\b|tokens?\b|warm|discard|dropp|other|more|further|additional"
    r"|(?:of|or|to|and|in|at|on|for|by|with|from|over|per|tok)\b)[A-Za-z-]+\s+){0,2}"
)
_COUNTED = re.compile(rf"(?:{_NUMBER})[\s-]+{_KIND}{_NOUN}", re.IGNORECASE)
_TIMES = re.compile(
    rf"\b(?:repeated|measured|ran|run|sampled|timed)\s+(?:it\s+)?(?:{_NUMBER})\s+times\b",
    re.IGNORECASE,
)
_EACH = re.compile(rf"\b(?:of|over)\s+(?:{_NUMBER})\s+each\b", re.IGNORECASE)
_MANY = re.compile(
    rf"\b(?P<words>{'|'.join(_VAGUE)})\s+(?:of\s+)?(?:the\s+|these\s+|our\s+)?{_KIND}{_NOUN}",
    re.IGNORECASE,
)
_N = re.compile(r"\b[nN]\s*=\s*(?P<digits>\d{1,9})(?P<words>(?!))?(?![\w.,]*\d)")

_OF_CELLS = re.compile(
    rf"\b(?P<words>(?:{_WORD})(?:[\s-]+(?:and\s+)?(?:{_WORD}))*)\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"a\s", re.IGNORECASE)
_EXACT = (_COUNTED, _TIMES, _EACH, _N)


def find(text: str) -> Iterator[Count]:
    """Yield every count of repetitions that `text` tells, in order."""
    yield from _known(text)


# One paragraph is asked for each number that is bound in it.
@lru_cache(maxsize=4)
def _known(text: str) -> tuple[Count, ...]:
    return tuple(_find(text))


def _find(text: str) -> Iterator[Count]:
    found = [m for pattern in _EXACT for m in pattern.finditer(text)]
    found += _MANY.finditer(text)
    for match in sorted(found, key=lambda match: match.start()):
        if match.re.groups == 1:
            least = _VAGUE[match["words"].lower()]
            yield Count(least, *match.span("words"), match["words"], least=True)
            continue
        group = "digits" if match["digits"] else "words"
        value, start = _value(match[group]), match.start(group)
        # It stands where the number does: "a dozen" at its dozen.
        begin = start + (_ARTICLE.match(text, start) is not None) * 2
        yield Count(value, begin, match.end(group), match[group])


def of_cells(text: str) -> Iterator[Count]:
    """Yield the number words that count cells of a matrix: `across three depths`."""
    for match in _OF_CELLS.finditer(text):
        value = _value(match["words"])
        if value > 1 and conditions.counts_cells(text[match.end() :].lower()):
            yield Count(value, *match.span(), match["words"])


def told(text: str, n: int) -> bool:
    """Say whether the text tells that there are `n` repetitions."""
    return any(count.value == n and not count.least for count in find(text))


def _value(text: str) -> int:
    plain = text.replace(",", "")
    if plain.isdigit():
        return int(plain)
    total, current = 0, 0
    for word in re.findall(r"[a-z]+", plain.lower()):
        if word in _POWERS and _POWERS[word] == 100:
            current = max(current, 1) * 100
        elif word in _POWERS:
            total, current = total + max(current, 1) * _POWERS[word], 0
        elif word != "and":
            current += _VALUES.get(word, 0)
    return total + current
