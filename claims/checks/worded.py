"""Markers whose sentence claims without a digit: they bind its words, and no number of it.

`chosen` finds them on a page. `objections` asks of each word what a number would be asked: whether
it is of the claim's metric, whether the sentence holds the claim's arms against each other and
nothing else, and whether the arm that it says wins does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from claims.checks import bound_text, leaning, offer, sides, strangers, support
from claims.checks.fitting import Finding
from claims.checks.governed import Governed
from claims.checks.leaning import Said as Leaning
from claims.checks.metric_words import Metrics
from claims.checks.offer import Offer
from claims.checks.said import Said
from claims.checks.sides import Sides
from claims.checks.view import View
from claims.markers.binding import Bindings, Bound
from claims.pages import document
from claims.pages.document import Document
from claims.words import wordless
from claims.words.wordless import Wordless
from engine.metrics import metric

if TYPE_CHECKING:
    from claims.judging.judge import Judgement


def silent(
    view: View,
    bound: Iterable[Bound],
    judged: Mapping[str, Judgement],
    offers: Mapping[str, Offer],
) -> list[Bound]:
    """Return what is bound to claims that would answer for no digit there."""
    known = (one for one in bound if one.claim in offers)
    return [
        one
        for one in known
        if bound_text.is_silent(view, one, judged[one.claim].sentence, offers[one.claim])
    ]


def chosen(
    page: Document, bound: Sequence[Bound], silent: Sequence[Bound], words: Iterable[Wordless]
) -> list[Bound]:
    """Return which of the `silent`, whose claims answer for no number there, bind words.

    A word is bound by what holds it, and one that nothing holds by any marker of its sentence. What
    stands in a list or table beside such, or beside a number, under one comment, may say nothing.
    """
    asked = {id(one) for one in silent}
    governed = Governed(page, bound)
    found: dict[int, Bound] = {}
    for word in words:
        beside = governed.beside(word)
        holding = [span for span in beside if span.holds(word)]
        for _, _, one in holding or beside:
            if id(one) in asked and (holding or one.form != "link"):
                found[id(one)] = one
    others = (one for one in bound if id(one) not in asked)
    spoken = {(one.line, one.column) for one in (*found.values(), *others)}
    blocks = (one for one in silent if one.form == "block" and (one.line, one.column) in spoken)
    return list({**found, **{id(one): one for one in blocks}}.values())


def told(bound: Iterable[Bound], chosen: Iterable[Bound]) -> Iterator[Bound]:
    """Yield what is bound, with what is `chosen` marked."""
    marked = {id(one) for one in chosen}
    for one in bound:
        yield one._replace(worded=True, whole=False) if id(one) in marked else one


def with_claiming_links(
    page: Document, marked: Bindings, find: Callable[[], Iterable[Wordless]]
) -> Bindings:
    """Return what is bound without the links to claims whose text has no number and claims nothing.

    `find` gives the claiming words of the page.
    """
    bare = [one for one in marked.bound if one.form == "link" and not one.atoms]
    if not bare:
        return marked
    governed = Governed(page, bare)
    spans = (span for word in find() for span in governed.beside(word) if span.holds(word))
    idle = {id(one) for one in bare} - {id(span.bound) for span in spans}
    return replace(marked, bound=tuple(one for one in marked.bound if id(one) not in idle))


def names(judged: Iterable[Judgement]) -> list[str]:
    """Return the names of the arms of these claims, which a sentence may be about."""
    known = filter(None, map(sides.of, judged))
    return [name for one in known for name in one.names]


def mixed(
    page: Document, bound: Sequence[Bound], plain: Iterable[Wordless], more: Iterable[Wordless]
) -> tuple[Wordless, ...]:
    """Return the `plain` words of a page, but `more` of them where a marker binds the words.

    `more` were found with the arms of the claims as names, which may be words of any other text.
    """
    governed = Governed(page, [one for one in bound if one.worded])
    kept = [one for one in plain if not governed.beside(one)]
    found = [*kept, *(one for one in more if governed.beside(one))]
    return tuple(sorted(found, key=lambda one: one.sentence_start))


class _Word(NamedTuple):
    """A claiming word, where it stands in its sentence, and in a table its header and row."""

    told: Wordless
    at: int
    frame: tuple[str, ...]

    def in_clause(self, names: Sequence[str]) -> Leaning:
        """Return the word in its clause, in which arms with these names may be named."""
        word, end = self.told, self.at + len(self.told.word)
        first, last = sides.clause(word.sentence, self.at, end, names)
        return Leaning(word.kind, word.sentence[first:last], self.at - first, end - first)

    @property
    def beside(self) -> list[Leaning]:
        """What its header and its row say, each as a clause of its own."""
        return [Leaning(self.told.kind, text, 0, 0) for text in self.frame]


def objections(
    page: Document,
    words: Sequence[Wordless],
    judgement: Judgement,
    given: Offer,
    others: Sequence[Offer],
) -> Iterator[tuple[Wordless, Finding]]:
    """Yield each word of a sentence that the claim does not bear, with code and message."""
    grounds = support.grounds(judgement)
    for word in _placed(page, words):
        found = _of_another(word, judgement, given, others) or _unborne(word, judgement, grounds)
        if found:
            yield word.told, found


def of_wording(judgement: Judgement, own: Sequence[str]) -> Iterator[Finding]:
    """Yield what a claim does not bear of its own sentence, which shows no number of it.

    `own` are the project's names. A sentence in which no word is known to claim says nothing that
    the claim could bear.
    """
    page = document.parse(judgement.sentence or "")
    words = wordless.find(page, (*own, *names([judgement])))
    if not words:
        yield "CLM407", "it shows no number of the claim, and no word that is known to claim"
    for _, found in objections(page, words, judgement, offer.of(judgement), ()):
        yield found


def _placed(page: Document, words: Sequence[Wordless]) -> Iterator[_Word]:
    """Yield each word with its place in its sentence: one may stand there twice."""
    after: dict[str, int] = {}
    for word in sorted(words, key=lambda one: one.start):
        at = word.sentence.find(word.word, after.get(word.word, 0))
        after[word.word] = at + 1
        yield _Word(word, max(at, 0), _frame(page, word))


def _frame(page: Document, word: Wordless) -> tuple[str, ...]:
    """Return the header of a word's column and the first cell of its row; nothing for no table."""
    cell = page.cell(word.block)
    if cell is None:
        return ()
    table, here = cell
    row = (table.rows[here.row][0].text,) if here.column else ()
    return (*table.header[here.column : here.column + 1], *row)


def _of_another(
    word: _Word, judgement: Judgement, given: Offer, others: Sequence[Offer]
) -> Finding | None:
    """Refuse a word about another metric, or about what is no arm of the claim."""
    of = _other_metric(word, judgement, given)
    if of:
        told = word.told.word
        return "CLM109", f"it says {told!r} of {of!r}, and the claim is of {given.metric}"
    known = sides.of(judgement)
    other = _stranger(word, judgement, given, others) or (known and _no_side(word, known))
    if not other:
        return None
    ours = " and ".join(known.names if known else given.names) or "another"
    return "CLM109", f"it speaks of {other}, and the evidence is of {ours}"


def _other_metric(word: _Word, judgement: Judgement, given: Offer) -> str:
    """Return the words by which it is of another metric than the claim's, empty for none."""
    end = word.at + len(word.told.word)
    known = sides.of(judgement)
    of = Metrics(word.told.sentence, ()).contradicted(given.metric, word.at, end)
    if not of and word.told.kind != "exact":
        here = word.in_clause(known.names if known else given.names)
        of = leaning.other_field(here, metric(given.metric))
    headers = (Metrics(text, ()).contradicted_by_header(given.metric) for text in word.frame)
    return of or next(filter(None, headers), "")


def _no_side(word: _Word, known: Sides) -> str | None:
    """Return what is compared, by the clause or by its column and row, and is no side."""
    here = word.in_clause(known.names)
    found = sides.strange(here, known) or sides.usurper(here, known)
    for one in word.beside:
        found = found or sides.strange(one, known) or sides.engine(one, known)
    return found


def _stranger(
    word: _Word, judgement: Judgement, given: Offer, others: Sequence[Offer]
) -> str | None:
    """Return an engine of the sentence that is no part of the evidence, or an arm of another."""
    said = Said(word.told.sentence[: word.at], word.told.sentence[word.at :])
    known = strangers.known(judgement, given, others)
    found = strangers.named(said, "×", strangers.unmeasured(known), given.names)
    if found:
        return found
    own = set(given.names)
    names = [name for one in others for name in one.names if name not in own]
    return strangers.named(said, "×", names, given.names)


def _unborne(word: _Word, judgement: Judgement, grounds: support.Grounds) -> Finding | None:
    told = f"it says {word.told.word!r} of {word.told.about}"
    if why := support.unborne(word.told, grounds):
        return "CLM407", f"{told}; {why}"
    known = sides.of(judgement)
    if known is None:
        return None
    here = word.in_clause(known.names)
    arms = (sides.about(one, known) for one in (here, *word.beside))
    side = next(filter(None, arms), None)
    wrong = support.wrong_way(here, grounds.turned() if side == known.baseline else grounds)
    return (wrong[0], f"{told}; {wrong[1]}") if wrong else None
