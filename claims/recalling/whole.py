"""What an earlier check established of a whole register, for commands that need no claim of it."""

from typing import Any

from claims.remembering import established
from claims.remembering.answers import Watch


def ids() -> list[str] | None:
    """Return the ids of the claims of the register here, None where they are not known."""
    found = _base()
    return None if found is None else list(found["ids"])


def phrases() -> dict[str, str] | None:
    """Return the phrases of the project's vocabulary here, None where they are not known."""
    found = _base()
    return None if found is None else dict(found["phrases"])


def _base() -> Any:
    known = established.known(Watch(fresh=False))
    if known is None:
        return None
    with known:
        return known.base
