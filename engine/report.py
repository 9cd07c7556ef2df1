"""What `engine` prints: the intention of a dry run, the outcome of a run, the table of a window."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from engine import anchor, declared, matrix_report, pair_report, schedule, soundness
from engine.attach import Attached
from engine.plan import Anchor, PlanFile
from engine.runner import Order, Outcome
from engine.statistics import decimal_text
from engine.walk import Walk
from receipts.predicates import ArmSummary, Comparison, Figure, RunPredicate, WindowPredicate
from receipts.receipt import LOG

Report = tuple[Any, list[str]]


def intention(order: Order) -> Report:
    """Return the plan of a single run."""
    value = {**order.marks(), "command": list(order.command), "executes": False}
    value |= {"name": order.name} if order.name else {}
    return value, [f"cell     {order.cell}", f"command  {' '.join(order.command)}"]


def outline(file: PlanFile) -> Report:
    """Return the plan of a window: its digest and the order of its repetitions."""
    plan = file.plan
    order = schedule.alternate(plan.baseline.arm, plan.candidate.arm, plan.repetitions)
    listed = [f"{arm}/{repetition}" for arm, repetition in order]
    cells = ", ".join(str(one.cell) for one in plan.singles())
    value: dict[str, Any] = {"plan": file.digest, "name": plan.name, "cell": cells}
    value |= {"order": listed, "repetitions": plan.repetitions, "metrics": plan.metrics}
    value |= {"anchors": [one.plain() for one in plan.anchors or ()]} if plan.anchors else {}
    value |= {"scope": dict(plan.scope)} | ({"cv_limit": plan.cv_limit} if plan.cv_limit else {})
    scope = ", ".join(f"{name}={fact}" for name, fact in plan.scope.items())
    lines = [
        f"plan      {file.digest}",
        f"cell      {cells}",
        f"baseline  {plan.baseline.arm}: {' '.join(plan.baseline.command)}",
        f"candidate {plan.candidate.arm}: {' '.join(plan.candidate.command)}",
        *(f"anchor    {_anchor(one)}" for one in plan.anchors or ()),
        f"repeated  {plan.repetitions} times each arm",
        f"order     {' '.join(listed)}",
        f"gate      {plan.exactness} identical, before any timing",
        f"metrics   {', '.join(plan.metrics)}",
        f"cv_limit  {plan.cv_limit or 'none'}",
        f"scope     {scope or 'none'}",
    ]
    return value | {"executes": False}, lines


def _anchor(one: Anchor) -> str:
    where = f" in {one.cell}" if one.cell else ""
    return f"{one.record} of the {one.validates}{where}: {' '.join(one.command)}"


def ran(order: Order, outcome: Outcome) -> Report:
    """Return what became of a single run."""
    predicate = outcome.receipt.predicate
    found = predicate.figures if isinstance(predicate, RunPredicate) else []
    value = {
        "receipt": outcome.uri,
        "entry": outcome.entry.index,
        "phase": getattr(outcome.entry.body, "phase", ""),
        "exit_status": outcome.exit_status,
        "name": getattr(outcome.entry.body, "name", None),
        "fault": outcome.fault,
        "figures": [figure.plain() for figure in found],
    }
    lines = [f"{value['phase']}  entry {outcome.entry.index}  {outcome.uri}"]
    reason = getattr(outcome.entry.body, "reason", None)
    lines += [f"  {reason}"] if reason else []
    lines += [_printed(log)] if outcome.fault and (log := _log(outcome)) else []
    lines += _figures(found)
    return {name: item for name, item in value.items() if item is not None}, lines


def attached(done: Sequence[Attached]) -> Iterator[str]:
    """Yield what was attached, file by file, with the figures of every cell."""
    for one in done:
        predicate = one.receipt.predicate
        yield f"attached {one.path.name} as receipt://{one.name} (entry {one.entry.index})"
        yield f"  receipt://{one.receipt.digest}"
        if isinstance(predicate, RunPredicate):
            yield from _figures(predicate.figures)
        yield from (f"  warning: {warning}" for warning in predicate.warnings)


def walked_all(done: Sequence[Walk]) -> Report:
    """Return the tables of all windows of a plan; of one window, its own."""
    reports = [walked(one) for one in done]
    if len(reports) == 1:
        return reports[0]
    told = list(matrix_report.over(done))
    values = {"windows": [value for value, _ in reports], "matrix": [one.view for one in told]}
    lines = [line for _, lines in reports for line in lines]
    return values, [*lines, *(line for one in told for line in one.lines)]


def walked(walk: Walk) -> Report:
    """Return the table of a window; without exactness there is no timing in it."""
    value: dict[str, Any] = {"window": walk.name, "cell": walk.plan.cell}
    if walk.fault or walk.receipt is None or walk.exactness is None:
        log = _log(walk.failed) if walk.failed else None
        lines = [f"window {walk.name} is void: {walk.fault}", *([_printed(log)] if log else [])]
        return value | {"void": walk.fault} | ({"log": log} if log else {}), lines
    predicate = walk.receipt.predicate
    found = predicate.comparisons if isinstance(predicate, WindowPredicate) else []
    value |= {
        "receipt": walk.uri,
        "exactness": walk.exactness.plain(),
        "comparisons": [comparison.plain() for comparison in found],
        "repetitions": [item.plain() for item in walk.order],
    }
    lines = [f"window {walk.name}, cell {walk.plan.cell}, receipt {walk.uri}"]
    if walk.exactness.result == "differs":
        first = walk.exactness.first_difference
        ran = f"{len(walk.order)} of {2 * walk.plan.repetitions} repetitions ran"
        return value, [*lines, f"NOT EXACT: {first}", f"{ran}; every timing is withheld"]
    if isinstance(predicate, WindowPredicate):
        value["standing"] = predicate.standing
        value["anchors"] = [one.plain() for one in predicate.anchors or ()]
        lines += _held_against(predicate)
    exact = ", exact in every repetition" if walk.exactness.result == "exact" else ""
    for item in found:
        lines += _comparison(item, exact)
        if walk.outcomes:
            said = pair_report.of_arms(item.metric, *walk.arms())
            terms = terms_of(predicate, walk.floors.get(item.metric))
            lines += pair_report.lines(said, terms)
            value.setdefault("pairs", {})[item.metric] = pair_report.view(said, terms)
    return value, lines


def terms_of(window: object, floor: Fraction | None) -> pair_report.Terms:
    """Return what the pairs of a window are judged by."""
    margin = declared.margin(window.scope) if isinstance(window, WindowPredicate) else None
    return pair_report.Terms(floor, margin, failed_gates(window))


def failed_gates(window: object) -> tuple[str, ...]:
    """Return what makes every delta of a window invalid; `engine.inference.verdict` says INVALID.

    A condemned baseline does: a faster candidate over a slow denominator is no win.
    """
    condemned = isinstance(window, WindowPredicate) and window.standing == "condemned"
    return ("its baseline is not the recorded one",) if condemned else ()


def _held_against(window: WindowPredicate) -> Iterator[str]:
    """Yield what the baseline was held against, and what the fixture cannot show."""
    yield from (anchor.told(one) for one in window.anchors or ())
    if window.standing == "condemned":
        yield "BASELINE_CONDEMNED: no delta over this baseline counts"
    elif window.standing == "unanchored" and not window.control:
        yield "unanchored: no recorded value stands behind the baseline, so no change is claimed"
    yield from (soundness.told(one) for one in window.gates or ())
    if window.fixture:
        unseen = ", ".join(window.fixture.cannot_see)
        yield f"{window.fixture.kind} fixture, cannot see {unseen}"
    yield from (f"warning: {warning}" for warning in window.warnings)
    if window.exactness.result == "ungated":
        yield "without an exactness gate, as planned"


def _log(outcome: Outcome) -> str | None:
    return outcome.receipt.statement.subject_digest(LOG)


def _printed(log: str) -> str:
    return f"  what it printed: receipts cat {log}"


def _comparison(item: Comparison, exact: str) -> Iterator[str]:
    yield f"{item.metric} ({item.unit}, {item.polarity} is better){exact}"
    yield from _table([item.baseline, item.candidate], item.ddof)
    yield f"  ratio {_short(item.ratio)} = {item.convention}"
    yield from (f"  warning: {warning}" for warning in item.warnings)


def _table(arms: Sequence[ArmSummary], ddof: int) -> Iterator[str]:
    yield f"  {'arm':12} {'n':>3} {'median':>11} {f'CV ddof {ddof}':>10} {'min':>11} {'max':>11}"
    for arm in arms:
        cv = f"{Decimal(arm.cv) * 100:.2f} %" if arm.cv else "absent"
        figures = f"{_short(arm.value):>11} {cv:>10} {_short(arm.min):>11} {_short(arm.max):>11}"
        yield f"  {arm.arm:12} {arm.n:3} {figures}"


def _figures(found: Sequence[Figure]) -> list[str]:
    return [
        f"  {figure.metric:16} {figure.statistic} {_short(figure.value):>11} {figure.unit}  "
        f"n {figure.n}" + (f"  {_selected(figure)}" if figure.select else "")
        for figure in found
    ]


def _selected(figure: Figure) -> str:
    return ", ".join(f"{name}={value}" for name, value in (figure.select or {}).items())


def _short(text: str) -> str:
    return decimal_text(Fraction(text), 6)
