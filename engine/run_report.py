"""What `engine run` prints: the plan of a dry run, and what became of a run.

The command's own status, whether it was admitted, and our exit code are three fields::

    {"phase": "failed", "admission": "admitted", "exit_status": 75, "exit_code": 1, …}
"""

from collections.abc import Iterator

from engine import report
from engine.apparatus import locks
from engine.apparatus.terms import Terms
from engine.plan import PlanFile
from engine.report import Report
from engine.runner import Order, Outcome
from receipts.predicates import Connection, RunPredicate


def intention(order: Order, terms: Terms) -> Report:
    """Return the plan of a single run."""
    value, lines = report.intention(order)
    value |= {**terms.plan(), "exclusive": _exclusive(), "identity": dict(order.identity)}
    return value, [*lines, *_terms(terms)]


def outline(file: PlanFile, terms: Terms) -> Report:
    """Return the plan of a window, and the terms on which every command of it runs."""
    value, lines = report.outline(file)
    value |= {**terms.plan(), "exclusive": _exclusive()}
    return value, [*lines, *(line.replace(" ", "  ", 1) for line in _terms(terms))]


def _terms(terms: Terms) -> Iterator[str]:
    yield from (
        f"devices  {', '.join(sorted(terms.devices)) or 'none'}",
        f"lease    excludes {_exclusive()}",
        f"quiet    {terms.quiet:g} s before and after, measured",
        f"deadline {'none' if terms.deadline is None else f'{terms.deadline:g} s'}",
    )
    yield from (f"resident {each}" for each in terms.plan()["residents"])


def ran(order: Order, outcome: Outcome) -> Report:
    """Return what became of a single run."""
    value, lines = report.ran(order, outcome)
    value |= {"admission": "admitted", "exit_code": outcome.exit_code}
    value |= {"taints": list(outcome.taints)}
    value |= {"refusal": outcome.refusal} if outcome.refusal else {}
    lines += [f"  taint: {taint}" for taint in outcome.taints]
    predicate = outcome.receipt.predicate
    said = predicate.apparatus if isinstance(predicate, RunPredicate) else None
    if said and said.connections:
        unseen = said.absent.get("connections.unseen", "")
        value |= {"connections": [one.plain() for one in said.connections]}
        value |= {"connections_unseen": unseen}
        lines += [f"  {_went(one)}" for one in said.connections]
        lines += [f"  not seen: {unseen}"]
    return value, lines


def _went(one: Connection) -> str:
    """Return how a connection left the machine, for a person."""
    peer = f"[{one.peer}]" if ":" in one.peer else one.peer
    speed = f", {one.speed_mbit} Mbit/s" if one.speed_mbit else ""
    by = f"{one.interface} ({one.interface_kind}{speed})" if one.interface else "an unknown way"
    return f"{one.protocol} {peer}:{one.port} by {by}, looks {one.first} to {one.last}"


def _exclusive() -> str:
    place = locks.known()
    return place.exclusive if place else locks.USER
