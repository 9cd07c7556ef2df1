"""The walk over a ledger: every receipt that it names, every delta, every approval, every claim."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from claims.recount import decisions, entries, receipts, sentences
from claims.recount.archive import Archive, UnavailableError
from claims.recount.checking import Checked, Subject
from claims.recount.receipts import Named
from claims.recount.report import Recounted
from claims.registers.model import Claim
from ledger.bodies import Approval, Contract, Experiment, Run
from ledger.entry import Entry
from ledger.status import Effect, Status
from receipts.predicates import WindowPredicate
from receipts.receipt import SCHEME

Progress = Callable[[int], None]
_KINDS = ("RUN", "ENTRY", "CORRECTION", "CONTRACT", "APPROVAL")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A claim, and what the product puts into each of its holes; None where it refuses to."""

    claim: Claim
    holes: Mapping[str, str] | None


def expected(archive: Archive) -> int:
    """Return about how many steps `recount` takes, for a progress bar."""
    return len(archive.ledger.index.of_kinds(*_KINDS))


def recount(archive: Archive, rendered: Iterable[Rendered], progress: Progress) -> Recounted:
    """Recount the whole ledger and these claims; nothing is written anywhere."""
    walk = _Walk(archive, archive.ledger.status())
    claims = list(rendered)
    for index in archive.ledger.index.of_kinds(*_KINDS):
        walk.entry(archive.ledger.entry(index))
        progress(1)
    walk.approved({one.claim.id: one.claim for one in claims})
    for one in claims:
        walk.claim(one)
    walk.conclude()
    return walk.done


@dataclass
class _Walk:
    """What was found so far; a receipt that several entries name is recounted once."""

    archive: Archive
    status: Status
    done: Recounted = field(default_factory=Recounted)
    _seen: set[str] = field(default_factory=set)
    _approvals: dict[str, tuple[Entry, Approval]] = field(default_factory=dict)

    def entry(self, entry: Entry) -> None:
        """Recount the receipts that an entry names, its deltas, and its decision."""
        if isinstance(entry.body, Approval):
            self._approvals[entry.body.claim] = entry, entry.body
        effects = self.status.effects_on(entry)
        struck = _struck(effects)
        for uri, name in _named(entry):
            self._receipt(uri, name, struck if isinstance(entry.body, Run) else "")
        found = list(entries.recount(self.archive, entry))
        self.done.sources["entries"] += bool(found)
        self._add(replace(one, struck=struck or _barred(effects, one)) for one in found)
        self.done.left_out.update(entries.left_out(entry))
        decision = decisions.judge(self.archive, entry)
        if decision and struck:
            self.done.left_out["decisions of entries that were taken back"] += 1
        elif decision:
            self.done.decisions.append(decision)

    def approved(self, known: Mapping[str, Claim]) -> None:
        """Recount the last approval of each claim, where it still approves something."""
        for entry, approval in self._approvals.values():
            claim = known.get(approval.claim)
            void = sentences.void(claim, approval)
            if claim is None or void:
                self.done.left_out[str(void)] += 1
                continue
            self.done.sources["approvals"] += 1
            name = entries.name_of(entry)
            self._add(sentences.approved(self.archive, claim, approval, name))

    def claim(self, one: Rendered) -> None:
        """Recount a claim, as it is rendered."""
        if one.holes is None:
            self.done.left_out["claims that are refused: nothing of them is rendered"] += 1
            return
        self.done.sources["claims"] += 1
        self._add(sentences.recount(self.archive, one.claim, one.holes))

    def conclude(self) -> None:
        """Say what was not looked at, and of which other place a wrong figure is."""
        unnamed = self.archive.unnamed(self._seen)
        if unnamed:
            self.done.left_out["receipts in the store that no entry names"] = unnamed
        self.done.figures = list(_recognised(self.done.figures))

    def _receipt(self, uri: str, name: str, struck: str) -> None:
        if uri in self._seen:
            return
        self._seen.add(uri)
        self.done.sources["receipts"] += 1
        try:
            receipt = self.archive.receipt(uri)
        except UnavailableError as error:
            unread = Subject(f"receipt {name}", uri)
            lost = unread.unresolved("figures", "", error.outcome, str(error))
            self._add([replace(lost, struck=struck)])
            return
        found = receipts.recount(self.archive, Named(receipt, name))
        self._add(replace(one, struck=struck) for one in found)
        self.done.left_out.update(receipts.left_out(receipt.predicate))
        if isinstance(receipt.predicate, WindowPredicate):
            for item in receipt.predicate.repetitions:
                place = f"{receipt.predicate.window} {item.arm}/{item.repetition}"
                self._receipt(SCHEME + item.receipt, place, struck)

    def _add(self, found: Iterable[Checked]) -> None:
        self.done.figures.extend(found)


def _named(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the receipts that an entry names, and what to call them."""
    body = entry.body
    if isinstance(body, Run) and body.receipt:
        place = f"{body.window} {body.arm}/{body.repetition}" if body.arm else body.window
        yield body.receipt, body.name or place or _short(body.receipt)
    elif isinstance(body, Experiment):
        yield from ((item.receipt, _short(item.receipt)) for item in body.evidence or ())
        yield from ((uri, _short(uri)) for delta in body.delta or () for uri in delta.runs)
    elif isinstance(body, Contract) and body.made_by:
        yield body.made_by, _short(body.made_by)


def _short(uri: str) -> str:
    return uri.removeprefix(SCHEME)[:19] + "…"


def _struck(effects: Iterable[Effect]) -> str:
    """Return by which entry all figures were taken back, "" where they stand."""
    for effect in effects:
        named = [*effect.affects, *(name for name, _ in effect.restated)]
        whole = not named and not effect.bars
        touched = any(name.partition(".")[0] == "delta" for name in named)
        if effect.word in ("retracted", "superseded") or (
            effect.word in ("corrected", "amended") and (whole or touched)
        ):
            return f"{effect.word} by entry {effect.by}"
    return ""


def _barred(effects: Iterable[Effect], one: Checked) -> str:
    """Return by which entry the metric of a figure is barred, "" where it is not."""
    for effect in effects:
        if any(name in one.field.replace(".", " ").split() for name in effect.bars):
            return f"barred by entry {effect.by}"
    return ""


def _recognised(figures: list[Checked]) -> Iterator[Checked]:
    """Yield the figures; one that differs and is that of another place says of which."""
    known: dict[tuple[str, str], list[str]] = {}
    for one in figures:
        if one.outcome == "agrees" and "." in one.printed:
            known.setdefault((_kind(one.field), one.printed), []).append(one.subject)
    for one in figures:
        elsewhere = [
            name for name in known.get((_kind(one.field), one.printed), ()) if name != one.subject
        ]
        if one.outcome == "differs" and not one.why and elsewhere:
            yield replace(one, why=f"that is the figure of {elsewhere[0]}")
        else:
            yield one


def _kind(field: str) -> str:
    """Return metric and figure without the number of the delta: `decode_tok_s.change`."""
    return field.split(" ")[-1] if field.startswith("delta.") else field
