"""`ledger lint-table`: the self-consistency of a campaign table, as a report."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ledger import history
from ledger.history import Campaign, Finding
from ledger.selfcheck import Verdict

_TOLD = (Verdict.CONTRADICTION, Verdict.TRUNCATED, Verdict.CORRECTED)
_DECIDED = (*_TOLD, Verdict.CONSISTENT)


@dataclass(frozen=True)
class Linted:
    """The verdict on every printed change of a table."""

    rows: int
    findings: list[Finding]

    def of(self, verdict: Verdict) -> list[Finding]:
        """Return the findings with this verdict, in the order of the table."""
        return [finding for finding in self.findings if finding.verdict is verdict]

    @property
    def code(self) -> int:
        """The exit code: 1 for a contradiction, 3 when nothing could be recomputed."""
        if self.of(Verdict.CONTRADICTION):
            return 1
        return 0 if any(finding.verdict in _DECIDED for finding in self.findings) else 3

    def lines(self) -> Iterator[str]:
        """Yield what is to be looked at, then the counts."""
        for verdict in _TOLD:
            yield from map(_line, self.of(verdict))
        counts = Counter(finding.verdict.value for finding in self.findings)
        told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        yield f"{self.rows} rows, {len(self.findings)} printed changes: {told}"

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        groups = {verdict.value.replace("-", "_"): self.of(verdict) for verdict in Verdict}
        named = {_PLURAL.get(name, name): found for name, found in groups.items()}
        return {"rows": self.rows} | {
            name: [_plain(finding) for finding in found] for name, found in named.items()
        }


_PLURAL = {"contradiction": "contradictions"}


def lint(campaign: Campaign) -> Linted:
    """Return the verdicts on the campaign's printed changes."""
    return Linted(len(campaign.rows), history.check(campaign))


def _line(finding: Finding) -> str:
    computed = f", computed {finding.computed}" if finding.computed else ""
    reason = f" ({finding.reason})" if finding.reason else ""
    return (
        f"line {finding.line}, row {finding.row} {finding.step}: {finding.verdict}: printed "
        f"{finding.printed}, operands {finding.operands or 'none'}{computed}{reason}"
    )


def _plain(finding: Finding) -> dict[str, Any]:
    names = Finding.__dataclass_fields__
    values = {name: getattr(finding, name) for name in names}
    return {n: (v.value if isinstance(v, Verdict) else v) for n, v in values.items() if v != ""}
