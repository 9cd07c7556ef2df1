"""A page against the register: every number accounted for, and what is bound judged.

Default-deny: a number is unbound until a claim stands behind it, a scope field of such a claim
equals it, or a named rule says that it is no claim at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from claims.checks import (
    conflicts,
    derivations,
    offer,
    own_row,
    quoted,
    quoting,
    settings,
    sorting,
    spelling,
    stated,
    surroundings,
    word_facts,
    worded,
)
from claims.checks.bound_text import Spoken
from claims.checks.checked import Checked
from claims.checks.claimed import Used
from claims.checks.conflicts import Shown
from claims.checks.grid import Source
from claims.checks.offer import Offer
from claims.checks.table_cells import TableCells
from claims.checks.unbound import Told
from claims.checks.view import View
from claims.citing import citations
from claims.citing.brackets import Citation
from claims.markers import binding
from claims.markers.binding import Bindings, Bound
from claims.notices.notices import Noticed, Notices
from claims.pages import document
from claims.pages.running_text import Text
from claims.rules import Refusal
from claims.scanner import atoms, overlooked
from claims.scanner.atoms import Atom
from claims.scanner.vocabulary import DEFAULT, Vocabulary
from claims.words import wordless
from receipts.errors import Error

if TYPE_CHECKING:
    from claims.citing.resolver import Resolver
    from claims.judging.judge import Judge, Judgement
    from claims.registers.register import Register


class Checker:
    """Checks pages against one register; each claim that a page uses is judged once."""

    def __init__(
        self,
        register: Register,
        judge: Judge,
        vocabulary: Vocabulary = DEFAULT,
        notices: Notices | None = None,
        resolver: Resolver | None = None,
    ) -> None:
        self._resolver = resolver
        self._names = (*vocabulary.phrases, *register.names)
        self._notices = notices
        self._register = register
        self._judge = judge
        self._vocabulary = vocabulary
        self._judged: dict[str, Judgement] = {}
        self._offers: dict[str, Offer] = {}
        self._sources: dict[str, Source] = {}

    @cached_property
    def _alternatives(self) -> word_facts.Alternatives:
        return word_facts.Alternatives(self._register.scope_words)

    def check(self, name: str, source: str, most: int | None = None) -> Checked:
        """Return what was found on the page `name` with the text `source`.

        Of its unbound numbers only the first `most` are told in words.
        """
        spelt = spelling.read(source)
        page = spelt.page
        found = atoms.scan(page, self._vocabulary)
        done = Checked(name, spelt.source)
        done.classes["excluded"] = sum(atom.rule is not None for atom in found)
        text = Text(page)
        marked = binding.bind(page, found, self._register.claims, text)
        marked = worded.with_claiming_links(page, marked, lambda: wordless.find(page, self._names))
        noticed = self._notices.on(name, page) if self._notices else Noticed()
        bindings = _beside(noticed, marked, done)
        view = View(name, page, text)
        self._learn(bindings)
        bindings, marked = self._in_words(view, bindings, marked)
        done.told += _problems(name, bindings)
        hidden = [
            *overlooked.refusals(name, page),
            *spelt.refusals(name, found, done.class_at),
        ]
        done.told += hidden
        bindings = self._cited(view, bindings, done)
        left = self._judge_bound(view, bindings, done)
        left = self._surroundings(view, bindings, left, done)
        self._tables(view, bindings, left, done)
        left = sorting.untold(view, self._quoting(view, bindings, left, done), hidden, done)
        done.classes["unbound"] += len(left)
        done.unbound.extend(sorted(atom.begin for atom in left))
        self._without_digits(view, marked, noticed, done)
        done.claims |= noticed.claims
        if done.unbound and most is not None:
            done.few = Told(view, done.unbound, most)
        if done.few or not done.unbound:
            done.source = ""  # it is read again for unbound numbers alone
        return done

    def _in_words(
        self, view: View, bindings: Bindings, marked: Bindings
    ) -> tuple[Bindings, Bindings]:
        """Mark what is bound of sentences that claim without a digit: their words."""
        silent = worded.silent(view, bindings.bound, self._judged, self._offers)
        if not silent:
            return bindings, marked
        words = wordless.find(view.page, self._names_with_arms(bindings))
        chosen = worded.chosen(view.page, bindings.bound, silent, words)
        told = (worded.told(one.bound, chosen) for one in (bindings, marked))
        bound, every = map(tuple, told)
        return replace(bindings, bound=bound), replace(marked, bound=every)

    def _quoting(
        self, view: View, bindings: Bindings, left: list[Atom], done: Checked
    ) -> list[Atom]:
        """Ask what may not be quoted at all, and what a policy asks of what is quoted."""
        judged = {claim: self._judged[claim] for claim in done.claims}
        barred = bool(self._register.barred.rows)
        asked = barred or bool(self._register.policy.packs)
        # Of a measured claim nothing is asked where nothing is barred and no policy is in force.
        bound = [one for one in bindings.bound if asked or _is_unmeasured(judged.get(one.claim))]
        read = quoted.read(view, bound, left if barred else (), numbers=asked)
        whole = (view.page.source, view.page, read)
        told = list(quoting.findings(view.name, whole, self._register, judged))
        done.told += told
        return sorting.untold(view, left, told, done)

    def _cited(self, view: View, bindings: Bindings, done: Checked) -> Bindings:
        """Resolve the citations; digits in them are looked up where they are cited."""
        found: Sequence[Citation] = ()
        if self._resolver is None:
            found = citations.find(view.page)
        else:
            known = self._resolver.check(view.name, view.page)
            found = known.citations
            done.citations, done.resolved = len(found), known.resolved
            done.told += known.refusals
        spans = citations.spans(found)
        left, cited = sorting.parted(bindings.left, lambda one: citations.holds(spans, one.start))
        done.classes["excluded"] += len(cited)
        done.take("excluded", cited)
        return replace(bindings, left=tuple(left))

    def _without_digits(
        self, view: View, marked: Bindings, noticed: Noticed, done: Checked
    ) -> None:
        """Ask the same of what is claimed in words alone; what a banner answers for is marked."""
        unbound = [view.page.offset(begin) for begin in done.unbound]
        found = wordless.find(view.page, self._names, unbound)
        if any(one.worded for one in marked.bound):
            # In a sentence whose words are bound, the arms of the claim are subjects too.
            more = wordless.find(view.page, self._names_with_arms(marked), unbound)
            found = worded.mixed(view.page, marked.bound, found, more)
        heads = {block for table in view.page.tables for block in table.header_blocks}
        words = [
            one
            for one in found
            # The name of a column says what stands below it, and claims nothing by itself.
            if one.block not in heads and not noticed.holds(one.line, one.column)
        ]
        done.words = len(words)
        named = {one.place for one in done.told}
        known = stated.Known(self._judged, self._offers, self._offers_of(marked))
        words_of = (view.name, view.page, marked.bound, words)
        done.told += list(stated.findings(*words_of, known, named))

    def _names_with_arms(self, bindings: Bindings) -> tuple[str, ...]:
        claims = dict.fromkeys(one.claim for one in bindings.bound if one.claim in self._judged)
        return (*self._names, *worded.names(self._judged[claim] for claim in claims))

    def conflicts(self, done: Iterable[Checked], reread: Callable[[str], str]) -> None:
        """Add to each page the displayed values that another place contradicts.

        `reread` gives the text of a page again, of which nothing was kept.
        """
        pages = {one.name: one for one in done}
        doubtful = conflicts.doubtful(value for one in pages.values() for value in one.shown.values)
        shown = (shown for one in pages.values() for shown in _shown(one, doubtful, reread))
        for refusal in conflicts.find(shown) if doubtful else ():
            one = pages[str(refusal.place).rsplit(":", 2)[0]]
            one.told.append(refusal)

    def _judge_bound(self, view: View, bindings: Bindings, done: Checked) -> list[Atom]:
        """Judge what is governed; return the atoms that nothing stands behind."""
        left = list(bindings.left)
        used = Used(self._judged, self._offers, self._offers_of(bindings), self._source)
        for bound in bindings.bound:
            if bound.is_empty:
                place, message = _place(view, bound), "the marker binds no text"
                done.told.append(Refusal("CLM012", message, bound.claim, place))
            elif bound.claim not in self._register.claims:
                place = _place(view, bound)
                done.told.append(quoting.absent(self._register, bound.claim, place))
                done.classes["bound"] += len(bound.atoms)
            else:
                left += self._bound(view, bound, used, done)
        return left

    def _bound(self, view: View, bound: Bound, used: Used, done: Checked) -> Sequence[Atom]:
        done.claims.add(bound.claim)
        for refusal in self._judged[bound.claim].refusals:
            place = _place(view, bound)
            done.told.append(Refusal(refusal.code, refusal.message, bound.claim, place))
        try:
            claimed = used.find(bound)
        except Error as error:
            done.told.append(Refusal("CLM012", str(error), bound.claim, _place(view, bound)))
            return []
        if bound.form == "table":
            source = self._source(bound.claim)
            spoken: TableCells | Spoken = TableCells(view, bound, source, claimed.judgement)
        else:
            spoken = Spoken(view, bound, claimed)
        done.told += spoken.findings()
        for shown in spoken.shown:
            done.shown.add(*shown)
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
        even = own_row.atoms(view, usable, self._offers, left) if view.page.tables else ()
        left, none = sorting.parted(left, lambda atom: atom.begin in even)
        scope, rest = near.sorted(left)
        scope += none
        done.classes["scope"] += len(scope)
        done.take("scope", scope)
        told = [*near.findings(rest)]
        told += word_facts.findings(view, usable, self._judged, self._alternatives)
        named = {one.place for one in told}
        named_too = settings.findings(view, usable, self._judged)
        told += [one for one in named_too if one.place not in named]
        done.told += told
        return sorting.untold(view, rest, told, done)

    def _tables(self, view: View, bindings: Bindings, left: Sequence[Atom], done: Checked) -> None:
        if not view.page.tables:
            return
        bound = {atom.block for one in bindings.bound for atom in one.atoms}
        found = derivations.Derivations(view)
        done.told += found.findings(bound - {atom.block for atom in left})
        done.recomputed += found.recomputed


def _beside(noticed: Noticed, bindings: Bindings, done: Checked) -> Bindings:
    """Take out what tombstones and banners answer for, and take in what is wrong with them."""
    done.told += noticed.findings
    done.notices = noticed.count
    if not noticed.count:
        return bindings
    bound = [one for one in bindings.bound if not noticed.covers(one.line, one.column)]
    left, beside = sorting.parted(bindings.left, lambda one: noticed.holds(one.line, one.column))
    covered = (one for one in bindings.bound if noticed.covers(one.line, one.column))
    done.take("noticed", (*beside, *(atom for one in covered for atom in one.atoms)))
    kept = sum(len(one.atoms) for one in bound) + len(left)
    every = sum(len(one.atoms) for one in bindings.bound) + len(bindings.left)
    done.classes["noticed"] += every - kept
    return Bindings(tuple(bound), tuple(left), bindings.problems)


def _shown(
    one: Checked, doubtful: Collection[tuple[str, ...]], reread: Callable[[str], str]
) -> Iterator[Shown]:
    """Yield the displayed values of a page that may contradict others, in their words."""
    found = [row for row in one.shown if conflicts.about(row[0]) in doubtful]
    if not found:
        return
    # What is kept of a page is spelt with decimal points already.
    page = document.parse(one.source) if one.source else spelling.read(reread(one.name)).page
    view = View(one.name, page, Text(page))
    for value, begin, block in found:
        yield Shown(*value, view.place_at(begin), view.around(block))


def _is_unmeasured(judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.claim.tag != "measured"


def _place(view: View, bound: Bound) -> str:
    return f"{view.name}:{bound.line}:{bound.column}"


def _problems(name: str, bindings: Bindings) -> Iterator[Refusal]:
    for one in bindings.problems:
        yield Refusal(one.code, one.message, one.claim, f"{name}:{one.line}:{one.column}")
