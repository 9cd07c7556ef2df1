"""The ledger as its users see it: append, read, resolve.

An append is one visible sequence. What a crash after each step leaves stands beside it.

1. take the write lock                                   nothing
2. compare with the remembered head                      nothing
3. build, sign and check the entry                       nothing
4. insert the entry, its subtrees, a signed checkpoint   a hot journal: the next writer rolls back
5. commit (durable when it returns)                      the entry is in the ledger
6. remember the new head, extend the cache               both lag, and catch up by themselves
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from ledger import admission, checkpoint, heads, merkle, note, proof, store
from ledger.bodies import Genesis, Run
from ledger.checkpoint import Checkpoint
from ledger.entry import FIRST_PREV, ID, Entry, decode_row, encode, validate
from ledger.heads import Head, Heads
from ledger.index import Index
from ledger.merkle import Frontier
from ledger.rows import Store
from ledger.status import Status, fold
from ledger.trust import Trust
from receipts import envelope
from receipts.clock import Clock, format_time
from receipts.errors import (
    ConflictError,
    Error,
    MalformedError,
    NotFoundError,
    SystemFailureError,
    VerificationError,
)
from receipts.keys import PublicKey, SigningKey

KEY_KINDS = ("GENESIS", "KEY")
Draft = Mapping[str, Any] | Callable[[list[Entry]], Mapping[str, Any]]
CORRECTION_KINDS = ("CORRECTION", "AMENDMENT", "SUPERSEDED", "RETRACTION")


class Ledger:
    """One ledger file, opened for reading or for writing."""

    def __init__(self, opened: Store, index: Index, known: Heads, clock: Clock) -> None:
        self._store = opened
        self._heads = known
        self._clock = clock
        self._trust = Trust()
        self._trusted = 0
        self._grown: tuple[Frontier, str | None] = (Frontier(), None)
        self.index = index
        self.log_signer: SigningKey | None = None
        """The log's private key, where it is at hand; every append then signs a checkpoint."""

    @classmethod
    def open(
        cls, path: Path, known: Heads, clock: Clock, *, write: bool = False, cached: bool = True
    ) -> Self:
        """Open an existing ledger; without `cached` its index is built from the ledger alone."""
        opened = store.open_for_writing(path) if write else store.open_for_reading(path)
        ledger = cls(opened, Index(cache_path(path) if cached else None), known, clock)
        ledger.index.catch_up(opened)
        return ledger

    def close(self) -> None:
        """Close the file and the cache."""
        self._store.close()
        self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def notice(self) -> str | None:
        """What a reader should know about how the file was opened."""
        return self._store.notice

    @property
    def size(self) -> int:
        """The number of entries."""
        return self._store.state()[0]

    @cached_property
    def log_key(self) -> PublicKey:
        """The public key that signs this log's checkpoints, from GENESIS."""
        genesis = self.trust().genesis
        if genesis is None:
            raise MalformedError(f"{self._store.path} has no GENESIS entry")
        return PublicKey.parse(genesis.log_key)

    def entry(self, index: int) -> Entry:
        """Return entry `index`, or raise `NotFoundError`."""
        row = self._store.row(index)
        if row is None:
            raise NotFoundError(f"no entry {index}; the ledger has {self.size}")
        entry = decode_row(index, row.envelope)
        if entry.id != row.id:
            raise VerificationError(
                f"entry {index} is damaged: its bytes are not those of its id; run `ledger verify`"
            )
        return entry

    def entries(self, start: int = 0) -> Iterator[Entry]:
        """Yield the entries from index `start` on."""
        for row in self._store.rows(start):
            yield decode_row(row.idx, row.envelope)

    def resolve(self, reference: str) -> Entry:
        """Return the entry with this label, index, id or beginning of an id (six digits or more).

        Raises `NotFoundError` when nothing or more than one thing answers.
        """
        labelled = self.index.find("label", reference)
        if labelled:
            return self.entry(labelled[0])
        if reference.isascii() and reference.isdigit() and len(reference) < 16:
            return self.entry(int(reference))
        if len(reference) >= 6 and not set(reference) - set("0123456789abcdef"):
            matches = self._store.indexes(reference)
            if len(matches) == 1:
                return self.entry(matches[0])
            if matches:
                raise NotFoundError(f"{reference!r} is the beginning of several ids; give more")
        raise NotFoundError(f"no entry is called {reference!r}; `ledger list` shows what there is")

    def by_id(self, entry_id: str) -> Entry:
        """Return the entry with this id, or raise `NotFoundError`."""
        matches = self._store.indexes(entry_id) if ID.fullmatch(entry_id) else []
        if len(matches) != 1:
            raise NotFoundError(f"no entry has the id {entry_id}")
        return self.entry(matches[0])

    def trust(self) -> Trust:
        """Return the standing of every key after the last entry."""
        if self._trusted != self.index.size:
            for index in self.index.of_kinds(*KEY_KINDS, start=self._trusted):
                self._trust.apply(self.entry(index).body)
            self._trusted = self.index.size
        return self._trust

    def trust_at(self, index: int) -> Trust:
        """Return the standing of every key just before entry `index`."""
        trust = Trust()
        for earlier in self.index.of_kinds(*KEY_KINDS):
            if earlier < index:
                trust.apply(self.entry(earlier).body)
        return trust

    def status(self) -> Status:
        """Return what corrections did to every entry."""
        found = self.index.of_kinds(*CORRECTION_KINDS)
        return fold((self.entry(index) for index in found), self.by_id)

    def remembered(self) -> Head | None:
        """Return the head that this machine remembers of the log, None when there is none."""
        return self._heads.recall(self.log_key)

    def checkpoint(self) -> str | None:
        """Return the last signed checkpoint, None when there is none."""
        return self._store.last_checkpoint()

    def append(self, fields: Mapping[str, Any], key: SigningKey) -> Entry:
        """Append an entry with these fields, signed by `key`, durably; return it.

        Raises before anything is written when the fields are malformed, the key may not sign
        them here, a label or name is taken, or the ledger does not extend the remembered head.
        """
        return self.append_all([fields], key)[0]

    def append_all(self, bodies: Iterable[Draft], key: SigningKey) -> list[Entry]:
        """Append entries in one transaction with one checkpoint: all of them, or none.

        A body may be a function of what was appended before it, for one that names the others.
        """
        try:
            with self._store.transaction(), _no_search_for_cycles():
                appended, tree = self._grow(bodies, key)
                if not appended:
                    return []
                tree_head = self._conclude(tree)
                self._grown = (tree, appended[-1].id)
        except BaseException:
            self._forget()
            raise
        self._remember(tree_head)
        return appended

    def _grow(self, bodies: Iterable[Draft], key: SigningKey) -> tuple[list[Entry], Frontier]:
        """Write the entries; return them, and the edge of the tree after the last."""
        appended: list[Entry] = []
        self.index.catch_up(self._store)
        size, head = self._store.state()
        tree = self._tree_at(size, head)
        self._require_remembered(tree)
        self.trust()
        for index, draft in enumerate(bodies, start=size):
            fields = draft(appended) if callable(draft) else draft
            entry = self._build(fields, key, index, head)
            self._check(entry)
            self._write(entry, tree)
            appended.append(entry)
            head = entry.id
        return appended, tree

    def _remember(self, head: Head) -> None:
        try:
            self._heads.remember(self.log_key, head)
        except OSError as error:
            raise SystemFailureError(
                f"entry {head.size - 1} is in the ledger, but its head could not be remembered: "
                f"{error.filename}: {error.strerror}"
            ) from error

    def prove(self, index: int) -> bytes:
        """Return a proof file that entry `index` stands under the last checkpoint."""
        entry = self.entry(index)
        signed = self.checkpoint()
        size = checkpoint.parse_checkpoint(note.split(signed)[0]).size if signed else 0
        if signed is None or index >= size:
            raise NotFoundError(
                f"entry {index} is pending: the last checkpoint covers {size} entries"
            )
        hashes = merkle.prove_inclusion(index, size, self._store.node)
        signed += "".join(f"{line}\n" for _, _, line in self._store.cosignatures(size))
        return proof.format_proof(proof.Proof(index, tuple(hashes), signed, entry.raw))

    def continue_after_loss(self, fields: Mapping[str, Any], key: SigningKey) -> Entry:
        """Append a RECOVERY and remember its head, although the remembered one saw more."""
        known = self._heads
        self._heads = heads.Replacing(known.folder)
        try:
            return self.append({**fields, "kind": "RECOVERY"}, key)
        finally:
            self._heads = known

    def _tree_at(self, size: int, head: str | None) -> Frontier:
        """Return the edge of the tree: our own if the last entry is ours, else read anew.

        The last entry's id vouches for all before it, so an equal id is an equal tree.
        """
        tree, last = self._grown
        if (tree.size, last) == (size, head):
            return tree
        return Frontier.at(size, self._store.node)

    def _write(self, entry: Entry, tree: Frontier) -> None:
        self._store.append(entry.index, entry.id, entry.leaf_hash, entry.raw, tree)
        self.index.add(entry)
        self._trust.apply(entry.body)
        self._trusted = self.index.size

    def _conclude(self, tree: Frontier) -> Head:
        """Return the new tree head, signed where the log key is at hand."""
        head = Head(tree.size, tree.root())
        genesis = self.trust().genesis
        if self.log_signer and genesis:
            made = Checkpoint(genesis.origin, head.size, head.root)
            self._store.add_checkpoint(head.size, checkpoint.sign(made, self.log_signer))
        return head

    def _forget(self) -> None:
        """Drop what was learnt from entries that were rolled back."""
        self._trust, self._trusted = Trust(), 0
        self._grown = (Frontier(), None)
        with suppress(Error):
            self.index.catch_up(self._store)

    def _build(
        self, fields: Mapping[str, Any], key: SigningKey, size: int, head: str | None
    ) -> Entry:
        position = {"v": 1, "index": size, "prev": head or FIRST_PREV}
        body = validate({"at": format_time(self._clock()), **fields, **position})
        return Entry(envelope.parse(encode(body, key)), body)

    def _check(self, entry: Entry) -> None:
        body = entry.body
        admission.check(entry, self._trust, self.by_id)
        if isinstance(body, Genesis) and self.log_signer:
            _require_same(PublicKey.parse(body.log_key), self.log_signer)
        if body.label:
            self._require_unused("label", body.label)
        if isinstance(body, Run) and body.name:
            self._require_unused("name", body.name)

    def _require_unused(self, what: str, value: str) -> None:
        taken = self.index.find(what, value)
        if taken:
            raise ConflictError(f"the {what} {value!r} is taken by entry {taken[0]}")

    def _require_remembered(self, tree: Frontier) -> None:
        if tree.size == 0:
            return
        known = self._heads.recall(self.log_key)
        if known and known != Head(tree.size, tree.root()):
            heads.require_extends(tree.size, self._store.node, known, "the remembered head")


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Pause the garbage collector: entries hold no cycles, looking costs a fifth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def create(
    path: Path, fields: Mapping[str, Any], operator: SigningKey, log: SigningKey, clock: Clock
) -> Entry:
    """Make a new ledger whose GENESIS has these fields; the file appears complete or not at all."""
    with store.create(path) as fresh:
        ledger = Ledger(fresh, Index(None), _Forgetful(path.parent), clock)
        ledger.log_signer = log
        keys = {"log_key": log.public.openssh, "operator": operator.public.openssh}
        return ledger.append({"kind": "GENESIS", **keys, **fields}, operator)


class _Forgetful(Heads):
    """Heads that remember nothing: a ledger under construction has no name yet."""

    def remember(self, log_key: PublicKey, head: Head) -> None:
        """Do nothing."""


def cache_path(path: Path) -> Path:
    """Return where the cache of the ledger at `path` is kept."""
    return path.with_suffix(".index")


def _require_same(named: PublicKey, signer: SigningKey) -> None:
    if named != signer.public:
        raise ConflictError("the log key at hand is not the one that GENESIS names")
