"""GitLab's code quality report: one item for each finding that counts."""

from collections import Counter
from typing import Any

from claims.formats.outcome import Finding, Outcome
from claims.rules import RULES

_SEVERITIES = {"error": "major", "warning": "minor"}


def value(outcome: Outcome) -> list[dict[str, Any]]:
    """Return the report; GitLab drops items with a fingerprint twice, so equal ones are told apart.

    GitLab knows no item without a file: what is wrong with no page is put on evidence.yaml.
    """
    seen: Counter[str] = Counter()
    return [_item(finding, seen) for finding in outcome.findings]


def _item(finding: Finding, seen: Counter[str]) -> dict[str, Any]:
    fingerprint = finding.fingerprint
    seen[fingerprint] += 1
    remedy = RULES[finding.refusal.code].remedy
    return {
        "description": f"{finding.title}: {finding.message} – {remedy}",
        "check_name": finding.refusal.code,
        "fingerprint": f"{fingerprint}-{seen[fingerprint]}",
        "severity": _SEVERITIES[finding.refusal.severity],
        "location": {"path": finding.path, "lines": {"begin": max(1, finding.line)}},
    }
