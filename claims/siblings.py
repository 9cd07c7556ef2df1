"""Other windows of the same plan and cell: whoever walks one five times may cite the luckiest.

A sibling is accounted for when the entry that the claim rests on cites it too, or when an entry
says why it is *void*. What nobody mentions was left out, and the claim is refused; and so is one on
a window that is said to be void itself. An entry that was taken back says nothing.
"""

from collections import defaultdict
from dataclasses import dataclass

from claims.chain import RefusedError
from claims.standing import Standing
from ledger.bodies import Experiment, Run
from ledger.entry import Entry
from ledger.log import Ledger
from receipts import receipt as receipts_format
from receipts.errors import Error
from receipts.receipt import digest_of
from receipts.statement import WindowPredicate
from receipts.store import ObjectStore


@dataclass(frozen=True)
class _Window:
    name: str
    receipt: str


class Siblings:
    """The finished windows of a ledger by plan and cell, and what was said of them, read once."""

    def __init__(self, ledger: Ledger, store: ObjectStore, standing: Standing) -> None:
        self._store = store
        self._standing = standing
        self._windows: dict[tuple[str, str], list[_Window]] = defaultdict(list)
        self._void: dict[str, int] = {}
        for index in ledger.index.of_kinds("RUN", "ENTRY"):
            self._read(ledger.entry(index))

    def _read(self, entry: Entry) -> None:
        body = entry.body
        if isinstance(body, Run) and body.phase == "finished" and body.plan and not body.arm:
            found = _Window(str(body.window), str(body.receipt))
            self._windows[body.plan, body.cell].append(found)
        elif isinstance(body, Experiment) and self._says_void(entry, body):
            self._void |= {item.receipt: entry.index for item in body.evidence or ()}

    def _says_void(self, entry: Entry, body: Experiment) -> bool:
        outcome = body.verdict.outcome if body.verdict else None
        return outcome == "void" and not self._standing.fell(entry)

    def require_accounted(self, window: WindowPredicate, receipt: str, entry: Experiment) -> None:
        """Refuse unless every sibling of the window is cited by the entry, or said to be void."""
        if receipt in self._void:
            message = f"window {window.window} is void by entry {self._void[receipt]}"
            raise RefusedError("CLM503", message)
        cited = {item.receipt for item in entry.evidence or ()} | {receipt}
        walked = self._windows[window.plan, window.cell]
        if receipt not in {one.receipt for one in walked}:
            return  # not recorded by a walk: what is wrong with it is another rule's to say
        left_out = [
            one.name
            for one in walked
            if one.receipt not in cited | self._void.keys() and not self._is_control(one.receipt)
        ]
        if left_out:
            shown = ", ".join(left_out[:5])
            message = f"{len(left_out)} other windows of this plan are not accounted for: {shown}"
            raise RefusedError("CLM323", message)

    def _is_control(self, uri: str) -> bool:
        """Say whether a window is an A/A, which is walked for the noise and for nothing else."""
        try:
            predicate = receipts_format.parse(self._store.get(digest_of(uri))).predicate
        except Error:
            return False
        return isinstance(predicate, WindowPredicate) and bool(predicate.control)
