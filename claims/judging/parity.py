"""Pairs of a window: the ratio of each pair, so that one on the other side of parity is told.

Pair i is repetition i of both arms. A ratio of medians above 1 with a pair below 1 is true and
hides that the candidate lost once; so the sentence shows that pair.
"""

from collections.abc import Iterator
from fractions import Fraction

from claims.judging.chain import Evidence
from claims.judging.scope import Objection
from claims.registers import wording
from claims.registers.model import Claim
from claims.registers.wording import Value
from engine.inference import pairs
from engine.metrics import metric
from receipts.errors import Error


def ratios(name: str, evidence: Evidence) -> list[Fraction]:
    """Return the ratio of each pair, above 1 where the candidate wins; none without pairs."""
    arms = list(evidence.arms.values())
    if len(arms) != 2 or not all(name in arm.samples for arm in arms):
        return []
    theirs, ours = (arm.samples[name] for arm in arms)
    if len(theirs) != len(arms[0].rows):
        return []  # several samples a repetition: they make no pairs
    try:
        return pairs.pair_ratios(ours, theirs, metric(name).polarity)
    except Error:
        return []


def values(name: str, evidence: Evidence) -> dict[str, Value]:
    """Return what the holes `pair.min` and `pair.max` are filled with."""
    found = ratios(name, evidence)
    return {"pair.min": min(found), "pair.max": max(found)} if found else {}


def objections(claim: Claim, known: dict[str, Value]) -> Iterator[Objection]:
    """Yield that a sentence which wins hides a pair that lost."""
    ratio, lowest = known.get("ratio", known.get("ratio.min")), known.get("pair.min")
    if not isinstance(ratio, Fraction) or not isinstance(lowest, Fraction):
        return
    if claim.margin is not None:
        return  # it says that neither arm wins
    if ratio >= 1 > lowest and "pair.min" not in wording.holes(claim.wording):
        told = f"a pair lies on the other side of parity, at {wording.display(lowest, 3)}×"
        yield "CLM214", f"{told}; show {{pair.min}}"
