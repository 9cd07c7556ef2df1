"""Every rule by its stable code: what it finds, why that matters, and what to do about it.

A code is never used again for something else. `claims explain CODE` prints a rule.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from claims.rulebook import (
    citations,
    documents,
    evidence,
    numbers,
    release,
    scope,
    standing,
    wording,
)
from claims.rulebook.model import Rule
from receipts.errors import NotFoundError

UNBOUND = "CLM101"
"""The rule of numbers that nothing stands behind, of which a page may hold thousands."""

Severity = Literal["error", "warning"]

_FAMILIES = (documents, numbers, scope, evidence, wording, standing, release, citations)

RULES: Mapping[str, Rule] = MappingProxyType(
    {rule.code: rule for family in _FAMILIES for rule in family.RULES}
)


def find(code: str) -> Rule:
    """Return the rule with this code or name, or raise `NotFoundError`."""
    for rule in RULES.values():
        if code.upper() == rule.code or code.lower() == rule.name:
            return rule
    raise NotFoundError(f"no rule is called {code!r}; the codes are {', '.join(RULES)}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rule that a claim or a page breaks, and how; `place` is file:line:column, if on a page.

    `end_column` is where the span ends, exclusive, in code points; `snippet` is what to show where
    the line of the page does not tell it. A warning is told and decides nothing.
    """

    code: str
    message: str
    claim: str | None = None
    place: str | None = None
    end_column: int | None = None
    severity: Severity = "error"
    snippet: str | None = None

    def line(self) -> str:
        """Return the refusal in one line."""
        rule = RULES[self.code]
        where = f"{self.place}: " if self.place else ""
        about = f"{self.claim}: " if self.claim else ""
        return f"{where}{self.code} {rule.name}: {about}{self.message}"

    def view(self) -> dict[str, Any]:
        """Return the refusal as plain values, absent fields left out."""
        rule = RULES[self.code]
        fields = {
            "code": self.code,
            "name": rule.name,
            "claim": self.claim,
            "place": self.place,
            "end_column": self.end_column,
            "severity": self.severity if self.severity != "error" else None,
            "message": self.message,
            "remedy": rule.remedy,
        }
        return {name: value for name, value in fields.items() if value is not None}
