"""The words in the scopes of a register that tell its claims apart: `kv: f16` and `kv: q8_0`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from claims.registers import facts
from receipts import late as re

if TYPE_CHECKING:
    from claims.registers.model import Claim

# What is read by what it is, and not by the register: hardware, models, builds; and names of cells.
_READ_ELSEWHERE = re.compile(
    r"gpu|cpu|model|hardware|device|commit|version|build|cell", re.IGNORECASE
)
_LETTER = re.compile(r"[A-Za-z]")


def apart(claims: Iterable[Claim]) -> dict[str, list[str]]:
    """Return, by the name of a fact, its words in small letters where claims have several."""
    known: dict[str, set[str]] = {}
    for claim in claims:
        for scope in (claim.scope, claim.baseline_scope, claim.candidate_scope):
            for name, value in (scope or {}).items():
                text = facts.text(value)
                if len(text) > 1 and _LETTER.search(text) and not _READ_ELSEWHERE.search(name):
                    known.setdefault(name, set()).add(text.lower())
    return {name: sorted(words) for name, words in known.items() if len(words) > 1}
