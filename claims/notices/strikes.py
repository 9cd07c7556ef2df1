"""What later rows of the ledger did to a claim: which entry struck it, why, and what stands now.

A claim rests on more than the entry it names: on the runs behind its receipts, the anchors of its
window, and whatever its entry rests on in turn. All of it is walked as the judge walks it, with a
standing that writes down what it is asked about instead of refusing it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from claims.judging.chain import RefusedError
from claims.judging.evidence import Archive
from claims.judging.judge import Judge, Judgement
from claims.judging.standing import Standing, require_harmless
from claims.notices.banners import Notice
from claims.registers.model import Claim
from claims.registers.register import Register
from ledger.bodies import Approval, Experiment, Run
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.status import Effect, Status
from receipts.errors import NotFoundError
from receipts.workspace import Workspace

_WORDS = {"CLM501": "superseded", "CLM502": "retracted", "CLM503": "contested", "CLM504": "barred"}
_GRAVITY = ("superseded", "retracted", "barred", "contested", "withdrawn")
_FALLEN = ("retracted", "superseded", "contested")


@dataclass(frozen=True)
class Strike:
    """One later entry that keeps a claim from being published.

    Where the register itself withdrew the claim, `by` is None and `instead` the claim for it.
    """

    word: str
    by: int | None
    by_id: str
    reason: str
    on: str | None = None
    """The id of the entry that it struck, None where it struck the claim's approval."""
    replacement: str | None = None
    instead: str | None = None

    def told(self) -> str:
        """Return what struck the claim, and why, as plain words."""
        by = "the register" if self.by is None else f"entry {self.by}"
        return f"{self.word} by {by}: {self.reason}"


@dataclass(frozen=True)
class Withdrawn:
    """A claim that was taken back: its last sentence, and what is told of it."""

    sentence: str
    notice: Notice

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        told = {"claim": self.notice.claim, "holds": False, "sentence": self.sentence}
        by = {} if self.notice.by is None else {"withdrawn_by": self.notice.by}
        return told | by | {"reason": self.notice.reason}


@dataclass
class Basis:
    """What a claim rests on, and its sentence as it would read if all of that stood."""

    judgement: Judgement
    asked: dict[str, Entry]
    """By id, every entry that must stand for the claim to hold."""
    grounds: dict[str, Entry] = field(default_factory=dict)
    """By id, what these rest on in turn."""

    @property
    def receipts(self) -> set[str]:
        """The receipts it rests on; where the walk ended early, all that its entry cites."""
        bodies = [entry.body for entry in self.asked.values()]
        found = {body.receipt for body in bodies if isinstance(body, Run) and body.receipt}
        if self.judgement.evidence.refusal:
            cited = (b.evidence or () for b in bodies if isinstance(b, Experiment))
            found |= {item.receipt for items in cited for item in items}
        return found


class _Noting(Standing):
    """Notes every entry that it is asked about, and refuses none."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self.asked: dict[str, Entry] = {}

    def require(self, entry: Entry, metric: str, name: str) -> None:
        """Note the entry."""
        self.asked[entry.id] = entry


class Strikes:
    """What struck the claims of a register; each claim is walked once, and only if asked about."""

    def __init__(self, place: Workspace, ledger: Ledger, register: Register) -> None:
        self._ledger = ledger
        self._register = register
        self._noting = _Noting(ledger)
        self._archive = Archive(place, ledger)
        self._archive.standing = self._noting
        self._status: Status = ledger.status()
        self._bases: dict[str, Basis] = {}
        self._found: dict[str, list[Strike]] = {}

    def basis(self, claim_id: str) -> Basis:
        """Return what the claim rests on; `NotFoundError` for a claim that is not registered."""
        if claim_id not in self._bases:
            claim = self._register.find(claim_id)
            self._noting.asked = {}
            judge = Judge(self._archive, self._ledger, None)
            judgement = judge.judge(claim, approval=False)
            asked = {**self._noting.asked, **{one.id: one for one in self._named(claim)}}
            self._bases[claim_id] = Basis(judgement, asked, self._grounds(asked))
        return self._bases[claim_id]

    def of(self, claim_id: str) -> list[Strike]:
        """Return what struck the claim, the gravest first; nothing where it stands."""
        if claim_id not in self._found:
            self._found[claim_id] = self._strikes(claim_id)
        return self._found[claim_id]

    def _strikes(self, claim_id: str) -> list[Strike]:
        row = self._register.withdrawn.get(claim_id)
        if row is not None:
            return [Strike("withdrawn", None, "", row.reason, instead=row.replaced_by)]
        metric = self._register.find(claim_id).metric
        found = {
            (strike.by_id, strike.word): strike
            for entry in self.basis(claim_id).asked.values()
            for effect in self._status.effects_on(entry)
            for strike in _strike(entry, effect, metric)
        }
        withdrawal = self.withdrawal(claim_id)
        listed = [*found.values(), *([withdrawal] if withdrawal else [])]
        return sorted(listed, key=lambda one: (_GRAVITY.index(one.word), one.by or 0))

    def withdrawal(self, claim_id: str) -> Strike | None:
        """Return by what the claim's approval was taken back, None where it was not."""
        approvals = self._approvals(claim_id)
        if not approvals:
            return None
        entry, body = approvals[-1]
        doubt = self._noting.doubt(entry.envelope.keyid, entry.index)
        if body.decision != "withdrawn" or doubt:
            return None
        reason = body.title.removeprefix(f"withdrawn: {claim_id}: ")
        return Strike("withdrawn", entry.index, entry.id, reason)

    def withdrawn(self) -> list[Withdrawn]:
        """Return the claims of the register that were approved once and then withdrawn."""
        taken = ((claim, self.withdrawal(claim)) for claim in self._register.claims)
        return [
            Withdrawn(sentences[0], self.notice(claim, strike))
            for claim, strike in taken
            if strike and (sentences := self.sentences(claim))
        ]

    def rows(self) -> list[Withdrawn]:
        """Return the claims that the register itself lists as withdrawn."""
        rows = self._register.withdrawn.values()
        return [Withdrawn(one.sentence, self.notice(one.id, self.of(one.id)[0])) for one in rows]

    def sentences(self, claim_id: str) -> list[str]:
        """Return every sentence of the claim that was ever approved, the last one first.

        One that the register withdrew has the sentence that stands there, too.
        """
        row = self._register.withdrawn.get(claim_id)
        found = (b.sentence for _, b in self._approvals(claim_id) if b.decision == "approved")
        kept = [row.sentence] if row is not None else []
        return list(dict.fromkeys([*kept, *reversed(list(found))]))

    def notice(self, claim_id: str, strike: Strike) -> Notice:
        """Return what a page tells of the strike; it names a replacement only if that stands."""
        instead = self.successor(strike.replacement) if strike.replacement else None
        place = (instead.index, instead.body.label) if instead else (None, strike.instead)
        return Notice(claim_id, strike.word, strike.by, strike.reason, *place)

    def successor(self, entry_id: str) -> Entry | None:
        """Return the entry that stands in the end where `entry_id` was named as replacement."""
        seen: set[str] = set()
        while entry_id not in seen:
            seen.add(entry_id)
            try:
                entry = self._ledger.by_id(entry_id)
            except NotFoundError:
                return None
            later = [e for e in self._status.effects_on(entry) if e.replacement]
            if not later:
                return entry if self.stands(entry) else None
            entry_id = str(later[-1].replacement)
        return None

    def stands(self, entry: Entry) -> bool:
        """Say whether the entry was neither taken back nor lost its ground."""
        return self._status.word_on(entry) not in _FALLEN and not self._noting.fell(entry)

    def _approvals(self, claim_id: str) -> list[tuple[Entry, Approval]]:
        entries = map(self._ledger.entry, self._ledger.index.find("claim", claim_id))
        return [(entry, entry.body) for entry in entries if isinstance(entry.body, Approval)]

    def _named(self, claim: Claim) -> Iterator[Entry]:
        """Yield the entries that the claim names, wherever the walk ended."""
        for ref in claim.evidence:
            try:
                yield self._ledger.resolve(ref.entry)
            except NotFoundError:
                continue

    def _grounds(self, asked: dict[str, Entry]) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        waiting = list(asked.values())
        while waiting:
            body = waiting.pop().body
            if isinstance(body, Experiment):
                below = [*(body.rests_on or ()), *filter(None, (body.answers,))]
                fresh = [self._ledger.by_id(one) for one in below if one not in found]
                found |= {entry.id: entry for entry in fresh}
                waiting += fresh
        return found


def _strike(entry: Entry, effect: Effect, metric: str) -> Iterator[Strike]:
    try:
        require_harmless(effect, metric, str(entry.index))
    except RefusedError as error:
        word = _WORDS[error.code]
        yield Strike(word, effect.by, effect.by_id, effect.reason, entry.id, effect.replacement)
