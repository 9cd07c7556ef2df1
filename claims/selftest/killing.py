"""Mutants checked like any page; those that nobody finds, with what was changed."""

import difflib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from claims.formats.outcome import Outcome
from claims.selftest.mutants import Mutant
from receipts import exits
from receipts.errors import Error

Examine = Callable[[str], Outcome]
Tick = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant on which nothing was found: its page, what was done, and the lines that differ."""

    page: str
    what: str
    line: int
    diff: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Yield it as text."""
        yield f"{self.page}:{self.line}: {self.what}: nothing was found"
        yield from (f"  {line}" for line in self.diff)

    def view(self) -> dict[str, object]:
        """Return it as plain values."""
        told = {"page": self.page, "line": self.line, "what": self.what}
        return {**told, "diff": list(self.diff)}


def survivors(
    name: str, source: str, mutants: Iterable[Mutant], examine: Examine, tick: Tick
) -> Iterator[Survivor]:
    """Yield the mutants of the page `name` that pass the check as the page itself does."""
    for mutant in mutants:
        tick(1)
        if _passes(mutant.source, examine):
            diff = tuple(_diff(source, mutant.source))
            yield Survivor(name, mutant.what, mutant.line, diff)


def _passes(text: str, examine: Examine) -> bool:
    """Say whether nothing is wrong with the text; what cannot be checked does not pass."""
    try:
        return examine(text).code == exits.OK
    except Error:
        return False


def _diff(before: str, after: str) -> Iterator[str]:
    """Yield the lines that differ, each with a minus or a plus."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    for number, line in enumerate(lines):
        if number > 1 and not line.startswith("@@"):
            yield line
