"""Printed ratios and changes of a table, recomputed from the operands printed beside them.

::

    | depth | llama.cpp tok/s | Muser tok/s | ratio  |
    | 2,048 |         33.4261 |     35.1586 | 1.052× |     0.9768 → follows
    | 8,192 |         31.2500 |     32.8000 | 1.060× |     32.8/31.25 = 1.0496: does not

Which columns a change is of is not written anywhere, so it is found: the pair of columns (or, down
one column, the row that all are held against) from which most rows follow. A row that does not
follow from the pair that the others follow from is wrong. Where no pair explains a column, or
several would do, nothing is said: a false alarm is worse than silence.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

from ledger import columns, quantity, recompute, selfcheck
from ledger.quantity import Quantity
from ledger.selfcheck import Verdict
from receipts import late as re

MAX_COLUMNS = 16
MAX_ROWS = 2_000
_MAJORITY = 0.6


@dataclass(frozen=True, slots=True)
class Grid:
    """The texts of a table: its header and its rows, all of one width."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A printed change that does not follow: the row and column from 0, and what it should be."""

    row: int
    column: int
    message: str


Cells = Sequence[Sequence[Quantity | None]]
Operands = Callable[[int], tuple[Quantity, Quantity] | None]


def faults(grid: Grid) -> list[Fault]:
    """Return the printed changes of the table that its own numbers contradict."""
    if not grid.rows or len(grid.rows) > MAX_ROWS or len(grid.header) > MAX_COLUMNS:
        return []
    found = {(one.row, one.column): one for one in (*_beside_operands(grid), *_by_columns(grid))}
    return [found[place] for place in sorted(found)]


def checked(grid: Grid) -> int:
    """Return how many changes the table prints that could be recomputed."""
    if not _may_derive(grid):
        return 0
    cells = _numbers(grid)
    derived = [c for c in range(len(grid.header)) if _is_derived(grid, cells, c)]
    return sum(cells[row][column] is not None for column in derived for row in range(len(cells)))


def _beside_operands(grid: Grid) -> Iterator[Fault]:
    """Yield changes that do not follow from operands in their own cell: `33 → 35 (+9 %)`."""
    for row, texts in enumerate(grid.rows):
        for column, text in enumerate(texts):
            if not _HAS_PAIR.search(text):
                continue
            for one in selfcheck.judge(text, "", columns.unit_in(grid.header[column])):
                if one.verdict is Verdict.CONTRADICTION:
                    yield Fault(row, column, _message(one.printed, one.operands, one.computed))


_HAS_PAIR = re.compile(r"→|->|\bvs\b|⟶|➜")


def _may_derive(grid: Grid) -> bool:
    """Say whether any text of the table could make a column of changes; most tables have none."""
    texts = (*grid.header, *(text for row in grid.rows for text in row))
    return any(_DERIVED.search(name) for name in grid.header) or any(map(_CHANGE.search, texts))


_CHANGE = re.compile(r"[×xX%％&]|times|percent|points|p\.p\.|pp")


def _by_columns(grid: Grid) -> Iterator[Fault]:
    if not _may_derive(grid):
        return
    cells = _numbers(grid)
    derived = [c for c in range(len(grid.header)) if _is_derived(grid, cells, c)]
    operands = [
        c
        for c in range(len(grid.header))
        if c not in derived and sum(row[c] is not None for row in cells) > len(cells) / 2
    ]
    for column in derived:
        yield from _of_column(grid, cells, column, operands)


def _of_column(grid: Grid, cells: Cells, column: int, operands: list[int]) -> Iterator[Fault]:
    printed = {r: q for r, row in enumerate(cells) if (q := row[column]) is not None}
    words = frozenset(quantity.words(quantity.plain(grid.header[column])))
    # Where only one pair of columns can be meant, a single row need not follow from it.
    meant = _measured(cells, operands)
    only = len(meant) == 2 and _is_plainly_theirs(grid, column, meant)
    settled = math.ceil(len(printed) * _MAJORITY)
    across = [_across(cells, a, b) for a, b in permutations(meant if only else operands, 2)]
    found = _best(across, printed, words, 0 if only else max(2, settled))
    if found is None or not printed:
        down = [_down(cells, a, base) for a in operands for base in range(min(len(cells), 64))]
        found = _best(down, printed, words, max(3, settled))
    if found is None:
        return
    best, follows = found
    for row, figure in printed.items():
        if row not in follows and (pair := best(row)):
            yield Fault(row, column, _explained(figure, words, *pair))


def _best(
    pairs: Sequence[Operands], printed: dict[int, Quantity], words: frozenset[str], least: int
) -> tuple[Operands, set[int]] | None:
    """Return the operands from which most of the printed changes follow, and those rows.

    None where fewer than `least` follow from any: operands that miss too many are given up early.
    """
    best: tuple[Operands, set[int]] | None = None
    for pair in pairs:
        spare = len(printed) - least
        follows: set[int] = set()
        for row, figure in printed.items():
            if (found := pair(row)) and _follows(figure, words, *found):
                follows.add(row)
            elif (spare := spare - 1) < 0:
                break
        else:
            best, least = (pair, follows), len(follows) + 1
    return best


def _follows(figure: Quantity, words: frozenset[str], old: Quantity, new: Quantity) -> bool:
    if recompute.is_far(figure, old, new):
        return False
    for reading in recompute.readings(figure, words, old, new):
        grade = recompute.grade(figure, reading)
        if grade == "consistent":
            return True
        if grade == "truncated" and recompute.could_overlap(figure, reading):
            return True
    return False


def _explained(figure: Quantity, words: frozenset[str], old: Quantity, new: Quantity) -> str:
    reading = next(iter(recompute.readings(figure, words, old, new)), None)
    computed = recompute.spell(reading, figure) if reading else "nothing of the kind"
    return _message(figure.text, f"{old.text} → {new.text}", computed)


def _message(printed: str, operands: str, computed: str) -> str:
    return f"{printed} is printed, {operands} gives {computed}"


def _across(cells: Cells, old: int, new: int) -> Operands:
    def pair(row: int) -> tuple[Quantity, Quantity] | None:
        before, after = cells[row][old], cells[row][new]
        return (before, after) if before and after and _comparable(before, after) else None

    return pair


def _down(cells: Cells, column: int, base: int) -> Operands:
    def pair(row: int) -> tuple[Quantity, Quantity] | None:
        before, after = cells[base][column], cells[row][column]
        return (before, after) if before and after and _comparable(before, after) else None

    return pair


def _comparable(one: Quantity, other: Quantity) -> bool:
    return one.unit == other.unit or _dimension(one.unit) == _dimension(other.unit)


@lru_cache(maxsize=256)
def _dimension(unit: str | None) -> str | None:
    found = quantity.unit(unit)
    return found and found.dimension


@lru_cache(maxsize=1)
def _numbers(grid: Grid) -> Cells:
    units = [columns.unit_in(name) for name in grid.header]
    return [
        [_number(text, unit) for text, unit in zip(row, units, strict=True)] for row in grid.rows
    ]


def _number(text: str, unit: str | None) -> Quantity | None:
    """Return the number that a cell is, None where it is text, or several numbers."""
    plain = quantity.plain(text).strip()
    found = quantity.find(plain)
    if len(found) != 1 or _WORD.search(plain[: found[0].start] + plain[found[0].end :]):
        return None
    one = found[0]
    return replace(one, unit=unit) if one.unit is None and unit else one


_WORD = re.compile(r"[^\W_]")
_DERIVED = re.compile(
    r"[δ∆Δ×]|\b(?:delta|diff(?:erence)?|gain|speed-?up|improvement|uplift|ratio|change|vs\.?|versus"
    r"|relative|multiple|saving|reduction|overhead)\b",
    re.IGNORECASE,
)
_STATISTIC = re.compile(
    r"\b(?:mean|median|average|avg|min(?:imum)?|max(?:imum)?|std|sd|stddev|cv|n|p\d\d)\b",
    re.IGNORECASE,
)
_FILLER = frozenset(
    quantity.words("delta diff difference gain speedup speed up improvement uplift")
)
_FILLER |= frozenset(quantity.words("ratio change vs versus relative multiple of the to and in"))
_FILLER |= frozenset(quantity.words("δ x times over percent"))


def _is_derived(grid: Grid, cells: Cells, column: int) -> bool:
    """Say whether a column prints changes: its header says so, or its cells are multiples."""
    figures = [row[column] for row in cells]
    told = [one for one in figures if one is not None]
    if not told or any(one.unit not in ("×", "%", "pp", None) for one in told):
        return False
    if _DERIVED.search(grid.header[column]):
        return True
    return all(one.unit == "×" or (one.unit == "%" and one.signed) for one in told)


def _measured(cells: Cells, operands: list[int]) -> list[int]:
    """Return the columns of one measured quantity, beside those of plain counts and settings."""
    units = {c: next((q.unit for row in cells if (q := row[c])), None) for c in operands}
    with_unit = [c for c in operands if units[c] is not None]
    return with_unit if len(operands) > 2 and len(with_unit) == 2 else operands


def _is_plainly_theirs(grid: Grid, column: int, operands: list[int]) -> bool:
    """Say whether the header of a change names nothing but the change and the operands' columns."""
    own = set(quantity.words(quantity.plain(grid.header[column])))
    theirs = {w for c in operands for w in quantity.words(quantity.plain(grid.header[c]))}
    named = bool(_DERIVED.search(grid.header[column]))
    if any(_STATISTIC.search(grid.header[c]) for c in operands):
        return False  # a mean and a maximum are two numbers of one thing, and no change of it
    return named and own - _FILLER <= theirs
