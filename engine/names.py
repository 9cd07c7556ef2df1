"""Names of receipts and windows: unique in a ledger, and settled before anything runs.

A name that proves to be taken when a run has ended would cost the run, so it is refused first.
Another process may still take it meanwhile (attaching needs no lease): then the run goes on record
without its name.
"""

from collections.abc import Collection, Iterable

from ledger.session import Session
from receipts.errors import ConflictError
from receipts.shape import Label, Shape

_USES = ("name", "window")


class _Named(Shape):
    name: Label


def require_free(here: Session, name: str) -> None:
    """Return if `name` is well formed and neither a receipt nor a window carries it; else raise."""
    _Named.parse({"name": name}, "a receipt's or window's name")
    users = _users(here, name)
    if users:
        raise ConflictError(f"the name {name!r} is taken by entry {users[0]}; choose another")


def is_free(here: Session, name: str) -> bool:
    """Say whether neither a receipt nor a window carries `name`."""
    return not _users(here, name)


def first_free(here: Session, candidates: Iterable[str], besides: Collection[str] = ()) -> str:
    """Return the first of `candidates` that nothing carries and that is not among `besides`."""
    return next(name for name in candidates if name not in besides and is_free(here, name))


def _users(here: Session, name: str) -> list[int]:
    return sorted(index for use in _USES for index in here.ledger.index.find(use, name))
