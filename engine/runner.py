"""One command under one lease: admitted in the ledger, run, recorded whatever became of it.

1. RUN *admitted* is appended                  killed after this: the run stays open, and shows
2. the command runs; its output is captured    killed after this: the same
3. raw file, log and receipt are stored        killed after this: the same, with objects kept
4. RUN *finished* or *failed* names the receipt

A run that exits with another status than 0, writes no raw file or an unreadable one, or is
interrupted, has failed and is on record as such; nothing is tried again. What would keep a run
from being recorded (a name that is taken, a raw file that is there already) is refused before 1.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import declared, environment, figures, names, process
from engine.lease import Lease
from engine.plan import fill
from engine.process import Done
from engine.results import detect
from engine.results.model import ResultFile
from ledger.entry import Entry
from ledger.session import Session
from receipts import canonical
from receipts import receipt as receipts_format
from receipts.clock import Clock, format_time
from receipts.digest import Digest
from receipts.errors import ConflictError, Error
from receipts.keys import SigningKey
from receipts.receipt import LOG, RAW, Receipt
from receipts.statement import Facts, RunPredicate


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


def run(here: Session, key: SigningKey, lease: Lease, order: Order, clock: Clock) -> Outcome:
    """Run `order` and return what became of it.

    The receipt of a repetition in a window carries no figures: no timing stands anywhere before
    the window's exactness gate has been passed.
    """
    _require_recordable(here, order)
    admitted = _record(here, key, order, "admitted", title=f"admitted: {order.cell}")
    with _folder() as folder:
        raw = order.raw or folder / "raw"
        command = fill(list(order.command), raw)
        program = _program(command)
        ended = _execute(command, folder / "log", raw, lease, clock)
        data, missing = _take(raw)
        file, fault = _read(data) if data is not None and not ended.process.fault else (None, None)
        fault = ended.process.fault or missing or fault
        subjects = _store(here, data, folder / "log")
        predicate = _predicate(order, command, lease, ended, file, program)
        receipt = receipts_format.make(key, subjects, predicate)
        here.workspace.receipts.put(receipt.envelope.raw)
    phase = "failed" if fault else "finished"
    facts: dict[str, Any] = {"admission": admitted.id, "receipt": receipt.uri}
    facts |= (
        {"exit_status": ended.process.exit_status} if ended.process.exit_status is not None else {}
    )
    facts |= {"reason": fault} if fault else {}
    named = {"name": order.name} if order.name and not fault else {}
    title = f"{phase}: {order.cell}"
    try:
        entry = _record(here, key, order, phase, title, **facts, **named)
    except ConflictError as error:
        if not named:
            raise
        facts |= {"reason": f"unnamed: {error}"}
        entry = _record(here, key, order, phase, title, **facts)
    if fault == process.INTERRUPTED:
        raise KeyboardInterrupt
    return Outcome(receipt, entry, ended.process.exit_status, None if fault else file, fault)


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


def _execute(command: list[str], log: Path, raw: Path, lease: Lease, clock: Clock) -> _Ended:
    started_at, start = format_time(clock()), time.monotonic_ns()
    done = process.run(command, log, {"EVIDENCE_RAW": str(raw)}, lease.descriptor)
    duration = time.monotonic_ns() - start
    return _Ended(started_at, format_time(clock()), duration, done)


def _take(raw: Path) -> tuple[bytes | None, str | None]:
    """Return the raw file's bytes, read once, so that what is stored is what was computed from."""
    try:
        if not raw.is_file():
            return None, "the command wrote no raw file"
        with raw.open("rb") as stream:
            data = stream.read(detect.MAX_BYTES + 1)
    except OSError as error:
        return None, f"the raw file cannot be read: {error.strerror}"
    if len(data) > detect.MAX_BYTES:
        return None, f"the raw file is over the limit of {detect.MAX_BYTES} bytes"
    return data, None


def _read(data: bytes) -> tuple[ResultFile | None, str | None]:
    try:
        file = detect.read(data)
        # A foreign file may hold what no receipt can say, such as half a surrogate pair.
        found = [figure.plain() for figure in figures.of_file(file)]
        canonical.encode([found, _told(file), [str(note) for note in file.notes]])
    except Error as error:
        return None, f"the raw file is refused: {error}"
    return file, None


def _store(here: Session, data: bytes | None, log: Path) -> dict[str, str]:
    objects = here.workspace.objects
    subjects: dict[str, str] = {} if data is None else {RAW: objects.put(data)}
    return subjects | ({LOG: objects.put_file(log)} if log.is_file() else {})


def _predicate(
    order: Order,
    command: list[str],
    lease: Lease,
    ended: _Ended,
    file: ResultFile | None,
    program: Digest | None,
) -> RunPredicate:
    kept, dropped = declared.below(order.identity, file)
    doubts = [str(note) for run in file.runs for note in detect.notes(file, run)] if file else []
    told = [*dict.fromkeys(doubts), *figures.alike(file)] if file else []
    return RunPredicate(
        origin="witnessed",
        **order.marks(),
        reader=file.reader if file else None,
        command=command,
        identity=kept | _identity(program, file),
        environment=environment.fingerprint(),
        lease=lease.facts(),
        started_at=ended.started_at,
        finished_at=ended.finished_at,
        duration_ns=ended.duration_ns,
        exit_status=ended.process.exit_status,
        figures=figures.of_file(file) if file and not order.window else [],
        warnings=[*ended.process.warnings, *told, *dropped],
    )


def _program(command: list[str]) -> Digest | None:
    """Return the digest of the program's file as it is before the run, None if it has none."""
    path = shutil.which(command[0])
    try:
        return Digest.of_file(Path(path).resolve()) if path else None
    except OSError:
        return None


def _identity(program: Digest | None, file: ResultFile | None) -> Facts:
    """Return what was run: told by the raw file, hashed by us."""
    told = _told(file) if file else {}
    if program:
        told["program"] = program
    binary = told.get("build") or told.get("program")
    return told | ({"binary": binary} if binary else {})


def _told(file: ResultFile) -> Facts:
    return dict(file.runs[0].identity) if len(file.runs) == 1 else {}


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="evidence-ledger-run-") as folder:
        yield Path(folder)
