"""A walk while it runs and when it has ended, and the apparatus that it runs on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from engine import runner
from engine.apparatus.lease import Lease
from engine.apparatus.terms import Terms
from engine.plan import Plan
from engine.progress import Relay
from engine.results import merging
from engine.results.model import Run
from engine.runner import Order, Outcome
from ledger.entry import Entry
from ledger.session import Session
from receipts.clock import Clock
from receipts.keys import SigningKey
from receipts.predicates import AnchorResult, Exactness, GateSoundness, Repetition, WindowPredicate
from receipts.receipt import Receipt

Progress = Callable[[int], None]


@dataclass
class Walk:
    """A window while it runs and when it has ended: `receipt` is there unless it is void."""

    name: str
    plan: Plan
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    order: list[Repetition] = field(default_factory=list)
    anchors: list[AnchorResult] = field(default_factory=list)
    gates: list[GateSoundness] = field(default_factory=list)
    floors: dict[str, Fraction] = field(default_factory=dict)
    """The noise floor of each metric, as a share, where one is on record for this machine."""
    binaries: dict[str, str | None] = field(default_factory=dict)
    """The digest of the binary that each anchor was measured on."""
    exactness: Exactness | None = None
    receipt: Receipt | None = None
    entry: Entry | None = None
    fault: str | None = None
    failed: Outcome | None = None
    """The repetition that made the window void, if one did."""

    def arms(self) -> tuple[Run, Run]:
        """Return the rows of the candidate and of the baseline, repetition after repetition."""
        return (
            merged(self.outcomes[self.plan.candidate.arm]),
            merged(self.outcomes[self.plan.baseline.arm]),
        )

    @property
    def passed(self) -> bool:
        """Whether the walk ended with a comparison that the plan's gate admits."""
        gated = self.exactness is not None and self.exactness.result != "differs"
        predicate = self.receipt.predicate if self.receipt else None
        compared = isinstance(predicate, WindowPredicate) and bool(predicate.comparisons)
        return gated and compared and not self.fault

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
    relay: Relay = field(default_factory=Relay)
    """Tells whoever watches what runs, and how it ended; never how long it took."""

    terms: Terms = field(default_factory=Terms)
    """On what terms every command of the window runs."""

    def run(self, order: Order) -> Outcome:
        """Run one command under the lease and on the terms; return what became of it."""
        words = self.here, self.key, self.lease, order, self.clock
        outcome = runner.run(*words, terms=self.terms)
        self.progress(1)
        return outcome


def merged(outcomes: Sequence[Outcome]) -> Run:
    """Return the rows of these repetitions as one run."""
    return merging.merge([outcome.file for outcome in outcomes if outcome.file])
