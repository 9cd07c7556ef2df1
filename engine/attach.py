"""Raw files that were measured elsewhere: read, searched for secrets, put on record as *attached*.

Nobody saw them being measured, and the receipt says so. All files are read before anything is
written; where one is refused, none is attached. Most tools do not say on what they ran, so a
sidecar that does can be bound to the file; most harnesses write down their keys, so nothing secret
is stored unless somebody says that it may be.
"""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from engine import declared, environment, figures, names, raw
from engine import sidecar as sidecars
from engine.raw import Raw
from engine.results import content, detect
from engine.results.model import ResultFile
from engine.secrets import redaction
from engine.sidecar import Sidecar
from ledger.entry import Entry
from ledger.session import Session
from receipts import files
from receipts import receipt as receipts_format
from receipts.clock import Clock, format_time
from receipts.digest import Digest
from receipts.errors import ConflictError, Error, MalformedError, UsageError
from receipts.keys import SigningKey
from receipts.predicates import Facts, RunPredicate
from receipts.receipt import ENVIRONMENT, RAW, SCHEME, SUMMARY, Receipt

Secrets = Literal["refuse", "redact", "keep"]


@dataclass(frozen=True)
class Terms:
    """What is declared about the files that are attached together."""

    cell: str
    facts: Facts = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    summary: Path | None = None
    environment: Sidecar | None = None
    secrets: Secrets = "refuse"


def terms(
    *,
    identity: Sequence[str] = (),
    environment: str | None = None,
    columns: Sequence[str] = (),
    policies: Sequence[str] = (),
    clock: Clock,
    **others: Any,
) -> Terms:
    """Return what the words of a command line declare; `environment` is a path or ``here``."""
    sidecar = None
    if environment == "here":
        told = sidecars.gather(engine={}, model={}, server_flags=None, clock=clock)
        sidecar = sidecars.make(told)
    elif environment:
        sidecar = sidecars.read(Path(environment))
    return Terms(
        facts=declared.parse(identity),
        columns=tuple(columns),
        policies=tuple(policies),
        environment=sidecar,
        **others,
    )


@dataclass(frozen=True)
class Incoming:
    """One file, read: what will be stored of it, and what was taken out."""

    path: Path
    name: str
    raw: Raw
    original: Digest
    redacted: tuple[str, ...]


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
    named: Sequence[tuple[Path, str]],
    terms: Terms,
) -> list[Attached]:
    """Attach the files (path and name) under `terms`, which hold for every one of them."""
    declared.require(terms.facts)
    here.ledger.trust().require(key.public.fingerprint, "engineer")
    for path, name in named:
        names.require_free(here, name)
        _require_no_secret_words(path, name, terms)
    if terms.environment:
        terms = replace(terms, environment=_beside(terms.environment, terms.secrets))
    incoming = [_read(path, name, terms) for path, name in named]
    made = [(one, _make(key, clock, one, terms)) for one in incoming]
    return [_attach(here, key, one, receipt, terms) for one, receipt in made]


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


def _read(path: Path, name: str, terms: Terms) -> Incoming:
    data = files.read(path, detect.MAX_BYTES, "raw file")
    beside = None
    if terms.summary:
        beside = files.read(terms.summary, detect.MAX_BYTES, "summary")
        beside, _ = _without_secrets(terms.summary, beside, terms.secrets)
    kept, redacted = _without_secrets(path, data, terms.secrets)
    try:
        found = raw.understand(kept, beside, terms.columns)
    except UsageError:
        raise  # the columns that were declared are the person's, not the file's
    except Error as error:
        raise MalformedError(f"{path}: {error}") from error
    _require_samples(path, found)
    return Incoming(path, name, found, Digest.of(data), redacted)


def _without_secrets(path: Path, data: bytes, secrets: Secrets) -> tuple[bytes, tuple[str, ...]]:
    """Return what may be stored of a file, and what was taken out of it; an archive is unpacked."""
    try:
        unpacked = content.unpack(data).data
    except Error as error:
        raise MalformedError(f"{path}: {error}") from error
    found = redaction.find(unpacked) if secrets != "keep" else ()
    if not found:
        return data, ()
    if secrets == "refuse":
        raise _stored(str(path), found, "attach with --redact, or")
    return redaction.redact(unpacked, found), tuple(map(_placed, found))


def _beside(sidecar: Sidecar, secrets: Secrets) -> Sidecar:
    """Return what may be stored of a sidecar; it is there to name its hosts."""
    data = sidecars.encode(sidecar)
    found = [one for one in redaction.find(data) if one.kind != "host"]
    if not found or secrets == "keep":
        return sidecar
    if secrets == "refuse":
        raise _stored("environment sidecar", found, "attach with --redact, or")
    return sidecars.parse(redaction.redact(data, found))


def _require_no_secret_words(path: Path, name: str, terms: Terms) -> None:
    """Refuse a secret in what is declared: names go on record, where nothing can be taken out."""
    words = [terms.facts, name, terms.cell, path.name]
    found = [one for one in redaction.find(json.dumps(words).encode()) if one.kind != "host"]
    if found and terms.secrets != "keep":
        place = f"{path}: its name or what is declared"
        raise _stored(place, found, "leave them out, or attach", where=False)


def _placed(one: redaction.Secret) -> str:
    return f"{one.kind} at {one.place}"


def _stored(
    place: str, found: Sequence[redaction.Secret], remedy: str, *, where: bool = True
) -> ConflictError:
    told = ((_placed(one) if where else one.kind, one.excerpt) for one in found)
    shown = "; ".join(f"{kind}: {excerpt}" for kind, excerpt in told)
    return ConflictError(
        f"{place}: {len(found)} secrets would be stored ({shown[:300]}); "
        f"{remedy} with --keep-secrets if they may be published"
    )


def _require_samples(path: Path, found: Raw) -> None:
    """Refuse a file of which nothing could ever be cited."""
    if any(run.samples for run in found.file.runs):
        return
    notes = [note for run in found.file.runs for note in run.notes if note.bars]
    rows = any(len(run.rows) for run in found.file.runs)
    nothing = "no-metric: no quantity of its rows has a metric" if rows else "no-rows: no samples"
    why = str(notes[0]) if notes else nothing
    raise MalformedError(f"{path}: {why}")


def _make(key: SigningKey, clock: Clock, one: Incoming, terms: Terms) -> Receipt:
    file = one.raw.file
    kept, dropped = declared.below(terms.facts, file)
    known = sidecars.facts(terms.environment) if terms.environment else {}
    dropped += [f"declared {name} left out: the sidecar tells it" for name in kept if name in known]
    kept = {name: value for name, value in kept.items() if name not in known}
    policies = frozenset(terms.policies)
    notes = [note for run in file.runs for note in detect.notes(file, run)]
    told = dict.fromkeys(note.told(policies) for note in notes)
    optional = {
        "columns": list(one.raw.columns),
        "policies": list(terms.policies),
        "redacted": list(one.redacted),
        "original": one.original if one.redacted else None,
    }
    fields = {
        "origin": "attached",
        "cell": terms.cell,
        "reader": file.reader,
        "identity": {**kept, **_common(file)},
        "environment": {"attached_on": environment.fingerprint()["system"], **known},
        "attached_at": format_time(clock()),
        "figures": figures.of_file(file, policies),
        "warnings": [*told, *figures.alike(file), *dropped],
        **{name: value for name, value in optional.items() if value},
    }
    predicate = RunPredicate.parse(fields, "receipt")
    subjects = {RAW: Digest.of(one.raw.data)}
    if one.raw.summary is not None:
        subjects[SUMMARY] = Digest.of(one.raw.summary)
    if terms.environment:
        subjects[ENVIRONMENT] = Digest.of(sidecars.encode(terms.environment))
    try:
        return receipts_format.make(key, subjects, predicate)
    except MalformedError as error:
        raise MalformedError(f"{one.path}: {error}") from error


def _attach(
    here: Session, key: SigningKey, one: Incoming, receipt: Receipt, terms: Terms
) -> Attached:
    here.workspace.objects.put(one.raw.data)
    if one.raw.summary is not None:
        here.workspace.objects.put(one.raw.summary)
    if terms.environment:
        here.workspace.objects.put(sidecars.encode(terms.environment))
    here.workspace.receipts.put(receipt.envelope.raw)
    body = {
        "kind": "RUN",
        "phase": "attached",
        "title": f"attached: {_spelt(one.path.name)[:200]}",
        "cell": receipt.predicate.cell,
        "name": one.name,
        "receipt": receipt.uri,
    }
    return Attached(one.path, one.name, receipt, here.ledger.append(body, key))


def _spelt(name: str) -> str:
    """Return the name of a file as text that can be signed: a byte that is no UTF-8 spelt out."""
    return name.encode("utf-8", "backslashreplace").decode()


def _common(file: ResultFile) -> Facts:
    """Return the identity facts on which all runs of the file agree."""
    first = file.runs[0].identity
    others = [run.identity for run in file.runs[1:]]
    return {k: v for k, v in first.items() if all(other.get(k) == v for other in others)}
