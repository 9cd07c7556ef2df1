"""The release lock: the last LOCK entry, as far as it can be believed.

A switch that it does not name is off, and without any LOCK entry everything is: that is
*containment*. A LOCK by a key that was revoked since is containment too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from claims.judging.standing import Standing
from claims.rules import Refusal
from ledger.bodies import Lock
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.session import Session
from receipts.errors import NotFoundError
from receipts.keys import SigningKey

SWITCHES = ("publish", "seal", "candidate", "tag")
# How the same switches are called in lock files that were kept by hand.
_SPELLINGS = {"publishing": "publish", "sealing": "seal", "tagging": "tag"}


@dataclass(frozen=True)
class State:
    """The lock as it is: the entry that says so, and which switches are on."""

    entry: int | None
    switches: dict[str, bool]
    reason: str

    def is_on(self, switch: str) -> bool:
        """Say whether the switch is on."""
        return self.switches.get(switch, False)

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"entry": self.entry, "switches": self.switches, "reason": self.reason}


def read(ledger: Ledger) -> State:
    """Return the lock; what cannot be believed is containment."""
    off = dict.fromkeys(SWITCHES, False)
    indexes = ledger.index.of_kinds("LOCK")
    if not indexes:
        return State(None, off, "there is no LOCK entry: containment")
    entry = ledger.entry(indexes[-1])
    body = entry.body
    doubt = Standing(ledger).doubt(entry.envelope.keyid, entry.index)
    if doubt or not isinstance(body, Lock):
        return State(entry.index, off, f"the LOCK entry is contested: {doubt}")
    switches = off | {_SPELLINGS.get(n, n): on for n, on in (body.switches or {}).items()}
    if body.state == "contained":
        switches = dict.fromkeys(switches, False)
    return State(entry.index, switches, body.reason or body.title)


def set_(here: Session, given: dict[str, bool], reason: str | None, key: SigningKey) -> Entry:
    """Append a LOCK with these switches changed and the others as they are."""
    before = read(here.ledger)
    unknown = [name for name in given if name not in before.switches]
    if unknown:
        known = ", ".join(before.switches)
        raise NotFoundError(f"no switch is called {unknown[0]!r}; there are {known}")
    switches = before.switches | given
    told = ", ".join(f"{name} {'on' if on else 'off'}" for name, on in given.items())
    fields: dict[str, Any] = {
        "kind": "LOCK",
        "title": f"lock: {told}"[:500],
        "state": "open" if any(switches.values()) else "contained",
        "switches": switches,
    }
    fields |= {"reason": reason} if reason else {}
    return here.ledger.append(fields, key)


def refusals(ledger: Ledger) -> Iterator[Refusal]:
    """Yield the refusal of a publication while the lock's publish switch is off."""
    now = read(ledger)
    if not now.is_on("publish"):
        by = "" if now.entry is None else f" by entry {now.entry}"
        yield Refusal("CLM601", f"publish is off{by}: {now.reason}")
