"""What may be said over all cells of a plan: PASS at its scope, or every miss in its own words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.inference import cells
from engine.inference.cells import Cell, Matrix
from engine.statistics import decimal_text
from engine.walk import Walk
from receipts.predicates import Comparison, WindowPredicate

SPECULATIVE = "speculative"
"""The lane in which windows without natural text are incomplete."""


@dataclass(frozen=True)
class Told:
    """The word over all cells for one metric, as plain values and as lines."""

    view: dict[str, Any]
    lines: tuple[str, ...]


def over(done: Sequence[Walk]) -> Iterator[Told]:
    """Yield for each metric of the plan what its cells give together."""
    plan = done[0].plan
    scope = ", ".join(f"{name} {value}" for name, value in _shared(done).items()) or plan.name
    for metric in plan.metrics:
        found = cells.judge(
            [_cell(one, metric) for one in done],
            scope,
            speculative=plan.scope.get("lane") == SPECULATIVE,
        )
        yield Told(_view(metric, found), tuple(_lines(metric, found)))


def _shared(done: Sequence[Walk]) -> dict[str, Any]:
    first = done[0].plan.scope
    return {
        name: value
        for name, value in first.items()
        if all(one.plan.scope.get(name) == value for one in done)
    }


def _cell(walk: Walk, metric: str) -> Cell:
    predicate = walk.receipt.predicate if walk.receipt else None
    compared = predicate.comparisons if isinstance(predicate, WindowPredicate) else []
    found: Comparison | None = next((one for one in compared if one.metric == metric), None)
    gate = walk.exactness.result if walk.exactness and not walk.fault else "differs"
    fixture = walk.plan.fixture
    return Cell(
        name=str(walk.plan.cell),
        definition=f"{metric}, {found.statistic}" if found else metric,
        ratio=Fraction(found.ratio) if found else Fraction(0),
        n=min(found.baseline.n, found.candidate.n) if found else 0,
        exact=None if gate == "ungated" and found else gate == "exact" and found is not None,
        natural=fixture is not None and fixture.kind == "natural",
        cannot_see=tuple(fixture.cannot_see) if fixture else (),
        condemned=isinstance(predicate, WindowPredicate) and predicate.standing == "condemned",
    )


def _lines(metric: str, found: Matrix) -> Iterator[str]:
    yield f"{metric}, {found.sentence}"
    yield from (f"  {kind}: {sentence}" for kind, sentence in found.findings)
    yield from (f"  {warning}" for warning in found.warnings)
    if found.passed:
        yield f"  PASS at {found.scope}"


def _view(metric: str, found: Matrix) -> dict[str, Any]:
    values = {
        "metric": metric,
        "scope": found.scope,
        "passed": found.passed,
        "findings": [{"kind": kind, "sentence": sentence} for kind, sentence in found.findings],
        "lowest": decimal_text(found.low.ratio) if found.low else None,
        "highest": decimal_text(found.high.ratio) if found.high else None,
        "mean": decimal_text(found.mean) if found.mean is not None else None,
        "warnings": list(found.warnings),
    }
    return {name: value for name, value in values.items() if value is not None}
