"""What a sound chain does not show: what was left open, left out, lost, or decided afterwards.

The walk keeps a few facts of every entry and then asks:

- which runs were admitted and never finished;
- which windows or runs of a cell have siblings that no entry cites;
- which finished runs no entry mentions at all;
- which cited receipts or raw files are gone or damaged;
- which hypotheses were recorded after the runs they were tested by;
- which deltas were judged under a contract that is retired;
- which gates were loosened after they had failed.

An observation is no accusation: it is what a careful reader would ask about.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ledger.bodies import Contract, Experiment, NumericGate, Run
from ledger.entry import Entry
from receipts import receipt as receipts_format
from receipts.digest import Digest
from receipts.errors import Error, VerificationError
from receipts.receipt import SCHEME
from receipts.statement import WindowPredicate
from receipts.store import ObjectStore

ENDED = ("finished", "failed", "attached")


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


@dataclass(frozen=True)
class _Ran:
    """A RUN entry that ended: where it stands and what it belongs to."""

    index: int
    phase: str
    cell: str
    window: str | None
    arm: str | None
    admission: str | None

    @property
    def is_whole(self) -> bool:
        """Say whether it is a window or a run of its own, and no repetition inside a window."""
        return self.window is None or self.arm is None


@dataclass(frozen=True)
class _Tested:
    """An experiment: where its hypothesis stands, what it cites, which contracts judged it."""

    index: int
    id: str
    hypothesis: bool
    answers: str | None
    cites: tuple[str, ...]
    contracts: tuple[str, ...]
    failed: tuple[str, ...]
    delta: bool


@dataclass
class _Facts:
    admitted: dict[str, tuple[int, str]] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    runs: dict[str, _Ran] = field(default_factory=dict)
    tested: list[_Tested] = field(default_factory=list)
    contracts: list[tuple[int, str, Contract]] = field(default_factory=list)
    cited: set[str] = field(default_factory=set)
    places: dict[str, int] = field(default_factory=dict)


class Examination:
    """Collects facts entry by entry; `observations` asks about them at the end."""

    def __init__(self, receipts: ObjectStore, objects: ObjectStore) -> None:
        self._receipts = receipts
        self._objects = objects
        self._facts = _Facts()
        self.counts = Counts()

    def take(self, entry: Entry) -> None:
        """Take in one entry, in the order of the ledger."""
        facts, body = self._facts, entry.body
        if isinstance(body, Run):
            self.counts.runs += 1
            _take_run(facts, entry.id, body)
        elif isinstance(body, Experiment):
            self.counts.experiments += 1
            _take_experiment(facts, entry.id, body)
        elif isinstance(body, Contract):
            facts.contracts.append((entry.index, entry.id, body))

    def observations(self) -> list[Observation]:
        """Return what is to be asked about, in the order of the ledger."""
        facts = self._facts
        found = [
            *_open_runs(facts),
            *_siblings(facts),
            *_unmentioned(facts),
            *self._vanished(),
            *_afterthoughts(facts),
            *_retired(facts),
            *_loosened(facts),
        ]
        return sorted(found, key=lambda one: (one.index, one.code))

    def _vanished(self) -> Iterator[Observation]:
        for tested in self._facts.tested:
            for uri in tested.cites:
                for fault in self._faults(uri):
                    yield Observation(tested.index, "evidence", fault)

    def _faults(self, uri: str) -> Iterator[str]:
        """Yield what is wrong with a receipt, with the files it names, and with its repetitions."""
        self.counts.receipts += 1
        try:
            raw = self._receipts.get(Digest.parse(uri.removeprefix(SCHEME)))
            receipt = receipts_format.parse(raw)
        except Error as error:
            yield f"receipt {uri[:31]}…: {error}"
            return
        if isinstance(receipt.predicate, WindowPredicate):
            for item in receipt.predicate.repetitions:
                yield from self._faults(SCHEME + item.receipt)
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
    except VerificationError as error:
        return str(error)
    except Error as error:
        return str(error)
    return None


def _take_run(facts: _Facts, entry_id: str, body: Run) -> None:
    facts.places[entry_id] = body.index
    if body.phase == "admitted":
        facts.admitted[entry_id] = (body.index, body.cell)
        return
    if body.admission:
        facts.ended[body.admission] = body.index
    if body.receipt:
        ran = _Ran(body.index, body.phase, body.cell, body.window, body.arm, body.admission)
        facts.runs[body.receipt] = ran


def _take_experiment(facts: _Facts, entry_id: str, body: Experiment) -> None:
    facts.places[entry_id] = body.index
    cites = tuple(item.receipt for item in body.evidence or ())
    gates = body.gate or []
    facts.cited.update(cites)
    facts.tested.append(
        _Tested(
            index=body.index,
            id=entry_id,
            hypothesis=bool(body.hypothesis),
            answers=body.answers,
            cites=cites,
            contracts=tuple(gate.contract for gate in gates if gate.contract),
            failed=tuple(gate.name for gate in gates if gate.result == "fail"),
            delta=bool(body.delta),
        )
    )


def _open_runs(facts: _Facts) -> Iterator[Observation]:
    for admission, (index, cell) in facts.admitted.items():
        if admission not in facts.ended:
            yield Observation(index, "open run", f"a run of {cell} was admitted and never finished")


def _siblings(facts: _Facts) -> Iterator[Observation]:
    """Name the windows, or single runs, of a cell of which some are cited and some are not."""
    groups: dict[tuple[str, bool], list[tuple[str, _Ran]]] = defaultdict(list)
    for uri, ran in facts.runs.items():
        if ran.is_whole and ran.phase == "finished":
            groups[ran.cell, ran.window is not None].append((uri, ran))
    for (cell, windows), members in groups.items():
        cited = [ran.index for uri, ran in members if uri in facts.cited]
        left = [ran.index for uri, ran in members if uri not in facts.cited]
        if cited and left:
            what = "windows" if windows else "runs"
            yield Observation(
                left[0],
                "siblings",
                f"cell {cell} has {len(members)} {what}, of which {_listed(cited)} "
                f"are cited and {_listed(left)} are not",
            )


def _unmentioned(facts: _Facts) -> Iterator[Observation]:
    for uri, ran in facts.runs.items():
        if ran.is_whole and uri not in facts.cited:
            what = f"window {ran.window}" if ran.window else f"{ran.phase} run"
            yield Observation(ran.index, "unmentioned", f"no entry cites this {what} of {ran.cell}")


def _afterthoughts(facts: _Facts) -> Iterator[Observation]:
    """Name hypotheses that stand after the admission of a run that they were tested by."""
    for tested in facts.tested:
        if not tested.cites or not (tested.hypothesis or tested.answers):
            continue
        stated = facts.places.get(tested.answers or "", tested.index)
        for uri in tested.cites:
            ran = facts.runs.get(uri)
            admitted = facts.admitted.get(ran.admission or "") if ran else None
            if admitted and admitted[0] < stated:
                yield Observation(
                    tested.index,
                    "afterthought",
                    f"the hypothesis stands at entry {stated}, its run was admitted at entry "
                    f"{admitted[0]}",
                )
                break


def _retired(facts: _Facts) -> Iterator[Observation]:
    retired = {old: index for index, _, body in facts.contracts for old in body.retires or ()}
    for tested in facts.tested:
        for contract in tested.contracts:
            if tested.delta and contract in retired:
                yield Observation(
                    tested.index,
                    "retired contract",
                    f"its delta was judged under {contract[:12]}…, which entry "
                    f"{retired[contract]} retired",
                )


def _loosened(facts: _Facts) -> Iterator[Observation]:
    known: dict[str, tuple[int, NumericGate]] = {}
    for index, _, body in facts.contracts:
        for gate in body.gates or ():
            before = known.get(gate.name)
            known[gate.name] = (index, gate)
            if before is None or not _is_looser(before[1], gate):
                continue
            failures = [
                tested.index
                for tested in facts.tested
                if gate.name in tested.failed and before[0] < tested.index < index
            ]
            if failures:
                yield Observation(
                    index,
                    "loosened gate",
                    f"gate {gate.name} went from {_threshold(before[1])} to {_threshold(gate)} "
                    f"after it had failed at entry {failures[-1]}",
                )


def _is_looser(old: NumericGate, new: NumericGate) -> bool:
    """Say whether the new gate passes something that the old one failed."""
    if old.comparison != new.comparison or old.metric != new.metric:
        return False
    slack_old, slack_new = Fraction(old.tolerance or 0), Fraction(new.tolerance or 0)
    limit_old, limit_new = Fraction(old.threshold), Fraction(new.threshold)
    if new.comparison in (">=", ">"):
        return limit_new - slack_new < limit_old - slack_old
    if new.comparison in ("<=", "<"):
        return limit_new + slack_new > limit_old + slack_old
    return slack_new > slack_old


def _threshold(gate: NumericGate) -> str:
    slack = f" ± {gate.tolerance}" if gate.tolerance else ""
    return f"{gate.metric} {gate.comparison} {gate.threshold}{slack}"


def _listed(indexes: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(indexes)))
