"""After damage or loss: what is whole, what is lost, and how to go on without hiding it.

`salvage` copies the entries from the first one on for as long as each is read, hashes to its id,
continues the chain and parses, into a new file, with the checkpoints that are of these entries. It
never invents, reorders or skips. `resume` lets the restored ledger continue: a RECOVERY entry names
the last checkpoint that is trusted and what is lost, and from then on everybody can see that there
was a loss.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ledger import checkpoint, store
from ledger.bodies import Genesis
from ledger.entry import FIRST_PREV, Entry, decode
from ledger.merkle import Frontier
from ledger.note import Verifier
from ledger.session import Session
from receipts.errors import Error, MalformedError, VerificationError
from receipts.keys import PublicKey, SigningKey
from receipts.store import ObjectStore

BEYOND = 1000


@dataclass
class Salvage:
    """What could be kept and what could not."""

    whole: int = 0
    checkpoints: int = 0
    fault: str | None = None
    detached: list[int] = field(default_factory=list)
    receipts: int = 0

    def lines(self) -> Iterator[str]:
        """Yield it as text."""
        if self.fault is None:
            yield f"nothing is lost: {self.whole} entries are whole"
            return
        yield f"whole: entries 0 to {self.whole - 1}" if self.whole else "whole: no entry"
        yield f"lost from entry {self.whole} on: {self.fault}"
        if self.detached:
            yield (
                f"readable but detached from the chain, and not kept: {len(self.detached)} rows "
                f"({self.detached[0]} to {self.detached[-1]})"
            )
        yield f"checkpoints kept: {self.checkpoints}; receipts still in the store: {self.receipts}"

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        lost = {"fault": self.fault} if self.fault else {}
        return {
            "whole": self.whole,
            "checkpoints": self.checkpoints,
            "receipts": self.receipts,
            "detached": self.detached,
            **lost,
        }


def salvage(damaged: Path, receipts: ObjectStore, output: Path | None) -> Salvage:
    """Return what is whole in `damaged`, and write that to the new ledger file `output`."""
    done = Salvage(receipts=sum(1 for _ in receipts.digests()))
    entries, done.fault = _whole(damaged)
    done.whole = len(entries)
    notes = _checkpoints(damaged, entries)
    done.checkpoints = len(notes)
    done.detached = _detached(damaged, done.whole) if done.fault else []
    if output is not None and entries:
        _write(output, entries, notes)
    return done


def resume(here: Session, kept: str, lost: list[str], key: SigningKey) -> Entry:
    """Append the RECOVERY entry; `kept` is the last checkpoint that is trusted.

    Raises when that checkpoint is not of this log or the ledger does not extend it.
    """
    body = here.ledger.entry(0).body
    if not isinstance(body, Genesis):
        raise MalformedError("the ledger has no GENESIS entry")
    verifier = Verifier(body.origin, PublicKey.parse(body.log_key))
    trusted = checkpoint.open_checkpoint(kept, verifier)
    tree = Frontier()
    for entry in here.ledger.entries():
        if tree.size < trusted.size:
            tree.add(entry.leaf_hash)
    if (tree.size, tree.root()) != (trusted.size, trusted.root):
        raise VerificationError(
            f"the ledger does not extend the checkpoint of {trusted.size}: restore a better copy"
        )
    fields = {"title": f"continued after a loss, from {trusted.size} entries"}
    text = checkpoint.format_checkpoint(trusted)
    return here.ledger.continue_after_loss({**fields, "checkpoint": text, "lost": lost}, key)


def _whole(path: Path) -> tuple[list[Entry], str | None]:
    """Return the entries that are whole, and why they end; None when nothing follows them."""
    entries: list[Entry] = []
    prev = FIRST_PREV
    try:
        opened = store.open_for_reading(path)
        size = opened.state()[0]
        for index in range(size):
            entry = decode(opened.envelope(index) or b"")
            if entry.index != index or getattr(entry.body, "prev", None) != prev:
                raise VerificationError(f"entry {index} does not continue the chain")
            if opened.indexes(entry.id) != [index]:
                raise VerificationError(f"entry {index} is not the one its id names")
            entries.append(entry)
            prev = entry.id
    except Error as error:
        return entries, str(error)
    return entries, None


def _detached(path: Path, start: int) -> list[int]:
    """Return which rows after the loss can still be read, as far as a bound goes."""
    found = []
    for index in range(start, start + BEYOND):
        try:
            opened = store.open_for_reading(path)
            if decode(opened.envelope(index) or b"").index == index:
                found.append(index)
            opened.close()
        except Error:
            continue
    return found


def _checkpoints(path: Path, entries: list[Entry]) -> list[tuple[int, str]]:
    """Return the stored checkpoints that are of these entries and signed by their log."""
    if not entries or not isinstance(entries[0].body, Genesis):
        return []
    genesis = entries[0].body
    verifier = Verifier(genesis.origin, PublicKey.parse(genesis.log_key))
    roots = _roots(entries)
    kept = []
    try:
        for size, signed in store.open_for_reading(path).checkpoints():
            if _is_of(signed, size, roots, verifier):
                kept.append((size, signed))
    except Error:
        return kept
    return kept


def _is_of(signed: Any, size: Any, roots: list[bytes], verifier: Verifier) -> bool:
    try:
        found = checkpoint.open_checkpoint(str(signed), verifier)
    except Error:
        return False
    return bool(found.size == size and size < len(roots) and roots[size] == found.root)


def _roots(entries: list[Entry]) -> list[bytes]:
    tree = Frontier()
    roots = [tree.root()]
    for entry in entries:
        tree.add(entry.leaf_hash)
        roots.append(tree.root())
    return roots


def _write(output: Path, entries: list[Entry], notes: list[tuple[int, str]]) -> None:
    with store.create(output) as fresh, fresh.transaction():
        for entry in entries:
            fresh.append(entry.index, entry.id, entry.leaf_hash, entry.raw)
        for size, signed in notes:
            fresh.add_checkpoint(size, signed)
