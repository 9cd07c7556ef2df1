"""Tables of everybody else: which column is which metric is declared, never guessed.

    ttft_ms=first_token:ms        metric = column : unit of its values
    decode_tok_s=stats.rate:tok/s in JSON Lines a column may be a path into objects
    status=error:                 a row counts if this column has this value, here: is empty
    only=phase:measure            other rows are left out, and their number is told
    by=batch                      rows with another value in this column are another run

The file is CSV or JSON Lines, by its first character. Units convert by exact factors, numbers stay
the decimals that they are written as, and a cell that is none is refused with its line and column.
A row that counts has a number in every declared column: nothing is skipped because it is empty.
Specification: docs/reference/formats/columns.md.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from engine.metrics import METRICS, SHARES
from engine.results import delimited, units
from engine.results.content import Content
from engine.results.declaration import Columns, Condition, Measured, parse
from engine.results.model import MAX_RUNS, ResultFile, Run, Setting, Table, brief
from engine.results.reconciliation import Line
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.samples import Column

__all__ = ["NAME", "Columns", "check", "parse", "read"]

NAME = "columns"

_MAX_DIGITS = 40
_JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*["}]|\[\s*[{\]])')
_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?", re.ASCII)


def read(content: Content, columns: Columns) -> ResultFile:
    """Return the runs of a table; raises `ResultError` that names line and column."""
    table = (
        _from_json(content, columns) if _JSON.match(content.head) else _from_csv(content, columns)
    )
    if not table.places:
        raise ResultError("no-rows", "the table has a header at most, and no row")
    kept = [at for at in range(len(table.places)) if _holds(table, columns.only, at)]
    if not kept:
        wanted = ", ".join(f"{name} {brief(value)}" for name, value in columns.only)
        raise ResultError("no-rows", f"none of {len(table.places)} rows has {wanted}")
    groups: dict[tuple[str, ...], list[int]] = {}
    for at in kept:
        key = tuple(_text(table.cells[name][at]) for name in columns.by)
        groups.setdefault(key, []).append(at)
    if len(groups) > MAX_RUNS:
        raise ResultError("too-large", f"{len(groups)} runs are over the limit of {MAX_RUNS}")
    runs = tuple(_run(table, columns, rows, key) for key, rows in groups.items())
    return ResultFile(NAME, runs, tuple(_file_notes(table, columns, len(kept))))


def check(run: Run) -> tuple[Line, ...]:
    """Return nothing: a declared table has no averages of its own."""
    del run
    return ()


class _Cells(NamedTuple):
    """The columns spoken of and the others; `places` says where each row stands."""

    places: Sequence[str]
    cells: Mapping[str, Sequence[Any]]
    others: Mapping[str, Sequence[Any]]
    written: bool  # whether cells are text by nature, as in CSV
    noise: int = 0


def _from_csv(content: Content, columns: Columns) -> _Cells:
    table = delimited.parse(content.text(), columns.names)
    whole = {
        name: [cells[at] for cells in table.rows] for at, name in enumerate(table.header) if name
    }
    names = columns.names
    return _Cells(
        [f"line {line}" for line in table.lines],
        {name: whole[name] for name in names},
        {name: values for name, values in whole.items() if name not in names},
        written=True,
    )


def _from_json(content: Content, columns: Columns) -> _Cells:
    found = content.documents
    cells = {name: [_at(one, name) for one in found.values] for name in columns.names}
    for name, values in cells.items():
        if values and all(value is None for value in values):
            there = ", ".join(brief(key) for key in list(found.values[0])[:40])
            raise ResultError("no-such-column", f"{brief(name)}; the first record has {there}")
    single = [name for name, value in content.first.items() if isinstance(value, str | int | float)]
    others = {name: [one.get(name) for one in found.values] for name in single if name not in cells}
    return _Cells(_places(content), cells, others, written=False, noise=found.noise)


def _places(content: Content) -> list[str]:
    """Return the line of each record where every line is one, else its number."""
    count = len(content.documents.values)
    lines = [n for n, line in enumerate(content.data.split(b"\n"), start=1) if line.strip()]
    if len(lines) == count and not content.documents.noise:
        return [f"line {line}" for line in lines]
    return [f"record {number}" for number in range(count)]


def _at(record: Mapping[str, Any], path: str) -> Any:
    """Return what stands under a key or, behind dots, inside objects; None where nothing does."""
    if path in record:
        return record[path]
    value: Any = record
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _holds(table: _Cells, conditions: Iterable[Condition], at: int) -> bool:
    return all(_text(table.cells[name][at]) == value for name, value in conditions)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else repr(value)


def _run(table: _Cells, columns: Columns, rows: Sequence[int], key: Sequence[str]) -> Run:
    wanted = (columns.status,) if columns.status else ()
    good = [at for at in rows if _holds(table, wanted, at)]
    counted = set(good)
    shown = {name: [values[at] for at in rows] for name, values in table.cells.items()}
    status = ["ok" if at in counted else "failed" for at in rows]
    return Run(
        identity={},
        config=_constant(table.others, rows) | dict(zip(columns.by, key, strict=True)),
        samples={one.metric: _samples(table, one, good) for one in columns.measured if good},
        rows=Table(shown | {"status": status}, len(rows)),
        notes=tuple(_notes(len(rows), len(good))),
    )


def _constant(columns: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> dict[str, Setting]:
    """Return the columns that say the same in all rows: they are how the run was set up."""
    found: dict[str, Setting] = {}
    for name, values in columns.items():
        first = values[rows[0]]
        if _text(first) and all(values[at] == first for at in rows):
            found[name] = first if isinstance(first, int) else _text(first)
    return found


def _samples(table: _Cells, declared: Measured, rows: Sequence[int]) -> Column:
    """Return the counted cells of a column as integers over one power of ten."""
    target = METRICS[declared.metric].unit
    scale = units.factor(declared.unit, target) or Fraction(1)
    least = 1 if units.is_timed(target) else 0
    values = table.cells[declared.column]
    pairs = []
    for at in rows:
        number = None if isinstance(values[at], str) and not table.written else _number(values[at])
        if number is None or number[0] < least:
            raise _refusal(table.places[at], declared.column, values[at], number)
        if declared.metric in SHARES and _exceeds_one(number):
            where = f"{table.places[at]}, column {brief(declared.column)}"
            why = f"{declared.metric} is a share, from 0 to 1"
            raise ResultError("not-a-number", f"{where}: {brief(values[at])}; {why}")
        pairs.append(number)
    lowest = min(power for _, power in pairs)
    raw = [digits * 10 ** (power - lowest) for digits, power in pairs]
    return Column(raw, scale * Fraction(10) ** lowest)


def _number(value: Any) -> tuple[int, int] | None:
    """Return the integer and the power of ten that spell a number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, int):
        return (value, 0) if abs(value) < 10**_MAX_DIGITS else None
    matched = _NUMBER.fullmatch(repr(value) if isinstance(value, float) else value)
    if not matched or not (matched[2] or matched[3]):
        return None
    fraction = (matched[3] or "").rstrip("0")
    power = int(matched[4] or 0) - len(fraction)
    digits = matched[2] + fraction
    if len(digits) > _MAX_DIGITS or abs(power) > _MAX_DIGITS:
        return None
    return int(matched[1] + digits), power


def _exceeds_one(number: tuple[int, int]) -> bool:
    digits, power = number
    return Fraction(digits) * Fraction(10) ** power > 1


def _refusal(place: str, column: str, value: Any, number: tuple[int, int] | None) -> ResultError:
    where = f"{place}, column {brief(column)}"
    if number is not None:
        name = "zero-is-missing" if number[0] == 0 else "not-a-number"
        why = "a time or rate of 0 was never measured" if number[0] == 0 else "it is negative"
        return ResultError(name, f"{where}: {brief(value)}; {why}")
    if _text(value) == "":
        why = "the cell is empty; declare status= or only= if such rows do not count"
    elif isinstance(value, str) and "," in value:
        why = f"{brief(value)} has a comma, which is a decimal to some and nothing to others"
    else:
        why = f"{brief(value)} is no decimal number"
    return ResultError("not-a-number", f"{where}: {why}")


def _notes(rows: int, good: int) -> Iterator[Note]:
    if not good:
        yield Note("all-requests-failed", f"none of {rows} rows has the declared status", ALL)
    elif good < rows:
        detail = f"{rows - good} of {rows} rows failed"
        yield Note("failed-rows", detail, ALL, EXCLUDE_FAILED)
    if good == 1:
        yield Note("not-a-distribution", "single row: no spread")


def _file_notes(table: _Cells, columns: Columns, kept: int) -> Iterator[Note]:
    if kept < len(table.places):
        wanted = ", ".join(f"{name} {brief(value)}" for name, value in columns.only)
        detail = f"{len(table.places) - kept} of {len(table.places)} rows do not have {wanted}"
        yield Note("rows-left-out", detail)
    if table.noise:
        yield Note("log-noise", f"noise lines: {table.noise} (not part of any record)")
