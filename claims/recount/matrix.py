"""Claims over several cells: the range of the cells' ratios, and how many cells there are.

A cell of a single repetition enters no range; nor does one whose tokens differ.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from claims.recount import cited, receipts
from claims.recount.archive import Archive, UnavailableError
from claims.recount.exactness import gate_result
from claims.recount.reducers import largest, mean, smallest
from engine import plan
from engine.metrics import Polarity
from receipts.predicates import WindowPredicate
from receipts.receipt import Receipt

Values = dict[str, Fraction | str]
_HOLE = "ratio"


@dataclass(frozen=True, slots=True)
class Cell:
    """One window for one metric: its ratio, the ratio of each pair, and whether it counts."""

    name: str
    receipt: Receipt
    ratio: Fraction
    pairs: tuple[Fraction, ...]
    n: int
    exact: bool
    rows: str

    @property
    def counts(self) -> bool:
        """Say whether the cell may enter a range."""
        return self.n > 1 and self.exact


def fill(archive: Archive, told: Mapping[str, Any]) -> tuple[Values, list[Cell]]:
    """Return the value of every hole of a claim over cells, and the cells of its own metric."""
    windows = [
        cited.find(archive, ref)[0]
        for one in told["evidence"]
        for ref in cited.spread(archive, one)
    ]
    values: Values = {}
    cells: list[Cell] = []
    counted: list[Cell] = []
    for name, metric in {_HOLE: told["metric"], **told.get("metrics", {})}.items():
        found = [cell(archive, window, metric, told["statistic"]) for window in windows]
        cells = found if name == _HOLE else cells
        counted = [one for one in found if one.counts]
        ratios = [one.ratio for one in counted]
        if ratios:
            ends = {"min": smallest(ratios), "max": largest(ratios), "mean": mean(ratios)}
            values |= {f"{name}.{part}": value for part, value in ends.items()}
            values["n"] = str(min(one.n for one in counted))
    values |= paired([ratio for one in cells for ratio in one.pairs])
    planned = len(_planned(archive, windows[0]))
    return values | {"cells": str(len(counted)), "cells.planned": str(planned)}, cells


def cell(archive: Archive, window: Receipt, metric: str, statistic: str) -> Cell:
    """Return what one window gives for one metric."""
    predicate = window.predicate
    if not isinstance(predicate, WindowPredicate):
        raise UnavailableError("not recomputable", "a change rests on a window, and this is none")
    found = receipts.window_pair(archive, window, predicate, metric, statistic)
    if found.ratio is None:
        raise UnavailableError("not recomputable", "a median is not above zero: there is no ratio")
    return Cell(
        name=predicate.cell,
        receipt=window,
        ratio=found.ratio,
        pairs=tuple(pair_ratios(archive, window, predicate, metric, found.metric.polarity)),
        n=min(found.baseline.n, found.candidate.n),
        exact=gate_result(archive, window, predicate) != "differs",
        rows=f"baseline {found.baseline.rows}; candidate {found.candidate.rows}",
    )


def pair_ratios(
    archive: Archive, window: Receipt, predicate: WindowPredicate, metric: str, polarity: Polarity
) -> Iterator[Fraction]:
    """Yield the ratio of each pair, above 1 where the candidate wins; none where none are paired.

    Pair i is repetition i of both arms, with one sample each.
    """
    arms = [archive.arm(window, predicate, a) for a in (predicate.baseline, predicate.candidate)]
    old, new = (arm.samples(metric)[1] for arm in arms)
    if len(old) != len(new) or len(old) != len(arms[0].parts) or min(*old, *new) <= 0:
        return
    for one, other in zip(old, new, strict=True):
        yield other / one if polarity == "higher" else one / other


def paired(ratios: list[Fraction]) -> Values:
    """Return what the holes `pair.min` and `pair.max` are filled with."""
    return {"pair.min": smallest(ratios), "pair.max": largest(ratios)} if ratios else {}


def _planned(archive: Archive, window: Receipt) -> list[str]:
    """Return the cells of the plan that the windows were walked by."""
    predicate = window.predicate
    digest = predicate.plan if isinstance(predicate, WindowPredicate) else None
    whole = plan.parse(archive.object(str(digest)), f"plan {str(digest)[:20]}…")
    return [str(one.cell) for one in whole.singles()]
