"""The walk of one plan: alternate the arms under one lease, gate on exactness, then compare.

Every repetition is a fresh process with a receipt of its own. After the first pair and again when
all have run, tokens are compared before any time is looked at: where they differ, the walk ends
there, the window's receipt carries no comparison and nothing that is printed carries a timing; the
numbers stay in the raw files. A repetition that fails, or a first one without the plan's metrics or
without tokens, makes the window void; what was finished is on record.

Anchors are measured first, under the same lease: one of the window that misses makes it void, one
of the baseline that misses condemns the baseline, and the window says so. Arms that did not engage
are one arm, and are not compared.
"""

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

from engine import anchor, conclusion, engagement, exactness, figures, names, schedule, soundness
from engine.apparatus import process
from engine.plan import Plan, PlanFile
from engine.results.model import Run
from engine.runner import Order, Outcome
from engine.walk import Apparatus, Walk, merged
from ledger.entry import Entry
from ledger.session import Session
from receipts.clock import format_time
from receipts.errors import ConflictError
from receipts.predicates import Repetition

STEP = "repetition/v1"


def walk(
    apparatus: Apparatus, file: PlanFile, name: str, plan: Plan, *, control: bool = False
) -> Walk:
    """Walk one cell's plan of the file and return what became of it.

    A `control` is an A/A: its arms are one on purpose.
    """
    here = apparatus.here
    names.require_free(here, name)
    known = [
        anchor.find(here.ledger, here.workspace.receipts, one.record) for one in plan.anchors or ()
    ]
    here.workspace.objects.put(file.raw)
    marks = {"cell": str(plan.cell), "window": name, "plan": file.digest}
    admitted = _record(apparatus, marks, "admitted")
    started_at = format_time(apparatus.clock())
    done = Walk(name, plan)
    steps: tuple[Callable[[], None], ...] = (
        lambda: _anchor(apparatus, file, done, known),
        lambda: _soundness(apparatus, file, done),
        lambda: _repeat(apparatus, file, done),
        lambda: conclusion.conclude(apparatus, file, done, started_at, control=control),
    )
    try:
        for step in steps:
            if done.fault is None:
                step()
    except BaseException as error:
        interrupted = isinstance(error, KeyboardInterrupt)
        done.fault = process.INTERRUPTED if interrupted else str(error) or type(error).__name__
        _record(apparatus, marks, "void", admission=admitted.id, reason=done.fault)
        raise
    done.entry = _end(apparatus, marks, done, admitted.id)
    return done


def _end(apparatus: Apparatus, marks: dict[str, str], done: Walk, admission: str) -> Entry:
    """Put the end of a walk on record; a name that was taken meanwhile does not cost the window."""
    if done.fault or done.uri is None:
        reason = done.fault or "no receipt"
        return _record(apparatus, marks, "void", reason=reason, admission=admission)
    facts = {"admission": admission, "receipt": done.uri}
    try:
        return _record(apparatus, marks, "finished", **facts, name=done.name)
    except ConflictError as error:
        return _record(apparatus, marks, "finished", **facts, reason=f"unnamed: {error}")


def free_name(here: Session, name: str, cells: Sequence[str] = ()) -> str:
    """Return `name` with the first number that no run or window of the ledger carries.

    Of a walk of several `cells` no window may be taken either: `NAME-1.CELL`.
    """
    numbered = (f"{name}-{number}" for number in itertools.count(1))
    return next(
        one
        for one in numbered
        if all(names.is_free(here, each) for each in (one, *(f"{one}.{cell}" for cell in cells)))
    )


def _anchor(
    apparatus: Apparatus, file: PlanFile, done: Walk, known: Sequence[anchor.Record]
) -> None:
    """Measure the plan's anchors; one of the window that does not hold makes the window void."""
    for wanted, record in zip(done.plan.anchors or (), known, strict=True):
        outcome = _run(apparatus, file, done, f"anchor.{wanted.record}", wanted.command, 0)
        if outcome.fault or outcome.file is None:
            done.fault = f"anchor {wanted.record} failed: {outcome.fault}"
            done.failed = outcome
            return
        run, binary = outcome.file.runs[0], engagement.binary(outcome)
        result = anchor.judge(record, wanted.validates, run, binary, outcome.receipt.digest)
        done.anchors.append(result)
        done.binaries[wanted.record] = binary
        if wanted.validates == "window" and result.result != "held":
            done.fault = anchor.told(result)
            return


def _soundness(apparatus: Apparatus, file: PlanFile, done: Walk) -> None:
    """Run the reference twice and every broken arm once, to see what the plan's gates can see."""
    if not done.plan.gates:
        return
    command = done.plan.baseline.command
    reference = _only_run(apparatus, file, done, "gate.reference", command)
    again = _only_run(apparatus, file, done, "gate.self", command) if reference else None
    for gate in done.plan.gates if reference and again else ():
        broken = _only_run(apparatus, file, done, f"gate.{gate.name}", gate.broken)
        if reference is None or again is None or broken is None:
            return
        done.gates.append(soundness.judge(gate, reference, again, broken))


def _only_run(
    apparatus: Apparatus, file: PlanFile, done: Walk, arm: str, command: Sequence[str]
) -> Run | None:
    """Run a command that is no arm and return its rows; None, and a fault, where it failed."""
    outcome = _run(apparatus, file, done, arm, command, 0)
    if outcome.fault or outcome.file is None:
        done.fault = f"{arm} failed: {outcome.fault}"
        done.failed = outcome
        return None
    return outcome.file.runs[0]


def _run(
    apparatus: Apparatus,
    file: PlanFile,
    done: Walk,
    arm: str,
    command: Sequence[str],
    repetition: int,
) -> Outcome:
    order = Order(
        cell=str(done.plan.cell),
        command=command,
        arm=arm,
        repetition=repetition,
        window=done.name,
        plan=file.digest,
    )
    told: dict[str, Any] = {"window": done.name, "arm": arm, "repetition": repetition}
    apparatus.relay.send(STEP, "start", **told)
    outcome = apparatus.run(order)
    apparatus.relay.send(STEP, "fail" if outcome.fault else "ok", outcome.fault, **told)
    return outcome


def _repeat(apparatus: Apparatus, file: PlanFile, done: Walk) -> None:
    plan = done.plan
    arms = plan.arms()
    order = schedule.alternate(plan.baseline.arm, plan.candidate.arm, plan.repetitions)
    for arm, repetition in order:
        if done.order and plan.cooldown_ms:
            time.sleep(plan.cooldown_ms / 1000)
        outcome = _run(apparatus, file, done, arm, arms[arm].command, repetition)
        done.outcomes.setdefault(arm, []).append(outcome)
        done.order.append(
            Repetition(arm=arm, repetition=repetition, receipt=outcome.receipt.digest)
        )
        fault = outcome.fault or _not_one_row(outcome)
        if fault:
            done.fault = f"{arm} repetition {repetition} failed: {fault}"
            done.failed = outcome
            return
        if repetition == 0:
            _require_comparable(plan, arm, outcome)
        if len(done.order) == len(arms) and _first_pair_differs(plan, done):
            return


def _require_comparable(plan: Plan, arm: str, outcome: Outcome) -> None:
    """Raise `UndecidedError` if nothing that follows could be what the plan asks for."""
    for run in outcome.file.runs if outcome.file else ():
        if plan.exactness != "none":
            exactness.require_kept(arm, run, plan.exactness)
        for name in plan.metrics:
            figures.require_samples(name, arm, run)


def _first_pair_differs(plan: Plan, done: Walk) -> bool:
    if plan.exactness == "none":
        return False
    pair = {arm: merged(done.outcomes[arm]) for arm in plan.arms()}
    return exactness.compare(pair, plan.exactness).result == "differs"


def _not_one_row(outcome: Outcome) -> str | None:
    """Say why the outcome is no single repetition, None when it is one."""
    rows_written = sum(len(run.rows) for run in outcome.file.runs) if outcome.file else 0
    return None if rows_written == 1 else f"its raw file has {rows_written} rows, not one"


def _record(apparatus: Apparatus, marks: dict[str, str], phase: str, **facts: Any) -> Entry:
    title = f"window {marks['window']} {phase}"
    body = {"kind": "RUN", "phase": phase, "title": title, **marks, **facts}
    return apparatus.here.ledger.append(body, apparatus.key)
