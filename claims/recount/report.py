"""What a recount found: how many figures, which differ, which could not be had, and two verdicts.

The verdict on the *evidence* is about figures, that on the *decision* about outcomes; a sound
figure can stand under a decision that does not follow from it, and the other way round.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from claims.recount.checking import ROUNDED, Checked
from claims.recount.decisions import Decision
from receipts import exits

Verdict = Literal["holds", "fails", "undecided"]
SOURCES = ("receipts", "entries", "approvals", "claims")
"""What holds figures; how many of each were recounted is always told."""

_UNRESOLVED = ("withheld", "unreadable", "not recomputable")


@dataclass
class Recounted:
    """Everything that was recounted; `left_out` counts by reason what no recount reaches."""

    figures: list[Checked] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def differences(self) -> list[Checked]:
        """The figures that differ and that nobody has taken back."""
        return [one for one in self.figures if one.outcome == "differs" and not one.struck]

    @property
    def struck(self) -> list[Checked]:
        """The figures that do not agree, and that a later entry took back."""
        return [one for one in self.figures if one.outcome != "agrees" and one.struck]

    @property
    def unresolved(self) -> list[Checked]:
        """The figures that could not be recomputed, and that nobody has taken back."""
        return [one for one in self.figures if one.outcome in _UNRESOLVED and not one.struck]

    @property
    def evidence(self) -> Verdict:
        """The verdict on the figures."""
        if self.differences:
            return "fails"
        agree = any(one.outcome == "agrees" for one in self.figures)
        return "holds" if agree and not self.unresolved else "undecided"

    @property
    def decision(self) -> Verdict:
        """The verdict on the outcomes; undecided too where nothing was decided."""
        words = {one.word for one in self.decisions}
        if "does not follow" in words:
            return "fails"
        return "holds" if words == {"follows"} else "undecided"

    @property
    def code(self) -> int:
        """The exit code: 1 something is wrong, 3 figures could not be had, 0 all agree."""
        if self.evidence == "fails" or self.decision == "fails":
            return exits.NO
        return exits.OK if self.evidence == "holds" else exits.UNDECIDED

    def counts(self) -> dict[str, int]:
        """Return what was checked and what became of it, by name."""
        outcomes: Counter[str] = Counter(one.outcome for one in self.figures if not one.struck)
        agree = [one for one in self.figures if one.outcome == "agrees"]
        return {
            **{name: self.sources[name] for name in SOURCES},
            "figures": len(self.figures),
            "agree": len(agree),
            "agree_as_rounded": sum(one.why == ROUNDED for one in agree),
            "differ": len(self.differences),
            "struck": len(self.struck),
            **{word.replace(" ", "_"): outcomes[word] for word in _UNRESOLVED},
            "decisions": len(self.decisions),
            "left_out": sum(self.left_out.values()),
        }

    def details(self) -> Iterator[str]:
        """Yield what is to be told one by one: what differs first, with its operands."""
        for one in self.differences:
            yield f"DIFFERS {one.line()}"
            yield from (f"        {line}" for line in one.operands.lines())
        for one in self.struck:
            yield f"struck  {one.line()}; {one.struck}"
        yield from self._unresolved_lines()
        yield from self._decision_lines()

    def view(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "checked": self.counts(),
            "differences": [one.view() for one in self.differences],
            "struck": [one.view() for one in self.struck],
            "unresolved": [one.view() for one in self.unresolved],
            "decisions": [one.view() for one in self.decisions],
            "left_out": dict(self.left_out),
            "evidence_verdict": self.evidence,
            "decision_verdict": self.decision,
        }

    def _unresolved_lines(self) -> Iterator[str]:
        """Yield one line for the figures of one subject that one reason keeps from us."""
        groups: dict[tuple[str, str, str], list[str]] = {}
        for one in self.unresolved:
            groups.setdefault((one.subject, one.outcome, one.why), []).append(one.field)
        for (subject, outcome, why), fields in groups.items():
            yield f"{outcome}  {subject}: {', '.join(fields)}: {why}"

    def _decision_lines(self) -> Iterator[str]:
        """Yield decisions that do not follow, and a line for each reason to leave others open."""
        yield from (
            f"DECISION {one.line()}" for one in self.decisions if one.word == "does not follow"
        )
        open_: dict[str, list[str]] = {}
        for one in self.decisions:
            if one.word == "undecided":
                open_.setdefault(one.why, []).append(f"{one.subject} ({one.outcome})")
        for why, subjects in open_.items():
            yield f"undecided  {', '.join(subjects)}: {why}"

    def totals(self) -> Iterator[str]:
        """Yield how much was recounted, what became of it, and both verdicts."""
        counts = self.counts()
        told = ", ".join(f"{name} {self.sources[name]}" for name in SOURCES)
        yield f"recounted from raw rows: {told}"
        rounded = counts["agree_as_rounded"]
        unresolved = ", ".join(f"{counts[word.replace(' ', '_')]} {word}" for word in _UNRESOLVED)
        yield (
            f"figures: {counts['figures']}: {counts['agree']} agree"
            + (f" ({rounded} as rounded)" if rounded else "")
            + f", {counts['differ']} differ, {unresolved}"
            + (f", {counts['struck']} taken back" if counts["struck"] else "")
        )
        yield from (f"left out: {count} {what}" for what, count in self.left_out.items())
        followed = sum(one.word == "follows" for one in self.decisions)
        yield f"decisions: {len(self.decisions)}, of which {followed} follow"
        yield f"evidence {self.evidence}; decision {self.decision}"
