"""The words of a claim's own sentence, read as a page would be read that says the same.

An approval vouches for a sentence, and whoever gives it may have overlooked what it says. So what
is refused beside a number on a page is refused in a wording as well, by the same rules::

    "Plain is {ratio:.2f}× as fast as fused."             the arms are swapped (CLM105)
    "Prefill reaches {value:.1f} {unit}." of a decode rate          (CLM109)
    "… at depth 4096" where the evidence has depth 0                (CLM201)

On a page one finds out which value a number is; here each hole says it. What the judge refuses of a
sentence, and numbers that were typed and that no fact of the evidence names, are not asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from claims.checks import cells, offer, stated, telling, unusual, worded
from claims.checks.claimed import Claimed
from claims.checks.fitting import Told
from claims.checks.offer import Figure, Offer
from claims.checks.surroundings import Surroundings
from claims.checks.view import View
from claims.judging import values
from claims.judging.evidence import Archive
from claims.judging.judge import Judge, Judgement
from claims.markers.binding import Bound
from claims.numerals import numbers
from claims.pages import document, markup
from claims.pages.running_text import Text
from claims.registers import claim_form, wording
from claims.registers.wording import Placed
from claims.scanner import atoms
from claims.scanner.atoms import Atom
from claims.scanner.vocabulary import DEFAULT, Vocabulary
from claims.words import wordless
from claims.words.wordless import Wordless
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.scope import Objection
    from claims.registers.model import Claim
    from claims.registers.register import Register
    from ledger.log import Ledger

_NAME = "wording"
_UNAPPROVED = "CLM401"
_ENDS = {"min": "max", "max": "min"}
_CELLS = re.compile(
    r"[\s-]+(?:different\s+|prompt\s+|context\s+|batch\s+|model\s+)?(?:cells|depths|sizes|lengths"
    r"|contexts|vocabularies|batches|prompts|settings|widths|lanes|workloads|shapes)\b",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
# Whether a matrix shows enough of its cells, the judge says (CLM214).
_OF_CELLS = frozenset({"ratio.min", "ratio.max"})


class WordJudge(Judge):
    """A judge who also reads the sentences of the register as a page's reader does."""

    def __init__(
        self,
        archive: Archive,
        ledger: Ledger,
        broken: str | None,
        register: Register,
        vocabulary: Callable[[], Vocabulary] = lambda: DEFAULT,
    ) -> None:
        super().__init__(archive, ledger, broken, register, in_words=worded.of_wording)
        self._own = register
        self._vocabulary = vocabulary
        self._read: Vocabulary | None = None

    def judge(self, claim: Claim, *, approval: bool = True) -> Judgement:
        """Return the judgement, with what the words of its sentence do not bear."""
        done = super().judge(claim, approval=approval)
        if self._is_to_be_read(done):
            self._read = self._read or self._vocabulary()
            for code, message in objections(done, self._read, self._own.names):
                done.refuse(code, message)
        return done

    def _is_to_be_read(self, done: Judgement) -> bool:
        """Say whether nothing but an approval is missing, and the words are the register's.

        Where a page shows a part of a claim, the words are the page's; a sentence without numbers
        was judged by its words already.
        """
        own = self._own.claims.get(done.claim.id)
        fine = all(refusal.code == _UNAPPROVED for refusal in done.refusals)
        shows = not wording.is_in_words(done.claim.wording)
        return fine and shows and own is not None and own.wording == done.claim.wording


class _Part(NamedTuple):
    """A number of a sentence, and the hole that it fills; None where it was typed."""

    atom: Atom
    number: numbers.Number
    hole: Placed | None

    @property
    def is_measured(self) -> bool:
        """Whether it claims a result, as a typed "twice" does and a size does not."""
        if self.hole is None:
            return numbers.is_measurement(self.number.unit)
        return wording.is_measured(self.hole.name)


def objections(
    done: Judgement, vocabulary: Vocabulary, names: Sequence[str] = ()
) -> Iterator[Objection]:
    """Yield what the words of a judged sentence say that its evidence does not, once each."""
    if not done.sentence or not done.values:
        return
    yield from dict.fromkeys(_Reading(done, vocabulary).objections(names))


class _Reading:
    """One sentence as a page of its own, whose words nobody has approved."""

    def __init__(self, done: Judgement, vocabulary: Vocabulary) -> None:
        claim, self._done = done.claim, done
        self._mere = replace(done, sentence="", refusals=[])
        self._given = offer.of(done)
        page = document.parse(markup.escape(_TAG.sub(_open, str(done.sentence))))
        found = tuple(one for one in atoms.scan(page, vocabulary) if one.rule is None)
        self._view = View(_NAME, page, Text(page))
        start, stop = page.blocks[0].start, page.blocks[-1].end
        self._bound = Bound(claim.id, "block", 1, 1, start, stop, page.text[start:stop], found)
        self._claimed = Claimed(claim.id, self._mere, self._given, ())
        placed = wording.placed(claim.wording, done.values)
        self._bounds: list[str] = []
        self._holes = {one.name for one in placed}
        holes = {start + at: one for one in placed for at in range(one.start, one.stop)}
        self._parts = [
            _Part(atom, self._view.number(atom), holes.get(atom.begin)) for atom in found
        ]

    def objections(self, names: Sequence[str]) -> Iterator[Objection]:
        """Yield what is wrong with numbers and what stands around them, or else with bare words.

        A fault of a number is often one of its words as well, and is told once.
        """
        measured = (part for part in self._parts if part.is_measured)
        found = [one for part in measured for one in self._number(part)]
        found += list(self._around()) or self._cells()
        yield from found or self._in_words(names)

    def _in_words(self, names: Sequence[str]) -> Iterator[Objection]:
        page, judged = self._view.page, {self._done.claim.id: self._mere}
        found = [one for one in wordless.find(page, names) if not self._is_a_bound(one)]
        known = stated.Known(judged, {self._done.claim.id: self._given}, ())
        told = stated.findings(_NAME, page, [self._bound], found, known, set())
        yield from ((one.code, one.message) for one in told)

    def _number(self, part: _Part) -> Iterator[Objection]:
        given = self._given if part.hole is None else self._offered(part.hole.name)
        spot = telling.spot(self._view, part.atom, self._view.page.block_at(self._bound.start))
        told, finding = self._claimed.verdict(spot, given)
        self._bounds.append(told.said.bound_words.lower())
        if finding and not self._is_fine(finding[0], part):
            yield finding
        elif turned := cells.turned(told, given):
            yield turned
        elif part.hole and (unsaid := self._unsaid(part.hole.name, told, given)):
            yield "CLM205", unsaid

    def _is_a_bound(self, found: Wordless) -> bool:
        """Say whether a claiming word only makes a number a bound, and was judged with it."""
        word = found.word.lower()
        return any(word in one or (one and one in word) for one in self._bounds)

    def _is_fine(self, code: str, part: _Part) -> bool:
        """Say whether what is asked of a page's number cannot be asked of what fills a hole."""
        if code == "CLM213":
            return part.hole is not None and part.number.decimals == 0  # no hole shows less
        # What a claim of no change says is its margin.
        return code == "CLM103" and part.hole is not None and self._done.claim.margin is not None

    def _unsaid(self, hole: str, told: Told, given: Offer) -> str | None:
        """Return what the number is and the sentence does not say, if it is no usual statistic."""
        role, _, last = hole.rpartition(".")
        if role == "pair" or hole in _OF_CELLS or _other_end(hole) in self._holes:
            return None
        return unusual.unsaid(told, last if last in _ENDS else given.statistic)

    def _offered(self, hole: str) -> Offer:
        """Return the offer of what fills a hole: of a claim's spread, just that value."""
        if hole in values.HEADLINE:
            return self._given
        figure = self._given.figure(hole)
        if figure is None:
            return self._given
        role = hole.rpartition(".")[0]
        measured = claim_form.names(self._done.claim).get(role)
        if self._done.claim.kind == "matrix" and measured:
            return self._alone(replace(figure, name="ratio.min"), measured)
        name = {"pair": "ratio", "baseline": "baseline", "candidate": "candidate"}.get(role)
        return self._alone(replace(figure, name=name or "value"), self._given.metric)

    def _alone(self, figure: Figure, measured: str) -> Offer:
        return replace(offer.only(self._given, figure), metric=measured)

    def _around(self) -> Iterator[Objection]:
        """Yield contradictions of scope, wrong counts and words that are too wide."""
        claim = self._done.claim.id
        near = Surroundings(self._view, [self._bound], {claim: self._mere}, {claim: self._given})
        typed = [one.atom for one in self._parts if one.hole is None and not one.is_measured]
        _, rest = near.sorted(typed)
        yield from ((one.code, one.message) for one in near.findings(rest))

    def _cells(self) -> Iterator[Objection]:
        """Refuse a typed count of cells, such as depths, that is not the count of the evidence."""
        known = {self._done.values.get(name) for name in ("cells", "cells.planned")}
        for part in self._parts if self._done.claim.kind == "matrix" else ():
            behind = self._view.page.text[part.number.after :]
            if part.hole is None and _CELLS.match(behind) and part.number.value not in known:
                has = self._done.values.get("cells")
                yield "CLM211", f"{part.number.text!r} stands here, the evidence has {has} cells"


def _other_end(hole: str) -> str:
    """Return the hole of the other end of what this one is an end of, itself where it is none."""
    role, point, last = hole.rpartition(".")
    return f"{role}{point}{_ENDS.get(last, '')}"


def _open(tag: re.Match[str]) -> str:
    """Return a tag, which a wording has as plain text, without the end that reads "more than"."""
    return f"{tag[0][:-1]}|"
