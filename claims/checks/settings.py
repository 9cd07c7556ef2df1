"""Hardware and models that stand beside a bound number: they must be those of its evidence.

Beside it is its sentence; for a number in a table, its row and the header of its column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from claims.checks.view import View
from claims.judging import setting
from claims.markers.binding import Bound
from claims.rules import Refusal

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_CODE = "CLM217"


def findings(
    view: View, bound: Sequence[Bound], judged: Mapping[str, Judgement]
) -> Iterator[Refusal]:
    """Yield the names on the page that the evidence of the claim beside them contradicts."""
    told: set[tuple[str, str]] = set()
    known: dict[str, setting.Known] = {}
    for one in bound:
        done = judged[one.claim]
        # A claim whose own sentence does so is refused already, wherever it stands.
        if one.form == "table" or any(refusal.code == _CODE for refusal in done.refusals):
            continue
        if one.claim not in known:
            known[one.claim] = setting.known(done.claim, done.evidence)
        for place, found in _beside(view, one, known[one.claim]):
            if (place, found.named) not in told:
                told.add((place, found.named))
                yield Refusal(_CODE, found.told(), one.claim, place)


def _beside(
    view: View, one: Bound, known: setting.Known
) -> Iterator[tuple[str, setting.Contradiction]]:
    if not known:
        return
    cell = view.page.cell(view.page.block_at(one.start))
    if cell is None:
        start = view.sentence(one.start)[0]
        stop = view.sentence(max(one.start, one.stop - 1))[1]
        for found in setting.contradictions(view.page.text[start:stop], known):
            yield view.place_at(start + found.start), found
        return
    table, here = cell
    header = table.header[here.column] if here.column < len(table.header) else ""
    texts = [header, *(other.text for other in table.rows[here.row])]
    for found in setting.contradictions(" | ".join(texts), known):
        yield f"{view.name}:{one.line}:{one.column}", found
