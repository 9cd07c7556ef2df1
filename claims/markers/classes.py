"""Every number of a page with its class: bound, excluded, ignored or unbound.

Without a register nothing can be `scope`, and what must resolve is unbound unless a marker stands
behind it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claims.markers import binding
from claims.pages.document import Directive, Document
from claims.scanner import atoms, outside
from claims.scanner.atoms import Atom
from claims.scanner.vocabulary import Vocabulary

CLASSES = ("bound", "scope", "excluded", "ignored", "unbound")
_UNBOUND = "CLM101"
# "one" never counts a result, so that scanning for claims leaves it out.
_ONE = re.compile(r"(?<![A-Za-z0-9_-])one(?![A-Za-z0-9_])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Classed:
    """One number of the source: `column` is its first digit, `rule` names its exclusion.

    An unbound number with the rule `lost` is one that the page shows and the scanner cannot place.
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


def classify(page: Document, vocabulary: Vocabulary) -> list[Classed]:
    """Return every number of the page's source, in the order of the source."""
    ones = (Atom(page, *match.span(), "number-word") for match in _ONE.finditer(page.text))
    scanned = (*atoms.scan(page, vocabulary), *ones)
    bound = _bound_places(page, scanned)
    ignored = _Ignored(page)
    found = [_rendered(atom, bound, ignored) for atom in scanned]
    taken = {(one.line, one.column) for one in found}
    for other in outside.find(page):
        place = page.places.line_column(other.start)
        if place not in taken:
            klass = "excluded" if other.rule else "unbound"
            found.append(Classed(*place, other.text, "", klass, other.rule or "lost"))
    return sorted(found, key=lambda one: (one.line, one.column))


def _rendered(atom: Atom, bound: set[tuple[int, int]], ignored: "_Ignored") -> Classed:
    place = atom.line, atom.column
    if atom.rule is not None:
        klass = "excluded"
    elif place in bound:
        klass = "bound"
    else:
        klass = "ignored" if ignored.holds(atom) else "unbound"
    return Classed(*place, atom.text, atom.sign, klass, atom.rule)


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
