"""The numbers of a page, parted by what holds of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from claims.checks.checked import Checked
from claims.checks.view import View
from claims.numerals import numbers
from claims.rules import Refusal
from claims.scanner.atoms import Atom


def parted(atoms: Iterable[Atom], holds: Callable[[Atom], bool]) -> tuple[list[Atom], list[Atom]]:
    """Return the atoms for which it does not hold, and those for which it does."""
    left: list[Atom] = []
    others: list[Atom] = []
    for atom in atoms:
        (others if holds(atom) else left).append(atom)
    return left, others


def untold(view: View, left: list[Atom], told: Sequence[Refusal], done: Checked) -> list[Atom]:
    """Return the atoms without a finding: one number is not told to be unbound as well."""
    named = {one.place for one in told}
    if not named:
        return left
    plain, others = parted(
        left,
        lambda atom: any(
            view.place_at(at) in named
            for at in range(atom.begin, min(atom.stop, atom.begin + numbers.LONGEST))
        ),
    )
    done.classes["unbound"] += len(others)
    done.take("unbound", others)
    return plain
