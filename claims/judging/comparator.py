"""The comparator of a change: named, with the commit that was really measured, and not too old."""

import re
from collections.abc import Iterator
from datetime import date

from claims.judging.chain import Evidence, engines
from claims.judging.scope import Objection
from claims.registers.model import Claim, Comparator
from claims.registers.policy import Policy
from claims.words.subjects import ENGINES
from receipts.predicates import Facts

_NAMES = {"commit", "revision", "sha", "source", "build", "package"}
_HEX = re.compile(r"(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])")


def objections(
    claim: Claim, evidence: Evidence, policy: Policy, today: date
) -> Iterator[Objection]:
    """Yield what keeps a comparator from being one, each as code and words."""
    if claim.kind == "level":
        return
    one = claim.comparator
    asked = {"comparator", "commit"} & set(policy.say) or policy.comparator_days
    if one is None:
        if asked:
            yield "CLM210", f"policy {policy.name} asks for a comparator, and the claim names none"
        return
    yield from _of_commit(one, evidence, asked=bool({"commit"} & set(policy.say)))
    yield from _of_name(claim, one, evidence)
    yield from _of_age(one, policy, today)


def _of_name(claim: Claim, one: Comparator, evidence: Evidence) -> Iterator[Objection]:
    """Refuse the name of an engine that the baseline's evidence does not have.

    A commit that the baseline states says which program it is, and the name is believed.
    """
    if one.commit is not None:
        return
    engine = next((name for name in ENGINES if _plain(name) in _plain(one.name)), None)
    parts = (evidence, *(part.evidence for part in evidence.parts))
    told = _plain("|".join(text for part in parts for text in _texts(part)))
    told += _plain("|".join(map(str, (claim.baseline_scope or {}).values())))
    if engine and _plain(engine) not in told:
        yield "CLM210", f"the comparator is {one.name}, and nothing of the baseline names {engine}"


def _texts(evidence: Evidence) -> Iterator[str]:
    """Yield what the baseline of a window is called and says of itself."""
    side = evidence.sides.get("baseline")
    yield from map(str, (side.facts if side else {}).values())
    yield from map(str, evidence.facts.values())
    yield from engines(evidence.readers)
    if evidence.window is not None:
        yield evidence.window.baseline


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9|]+", "", text.lower())


def _of_commit(one: Comparator, evidence: Evidence, *, asked: bool) -> Iterator[Objection]:
    side = evidence.sides.get("baseline")
    known = list(dict.fromkeys(_commits(side.facts))) if side else []
    if one.commit is None:
        if asked:
            yield "CLM210", f"the comparator {one.name} has no commit"
    elif not known:
        yield "CLM210", f"nothing that the baseline states is a commit; the claim says {one.commit}"
    elif not any(_same(one.commit, commit) for commit in known):
        yield "CLM210", f"the baseline has commit {', '.join(known)}, the claim says {one.commit}"


def _of_age(one: Comparator, policy: Policy, today: date) -> Iterator[Objection]:
    most = policy.comparator_days
    days = (today - date.fromisoformat(one.date)).days if one.date else 0
    if days < 0:
        yield "CLM210", f"{one.name} is of {one.date}, which is to come"
    elif most is None:
        return
    elif one.date is None:
        yield "CLM210", f"the commit of {one.name} has no date; policy {policy.name} asks for one"
    elif days > most:
        yield "CLM210", f"{one.name} is of {one.date}, {days} days ago; {most} are allowed"


def _commits(known: Facts) -> Iterator[str]:
    """Yield every commit or digest by which a side states where it comes from."""
    for name, value in known.items():
        if _NAMES.intersection(re.split(r"[._-]", name.lower())):
            yield from _HEX.findall(str(value).lower())


def _same(one: str, other: str) -> bool:
    """Say whether one commit is the other, in full or abbreviated."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short)
