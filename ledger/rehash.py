"""The first of two passes of a verification: bytes only. Every id, leaf, subtree and root again.

It knows nothing of what entries mean, so it can run in a process of its own beside the pass that
does (`ledger.audit`), on the other core. Rows that are appended while it runs are left for the next
time: `size` bounds both passes.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from ledger import merkle, note, store
from ledger.checkpoint import parse_checkpoint
from ledger.heads import Head
from ledger.merkle import Frontier
from ledger.report import MAX_FINDINGS, Finding
from ledger.rows import Row, Store
from receipts.errors import Error, MalformedError, NotFoundError, VerificationError

NO_NOTES = bytes(32)


@dataclass(frozen=True)
class Task:
    """What to hash: the first `size` rows of the file, from `start` on if `known` is its head.

    `ask` is a size whose root the caller wants to compare; `notes` is the digest of the checkpoints
    that are not read.
    """

    path: Path
    size: int
    ask: int = 0
    known: Head | None = None
    notes: bytes = NO_NOTES


@dataclass
class Rehashed:
    """What the bytes are, whatever they mean."""

    entries: int = 0
    head: str | None = None
    genesis: str | None = None
    tree: Head | None = None
    asked: bytes | None = None
    asked_notes: bytes | None = None
    notes: bytes = NO_NOTES
    checkpoints: int = 0
    covered: int = 0
    checkpoint: str | None = None
    findings: list[Finding] = field(default_factory=list)

    def add(self, index: int | None, code: str, message: str) -> None:
        """Record a finding."""
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Finding(index, code, message))


def rehash(task: Task) -> Rehashed:
    """Hash the rows that `task` names and return what was found."""
    done = Rehashed()
    try:
        opened = store.open_for_reading(task.path)
    except (VerificationError, NotFoundError) as error:
        done.add(None, "damaged", str(error))
        return done
    try:
        _Pass(opened, task, done).run()
    except (VerificationError, NotFoundError) as error:
        done.add(None, "damaged", str(error))
    finally:
        opened.close()
    return done


class _Pass:
    """One walk over the rows, with the tree growing beside it."""

    def __init__(self, opened: Store, task: Task, done: Rehashed) -> None:
        self._store = opened
        self._task = task
        self._done = done
        self._nodes: list[tuple[int, int, bytes]] = []
        self._start = task.known.size if task.known else 0
        self._tree = Frontier.at(self._start, opened.node)

    def run(self) -> None:
        done, known = self._done, self._task.known
        if known and self._tree.root() != known.root:
            raise VerificationError(f"the first {known.size} entries are not those verified before")
        done.notes = self._task.notes
        checkpoints = _Checkpoints(self._store, self._start, done)
        for expected, row in enumerate(self._rows(), self._start):
            self._row(expected, row)
            if self._tree.size == self._task.ask:
                done.asked = self._tree.root()
            checkpoints.meet(self._tree)
            if self._tree.size == self._task.ask:
                done.asked_notes = done.notes
        done.tree = Head(self._tree.size, self._tree.root())
        self._compare_nodes()
        checkpoints.finish(self._store.state()[0])

    def _rows(self) -> Iterator[Row]:
        rows = self._store.rows(self._start) if self._start else self._store.rows()
        # Counted, not compared: a changed index must not end the walk.
        yield from islice(rows, self._task.size - self._start)

    def _row(self, expected: int, row: Row) -> None:
        done = self._done
        done.entries += 1
        if row.idx != expected:
            done.add(expected, "index", f"the row after {expected - 1} has the index {row.idx}")
        if not isinstance(row.envelope, bytes):
            done.add(expected, "type", "the envelope is not stored as bytes")
            return
        computed = hashlib.sha256(row.envelope).hexdigest()
        if row.id != computed:
            done.add(expected, "id", f"the stored id is not SHA-256 of the bytes ({computed})")
        leaf = merkle.leaf_hash(row.envelope)
        if row.leaf_hash != leaf:
            done.add(expected, "leaf", "the stored leaf hash is not that of the bytes")
        self._nodes.extend(self._tree.add(leaf))
        done.head = computed
        done.genesis = computed if expected == 0 else done.genesis

    def _compare_nodes(self) -> None:
        """Compare the stored subtrees that these rows completed; report those of nothing."""
        stored = []
        beyond = False
        final = self._store.state()[0]
        for level, index, node in self._store.nodes(self._start):
            end = (index + 1) << level if isinstance(level, int) and isinstance(index, int) else 0
            if self._start < end <= self._tree.size:
                stored.append((level, index, node))
            beyond = beyond or end > max(final, self._store.state()[0])
        self._nodes.sort()
        if stored != self._nodes or beyond:
            self._done.add(None, "tree", "stored subtree hashes differ from those of the entries")


class _Checkpoints:
    """The stored checkpoints, met one by one while the tree grows past their sizes."""

    def __init__(self, opened: Store, start: int, done: Rehashed) -> None:
        self._stored = opened.checkpoints(start)
        self._done = done
        self._next = next(self._stored, None)
        done.covered = start if start else 0

    def meet(self, tree: Frontier) -> None:
        """Compare the checkpoints that are due with the tree's root."""
        while self._next and self._next[0] <= tree.size:
            size, signed = self._next
            self._next = next(self._stored, None)
            self._done.checkpoints += 1
            self._done.notes = _chained(self._done.notes, signed)
            try:
                _compare(size, signed, tree)
                self._done.covered, self._done.checkpoint = size, signed
            except Error as error:
                self._done.add(None, "checkpoint", f"checkpoint {size}: {error}")

    def finish(self, size: int) -> None:
        """Report the checkpoints that cover more than there is."""
        if self._next and self._next[0] > size:
            message = f"checkpoint {self._next[0]} covers more than the {size} entries here"
            self._done.add(None, "checkpoint", message)


def _chained(notes: bytes, signed: Any) -> bytes:
    text = signed.encode("utf-8", "surrogateescape") if isinstance(signed, str) else b""
    return hashlib.sha256(notes + text).digest()


def _compare(size: int, signed: Any, tree: Frontier) -> None:
    if not isinstance(signed, str):
        raise MalformedError("it is not stored as text")
    found = parse_checkpoint(note.split(signed)[0])
    if (found.size, size, found.root) != (tree.size, tree.size, tree.root()):
        raise VerificationError("it is not of these entries")
