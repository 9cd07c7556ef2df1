"""Under which names the rows of memory are kept."""

import hashlib
from typing import Any

from claims.recalling import spelling


def of_claim(claim: str) -> str:
    """Return the name of a claim of the register, by its id."""
    return f"claim {claim}"


def of_judgement(claim: Any, *, approval: bool) -> str:
    """Return the name of the judgement of a claim: of each of its fields, whatever its id."""
    kind = "approved" if approval else "judged"
    return f"{kind} {_digest(spelling.text(claim))}"


def of_entry(entry: str) -> str:
    """Return the name of what an entry cites."""
    return f"cited {_digest(entry)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
