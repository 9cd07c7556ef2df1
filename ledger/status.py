"""What later rows did to earlier ones: a fold of corrections, never stored.

Every correction leaves an *effect* on its targets. Retracting a correction lifts its effects. The
effective status of an entry is the gravest effect that stands: retracted before superseded before
amended before corrected, and *standing* when there is none.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ledger.bodies import (
    CORRECTIONS,
    Amendment,
    AnyBody,
    Correcting,
    Correction,
    Experiment,
    Superseded,
)
from ledger.entry import Entry

STANDING = "standing"
GRAVITY = ("retracted", "superseded", "amended", "corrected", "contested")
WORDS = {
    "CORRECTION": "corrected",
    "AMENDMENT": "amended",
    "SUPERSEDED": "superseded",
    "RETRACTION": "retracted",
}


@dataclass(frozen=True)
class Effect:
    """What one later entry does to an earlier one."""

    word: str
    by: int
    by_id: str
    reason: str
    affects: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    restated: tuple[tuple[str, str], ...] = ()
    bars: tuple[str, ...] = ()
    replacement: str | None = None

    def banner(self) -> str:
        """Return the line that stands above the old entry."""
        parts = [f"{self.word.upper()} by entry {self.by}: {self.reason}"]
        if self.affects:
            parts.append(f"struck: {', '.join(self.affects)}")
        if self.leaves:
            parts.append(f"stands: {', '.join(self.leaves)}")
        parts.extend(f"{name} now reads {text!r}" for name, text in self.restated)
        if self.bars:
            parts.append(f"barred: {', '.join(self.bars)}")
        if self.replacement:
            parts.append(f"replaced by {self.replacement[:12]}")
        return "; ".join(parts)

    def view(self) -> dict[str, Any]:
        """Return the effect as plain values, absent fields left out."""
        fields = {
            "word": self.word,
            "by": self.by,
            "by_id": self.by_id,
            "reason": self.reason,
            "affects": list(self.affects),
            "leaves": list(self.leaves),
            "restated": dict(self.restated),
            "bars": list(self.bars),
            "replacement": self.replacement,
        }
        return {name: value for name, value in fields.items() if value}


@dataclass
class Status:
    """The effects on every entry, by the entry's id, after all corrections applied so far."""

    lookup: Callable[[str], Entry] | None = None
    """Gives entries by id, so that what rests on a struck entry can be told."""
    _effects: dict[str, list[Effect]] = field(default_factory=dict)
    _on_runs: dict[str, list[Effect]] = field(default_factory=dict)
    _targets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _words: dict[str, str] = field(default_factory=dict)
    _lifted: set[str] | None = None

    def apply(self, entry: Entry) -> None:
        """Fold one entry; entries that correct nothing change nothing."""
        if not isinstance(entry.body, CORRECTIONS):
            return
        self._words.clear()
        effect = _effect(entry, entry.body)
        targets = (*(entry.body.targets or ()), *(entry.body.resolved or ()))
        for target in dict.fromkeys(targets):
            self._effects.setdefault(target, []).append(effect)
        for uri in entry.body.runs or ():
            self._on_runs.setdefault(uri, []).append(effect)
        if effect.word == "retracted":
            self._targets[entry.id] = targets
            self._lifted = None

    def effects(self, entry_id: str) -> list[Effect]:
        """Return the effects that stand on the entry, oldest first."""
        lifted = self._retracted()
        return [effect for effect in self._effects.get(entry_id, ()) if effect.by_id not in lifted]

    def word(self, entry_id: str) -> str:
        """Return the entry's effective status by the corrections that name it."""
        return _gravest(self.effects(entry_id))

    def effects_on(self, entry: Entry) -> list[Effect]:
        """Return all that stands on the entry: by name, by its runs, and by what it rests on."""
        found = {effect.by_id: effect for effect in self.effects(entry.id)}
        if isinstance(entry.body, Experiment):
            found |= {effect.by_id: effect for effect in self._by_runs(entry.body)} | found
            found |= {effect.by_id: effect for effect in self._by_foundations(entry.body)}
        return list(found.values())

    def effects_on_run(self, uri: str) -> list[Effect]:
        """Return the effects that stand on the run with this receipt, oldest first."""
        lifted = self._retracted()
        return [effect for effect in self._on_runs.get(uri, ()) if effect.by_id not in lifted]

    def word_on(self, entry: Entry) -> str:
        """Return the entry's effective status, *contested* if what it rests on is struck."""
        return _gravest(self.effects_on(entry))

    def _by_runs(self, body: Experiment) -> Iterator[Effect]:
        for item in body.evidence or ():
            yield from self.effects_on_run(item.receipt)

    def _by_foundations(self, body: Experiment) -> Iterator[Effect]:
        if self.lookup is None:
            return
        for entry_id in _foundations(body):
            word = self._word_of(entry_id, self.lookup)
            # A word corrected in a hypothesis does not touch what was measured to answer it.
            mild = ("corrected", "amended") if entry_id == body.answers else ()
            if word not in (STANDING, *mild):
                foundation = self.lookup(entry_id)
                reason = f"it rests on entry {foundation.index}, which is {word}"
                yield Effect("contested", foundation.index, foundation.id, reason)

    def _word_of(self, entry_id: str, lookup: Callable[[str], Entry]) -> str:
        """Return the effective status of a foundation, foundations of foundations first.

        A stack and not a recursion, each entry once: chains are long and share their ends.
        """
        waiting = [entry_id]
        while entry_id not in self._words:
            entry = lookup(waiting[-1])
            unknown = [one for one in _foundations(entry.body) if one not in self._words]
            waiting.extend(unknown)
            if not unknown:
                self._words[waiting.pop()] = self.word_on(entry)
        return self._words[entry_id]

    def _retracted(self) -> set[str]:
        """Return the ids under a retraction that stands: whatever lifts one came after it."""
        if self._lifted is None:
            self._lifted = set()
            for by_id, targets in reversed(self._targets.items()):
                if by_id not in self._lifted:
                    self._lifted.update(targets)
        return self._lifted


def fold(entries: Iterable[Entry], lookup: Callable[[str], Entry] | None = None) -> Status:
    """Return the status after these entries; `lookup` gives entries by id."""
    status = Status(lookup)
    for entry in entries:
        status.apply(entry)
    return status


def _foundations(body: AnyBody) -> list[str]:
    if not isinstance(body, Experiment):
        return []
    return [*(body.rests_on or ()), *filter(None, (body.answers,))]


def _gravest(effects: Iterable[Effect]) -> str:
    words = {effect.word for effect in effects}
    return next((word for word in GRAVITY if word in words), STANDING)


def _effect(entry: Entry, body: Correcting) -> Effect:
    return Effect(
        word=WORDS[entry.kind],
        by=entry.index,
        by_id=entry.id,
        reason=body.reason,
        affects=tuple(body.affects or ()),
        leaves=tuple(body.leaves or ()),
        restated=tuple((body.restated or {}).items()) if isinstance(body, Correction) else (),
        bars=tuple(body.bars or ()) if isinstance(body, Amendment) else (),
        replacement=body.replacement if isinstance(body, Superseded) else None,
    )
