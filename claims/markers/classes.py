"""Every number of a page with its class: bound, scope, excluded, noticed, ignored or unbound.

What was found against a register is handed in. Without it nothing is `scope` or `noticed`, and what
must resolve is unbound unless a marker stands behind it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from claims.markers import binding
from claims.pages.document import Directive, Document
from claims.scanner import atoms, outside, overlooked
from claims.scanner.atoms import Atom
from claims.scanner.vocabulary import Vocabulary

CLASSES = ("bound", "scope", "excluded", "noticed", "ignored", "unbound")
_UNBOUND = "CLM101"
_LOST = "lost"
_ENTITY = re.compile(r"&[^;&\s]{1,12};")
# "one" never counts a result, so that scanning for claims leaves it out.
_ONE = re.compile(r"(?<![A-Za-z0-9_-])one(?![A-Za-z0-9_])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Classed:
    """One number of the source: `column` is its first digit, `rule` names its exclusion.

    An unbound number with the rule `lost` is one that the page shows and that no search finds.
    """

    line: int
    column: int
    text: str
    sign: str
    klass: str
    rule: str | None

    def view(self) -> dict[str, object]:
        """Return it as plain values, absent fields left out."""
        fields: dict[str, object] = {"line": self.line, "column": self.column, "text": self.text}
        if self.sign:
            fields["sign"] = self.sign
        fields["class"] = self.klass
        if self.rule:
            fields["rule"] = self.rule
        return fields


def classify(
    page: Document, vocabulary: Vocabulary, known: Mapping[int, str] | None = None
) -> list[Classed]:
    """Return every number of the page's source, in the order of the source.

    `known` are the classes found against a register, by rendered offset, of what it has a say in.
    """
    ones = (Atom(page, *match.span(), "number-word") for match in _ONE.finditer(page.text))
    scanned = (*atoms.scan(page, vocabulary), *ones)
    bound = _bound_places(page, scanned)
    ignored = _Ignored(page)
    found = [_rendered(atom, bound, ignored, known or {}) for atom in scanned]
    taken = {(one.line, one.column) for one in found}
    for other in outside.find(page):
        place = page.places.line_column(other.start)
        if place not in taken:
            klass = "excluded" if other.rule else "unbound"
            found.append(Classed(*place, other.text, "", klass, other.rule or _LOST))
    return sorted(_with_lost(page, found), key=lambda one: (one.line, one.column))


def _rendered(
    atom: Atom, bound: set[tuple[int, int]], ignored: "_Ignored", known: Mapping[int, str]
) -> Classed:
    place, rule = (atom.line, atom.column), atom.rule
    klass = known.get(atom.begin, "bound" if place in bound else "unbound")
    if rule is not None:
        klass = "excluded"
    elif klass == "excluded":
        rule = "citation"
    elif klass == "unbound" and ignored.holds(atom):
        klass = "ignored"
    return Classed(*place, atom.text, atom.sign, klass, rule)


def _with_lost(page: Document, found: Iterable[Classed]) -> Iterator[Classed]:
    """Yield all numbers; those that a search of the source misses or misreads (CLM013) are lost."""
    lost = dict.fromkeys(_lost_places(page))
    for one in found:
        place = one.line, one.column
        yield replace(one, klass="unbound", rule=_LOST) if place in lost else one
        lost.pop(place, None)
    for line, column in lost:
        start = page.places.line_starts[line - 1] + column - 1
        yield Classed(line, column, _spelt(page.source, start), "", "unbound", _LOST)


def _spelt(source: str, start: int) -> str:
    """Return the number that begins there in digits of whatever script, or its first entity."""
    if entity := _ENTITY.match(source, start):
        return entity[0]
    end = start
    while end < len(source) and (source[end] in ".,\u066b\u066c" or _counts(source[end])):
        end += 1
    return source[start:end].rstrip(".,\u066b\u066c")


def _counts(character: str) -> bool:
    return unicodedata.category(character) in ("Nd", "No", "Nl")


def _lost_places(page: Document) -> Iterator[tuple[int, int]]:
    for one in overlooked.refusals("", page):
        if one.code == "CLM013":
            _, line, column = str(one.place).rsplit(":", 2)
            yield int(line), int(column)


def _bound_places(page: Document, found: Sequence[Atom]) -> set[tuple[int, int]]:
    """Return the place of every number that some claim governs."""
    bound = binding.bind(page, found).bound
    return {(atom.line, atom.column) for one in bound for atom in one.atoms}


class _Ignored:
    """What the page's `claims-ignore` directives reach."""

    def __init__(self, page: Document) -> None:
        self._page = page
        said = [d for d in page.directives if d.written.form == "ignore" and _speaks(d)]
        self._all = any(d.written.reach == "file" for d in said)
        self._lines = {d.line for d in said if d.written.reach == "line" or not d.alone}
        self._blocks = {d.block + 1 for d in said if d.alone and d.written.reach == "next"}

    def holds(self, atom: Atom) -> bool:
        if self._all or atom.line in self._lines:
            return True
        block = atom.block
        cell = self._page.cell(block) if self._blocks else None
        first = cell[0].header_blocks[0] if cell and cell[0].header_blocks else block
        return bool(self._blocks & {block, first})


def _speaks(directive: Directive) -> bool:
    return bool(directive.written.reason) and _UNBOUND in directive.written.codes


def summary(found: Iterable[Classed]) -> str:
    """Return the denominators in one line."""
    counted = Counter(one.klass for one in found)
    parts = [f"{counted[klass]} {klass}" for klass in CLASSES if counted[klass]]
    return f"{sum(counted.values())} numbers: {', '.join(parts) or 'none'}"
