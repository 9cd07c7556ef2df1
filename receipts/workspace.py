"""Where things are: `evidence.yaml`, found upwards from the working directory as git finds `.git`.

::

    version: 1
    origin: perf.example.org/engine        # what the ledger is called in checkpoints
    ledger: evidence/ledger.db
    objects: evidence/objects              # raw files, logs, plans, by digest
    receipts: evidence/receipts            # receipts, by digest
    registers: [claims.yaml]
    documents: [README.md]
    genesis: 3f…                           # pinned by `ledger init`
    log_key: ssh-ed25519 AAAA…

Private keys lie in the user's configuration folder, remembered heads and locks in the state folder:
never beside the evidence, which may be published.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from receipts import files, keys, yaml_source
from receipts.errors import MalformedError, NotFoundError
from receipts.keys import PublicKey
from receipts.shape import Hex64, Shape, Whole
from receipts.store import ObjectStore

FILE = files.CONFIGURATION


class Configuration(Shape):
    """The fields of `evidence.yaml`."""

    version: Whole = 1
    origin: str
    ledger: str = "evidence/ledger.db"
    objects: str = "evidence/objects"
    receipts: str = "evidence/receipts"
    registers: list[str] = Field(default_factory=lambda: ["claims.yaml"])
    documents: list[str] = Field(default_factory=list)
    vocabulary: list[str] = Field(default_factory=list)
    baseline: str | None = None
    genesis: Hex64 | None = None
    log_key: str | None = None
    anchor: str | None = None
    locks: str | None = None


@dataclass(frozen=True)
class Workspace:
    """A repository with its configuration; every path in it is relative to `root`."""

    root: Path
    configuration: Configuration

    @property
    def ledger(self) -> Path:
        """The ledger's database file."""
        return self.root / self.configuration.ledger

    def require_ledger(self) -> None:
        """Refuse a ledger that is pinned and gone: a fresh one would be a silent fork."""
        if self.configuration.genesis and not self.ledger.exists():
            raise NotFoundError(
                f"ledger {self.ledger} is gone, and {FILE} pins it: restore it from a backup"
            )

    @property
    def objects(self) -> ObjectStore:
        """Raw files, logs and plans."""
        return ObjectStore(self.root / self.configuration.objects)

    @property
    def receipts(self) -> ObjectStore:
        """Receipts, as the bytes of their envelopes."""
        return ObjectStore(self.root / self.configuration.receipts)

    @property
    def log_key(self) -> PublicKey | None:
        """The log's public key as pinned, if it is pinned."""
        pinned = self.configuration.log_key
        return PublicKey.parse(pinned) if pinned else None


def find(start: Path) -> Workspace:
    """Return the workspace that `start` lies in, or raise `NotFoundError`."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return read(folder)
    raise NotFoundError(f"no {FILE} here or above {start}; `ledger init` makes one")


def read(root: Path) -> Workspace:
    """Return the workspace whose `evidence.yaml` lies in `root`."""
    configuration = yaml_source.read(root / FILE).parse(Configuration)
    if configuration.version != 1:
        raise MalformedError(f"{root / FILE}: version {configuration.version} is not known")
    return Workspace(root, configuration)


def config_dir() -> Path:
    """Return the folder for a person's keys."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "evidence-ledger"


def state_dir() -> Path:
    """Return the folder for remembered heads and locks."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "evidence-ledger"


def person_key_path() -> Path:
    """Return where the person's private key is: `$EVIDENCE_KEY`, or `id_ed25519` in the folder."""
    return Path(os.environ.get("EVIDENCE_KEY") or config_dir() / "id_ed25519")


def log_key_path(log_key: PublicKey) -> Path:
    """Return where the private key of the log with this public key is kept."""
    return config_dir() / "logs" / f"{log_key.raw.hex()[:16]}_ed25519"


def person_key(ask: keys.Passphrase | None = None) -> keys.SigningKey:
    """Return the person's signing key."""
    return keys.load(person_key_path(), ask)
