"""Raw files that were measured elsewhere: read, stored, and put on record as *attached*.

Nobody saw them being measured, and the receipt says so. All files are read before anything is
written; a file that no reader understands is refused, and then none is attached.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import declared, environment, figures, names
from engine.results import detect
from engine.results.model import ResultFile
from ledger.entry import Entry
from ledger.session import Session
from receipts import files
from receipts import receipt as receipts_format
from receipts.clock import Clock, format_time
from receipts.digest import Digest
from receipts.errors import Error
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
            "receipt": self.receipt.uri,
            "uri": SCHEME + self.name,
            "entry": self.entry.index,
            "reader": getattr(predicate, "reader", None),
            "figures": [figure.plain() for figure in found],
            "warnings": predicate.warnings,
        }


def attach(
    here: Session,
    key: SigningKey,
    clock: Clock,
    files: Sequence[tuple[Path, str]],
    cell: str,
    facts: Facts,
) -> list[Attached]:
    """Attach `files` (path and name); `facts` are declared of every one of them."""
    declared.require(facts)
    here.ledger.trust().require(key.public.fingerprint, "engineer")
    for _, name in files:
        names.require_free(here, name)
    read = [(path, name, *_read(path)) for path, name in files]
    made = [
        (path, name, data, _make(key, clock, cell, facts, file, data))
        for path, name, data, file in read
    ]
    return [_attach(here, key, *item) for item in made]


def names_of(here: Session, paths: Sequence[Path]) -> list[str]:
    """Return a free name for each file, made from the file's own, no name twice."""
    given: list[str] = []
    for path in paths:
        given.append(names.first_free(here, _candidates(path), given))
    return given


def _candidates(path: Path) -> Iterator[str]:
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.name.partition(".")[0]).strip("-._") or "file"
    yield stem[:56]
    yield from (f"{stem[:56]}-{number}" for number in itertools.count(2))


def _read(path: Path) -> tuple[bytes, ResultFile]:
    data = files.read(path, detect.MAX_BYTES, "raw file")
    try:
        return data, detect.read(data)
    except Error as error:
        raise type(error)(f"{path}: {error}") from error


def _make(
    key: SigningKey, clock: Clock, cell: str, facts: Facts, file: ResultFile, data: bytes
) -> Receipt:
    kept, dropped = declared.below(facts, file)
    told = [*file.warnings, *dict.fromkeys(w for r in file.runs for w in r.warnings)]
    fields = {
        "origin": "attached",
        "cell": cell,
        "reader": file.reader,
        "identity": {**kept, **_common(file)},
        "environment": {"attached_on": environment.fingerprint()["system"]},
        "attached_at": format_time(clock()),
        "figures": figures.of_file(file),
        "warnings": [*told, *figures.alike(file), *dropped],
    }
    predicate = RunPredicate.parse(fields, "receipt")
    return receipts_format.make(key, {RAW: Digest.of(data)}, predicate)


def _attach(
    here: Session, key: SigningKey, path: Path, name: str, data: bytes, receipt: Receipt
) -> Attached:
    here.workspace.objects.put(data)
    here.workspace.receipts.put(receipt.envelope.raw)
    body = {
        "kind": "RUN",
        "phase": "attached",
        "title": f"attached: {path.name[:200]}",
        "cell": receipt.predicate.cell,
        "name": name,
        "receipt": receipt.uri,
    }
    return Attached(path, name, receipt, here.ledger.append(body, key))


def _common(file: ResultFile) -> Facts:
    """Return the identity facts on which all runs of the file agree."""
    first = file.runs[0].identity
    others = [run.identity for run in file.runs[1:]]
    return {k: v for k, v in first.items() if all(other.get(k) == v for other in others)}
