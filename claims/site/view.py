"""What a reader is shown of one claim: everything where it holds, its reasons where it does not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from claims import trail
from claims.judging.judge import Judgement
from claims.registers import facts
from claims.rules import RULES
from claims.site import commands, figures, limits, plot, steps, withholding
from claims.site.figures import ArmFigures
from claims.site.plot import Plot
from claims.site.record import Decision, Event, Record
from claims.site.steps import Held, Step
from engine.metrics import METRICS
from receipts.predicates import RunPredicate, WindowPredicate
from receipts.workspace import Workspace

State = Literal["holds", "stated", "refused", "withdrawn"]
"""*Stated* is what holds and was never measured, such as a target."""
_MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a claim is unavailable: the rule, and what it found without the claim's number."""

    code: str
    name: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Result:
    """What only a claim that holds has: its numbers, and the rows that they were computed from."""

    headline: tuple[tuple[str, str], ...]
    arms: tuple[ArmFigures, ...]
    plot: Plot
    rows: tuple[tuple[str, tuple[str, ...], int], ...]
    """For each arm its lines, and how many more there are."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One page of the site, and its line in the index."""

    id: str
    state: State
    sentence: str | None
    wording: str
    tag: str
    kind: str
    metric: str
    unit: str
    meaning: str
    better: str
    statistic: str
    taken_of_arms: str
    repetitions: int
    owner: str | None
    reasons: tuple[Reason, ...]
    decision: Event | None
    conditions: tuple[str, ...]
    scope: tuple[tuple[str, str], ...]
    required: tuple[str, ...]
    forbidden: tuple[str, ...]
    taken: tuple[str, str] | None
    """Whether the evidence was measured or attached, and when."""
    result: Result | None
    steps: tuple[Step, ...]
    limits: tuple[str, ...]
    history: tuple[Event, ...]
    script: str | None

    @property
    def file(self) -> str:
        """The page's file name, which links to it may rely on."""
        return f"{self.id}.html"

    @property
    def script_file(self) -> str:
        """The name of the file that holds the script alone."""
        return f"{self.id}.verify.sh"


class Gallery:
    """Makes the views of many claims from one ledger and its stores."""

    def __init__(self, place: Workspace, record: Record, *, anchored: bool) -> None:
        self._place = place
        self._record = record
        self._anchored = anchored

    def view(self, done: Judgement) -> ClaimView:
        """Return what is shown of the claim of this judgement."""
        claim, evidence = done.claim, done.evidence
        known = METRICS.get(claim.metric)
        told, said = _tellers(done)
        decision = next(reversed(self._record.decisions(claim.id)), None)
        receipt = evidence.receipt.uri if evidence.receipt else None
        history = [_told(one, told) for one in self._history(claim.id, done, receipt)]
        walked = steps.walk(done, self._record, self._place.receipts, told)
        chain = trail.view(done)
        left_open = limits.limits(done, chain["does_not_establish"], anchored=self._anchored)
        unit = known.unit if known and known.unit != "1" else ""
        return ClaimView(
            id=claim.id,
            state=_state(done, decision),
            sentence=done.sentence if done.holds else None,
            wording=withholding.unfilled(claim.wording, claim.scope, unit),
            tag=claim.tag,
            kind=claim.kind,
            metric=claim.metric,
            unit=unit,
            meaning=known.meaning if known else "a metric that is not known",
            better=known.polarity if known else "",
            statistic=claim.statistic.replace("_", " "),
            taken_of_arms=figures.statistic(done),
            repetitions=claim.repetitions,
            owner=claim.owner,
            reasons=tuple(_reasons(done, told)),
            decision=decided(decision, told) if decision else None,
            conditions=tuple(map(told, done.conditions)),
            scope=tuple((name, facts.text(value)) for name, value in claim.scope.items()),
            required=tuple(claim.must_retain),
            forbidden=tuple(claim.forbidden),
            taken=_taken(done),
            result=_result(done, unit, chain["rows"]) if done.holds and evidence.arms else None,
            steps=tuple(walked),
            limits=tuple(map(said, left_open)),
            history=tuple(history),
            script=self._script(walked, decision),
        )

    def _history(self, claim: str, done: Judgement, receipt: str | None) -> list[Event]:
        return self._record.history(claim, done.evidence.entry, receipt)

    def _script(self, walked: list[Step], decision: Decision | None) -> str | None:
        held = [one for step in walked for one in step.everything()]
        if not held:
            return None
        if decision is not None:
            entry = decision.entry
            held.append(Held("entry", f"sha256:{entry.id}", entry.envelope.keyid, entry.index))
        return commands.script(self._place.configuration, held, self._record)


def _tellers(done: Judgement) -> tuple[Callable[[str], str], Callable[[str], str]]:
    """Return how to tell what was said about the claim, and what was said about its runs."""
    if done.holds:
        return str, str
    withheld = withholding.of(done)
    return withheld.in_words, withheld.in_notes


def _told(event: Event, told: Callable[[str], str]) -> Event:
    return Event(event.index, event.at, event.what, told(event.text), event.signer)


def _state(done: Judgement, decision: Decision | None) -> State:
    if done.holds:
        return "holds" if done.claim.tag == "measured" else "stated"
    return "withdrawn" if decision is not None and decision.withdrawn else "refused"


def _reasons(done: Judgement, told: Callable[[str], str]) -> list[Reason]:
    return [
        Reason(one.code, RULES[one.code].name, told(one.message), RULES[one.code].remedy)
        for one in done.refusals
    ]


def decided(decision: Decision, told: Callable[[str], str]) -> Event:
    """Return a decision as a reader is told of it, with the reason of a withdrawal."""
    text = told(decision.reason) if decision.withdrawn else ""
    body, signer = decision.body, decision.entry.envelope.keyid
    return Event(body.index, body.at, body.decision, text, signer)


def _taken(done: Judgement) -> tuple[str, str] | None:
    predicate = done.evidence.receipt.predicate if done.evidence.receipt else None
    if isinstance(predicate, RunPredicate) and predicate.attached_at:
        return "attached", predicate.attached_at
    if isinstance(predicate, RunPredicate | WindowPredicate) and predicate.finished_at:
        return "measured", predicate.finished_at
    return None


def _result(done: Judgement, unit: str, rows: dict[str, list[str]]) -> Result:
    arms = tuple(figures.arms(done))
    runs = done.evidence.arms
    taken = figures.statistic(done)
    drawn = [
        plot.Arm(arm.name, runs[arm.name].samples[done.claim.metric], arm.exact, taken)
        for arm in arms
    ]
    told = ((arm, rows[arm.name]) for arm in arms)
    return Result(
        headline=tuple(figures.headline(done)),
        arms=arms,
        plot=plot.draw(drawn, unit),
        rows=tuple(
            (arm.name, tuple(r[:_MOST_ROWS]), max(0, arm.n - _MOST_ROWS)) for arm, r in told
        ),
    )
