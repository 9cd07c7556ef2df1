"""What a check found on one page, with what it was found among."""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from claims.checks import unbound
from claims.checks.displayed import Displayed
from claims.checks.unbound import Told
from claims.rules import Refusal
from claims.scanner.atoms import Atom

CLASSES = ("bound", "excluded", "scope", "ignored", "noticed", "unbound")
"""What becomes of a number; *noticed* is one that a tombstone or banner answers for."""
_RARE = ("ignored", "noticed")


@dataclass
class Checked:
    """What was found on one page, with what it was found among.

    `classes` counts every number of the page by what became of it, `shown` are the bound values
    for comparison with other pages, `recomputed` counts changes that follow from their table.
    `words` are claims without digits, of the `citations` so many are `resolved`. `told` are the
    findings but for the unbound numbers; of those, only where they stand is kept. `class_at` has
    the class of the numbers, by where they begin, that are told by no marker, exclusion or finding.
    """

    name: str
    source: str = ""
    classes: Counter[str] = field(default_factory=Counter)
    claims: set[str] = field(default_factory=set)
    told: list[Refusal] = field(default_factory=list)
    shown: Displayed = field(default_factory=Displayed)
    recomputed: int = 0
    notices: int = 0
    words: int = 0
    citations: int = 0
    resolved: int = 0
    unbound: "array[int]" = field(default_factory=lambda: array("l"))
    few: Told | None = None
    class_at: dict[int, str] = field(default_factory=dict)
    _settled: list[Refusal] | None = None
    _more: int = 0

    @property
    def findings(self) -> list[Refusal]:
        """Every finding in the order of the page; some unbound numbers may have no message."""
        if self._settled is not None:
            return self._settled
        return _merged(self._unbound(), self.told)

    def _unbound(self) -> list[Refusal]:
        if self.few:
            return self.few.findings()
        return unbound.findings(self.name, self.source, self.unbound) if self.unbound else []

    @property
    def finding_count(self) -> int:
        """How many findings there are."""
        if self._settled is not None:
            return len(self._settled) + self._more
        return len(self.told) + len(self.unbound)

    @property
    def numbers(self) -> int:
        """How many numbers the page holds."""
        return sum(self.classes.values())

    @property
    def checked(self) -> int:
        """How many things were looked at; none is no success."""
        beside = self.notices + self.words + self.citations
        return self.numbers - self.classes["excluded"] + len(self.claims) + beside

    def take(self, klass: str, atoms: Iterable[Atom]) -> None:
        """Keep that these numbers are of this class."""
        self.class_at.update((atom.begin, klass) for atom in atoms)

    def settle(self, counted: list[Refusal], ignored: int, more: int = 0) -> None:
        """Keep only the findings that count, and `more`; so many unbound numbers are ignored."""
        self._settled = counted
        self._more = more
        self.classes["unbound"] -= ignored
        self.classes["ignored"] += ignored

    def view(self) -> dict[str, Any]:
        """Return the denominators as plain values."""
        return {
            "file": self.name,
            "numbers": self.numbers,
            **{name: self.classes[name] for name in CLASSES},
            "recomputed": self.recomputed,
            "notices": self.notices,
            "words": self.words,
            "citations": self.citations,
            "resolved": self.resolved,
            "claims": sorted(self.claims),
        }

    def summary(self) -> str:
        """Return the denominators in one line."""
        return f"{self.name}: {denominators([self])}"


def denominators(done: Sequence[Checked]) -> str:
    """Return how many numbers there are, by what became of them, and what judges them."""
    counts: Counter[str] = Counter()
    for one in done:
        counts.update(one.classes)
    claims = {claim for one in done for claim in one.claims}
    told = ", ".join(
        f"{counts[name]} {name}" for name in CLASSES if counts[name] or name not in _RARE
    )
    recomputed = sum(one.recomputed for one in done)
    also = f"; {recomputed} changes recomputed" if recomputed else ""
    words, cited = sum(one.words for one in done), sum(one.citations for one in done)
    also += f"; {words} claims without digits" if words else ""
    resolved = sum(one.resolved for one in done)
    also += f"; {resolved} of {cited} citations resolved" if cited else ""
    findings = sum(one.finding_count for one in done)
    total = sum(counts.values())
    return f"{total} numbers: {told}; {len(claims)} claims used{also}; {findings} findings"


def _merged(unbound: list[Refusal], others: Iterable[Refusal]) -> list[Refusal]:
    """Return all findings in the order of the page."""
    return sorted((*others, *unbound), key=_position)


def _position(finding: Refusal) -> tuple[int, int]:
    parts = (finding.place or "::").rsplit(":", 2)
    return (int(parts[1] or 0), int(parts[2] or 0))
