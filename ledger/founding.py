"""`ledger init`: find or make, in order, a person's key, a log key, the ledger, `evidence.yaml`.

Each step is finished before the next begins, and a step that finds its result already there leaves
it alone, so that an interrupted `init` is completed by the next one. A ledger that `evidence.yaml`
pins but that is not there is never made anew: a fresh file would be a silent fork.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from ledger import log
from ledger.bodies import Genesis
from ledger.heads import Heads
from ledger.log import Ledger
from receipts import files, keys, workspace
from receipts.clock import Clock
from receipts.errors import ConflictError, MalformedError, NotFoundError
from receipts.keys import Passphrase, PublicKey, SigningKey
from receipts.workspace import Configuration, Workspace

_TEXT = """\
# Where the evidence is, and which ledger it is. Commit this file; it holds no secrets.
version: 1
origin: {origin}
ledger: {ledger}
objects: {objects}
receipts: {receipts}
registers: [claims.yaml]
documents: [README.md]
genesis: {genesis}
log_key: {log_key}
"""


@dataclass
class Founding:
    """What `init` found and what it made."""

    workspace: Workspace
    key: Path
    log_key: Path
    genesis: str
    fingerprint: str
    made: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)


def found(root: Path, origin: str | None, known: Heads, clock: Clock, ask: Passphrase) -> Founding:
    """Complete the workspace in `root` and say what was made."""
    file = root / workspace.FILE
    present = workspace.read(root) if file.is_file() else None
    place = present or Workspace(root, Configuration(origin=origin or _default_origin(root)))
    made: list[str] = []
    there: list[str] = []
    path = workspace.person_key_path()
    (there if path.exists() else made).append(f"key {path}")
    person = keys.load(path, ask) if path.exists() else keys.generate(path, "evidence-ledger")
    if place.ledger.exists():
        there.append(f"ledger {place.ledger}")
    else:
        _make_ledger(place, person, clock)
        made.append(f"ledger {place.ledger}")
    with Ledger.open(place.ledger, known, clock, write=True) as ledger:
        signer = workspace.log_key_path(ledger.log_key)
        ledger.log_signer = keys.load(signer, ask) if signer.exists() else None
        genesis = ledger.entry(0)
        named = genesis.body.origin if isinstance(genesis.body, Genesis) else ""
        if origin and origin != named:
            raise ConflictError(f"{place.ledger} is the ledger {named}; an origin never changes")
        made.extend(_enrol(ledger, person))
        log_key = ledger.log_key
    if present is None:
        text = _configuration(place, named, genesis.id, log_key)
        files.write_new(file, text.encode())
        place = workspace.read(root)
    (there if present else made).append(f"configuration {file}")
    fingerprint = person.public.fingerprint
    return Founding(place, path, signer, genesis.id, fingerprint, made, there)


def _make_ledger(place: Workspace, person: SigningKey, clock: Clock) -> None:
    if place.configuration.genesis:
        raise NotFoundError(
            f"{workspace.FILE} pins a ledger that is not at {place.ledger}; restore it "
            "from a backup (a fresh one would be a silent fork)"
        )
    # The log key's own name depends on the key: make it first, then give it its place.
    folder = workspace.config_dir() / "logs"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    incoming = folder / f".incoming-{clock().timestamp():.6f}"
    signer = keys.generate(incoming, place.configuration.origin)
    final = workspace.log_key_path(signer.public)
    incoming.rename(final)
    incoming.with_name(incoming.name + ".pub").rename(final.with_name(final.name + ".pub"))
    fields = {"title": "genesis", "origin": place.configuration.origin}
    log.create(place.ledger, fields, person, signer, clock)


def _enrol(ledger: Ledger, person: SigningKey) -> list[str]:
    """Give the founding operator the roles of engineer and runner, once."""
    body = ledger.entry(0).body
    state = ledger.trust().keys.get(person.public.fingerprint)
    founder = isinstance(body, Genesis) and PublicKey.parse(body.operator) == person.public
    if not founder or state is None or state.roles != {"operator"}:
        return []
    roles = ["operator", "engineer", "runner"]
    fields = {"kind": "KEY", "action": "enrol", "key": person.public.openssh, "roles": roles}
    ledger.append({**fields, "title": "the founder is also engineer and runner"}, person)
    return ["entry 0 GENESIS", "entry 1 KEY"]


def _configuration(place: Workspace, origin: str, genesis: str, log_key: PublicKey) -> str:
    return _TEXT.format(
        **place.configuration.model_dump(include={"ledger", "objects", "receipts"}),
        origin=_quoted(origin),
        genesis=genesis,
        log_key=log_key.openssh,
    )


def _quoted(text: str) -> str:
    """Return `text` as a YAML scalar that is read back as the same text."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9._-]*/[A-Za-z0-9./_-]+", text)
    return text if plain else json.dumps(text)


def _default_origin(root: Path) -> str:
    name = "".join(c if (c.isascii() and c.isalnum()) or c in "-._" else "-" for c in root.name)
    if not name:
        raise MalformedError(
            "give the ledger a name with --origin, such as perf.example.org/engine"
        )
    return f"local/{name}"
