"""What an examination keeps of every entry: enough to ask about runs, hypotheses and gates.

Runs by their RUN entries, experiments by what they cite and which contracts judged them, contracts
in their order, and which receipts and entries are mentioned anywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ledger.bodies import (
    CORRECTIONS,
    AnyBody,
    Contract,
    Correcting,
    Evidence,
    Experiment,
    Finding,
    Recovery,
    Run,
)
from ledger.entry import Entry


@dataclass(frozen=True)
class Ran:
    """A RUN entry that ended: where it stands and what it belongs to."""

    index: int
    id: str
    phase: str
    receipt: str | None
    cell: str
    window: str | None
    arm: str | None
    admission: str | None

    @property
    def is_whole(self) -> bool:
        """Say whether it is a window or a run of its own, and no repetition inside a window."""
        return self.window is None or self.arm is None


@dataclass(frozen=True)
class Tested:
    """An experiment: where its hypothesis stands, what it cites, which contracts judged it."""

    index: int
    id: str
    hypothesis: bool
    answers: str | None
    cites: tuple[str, ...]
    contracts: tuple[str, ...]
    failed: tuple[str, ...]
    delta: bool
    outcome: str | None


@dataclass
class Facts:
    """What was taken in so far."""

    admitted: dict[str, tuple[int, str]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    runs: list[Ran] = field(default_factory=list)
    by_receipt: dict[str, Ran] = field(default_factory=dict)
    tested: list[Tested] = field(default_factory=list)
    contracts: list[tuple[int, Contract]] = field(default_factory=list)
    mentioned: set[str] = field(default_factory=set)
    places: dict[str, int] = field(default_factory=dict)
    recoveries: list[tuple[int, str]] = field(default_factory=list)
    corrected: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """Take in one entry, in the order of the ledger."""
        body = entry.body
        self.mentioned.update(_mentions(body))
        if isinstance(body, Run):
            _take_run(self, entry.id, body)
        elif isinstance(body, Experiment):
            _take_experiment(self, entry.id, body)
        elif isinstance(body, Contract):
            self.contracts.append((entry.index, body))
        elif isinstance(body, Recovery):
            self.recoveries.append((entry.index, "; ".join(body.lost)))
        elif isinstance(body, CORRECTIONS):
            self.corrected[entry.id] = _struck(body)

    @property
    def attached(self) -> list[Ran]:
        """The attached runs: nobody knows what else was measured beside them."""
        return [ran for ran in self.runs if ran.phase == "attached"]

    def is_struck(self, tested: Tested) -> bool:
        """Say whether a correction that was not itself corrected names the experiment."""
        lifted = {target for targets in self.corrected.values() for target in targets}
        return any(
            tested.id in targets for by_id, targets in self.corrected.items() if by_id not in lifted
        )

    def is_mentioned(self, ran: Ran) -> bool:
        """Say whether an entry cites the run's receipt or names its RUN entry."""
        return ran.id in self.mentioned or ran.receipt in self.mentioned


def _mentions(body: AnyBody) -> Iterator[str]:
    """Yield the receipts that the body cites and the entries that it names."""
    if isinstance(body, Experiment):
        yield from _cited(body.evidence)
        for cause in body.attribution or ():
            yield from _cited(cause.evidence)
        for delta in body.delta or ():
            yield from delta.runs
        yield from body.rests_on or ()
    elif isinstance(body, Finding):
        yield from _cited(body.evidence)
    elif isinstance(body, Contract):
        yield from filter(None, (body.made_by, body.follows))
    elif isinstance(body, CORRECTIONS):
        yield from (*(body.targets or ()), *(body.runs or ()))


def _struck(body: Correcting) -> tuple[str, ...]:
    return (*(body.targets or ()), *(body.resolved or ()))


def _cited(evidence: list[Evidence] | None) -> Iterator[str]:
    yield from (item.receipt for item in evidence or ())


def _take_run(facts: Facts, entry_id: str, body: Run) -> None:
    facts.places[entry_id] = body.index
    if body.phase == "admitted":
        facts.admitted[entry_id] = (body.index, body.cell)
        return
    if body.admission:
        facts.ended.add(body.admission)
    ran = Ran(
        index=body.index,
        id=entry_id,
        phase=body.phase,
        receipt=body.receipt,
        cell=body.cell,
        window=body.window,
        arm=body.arm,
        admission=body.admission,
    )
    facts.runs.append(ran)
    if body.receipt:
        # A receipt that is entered again proves nothing: where it stood first counts.
        facts.by_receipt.setdefault(body.receipt, ran)


def _take_experiment(facts: Facts, entry_id: str, body: Experiment) -> None:
    facts.places[entry_id] = body.index
    cites = tuple(item.receipt for item in body.evidence or ())
    said = body.gate or []
    facts.tested.append(
        Tested(
            index=body.index,
            id=entry_id,
            hypothesis=bool(body.hypothesis),
            answers=body.answers,
            cites=cites,
            contracts=tuple(gate.contract for gate in said if gate.contract),
            failed=tuple(gate.name for gate in said if gate.result == "fail"),
            delta=bool(body.delta),
            outcome=body.verdict.outcome if body.verdict else None,
        )
    )
