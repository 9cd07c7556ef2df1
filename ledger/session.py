"""A person at a ledger: the workspace found, the pins compared, the keys at hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ledger.entry import Entry
from ledger.heads import Heads
from ledger.log import Ledger
from receipts import keys, workspace
from receipts.clock import Clock, system_clock
from receipts.errors import VerificationError
from receipts.keys import Passphrase, SigningKey
from receipts.workspace import Workspace


@dataclass(frozen=True)
class Session:
    """An opened ledger in its workspace."""

    workspace: Workspace
    ledger: Ledger
    ask: Passphrase | None

    def key(self, path: Path | None = None) -> SigningKey:
        """Return the person's signing key, or the one in `path`."""
        return keys.load(path, self.ask) if path else workspace.person_key(self.ask)


@contextmanager
def open_ledger(
    *,
    write: bool = False,
    ask: Passphrase | None = None,
    clock: Clock = system_clock,
    cached: bool = True,
) -> Iterator[Session]:
    """Open the ledger of the workspace around the working directory.

    Without `cached` nothing is taken from the cache file: the index is built from the ledger.
    """
    place = workspace.find(Path.cwd())
    place.require_ledger()
    heads = remembered_heads()
    with Ledger.open(place.ledger, heads, clock, write=write, cached=cached) as ledger:
        require_pins(place, ledger.entry(0))
        if write:
            ledger.log_signer = log_signer(ledger.log_key, ask)
        yield Session(place, ledger, ask)


def remembered_heads() -> Heads:
    """Return the heads in this person's state folder."""
    return Heads(workspace.state_dir() / "heads")


def log_signer(log_key: keys.PublicKey, ask: Passphrase | None) -> SigningKey | None:
    """Return the log's private key if it is on this machine."""
    path = workspace.log_key_path(log_key)
    return keys.load(path, ask) if path.exists() or path.is_symlink() else None


def require_pins(place: Workspace, genesis: Entry) -> None:
    """Refuse a ledger that is not the one `evidence.yaml` pins."""
    pinned = place.configuration.genesis
    if pinned and pinned != genesis.id:
        raise VerificationError(
            f"{place.ledger} begins with {genesis.id[:16]}…, "
            f"{workspace.FILE} pins {pinned[:16]}…: it is another ledger"
        )
