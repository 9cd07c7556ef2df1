"""The walk of a whole plan under one lease: a window for each cell, and A/A windows for the noise.

A plan of one cell gives the window `NAME`; one of several gives `NAME.CELL` for each. The cells are
walked in order; one that is void or not exact does not stop the others, for a miss must be on
record beside the wins.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction

from engine import runner, window
from engine.apparatus import lease
from engine.apparatus.lease import Lease
from engine.apparatus.terms import Terms
from engine.plan import Plan, PlanFile
from engine.runner import Order
from engine.walk import Apparatus, Walk
from ledger.session import Session
from receipts.errors import Error, UndecidedError
from receipts.keys import SigningKey
from receipts.predicates import WindowPredicate


def repetitions(plan: Plan) -> int:
    """Return how many commands a walk of the plan runs."""
    return sum(
        2 * one.repetitions + len(one.anchors or ()) + (2 + len(one.gates) if one.gates else 0)
        for one in plan.singles()
    )


def cells(plan: Plan) -> list[str]:
    """Return the cells whose windows carry the cell in their name: none where there is only one."""
    singles = plan.singles()
    return [str(one.cell) for one in singles] if len(singles) > 1 else []


@contextmanager
def leased(
    here: Session, key: SigningKey, file: PlanFile, name: str, terms: Terms
) -> Iterator[Lease]:
    """Hold the host and the devices of `terms` for the plan; a refusal is put on record."""
    held = ExitStack()
    try:
        terms.resolved()
        granted = held.enter_context(lease.acquire(file.plan.name, devices=terms.devices))
    except Error as error:
        for one in file.plan.singles():
            order = Order(str(one.cell), [], window=name, plan=file.digest)
            runner.refuse(here, key, order, str(error))
        raise
    with held:
        yield granted


def walk(apparatus: Apparatus, file: PlanFile, name: str) -> list[Walk]:
    """Walk every cell of the plan; return the windows in order."""
    several = cells(file.plan)
    return [
        window.walk(apparatus, file, f"{name}.{one.cell}" if several else name, one)
        for one in file.plan.singles()
    ]


def controls(apparatus: Apparatus, file: PlanFile, windows: int) -> list[Walk]:
    """Walk every cell as an A/A so many times: the baseline against itself."""
    walked = []
    for one in file.plan.singles():
        twice = one.control()
        for _ in range(windows):
            name = window.free_name(apparatus.here, f"{file.plan.name[:40]}-aa")
            walked.append(window.walk(apparatus, file, name, twice, control=True))
    return walked


def differences(walked: Sequence[Walk]) -> Iterator[tuple[str, str, list[Fraction], str]]:
    """Yield cell, metric, the change of every A/A window of it, and the last window's receipt."""
    found: dict[tuple[str, str], list[tuple[Fraction, str]]] = {}
    for one in walked:
        predicate = one.receipt.predicate if one.receipt else None
        if not isinstance(predicate, WindowPredicate) or not predicate.comparisons:
            raise UndecidedError(
                f"window {one.name} gave no difference: {one.fault or 'not exact'}"
            )
        for comparison in predicate.comparisons:
            key = (predicate.cell, comparison.metric)
            found.setdefault(key, []).append((Fraction(comparison.change), str(one.uri)))
    for (cell, metric), pairs in found.items():
        yield cell, metric, [change for change, _ in pairs], pairs[-1][1]
