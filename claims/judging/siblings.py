"""Other windows of the same thing: whoever walks a plan five times may cite the luckiest.

A sibling is a window of the same cell and the same plan, or of the same cell whose arms ran the
same programs under the same words: a plan with another byte in it is no other measurement. It is
accounted for when the entry that the claim rests on cites it too, or when an entry says why it is
*void*. What nobody mentions was left out, and the claim is refused; and so is one on a window that
is said to be void itself. An entry that was taken back says nothing.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from claims.judging.chain import RefusedError
from claims.judging.standing import Standing
from claims.judging.window import parsed
from ledger.bodies import Experiment, Run
from ledger.entry import Entry
from ledger.log import Ledger
from receipts import receipt as receipts_format
from receipts.digest import Digest
from receipts.errors import Error
from receipts.predicates import RunPredicate, WindowPredicate
from receipts.receipt import SCHEME, digest_of
from receipts.workspace import Workspace

_SHOWN = 5
_Arm = tuple[str, str, tuple[str, ...]]


@dataclass(frozen=True)
class _Window:
    name: str
    receipt: str
    plan: str
    cell: str


@dataclass
class _Walks:
    """The finished windows by cell and by plan, and the receipts that an entry calls void."""

    by_cell: dict[str, list[_Window]] = field(default_factory=lambda: defaultdict(list))
    by_plan: dict[str, list[_Window]] = field(default_factory=lambda: defaultdict(list))
    void: dict[str, int] = field(default_factory=dict)


class Siblings:
    """The finished windows of a ledger by cell, and what was said of them, read once."""

    def __init__(self, ledger: Ledger, place: Workspace, standing: Standing) -> None:
        self._ledger = ledger
        self._place = place
        self._standing = standing
        self._identities: dict[str, tuple[_Arm, _Arm] | None] = {}
        self._controls: dict[str, bool] = {}

    @cached_property
    def _read(self) -> _Walks:
        """Return what the ledger says of windows: the finished ones, and those called void."""
        found = _Walks()
        for index in self._ledger.index.of_kinds("RUN", "ENTRY"):
            entry = self._ledger.entry(index)
            body = entry.body
            if isinstance(body, Run) and body.phase == "finished" and body.plan and not body.arm:
                window = _Window(str(body.window), str(body.receipt), body.plan, body.cell)
                found.by_cell[body.cell].append(window)
                found.by_plan[body.plan].append(window)
            elif isinstance(body, Experiment) and self._says_void(entry, body):
                found.void |= {item.receipt: entry.index for item in body.evidence or ()}
        return found

    def of_plan(self, window: WindowPredicate) -> list[str]:
        """Return the receipts of the windows of the same plan in its other cells, void ones not."""
        others = (one for one in self._read.by_plan[window.plan] if one.cell != window.cell)
        standing = (one.receipt for one in others if one.receipt not in self._read.void)
        return [uri for uri in standing if not self._is_control(uri)]

    def _says_void(self, entry: Entry, body: Experiment) -> bool:
        outcome = body.verdict.outcome if body.verdict else None
        return outcome == "void" and not self._standing.fell(entry)

    def require_accounted(
        self, window: WindowPredicate, receipt: str, entry: Experiment
    ) -> list[str]:
        """Refuse unless every sibling is cited by the entry, or void; return the cited ones."""
        void = self._read.void
        if receipt in void:
            message = f"window {window.window} is void by entry {void[receipt]}"
            raise RefusedError("CLM503", message)
        cited = {item.receipt for item in entry.evidence or ()} | {receipt}
        walked = self._read.by_cell[window.cell]
        if receipt not in {one.receipt for one in walked}:
            return []  # not recorded by a walk: what is wrong with it is another rule's to say
        others = [one for one in walked if one.receipt not in void.keys() | {receipt}]
        alike = [one for one in others if self._is_alike(one, window, receipt)]
        left_out = [one for one in alike if one.receipt not in cited]
        if left_out:
            raise RefusedError("CLM323", _told(left_out, window))
        return [one.receipt for one in alike]

    def _is_alike(self, one: _Window, window: WindowPredicate, receipt: str) -> bool:
        """Say whether a window measured the same; one that cannot be told apart did."""
        if self._is_control(one.receipt):
            return False
        if one.plan == window.plan:
            return True
        theirs = self._identity(one.receipt)
        return theirs is None or theirs == self._identity(receipt)

    def _identity(self, uri: str) -> tuple[_Arm, _Arm] | None:
        """Return programs and words of both arms of a window, None where they cannot be read."""
        if uri not in self._identities:
            try:
                self._identities[uri] = self._read_identity(uri)
            except Error:
                self._identities[uri] = None
        return self._identities[uri]

    def _read_identity(self, uri: str) -> tuple[_Arm, _Arm] | None:
        window = self._predicate(uri)
        if not isinstance(window, WindowPredicate):
            return None
        raw = self._place.objects.get(Digest.parse(window.plan))
        planned = parsed(raw, window.plan).of(window.cell)
        if planned is None:
            return None
        first = {item.arm: item.receipt for item in reversed(window.repetitions)}
        ours, theirs = planned.baseline, planned.candidate
        if not {ours.arm, theirs.arm} <= first.keys():
            return None
        return (
            self._arm(first[ours.arm], ours.command),
            self._arm(first[theirs.arm], theirs.command),
        )

    def _arm(self, receipt: str, command: list[str]) -> _Arm:
        run = self._predicate(SCHEME + receipt)
        identity = run.identity if isinstance(run, RunPredicate) else {}
        return str(identity.get("program")), str(identity.get("binary")), tuple(command[1:])

    def _predicate(self, uri: str) -> object:
        return receipts_format.parse(self._place.receipts.get(digest_of(uri))).predicate

    def _is_control(self, uri: str) -> bool:
        """Say whether a window is an A/A, which is walked for the noise and for nothing else."""
        if uri not in self._controls:
            try:
                predicate = self._predicate(uri)
            except Error:
                return False
            aa = isinstance(predicate, WindowPredicate) and bool(predicate.control)
            self._controls[uri] = aa
        return self._controls[uri]


def _told(left_out: list[_Window], window: WindowPredicate) -> str:
    shown = ", ".join(one.name for one in left_out[:_SHOWN])
    same = all(one.plan == window.plan for one in left_out)
    of = "this plan" if same else f"cell {window.cell}, of the same programs and words,"
    return f"{len(left_out)} other windows of {of} are not accounted for: {shown}"
