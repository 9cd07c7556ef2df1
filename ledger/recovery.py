"""After damage or loss: what is whole, what is lost, and how to go on without hiding it.

`salvage` copies the entries from the first one on for as long as each is read, hashes to its id,
continues the chain, parses and is signed by a key that may, into a new file, with the checkpoints
that are of these entries. It never invents, reorders or skips. `resume` lets the restored ledger
continue: a RECOVERY entry names the last checkpoint that is trusted and what is lost, and from then
on everybody can see that there was a loss.
"""

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ledger import admission, checkpoint, store
from ledger.bodies import Genesis
from ledger.checkpoint import Checkpoint
from ledger.entry import FIRST_PREV, Entry, decode, decode_row
from ledger.merkle import Frontier
from ledger.note import Verifier
from ledger.rows import Row, Store
from ledger.session import Session
from ledger.trust import Lookup, Trust
from ledger.verified import Memory
from receipts import workspace
from receipts.errors import Error, MalformedError, NotFoundError, VerificationError
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
    notice: str | None = None

    def lines(self) -> Iterator[str]:
        """Yield it as text."""
        if self.notice:
            yield f"note: {self.notice}"
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
        lost |= {"notice": self.notice} if self.notice else {}
        return {
            "whole": self.whole,
            "checkpoints": self.checkpoints,
            "receipts": self.receipts,
            "detached": self.detached,
            **lost,
        }


def salvage(damaged: Path, receipts: ObjectStore, output: Path | None, seen: int = 0) -> Salvage:
    """Return what is whole in `damaged`, and write that to the new ledger file `output`.

    `seen` is how many entries somebody remembers; fewer than that are a loss.
    """
    done = Salvage(receipts=sum(1 for _ in receipts.digests()))
    try:
        opened = store.open_for_reading(damaged)
    except Error as error:
        done.fault = str(error)
        return done
    with closing(opened):
        done.notice = opened.notice
        entries, done.fault = _whole(opened)
        done.whole = len(entries)
        notes, covered = _checkpoints(opened, entries)
        done.checkpoints = len(notes)
        done.fault = done.fault or _missing(done.whole, covered, seen)
        done.detached = _detached(opened, done.whole) if done.fault else []
        if output is not None and entries:
            _write(output, entries, notes, _cosignatures(opened, notes))
    return done


def _missing(whole: int, covered: int, seen: int) -> str | None:
    if whole < covered:
        return f"a stored checkpoint covers {covered} entries"
    return f"the remembered head saw {seen} entries" if whole < seen else None


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
    abandoned = here.ledger.remembered()
    if abandoned:
        root = abandoned.root.hex()
        lost = [*lost, f"this machine remembered {abandoned.size} entries under the root {root}"]
    entry = here.ledger.continue_after_loss({**fields, "checkpoint": text, "lost": lost}, key)
    # What was verified before the loss is no longer what is here.
    Memory(workspace.state_dir() / "verified").forget(here.ledger.log_key)
    return entry


def _whole(opened: Store) -> tuple[list[Entry], str | None]:
    """Return the entries that are whole, and why they end; None when nothing follows them.

    Rows are taken from the table itself, page by page: a damaged index loses nothing.
    """
    entries: list[Entry] = []
    trust = Trust()
    by_id: dict[str, Entry] = {}
    try:
        for row in opened.rows():
            entry = _continued(row, entries)
            admission.check(entry, trust, _lookup(by_id)).verify(
                entry.envelope.signature, entry.envelope.signed_bytes
            )
            trust.apply(entry.body)
            entries.append(entry)
            by_id[entry.id] = entry
    except Error as error:
        return entries, str(error)
    return entries, None


def _continued(row: Row, entries: list[Entry]) -> Entry:
    """Return the entry in `row` if it is the one that follows these; else raise."""
    index = len(entries)
    if row.idx != index:
        raise VerificationError(f"the row after {index - 1} has the index {row.idx}")
    if not isinstance(row.envelope, bytes):
        raise VerificationError(f"entry {index} is not stored as bytes")
    entry = decode_row(index, row.envelope)
    if row.id != entry.id:
        raise VerificationError(f"entry {index} is not the one its id names")
    prev = entries[-1].id if entries else FIRST_PREV
    if entry.index != index or entry.body.prev != prev:
        raise VerificationError(f"entry {index} does not continue the chain")
    return entry


def _lookup(known: dict[str, Entry]) -> Lookup:
    def by_id(entry_id: str) -> Entry:
        if entry_id not in known:
            raise NotFoundError(f"the target {entry_id[:16]}… is no earlier entry")
        return known[entry_id]

    return by_id


def _detached(opened: Store, start: int) -> list[int]:
    """Return which rows after the loss can still be read, as far as a bound goes."""
    found = []
    for index in range(start, start + BEYOND):
        try:
            if decode(opened.envelope(index) or b"").index == index:
                found.append(index)
        except Error:
            continue
    return found


def _checkpoints(opened: Store, entries: list[Entry]) -> tuple[list[tuple[int, str]], int]:
    """Return the checkpoints that are of these entries, and the largest size the log signed."""
    if not entries or not isinstance(entries[0].body, Genesis):
        return [], 0
    genesis = entries[0].body
    verifier = Verifier(genesis.origin, PublicKey.parse(genesis.log_key))
    roots = _roots(entries)
    kept: list[tuple[int, str]] = []
    covered = 0
    try:
        for size, signed in opened.checkpoints():
            found = _signed(signed, size, verifier)
            covered = max(covered, found.size if found else 0)
            if found and found.size < len(roots) and roots[found.size] == found.root:
                kept.append((found.size, signed))
    except Error:
        return kept, covered
    return kept, covered


def _cosignatures(opened: Store, notes: list[tuple[int, str]]) -> list[tuple[int, str, str]]:
    """Return the witnesses' lines on these checkpoints, as far as they can be read."""
    found = []
    for size, _ in notes:
        with suppress(Error):
            lines = list(opened.cosignatures(size))
            found += [row for row in lines if isinstance(row[1], str) and isinstance(row[2], str)]
    return found


def _signed(signed: Any, size: Any, verifier: Verifier) -> Checkpoint | None:
    try:
        found = checkpoint.open_checkpoint(str(signed), verifier)
    except Error:
        return None
    return found if found.size == size else None


def _roots(entries: list[Entry]) -> list[bytes]:
    tree = Frontier()
    roots = [tree.root()]
    for entry in entries:
        tree.add(entry.leaf_hash)
        roots.append(tree.root())
    return roots


def _write(
    output: Path,
    entries: list[Entry],
    notes: list[tuple[int, str]],
    cosignatures: list[tuple[int, str, str]],
) -> None:
    tree = Frontier()
    with store.create(output) as fresh, fresh.transaction():
        for entry in entries:
            fresh.append(entry.index, entry.id, entry.leaf_hash, entry.raw, tree)
        for size, signed in notes:
            fresh.add_checkpoint(size, signed)
        for size, name, line in cosignatures:
            fresh.add_cosignature(size, name, line)
