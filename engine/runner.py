"""One command under one lease: admitted in the ledger, run, recorded whatever became of it.

1. the apparatus admits it (`apparatus.admission`), or RUN *refused* is appended with the reason
2. RUN *admitted* is appended                  killed after this: the run stays open, and shows
3. the command runs; its output is captured    killed after this: the same
4. raw file, log and receipt are stored        killed after this: the same, with objects kept
5. RUN *finished*, *failed* or *void* names the receipt

The command's own status, whether it was admitted and what our command exits with are three fields:
a command that exits with 75 has failed, and was not refused.
A run that exits with another status than 0, writes no raw file or an unreadable one, or is
interrupted, has failed and is on record as such; nothing is tried again. One that went well by
itself is *void* where the apparatus saw what makes its numbers nobody's (`admission.Watch.void`).
What would keep a run from being recorded (a name that is taken, a raw file that is there already)
stops before 1.
"""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine import declared, environment, figures, names, phases
from engine.apparatus import admission, forbidden, kept, lease, process
from engine.apparatus.admission import Watch
from engine.apparatus.lease import Lease
from engine.apparatus.process import Done
from engine.apparatus.terms import Terms
from engine.plan import fill
from engine.results import detect
from engine.results.model import ResultFile
from engine.statistics import decimal_text
from ledger.entry import Entry
from ledger.session import Session
from receipts import canonical, exits
from receipts import receipt as receipts_format
from receipts.clock import Clock, format_time
from receipts.digest import Digest
from receipts.errors import ConflictError, Error, HeldError
from receipts.keys import SigningKey
from receipts.predicates import Facts, RunPredicate
from receipts.receipt import LOG, RAW, Receipt

SAMPLES = "samples"
"""The subject with every sample of a run, a line of canonical JSON each."""
_REASON_LENGTH = 2000


@dataclass(frozen=True)
class Order:
    """What is to be run, and as what it goes on record."""

    cell: str
    command: Sequence[str]
    name: str | None = None
    arm: str | None = None
    repetition: int | None = None
    window: str | None = None
    plan: str | None = None
    identity: Facts = field(default_factory=dict)
    raw: Path | None = None
    """The file that the command writes; None when the command takes it from `{raw}`."""

    def marks(self) -> dict[str, Any]:
        """Return the fields that RUN entries and receipts share, absent ones left out."""
        names = ("cell", "arm", "repetition", "window", "plan")
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Outcome:
    """How a run ended; `file` is there when it has a readable raw file and succeeded."""

    receipt: Receipt
    entry: Entry
    exit_status: int | None
    file: ResultFile | None
    fault: str | None
    exit_code: int = exits.OK
    """What our own command exits with; the command's status is `exit_status`."""
    refusal: str | None = None
    """Who still held a device when the run was over, None when nobody did."""
    taints: tuple[str, ...] = ()

    @property
    def uri(self) -> str:
        """The receipt's URI by digest."""
        return self.receipt.uri


@dataclass(frozen=True)
class _Ended:
    started_at: str
    finished_at: str
    duration_ns: int
    process: Done


def perform(
    here: Session, key: SigningKey, order: Order, clock: Clock, terms: Terms | None = None
) -> Outcome:
    """Lease what `terms` name, run `order` under it, and return what became of it.

    A lease that is not to be had is a refusal on record, like all of `run`.
    """
    _require_recordable(here, order)
    with ExitStack() as stack:
        with _refusals(here, key, order):
            terms = (terms or Terms()).resolved()
            forbidden.require(order.command, admit_profiler=terms.admit_profiler)
            held = stack.enter_context(lease.acquire(order.cell, devices=terms.devices))
        return run(here, key, held, order, clock, terms=terms)


def run(
    here: Session,
    key: SigningKey,
    held: Lease,
    order: Order,
    clock: Clock,
    *,
    terms: Terms | None = None,
) -> Outcome:
    """Run `order` under the lease `held` and return what became of it.

    The receipt of a repetition in a window carries no figures: no timing stands anywhere before
    the window's exactness gate has been passed. What is not admitted is on record as *refused*, and
    the refusal is raised.
    """
    _require_recordable(here, order)
    with _refusals(here, key, order):
        watch = admission.admit((terms or Terms()).resolved(), held, order.command)
    admitted = _record(here, key, order, "admitted", title=f"admitted: {order.cell}")
    with _folder() as folder:
        raw = order.raw or folder / "raw"
        command = fill(list(order.command), raw)
        program = kept.program(command)
        ended = _execute(command, folder / "log", raw, watch, clock)
        data, missing = kept.take(raw)
        readable = data if not ended.process.fault else None
        file, fault = (None, None) if readable is None else kept.read(readable)
        fault = ended.process.fault or missing or fault or _impossible(file, ended.duration_ns)
        fault = fault or watch.void
        subjects = _store(here, data, folder / "log", watch.rows)
        predicate = _predicate(order, command, watch, ended, file, program, fault)
        receipt = receipts_format.make(key, subjects, predicate)
        here.workspace.receipts.put(receipt.envelope.raw)
    status = ended.process.exit_status
    entry = _conclude(here, key, order, admitted, receipt, status, fault, _phase(fault, watch))
    if fault == process.INTERRUPTED or watch.interrupted:
        raise KeyboardInterrupt
    return Outcome(
        receipt=receipt,
        entry=entry,
        exit_status=ended.process.exit_status,
        file=None if fault else file,
        fault=fault,
        exit_code=_exit_code(fault, watch),
        refusal=watch.refusal,
        taints=tuple(watch.taints),
    )


def refuse(here: Session, key: SigningKey, order: Order, reason: str) -> Entry:
    """Append that `order` was refused; nothing was started."""
    told = reason[:_REASON_LENGTH]
    return _record(here, key, order, "refused", f"refused: {order.cell}", reason=told)


@contextmanager
def _refusals(here: Session, key: SigningKey, order: Order) -> Iterator[None]:
    """Put every refusal of what stands inside on record, and let it go on."""
    try:
        yield
    except (Error, KeyboardInterrupt) as error:
        refuse(here, key, order, str(error) or process.INTERRUPTED)
        raise


def _conclude(  # noqa: PLR0913 - an entry says everything that is known
    here: Session,
    key: SigningKey,
    order: Order,
    admitted: Entry,
    receipt: Receipt,
    status: int | None,
    fault: str | None,
    phase: str,
) -> Entry:
    """Append how the run ended, under its name unless that was taken meanwhile."""
    facts: dict[str, Any] = {"admission": admitted.id, "receipt": receipt.uri}
    facts |= {} if status is None else {"exit_status": status}
    facts |= {"reason": fault} if fault else {}
    named = {"name": order.name} if order.name and not fault else {}
    title = f"{phase}: {order.cell}"
    try:
        return _record(here, key, order, phase, title, **facts, **named)
    except ConflictError as error:
        if not named:
            raise
        facts |= {"reason": f"unnamed: {error}"}
        return _record(here, key, order, phase, title, **facts)


def _phase(fault: str | None, watch: Watch) -> str:
    """Say how the run ended; *void* where nothing but the apparatus is against it."""
    if fault is None:
        return "finished"
    return "void" if fault == watch.void else "failed"


def _exit_code(fault: str | None, watch: Watch) -> int:
    if fault == process.INTERRUPTED or watch.interrupted:
        return exits.INTERRUPTED
    if watch.refusal:
        return HeldError.exit_code
    return exits.NO if fault else exits.OK


def _impossible(file: ResultFile | None, duration_ns: int) -> str | None:
    """Return why the rows cannot be of this process: they tell of more time than it lived."""
    told = phases.timed_ns(file) if file else 0
    if told <= duration_ns:
        return None
    seconds = decimal_text(Fraction(told, 10**9), 4), decimal_text(Fraction(duration_ns, 10**9), 4)
    return f"the rows tell of {seconds[0]} s, the command ran for {seconds[1]} s"


def _require_recordable(here: Session, order: Order) -> None:
    """Refuse, before anything runs, what could not be put on record afterwards."""
    if order.name:
        names.require_free(here, order.name)
    if order.raw and os.path.lexists(order.raw):
        raise ConflictError(f"raw file {order.raw} is there already; the run must write a new one")
    declared.require(order.identity)
    canonical.encode({"command": list(order.command), "identity": order.identity})


def _record(
    here: Session, key: SigningKey, order: Order, phase: str, title: str, **facts: Any
) -> Entry:
    body = {"kind": "RUN", "phase": phase, "title": title, **order.marks(), **facts}
    return here.ledger.append(body, key)


def _execute(command: list[str], log: Path, raw: Path, watch: Watch, clock: Clock) -> _Ended:
    variables = {"EVIDENCE_RAW": str(raw), **watch.lease.variables()}
    with admission.over(watch) as sampler:
        started_at, start = format_time(clock()), time.monotonic_ns()
        done = process.run(
            command,
            log,
            variables,
            watch.lease.descriptors,
            deadline=watch.terms.deadline,
            on_start=sampler.follow,
            on_end=sampler.connections.finish,
        )
        duration, finished_at = time.monotonic_ns() - start, format_time(clock())
    if done.overdue:
        watch.taints.append(str(done.fault))
    return _Ended(started_at, finished_at, duration, done)


def _store(here: Session, data: bytes | None, log: Path, samples: bytes) -> dict[str, str]:
    objects = here.workspace.objects
    subjects: dict[str, str] = {} if data is None else {RAW: objects.put(data)}
    subjects |= {LOG: objects.put_file(log)} if log.is_file() else {}
    return subjects | ({SAMPLES: objects.put(samples)} if samples else {})


def _predicate(  # noqa: PLR0913 - a receipt says everything that is known
    order: Order,
    command: list[str],
    watch: Watch,
    ended: _Ended,
    file: ResultFile | None,
    program: Digest | None,
    fault: str | None,
) -> RunPredicate:
    own, dropped = declared.below(order.identity, file)
    doubts = [str(note) for run in file.runs for note in detect.notes(file, run)] if file else []
    told = [*dict.fromkeys(doubts), *figures.alike(file)] if file else []
    return RunPredicate(
        origin="witnessed",
        **order.marks(),
        reader=file.reader if file else None,
        command=command,
        identity=own | kept.identity(program, file),
        environment=environment.fingerprint(),
        lease=watch.lease.facts(),
        started_at=ended.started_at,
        finished_at=ended.finished_at,
        duration_ns=ended.duration_ns,
        exit_status=ended.process.exit_status,
        admission="admitted",
        exit_code=_exit_code(fault, watch),
        apparatus=watch.apparatus(),
        taints=watch.taints,
        figures=figures.of_file(file) if file and not fault and not order.window else [],
        warnings=[*ended.process.warnings, *watch.warnings, *told, *dropped],
    )


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="evidence-ledger-run-") as folder:
        yield Path(folder)
