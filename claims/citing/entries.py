"""`[ledger …]`: entries by label, index or id, by title and date, and what stands in them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from claims.citing import quotations
from claims.citing.brackets import Citation
from claims.citing.target import Target, brief, plain_fields
from claims.judging.chain import RefusedError
from claims.judging.standing import Standing
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.status import GRAVITY, Effect
from receipts.digest import Digest
from receipts.errors import Error, NotFoundError
from receipts.store import ObjectStore

_DATE = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
_NAME = re.compile(r"(?:entry\s+)?#?([A-Za-z0-9][A-Za-z0-9._-]{0,63})\Z", re.IGNORECASE)
_LOOKS_LIKE_A_NAME = re.compile(r"[A-Za-z]{1,8}[-.]?\d[\w.-]*\Z|[A-Z][\w.-]*\Z|#\S+\Z")
_PLACE = re.compile(r"([a-z]+)\s+(\d+[a-z]?)\Z")
_GRAVE = ("retracted", "superseded", "contested")
_FOUND = 50
_NOTES = 4 * 1024 * 1024


@dataclass
class _Asked:
    """What a citation says of the entries that it means."""

    entries: list[tuple[str, Entry]] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


class Entries:
    """The entries of one ledger, as they are cited."""

    def __init__(self, ledger: Ledger, objects: ObjectStore) -> None:
        self._ledger = ledger
        self._objects = objects
        self._standing = Standing(ledger)

    def resolve(self, citation: Citation) -> Target:
        """Return what a citation `[ledger …]` means, or refuse it."""
        asked = self._asked(citation)
        titles = [quote.words for quote in citation.inside]
        if not asked.entries:
            entry = self._by_title([*titles, *asked.words], asked.dates, citation)
            asked.entries, asked.words = [(f"entry {entry.index}", entry)], []
        for name, entry in asked.entries[:1]:
            _require_dates(name, entry, asked.dates)
        target = self._target(asked.entries)
        for words in asked.words:
            if not self._says(asked.entries, target, words):
                raise RefusedError("CLM704", f"“{brief(words)}” does not stand in {target.name}")
        return target

    def struck(self, effects: Iterable[Effect]) -> str | None:
        """Return how the gravest of these effects strikes, None for no grave one."""
        grave = [effect for effect in effects if effect.word in _GRAVE]
        if not grave:
            return None
        effect = min(grave, key=lambda one: GRAVITY.index(one.word))
        return f"is {effect.word} by entry {effect.by}: {brief(effect.reason)}"

    def _asked(self, citation: Citation) -> _Asked:
        asked = _Asked()
        for item in citation.items:
            rest = " ".join(_DATE.sub(" ", item).split())
            asked.dates.extend(_DATE.findall(item))
            if not rest:
                continue
            found = self._named(rest)
            if found:
                asked.entries.append((f"entry {rest}", found))
            elif not asked.entries and " " in rest and (found := self._named(rest.split()[0])):
                asked.entries.append((f"entry {rest.split()[0]}", found))
                asked.words.append(rest.partition(" ")[2])
            elif _LOOKS_LIKE_A_NAME.fullmatch(rest):
                raise RefusedError("CLM701", f"the ledger has no entry {rest}")
            elif words := rest.lstrip("§ "):
                asked.words.append(words)
        return asked

    def _named(self, name: str) -> Entry | None:
        found = _NAME.match(name)
        if not found:
            return None
        try:
            return self._ledger.resolve(found[1])
        except NotFoundError as error:
            if "several" in str(error):
                raise RefusedError("CLM702", str(error)) from error
            return None

    def _by_title(self, words: list[str], dates: list[str], citation: Citation) -> Entry:
        if not words:
            raise RefusedError("CLM706", "it names no entry by label, index, id or title")
        found = [
            entry
            for entry in self._searched(" ".join(words))
            if all(quotations.stand_in(part, quotations.plain(entry.body.title)) for part in words)
        ]
        if dates:
            found = [entry for entry in found if all(_at(entry) == date for date in dates)]
        whole = [e for e in found if quotations.plain(e.body.title) == quotations.plain(words[0])]
        found = whole or found
        if not found:
            raise RefusedError("CLM701", f"no entry has the title {brief(' '.join(words))!r}")
        if len(found) > 1:
            listed = ", ".join(str(entry.index) for entry in found[:5])
            raise RefusedError("CLM702", f"entries {listed} have such a title; cite a label")
        return found[0]

    def _searched(self, words: str) -> Iterator[Entry]:
        kept = " ".join(re.findall(r"\w+", words))
        if kept:
            for index, _ in self._ledger.index.search(kept, _FOUND):
                yield self._ledger.entry(index)

    def _target(self, entries: list[tuple[str, Entry]]) -> Target:
        struck = None
        for name, entry in entries:
            effects = self._ledger.status().effects_on(entry)
            doubt = self._standing.doubt(entry.envelope.keyid, entry.index)
            told = self.struck(effects) or (f"is contested: {doubt}" if doubt else None)
            struck = struck or (f"{name} {told}" if told else None)
        names = " or ".join(name for name, _ in entries)
        return Target(names, lambda: self._texts(entries), struck)

    def _texts(self, entries: list[tuple[str, Entry]]) -> Iterator[str]:
        for _, entry in entries:
            body = entry.body.plain()
            yield from plain_fields(body)
            for effect in self._ledger.status().effects_on(entry):
                yield from (quotations.plain(text) for _, text in effect.restated)
            if isinstance(notes := body.get("notes"), str):
                yield self._notes(notes)

    def _notes(self, digest: str) -> str:
        try:
            raw = self._objects.get(Digest.parse(digest))
        except Error:
            return ""
        return quotations.plain(raw[:_NOTES].decode("utf-8", "replace"))

    def _says(self, entries: list[tuple[str, Entry]], target: Target, words: str) -> bool:
        """Say whether "step 4" or other words stand in the entries."""
        place = _PLACE.fullmatch(words.lower())
        if place:
            kind, number = place[1], place[2]
            own = [getattr(entry.body, "step", None) for _, entry in entries]
            if kind == "step" and any(_is_step(step, number) for step in own if step):
                return True
            listed = re.compile(rf"(?:^|[\s;]){re.escape(number)}[.)]\s")
            return target.says(words) or any(listed.search(text) for text in target.texts())
        return target.says(words)


def _is_step(step: str, number: str) -> bool:
    return quotations.plain(step) == number or quotations.stand_in(
        f"step {number}", quotations.plain(step)
    )


def _at(entry: Entry) -> str:
    return entry.body.at[:10]


def _require_dates(name: str, entry: Entry, dates: list[str]) -> None:
    for date in dates:
        if _at(entry) != date and date not in entry.body.title:
            raise RefusedError("CLM704", f"{name} is of {_at(entry)}, not of {date}")
