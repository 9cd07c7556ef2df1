"""Numbers as prose and tables state them: of what quantity, and at which size of the input.

"At 2,048 tokens it measured 1.493 s median TTFT" states 1.493 s of *ttft* at 2048. In a table the
column says the quantity and the label of the row the size. What stands nearest counts; what is not
said is empty, and then nothing is concluded from it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from claims.numerals import numbers
from claims.numerals.numbers import Number
from claims.pages.sentences import sentence_ends

# Spellings of one quantity; the first is its name here.
_QUANTITIES = (
    ("ttft", "time to first token", "time-to-first-token"),
    ("decode", "tg", "generation"),
    ("prefill", "pp", "prompt processing"),
    ("wall", "end-to-end", "e2e"),
    ("payload", "bandwidth", "link rate"),
    ("throughput",),
    ("acceptance",),
    ("perplexity", "ppl"),
    ("cv", "coefficient of variation"),
    ("payoff", "speedup", "speed-up"),
    ("latency", "tpot", "itl"),
    ("memory", "vram", "footprint"),
    ("power", "energy"),
    ("accuracy", "score"),
)
_NAME_OF = {spelling: row[0] for row in _QUANTITIES for spelling in row}
_WORD = re.compile(
    r"(?<![\w])(?:"
    + "|".join(sorted(map(re.escape, _NAME_OF), key=len, reverse=True))
    + r")(?!\w)",
    re.IGNORECASE,
)
# Of "2,048/256" the first is the size: what goes in, not what comes out.
_SIZE = re.compile(r"(?<![\w.,/])(\d{1,3}(?:,\d{3})+|\d{3,7})(?![\w.,]*\d)(?!\s*[%×])")
_JOINT = re.compile(r"\s*(?:[-–—~]|to)\s*")
_SMALLEST = 100
# Nothing is concluded from a sentence that nobody wrote by hand.
_LONGEST = 20_000
TELLING = 3
"""So many significant digits tell which measurement a bare number is of."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A number with what is said of it; `low` and `high` differ where it is an end of a range."""

    number: Number
    quantity: str
    sizes: frozenset[int]
    low: Decimal
    high: Decimal


def digits(number: Number) -> int:
    """Return how many significant digits a number shows; few tell no measurement from another."""
    return len(number.value.as_tuple().digits)


def in_prose(text: str) -> list[Stated]:
    """Return the numbers of a text, each with the quantity and size nearest in its sentence."""
    ends = [0, *sentence_ends(text), len(text)]
    stated = []
    for start, end in pairwise(ends):
        stated += list(_in_sentence(text[start:end], start))
    return stated


def in_cell(cell: str, column: str, label: str, heading: str) -> list[Stated]:
    """Return the numbers of a cell, told by its column, the label of its row and its heading."""
    told = next((q for text in (column, label, heading) if (q := _quantity(text))), "")
    sizes = frozenset(_sizes(label)) or frozenset(_sizes(column))
    found = numbers.find(cell)
    return [Stated(one, told, sizes, *_ends(cell, found, i)) for i, one in enumerate(found)]


def same_kind(one: Number, other: Number) -> bool:
    """Say whether two numbers can be of one quantity: equal units, a bare one read as a ratio."""
    units = {one.unit or "×", other.unit or "×"}
    return len(units) == 1


def rounds_to(exact: Number, shown: Number) -> bool:
    """Say whether `exact` is `shown` at the digits of the latter, however a half is rounded."""
    bare = shown.unit is None and digits(shown) >= TELLING
    if not (bare or same_kind(exact, shown)) or exact.decimals < shown.decimals:
        return False
    half = Decimal(5).scaleb(-shown.decimals - 1)
    return abs(exact.value - shown.value) <= half


def is_result(number: Number) -> bool:
    """Say whether a number looks measured: a unit that measures, or a bare one with decimals."""
    return numbers.is_measurement(number.unit) or (number.unit is None and number.decimals > 1)


def _in_sentence(sentence: str, offset: int) -> Iterator[Stated]:
    if len(sentence) > _LONGEST:
        return
    words = [(word.start(), _NAME_OF[word[0].lower()]) for word in _WORD.finditer(sentence)]
    found = numbers.find(sentence)
    measured = {one.start for one in found if one.unit is not None}
    sizes = [(p, s) for p, s in _placed_sizes(sentence) if p not in measured]
    for index, one in enumerate(found):
        quantity = _nearest(words, one.start, one.after)
        size = _nearest(sizes, one.start, one.after)
        at = frozenset((size,)) if isinstance(size, int) else frozenset()
        moved = numbers.Number(
            one.text,
            one.value,
            one.decimals,
            one.unit,
            one.start + offset,
            one.end + offset,
            one.after + offset,
        )
        yield Stated(moved, str(quantity or ""), at, *_ends(sentence, found, index))


def _nearest(
    places: list[tuple[int, str]] | list[tuple[int, int]], start: int, after: int
) -> str | int | None:
    """Return what stands with the fewest characters between, behind the number at equal ones."""
    best: tuple[int, str | int] | None = None
    for place, what in places:
        distance = place - after if place >= after else start - place
        if best is None or distance < best[0]:
            best = (distance, what)
    return best[1] if best else None


def _placed_sizes(text: str) -> list[tuple[int, int]]:
    return [(size.start(), int(size[1].replace(",", ""))) for size in _SIZE.finditer(text)]


def _sizes(text: str) -> Iterator[int]:
    yield from (size for _, size in _placed_sizes(text) if size >= _SMALLEST)


def _quantity(text: str) -> str:
    found = _WORD.search(text)
    return _NAME_OF[found[0].lower()] if found else ""


def _ends(text: str, found: list[Number], index: int) -> tuple[Decimal, Decimal]:
    """Return both ends of the range that a number is an end of; twice itself where it is none."""
    one = found[index]
    for a, b in ((index - 1, index), (index, index + 1)):
        if a >= 0 and b < len(found) and _JOINT.fullmatch(text, found[a].after, found[b].start):
            low, high = sorted((found[a].value, found[b].value))
            return low, high
    return one.value, one.value
