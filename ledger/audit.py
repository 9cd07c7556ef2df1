"""Verify a ledger from its stored bytes alone, with none of the writer's code.

Two passes over the rows, one for each core of a small machine. `ledger.rehash` computes every id,
leaf, subtree and root again. The pass here asks what the bytes mean: index and `prev` must continue
the chain, the body must parse strictly, the signing key must hold the right role at that index, and
its signature must verify. Besides: SQLite's own integrity check, the schema's text, every
checkpoint's signature, and the anchors. The report says *chain only*: whether the numbers are right
is another question.

Signatures that an earlier anchored verification covered are not checked again unless that is asked
for; every row is still hashed, and the root over those rows must be the one that was verified.
"""

import binascii
import hashlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from ledger import admission, heads, merkle, note, rehash, store
from ledger.bodies import Genesis, Key, Recovery, Run
from ledger.entry import FIRST_PREV, Entry, decode
from ledger.heads import Head
from ledger.note import Verifier
from ledger.rehash import Rehashed, Task
from ledger.report import Report
from ledger.rows import Row, Store
from ledger.signatures import Signatures
from ledger.trust import Trust
from ledger.verified import Verified
from receipts.errors import Error, MalformedError, NotFoundError, VerificationError
from receipts.keys import PublicKey, Signed

STRIDE = 1000
_PAYLOAD = b'{"payload":"'
MANY = 20_000
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Anchor:
    """A head that was seen elsewhere, and what to call it."""

    name: str
    head: Head


@dataclass(frozen=True)
class Request:
    """What to verify against, and how much of it anew.

    `observe` is given every entry that parses and may stand where it stands, in order.
    `since_last` leaves the rows that were verified before unread.
    """

    anchors: tuple[Anchor, ...] = ()
    verified: Verified | None = None
    since_last: bool = False
    progress: Progress = lambda _: None
    observe: Callable[[Entry], None] = lambda _: None


def audit(path: Path, request: Request = Request()) -> Report:
    """Check the ledger at `path` and return the report; damage is a finding, not an exception."""
    report = Report()
    try:
        opened = store.open_for_reading(path)
    except VerificationError as error:
        report.add(None, "damaged", str(error))
        return report
    report.notice = opened.notice
    try:
        _audit(opened, request, report)
    finally:
        opened.close()
    return report


def log_key(path: Path) -> PublicKey | None:
    """Return the log key that GENESIS names, for a workspace that pins none."""
    try:
        with closing(store.open_for_reading(path)) as opened:
            body = decode(opened.envelope(0) or b"").body
    except Error:
        return None
    return PublicKey.parse(body.log_key) if isinstance(body, Genesis) else None


def _audit(opened: Store, request: Request, report: Report) -> None:
    steps: list[Callable[[], None]] = [
        lambda: _check_file(opened, report, pages=not request.since_last),
        lambda: _two_passes(opened, request, report),
        lambda: _check_cosignatures(opened, report),
        lambda: _check_anchors(opened, request.anchors, report),
    ]
    for step in steps:
        try:
            step()
        except (VerificationError, NotFoundError) as error:
            report.add(None, "damaged", str(error))


def _check_file(opened: Store, report: Report, *, pages: bool) -> None:
    for (message,) in opened.pragma("integrity_check") if pages else ():
        if message != "ok":
            report.add(None, "damaged page", str(message).replace("\n", "; "))
    if opened.schema() != store.expected_schema():
        report.add(None, "schema", "tables or triggers differ from those of this format version")


def _two_passes(opened: Store, request: Request, report: Report) -> None:
    size = opened.state()[0]
    known = request.verified if request.verified and request.verified.size <= size else None
    start = Head(known.size, known.root) if known and request.since_last else None
    unread = known.notes if known and start else rehash.NO_NOTES
    task = Task(opened.path, size, known.size if known else 0, start, unread)
    with _rehashing(task) as result:
        walk = _Walk(opened, request, report, size)
        walk.run(known)
        bytes_ = result()
    _merge(report, bytes_, start)
    if known and start is None and bytes_.asked != known.root:
        report.add(None, "anchor", f"the first {known.size} entries are not those verified before")
        _Walk(opened, request, report, known.size).run(None)
    elif known and start is None and bytes_.asked_notes != known.notes:
        walk.check_checkpoints(known.size)
    report.skipped = known.size if known else 0
    report.unread = start.size if start else 0
    report.key_entries = walk.key_entries


@contextmanager
def _rehashing(task: Task) -> Iterator[Callable[[], Rehashed]]:
    """Run the pass over the bytes: beside the other one where there is much to do."""
    if task.size - (task.known.size if task.known else 0) < MANY or not task.path.exists():
        yield lambda: rehash.rehash(task)
        return
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        future = pool.submit(rehash.rehash, task)
        yield future.result


def _merge(report: Report, done: Rehashed, start: Head | None) -> None:
    report.entries = done.entries + (start.size if start else 0)
    report.checkpoints = done.checkpoints
    report.head, report.genesis, report.tree_head = done.head, done.genesis, done.tree
    report.checkpoint, report.notes = done.checkpoint, done.notes
    report.pending = max(report.entries - done.covered, 0)
    for finding in done.findings:
        report.add(finding.index, finding.code, finding.message)


class _Walk:
    """The pass over what the entries say, in order."""

    def __init__(self, opened: Store, request: Request, report: Report, size: int) -> None:
        self._store = opened
        self._request = request
        self._report = report
        self._size = size
        self._trust = Trust()
        self._prev = FIRST_PREV
        self._seen: set[tuple[str, str]] = set()
        self._log: Verifier | None = None
        self.key_entries: list[int] = []

    def run(self, known: Verified | None) -> None:
        """Walk the rows after those `known`; every finding goes into the report."""
        start = self._resume(known) if known else 0
        with Signatures(self._blame) as signatures:
            for expected, row in enumerate(self._rows(start), start):
                self._row(expected, row, signatures)
                if expected % STRIDE == STRIDE - 1:
                    self._request.progress(STRIDE)
            self._checkpoints(start, self._size, signatures)
        self._report.signatures += signatures.count

    def check_checkpoints(self, size: int) -> None:
        """Check the signatures of the checkpoints up to `size`, which are not those of before."""
        with Signatures(self._blame) as signatures:
            self._checkpoints(0, size, signatures)
        self._report.signatures += signatures.count

    def _rows(self, start: int) -> Iterator[Row]:
        rows = self._store.rows(start) if start else self._store.rows()
        yield from islice(rows, self._size - start)

    def _resume(self, known: Verified) -> int:
        """Fold the standing of keys anew from the entries known to concern keys."""
        for index in known.keys:
            self._apply(self._authentic(index, known))
        if not self._request.since_last:
            for row in islice(self._store.rows(), known.size):
                self._take_names(row)
        self._prev = self._authentic(known.size - 1, known).id
        return known.size

    def _take_names(self, row: Row) -> None:
        """Take the label and name of a row that is known, so that no later one may have them."""
        raw = row.envelope if isinstance(row.envelope, bytes) else b""
        with suppress(ValueError, Error):
            payload = binascii.a2b_base64(raw[len(_PAYLOAD) : raw.index(b'"', len(_PAYLOAD))])
            if b'"label":' not in payload and b'"name":' not in payload:
                return
            body = decode(raw).body
            self._seen.add(("label", body.label or ""))
            self._seen.add(("name", (body.name or "") if isinstance(body, Run) else ""))

    def _authentic(self, index: int, known: Verified) -> Entry:
        """Return entry `index`, proven to be among those that were verified."""
        entry = decode(self._store.envelope(index) or b"")
        proof = merkle.prove_inclusion(index, known.size, self._store.node)
        merkle.check_inclusion(index, known.size, entry.leaf_hash, proof, known.root)
        return entry

    def _row(self, expected: int, row: Row, signatures: Signatures) -> None:
        if not isinstance(row.envelope, bytes):
            return
        try:
            self._entry(expected, decode(row.envelope), signatures)
        except Error as error:
            self._report.add(expected, _code(error), str(error))
        self._prev = hashlib.sha256(row.envelope).hexdigest()

    def _entry(self, expected: int, entry: Entry, signatures: Signatures) -> None:
        body = entry.body
        if body.index != expected:
            self._report.add(expected, "index", f"the signed index is {body.index}")
        if body.prev != self._prev:
            self._report.add(expected, "chain", "prev is not the id of the entry before")
        key = admission.check(entry, self._trust, self._earlier(expected))
        envelope = entry.envelope
        signatures.check(Signed(expected, key.raw, envelope.signature, envelope.signed_bytes))
        self._apply(entry)
        self._unique(expected, "label", body.label)
        if isinstance(body, Run):
            self._unique(expected, "name", body.name)
        self._request.observe(entry)

    def _apply(self, entry: Entry) -> None:
        body = entry.body
        if not isinstance(body, Genesis | Key | Recovery):
            return
        self._trust.apply(body)
        self.key_entries.append(entry.index)
        if isinstance(body, Recovery):
            self._report.recoveries[entry.index] = "; ".join(body.lost)
        if isinstance(body, Genesis):
            self._log = Verifier(body.origin, PublicKey.parse(body.log_key))
            self._report.origin, self._report.log_key = body.origin, self._log.key

    def _checkpoints(self, start: int, end: int, signatures: Signatures) -> None:
        """Queue the signatures of the checkpoints after `start`, up to `end`, numbered by -size."""
        for size, signed in self._store.checkpoints(start):
            if size <= end:
                try:
                    signatures.check(_signature(size, signed, self._log))
                except Error as error:
                    self._report.add(None, "checkpoint", f"checkpoint {size}: {error}")

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


def _signature(size: int, signed: object, log: Verifier | None) -> Signed:
    if log is None:
        raise MalformedError("there is no GENESIS entry that names its key")
    if not isinstance(signed, str):
        raise MalformedError("it is not stored as text")
    text, signatures = note.split(signed)
    if not text.startswith(f"{log.name}\n"):
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


def _check_anchors(opened: Store, anchors: Iterable[Anchor], report: Report) -> None:
    for anchor in anchors:
        try:
            heads.require_extends(report.entries, opened.node, anchor.head, anchor.name)
        except VerificationError as error:
            report.add(None, "anchor", str(error))
        else:
            report.anchored_to.append(f"{anchor.name} at {anchor.head.size}")


def _code(error: Error) -> str:
    return "refused" if isinstance(error, VerificationError) else "malformed"
