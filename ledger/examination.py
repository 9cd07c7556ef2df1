"""What a sound chain does not show: what was left open, left out, lost, or decided afterwards.

The walk keeps a few facts of every entry and then asks:

- which runs were admitted and never finished;
- which windows or runs of a cell have siblings that no entry mentions;
- which runs, however they ended, no entry mentions at all;
- which cited receipts or raw files are gone or damaged;
- which hypotheses were recorded after the runs they were tested by;
- which deltas were judged under a contract that is retired;
- which gates were loosened after they had failed;
- which experiments are said to have passed although a gate failed;
- where the ledger went on after a loss.

An observation is no accusation: it is what a careful reader would ask about. An entry mentions a
run by citing its receipt or by naming its RUN entry: a correction that says why a run was
discarded answers the question.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ledger import gates
from ledger.bodies import NumericGate
from ledger.discarding import Discarding, Group
from ledger.entry import Entry
from ledger.facts import Facts, Ran
from receipts import receipt as receipts_format
from receipts.digest import Digest
from receipts.errors import Error
from receipts.predicates import WindowPredicate
from receipts.receipt import SCHEME
from receipts.store import ObjectStore


@dataclass(frozen=True)
class Observation:
    """Something a careful reader would ask about, and the entry where it shows."""

    index: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"entry {self.index}: {self.code}: {self.message}"


@dataclass
class Counts:
    """How much was looked at."""

    runs: int = 0
    experiments: int = 0
    receipts: int = 0
    objects: int = 0
    attached: int = 0


class Examination:
    """Collects facts entry by entry; `observations` asks about them at the end."""

    def __init__(self, receipts: ObjectStore, objects: ObjectStore) -> None:
        self._receipts = receipts
        self._objects = objects
        self._facts = Facts()
        self._discarding = Discarding()
        self._known_faults: dict[str, list[str]] = {}
        self.counts = Counts()

    def take(self, entry: Entry) -> None:
        """Take in one entry, in the order of the ledger."""
        self._facts.take(entry)
        self._discarding.take(entry)
        self.counts.runs += entry.kind == "RUN"
        self.counts.experiments += entry.kind == "ENTRY"

    def observations(self) -> list[Observation]:
        """Return what is to be asked about, in the order of the ledger."""
        facts = self._facts
        self.counts.attached = len(facts.attached)
        found = [
            *_open_runs(facts),
            *_siblings(facts),
            *_unmentioned(facts),
            *self._vanished(),
            *_afterthoughts(facts),
            *_retired(facts),
            *_loosened(facts),
            *_against_gates(facts),
            *_losses(facts),
        ]
        return sorted(found, key=lambda one: (one.index, one.code))

    def discarded(self) -> list[Group]:
        """Return the cells and arms of which repetitions were measured and not counted."""
        return self._discarding.groups()

    def _vanished(self) -> Iterator[Observation]:
        for tested in self._facts.tested:
            for uri in tested.cites:
                if uri not in self._known_faults:
                    self._known_faults[uri] = list(self._faults(uri))
                for fault in self._known_faults[uri]:
                    yield Observation(tested.index, "evidence", fault)

    def _faults(self, uri: str, window: str = "") -> Iterator[str]:
        """Yield what is wrong with a receipt, with the files it names, and with its repetitions.

        `window` is the window that names the receipt as a repetition.
        """
        self.counts.receipts += 1
        try:
            raw = self._receipts.get(receipts_format.digest_of(uri))
            receipt = receipts_format.parse(raw)
        except Error as error:
            yield f"{uri[:31]}…: {error}"
            return
        if isinstance(receipt.predicate, WindowPredicate):
            if window:
                yield f"{uri[:31]}…: a window as a repetition of {window[:31]}…"
                return
            for item in receipt.predicate.repetitions:
                yield from self._faults(SCHEME + item.receipt, uri)
            return
        for subject in receipt.statement.subject:
            self.counts.objects += 1
            fault = _damage(self._objects, Digest("sha256:" + subject.digest.sha256))
            if fault:
                yield f"{subject.name} of {uri[:31]}…: {fault}"


def _damage(objects: ObjectStore, digest: Digest) -> str | None:
    try:
        for _ in objects.stream(digest):
            pass
    except Error as error:
        return str(error)
    return None


def _open_runs(facts: Facts) -> Iterator[Observation]:
    for admission, (index, cell) in facts.admitted.items():
        if admission not in facts.ended:
            yield Observation(index, "open run", f"a run of {cell} was admitted and never finished")


def _siblings(facts: Facts) -> Iterator[Observation]:
    """Name the windows, or single runs, of a cell of which some are cited and some are not."""
    groups: dict[tuple[str, bool], list[Ran]] = defaultdict(list)
    for ran in facts.runs:
        if ran.is_whole and ran.phase == "finished":
            groups[ran.cell, ran.window is not None].append(ran)
    for (cell, windows), members in groups.items():
        cited = [ran.index for ran in members if facts.is_mentioned(ran)]
        left = [ran.index for ran in members if not facts.is_mentioned(ran)]
        if cited and left:
            what = "windows" if windows else "runs"
            yield Observation(
                left[0],
                "siblings",
                f"cell {cell} has {len(members)} {what}, of which {_listed(cited)} "
                f"{_are(cited)} mentioned and {_listed(left)} {_are(left)} not",
            )


def _unmentioned(facts: Facts) -> Iterator[Observation]:
    for ran in facts.runs:
        if ran.is_whole and not facts.is_mentioned(ran):
            what = f"window {ran.window}" if ran.window else "run"
            message = f"no entry mentions this {ran.phase} {what} of {ran.cell}"
            yield Observation(ran.index, "unmentioned", message)


def _afterthoughts(facts: Facts) -> Iterator[Observation]:
    """Name hypotheses that stand after a run that they were tested by was first on record."""
    for tested in facts.tested:
        if not tested.cites or not (tested.hypothesis or tested.answers):
            continue
        stated = facts.places.get(tested.answers or "", tested.index)
        for uri in tested.cites:
            ran = facts.by_receipt.get(uri)
            if ran is None:
                continue
            began = facts.admitted.get(ran.admission or "", (ran.index, ran.cell))[0]
            if began < stated:
                how = "admitted" if began != ran.index else ran.phase
                yield Observation(
                    tested.index,
                    "afterthought",
                    f"the hypothesis stands at entry {stated}, its run was {how} at entry {began}",
                )
                break


def _retired(facts: Facts) -> Iterator[Observation]:
    retired = {old: index for index, body in facts.contracts for old in body.retires or ()}
    for tested in facts.tested:
        for contract in dict.fromkeys(tested.contracts):
            if tested.delta and contract in retired and not facts.is_struck(tested):
                yield Observation(
                    tested.index,
                    "retired contract",
                    f"its delta was judged under {contract[:12]}…, which entry "
                    f"{retired[contract]} retired",
                )


def _against_gates(facts: Facts) -> Iterator[Observation]:
    """Name experiments that are said to have passed although a gate of theirs failed."""
    for tested in facts.tested:
        if tested.failed and tested.outcome in ("pass", "landed") and not facts.is_struck(tested):
            gate = ", ".join(tested.failed)
            message = f"it says {tested.outcome} although the gate {gate} failed"
            yield Observation(tested.index, "against its gate", message)


def _losses(facts: Facts) -> Iterator[Observation]:
    for index, lost in facts.recoveries:
        yield Observation(index, "loss", f"the ledger went on after a loss: {lost}")


def _loosened(facts: Facts) -> Iterator[Observation]:
    """Name gates that a contract made looser than before, and looser than one that had failed."""
    known: dict[str, list[tuple[int, NumericGate]]] = defaultdict(list)
    for index, body in facts.contracts:
        for gate in body.gates or ():
            history = known[gate.name]
            if history and gates.is_looser(history[-1][1], gate):
                failures = [
                    failed
                    for failed in _failures(facts, gate.name, index)
                    if gates.is_looser(_in_force(history, failed), gate)
                ]
                if failures:
                    yield Observation(
                        index,
                        "loosened gate",
                        f"gate {gate.name} went from {gates.spell(history[-1][1])} to "
                        f"{gates.spell(gate)} after it had failed at entry {failures[-1]}",
                    )
            history.append((index, gate))


def _failures(facts: Facts, name: str, before: int) -> Iterator[int]:
    yield from (t.index for t in facts.tested if name in t.failed and t.index < before)


def _in_force(history: list[tuple[int, NumericGate]], index: int) -> NumericGate:
    """Return the gate that entry `index` failed; one that failed before any contract had none."""
    return next((gate for since, gate in reversed(history) if since < index), history[0][1])


def _are(indexes: list[int]) -> str:
    return "are" if len(indexes) > 1 else "is"


def _listed(indexes: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(indexes)))
