"""Numbers that may not be claimed, whoever measured them, found by value and unit at once.

A number on a page is a barred one if it is that value at the digits shown, in its unit or in
another of the same dimension, and neither its claim nor its sentence is about another metric or
cell::

    barred 3.24 ×      meets 3.24×, 3.2×        not 3.25×, 3× (one digit says too little), 3.24 %
    barred 820 ms      meets 820 ms, 0.82 s

An index finds it in constant time. It is permitted in a tombstone alone, which says why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from claims.numerals.numbers import UNITS, Number, find
from claims.registers.naming import Names
from receipts.errors import MalformedError

if TYPE_CHECKING:
    from claims.registers.model import BarredRow

_LEAST_DIGITS = 2
_MOST_SHIFT = 40
_Key = tuple[str, Fraction | None, Fraction]


@dataclass(frozen=True, slots=True)
class Barred:
    """A number that may not be claimed: why, where that stands, and what it is about.

    `entry` is the correction of the ledger that bars it, None where the register does. Such a one
    meets no number of a claim that holds: that rests on evidence which nobody corrected.
    """

    number: Number
    reason: str
    note: str
    metric: str | None = None
    cells: frozenset[str] = frozenset()
    place: str = ""
    entry: int | None = None

    def told(self) -> str:
        """Return in words why the number is barred."""
        unit = f" {self.number.unit}" if self.number.unit else ""
        about = "".join(f", {one}" for one in (self.metric, *sorted(self.cells)) if one)
        by = f"entry {self.entry}" if self.entry is not None else self.place
        return f"{self.number.text}{unit}{about} is barred by {by}: {self.reason}: {self.note}"


@dataclass(frozen=True, slots=True)
class Context:
    """What is known around a number: its sentence, the claim that it is bound to, its place.

    `metrics` and `cells` are the claim's, empty where it is bound to none or they are not known;
    `holds` says that the ledger struck nothing of it, or that this is told already. A tombstone is
    also a banner that names the replacement.
    """

    text: str = ""
    metrics: frozenset[str] = frozenset()
    cells: frozenset[str] = frozenset()
    holds: bool = False
    in_tombstone: bool = False


class Index:
    """The barred numbers by dimension and value, exact and as rounded to fewer digits."""

    def __init__(self, rows: Iterable[Barred] = (), names: Names | None = None) -> None:
        self.rows = tuple(rows)
        self.names = names or Names()
        self._found: dict[_Key, list[Barred]] = defaultdict(list)
        for row in self.rows:
            for key in _keys(row.number):
                self._found[key].append(row)

    def adding(self, rows: Iterable[Barred]) -> Index:
        """Return an index of these rows besides."""
        return Index((*self.rows, *rows), self.names)

    def match(self, number: Number, context: Context) -> Barred | None:
        """Return why the number may not be claimed there, None if it may."""
        if context.in_tombstone or not self.rows:
            return None
        for key in _shown(number):
            for row in self._found.get(key, ()):
                if self._is_about(row, context):
                    return row
        return None

    def _is_about(self, row: Barred, context: Context) -> bool:
        """Say whether nothing around the number tells that it is of another metric or cell."""
        if row.entry is not None and context.holds:
            return False
        metric_fits = row.metric is None or self._metric_fits(row.metric, context)
        return metric_fits and (not row.cells or self._cell_fits(row.cells, context))

    def _metric_fits(self, metric: str, context: Context) -> bool:
        known = context.metrics or self.names.metrics_in(context.text)
        return not known or metric in known

    def _cell_fits(self, cells: frozenset[str], context: Context) -> bool:
        known = context.cells or self.names.cells_in(context.text)
        return not known or bool(cells & known)


def read(row: BarredRow, place: str) -> Barred:
    """Return the barred number that a row of the register spells; errors say what is wrong."""
    cells = frozenset({row.cell} if row.cell else ())
    return Barred(
        spelled(row.value, row.unit), row.reason, row.note, row.metric, cells, place=place
    )


def spelled(value: str, unit: str | None) -> Number:
    """Return the number that these words spell, or raise `MalformedError`."""
    if unit in (None, "1"):
        text = f"{value} "
    else:
        text = f"{value}{unit}" if unit in ("×", "x", "%") else f"{value} {unit}"
    found = find(text)
    if len(found) != 1 or found[0].after != len(text.rstrip()):
        raise MalformedError(f"{unit!r} is no unit that is known; write it as on a page")
    return found[0]


def _base(number: Number) -> tuple[str, Fraction, Fraction] | None:
    """Return dimension, value and the place of the last digit shown, in base units."""
    if abs(number.decimals) > _MOST_SHIFT:
        return None
    known = UNITS.get(number.unit) if number.unit else None
    dimension = known.dimension if known else number.unit or "1"
    factor = known.factor if known else Fraction(1)
    step = Fraction(10) ** -number.decimals
    return dimension, Fraction(number.value) * factor, step * factor


def _keys(number: Number) -> set[_Key]:
    """Return the keys of a barred number: exact, and rounded while two digits are left."""
    based = _base(number)
    if based is None:
        return set()
    dimension, value, _ = based
    keys: set[_Key] = {(dimension, None, value)}
    factor = UNITS[number.unit].factor if number.unit in UNITS else Fraction(1)
    fewest = number.value.adjusted() - _LEAST_DIGITS + 1
    for place in range(-number.decimals, fewest + 1):
        step = Fraction(10) ** place * factor
        keys.add((dimension, step, round(value / step) * step))
    return keys


def _shown(number: Number) -> Iterable[_Key]:
    based = _base(number)
    if based is not None:
        dimension, value, step = based
        yield dimension, None, value
        yield dimension, step, value
