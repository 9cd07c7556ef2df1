"""The two sides of a comparison: their runs, their environments, and which runs belong together.

Runs of equal profile belong together, the first with the first. What is left over on both sides was
asked something else; it is coupled in order all the same, so that the difference can be named.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.comparison import profile
from engine.comparison.profile import Difference, Field, Profile
from engine.results.model import Run
from engine.results.refusals import Note

Session = Literal["one", "cross-session", "not told", "not compared"]
PREFIX = "environment."
"""What may stand before the name of a fact of the machine where it is declared a variable."""


@dataclass(frozen=True, eq=False)
class Cell:
    """One run of an arm: its profile, what tells it from the others, and what bars citing it."""

    label: str
    run: Run
    profile: Profile
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class Arm:
    """One side: its file, its runs, the facts of its machine; `fault` says why it has no runs."""

    name: str
    file: str
    cells: tuple[Cell, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    fault: str | None = None

    def sweep(self) -> Profile:
        """Return the fields of the sweep that the runs of this arm make up."""
        return profile.sweep([cell.profile for cell in self.cells])

    def names(self) -> Iterator[str]:
        """Yield every name by which something in this arm can be declared a variable."""
        for one in self.fields():
            yield from (one.name, one.told)

    def fields(self) -> Iterator[Field]:
        """Yield every field of every run, and every fact of the machine."""
        for cell in self.cells:
            yield from cell.profile.values()
        yield from (Field(PREFIX + name, name, value) for name, value in self.facts.items())


@dataclass(frozen=True)
class Surroundings:
    """How the environments of the arms compare: see `engine.comparison.surroundings`."""

    differences: tuple[Difference, ...] = ()
    session: Session = "not compared"
    fields: int = 0
    remarks: tuple[str, ...] = ()


def couple(
    a: Arm, b: Arm, variables: Collection[str] = ()
) -> tuple[list[tuple[Cell, Cell]], list[tuple[str, str]]]:
    """Return the runs of A and B that belong together, and (arm, label) of all others."""
    waiting: dict[object, list[Cell]] = {}
    for cell in reversed(b.cells):
        waiting.setdefault(profile.key(cell.profile, variables), []).append(cell)
    couples, left = [], []
    for cell in a.cells:
        same = waiting.get(profile.key(cell.profile, variables))
        if same:
            couples.append((cell, same.pop()))
        else:
            left.append(cell)
    taken = {id(other) for _, other in couples}
    others = [cell for cell in b.cells if id(cell) not in taken]
    apart = list(zip(left, others, strict=False))
    alone = [(a.name, cell.label) for cell in left[len(apart) :]]
    alone += [(b.name, cell.label) for cell in others[len(apart) :]]
    return [*couples, *apart], alone


def equal(a: Arm, b: Arm, variable: str) -> bool:
    """Say whether all that `variable` covers is the same in both arms."""
    return _values(a, variable) == _values(b, variable)


def _values(arm: Arm, variable: str) -> set[tuple[str, str]]:
    told = [one for one in arm.fields() if profile.is_declared(one, (variable,))]
    return {(one.name, profile.normal(one.value)) for one in told}
