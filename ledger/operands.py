"""What a cell of a campaign table puts beside what: series of operands, and changes.

::

    "30.7 → 294 → 1204 tok/s @2K"                  one series, old to new
    "raw 472 vs 441 (+7%), quantize 129→74 ms"     two; the first carries its own change
    "155 (idle) / 412 vs f16 630–880 / 1460"       a series that is ambiguous: what belongs to what?
    "+6.9% / +5.7%"                                two changes
    "~4.7× vs 8m"                                  a change relative to something else

`A → B` reads from old to new; `A vs B` measures A against B, unless a label says that A is the
baseline. A label is what stands before the first number of the clause.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ledger import pieces, quantity
from ledger.pieces import Piece
from ledger.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Change:
    """A printed change, and the words around it that make it less than plain.

    `relative` names what it is measured against, `bound` that it is only a bound, `qualifier` the
    words that may narrow it to something else than the row's operands.
    """

    figure: Quantity
    words: frozenset[str] = frozenset()
    qualifier: str = ""
    relative: str = ""
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """Values from old to new, and the change printed right beside them, if any."""

    values: tuple[Quantity, ...]
    label: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    versus: bool = False
    ambiguous: bool = False
    inline: Change | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """The series of a cell, the changes it states without operands, and whether it opens bare.

    `leading_value` is True where a clause with a number but no pair comes before the first series:
    what the row's change is about may be that number.
    """

    series: tuple[Series, ...] = ()
    stated: tuple[Quantity, ...] = ()
    leading_value: bool = False


def read(text: str, unit: str | None = None) -> Cell:
    """Return the operands of a cell; those without a unit are in `unit`, where the header says."""
    nodes = pieces.read(quantity.plain(text))
    spans, series = _all_series(nodes)
    inner = list(_series_in_asides(nodes))
    series += [found for found in inner if found.inline or len(inner) == 1 > len(series)]
    taken = {found.inline.figure.start for found in series if found.inline}
    taken |= {value.start for found in series for value in found.values}
    stated = [q for q in _changes_in(nodes) if q.start not in taken]
    return Cell(
        tuple(_in_unit(found, unit) for found in series),
        tuple(stated),
        bool(spans) and _opens_bare(nodes, spans[0]),
    )


def changes(text: str, unit: str | None = None) -> list[Change]:
    """Return the changes of a cell, in order; those without a unit are in `unit`."""
    nodes = pieces.read(quantity.plain(text))
    parts = _parts(nodes)
    return [change for part in parts if (change := _change(part, unit))]


def is_change(figure: Quantity) -> bool:
    """Say whether a figure alone reads as a change: a multiple, or signed and with a unit."""
    return figure.unit == "×" or (figure.signed and figure.unit is not None)


def names_a_baseline(against: Iterable[str]) -> bool:
    """Say whether the words beside the second of `A vs B` leave it the row's own baseline."""
    words = set(against)
    return bool(words & _BASELINE) or words <= _NEUTRAL


def _spelled(nodes: Iterable[Piece]) -> str:
    return " ".join(
        f"({_spelled(node.children)})" if node.kind == "aside" else node.text for node in nodes
    )


def _all_series(nodes: list[Piece]) -> tuple[list[tuple[int, int]], list[Series]]:
    """Return the series among `nodes` with the indices of their first and last number."""
    spans: list[tuple[int, int]] = []
    found: list[Series] = []
    index = 0
    while index < len(nodes):
        members = _members(nodes, index)
        if len(members) > 1:
            spans.append((index, members[-1]))
            found.append(_one_series(nodes, members))
            index = members[-1]
        index += 1
    ends = {edge for span in spans for edge in span}
    return spans, [
        replace(s, ambiguous=_beside_a_loose_number(nodes, span, ends))
        for s, span in zip(found, spans, strict=True)
    ]


def _series_in_asides(nodes: list[Piece]) -> Iterator[Series]:
    """Yield what stands in parentheses; in `+26% (a → b)` it carries the change before them."""
    for index, node in enumerate(nodes):
        before = nodes[index - 1].quantity if index else None
        for found in _all_series(node.children)[1]:
            if before and is_change(before) and not found.inline:
                yield replace(found, inline=Change(before))
            else:
                yield replace(found, inline=None)


def _members(nodes: list[Piece], start: int) -> list[int]:
    """Return the indices of the numbers that form a series from `start` on."""
    if nodes[start].kind != "number":
        return []
    members = [start]
    while (after := _partner(nodes, members[-1], joint="arrow")) is not None:
        members.append(after)
    if len(members) == 1 and (after := _partner(nodes, start, joint="vs")) is not None:
        members.append(after)
    return members


def _partner(nodes: list[Piece], index: int, joint: str) -> int | None:
    """Return the number that `joint` ties to the one at `index`, over notes, scopes and a word."""
    index += 1
    words = 0
    while index < len(nodes) and nodes[index].kind in ("aside", "scope", "word"):
        words += nodes[index].kind == "word"
        index += 1
    if words > (1 if joint == "arrow" else 3) or index >= len(nodes) or nodes[index].kind != joint:
        return None
    index += 1
    labels = 0
    while joint == "vs" and labels < 3 and index < len(nodes) and nodes[index].kind == "word":
        index += 1
        labels += 1
    return index if index < len(nodes) and nodes[index].kind == "number" else None


def _one_series(nodes: list[Piece], members: list[int]) -> Series:
    first, last = members[0], members[-1]
    values = _one_unit(tuple(q for i in members if (q := nodes[i].quantity)))
    between = nodes[first + 1 : last]
    versus = any(node.kind == "vs" for node in between)
    label = tuple(_label(nodes, first))
    mark = next((i for i, n in enumerate(between) if n.kind == "vs"), 0)
    against = tuple(_words_of([*between[mark:], *nodes[last + 1 : last + 2]])) if versus else ()
    if versus and not _BASELINE & {*label, *_words_of(between[:mark])}:
        values = values[::-1]
    sign = " vs " if versus else " → "
    text = sign.join(nodes[i].text for i in members)
    return Series(values, label, against, versus, inline=_inline(nodes, members[-1]), text=text)


def _one_unit(values: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """Give the unit of those that have one to those that have none: `30 tok/s → 33`."""
    units = {value.unit for value in values if value.unit}
    if len(units) != 1:
        return values
    return tuple(replace(value, unit=next(iter(units))) for value in values)


def _words_of(nodes: Iterable[Piece]) -> Iterator[str]:
    for node in nodes:
        if node.kind == "word":
            yield from quantity.words(node.text)
        yield from _words_of(node.children)


def _label(nodes: list[Piece], index: int) -> list[str]:
    """Return the words and scopes of the clause before the number at `index`."""
    label: list[str] = []
    for node in reversed(nodes[:index]):
        if node.kind not in ("word", "scope"):
            break
        label.append(node.text.lower())
    return label[::-1]


def _inline(nodes: list[Piece], last: int) -> Change | None:
    """Return the change printed beside a series: `a → b (+7%)`, `a vs b = 1.08×`, `a → b, +7%`."""
    index = last + 1
    while index < len(nodes) and nodes[index].kind in ("word", "scope"):
        index += 1
    if index >= len(nodes):
        return None
    node = nodes[index]
    if node.kind == "aside":
        return _leading_change(node.children)
    if node.kind == "equals":
        return _leading_change(nodes[index + 1 :])
    if index > last + 1:
        return None
    return _leading_change(nodes[index + (node.text == ",") :])


def _leading_change(nodes: list[Piece]) -> Change | None:
    """Return the change that `nodes` open with, if nothing but neutral words hangs on to it."""
    if not nodes or not (figure := nodes[0].quantity) or not is_change(figure):
        return None
    clause = _until_break(nodes[1:])
    if any(node.kind not in ("word", "aside") for node in clause):
        return None
    words = set(_words_of(node for node in clause if node.kind == "word"))
    return Change(figure, frozenset(words)) if words <= _NEUTRAL else None


def _until_break(nodes: list[Piece]) -> list[Piece]:
    stop = next((i for i, node in enumerate(nodes) if node.kind == "break"), len(nodes))
    return nodes[:stop]


def _beside_a_loose_number(nodes: list[Piece], span: tuple[int, int], ends: set[int]) -> bool:
    """Say whether a slash ties an end of the series to a number that is in no series."""
    for edge, step in ((span[0], -1), (span[1], 1)):
        index = edge + step
        while 0 <= index < len(nodes) and nodes[index].kind in ("aside", "scope", "word"):
            index += step
        if not 0 <= index < len(nodes) or nodes[index].kind != "slash":
            continue
        index += step
        while 0 <= index < len(nodes) and nodes[index].kind in ("aside", "scope", "word"):
            index += step
        if 0 <= index < len(nodes) and nodes[index].kind == "number" and index not in ends:
            return True
    return False


def _opens_bare(nodes: list[Piece], span: tuple[int, int]) -> bool:
    """Say whether a value stands alone in a clause before the first series."""
    breaks = [i for i in range(span[0]) if nodes[i].kind == "break"]
    earlier = nodes[: breaks[-1]] if breaks else []
    return any(node.quantity and not is_change(node.quantity) for node in earlier)


def _changes_in(nodes: list[Piece]) -> Iterator[Quantity]:
    for node in nodes:
        if node.quantity and is_change(node.quantity):
            yield node.quantity
        yield from _changes_in(node.children)


def _in_unit(series: Series, unit: str | None) -> Series:
    if unit is None or any(value.unit for value in series.values):
        return series
    return replace(series, values=tuple(replace(v, unit=unit) for v in series.values))


def _parts(nodes: list[Piece]) -> list[list[Piece]]:
    """Return the nodes between slashes and breaks."""
    parts: list[list[Piece]] = [[]]
    for node in nodes:
        if node.kind in ("slash", "break"):
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def _change(nodes: list[Piece], unit: str | None) -> Change | None:
    index = next((i for i, node in enumerate(nodes) if node.quantity), None)
    if index is None or not (figure := nodes[index].quantity):
        return None
    if figure.unit is None and unit is not None:
        figure = replace(figure, unit=unit)
    rest = [*nodes[:index], *nodes[index + 1 :]]
    versus = next((i for i, node in enumerate(rest) if node.kind in ("vs", "arrow")), None)
    words = set(_words_of(rest))
    second = any(node.quantity for node in rest)
    return Change(
        figure,
        frozenset(words),
        _spelled(rest) if second or words - _NEUTRAL else "",
        " ".join(n.text for n in rest[versus:]) if versus is not None else "",
        any(node.kind == "bound" for node in rest) or bool(words & {"least", "most", "max"}),
    )


_NEUTRAL = frozenset(
    quantity.words(
        "sep noise noisy band in the within real true median mean average interleaved runs run"
        " reps clean significant paired approx same window faster slower higher lower more less"
        " fewer better worse gain speedup improvement regression reduction increase decrease"
        " saving smaller larger up down speed"
    )
)
_BASELINE = frozenset(quantity.words("baseline base before old stock previous prev original was"))
