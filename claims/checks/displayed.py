"""The values that a page displays, kept small: they wait for the last page to be compared."""

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from claims.numerals.numbers import Number

_ROW = 4


class Value(NamedTuple):
    """A value as such, wherever it stands: a number, what it is of, and which claim says so.

    `subject` is what two values must share to be about the same: claim kind, metric, arms and cell.
    `window` tells the measurements of one subject apart, `date` is the day of that one.
    """

    subject: tuple[str, ...]
    window: str
    date: str | None
    statistic: str
    number: Number
    claim: str


class Place(NamedTuple):
    """Where a value is displayed: line, column, and the block that it stands in."""

    line: int
    column: int
    block: int


class Displayed:
    """The values of one page with their places; most values stand in many of them."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        """Every value, most of them once, in the order in which they were first displayed."""
        self._indices: dict[int, int] = {}
        self._rows = array("i")

    def add(self, value: Value, place: Place) -> None:
        """Keep that the value stands there."""
        index = self._indices.get(id(value))
        if index is None:
            index = self._indices[id(value)] = len(self.values)
            self.values.append(value)
        self._rows.extend((index, *place))

    def __iter__(self) -> Iterator[tuple[Value, Place]]:
        """Yield every value at every place, in the order in which they were added."""
        for at in range(0, len(self._rows), _ROW):
            yield self.values[self._rows[at]], Place(*self._rows[at + 1 : at + _ROW])
