"""A page against the register: every number accounted for, and what is bound judged.

Default-deny: a number is unbound until a claim stands behind it, a scope field of such a claim
equals it, or a named rule says that it is no claim at all.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from claims import (
    atoms,
    binding,
    conflicts,
    derivations,
    document,
    offer,
    overlooked,
    quoted,
    quoting,
    surroundings,
    unbound,
)
from claims.atoms import Atom
from claims.binding import Bindings, Bound
from claims.bound_text import Spoken
from claims.conflicts import Shown
from claims.grid import Source
from claims.judge import Judge, Judgement
from claims.offer import Offer
from claims.register import Register
from claims.rules import Refusal
from claims.running_text import Text
from claims.table_cells import TableCells
from claims.view import View
from claims.vocabulary import DEFAULT, Vocabulary
from receipts.errors import Error

CLASSES = ("bound", "excluded", "scope", "ignored", "unbound")


@dataclass
class Checked:
    """What was found on one page, with what it was found among.

    `classes` counts every number of the page by what became of it, `shown` are the bound values
    for comparison with other pages, `recomputed` counts changes that follow from their table.
    `told` are the findings but for the unbound numbers; of those, only where they stand is kept.
    """

    name: str
    source: str = ""
    classes: Counter[str] = field(default_factory=Counter)
    claims: set[str] = field(default_factory=set)
    told: list[Refusal] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    recomputed: int = 0
    unbound: "array[int]" = field(default_factory=lambda: array("l"))

    @property
    def findings(self) -> list[Refusal]:
        """Every finding in the order of the page; the page is read again for unbound numbers."""
        found = unbound.findings(self.name, self.source, self.unbound) if self.unbound else []
        return _merged(found, self.told)

    @property
    def finding_count(self) -> int:
        """How many findings there are."""
        return len(self.told) + len(self.unbound)

    @property
    def numbers(self) -> int:
        """How many numbers the page holds."""
        return sum(self.classes.values())

    @property
    def checked(self) -> int:
        """How many things were looked at; none is no success."""
        return self.numbers - self.classes["excluded"] + len(self.claims)

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "file": self.name,
            "numbers": self.numbers,
            **{name: self.classes[name] for name in CLASSES},
            "recomputed": self.recomputed,
            "claims": sorted(self.claims),
            "findings": [finding.view() for finding in self.findings],
        }

    def summary(self) -> str:
        """Return the denominators in one line."""
        return f"{self.name}: {denominators([self])}"


def denominators(done: Sequence[Checked]) -> str:
    """Return how many numbers there are, by what became of them, and what judges them."""
    counts: Counter[str] = Counter()
    for one in done:
        counts.update(one.classes)
    claims = {claim for one in done for claim in one.claims}
    told = ", ".join(
        f"{counts[name]} {name}" for name in CLASSES if counts[name] or name != "ignored"
    )
    recomputed = sum(one.recomputed for one in done)
    also = f"; {recomputed} changes recomputed" if recomputed else ""
    findings = sum(one.finding_count for one in done)
    total = sum(counts.values())
    return f"{total} numbers: {told}; {len(claims)} claims used{also}; {findings} findings"


class Checker:
    """Checks pages against one register; each claim that a page uses is judged once."""

    def __init__(self, register: Register, judge: Judge, vocabulary: Vocabulary = DEFAULT) -> None:
        self._register = register
        self._judge = judge
        self._vocabulary = vocabulary
        self._judged: dict[str, Judgement] = {}
        self._offers: dict[str, Offer] = {}
        self._sources: dict[str, Source] = {}

    def check(self, name: str, source: str) -> Checked:
        """Return what was found on the page `name` with the text `source`."""
        page = document.parse(source)
        found = atoms.scan(page, self._vocabulary)
        done = Checked(name, source)
        done.classes["excluded"] = sum(atom.rule is not None for atom in found)
        text = Text(page)
        bindings = binding.bind(page, found, self._register.claims, text)
        view = View(name, page, text)
        done.told += _problems(name, bindings)
        hidden = list(overlooked.refusals(name, page))
        done.told += hidden
        left = self._judge_bound(view, bindings, done)
        left = self._surroundings(view, bindings, left, done)
        self._tables(view, bindings, left, done)
        left = _untold(view, self._quoting(view, bindings, left, done), hidden, done)
        done.classes["unbound"] += len(left)
        done.unbound.extend(sorted(atom.begin for atom in left))
        return done

    def _quoting(
        self, view: View, bindings: Bindings, left: list[Atom], done: Checked
    ) -> list[Atom]:
        """Ask what may not be quoted at all, and what a policy asks of what is quoted."""
        judged = {claim: self._judged[claim] for claim in done.claims}
        unbound = left if self._register.barred.rows else ()
        whole = (view.page.source, view.page, quoted.read(view, bindings, unbound))
        told = list(quoting.findings(view.name, whole, self._register, judged))
        done.told += told
        return _untold(view, left, told, done)

    def conflicts(self, done: Iterable[Checked]) -> None:
        """Add to each page the displayed values that another place contradicts."""
        pages = {one.name: one for one in done}
        for refusal in conflicts.find(shown for one in pages.values() for shown in one.shown):
            one = pages[str(refusal.place).rsplit(":", 2)[0]]
            one.told.append(refusal)

    def _judge_bound(self, view: View, bindings: Bindings, done: Checked) -> list[Atom]:
        """Judge what is governed; return the atoms that nothing stands behind."""
        left = list(bindings.left)
        self._learn(bindings)
        offers = self._offers_of(bindings)
        for bound in bindings.bound:
            place = f"{view.name}:{bound.line}:{bound.column}"
            if bound.is_empty:
                done.told.append(Refusal("CLM012", "the marker binds no text", bound.claim, place))
            elif bound.claim not in self._register.claims:
                done.told.append(quoting.absent(self._register, bound.claim, place))
                done.classes["bound"] += len(bound.atoms)
            else:
                left += self._bound(view, bound, offers, done)
        return left

    def _bound(
        self, view: View, bound: Bound, offers: Sequence[Offer], done: Checked
    ) -> Sequence[Atom]:
        done.claims.add(bound.claim)
        judgement = self._judged[bound.claim]
        place = f"{view.name}:{bound.line}:{bound.column}"
        for refusal in judgement.refusals:
            done.told.append(Refusal(refusal.code, refusal.message, bound.claim, place))
        given = self._offers.get(bound.claim)
        if bound.cell or bound.field:
            try:
                part = self._source(bound.claim).part(bound.cell, bound.field)
            except Error as error:
                done.told.append(Refusal("CLM012", str(error), bound.claim, place))
                return []
            given, judgement = part.offer, part.judgement
        if bound.form == "table":
            source = self._source(bound.claim)
            spoken: TableCells | Spoken = TableCells(view, bound, source, judgement)
        else:
            spoken = Spoken(view, bound, judgement, given, offers)
        done.told += spoken.findings()
        done.shown += spoken.shown
        done.classes["bound"] += len(spoken.taken)
        return [atom for atom in bound.atoms if atom.begin not in spoken.taken]

    def _source(self, claim: str) -> Source:
        if claim not in self._sources:
            found = self._register.find(claim)
            self._sources[claim] = Source(self._judge, self._register, found)
        return self._sources[claim]

    def _learn(self, bindings: Bindings) -> None:
        """Judge every claim that the page uses, once."""
        for bound in bindings.bound:
            claim = bound.claim
            if claim in self._judged or claim not in self._register.claims:
                continue
            self._judged[claim] = self._judge.judge(self._register.find(claim))
            if self._judged[claim].values:
                self._offers[claim] = offer.of(self._judged[claim])

    def _offers_of(self, bindings: Bindings) -> list[Offer]:
        used = dict.fromkeys(bound.claim for bound in bindings.bound)
        return [self._offers[claim] for claim in used if claim in self._offers]

    def _surroundings(
        self, view: View, bindings: Bindings, left: list[Atom], done: Checked
    ) -> list[Atom]:
        """Take out the numbers that a claim's scope explains; name what contradicts it."""
        usable = [
            bound for bound in bindings.bound if bound.claim in self._judged and not bound.is_empty
        ]
        if not usable:
            return left
        near = surroundings.Surroundings(view, usable, self._judged, self._offers)
        scope, rest = near.sorted(left)
        done.classes["scope"] += len(scope)
        told = list(near.findings(rest))
        done.told += told
        return _untold(view, rest, told, done)

    def _tables(self, view: View, bindings: Bindings, left: Sequence[Atom], done: Checked) -> None:
        if not view.page.tables:
            return
        bound = {atom.block for one in bindings.bound for atom in one.atoms}
        found = derivations.Derivations(view)
        done.told += found.findings(bound - {atom.block for atom in left})
        done.recomputed += found.recomputed


def _untold(view: View, left: list[Atom], told: Sequence[Refusal], done: Checked) -> list[Atom]:
    """Return the atoms without a finding: one number is not told to be unbound as well."""
    named = {one.place for one in told}
    if not named:
        return left
    plain = [
        atom
        for atom in left
        if not any(view.place_at(at) in named for at in range(atom.begin, atom.stop))
    ]
    done.classes["unbound"] += len(left) - len(plain)
    return plain


def _problems(name: str, bindings: Bindings) -> Iterator[Refusal]:
    for one in bindings.problems:
        yield Refusal(one.code, one.message, one.claim, f"{name}:{one.line}:{one.column}")


def _merged(unbound: list[Refusal], others: Iterable[Refusal]) -> list[Refusal]:
    """Return all findings in the order of the page."""
    return sorted((*others, *unbound), key=_position)


def _position(finding: Refusal) -> tuple[int, int]:
    parts = (finding.place or "::").rsplit(":", 2)
    return (int(parts[1] or 0), int(parts[2] or 0))
