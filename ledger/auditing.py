"""`ledger audit`: everything that can be asked of a ledger and its stores, in one report.

First all that `ledger verify` asks of the chain; then what a sound chain does not show (see
`ledger.examination`). The report comes as text, as JSON, or as a Markdown page for the record.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ledger import verification
from ledger.audit import Progress
from ledger.discarding import Group
from ledger.examination import Counts, Examination, Observation
from ledger.report import Report
from receipts import workspace


@dataclass(frozen=True)
class Audited:
    """What an audit found: about the chain, and about what the chain does not show."""

    report: Report
    observations: list[Observation]
    counts: Counts
    discarded: list[Group]

    @property
    def code(self) -> int:
        """The exit code: 1 for any finding or observation, else that of the chain."""
        return 1 if self.observations else self.report.code

    def lines(self) -> Iterator[str]:
        """Yield the report as text."""
        yield from map(str, self.observations)
        yield from map(str, self.discarded)
        counts = self.counts
        yield (
            f"examined {counts.runs} run entries, {counts.experiments} experiments, "
            f"{counts.receipts} cited receipts, {counts.objects} stored files; "
            f"{len(self.observations)} observations"
        )
        if counts.attached:
            yield f"attached files: {counts.attached}; their siblings are unknowable"
        yield from self.report.lines()

    def view(self) -> dict[str, Any]:
        """Return the report as plain values."""
        observed = [
            {"index": one.index, "code": one.code, "message": one.message}
            for one in self.observations
        ]
        examined = {
            "runs": self.counts.runs,
            "experiments": self.counts.experiments,
            "receipts": self.counts.receipts,
            "objects": self.counts.objects,
            "attached": self.counts.attached,
        }
        discarded = [group.view() for group in self.discarded]
        return {
            "chain": self.report.view(),
            "examined": examined,
            "observations": observed,
            "discarded": discarded,
        }

    def page(self) -> Iterator[str]:
        """Yield the report as a Markdown page."""
        report = self.report
        yield f"# Audit of {report.origin or 'a ledger'}"
        yield ""
        yield f"Head `{report.head or 'none'}`, {report.entries} entries."
        yield ""
        yield "## Chain"
        yield ""
        yield from (f"- {_one_line(line)}" for line in report.lines())
        yield ""
        yield "## What the chain does not show"
        yield ""
        if not self.observations:
            yield "Nothing to ask about."
        for one in self.observations:
            yield f"- entry {one.index}, **{one.code}**: {_one_line(one.message)}"
        if self.discarded:
            yield from ("", "## Discarded against counted", "")
        yield from (f"- {_one_line(str(group))}" for group in self.discarded)


def _one_line(text: str) -> str:
    """Return the text without what would begin a line of its own; names come from strangers."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def audit(files: Sequence[Path], progress: Progress) -> Audited:
    """Audit the ledger and the stores of this workspace."""
    place = workspace.find(Path.cwd())
    examination = Examination(place.receipts, place.objects)
    report = verification.verify(files, progress, remember=False, observe=examination.take)
    return Audited(report, examination.observations(), examination.counts, examination.discarded())
