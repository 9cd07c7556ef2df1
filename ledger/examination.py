"""What a sound chain does not show: what was left open, left out, lost, or decided afterwards.

The walk keeps a few facts of every entry and then asks:

- which runs were admitted and never finished;
- which windows or runs of a cell have siblings that no entry mentions;
- which runs, however they ended, no entry mentions at all;
- which cited receipts or raw files are gone or damaged;
- which hypotheses were recorded after the runs they were tested by;
- which deltas were judged under a contract that is retired;
- which gates were loosened after they had failed.

An observation is no accusation: it is what a careful reader would ask about. An entry mentions a
run by citing its receipt or by naming its RUN entry: a correction that says why a run was
discarded answers the question.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ledger import gates
from ledger.bodies import (
    CORRECTIONS,
    AnyBody,
    Contract,
    Evidence,
    Experiment,
    Finding,
    NumericGate,
    Run,
)
from ledger.entry import Entry
from receipts import receipt as receipts_format
from receipts.digest import Digest
from receipts.errors import Error
from receipts.receipt import SCHEME
from receipts.statement import WindowPredicate
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


@dataclass(frozen=True)
class _Ran:
    """A RUN entry that ended: where it stands and what it belongs to."""

    index: int
    id: str
    phase: str
    receipt: str | None
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
    hypothesis: bool
    answers: str | None
    cites: tuple[str, ...]
    contracts: tuple[str, ...]
    failed: tuple[str, ...]
    delta: bool


@dataclass
class _Facts:
    admitted: dict[str, tuple[int, str]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    runs: list[_Ran] = field(default_factory=list)
    by_receipt: dict[str, _Ran] = field(default_factory=dict)
    tested: list[_Tested] = field(default_factory=list)
    contracts: list[tuple[int, Contract]] = field(default_factory=list)
    mentioned: set[str] = field(default_factory=set)
    places: dict[str, int] = field(default_factory=dict)

    def is_mentioned(self, ran: _Ran) -> bool:
        """Say whether an entry cites the run's receipt or names its RUN entry."""
        return ran.id in self.mentioned or ran.receipt in self.mentioned


class Examination:
    """Collects facts entry by entry; `observations` asks about them at the end."""

    def __init__(self, receipts: ObjectStore, objects: ObjectStore) -> None:
        self._receipts = receipts
        self._objects = objects
        self._facts = _Facts()
        self._known_faults: dict[str, list[str]] = {}
        self.counts = Counts()

    def take(self, entry: Entry) -> None:
        """Take in one entry, in the order of the ledger."""
        facts, body = self._facts, entry.body
        facts.mentioned.update(_mentions(body))
        if isinstance(body, Run):
            self.counts.runs += 1
            _take_run(facts, entry.id, body)
        elif isinstance(body, Experiment):
            self.counts.experiments += 1
            _take_experiment(facts, entry.id, body)
        elif isinstance(body, Contract):
            facts.contracts.append((entry.index, body))

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
            raw = self._receipts.get(Digest.parse(uri.removeprefix(SCHEME)))
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


def _mentions(body: AnyBody) -> Iterator[str]:
    """Yield the receipts that the body cites and the entries that it names."""
    if isinstance(body, Experiment):
        yield from _cited(body.evidence)
        for cause in body.attribution or ():
            yield from _cited(cause.evidence)
        for delta in body.delta or ():
            yield from delta.runs
        yield from body.rests_on or ()
    elif isinstance(body, Finding):
        yield from _cited(body.evidence)
    elif isinstance(body, Contract):
        yield from filter(None, (body.made_by, body.follows))
    elif isinstance(body, CORRECTIONS):
        yield from (*(body.targets or ()), *(body.runs or ()))


def _cited(evidence: list[Evidence] | None) -> Iterator[str]:
    yield from (item.receipt for item in evidence or ())


def _take_run(facts: _Facts, entry_id: str, body: Run) -> None:
    facts.places[entry_id] = body.index
    if body.phase == "admitted":
        facts.admitted[entry_id] = (body.index, body.cell)
        return
    if body.admission:
        facts.ended.add(body.admission)
    ran = _Ran(
        index=body.index,
        id=entry_id,
        phase=body.phase,
        receipt=body.receipt,
        cell=body.cell,
        window=body.window,
        arm=body.arm,
        admission=body.admission,
    )
    facts.runs.append(ran)
    if body.receipt:
        # A receipt that is entered again proves nothing: where it stood first counts.
        facts.by_receipt.setdefault(body.receipt, ran)


def _take_experiment(facts: _Facts, entry_id: str, body: Experiment) -> None:
    facts.places[entry_id] = body.index
    cites = tuple(item.receipt for item in body.evidence or ())
    said = body.gate or []
    facts.tested.append(
        _Tested(
            index=body.index,
            hypothesis=bool(body.hypothesis),
            answers=body.answers,
            cites=cites,
            contracts=tuple(gate.contract for gate in said if gate.contract),
            failed=tuple(gate.name for gate in said if gate.result == "fail"),
            delta=bool(body.delta),
        )
    )


def _open_runs(facts: _Facts) -> Iterator[Observation]:
    for admission, (index, cell) in facts.admitted.items():
        if admission not in facts.ended:
            yield Observation(index, "open run", f"a run of {cell} was admitted and never finished")


def _siblings(facts: _Facts) -> Iterator[Observation]:
    """Name the windows, or single runs, of a cell of which some are cited and some are not."""
    groups: dict[tuple[str, bool], list[_Ran]] = defaultdict(list)
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


def _unmentioned(facts: _Facts) -> Iterator[Observation]:
    for ran in facts.runs:
        if ran.is_whole and not facts.is_mentioned(ran):
            what = f"window {ran.window}" if ran.window else "run"
            message = f"no entry mentions this {ran.phase} {what} of {ran.cell}"
            yield Observation(ran.index, "unmentioned", message)


def _afterthoughts(facts: _Facts) -> Iterator[Observation]:
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


def _retired(facts: _Facts) -> Iterator[Observation]:
    retired = {old: index for index, body in facts.contracts for old in body.retires or ()}
    for tested in facts.tested:
        for contract in dict.fromkeys(tested.contracts):
            if tested.delta and contract in retired:
                yield Observation(
                    tested.index,
                    "retired contract",
                    f"its delta was judged under {contract[:12]}…, which entry "
                    f"{retired[contract]} retired",
                )


def _loosened(facts: _Facts) -> Iterator[Observation]:
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


def _failures(facts: _Facts, name: str, before: int) -> Iterator[int]:
    yield from (t.index for t in facts.tested if name in t.failed and t.index < before)


def _in_force(history: list[tuple[int, NumericGate]], index: int) -> NumericGate:
    """Return the gate that entry `index` failed; one that failed before any contract had none."""
    return next((gate for since, gate in reversed(history) if since < index), history[0][1])


def _are(indexes: list[int]) -> str:
    return "are" if len(indexes) > 1 else "is"


def _listed(indexes: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(indexes)))
