"""What the text around a number says of it: whose it is, of which metric, as which end of a range.

What a sentence says is read once for all its numbers, and a number that stands alike in many cells
of a page is asked about once.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from claims.checks import arms, nearby, order, said
from claims.checks.fitting import Told
from claims.checks.offer import Offer
from claims.checks.passage import Passage
from claims.checks.view import View
from claims.numerals.numbers import Number
from claims.scanner.atoms import Atom
from receipts import late as re

Key = tuple[object, ...]
_BEFORE, _BEHIND = 48, 12
_RATIO = "ratio"
# "Plain decodes 25.0 and fused 46.6, a ratio of 1.86×": of both, whichever comes first.
_APPOSED = re.compile(
    r"(?:\A|[,;:(–—]\s*)\s*(?:(?:which|that)\s+(?:is|makes|gives)\s+|or\s+|i\.e\.,?\s+)?"
    r"(?:(?:an?|the)\s+(?:[\w-]+\s+)?(?:ratio|factor|speed-?up|gain)(?:\s+(?:of|is|was))?\s+)?"
    r"(?:about\s+|a\s+)?\Z",
    re.IGNORECASE,
)
# "Fused reaches 46.6 tok/s instead of 25.0": what the other arm has.
_IN_PLACE_OF = re.compile(
    r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of|as\s+opposed\s+to|against|versus|vs\.?"
    r"|compared\s+(?:with|to))\s+(?:the\s+|an?\s+|about\s+|only\s+|[~≈])?\Z",
    re.IGNORECASE,
)


class Spot(NamedTuple):
    """A number where it stands: in its passage from `start`, under a header and beside a row's.

    Two numbers with the same `key` on one page are the same number in the same words.
    """

    number: Number
    passage: Passage
    start: int
    header: Passage | None
    row: Passage | None
    end: Literal["low", "high"] | None

    @property
    def key(self) -> Key:
        """Everything that can be said of the number, wherever on the page it stands."""
        one = self.number
        written = (one.text, one.value, one.decimals, one.unit)
        offsets = (self.start, one.end - one.start, one.after - one.start)
        return self.passage, self.header, self.row, self.end, *written, *offsets

    @property
    def after(self) -> int:
        """Where its unit ends in the passage."""
        return self.start + self.number.after - self.number.start


def spot(view: View, atom: Atom, block: int) -> Spot:
    """Return where a number in a block of the page stands."""
    number = view.number(atom)
    begin, passage = view.passage(block, number.start)
    cell, header, row = view.page.cell(block), None, None
    if cell is not None:
        table, here = cell
        if here.column < len(table.header):
            header = view.reading(table.header[here.column])
        if here.column:
            row = view.reading(table.rows[here.row][0].text)
    return Spot(number, passage, number.start - begin, header, row, end(view, number))


def tell(here: Spot, given: Offer, names: Sequence[str]) -> Told:
    """Return a number with the words of its sentence and the arms that these tie it to."""
    number, passage, known = here.number, here.passage, tuple(names)
    found = passage.arms(known)
    mine = passage.index(here.start)
    owner = None
    if mine is not None:
        owner = found.owned.get(mine)
        if not found.several:
            owner = _by_order(given, owner, here)
    side = found.side(given.baseline, given.candidate) if given.baseline else None
    if (
        side
        and (found.several or _RATIO in passage.text)
        and nearby.ends(_APPOSED, passage.text, here.start)
    ):
        side = None
    owner = arms.meant(owner, given.names) or _arm_of_cell(here, known)
    if nearby.ends(_IN_PLACE_OF, passage.text, here.start) and not arms.is_named_behind(
        passage.text, here.after, found.mentions
    ):
        owner = arms.other(owner, given.names)
    about = passage.said(here.start, here.after)
    return Told(number, about, owner, side, here.end, _other_metric(here, given))


def _other_metric(here: Spot, given: Offer) -> str:
    """Return the words that name another metric than the claim's, empty where none do."""
    if here.header is not None:
        head = here.header.heading
        if here.row is None or head.are_named:
            return head.contradicted_by_header(given.metric)
        return here.row.heading.contradicted_by_header(given.metric)
    return here.passage.metrics.contradicted(given.metric, here.start, here.after)


def _by_order(given: Offer, owner: str | None, here: Spot) -> str | None:
    """Return the arm of a change that its place in the sentence makes the number's, or `owner`.

    A level is of one arm, and says nothing of an order where no arm is named.
    """
    if not (given.baseline or owner):
        return owner
    text, stop = here.passage.text, here.start + here.number.end - here.number.start
    role = order.role(text[: here.start], text[stop:])
    if role is None:
        return owner
    if len(given.names) < 2:
        return None
    return given.names[0 if role == "baseline" else -1]


def _arm_of_cell(here: Spot, names: tuple[str, ...]) -> str | None:
    """Return the arm that the header of the number's column, or its row, names alone."""
    for text in (here.header, here.row):
        alone = text.arms(names).alone if text is not None else None
        if alone:
            return alone
    return None


def end(view: View, number: Number) -> Literal["low", "high"] | None:
    """Return which end of a range the number is: `35.0–35.2`, `between 35.0 and 35.2`."""
    text = view.page.text
    before = text[max(0, number.start - _BEFORE) : number.start]
    after = text[number.after : number.after + _BEHIND]
    return said.range_end(before, text[number.end : number.after], after)
