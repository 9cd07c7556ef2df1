"""Scope: what the sentence holds for, against what the evidence was measured under, side by side.

Each fact of a claim's scope must be a fact of the evidence; in a ratio, of both sides. Where they
differ on purpose (engine, commit, flags) each side has a scope of its own, and both name the same
facts. What the sides differ in besides, in the work that they were given, makes them two
measurements. How a server was started and what it reports of itself is no work: that is what a
change is often about, and whether it was declared is the window's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from claims.registers import facts

if TYPE_CHECKING:
    from claims.judging.chain import Evidence, Side
    from claims.registers.model import Claim
    from receipts.predicates import Facts, Scalar

Objection = tuple[str, str]
_WIDE = {"*", "any", "every", "all"}
_SIDES = ("baseline", "candidate")
_HOW = {"command", "endpoint", "clock", "server_boundaries", "held_back", "servers"}
_REPORTED = "settings."
_DIGEST = "sha256:"


def objections(claim: Claim, evidence: Evidence) -> Iterator[Objection]:
    """Yield what is wrong with the scopes of a claim, each as code and words."""
    apart = _apart(evidence.sides) if claim.kind != "level" else {}
    for name, value in claim.scope.items():
        if facts.text(value).lower() in _WIDE:
            known = evidence.facts.get(name) or "none"
            yield "CLM203", f"scope {name} is {value!r}; the evidence has {known}"
        elif name in apart:
            ours, theirs = apart[name]
            told = f"the baseline has {name} {ours!r}, the candidate {theirs!r}"
            yield "CLM204", f"{told}: say it in baseline_scope and candidate_scope"
        else:
            yield from _established(name, value, evidence.facts, "the evidence")
    if claim.kind != "level" and evidence.sides:
        yield from _sides(claim, evidence)


def _sides(claim: Claim, evidence: Evidence) -> Iterator[Objection]:
    for side in _SIDES:
        known = {**evidence.facts, **evidence.sides[side].facts}
        for name, value in _own(claim, side).items():
            yield from _established(name, value, known, f"the {side}")
    own = _own(claim, "baseline").keys()
    for name in differences(evidence.sides):
        if name not in own and name not in claim.scope:
            ours, theirs = (_shown(evidence.sides[side].config, name) for side in _SIDES)
            told = f"the sides were set up apart in {name}: {ours} and {theirs}"
            yield "CLM204", f"{told}; no ratio is of both, unless their scopes say so"


def differences(sides: Mapping[str, Side]) -> list[str]:
    """Return the names of the settings in which the work of the sides of a ratio differs."""
    if not sides:
        return []
    ours, theirs = (sides[side].config for side in _SIDES)
    names = (name for name in dict.fromkeys((*ours, *theirs)) if _is_work(name))
    return [name for name in names if _shown(ours, name) != _shown(theirs, name)]


def all_differences(sides: Mapping[str, Side]) -> list[str]:
    """Return the names of all facts on which the sides differ and that a sentence can say."""
    apart = _apart(sides)
    digests = (name for name, both in apart.items() if str(both[0]).startswith(_DIGEST))
    said = {name for name in apart if _is_work(name)} - {*digests}
    return sorted({*said, *differences(sides)})


def _is_work(name: str) -> bool:
    return name not in _HOW and not name.startswith(_REPORTED)


def _established(name: str, value: Scalar, known: Facts, whose: str) -> Iterator[Objection]:
    if name not in known:
        yield "CLM201", f"{whose} does not say {name}, the claim says {value!r}"
    elif facts.text(known[name]) != facts.text(value):
        yield "CLM201", f"{whose} has {name} {known[name]!r}, the claim says {value!r}"


def _apart(sides: Mapping[str, Side]) -> dict[str, tuple[Scalar, Scalar]]:
    if not sides:
        return {}
    ours, theirs = (sides[side].facts for side in _SIDES)
    return {name: (ours[name], theirs[name]) for name in facts.differing(ours, theirs)}


def _own(claim: Claim, side: str) -> Facts:
    return (claim.baseline_scope if side == "baseline" else claim.candidate_scope) or {}


def _shown(known: Facts, name: str) -> str:
    return facts.text(known[name]) if name in known else "absent"
