"""One line for each finding: `file:line:column: CODE message`, and what was checked."""

from collections.abc import Iterator

from claims.formats.outcome import Finding, Outcome


def lines(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each finding, then the closing block."""
    yield from map(line, outcome.findings)
    yield from outcome.closing()


def line(finding: Finding) -> str:
    """Return the finding in one line."""
    place = f"{finding.refusal.place or finding.file}: "
    return f"{place if finding.file else ''}{finding.refusal.code} {finding.message}"
