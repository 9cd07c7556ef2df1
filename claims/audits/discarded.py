"""What was measured and left out, beside what was counted: ranges and an exact p, from the rows.

For each cell, arm and metric that the cell's windows compare. Where discarded repetitions lie all
on one side, leaving them out moves the result; p says how unlikely that was by lot. Of a window
whose arms differ no timing is shown, here either: its repetitions are only counted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from claims.recount.archive import Archive, Rows, UnavailableError, place_of
from claims.recount.reducers import largest, smallest, spell
from engine.inference import permutation
from engine.inference.permutation import Discarded
from engine.metrics import METRICS
from ledger.discarding import Discarding, Group
from ledger.facts import Ran
from receipts.predicates import RunPredicate, WindowPredicate


@dataclass(frozen=True, slots=True)
class Lot:
    """Discarded against counted for one metric of one arm of a cell.

    `compared` is None where nothing was counted; `withheld` are repetitions of windows that are not
    exact, `gone` those without rows of the metric.
    """

    cell: str
    arm: str
    metric: str
    values: tuple[Fraction, ...]
    compared: Discarded | None
    withheld: int
    gone: int

    def lines(self) -> Iterator[str]:
        """Yield numbers, ranges and p as text, then what to make of them."""
        unit = METRICS[self.metric].unit
        told = [f"{len(self.values)} discarded{_range(self.values, unit)}"]
        found = self.compared
        if found is None:
            told.append("none counted")
        else:
            told.append(f"{found.counted} counted{_range(found.counted_range, unit)}")
            exact = "too many to count" if found.p is None else f"exact p = {float(found.p):.3g}"
            told.append(f"{exact} ({found.statistic})")
        told += [f"{self.withheld} more are not exact: withheld"] if self.withheld else []
        told += [f"{self.gone} more have no rows"] if self.gone else []
        yield f"discarded: {self.cell} {self.arm} {self.metric}: {'; '.join(told)}"
        yield from (f"        {warning}" for warning in (found.warnings if found else ()))

    def view(self) -> dict[str, Any]:
        """Return it as plain values, p as the fraction that it is."""
        shown: dict[str, Any] = {
            "cell": self.cell,
            "arm": self.arm,
            "metric": self.metric,
            "unit": METRICS[self.metric].unit,
            "discarded": [spell(value) for value in self.values],
            "withheld": self.withheld,
            "gone": self.gone,
        }
        found = self.compared
        if found is not None:
            ends = [spell(end) for end in found.counted_range]
            shown |= {"counted": found.counted, "counted_range": ends}
            shown |= {"statistic": found.statistic, "warnings": list(found.warnings)}
            shown |= {"p": str(found.p)} if found.p is not None else {}
        return shown


def lots(archive: Archive) -> list[Lot]:
    """Return every cell, arm and metric of which something was discarded."""
    fold = Discarding()
    windows: dict[str, WindowPredicate] = {}
    for index in range(archive.ledger.index.size):
        fold.take(archive.ledger.entry(index))
    for uri in _windows(archive):
        window = archive.receipt(uri).predicate
        if isinstance(window, WindowPredicate):
            windows[window.window] = window
    return [lot for group in fold.groups() for lot in _of_group(archive, group, windows)]


def _windows(archive: Archive) -> Iterator[str]:
    for index in archive.ledger.index.of_kinds("RUN"):
        body = archive.ledger.entry(index).body
        uri = getattr(body, "receipt", None)
        if uri and getattr(body, "window", None) and getattr(body, "arm", None) is None:
            try:
                archive.receipt(uri)
            except UnavailableError:
                continue
            yield uri


def _of_group(archive: Archive, group: Group, windows: dict[str, WindowPredicate]) -> Iterator[Lot]:
    inexact = {name for name, one in windows.items() if one.exactness.result == "differs"}
    left, kept = (
        [ran for ran in side if ran.window not in inexact]
        for side in (group.discarded, group.counted)
    )
    withheld = len(group.discarded) - len(left)
    compared = {
        one.metric
        for window in windows.values()
        if window.cell == group.cell
        for one in window.comparisons
    }
    rows = {ran.id: _rows(archive, ran) for ran in (*left, *kept)}
    known = {
        name for found in rows.values() if found for _, run in found.parts for name in run.samples
    }
    for metric in sorted((known & compared) or known):
        ours, theirs = (_values(rows, side, metric) for side in (left, kept))
        if ours:
            both = permutation.discarded_against_counted(ours, theirs) if theirs else None
            gone = sum(rows[ran.id] is None for ran in left)
            yield Lot(group.cell, group.arm, metric, tuple(ours), both, withheld, gone)


def _rows(archive: Archive, ran: Ran) -> Rows | None:
    """Return the rows of a run, None where they cannot be had; the recount tells why."""
    try:
        receipt = archive.receipt(str(ran.receipt))
        if not isinstance(receipt.predicate, RunPredicate):
            return None
        file = archive.file_of(receipt, receipt.predicate)
    except UnavailableError:
        return None
    return Rows(tuple((place_of(receipt.predicate), run) for run in file.runs))


def _values(rows: dict[str, Rows | None], side: Sequence[Ran], metric: str) -> list[Fraction]:
    found = (rows[ran.id] for ran in side)
    return [
        Fraction(value)
        for one in found
        if one
        for _, run in one.parts
        for value in run.samples.get(metric, ())
    ]


def _range(values: Sequence[Fraction], unit: str) -> str:
    low, high = (f"{float(end):.6g}" for end in (smallest(values), largest(values)))
    return f" ({low if low == high else f'{low} to {high}'} {unit})"
