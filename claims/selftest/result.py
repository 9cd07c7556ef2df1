"""What a self-test came to: how many there were, how many were caught, and which were not."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from claims.rules import RULES
from claims.selftest.killing import Survivor
from claims.selftest.running import Failure
from receipts import exits


@dataclass
class Result:
    """The denominators and the failures; `skipped` are pages that do not pass as they are.

    `missed` are attacks that were not refused as they must be, `refused` twins that were not clean.
    """

    mutants: int = 0
    attacks: int = 0
    survivors: list[Survivor] = field(default_factory=list)
    missed: list[Failure] = field(default_factory=list)
    refused: list[Failure] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    attacked: frozenset[str] = frozenset()
    seconds: float = 0.0

    @property
    def code(self) -> int:
        """The exit code: 1 for a survivor, a miss or a refused twin, 3 where nothing was tried."""
        if self.survivors or self.missed or self.refused:
            return exits.NO
        return exits.OK if self.mutants or self.attacks else exits.UNDECIDED

    @property
    def not_attacked(self) -> list[str]:
        """The rules that no attack is about."""
        return [code for code in RULES if code not in self.attacked]

    def lines(self) -> Iterator[str]:
        """Yield it as text: what failed, and the denominators last."""
        for failure in (*self.missed, *self.refused):
            yield from failure.lines()
        for survivor in self.survivors:
            yield from survivor.lines()
        for page in self.skipped:
            yield f"{page}: left out, for it does not pass as it is: `claims check {page}`"
        if self.attacks:
            rules = len(RULES) - len(self.not_attacked)
            left = f"; not: {', '.join(self.not_attacked)}" if self.not_attacked else ""
            yield f"rules: {rules} of {len(RULES)} attacked{left}"
        yield self.summary()

    def summary(self) -> str:
        """Return the denominators in one line."""
        parts = [f"{self.mutants} mutants: {self.mutants - len(self.survivors)} killed"]
        if self.attacks:
            caught = self.attacks - len(self.missed)
            clean = self.attacks - len(self.refused)
            parts.append(
                f"{self.attacks} attacks: {caught} caught, {self.attacks} twins: {clean} clean"
            )
        return f"{'; '.join(parts)}; {self.seconds:.1f} s"

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "mutants": self.mutants,
            "killed": self.mutants - len(self.survivors),
            "survivors": [one.view() for one in self.survivors],
            "attacks": self.attacks,
            "caught": self.attacks - len(self.missed),
            "missed": [one.view() for one in self.missed],
            "twins": self.attacks,
            "clean": self.attacks - len(self.refused),
            "refused": [one.view() for one in self.refused],
            "skipped": list(self.skipped),
            "rules_attacked": sorted(self.attacked),
            "seconds": round(self.seconds, 1),
        }
