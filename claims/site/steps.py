"""The chain of a claim as a reader walks it: each step with what was verified, and by which digest.

The steps are the links that the judgement found to hold, those of a kind together; repetitions of
one window are one step with a line each. Where the chain broke, it ends.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from claims.judging.chain import Link
from claims.judging.judge import Judgement
from claims.site.record import Record
from receipts import receipt as receipts_format
from receipts.digest import Digest
from receipts.receipt import SCHEME
from receipts.store import ObjectStore

_DIGEST = re.compile(rf"({SCHEME})?(sha256:[0-9a-f]{{64}})")
_NAMES = {
    "entry": "Ledger entry",
    "plan": "Plan",
    "repetition": "Repetitions, in the order in which they ran",
    "anchor": "Anchor of the baseline",
}


@dataclass(frozen=True, slots=True)
class Held:
    """Something with a digest: an entry, a receipt or an object, and who signed it if signed."""

    kind: Literal["entry", "receipt", "object"]
    digest: str
    signer: str | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """One repetition: its place, its receipt and its raw file."""

    place: str
    receipt: Held
    raw: Held


@dataclass(frozen=True, slots=True)
class Step:
    """One step from the sentence towards the rows; `banners` is what later entries did to it."""

    title: str
    name: str
    detail: str
    at: str | None = None
    held: tuple[Held, ...] = ()
    members: tuple[Member, ...] = ()
    banners: tuple[str, ...] = ()

    def everything(self) -> Iterator[Held]:
        """Yield whatever in this step has a digest."""
        yield from self.held
        for member in self.members:
            yield from (member.receipt, member.raw)


def walk(
    done: Judgement, record: Record, store: ObjectStore, told: Callable[[str], str]
) -> list[Step]:
    """Return the steps of a judgement; `told` is applied to every word of a person in them."""
    made = _Steps(done, record, store, told)
    by_kind: dict[str, list[Link]] = {}
    for link in done.evidence.links:
        by_kind.setdefault(link.kind, []).append(link)
    # What makes a run doubtful is no step towards the rows; it stands with what is not established.
    by_kind.pop("taint", None)
    return [step for kind, links in by_kind.items() for step in made.of_kind(kind, links)]


class _Steps:
    def __init__(
        self, done: Judgement, record: Record, store: ObjectStore, told: Callable[[str], str]
    ) -> None:
        self._evidence = done.evidence
        self._record = record
        self._store = store
        self._told = told

    def of_kind(self, kind: str, links: list[Link]) -> Iterator[Step]:
        if kind == "repetition":
            yield Step(_NAMES[kind], "", "", members=tuple(map(self._member, links)))
        elif kind == "entry":
            yield from map(self._entry, links)
        elif kind == "anchor":
            yield from map(self._anchor, links)
        else:
            yield from map(self._other, links)

    def _entry(self, link: Link) -> Step:
        entry = self._record.entry(int(link.name.split()[0]))
        held = Held("entry", f"sha256:{entry.id}", entry.envelope.keyid, entry.index)
        return Step(
            _NAMES["entry"],
            link.name,
            self._told(entry.body.title),
            entry.body.at,
            (held,),
            banners=tuple(map(self._told, self._record.banners(entry))),
        )

    def _anchor(self, link: Link) -> Step:
        listed = self._evidence.window.anchors if self._evidence.window else None
        found = [one for one in listed or () if one.record == link.name]
        held = tuple(self._sealed(one.receipt) for one in found)
        return Step(_NAMES["anchor"], link.name, self._told(link.detail), held=held)

    def _member(self, link: Link) -> Member:
        receipt, raw = (text for _, text in _DIGEST.findall(link.detail))
        return Member(link.name, self._sealed(receipt), Held("object", raw))

    def _other(self, link: Link) -> Step:
        held = tuple(
            self._sealed(text) if scheme else Held("object", text)
            for scheme, text in _DIGEST.findall(link.name)
        )
        title = _NAMES.get(link.kind, link.kind.capitalize())
        # Who signed a receipt stands beside its digest.
        detail = link.detail.removeprefix(f"signed by {held[0].signer}, " if held else "")
        return Step(title, "" if held else link.name, self._told(detail), held=held)

    def _sealed(self, digest: str) -> Held:
        made = receipts_format.parse(self._store.get(Digest.parse(digest)))
        return Held("receipt", digest, made.envelope.keyid)
