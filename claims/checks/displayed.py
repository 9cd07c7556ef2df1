"""The values that a page displays, kept small: they wait for the last page to be compared."""

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from claims.numerals.numbers import Number

_ROW = 3


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


class Displayed:
    """The values of one page with their places; most values stand in many of them."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        """Every value, most of them once, in the order in which they were first displayed."""
        self._indices: dict[int, int] = {}
        self._rows = array("i")

    def add(self, value: Value, begin: int, block: int) -> None:
        """Keep that the value stands at a rendered offset, and which block belongs to it."""
        index = self._indices.get(id(value))
        if index is None:
            index = self._indices[id(value)] = len(self.values)
            self.values.append(value)
        self._rows.extend((index, begin, block))

    def __iter__(self) -> Iterator[tuple[Value, int, int]]:
        """Yield every value with its offset and block, in the order in which they were added."""
        for at in range(0, len(self._rows), _ROW):
            index, begin, block = self._rows[at : at + _ROW]
            yield self.values[index], begin, block
