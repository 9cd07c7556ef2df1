"""What somebody says about the columns of a table, as text and as a value.

    ttft_ms=first_token:ms   ->   Measured("ttft_ms", "first_token", "ms")
    status=error:            ->   Condition("error", "")
    only=phase:measure       ->   Condition("phase", "measure")
    by=batch

The word ends at the first `=`, the column at the last `:`, so that names of columns may have both.
Specification: docs/reference/formats/columns.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.metrics import METRICS
from engine.results import units
from engine.results.model import brief
from receipts.errors import UsageError

_FORM = "write METRIC=COLUMN:UNIT, status=COLUMN:VALUE, only=COLUMN:VALUE or by=COLUMN"
_MAX_DECLARATIONS = 64
_MAX_TEXT = 400


class Measured(NamedTuple):
    """A column of values of one metric."""

    metric: str
    column: str
    unit: str


class Condition(NamedTuple):
    """A column and the text that its cell must have."""

    column: str
    value: str


@dataclass(frozen=True, slots=True)
class Columns:
    """What somebody says about a table."""

    measured: tuple[Measured, ...]
    status: Condition | None = None
    only: tuple[Condition, ...] = ()
    by: tuple[str, ...] = ()

    def texts(self) -> list[str]:
        """Return the declarations as text; `parse` makes the same of them again."""
        return [
            *(f"{metric}={column}:{unit}" for metric, column, unit in self.measured),
            *(f"status={column}:{value}" for column, value in self._status),
            *(f"only={column}:{value}" for column, value in self.only),
            *(f"by={column}" for column in self.by),
        ]

    @property
    def _status(self) -> tuple[Condition, ...]:
        return () if self.status is None else (self.status,)

    @property
    def names(self) -> list[str]:
        """Every column that is spoken of, once."""
        conditions = (*self._status, *self.only)
        spoken = (*(one.column for one in self.measured), *(one.column for one in conditions))
        return list(dict.fromkeys((*spoken, *self.by)))


def parse(declarations: Sequence[str]) -> Columns:
    """Return what the texts declare.

    Raises `UsageError` for a text of another form, an unknown metric, and a unit that cannot become
    the metric's.
    """
    if len(declarations) > _MAX_DECLARATIONS:
        raise UsageError(f"{len(declarations)} declarations are over {_MAX_DECLARATIONS}")
    measured: list[Measured] = []
    conditions: dict[str, list[Condition]] = {"status": [], "only": []}
    by: list[str] = []
    for text in declarations:
        word, column, value = _split(text)
        if word == "by":
            by.append(column)
        elif word in conditions:
            conditions[word].append(Condition(column, value))
        else:
            measured.append(_measured(text, Measured(word, column, value)))
    _require_once([one.metric for one in measured], "metric")
    _require_once([*("status" for _ in conditions["status"])], "word")
    _require_once(by, "column after by=")
    if not measured:
        raise UsageError(f"no column is declared to be a metric; {_FORM}")
    status = next(iter(conditions["status"]), None)
    return Columns(tuple(measured), status, tuple(conditions["only"]), tuple(by))


def _split(text: str) -> tuple[str, str, str]:
    """Return the word before `=`, the column, and what stands behind its last colon."""
    word, equals, rest = text.partition("=")
    word = word.strip()
    column, colon, value = (rest, ":", "") if word == "by" else rest.rpartition(":")
    if not (word and equals and colon and column.strip()) or len(text) > _MAX_TEXT:
        raise UsageError(f"{brief(text)} declares no column; {_FORM}")
    if not text.isprintable():
        raise UsageError(f"{brief(text)} has characters that nobody can see; {_FORM}")
    return word, column.strip(), value.strip()


def _measured(text: str, given: Measured) -> Measured:
    if given.metric not in METRICS:
        known = ", ".join(METRICS)
        raise UsageError(
            f"{brief(text)}: no metric is called {brief(given.metric)}; known: {known}"
        )
    target = METRICS[given.metric].unit
    if units.factor(given.unit, target) is None:
        known = ", ".join(units.convertible(target))
        detail = f"{brief(given.unit)} does not convert to {target}; units that do: {known}"
        raise UsageError(f"{brief(text)}: {detail}")
    return given


def _require_once(names: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise UsageError(f"the {what} {brief(name)} is declared twice; declare it once")
        seen.add(name)
