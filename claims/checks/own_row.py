"""The baseline's own row in a column of ratios: `1.00×` is so by definition, and rests on nothing.

::

    | arm   | decode (tok/s)             | speed-up        |
    | plain | 25.0<!--…#baseline-->      | 1.00×           |   held against itself
    | fused | 46.6<!--…#candidate-->     | 1.86×<!--…-->   |

The column must hold a change of a claim, and the row must be of that claim's baseline and of no
other arm: it names it, or shows its value.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from claims.checks import arms
from claims.checks.offer import Offer
from claims.checks.view import View
from claims.markers.binding import Bound
from claims.pages.document import Table
from claims.scanner.atoms import Atom
from receipts import late as re

_NO_CHANGE = re.compile(r"\s*(?:1(?:\.0{1,4})?\s*[×x]?|[+±−-]?\s?0(?:\.0{1,4})?\s*%)\s*")
_CHANGES = ("×", "%")


def atoms(
    view: View, bound: Sequence[Bound], offers: Mapping[str, Offer], left: Iterable[Atom]
) -> set[int]:
    """Return where those of the numbers `left` begin that hold a baseline against itself."""
    even = [
        (atom, cell)
        for atom in left
        if (cell := view.page.cell(atom.block)) is not None
        and _NO_CHANGE.fullmatch(cell[0].rows[cell[1].row][cell[1].column].text)
    ]
    if not even:
        return set()
    columns = _columns(view, bound, offers)
    shown = set(_baselines(view, bound, offers)) if columns else set()
    found = set()
    for atom, (table, here) in even:
        for offer in columns.get((id(table), here.column), ()):
            if (id(table), here.row, offer.claim) in shown or _names(table, here.row, offer):
                found.add(atom.begin)
    return found


def _columns(
    view: View, bound: Sequence[Bound], offers: Mapping[str, Offer]
) -> dict[tuple[int, int], list[Offer]]:
    """Return the changes that stand in each column of a table."""
    found: dict[tuple[int, int], list[Offer]] = {}
    for table, _, column, one in _in_cells(view, bound):
        offer = offers.get(one.claim)
        shows = any(view.number(atom).unit in _CHANGES for atom in one.atoms)
        known = found.setdefault((id(table), column), [])
        if offer and offer.kind == "change" and shows and offer not in known:
            known.append(offer)
    return found


def _baselines(
    view: View, bound: Sequence[Bound], offers: Mapping[str, Offer]
) -> Iterator[tuple[int, int, str]]:
    """Yield the rows that show the value of a claim's baseline, with the claim."""
    for table, row, _, one in _in_cells(view, bound):
        offer = offers.get(one.claim)
        if offer and ("baseline" in (one.field, one.cell) or one.cell == offer.baseline):
            yield id(table), row, one.claim


def _in_cells(view: View, bound: Sequence[Bound]) -> Iterator[tuple[Table, int, int, Bound]]:
    for one in bound:
        cell = view.page.cell(one.atoms[0].block) if one.atoms and one.form != "table" else None
        if cell is not None:
            yield cell[0], cell[1].row, cell[1].column, one


def _names(table: Table, row: int, offer: Offer) -> bool:
    """Say whether the row's label names the baseline, and not the candidate."""
    named = {one.arm for one in arms.places(table.rows[row][0].text, offer.names)}
    return named == {offer.baseline}
