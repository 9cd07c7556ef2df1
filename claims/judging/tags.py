"""Honesty tags: what nobody measured says so, and never turns into a fact.

A claim that is a *target*, a *roadmap* item, a *precedent* (somebody else's) or a *mock* may stand
on a page as a labelled statement: it rests on nothing, shows no number, says its label, and none of
the words by which one tells what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from claims.registers import wording
from receipts import late as re

if TYPE_CHECKING:
    from claims.registers.model import Claim

_LABELS: Mapping[str, str] = {
    "target": r"targets?|targeted|aims?|goals?",
    "roadmap": r"roadmap|planned|plans?",
    "precedent": r"precedents?|reported\s+by|published\s+by",
    "mock": r"mock(?:ed|-?up)?|placeholder|simulated",
}
_UPGRADES = re.compile(
    r"\b(?:measured|benchmarked|achiev(?:ed|es)|reach(?:ed|es)|delivers|delivered|verified|proven|"
    r"observed|is\s+faster|runs\s+at)\b",
    re.IGNORECASE,
)
UNAVAILABLE = "unavailable"
"""What stands in the place of every figure that nobody measured; never a zero."""


def objection(claim: Claim, text: str) -> str | None:
    """Return why `text` may not stand for a claim of this tag, None if it may."""
    if claim.tag == "measured":
        return None
    word = upgraded(text)
    if word:
        return f"it is tagged {claim.tag}, and it says {word!r}"
    if claim.evidence or wording.measured_holes(claim.wording):
        return f"it is tagged {claim.tag}; its figures are {UNAVAILABLE}"
    if not re.search(rf"\b(?:{_LABELS[claim.tag]})\b", text, re.IGNORECASE):
        return f"it is tagged {claim.tag}, and it does not say so"
    return None


def upgraded(text: str) -> str | None:
    """Return the word by which a text tells as measured what is not, None if it does not."""
    for found in _UPGRADES.finditer(text):
        if not wording.denies(text[: found.start()]):
            return found[0]
    return None
