"""Which numbers of a page a claim stands behind, by whatever form the author has bound them.

A marker, or a footnote called as a claim, governs the text before it, back to the marker before,
the end of the sentence before, or the start of its block or table cell, whichever is nearest::

    Prefill is level. Decode is 1.05×<!--claim:C16--> at 35.2 tok/s.<!--claim:C17-->
                      ~~~~~~~~~~~~~~~                ~~~~~~~~~~~~~~~

A sentence ends with its full stop, so a marker glued behind that still belongs to it; a marker
after the following space governs nothing. The text of a link to a claim is governed by that claim.
A comment alone on the line before a paragraph, list or table governs what is left unbound in it, as
`claim:begin` and `claim:end` do for what stands between them. Nothing is governed twice: where two
claims reach for one number, that is an error and the first one has it.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from claims.markers.following import APART, Following
from claims.pages.directives import Directive
from claims.pages.document import Document, Table
from claims.pages.regions import digest
from claims.pages.running_text import Text
from claims.pages.sentences import is_finished
from claims.scanner.atoms import Atom
from receipts import late as re

Form = Literal["marker", "link", "footnote", "block", "table", "region"]
_LONGEST_PHRASE = 2


class Bound(NamedTuple):
    """What one claim governs: rendered text from `start` to `stop`, and the atoms in it.

    `text` is that text with white space normalised, `whole` says whether it is a sentence to its
    end (or its block's) and not a number or a phrase, `worded` whether what is bound of it are the
    words by which it claims without a digit. A `table` has a layout in `arguments`.
    """

    claim: str
    form: Form
    line: int
    column: int
    start: int
    stop: int
    text: str
    atoms: tuple[Atom, ...]
    whole: bool = False
    cell: str | None = None
    field: str | None = None
    arguments: tuple[tuple[str, str], ...] = ()
    table: Table | None = None
    worded: bool = False

    @property
    def is_empty(self) -> bool:
        """Say whether no word and no digit is governed, which is an error of the page."""
        return not any(map(str.isalnum, self.text))


@dataclass(frozen=True, slots=True)
class Problem:
    """A marker that cannot do what it was written for, by the code of its rule."""

    code: str
    message: str
    line: int
    column: int
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class Bindings:
    """Everything that is governed, in the order of the page; the atoms left over; bad markers."""

    bound: tuple[Bound, ...]
    left: tuple[Atom, ...]
    problems: tuple[Problem, ...]


def bind(
    page: Document,
    atoms: Sequence[Atom],
    known: Collection[str] = (),
    text: Text | None = None,
) -> Bindings:
    """Return what each marker governs; `known` are the claims that links and footnotes may name."""
    if not (page.walk.comments or page.walk.links or page.walk.notes or "{/*" in page.source):
        return Bindings((), tuple(atom for atom in atoms if atom.rule is None), ())
    work = _Binder(page, atoms, text or Text(page))
    work.glued(known)
    work.blocks()
    work.regions()
    left = tuple(atom for atom in work.atoms if atom.begin not in work.owner)
    order = sorted(work.bound, key=lambda one: (one.line, one.column))
    problems = [
        Problem("CLM040" if bad.kind == "region" else "CLM012", bad.problem, bad.line, bad.column)
        for bad in page.bad_markers
    ]
    return Bindings(tuple(order), left, tuple(problems + work.problems))


@dataclass(frozen=True, slots=True)
class _Mark:
    """A marker or footnote inside running text, at a rendered offset."""

    claim: str
    at: int
    line: int
    column: int
    block: int
    form: Form
    cell: str | None = None
    field: str | None = None


class _Binder:
    def __init__(self, page: Document, atoms: Sequence[Atom], text: Text) -> None:
        self.page = page
        due = (atom for atom in atoms if atom.rule is None)
        self.atoms = sorted(due, key=lambda atom: atom.begin)
        self._begins = [atom.begin for atom in self.atoms]
        self.owner: dict[int, str] = {}
        self.bound: list[Bound] = []
        self.problems: list[Problem] = []
        self._text = text
        self._following = Following(page)

    def glued(self, known: Collection[str]) -> None:
        """Bind by markers and footnotes inside text, and by links to a claim."""
        for link in self._links(known):
            self._take(link)
        marks: dict[int, list[_Mark]] = {}
        for mark in self._marks(known):
            marks.setdefault(mark.block, []).append(mark)
        for block, here in marks.items():
            self._glued_in(block, sorted(here, key=lambda mark: mark.at))

    def _marks(self, known: Collection[str]) -> Iterator[_Mark]:
        for one in self.page.directives:
            written = one.written
            if written.form != "bind":
                continue
            claim = str(written.claim)
            if not one.alone:
                place = (one.before, one.line, one.column, one.block)
                yield _Mark(claim, *place, "marker", written.cell, written.field)
            elif not self._governs_what_follows(one):
                at = one.before
                self.bound.append(Bound(claim, "block", one.line, one.column, at, at, "", ()))
        for link in self.page.links:
            if link.is_footnote and link.destination in known:
                place = (link.start, link.line, link.column, link.block)
                yield _Mark(link.destination, *place, "footnote")

    def _glued_in(self, block: int, marks: list[_Mark]) -> None:
        first = self.page.blocks[block].start
        previous, before = first, None
        for mark in marks:
            stop = min(mark.at, self.page.blocks[block].end)
            start = max(previous, self._text.sentence_start(block, stop))
            text = self._text.read(start, stop)
            silent = not any(map(str.isalnum, text))
            if before and silent and before.claim != mark.claim:
                self._clash(mark.claim, before.claim, mark.line, mark.column)
            elif before and silent and mark.form == "footnote":
                continue  # the footnote that a policy asks for behind a marker
            else:
                whole = self._is_sentence(block, start, stop)
                self._take(
                    Bound(
                        mark.claim, mark.form, mark.line, mark.column, start, stop, text,
                        self._within(start, stop), whole, mark.cell, mark.field,
                    )
                )  # fmt: skip
            previous, before = stop, mark

    def _links(self, known: Collection[str]) -> Iterator[Bound]:
        found = [(link, _REGISTER_PAGE.search(link.destination)) for link in self.page.links]
        named = [(link, page[1]) for link, page in found if page and not link.is_footnote]
        by_name = {name.casefold(): name for name in known} if named else {}
        for link, name in named:
            claim = by_name.get(name.casefold())
            if claim and link.end > link.start:
                text = self._text.read(link.start, link.end)
                # Without a number it is bound only where its words claim something.
                atoms = self._within(link.start, link.end)
                yield Bound(
                    claim, "link", link.line, link.column, link.start, link.end, text, atoms
                )

    def blocks(self) -> None:
        """Bind what follows a comment that stands alone on the line before it."""
        for one in self.page.directives:
            if one.written.form not in ("bind", "block"):
                continue
            if self._governs_what_follows(one):
                self._block(one)
            elif one.written.form == "block":
                message = "row= and cols= belong to a comment alone on the line before a table"
                self._problem("CLM012", message, one)

    def _governs_what_follows(self, one: Directive) -> bool:
        return one.alone and self._following.line(one) is not None

    def _block(self, one: Directive) -> None:
        line = self._following.line(one) or 0
        table = self._following.tables.get(line)
        written = one.written
        if table is None and written.form == "block":
            self._problem("CLM012", "no table stands on the line below row= and cols=", one)
            return
        if table is not None:
            blocks = [cell.block for row in table.rows for cell in row]
            form: Form = "table" if written.form == "block" else "block"
        else:
            blocks, form = self._following.blocks(line), "block"
        if form == "table":
            self._take(self._governed(one, blocks, form, table))
            return
        for block in blocks:
            self._take(self._governed(one, [block], form, table))

    def _governed(
        self, one: Directive, blocks: list[int], form: Form, table: Table | None
    ) -> Bound:
        spans = [self.page.blocks[block] for block in blocks]
        start, stop = (spans[0].start, spans[-1].end) if spans else (one.before, one.before)
        within = [atom for span in spans for atom in self._within(span.start, span.end)]
        free = [atom for atom in within if atom.begin not in self.owner]
        text = self._text.read(start, stop)
        written = one.written
        return Bound(
            str(written.claim), form, one.line, one.column, start, stop, text, tuple(free),
            cell=written.cell, field=written.field, arguments=written.arguments, table=table,
        )  # fmt: skip

    def regions(self) -> None:
        """Bind what stands between `claim:begin` and `claim:end`, unchanged since it was made."""
        begun: Directive | None = None
        seen: set[str] = set()
        for one in self.page.directives:
            if one.written.form == "begin":
                if begun or one.written.claim in seen:
                    why = "regions do not nest" if begun else "it has a region on this page already"
                    self._problem("CLM040", why, one)
                    continue
                begun = one
                seen.add(str(one.written.claim))
            elif one.written.form == "end":
                if begun is None or begun.written.claim != one.written.claim:
                    self._problem("CLM040", "no region of this claim is open here", one)
                else:
                    self._region(begun, one)
                    begun = None
        if begun:
            self._problem("CLM040", "the region never ends; write <!-- claim:end ID -->", begun)

    def _region(self, begun: Directive, ended: Directive) -> None:
        source = self.page.source[begun.end : ended.start]
        if begun.written.sha256 is None:
            message = "nothing was written here yet; run `claims regions --write`"
            self._problem("CLM040", message, begun)
        elif digest(source) != begun.written.sha256:
            message = (
                "the text was edited since it was made; `claims regions --write` makes it anew"
            )
            self._problem("CLM040", message, begun)
        for block in self.page.blocks:
            if block.start == block.end or block.role in APART:
                continue
            if not begun.end <= self.page.offset(block.start) < ended.start:
                continue
            if self.page.block_text(block.index).strip():
                self._take(self._governed(begun, [block.index], "region", None))

    def _take(self, bound: Bound) -> None:
        """Give the claim its atoms; one that another claim has is a clash."""
        owners = [self.owner.setdefault(atom.begin, bound.claim) for atom in bound.atoms]
        for other in sorted(set(owners) - {bound.claim}):
            self._clash(bound.claim, other, bound.line, bound.column)
        self.bound.append(bound)

    def _clash(self, claim: str, other: str, line: int, column: int) -> None:
        message = f"{other} is bound to the same number"
        self.problems.append(Problem("CLM011", message, line, column, claim))

    def _problem(self, code: str, message: str, one: Directive) -> None:
        self.problems.append(Problem(code, message, one.line, one.column, one.written.claim))

    def _within(self, start: int, stop: int) -> tuple[Atom, ...]:
        """Return the atoms that lie wholly between two rendered offsets."""
        first = bisect_left(self._begins, start)
        last = bisect_left(self._begins, stop)
        return tuple([atom for atom in self.atoms[first:last] if atom.stop <= stop])

    def _is_sentence(self, block: int, start: int, stop: int) -> bool:
        """Say whether more than two words stand there and nothing follows in sentence or block.

        A number with its unit is one word, however it is spelt; that a range is one from minimum
        to maximum is no word of a sentence.
        """
        here = self.page.blocks[block]
        finished = is_finished(self.page.text, stop)
        if not finished and _VISIBLE.search(self.page.text, stop, here.end):
            return False
        if remark := _ENDS.search(self.page.text, start, stop):
            stop = remark.start()
        base = here.start
        found = [atom.number for atom in self._within(start, stop)]
        spans = [(base + n.start, base + n.after) for n in found if n]
        places = (start, *(after for _, after in spans))
        stops = (*(begin for begin, _ in spans), stop)
        between = (self._text.read(a, b) for a, b in zip(places, stops, strict=True))
        words = int(bool(spans))
        for gap in between:
            words += sum(any(map(str.isalnum, word)) for word in gap.split())
            if words > _LONGEST_PHRASE:
                return True
        return False


_ENDS = re.compile(
    r"\(\s*min(?:imum)?\s*(?:[-–—/,]|to|and)\s*max(?:imum)?\s*\)\W*\Z", re.IGNORECASE
)
_VISIBLE = re.compile(r"\S")
# A page of claims, by whatever name, with the claim's id behind the mark.
_REGISTER_PAGE = re.compile(r"claims?[^/#]*#(?:claim-)?([A-Za-z0-9][A-Za-z0-9._-]{0,63})\Z", re.I)
