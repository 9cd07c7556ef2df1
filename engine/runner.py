"""One command under one lease: admitted in the ledger, run, recorded whatever became of it.

1. RUN *admitted* is appended                  killed after this: the run stays open, and shows
2. the command runs; its output is captured    killed after this: the same
3. raw file, log and receipt are stored        killed after this: the same, with objects kept
4. RUN *finished* or *failed* names the receipt

A run that exits with another status than 0, writes no raw file or an unreadable one, or is
interrupted, has failed and is on record as such; nothing is tried again.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import environment, figures
from engine.lease import Lease
from engine.plan import fill
from engine.results import detect
from engine.results.model import ResultFile
from ledger.entry import Entry
from ledger.session import Session
from receipts import receipt as receipts_format
from receipts.clock import Clock, format_time
from receipts.digest import Digest
from receipts.errors import Error
from receipts.keys import SigningKey
from receipts.receipt import LOG, RAW, SCHEME, Receipt
from receipts.statement import Facts, RunPredicate

GRACE_SECONDS = 5.0
INTERRUPTED = "interrupted"


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
        return SCHEME + self.receipt.digest


@dataclass(frozen=True)
class _Ended:
    started_at: str
    finished_at: str
    duration_ns: int
    exit_status: int | None
    fault: str | None


def run(here: Session, key: SigningKey, lease: Lease, order: Order, clock: Clock) -> Outcome:
    """Run `order` and return what became of it.

    The receipt of a repetition in a window carries no figures: no timing stands anywhere before
    the window's exactness gate has been passed.
    """
    admitted = _record(here, key, order, "admitted", title=f"admitted: {order.cell}")
    with _folder() as folder:
        raw = order.raw or folder / "raw"
        command = fill(list(order.command), raw)
        ended = _execute(command, folder / "log", raw, lease, clock)
        file, fault = _read(raw) if ended.fault is None else (None, ended.fault)
        subjects = _store(here, {RAW: raw, LOG: folder / "log"})
        predicate = _predicate(order, command, lease, ended, file)
        receipt = receipts_format.make(key, subjects, predicate)
        here.workspace.receipts.put(receipt.envelope.raw)
    phase = "failed" if fault else "finished"
    facts: dict[str, Any] = {"admission": admitted.id, "receipt": SCHEME + receipt.digest}
    facts |= {"exit_status": ended.exit_status} if ended.exit_status is not None else {}
    facts |= {"reason": fault} if fault else {}
    facts |= {"name": order.name} if order.name and not fault else {}
    entry = _record(here, key, order, phase, title=f"{phase}: {order.cell}", **facts)
    if fault == INTERRUPTED:
        raise KeyboardInterrupt
    return Outcome(receipt, entry, ended.exit_status, None if fault else file, fault)


def _record(
    here: Session, key: SigningKey, order: Order, phase: str, title: str, **facts: Any
) -> Entry:
    body = {"kind": "RUN", "phase": phase, "title": title, **order.marks(), **facts}
    return here.ledger.append(body, key)


def _execute(command: list[str], log: Path, raw: Path, lease: Lease, clock: Clock) -> _Ended:
    started_at, start = format_time(clock()), time.monotonic_ns()
    status, fault = _spawn(command, log, raw, lease)
    duration = time.monotonic_ns() - start
    return _Ended(started_at, format_time(clock()), duration, status, fault)


def _spawn(command: list[str], log: Path, raw: Path, lease: Lease) -> tuple[int | None, str | None]:
    with log.open("xb") as output:
        try:
            child = subprocess.Popen(  # noqa: S603 - running the person's command is the purpose
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "EVIDENCE_RAW": str(raw)},
                pass_fds=(lease.descriptor,),
                start_new_session=True,
            )
        except OSError as error:
            return None, f"{command[0]}: {error.strerror}"
        try:
            status = child.wait()
        except KeyboardInterrupt:
            return _end(child), INTERRUPTED
        os.fsync(output.fileno())
    if status < 0:
        return status, f"the command died of {signal.Signals(-status).name}"
    return status, f"the command exited with {status}" if status else None


def _end(child: "subprocess.Popen[bytes]") -> int | None:
    """End the process group that we started, gently and then firmly; nothing else is signalled."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            return child.wait(GRACE_SECONDS)
        except ProcessLookupError:
            return child.wait()
        except subprocess.TimeoutExpired:
            continue
    return None


def _read(raw: Path) -> tuple[ResultFile | None, str | None]:
    if not raw.is_file():
        return None, "the command wrote no raw file"
    if raw.stat().st_size > detect.MAX_BYTES:
        return None, f"the raw file is over the limit of {detect.MAX_BYTES} bytes"
    try:
        return detect.read(raw.read_bytes()), None
    except Error as error:
        return None, f"the raw file is refused: {error}"


def _store(here: Session, files: Mapping[str, Path]) -> dict[str, str]:
    objects = here.workspace.objects
    return {name: objects.put_file(path) for name, path in files.items() if path.is_file()}


def _predicate(
    order: Order, command: list[str], lease: Lease, ended: _Ended, file: ResultFile | None
) -> RunPredicate:
    return RunPredicate(
        origin="witnessed",
        **order.marks(),
        reader=file.reader if file else None,
        command=command,
        identity=_identity(order, command, file),
        environment=environment.fingerprint(),
        lease=lease.facts(),
        started_at=ended.started_at,
        finished_at=ended.finished_at,
        duration_ns=ended.duration_ns,
        exit_status=ended.exit_status,
        figures=figures.of_file(file) if file and not order.window else [],
        warnings=list(file.warnings) if file else [],
    )


def _identity(order: Order, command: list[str], file: ResultFile | None) -> Facts:
    """Return what was run: told by the raw file, hashed by us, declared by the person."""
    told: Facts = dict(file.runs[0].identity) if file and len(file.runs) == 1 else {}
    program = shutil.which(command[0])
    if program:
        told["program"] = Digest.of_file(Path(program).resolve())
    binary = told.get("build") or told.get("program")
    return told | ({"binary": binary} if binary else {}) | dict(order.identity)


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="evidence-ledger-run-") as folder:
        yield Path(folder)
