"""The end of a walk whose repetitions have all run: its gate, its comparisons, its receipt.

Tokens are compared before any time is looked at. Where they differ, or where an arm did not engage,
the receipt carries no comparison.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import engagement, environment, exactness, figures, floors, soundness
from engine.plan import Plan, PlanFile
from engine.results.model import Run
from engine.runner import Outcome
from engine.walk import Apparatus, Walk, merged
from receipts import receipt as receipts_format
from receipts.clock import format_time
from receipts.predicates import AnchorResult, Fixture, GateSoundness, WindowPredicate

PLAN = "plan"


def conclude(
    apparatus: Apparatus, file: PlanFile, done: Walk, started_at: str, *, control: bool
) -> None:
    """Gate on exactness, compare what may be compared, and sign the receipt of the window."""
    plan = done.plan
    runs = {arm: merged(done.outcomes[arm]) for arm in plan.arms()}
    done.exactness = exactness.compare(runs, plan.exactness)
    engaged = engagement.prove(plan, done.outcomes, apparatus.here.workspace.objects)
    shown = done.exactness.result != "differs" and (control or all(one.held for one in engaged))
    anchors = _of_baseline(done)
    predicate = WindowPredicate(
        origin="witnessed",
        cell=str(plan.cell),
        fixture=Fixture(**plan.fixture.plain()) if plan.fixture else None,
        anchors=anchors or None,
        engagement=engaged,
        gates=_gates(done, runs) or None,
        control=control or None,
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
        comparisons=_compare(plan, runs) if shown else [],
        warnings=[
            *(one.detail or one.proof for one in engaged if not one.held and not control),
            *_absent(plan, runs),
        ],
    )
    here = apparatus.here
    done.floors = floors.of_window(here.ledger, here.workspace.receipts, predicate)
    subjects = {PLAN: str(file.digest)} | _raw_subjects(done.outcomes)
    done.receipt = receipts_format.make(apparatus.key, subjects, predicate)
    apparatus.here.workspace.receipts.put(done.receipt.envelope.raw)


def _gates(done: Walk, runs: Mapping[str, Run]) -> list[GateSoundness]:
    reference, candidate = (runs[arm] for arm in done.plan.arms())
    return [soundness.with_candidate(gate, reference, candidate) for gate in done.gates]


def _of_baseline(done: Walk) -> list[AnchorResult]:
    """Return the anchors; one of a baseline that is not the arm's own binary is no anchor of it."""
    baseline = engagement.binary(done.outcomes[done.plan.baseline.arm][0])
    return [
        result.model_copy(update={"result": "other-binary"})
        if result.validates == "baseline" and _measured(done, result) != baseline
        else result
        for result in done.anchors
    ]


def _measured(done: Walk, result: AnchorResult) -> str | None:
    return done.binaries.get(result.record)


def _compare(plan: Plan, runs: Mapping[str, Run]) -> list[Any]:
    baseline = (plan.baseline.arm, runs[plan.baseline.arm])
    candidate = (plan.candidate.arm, runs[plan.candidate.arm])
    return [
        figures.compare(name, baseline, candidate)
        for name in plan.metrics
        if not figures.boundaries_differ(name, baseline[1], candidate[1])
    ]


def _absent(plan: Plan, runs: Mapping[str, Run]) -> list[str]:
    pair = (runs[plan.baseline.arm], runs[plan.candidate.arm])
    apart = [name for name in plan.metrics if figures.boundaries_differ(name, *pair)]
    return [f"{name} ratio absent: boundaries differ" for name in apart]


def _raw_subjects(outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, str]:
    return {
        f"{arm}/{repetition}": outcome.receipt.require(receipts_format.RAW)
        for arm, repeated in outcomes.items()
        for repetition, outcome in enumerate(repeated)
    }
