"""Statistic words over and beside a cell: header and row must say what the cell's number is.

::

    |         | mean (tok/s) | slowest |      a median under "mean" is mislabelled, and so is
    | decode  |        133.5 |   133.7 |      the most of a rate under "slowest"

A header that names several statistics is over all of them, and a cell shows one. What is no word
about the number is let pass: `max batch`, `peak memory` of a metric that is a peak, minutes.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

from claims.checks import agreement
from claims.checks.fitting import Finding
from claims.checks.offer import Offer
from claims.numerals.numbers import Number
from claims.registers import breadth, statistic_words
from engine.metrics import metric
from receipts import late as re

_JOINED = re.compile(r"\b(?:all|any)-\w[\w-]*", re.IGNORECASE)  # all-reduce, any-to-any
_OF_A_SETTING = re.compile(
    r"[\s._-]+(?:(?:new|num|number|of|model|micro|total)[\s_-]+)*(?:u?batch|micro-?batch|concurrency"
    r"|context|ctx|seq|sequence|length|len|tokens?|prompt|output|input|depth|size|threads?|clients?"
    r"|users?|power|load|clock|temperature|temp|position|requests\b(?!/))",
    re.IGNORECASE,
)
_OF_MEMORY = re.compile(r"[\s_-]+(?:memory|mem|v?ram|rss|use|usage|footprint)\b", re.IGNORECASE)
# A cell or a header of one such word, with or without its unit: "fastest (tok/s)", "worst run".
_ALONE = re.compile(
    r"\W*(?:the\s+)?(?P<word>(?P<swift>fastest|quickest|best)|(?P<slow>slowest|worst)"
    r"|(?P<max>highest|largest|greatest|most)|(?P<min>lowest|smallest|least))"
    r"(?:\s+(?:run|rep(?:etition)?|sample|value|round|pair|of\s+\d+))?\s*(?:[(\[,].*)?\Z",
    re.IGNORECASE,
)
_FITS = {"ratio_of_medians": "median"}


def of_cell(
    labels: Collection[str], number: Number, given: Offer, *, every_cell: bool = False
) -> Finding | None:
    """Refuse a number in a cell whose header or row names another statistic, or any scope."""
    ratio = number.unit in ("×", "%")
    for text in labels:
        word = misfit(text, (given.statistic,), given.metric, number.unit, ratio=ratio)
        if word:
            shown = (given.statistic, *_shown_by(number, given))
            word = misfit(text, shown, given.metric, number.unit, ratio=ratio)
        if word:
            return "CLM205", told(word, number.text, given.statistic)
        if wide := says_more(text, every_cell=every_cell):
            return "CLM203", f"header or row says {wide!r}; the evidence is of one cell"
    return None


def _shown_by(number: Number, given: Offer) -> Iterator[str]:
    """Yield the names of the values that a number shows: a minimum, a mean over cells."""
    for one in given.figures:
        value = agreement.converted(one.value, one.unit, number.unit)
        if value is not None and agreement.grade(number, value) == "agrees":
            yield one.name.rpartition(".")[2]


def misfit(
    text: str, statistics: Collection[str], name: str, unit: str | None, *, ratio: bool = False
) -> str | None:
    """Return the word of a header or label that says none of the statistics a number is.

    `name` is the metric and `unit` that of the number; of a `ratio` more is always better.
    """
    if not text:
        return None
    named = _named(text, name, "higher" if ratio else metric(name).polarity)
    told = [(word, kind) for word, kind in named if not (kind == "min" and unit == "min")]
    ours = {_FITS.get(one, one) for one in statistics}
    return told[0][0] if told and not any(kind in ours for _, kind in told) else None


@lru_cache(maxsize=1024)
def says_more(text: str, *, every_cell: bool = False) -> str | None:
    """Return the word by which a header or label claims more than one scope; "all" sums up."""
    plain = _JOINED.sub("", text)
    if plain.strip().lower() == "all":
        return None
    return breadth.says_more(plain, every_cell=every_cell)


def told(word: str, number: str, statistic: str) -> str:
    """Return in words what is wrong with such a cell."""
    return f"header or row says {word!r}, and {number} is the {_FITS.get(statistic, statistic)}"


# A column has one header and as many cells as the table has rows.
@lru_cache(maxsize=1024)
def _named(text: str, name: str, polarity: str) -> tuple[tuple[str, str], ...]:
    """Return each word that names a statistic, with that statistic."""
    return (*_extremes(text, polarity), *_words(text, name))


def _extremes(text: str, polarity: str) -> Iterator[tuple[str, str]]:
    found = _ALONE.match(text)
    if found is None:
        return
    most = found["max"] or found["swift" if polarity == "higher" else "slow"]
    yield found["word"], "max" if most else "min"


def _words(text: str, name: str) -> Iterator[tuple[str, str]]:
    of_a_fact = text[:1].isdigit()  # "8192 (max)" is the largest depth
    for start, end, kind in statistic_words.places(text):
        word = text[start:end]
        extreme = kind in ("min", "max")
        if kind == "best" or (extreme and of_a_fact) or _OF_A_SETTING.match(text, end):
            continue
        parts = name.split("_")
        if (
            kind == "max"
            and "peak" in parts
            and (word.lower().startswith("peak") or _OF_MEMORY.match(text, end))
        ):
            continue
        yield word, kind
