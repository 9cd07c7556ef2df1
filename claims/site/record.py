"""What the ledger says about claims beside their evidence: approvals, corrections, keys.

Of a ledger that does not verify nothing is looked up: there is a record of nothing then.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.bodies import Approval
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.status import Status
from receipts.errors import NotFoundError


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a claim or to what it rests on: which entry said it, and when."""

    index: int
    at: str
    what: str
    text: str
    signer: str


@dataclass(frozen=True, slots=True)
class Decision:
    """An operator's word on a claim; `reason` is that of a withdrawal."""

    entry: Entry
    body: Approval

    @property
    def withdrawn(self) -> bool:
        """Say whether it takes the claim back."""
        return self.body.decision == "withdrawn"

    @property
    def reason(self) -> str:
        """Why the claim was taken back, as it was given."""
        return self.body.title.removeprefix(f"withdrawn: {self.body.claim}: ")


class Record:
    """One ledger, read once for many claims."""

    def __init__(self, ledger: Ledger | None) -> None:
        self._ledger = ledger
        self._status = ledger.status() if ledger else Status()

    def entry(self, index: int) -> Entry:
        """Return entry `index`; of a ledger that does not verify there is none to return."""
        if self._ledger is None:
            raise NotFoundError(f"entry {index} is of a ledger that does not verify")
        return self._ledger.entry(index)

    def claims(self) -> list[str]:
        """Return the id of every claim that was ever decided on."""
        return self._ledger.index.values("claim") if self._ledger else []

    def decisions(self, claim: str) -> list[Decision]:
        """Return what was decided about the claim, oldest first."""
        if self._ledger is None:
            return []
        found = map(self._ledger.entry, self._ledger.index.find("claim", claim))
        return [Decision(one, one.body) for one in found if isinstance(one.body, Approval)]

    def history(self, claim: str, cited: Entry | None, receipt: str | None) -> list[Event]:
        """Return what became of a claim, of the entry and of the runs it rests on, oldest first."""
        events = [*self._decided(claim)]
        if cited is not None:
            events += [_event(cited, "recorded", cited.body.title), *self.corrections(cited)]
        for run in self._runs(receipt) if receipt else ():
            events += self.corrections(run)
        return sorted(dict.fromkeys(events), key=lambda event: (event.index, event.what))

    def corrections(self, entry: Entry) -> Iterator[Event]:
        """Yield what later entries did to this one, oldest first."""
        if self._ledger is None:
            return
        for effect in self._status.effects_on(entry):
            told = effect.banner().partition(": ")[2]
            yield _event(self._ledger.entry(effect.by), effect.word, told)

    def banners(self, entry: Entry) -> list[str]:
        """Return the lines that stand above this entry, oldest first."""
        return [effect.banner() for effect in self._status.effects_on(entry)]

    def key_line(self, fingerprint: str) -> str | None:
        """Return the public key with this fingerprint as OpenSSH writes it, None if unknown."""
        state = self._ledger.trust().keys.get(fingerprint) if self._ledger else None
        return state.public.openssh if state else None

    def _decided(self, claim: str) -> Iterator[Event]:
        for decision in self.decisions(claim):
            listed = "; ".join(decision.body.conditions or ())
            told = f"on condition: {listed}" if listed else ""
            told = decision.reason if decision.withdrawn else told
            yield _event(decision.entry, decision.body.decision, told)

    def _runs(self, uri: str) -> Iterator[Entry]:
        if self._ledger is not None:
            yield from map(self._ledger.entry, self._ledger.index.find("run", uri))


def _event(entry: Entry, what: str, text: str) -> Event:
    return Event(entry.index, entry.body.at, what, text, entry.envelope.keyid)
