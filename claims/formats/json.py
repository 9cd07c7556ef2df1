"""The outcome as one JSON document; docs/reference/output.md describes its fields."""

from typing import Any

from claims.formats.outcome import Outcome


def value(outcome: Outcome) -> dict[str, Any]:
    """Return pages with their findings, and what was set aside, held, counted and not checked.

    A finding is told by its `view()` when it is written: there may be hundreds of thousands.
    """
    done = {
        "pages": [{**page.view, "findings": page.findings} for page in outcome.pages],
        "findings": outcome.beyond,
        "ignored": outcome.ignored,
        "held": outcome.held,
        "totals": outcome.totals,
        "not_checked": list(outcome.not_checked),
        "ledger": outcome.standing,
        "exit": outcome.code,
    }
    return done | ({"partial": outcome.partial} if outcome.partial else {})
