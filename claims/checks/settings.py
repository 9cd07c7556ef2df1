"""What stands beside a bound number must be of its evidence: hardware, models, builds.

Beside it is its sentence; for a number in a table, its row and the header of its column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from claims.checks.deciding import paired
from claims.checks.view import View
from claims.judging import quantization, setting
from claims.judging.contradiction import Contradiction
from claims.markers.binding import Bound
from claims.pages.tables import Cell, Table
from claims.rules import Refusal

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_CODE = "CLM217"
_Said = tuple[tuple[Contradiction, ...], frozenset[str]]
"""What a text names against the evidence, and of which kinds it names what the evidence has."""


class Names:
    """The hardware and models that texts name, against one evidence; each text is read once."""

    def __init__(self, known: setting.Known) -> None:
        self._known = known
        self._said: dict[str, _Said] = {}

    def __bool__(self) -> bool:
        return bool(self._known.names or self._known.builds)

    def beside(self, header: str, row: str) -> Iterator[tuple[bool, Contradiction]]:
        """Yield what header and row of a cell name against the evidence, and if the header does.

        One name that is right is enough, in either of them.
        """
        above, across = self._of(header), self._of(row)
        for is_above, (found, _), (_, right) in ((True, above, across), (False, across, above)):
            yield from ((is_above, one) for one in found if one.kind not in right)

    def _of(self, text: str) -> _Said:
        if text not in self._said:
            found = tuple(setting.contradictions(text, self._known))
            self._said[text] = found, setting.agreeing(text, self._known)
        return self._said[text]


def findings(
    view: View, bound: Sequence[Bound], judged: Mapping[str, Judgement]
) -> Iterator[Refusal]:
    """Yield the names on the page that the evidence of the claim beside them contradicts."""
    told: set[tuple[str, str]] = set()
    known = _Knowing(judged)
    sentences: dict[int, list[Bound]] = {}
    for one in bound:
        if one.form != "table":
            sentences.setdefault(view.sentence(one.start)[0], []).append(one)
    for ones in sentences.values():
        # Of one claim the words of a sentence are read once.
        for one in {other.claim: other for other in reversed(ones)}.values():
            # A claim whose own sentence does so is refused already, wherever it stands.
            if any(refusal.code == _CODE for refusal in judged[one.claim].refusals):
                continue
            for place, found in _beside(view, one, ones, known):
                if (place, found.named) not in told:
                    told.add((place, found.named))
                    yield Refusal(found.code, found.told(), one.claim, place)


class _Knowing:
    """What the evidence of claims is of, found once for each."""

    def __init__(self, judged: Mapping[str, Judgement]) -> None:
        self._judged = judged
        self._known: dict[str, setting.Known] = {}
        self._names: dict[str, Names] = {}
        self._rows: dict[tuple[int, int], str] = {}

    def of(self, claim: str) -> setting.Known:
        if claim not in self._known:
            done = self._judged[claim]
            self._known[claim] = setting.known(done.claim, done.evidence)
        return self._known[claim]

    def names(self, claim: str) -> Names:
        if claim not in self._names:
            self._names[claim] = Names(self.of(claim))
        return self._names[claim]

    def row(self, table: Table, index: int) -> str:
        """Return the text of a row, of which each cell may be bound."""
        if (id(table), index) not in self._rows:
            texts = (_labelled(table.header, cell) for cell in table.rows[index])
            self._rows[id(table), index] = " | ".join(texts)
        return self._rows[id(table), index]


def _beside(
    view: View, one: Bound, ones: Sequence[Bound], knowing: _Knowing
) -> Iterator[tuple[str, Contradiction]]:
    """Yield what stands beside one bound text; `ones` are all that are bound in its sentence."""
    known = knowing.of(one.claim)
    if not (known.names or known.builds):
        return
    others = [knowing.of(claim) for claim in {other.claim for other in ones} - {one.claim}]
    cell = view.page.cell(view.page.block_at(one.start))
    if cell is None:
        start = view.sentence(one.start)[0]
        stop = view.sentence(max(one.start, one.stop - 1))[1]
        text = view.page.text[start:stop]
        for found in setting.contradictions(text, known):
            if not any(setting.fits(text, found.kind, other) for other in others):
                yield view.place_at(start + found.start), found
        yield from _paired(view, one, ones, knowing, start, text)
        return
    table, here = cell
    header = table.header[here.column] if here.column < len(table.header) else ""
    row = knowing.row(table, here.row)
    for _, found in knowing.names(one.claim).beside(header, row):
        yield f"{view.name}:{one.line}:{one.column}", found


def _paired(
    view: View, one: Bound, ones: Sequence[Bound], knowing: _Knowing, start: int, text: str
) -> Iterator[tuple[str, Contradiction]]:
    """Yield what the order of a sentence gives to a claim of which it is not: swapped cards."""
    results = list({other.claim: other for other in ones}.values())
    if len(results) < 2 or one.claim != results[0].claim:
        return
    for kind in knowing.of(one.claim).names:
        places = {match.start(): match[0] for match in setting.finds(text, kind)}
        pairs = paired(text, list(places), results, lambda other: other.stop - start)
        for place, other in pairs.items():
            names = knowing.of(other.claim).names.get(kind, ())
            if names and not setting.is_one(kind, places[place], names):
                yield view.place_at(start + place), Contradiction(kind, places[place], place, names)


def _labelled(header: Sequence[str], cell: Cell) -> str:
    """Return the text of a cell, which is of the cache where its column is."""
    head = header[cell.column] if cell.column < len(header) else ""
    return f"{cell.text} cache" if quantization.is_of_cache(head) else cell.text
