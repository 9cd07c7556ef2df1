"""Raw files that were measured elsewhere: read, stored, and put on record as *attached*.

Nobody saw them being measured, and the receipt says so. All files are read before anything is
written; a file that no reader understands is refused, and then none is attached.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import environment, figures
from engine.results import detect
from engine.results.model import ResultFile
from ledger.entry import Entry
from ledger.session import Session
from receipts import receipt as receipts_format
from receipts.clock import Clock, format_time
from receipts.errors import Error, MalformedError, NotFoundError
from receipts.keys import SigningKey
from receipts.receipt import RAW, SCHEME, Receipt
from receipts.statement import Facts, RunPredicate


@dataclass(frozen=True)
class Attached:
    """One file on record."""

    path: Path
    name: str
    receipt: Receipt
    entry: Entry

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        predicate = self.receipt.predicate
        found = predicate.figures if isinstance(predicate, RunPredicate) else []
        return {
            "file": str(self.path),
            "name": self.name,
            "receipt": SCHEME + self.receipt.digest,
            "uri": SCHEME + self.name,
            "entry": self.entry.index,
            "reader": getattr(predicate, "reader", None),
            "figures": [figure.plain() for figure in found],
            "warnings": predicate.warnings,
        }


def attach(
    here: Session, key: SigningKey, clock: Clock, files: Sequence[tuple[Path, str]], marks: Facts
) -> list[Attached]:
    """Attach `files` (path and name); `marks` holds `cell` and the declared identity."""
    read = [(path, name, *_read(path)) for path, name in files]
    return [_attach(here, key, clock, marks, item) for item in read]


def name_of(here: Session, path: Path) -> str:
    """Return a name for the file that is free in the ledger, made from the file's own."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.name.partition(".")[0]).strip("-._") or "file"
    name, number = stem[:56], 1
    while here.ledger.index.find("name", name):
        number += 1
        name = f"{stem[:56]}-{number}"
    return name


def _read(path: Path) -> tuple[bytes, ResultFile]:
    if not path.is_file():
        raise NotFoundError(f"{path} does not exist or is no file")
    if path.stat().st_size > detect.MAX_BYTES:
        raise MalformedError(f"{path} is over the limit of {detect.MAX_BYTES} bytes")
    data = path.read_bytes()
    try:
        return data, detect.read(data)
    except Error as error:
        raise type(error)(f"{path}: {error}") from error


def _attach(
    here: Session,
    key: SigningKey,
    clock: Clock,
    marks: Facts,
    item: tuple[Path, str, bytes, ResultFile],
) -> Attached:
    path, name, data, file = item
    cell = str(marks["cell"])
    identity: Facts = dict(file.runs[0].identity) if len(file.runs) == 1 else _common(file)
    predicate = RunPredicate(
        origin="attached",
        cell=cell,
        reader=file.reader,
        identity=identity | {k: v for k, v in marks.items() if k != "cell"},
        environment={"attached_on": environment.fingerprint()["system"]},
        attached_at=format_time(clock()),
        figures=figures.of_file(file),
        warnings=[*file.warnings, *dict.fromkeys(w for run in file.runs for w in run.warnings)],
    )
    digest = here.workspace.objects.put(data)
    receipt = receipts_format.make(key, {RAW: digest}, predicate)
    here.workspace.receipts.put(receipt.envelope.raw)
    body = {
        "kind": "RUN",
        "phase": "attached",
        "title": f"attached: {path.name[:200]}",
        "cell": cell,
        "name": name,
        "receipt": SCHEME + receipt.digest,
    }
    return Attached(path, name, receipt, here.ledger.append(body, key))


def _common(file: ResultFile) -> Facts:
    """Return the identity facts on which all runs of the file agree."""
    first = file.runs[0].identity
    others = [run.identity for run in file.runs[1:]]
    return {k: v for k, v in first.items() if all(other.get(k) == v for other in others)}
