"""Columns of measured values: packed as the tool wrote them, exact when they are read.

A raw file may hold millions of values. A `Column` keeps them as they were printed (doubles or
integers) and gives exact rationals in the metric's unit, one at a time::

    Column([0.5, 0.25], factor=Fraction(1000))[1] == 250            # seconds, read as milliseconds
    Column([200, 400], factor=Fraction(8 * 10**9), inverse=True)     # 8 tokens in so many ns: tok/s

A double is read as exactly the rational that it is, so two people get the same digits.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, overload

Raw = Sequence[int] | Sequence[float] | Sequence[Fraction]


class Column(Sequence[Fraction]):
    """A sequence of exact samples: `factor` * raw, or `factor` / raw where `inverse` says so."""

    __slots__ = ("factor", "inverse", "raw")

    def __init__(self, raw: Raw, factor: Fraction | int = 1, *, inverse: bool = False) -> None:
        self.raw = raw
        self.factor = factor
        self.inverse = inverse

    def __len__(self) -> int:
        return len(self.raw)

    @overload
    def __getitem__(self, index: int) -> Fraction: ...

    @overload
    def __getitem__(self, index: slice) -> "Column": ...

    def __getitem__(self, index: int | slice) -> "Fraction | Column":
        if isinstance(index, slice):
            return Column(self.raw[index], self.factor, inverse=self.inverse)
        value = Fraction(self.raw[index])
        return self.factor / value if self.inverse else self.factor * value

    def __iter__(self) -> Iterator[Fraction]:
        return (self[index] for index in range(len(self.raw)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return NotImplemented if not isinstance(other, Sequence) else False
        return all(ours == theirs for ours, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        shown = ", ".join(str(value) for value in self[:3])
        return f"<Column of {len(self)}: {shown}{', …' if len(self) > 3 else ''}>"

    def ordered(self) -> "Column":
        """Return the same values from the smallest to the largest, sorted without arithmetic."""
        falling = self.inverse != (self.factor < 0)
        ordered: Any = sorted(self.raw, reverse=falling)
        return Column(ordered, self.factor, inverse=self.inverse)

    def sums(self) -> tuple[Fraction, Fraction]:
        """Return the exact sum of the values, and of their squares.

        Integers and doubles are brought to one denominator first: millions of them cost a second
        and not a minute, because nothing is reduced on the way.
        """
        if self.inverse or isinstance(self.raw[0], Fraction):
            values = list(self)
            squares = (value * value for value in values)
            return sum(values, Fraction(0)), sum(squares, Fraction(0))
        pairs = [value.as_integer_ratio() for value in self.raw]
        common = math.lcm(*{bottom for _, bottom in pairs})
        whole = [top * (common // bottom) for top, bottom in pairs]
        total, squared = sum(whole), sum([value * value for value in whole])
        return self.factor * Fraction(total, common), self.factor**2 * Fraction(squared, common**2)
