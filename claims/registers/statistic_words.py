"""Words that say how a number was reduced: they must say what was done.

"Up to", "peak" and "at least" are statistics, as "median" and "average" are. Each must be the
claim's own (a ratio of medians is a median), or stand next to the hole that it is about::

    {value:.1f} {unit} (median of {n} runs, at least {min:.1f})

Next to a word is the hole with the fewest words between them, on either side; `{n}`, `{unit}` and
the scope are no holes in this sense.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from claims.registers import wording
from engine.metrics import Polarity
from receipts import late as re

if TYPE_CHECKING:
    from receipts.predicates import Facts

# "min" after a number is minutes, and "Max" with a capital is part of a product's name.
_WORD = re.compile(
    r"(?<![\w-])(?:(?P<median>medians?|p50|50th\s+percentile)|(?P<mean>mean|(?<=the\s)means|averages?|averaged)"
    r"|(?P<min>minimum|minima|at\s+least|(?<!\d\s)(?-i:min))"
    r"|(?P<max>maximum|maxima|peaks?|up\s+to|(?-i:max))|(?P<best>best)"
    r"|(?P<other>p\d{1,2}\.\d+|p25|p75|p98|p999)|(?P<p90>p90|90th\s+percentile)"
    r"|(?P<p95>p95|95th\s+percentile)|(?P<p99>p99|99th\s+percentile)"
    r"|(?P<tail>tails?(?=\s+(?:latenc|of\b|time)))|(?P<percentile>percentile))(?![\w-])",
    re.IGNORECASE,
)
_FITS: Mapping[str, str] = {"ratio_of_medians": "median"}
_TAILS = frozenset({"p90", "p95", "p99", "max"})
_NO_MEASURE = ("n", "unit")
_HOLE = "\N{OBJECT REPLACEMENT CHARACTER}"
_PART = re.compile(rf"[^\W_]+|{_HOLE}")


def misfit(template: str, scope: Facts, statistic: str, polarity: Polarity) -> str | None:
    """Return the first word that says another statistic than `statistic`, None if there is none."""
    text, holes = _flatten(template, scope)
    for word in _WORD.finditer(text):
        kind = str(word.lastgroup)
        if kind == "best":
            kind = "max" if polarity == "higher" else "min"
        if kind == "tail":
            kind = statistic if statistic in _TAILS else kind
        if kind != _FITS.get(statistic, statistic) and kind not in _next_to(word, text, holes):
            return word[0]
    return None


def places(text: str) -> list[tuple[int, int, str]]:
    """Return where words name a statistic, and which."""
    return [(one.start(), one.end(), str(one.lastgroup)) for one in _WORD.finditer(text)]


_MANY = re.compile(
    r"\b(?<!not )(?:typical(?:ly)?|usual(?:ly)?|normally|on\s+average|commonly|most\s+often"
    r"|(?:over|across|in|of|from|after)\s+(?:the\s+)?(?:several|many|multiple|numerous|various"
    r"|repeated|a\s+few|a\s+number\s+of|some)\s+(?:\w+\s+)?(?:runs|repetitions|samples|trials"
    r"|tries|measurements)|run\s+after\s+run|reproducibl[ey]|repeatedly|time\s+and\s+again)\b",
    re.IGNORECASE,
)


def of_many(sentence: str) -> str | None:
    """Return the words that speak of more than one measurement, None where there are none."""
    found = _MANY.search(sentence)
    return found[0] if found else None


def _flatten(template: str, scope: Facts) -> tuple[str, dict[int, str]]:
    """Return the wording with its measured holes struck out, and their names by offset."""
    text, holes, position = "", {}, 0
    for hole in wording.HOLE.finditer(template):
        text += template[position : hole.start()]
        position = hole.end()
        if hole[1].startswith("scope."):
            text += str(scope.get(hole[1].removeprefix("scope."), ""))
        elif hole[1] not in _NO_MEASURE:
            holes[len(text)] = hole[1].rpartition(".")[2]
            text += _HOLE
        else:
            text += "0" if hole[1] == "n" else "unit"
    return text + template[position:], holes


def _next_to(word: re.Match[str], text: str, holes: Mapping[int, str]) -> set[str]:
    """Return the statistics of the holes that are nearest to the word."""
    distances = {at: _words_between(word, text, at) for at in holes}
    nearest = min(distances.values(), default=0)
    return {holes[at] for at, distance in distances.items() if distance == nearest}


def _words_between(word: re.Match[str], text: str, at: int) -> int:
    between = text[at + 1 : word.start()] if at < word.start() else text[word.end() : at]
    return len(_PART.findall(between))
