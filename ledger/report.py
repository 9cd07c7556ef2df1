"""What a verification found: counts, findings with their place, and the verdict in one line."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ledger.heads import Head
from receipts.keys import PublicKey

MAX_FINDINGS = 50


@dataclass(frozen=True)
class Finding:
    """Something that does not hold, and where: an entry's index, or None for the whole file."""

    index: int | None
    code: str
    message: str

    def __str__(self) -> str:
        where = "ledger" if self.index is None else f"entry {self.index}"
        return f"{where}: {self.code}: {self.message}"


@dataclass
class Report:
    """What was checked, how many, what was found, and against what anchor."""

    entries: int = 0
    signatures: int = 0
    checkpoints: int = 0
    cosignatures: int = 0
    head: str | None = None
    genesis: str | None = None
    origin: str | None = None
    log_key: PublicKey | None = None
    tree_head: Head | None = None
    checkpoint: str | None = None
    """The last stored checkpoint that is of these entries."""
    anchored_to: list[str] = field(default_factory=list)
    pending: int = 0
    skipped: int = 0
    unread: int = 0
    since_policy: int = 0
    recoveries: dict[int, str] = field(default_factory=dict)
    key_entries: list[int] = field(default_factory=list)
    notes: bytes = b""
    """A digest over the stored checkpoints."""
    notice: str | None = None
    findings: list[Finding] = field(default_factory=list)

    def add(self, index: int | None, code: str, message: str) -> None:
        """Record a finding; beyond fifty only the first ones help."""
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Finding(index, code, message))

    @property
    def code(self) -> int:
        """The exit code: 1 broken, 3 nothing checked or unanchored, 0 intact and anchored."""
        if self.findings:
            return 1
        return 0 if self.entries and self.anchored_to else 3

    def lines(self) -> Iterator[str]:
        """Yield the report as text."""
        if self.notice:
            yield f"note: {self.notice}"
        for finding in sorted(self.findings, key=_place):
            yield str(finding)
        yield (
            f"checked {self.entries} entries, {self.signatures} signatures, "
            f"{self.checkpoints} checkpoints; chain only, not the numbers"
        )
        if self.unread:
            yield f"not read: the first {self.unread} entries (--since-last)"
        elif self.skipped:
            yield (
                f"signatures not checked again: those of the first {self.skipped} entries, which "
                "an earlier anchored verification covered (--all checks them)"
            )
        if self.since_policy:
            yield f"entries since the last checkpoint that the policy accepts: {self.since_policy}"
        for index, lost in self.recoveries.items():
            yield f"continued after a loss at entry {index}: {lost}"
        if self.pending:
            yield f"pending entries, which no checkpoint covers yet: {self.pending}"
        yield self._verdict()

    def view(self) -> dict[str, Any]:
        """Return the report as plain values."""
        found = [
            {"index": f.index, "code": f.code, "message": f.message}
            for f in sorted(self.findings, key=_place)
        ]
        facts = {
            "entries": self.entries,
            "signatures": self.signatures,
            "checkpoints": self.checkpoints,
            "cosignatures": self.cosignatures,
            "pending": self.pending,
            "skipped": self.skipped,
            "unread": self.unread,
            "recoveries": [{"index": i, "lost": lost} for i, lost in self.recoveries.items()],
            "head": self.head,
            "origin": self.origin,
            "anchored_to": self.anchored_to,
            "notice": self.notice,
            "intact": not self.findings and self.entries > 0,
            "findings": found,
        }
        return {name: value for name, value in facts.items() if value is not None}

    def _verdict(self) -> str:
        if self.findings:
            return f"BROKEN: {len(self.findings)} findings, the first is {self.findings[0]}"
        if not self.entries:
            return "nothing was checked: the ledger has no entries"
        head = f"chain intact at {(self.head or '')[:16]}…"
        if self.anchored_to:
            return f"{head}, anchored to {', '.join(self.anchored_to)}"
        return f"{head}, unanchored: truncation and rollback cannot be excluded"


def _place(finding: Finding) -> tuple[int, int]:
    return (1, 0) if finding.index is None else (0, finding.index)
