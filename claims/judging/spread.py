"""Windows beside the one that is claimed: how often the same was walked, when, and how far apart.

Whoever cites one of five windows of a cell shows all five: the smallest and the largest value.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from claims.judging.chain import Evidence
from claims.judging.evidence import Archive
from claims.registers import wording
from claims.registers.model import Claim
from engine import statistics
from engine.metrics import metric
from engine.results.model import Run
from receipts.predicates import WindowPredicate


def told(archive: Archive, claim: Claim, evidence: Evidence) -> Iterator[str]:
    """Yield a line for each window of the claim that has siblings."""
    parts = [(part.metric, part.evidence) for part in evidence.parts]
    for name, one in parts or [(claim.metric, evidence)]:
        if one.siblings and one.window:
            yield _line(claim, name, one.window, [*archive.windows(one.siblings)], one.arms)


def _line(
    claim: Claim,
    name: str,
    window: WindowPredicate,
    others: list[tuple[WindowPredicate, Mapping[str, Run]]],
    arms: Mapping[str, Run],
) -> str:
    walked = [(window, arms), *others]
    values = [value for each, rows in walked for value in _values(claim, name, each, rows)]
    days = sorted({each.started_at[:10] for each, _ in walked})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    unit = metric(name).unit if claim.kind == "level" else "×"
    shown = ""
    if values:
        low, high = wording.display(min(values), 3), wording.display(max(values), 3)
        shown = f": {name} {low} to {high} {unit}"
    return f"window {window.window} is one of {len(walked)} of its cell, walked {when}{shown}"


def _values(
    claim: Claim, name: str, window: WindowPredicate, rows: Mapping[str, Run]
) -> Iterator[Fraction]:
    """Yield what the claim would be of this window; nothing where the rows lack the metric."""
    if claim.kind == "level":
        arm = rows.get(claim.evidence[0].arm or "")
        if arm is not None and name in arm.samples:
            yield statistics.STATISTICS[claim.statistic](arm.samples[name])
        return
    theirs, ours = (rows[arm].samples.get(name) for arm in (window.baseline, window.candidate))
    if theirs is not None and ours is not None:
        yield statistics.ratio_of_medians(ours, theirs, metric(name).polarity).ratio
