"""The walk of one plan: alternate the arms under one lease, gate on exactness, then compare.

Every repetition is a fresh process with a receipt of its own. After the first pair and again when
all have run, tokens are compared before any time is looked at: where they differ, the walk ends
there, the window's receipt carries no comparison and nothing that is printed carries a timing; the
numbers stay in the raw files. A repetition that fails, or a first one without the plan's metrics or
without tokens, makes the window void; what was finished is on record.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import environment, exactness, figures, names, process, runner, schedule
from engine.lease import Lease
from engine.plan import Plan, PlanFile
from engine.results import rows
from engine.results.model import Run
from engine.runner import Order, Outcome
from ledger.entry import Entry
from ledger.session import Session
from receipts import receipt as receipts_format
from receipts.clock import Clock, format_time
from receipts.errors import ConflictError
from receipts.keys import SigningKey
from receipts.receipt import Receipt
from receipts.statement import Exactness, Repetition, WindowPredicate

PLAN = "plan"
Progress = Callable[[int], None]


@dataclass
class Walk:
    """A window while it runs and when it has ended: `receipt` is there unless it is void."""

    name: str
    plan: Plan
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    order: list[Repetition] = field(default_factory=list)
    exactness: Exactness | None = None
    receipt: Receipt | None = None
    entry: Entry | None = None
    fault: str | None = None
    failed: Outcome | None = None
    """The repetition that made the window void, if one did."""

    @property
    def uri(self) -> str | None:
        """The URI by digest of the window's receipt."""
        return self.receipt.uri if self.receipt else None


@dataclass(frozen=True)
class Apparatus:
    """What a window needs to run: the ledger, the key, the lease, the time, who watches."""

    here: Session
    key: SigningKey
    lease: Lease
    clock: Clock
    progress: Progress


def walk(apparatus: Apparatus, file: PlanFile, name: str) -> Walk:
    """Walk the plan and return what became of it."""
    here, plan = apparatus.here, file.plan
    names.require_free(here, name)
    here.workspace.objects.put(file.raw)
    marks = {"cell": plan.cell, "window": name, "plan": file.digest}
    admitted = _record(apparatus, marks, "admitted")
    started_at = format_time(apparatus.clock())
    done = Walk(name, plan)
    try:
        _repeat(apparatus, file, done)
        if done.fault is None:
            _conclude(apparatus, file, done, started_at)
    except BaseException as error:
        interrupted = isinstance(error, KeyboardInterrupt)
        done.fault = process.INTERRUPTED if interrupted else str(error) or type(error).__name__
        _record(apparatus, marks, "void", admission=admitted.id, reason=done.fault)
        raise
    facts = {"admission": admitted.id}
    if done.fault or done.uri is None:
        done.entry = _record(apparatus, marks, "void", reason=done.fault or "no receipt", **facts)
    else:
        facts |= {"receipt": done.uri}
        try:
            done.entry = _record(apparatus, marks, "finished", **facts, name=name)
        except ConflictError as error:
            facts |= {"reason": f"unnamed: {error}"}
            done.entry = _record(apparatus, marks, "finished", **facts)
    return done


def free_name(here: Session, plan: Plan) -> str:
    """Return the plan's name with the first number that no run or window of the ledger carries."""
    return names.first_free(here, (f"{plan.name}-{number}" for number in itertools.count(1)))


def _repeat(apparatus: Apparatus, file: PlanFile, done: Walk) -> None:
    plan = file.plan
    arms = plan.arms()
    order = schedule.alternate(plan.baseline.arm, plan.candidate.arm, plan.repetitions)
    for arm, repetition in order:
        outcome = runner.run(
            apparatus.here,
            apparatus.key,
            apparatus.lease,
            Order(
                cell=plan.cell,
                command=arms[arm].command,
                arm=arm,
                repetition=repetition,
                window=done.name,
                plan=file.digest,
            ),
            apparatus.clock,
        )
        done.outcomes.setdefault(arm, []).append(outcome)
        done.order.append(
            Repetition(arm=arm, repetition=repetition, receipt=outcome.receipt.digest)
        )
        apparatus.progress(1)
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
        exactness.require_kept(arm, run, plan.exactness)
        for name in plan.metrics:
            figures.require_samples(name, arm, run)


def _first_pair_differs(plan: Plan, done: Walk) -> bool:
    pair = {arm: _merge(done.outcomes[arm]) for arm in plan.arms()}
    return exactness.compare(pair, plan.exactness).result == "differs"


def _not_one_row(outcome: Outcome) -> str | None:
    """Say why the outcome is no single repetition, None when it is one."""
    rows_written = sum(len(run.rows) for run in outcome.file.runs) if outcome.file else 0
    return None if rows_written == 1 else f"its raw file has {rows_written} rows, not one"


def _conclude(apparatus: Apparatus, file: PlanFile, done: Walk, started_at: str) -> None:
    plan = file.plan
    runs = {arm: _merge(done.outcomes[arm]) for arm in plan.arms()}
    done.exactness = exactness.compare(runs, plan.exactness)
    predicate = WindowPredicate(
        origin="witnessed",
        cell=plan.cell,
        window=done.name,
        plan=file.digest,
        baseline=plan.baseline.arm,
        candidate=plan.candidate.arm,
        cv_limit=plan.cv_limit,
        scope=plan.scope,
        repetitions=done.order,
        exactness=done.exactness,
        environment=environment.fingerprint(),
        lease=apparatus.lease.facts(),
        started_at=started_at,
        finished_at=format_time(apparatus.clock()),
        comparisons=_compare(plan, runs) if done.exactness.result == "exact" else [],
    )
    subjects = {PLAN: str(file.digest)} | _raw_subjects(done.outcomes)
    done.receipt = receipts_format.make(apparatus.key, subjects, predicate)
    apparatus.here.workspace.receipts.put(done.receipt.envelope.raw)


def _merge(outcomes: Sequence[Outcome]) -> Run:
    return rows.merge([outcome.file for outcome in outcomes if outcome.file])


def _compare(plan: Plan, runs: Mapping[str, Run]) -> list[Any]:
    baseline = (plan.baseline.arm, runs[plan.baseline.arm])
    candidate = (plan.candidate.arm, runs[plan.candidate.arm])
    return [figures.compare(name, baseline, candidate) for name in plan.metrics]


def _raw_subjects(outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, str]:
    return {
        f"{arm}/{repetition}": outcome.receipt.require(receipts_format.RAW)
        for arm, repeated in outcomes.items()
        for repetition, outcome in enumerate(repeated)
    }


def _record(apparatus: Apparatus, marks: dict[str, str], phase: str, **facts: Any) -> Entry:
    title = f"window {marks['window']} {phase}"
    body = {"kind": "RUN", "phase": phase, "title": title, **marks, **facts}
    return apparatus.here.ledger.append(body, apparatus.key)
