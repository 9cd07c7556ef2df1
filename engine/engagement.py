"""Engagement: the candidate arm must prove that it ran the candidate.

A flag that was ignored and a stale binary both give a window that compares an arm with itself. So
an arm may have to leave a line in its log, or its raw file to state a digest of what was really
loaded; and two arms of the same bytes under the same words are one arm. What did not engage is an
A/A, and is recorded as one.
"""

import re
from collections.abc import Iterator, Sequence

from engine.plan import APART, Engagement, Plan
from engine.runner import Outcome
from receipts.digest import Digest
from receipts.predicates import Engaged, Facts, RunPredicate
from receipts.receipt import LOG
from receipts.store import ObjectStore

MAX_LOG = 16 * 1024 * 1024


def prove(plan: Plan, outcomes: dict[str, list[Outcome]], objects: ObjectStore) -> list[Engaged]:
    """Return what each arm proved; the last line is about both arms being one."""
    found = [
        proof for one in plan.engagement or () for proof in _proofs(one, outcomes[one.arm], objects)
    ]
    return [*found, _apart(plan, outcomes)]


def _proofs(
    one: Engagement, outcomes: Sequence[Outcome], objects: ObjectStore
) -> Iterator[Engaged]:
    if one.log is not None:
        missing = [n for n, ran in enumerate(outcomes) if not _logged(one.log, ran, objects)]
        yield _engaged(one.arm, one.of_log(), missing)
    for name, value in (one.states or {}).items():
        missing = [n for n, ran in enumerate(outcomes) if _stated(ran, name) != str(value)]
        yield _engaged(one.arm, one.of_state(name), missing)


def _engaged(arm: str, proof: str, missing: Sequence[int]) -> Engaged:
    detail = f"not in repetitions {', '.join(map(str, missing))}" if missing else None
    return Engaged(arm=arm, proof=proof, held=not missing, detail=detail)


def _logged(pattern: str, outcome: Outcome, objects: ObjectStore) -> bool:
    digest = outcome.receipt.statement.subject_digest(LOG)
    if digest is None:
        return False
    text = objects.get(Digest.parse(digest))[:MAX_LOG].decode("utf-8", "replace")
    return re.search(pattern, text) is not None


def _stated(outcome: Outcome, name: str) -> str | None:
    runs = outcome.file.runs if outcome.file else ()
    facts: Facts = {k: v for run in runs for k, v in (*run.config.items(), *run.identity.items())}
    return str(facts[name]) if name in facts else None


def _apart(plan: Plan, outcomes: dict[str, list[Outcome]]) -> Engaged:
    """Say whether the arms are two: another binary, or other words for the same one."""
    baseline, candidate = plan.baseline, plan.candidate
    binaries = [binary(outcomes[arm.arm][0]) for arm in (baseline, candidate)]
    other_words = baseline.command[1:] != candidate.command[1:]
    held = other_words or binaries[0] != binaries[1] or binaries[0] is None
    detail = None if held else f"both arms ran {binaries[0]} with the same words: this is an A/A"
    return Engaged(arm=candidate.arm, proof=APART, held=held, detail=detail)


def binary(outcome: Outcome) -> str | None:
    """Return the digest of the binary that an outcome's receipt names."""
    predicate = outcome.receipt.predicate
    found = predicate.identity.get("binary") if isinstance(predicate, RunPredicate) else None
    return str(found) if found else None
