"""The comparator of a change: named, with the commit that was really measured, and not too old."""

import re
from collections.abc import Iterator
from datetime import date

from claims.judging.chain import Evidence
from claims.judging.scope import Objection
from claims.registers.model import Claim, Comparator
from claims.registers.policy import Policy
from receipts.statement import Facts

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
    yield from _of_age(one, policy, today)


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
    if most is None:
        return
    if one.date is None:
        yield "CLM210", f"the commit of {one.name} has no date; policy {policy.name} asks for one"
        return
    days = (today - date.fromisoformat(one.date)).days
    if days > most:
        yield "CLM210", f"{one.name} is of {one.date}, {days} days ago; {most} are allowed"
    elif days < 0:
        yield "CLM210", f"{one.name} is of {one.date}, which is to come"


def _commits(known: Facts) -> Iterator[str]:
    """Yield every commit or digest by which a side states where it comes from."""
    for name, value in known.items():
        if _NAMES.intersection(re.split(r"[._-]", name.lower())):
            yield from _HEX.findall(str(value).lower())


def _same(one: str, other: str) -> bool:
    """Say whether one commit is the other, in full or abbreviated."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short)
