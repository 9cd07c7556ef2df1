"""What the walk behind a win lost: its own metrics, and the other cells of its plan, from rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from claims.judging.chain import Evidence
from claims.judging.evidence import Archive
from claims.registers import wording
from claims.registers.model import Claim
from engine import statistics
from engine.metrics import metric
from engine.results.model import Run
from receipts.predicates import WindowPredicate


@dataclass(frozen=True)
class Miss:
    """A metric of a cell in which the candidate is slower."""

    cell: str
    metric: str
    ratio: Fraction
    window: str

    def told(self) -> str:
        """Return the miss in words."""
        shown = wording.display(self.ratio, 3)
        return f"{self.metric} at {self.cell} is {shown}× (window {self.window})"


def of(archive: Archive, claim: Claim, evidence: Evidence) -> tuple[Miss, ...]:
    """Return what else was measured in the same walk and lost; nothing of a level."""
    if claim.kind == "level":
        return ()
    windows = [(part.evidence.window, part.evidence.arms) for part in evidence.parts]
    windows = windows or [(evidence.window, evidence.arms)]
    found: dict[tuple[str, str], Miss] = {}
    for window, arms in windows:
        if window:
            for one, theirs in ((window, arms), *archive.plan_mates(window)):
                found |= {(miss.cell, miss.metric): miss for miss in _of_window(one, theirs)}
    return tuple(found.values())


def _of_window(window: WindowPredicate, arms: Mapping[str, Run]) -> Iterator[Miss]:
    for name in dict.fromkeys(one.metric for one in window.comparisons):
        theirs, ours = (arms[arm].samples.get(name) for arm in (window.baseline, window.candidate))
        if theirs is not None and ours is not None:
            ratio = statistics.ratio_of_medians(ours, theirs, metric(name).polarity).ratio
            if ratio < 1:
                yield Miss(window.cell, name, ratio, window.window)
