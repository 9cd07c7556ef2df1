"""Approvals: a signed APPROVAL entry over a claim as it is written and as its sentence reads."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from claims.desk import Desk
from claims.judging.judge import Judgement
from ledger.entry import Entry


def approve(
    desk: Desk, judgement: Judgement, conditions: Sequence[str], key_path: Path | None
) -> Entry:
    """Append the approval of the claim; `judgement` was made without asking for one and holds."""
    fields: dict[str, Any] = {
        "kind": "APPROVAL",
        "title": f"approved: {judgement.claim.id}",
        "claim": judgement.claim.id,
        "digest": judgement.claim.approved_digest(),
        "sentence": judgement.sentence,
        "decision": "approved",
    }
    fields |= {"conditions": list(conditions)} if conditions else {}
    return desk.here.ledger.append(fields, desk.here.key(key_path))


def withdraw(desk: Desk, claim: str, reason: str, key_path: Path | None) -> Entry:
    """Append the withdrawal of the claim's approval."""
    found = desk.register.find(claim)
    fields = {
        "kind": "APPROVAL",
        "title": f"withdrawn: {claim}: {reason}"[:500],
        "claim": claim,
        "digest": found.approved_digest(),
        "sentence": found.wording,
        "decision": "withdrawn",
    }
    return desk.here.ledger.append(fields, desk.here.key(key_path))
