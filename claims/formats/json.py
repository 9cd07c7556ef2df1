"""The outcome as one JSON document; docs/reference/output.md describes its fields."""

from typing import Any

from claims.formats.outcome import Outcome


def value(outcome: Outcome) -> dict[str, Any]:
    """Return pages with their findings, and what was set aside, held, counted and not checked."""
    done = {
        "pages": [
            {**page.view, "findings": [finding.view() for finding in page.findings]}
            for page in outcome.pages
        ],
        "findings": [finding.view() for finding in outcome.beyond],
        "ignored": [finding.view() for finding in outcome.ignored],
        "held": [finding.view() for finding in outcome.held],
        "totals": outcome.totals,
        "not_checked": list(outcome.not_checked),
        "ledger": outcome.standing,
        "exit": outcome.code,
    }
    return done | ({"partial": outcome.partial} if outcome.partial else {})
