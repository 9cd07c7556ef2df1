"""Verify a ledger from its stored bytes alone, with none of the writer's code.

For every row, in order: the id and leaf hash are computed again, index and `prev` must continue the
chain, the body must parse strictly, the signing key must hold the right role at that index, and the
signature must verify. Besides: SQLite's own integrity check, the schema's text, the tree's stored
subtrees, every checkpoint, and the anchors. The report says *chain only*: whether the numbers are
right is another question.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ledger import admission, heads, merkle, note, store
from ledger.bodies import Genesis, Run
from ledger.checkpoint import parse_checkpoint
from ledger.entry import FIRST_PREV, Entry, decode
from ledger.heads import Head
from ledger.merkle import Frontier
from ledger.note import Verifier
from ledger.report import Report
from ledger.signatures import Signatures
from ledger.store import Row, Store
from ledger.trust import Trust
from receipts.errors import Error, MalformedError, NotFoundError, VerificationError
from receipts.keys import PublicKey, Signed

STRIDE = 1000
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Anchor:
    """A head that was seen elsewhere, and what to call it."""

    name: str
    head: Head


def audit(
    path: Path,
    anchors: Iterable[Anchor] = (),
    progress: Progress | None = None,
    observe: Callable[[Entry], None] | None = None,
) -> Report:
    """Check the ledger at `path` and return the report; damage is a finding, not an exception.

    `observe` is given every entry that parses and may stand where it stands, in order.
    """
    report = Report()
    try:
        opened = store.open_for_reading(path)
    except VerificationError as error:
        report.add(None, "damaged", str(error))
        return report
    report.notice = opened.notice
    try:
        walk = _Walk(opened, report, progress or (lambda _: None), observe or (lambda _: None))
        _audit(opened, list(anchors), report, walk)
    finally:
        opened.close()
    return report


def _audit(opened: Store, anchors: list[Anchor], report: Report, walk: "_Walk") -> None:
    steps: list[Callable[[], None]] = [
        lambda: _check_file(opened, report),
        walk.run,
        lambda: _check_cosignatures(opened, report),
        lambda: _check_anchors(opened, anchors, report),
    ]
    for step in steps:
        try:
            step()
        except (VerificationError, NotFoundError) as error:
            report.add(None, "damaged", str(error))


def _check_file(opened: Store, report: Report) -> None:
    for (message,) in opened.pragma("integrity_check"):
        if message != "ok":
            report.add(None, "damaged page", str(message).replace("\n", "; "))
    if opened.schema() != store.expected_schema():
        report.add(None, "schema", "tables or triggers differ from those of this format version")


class _Walk:
    """One pass over entries and checkpoints, in order."""

    def __init__(
        self,
        opened: Store,
        report: Report,
        progress: Progress,
        observe: Callable[[Entry], None],
    ) -> None:
        self._store = opened
        self._report = report
        self._progress = progress
        self._observe = observe
        self._trust = Trust()
        self._tree = Frontier()
        self._nodes: list[tuple[int, int, bytes]] = []
        self._prev = FIRST_PREV
        self._seen: set[tuple[str, str]] = set()
        self._log: Verifier | None = None

    def run(self) -> None:
        """Walk; every finding goes into the report."""
        report = self._report
        checkpoints = _Checkpoints(self._store.checkpoints(), report)
        with Signatures(self._blame) as signatures:
            for expected, row in enumerate(self._store.rows()):
                self._row(expected, row, signatures)
                for signed in checkpoints.at(self._tree, self._log):
                    signatures.check(signed)
                if expected % STRIDE == STRIDE - 1:
                    self._progress(STRIDE)
            checkpoints.finish(self._tree.size)
        report.signatures = signatures.count
        report.pending = report.entries - checkpoints.covered
        report.head = self._prev if report.entries else None
        report.tree_head = Head(self._tree.size, self._tree.root())
        self._nodes.sort()
        if list(self._store.nodes()) != self._nodes:
            report.add(None, "tree", "stored subtree hashes differ from those of the entries")

    def _row(self, expected: int, row: Row, signatures: Signatures) -> None:
        report = self._report
        report.entries += 1
        if row.idx != expected:
            report.add(expected, "index", f"the row after {expected - 1} has the index {row.idx}")
        if not isinstance(row.envelope, bytes):
            report.add(expected, "type", "the envelope is not stored as bytes")
            return
        computed = hashlib.sha256(row.envelope).hexdigest()
        if row.id != computed:
            report.add(expected, "id", f"the stored id is not SHA-256 of the bytes ({computed})")
        leaf = merkle.leaf_hash(row.envelope)
        if row.leaf_hash != leaf:
            report.add(expected, "leaf", "the stored leaf hash is not that of the bytes")
        self._nodes.extend(self._tree.add(leaf))
        try:
            self._entry(expected, decode(row.envelope), signatures)
        except Error as error:
            report.add(expected, _code(error), str(error))
        if expected == 0:
            report.genesis = computed
        self._prev = computed

    def _entry(self, expected: int, entry: Entry, signatures: Signatures) -> None:
        body = entry.body
        if body.index != expected:
            self._report.add(expected, "index", f"the signed index is {body.index}")
        if body.prev != self._prev:
            self._report.add(expected, "chain", "prev is not the id of the entry before")
        key = admission.check(entry, self._trust, self._earlier(expected))
        envelope = entry.envelope
        signatures.check(Signed(expected, key.raw, envelope.signature, envelope.signed_bytes))
        self._trust.apply(body)
        if isinstance(body, Genesis):
            self._log = Verifier(body.origin, PublicKey.parse(body.log_key))
            self._report.origin, self._report.log_key = body.origin, self._log.key
        self._unique(expected, "label", body.label)
        if isinstance(body, Run):
            self._unique(expected, "name", body.name)
        self._observe(entry)

    def _earlier(self, expected: int) -> Callable[[str], Entry]:
        def lookup(entry_id: str) -> Entry:
            found = [index for index in self._store.indexes(entry_id) if index < expected]
            if len(found) != 1:
                raise NotFoundError(f"the target {entry_id[:16]}… is no earlier entry")
            return decode(self._store.envelope(found[0]) or b"")

        return lookup

    def _unique(self, index: int, what: str, value: str | None) -> None:
        if value is None:
            return
        if (what, value) in self._seen:
            self._report.add(index, what, f"the {what} {value!r} is used by an earlier entry")
        self._seen.add((what, value))

    def _blame(self, number: int) -> None:
        if number >= 0:
            self._report.add(number, "signature", "the signature does not verify")
        else:
            message = f"checkpoint {-number}: the signature does not verify"
            self._report.add(None, "checkpoint", message)


class _Checkpoints:
    """The stored checkpoints, met one by one while the tree grows past their sizes."""

    def __init__(self, stored: Iterator[tuple[Any, Any]], report: Report) -> None:
        self._stored = stored
        self._report = report
        self._next = next(stored, None)
        self.covered = 0

    def at(self, tree: Frontier, log: Verifier | None) -> Iterator[Signed]:
        """Compare the checkpoints that are due; yield their signatures, numbered by -size."""
        while self._next and self._next[0] <= tree.size:
            size, signed = self._next
            self._next = next(self._stored, None)
            self._report.checkpoints += 1
            try:
                yield _compare(size, signed, tree, log)
                self.covered = size
            except Error as error:
                self._report.add(None, "checkpoint", f"checkpoint {size}: {error}")

    def finish(self, size: int) -> None:
        """Report the checkpoints that cover more than there is."""
        if self._next:
            message = (
                f"checkpoint {self._next[0]} covers more than the {size} entries that are here"
            )
            self._report.add(None, "checkpoint", message)


def _compare(size: int, signed: Any, tree: Frontier, log: Verifier | None) -> Signed:
    if log is None:
        raise MalformedError("there is no GENESIS entry that names its key")
    if not isinstance(signed, str):
        raise MalformedError("it is not stored as text")
    text, signatures = note.split(signed)
    found = parse_checkpoint(text)
    if (found.origin, found.size, found.root) != (log.name, tree.size, tree.root()):
        raise VerificationError("it is not of these entries")
    mine = [data for name, data in signatures if (name, data[:4]) == (log.name, log.key_id)]
    if len(mine) != 1 or len(signatures) != 1:
        raise MalformedError("it must carry exactly one signature, by the log's key")
    return Signed(-size, log.key.raw, mine[0][4:], text.encode())


def _check_cosignatures(opened: Store, report: Report) -> None:
    """Check the form of witnesses' lines; whose word they are is for an auditor's policy to say."""
    checkpoints = dict(opened.checkpoints()) if report.checkpoints else {}
    for size, name, line in opened.cosignatures():
        report.cosignatures += 1
        try:
            _, signatures = note.split(f"{checkpoints[size]}{line}\n")
            if [signer for signer, _ in signatures[1:]] != [name]:
                raise MalformedError("it is filed under another name")
        except (KeyError, TypeError):
            report.add(None, "cosignature", f"cosignature by {name}: no checkpoint of {size}")
        except Error as error:
            report.add(None, "cosignature", f"cosignature of {size} by {name}: {error}")


def _check_anchors(opened: Store, anchors: list[Anchor], report: Report) -> None:
    for anchor in anchors:
        try:
            heads.require_extends(report.entries, opened.node, anchor.head, anchor.name)
        except VerificationError as error:
            report.add(None, "anchor", str(error))
        else:
            report.anchored_to.append(f"{anchor.name} at {anchor.head.size}")


def _code(error: Error) -> str:
    return "refused" if isinstance(error, VerificationError) else "malformed"
