"""Accuracy gates that have proven that they can fail.

A gate is worth something only if the reference passes it against itself, and an arm with a declared
defect fails it. Before the first pair the plan's reference is run again and the broken arm once;
the score of each is the share of tokens that are the reference's::

    self 1, broken 0.43, threshold 0.99: sound       self 1, broken 1: cannot see this defect

A gate that cannot see its defect says nothing about a candidate, whatever the candidate scores, and
no change is claimed on it.
"""

from fractions import Fraction
from typing import Any

from engine.plan import AccuracyGate
from engine.results.model import Run
from engine.statistics import decimal_text
from receipts.errors import UndecidedError
from receipts.predicates import GateSoundness


def agreement(reference: Run, other: Run) -> Fraction:
    """Return the share of places at which both have one token, over the longer of each pair."""
    if not reference.tokens or not other.tokens:
        raise UndecidedError("a run kept no tokens: its agreement cannot be told")
    expected = reference.tokens[0]
    same = whole = 0
    for tokens in other.tokens:
        whole += max(len(tokens), len(expected))
        same += sum(a == b for a, b in zip(tokens, expected, strict=False))
    return Fraction(same, whole)


def judge(gate: AccuracyGate, reference: Run, again: Run, broken: Run) -> GateSoundness:
    """Return whether the gate passes the reference and fails the arm with the defect."""
    threshold = Fraction(gate.threshold)
    ours, theirs = agreement(reference, again), agreement(reference, broken)
    seen = "blind" if theirs >= threshold else "sound"
    result = seen if ours >= threshold else "unsound"
    fields: dict[str, Any] = {
        "name": gate.name,
        "defect": gate.defect,
        "threshold": gate.threshold,
        "self_score": decimal_text(ours),
        "broken_score": decimal_text(theirs),
        "result": result,
    }
    return GateSoundness.parse(fields, "gate")


def with_candidate(found: GateSoundness, reference: Run, candidate: Run) -> GateSoundness:
    """Return the gate's record with what the candidate scored."""
    score = decimal_text(agreement(reference, candidate))
    return found.model_copy(update={"candidate_score": score})


def told(found: GateSoundness) -> str:
    """Return one line about a gate."""
    scores = f"self {found.self_score}, {found.defect} {found.broken_score}"
    if found.result == "unsound":
        return f"gate {found.name} is unsound: the reference fails it against itself ({scores})"
    if found.result == "blind":
        return f"gate {found.name} cannot see this defect: {found.defect} ({scores})"
    candidate = f", candidate {found.candidate_score}" if found.candidate_score else ""
    return f"gate {found.name} is sound ({scores}{candidate}; threshold {found.threshold})"


def passed(found: GateSoundness) -> bool:
    """Say whether a sound gate let the candidate pass."""
    score = found.candidate_score
    return (
        found.result == "sound"
        and score is not None
        and Fraction(score) >= Fraction(found.threshold)
    )
