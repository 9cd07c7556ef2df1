"""Which repetitions were measured and not counted, beside those that were: by cell and arm.

A repetition is *discarded* when its window did not finish, or an entry says that the window is
void, or its RUN entry or receipt was retracted or superseded. Nobody is accused: a void window with
a good reason is on record because it should be. But whoever leaves out repetitions can move a
result, and so they are counted here. What they measured stands in their raw files, which this
package does not read: `claims audit` gives the ranges, and an exact p.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ledger.bodies import CORRECTIONS
from ledger.entry import Entry
from ledger.facts import Facts, Ran
from ledger.status import Status

_TAKEN_BACK = ("retracted", "superseded")
_NO_ARM = ("anchor.", "gate.")
ALONE = "run"
"""What stands for the arm of a run that belongs to no window."""


@dataclass(frozen=True, slots=True)
class Group:
    """The repetitions of one arm of a cell, some of which were discarded."""

    cell: str
    arm: str
    discarded: tuple[Ran, ...]
    counted: tuple[Ran, ...]

    def __str__(self) -> str:
        return (
            f"discarded: {self.cell} {self.arm}: {len(self.discarded)} repetitions, "
            f"{len(self.counted)} counted (`claims audit` gives ranges and an exact p)"
        )

    def view(self) -> dict[str, Any]:
        """Return it as plain values, the runs by the index of their entries."""
        return {
            "cell": self.cell,
            "arm": self.arm,
            "discarded": [ran.index for ran in self.discarded],
            "counted": [ran.index for ran in self.counted],
        }


@dataclass
class Discarding:
    """Takes entries in, in order, and tells at the end which runs were left out."""

    _facts: Facts = field(default_factory=Facts)
    _status: Status = field(default_factory=Status)
    _struck: dict[str, str] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """Take in one entry."""
        self._facts.take(entry)
        self._status.apply(entry)
        if isinstance(entry.body, CORRECTIONS) and entry.kind in ("RETRACTION", "SUPERSEDED"):
            self._struck |= dict.fromkeys(entry.body.runs or (), entry.id)

    def groups(self) -> list[Group]:
        """Return the arms and cells of which something was discarded, by name."""
        sides: dict[tuple[str, str], tuple[list[Ran], list[Ran]]] = defaultdict(lambda: ([], []))
        void = self._void_windows()
        for ran in self._repetitions():
            left, kept = sides[ran.cell, ran.arm or ALONE]
            (left if self._is_left(ran, void) else kept).append(ran)
        return [
            Group(*place, tuple(left), tuple(kept))
            for place, (left, kept) in sorted(sides.items())
            if left
        ]

    def _repetitions(self) -> Iterator[Ran]:
        """Yield the runs that left a receipt and are no window, no anchor and no gate."""
        for ran in self._facts.runs:
            arm = ran.arm or ALONE
            if ran.receipt is not None and not _is_window(ran) and not arm.startswith(_NO_ARM):
                yield ran

    def _void_windows(self) -> set[str]:
        """Return the windows that have no end but a void one, that are said to be void, or fell."""
        said = {uri for one in self._facts.tested if one.outcome == "void" for uri in one.cites}
        sound = {
            ran.window
            for ran in self._facts.runs
            if _is_window(ran) and ran.phase == "finished"
            if ran.receipt not in said and not self._fell(ran)
        }
        return {ran.window for ran in self._facts.runs if ran.window and ran.window not in sound}

    def _is_left(self, ran: Ran, void: set[str]) -> bool:
        ended = ran.phase in ("finished", "attached")
        return ran.window in void or not ended or self._fell(ran)

    def _fell(self, ran: Ran) -> bool:
        by = self._struck.get(str(ran.receipt))
        struck = by is not None and self._status.word(by) != "retracted"
        return struck or self._status.word(ran.id) in _TAKEN_BACK


def _is_window(ran: Ran) -> bool:
    return ran.window is not None and ran.arm is None
