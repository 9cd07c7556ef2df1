"""A window on record for a person: its table, what its pairs say, and its picture.

The table is the one that was printed when the window ended; every number in it has been computed
again from the raw rows before it is shown (`engine.recorded`). What the pairs say comes from
`engine.inference.pairs`: it stands beside the ratio that is cited, and does not replace it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine import floors, pair_report, plan, plot_cells, recorded, report, statistics
from engine.inference import pairs
from engine.inference.pairs import Pairs
from engine.metrics import metric
from engine.plot_cells import Cell, Ratio, Withheld
from engine.recorded import Window
from engine.results.model import Run
from engine.walk import Walk
from ledger.session import Session
from receipts.digest import Digest
from receipts.errors import MalformedError
from receipts.predicates import Comparison


@dataclass(frozen=True)
class Told:
    """A window as plain values and as lines, what its picture shows, and whether it may be shown.

    Where timings are withheld there are no cells, and `withheld` has the reason.
    """

    value: dict[str, Any]
    lines: list[str]
    cells: list[Cell]
    withheld: Withheld | None = None


def tell_all(here: Session, windows: Sequence[Window]) -> list[Told]:
    """Return what is to be told of each window; two of one cell are called by their own names."""
    cells = Counter(one.predicate.cell for one in windows)
    return [
        tell(here, one, one.predicate.cell if cells[one.predicate.cell] == 1 else one.name)
        for one in windows
    ]


def tell(here: Session, found: Window, label: str) -> Told:
    """Return what is to be told of a window, which the picture calls `label`.

    Raises `VerificationError` where they do not.
    """
    value, lines = report.walked(_walk(here, found))
    why = recorded.withheld(found.predicate)
    if why:
        return Told(value, lines, [], Withheld(label, why))
    arms = recorded.recomputed(found)
    said = {one.metric: _analysed(one, found, arms) for one in found.predicate.comparisons}
    known = floors.of_window(here.ledger, here.workspace.receipts, found.predicate)
    terms = {name: report.terms_of(found.predicate, known.get(name)) for name in said}
    value["pairs"] = {name: pair_report.view(one, terms[name]) for name, one in said.items()}
    for name, one in said.items():
        lines += [f"{name}, {one.n} pairs", *pair_report.lines(one, terms[name])]
    shown = found.predicate.comparisons
    cells = [_cell(label, one, found, arms, said[one.metric]) for one in shown]
    return Told(value, lines, cells)


def _walk(here: Session, found: Window) -> Walk:
    """Return the window as the walk that it was when it ended."""
    predicate = found.predicate
    data = here.workspace.objects.get(Digest.parse(predicate.plan))
    single = plan.parse(data, f"plan {predicate.plan[:20]}…").of(predicate.cell)
    if single is None:
        raise MalformedError(f"the plan of {predicate.window} has no cell {predicate.cell}")
    walk = Walk(predicate.window, single)
    walk.order, walk.exactness = predicate.repetitions, predicate.exactness
    walk.receipt = found.receipt
    return walk


def _analysed(said: Comparison, found: Window, arms: Mapping[str, Run]) -> Pairs:
    baseline, candidate = (arms[name].samples[said.metric] for name in found.arms)
    first = list(recorded.candidate_first(found))
    return pairs.analyse(candidate, baseline, said.polarity, first)


def _cell(
    label: str, said: Comparison, found: Window, arms: Mapping[str, Run], told: Pairs
) -> Cell:
    baseline, candidate = (_arm(name, found, arms, said) for name in found.arms)
    interval = told.interval
    exact = {"exact": True, "ungated": None}.get(found.predicate.exactness.result, False)
    return Cell(
        label=label,
        metric=said.metric,
        unit=metric(said.metric).unit,
        polarity=said.polarity,
        baseline=baseline,
        candidate=candidate,
        ratio=Ratio(told.comparison.ratio, interval.low, interval.high, interval.confidence),
        ddof=said.ddof,
        exact=exact,
    )


def _arm(name: str, found: Window, arms: Mapping[str, Run], said: Comparison) -> plot_cells.Arm:
    samples: Sequence[Fraction] = arms[name].samples[said.metric]
    return plot_cells.Arm(
        name=name,
        samples=tuple(zip(found.order(name), samples, strict=True)),
        median=statistics.median(samples),
        cv=statistics.cv(samples, said.ddof),
    )
