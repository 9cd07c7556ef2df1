"""Export to plain files and import from them; nothing is lost, nothing is added.

::

    entries.jsonl            the envelopes, one a line, in order
    checkpoints/<size>       every stored checkpoint, with its cosignatures as note lines
    checkpoint               the last one, as tlog-tiles wants it
    checkpoint.sig           on request: an operator's SSHSIG on it, namespace checkpoint@<origin>
    tile/…                   the published tree, entries included (tlog-tiles)
    receipts/…, objects/…    the stores, by digest

Any static server or object store can serve the folder. An import builds every row again from the
bytes and refuses a folder that is not exactly what an export would have written.
Specification: docs/reference/formats/export.md.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ledger import audit, merkle, note, sshsig, store, tiles
from ledger.checkpoint import parse_checkpoint
from ledger.entry import MAX_ENVELOPE, decode
from ledger.merkle import Frontier
from ledger.rows import Row, Store
from receipts import files
from receipts.digest import Digest
from receipts.errors import (
    ConflictError,
    Error,
    MalformedError,
    NotFoundError,
    UndecidedError,
    VerificationError,
)
from receipts.files import sync_directory
from receipts.keys import SigningKey
from receipts.store import ObjectStore

ENTRIES = "entries.jsonl"
CHECKPOINTS = "checkpoints"
LAST = "checkpoint"
SIGNATURE = "checkpoint.sig"
STORES = ("receipts", "objects")
MAX_NOTE = note.MAX_BYTES


def export(
    source: Store, stores: dict[str, ObjectStore], folder: Path, key: SigningKey | None = None
) -> dict[str, int]:
    """Write the ledger and its stores to the new folder; it appears complete or not at all.

    With `key` the last checkpoint is signed too, so that `ssh-keygen -Y verify` can check it.
    Returns how many entries, checkpoints, tiles and stored files were written.
    """
    if folder.exists():
        raise ConflictError(f"{folder} exists; an export is never written over another")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".export-"))
    try:
        counts = _write(source, stores, fresh)
        if key and (fresh / LAST).is_file():
            _put(fresh / SIGNATURE, _signature((fresh / LAST).read_bytes(), key))
        fresh.chmod(0o755)
        fresh.rename(folder)
    except BaseException:
        shutil.rmtree(fresh)
        raise
    sync_directory(folder.parent)
    return counts


def _signature(checkpoint: bytes, key: SigningKey) -> bytes:
    return sshsig.sign(checkpoint, key, _namespace(checkpoint)).encode()


def _namespace(checkpoint: bytes) -> str:
    return "checkpoint@" + checkpoint.partition(b"\n")[0].decode("utf-8", "replace")


def _require_signature(folder: Path) -> None:
    """Refuse a signature that is not on the checkpoint beside it; whose it is, a policy says."""
    checkpoint = files.read(folder / LAST, MAX_NOTE, "checkpoint")
    armored = files.text(folder / SIGNATURE, MAX_NOTE, "signature")
    sshsig.verify(checkpoint, armored, _namespace(checkpoint))


def _write(source: Store, stores: dict[str, ObjectStore], folder: Path) -> dict[str, int]:
    with source.snapshot():
        counts = _write_ledger(source, folder)
    return counts | {name: _copy(stores[name], folder / name) for name in STORES}


def _write_ledger(source: Store, folder: Path) -> dict[str, int]:
    envelopes = [_stored(row) for row in source.rows()]
    _put(folder / ENTRIES, b"".join(raw + b"\n" for raw in envelopes))
    (folder / CHECKPOINTS).mkdir()
    last = None
    counts = {"entries": len(envelopes), "checkpoints": 0, "tiles": 0}
    for size, signed in source.checkpoints():
        last = signed
        cosigned = signed + "".join(f"{line}\n" for _, _, line in source.cosignatures(size))
        _put(folder / CHECKPOINTS / str(size), _text(cosigned))
        counts["checkpoints"] += 1
    if last is not None:
        size = parse_checkpoint(note.split(last)[0]).size
        for path, data in tiles.write(envelopes[:size], last):
            _put(folder / path, data)
            counts["tiles"] += 1
    return counts


def _stored(row: Row) -> bytes:
    if not isinstance(row.envelope, bytes):
        raise VerificationError(f"entry {row.idx} is damaged; `ledger verify` tells more")
    return row.envelope


def _text(signed: str) -> bytes:
    try:
        return signed.encode()
    except UnicodeEncodeError as error:
        raise VerificationError("a checkpoint is damaged; `ledger verify` tells more") from error


def load(
    folder: Path, ledger: Path, stores: dict[str, ObjectStore], genesis: str | None = None
) -> int:
    """Build the ledger at the new path `ledger`, and fill the stores, from an export.

    Returns the number of entries. The folder must be exactly what an export would have written,
    and the ledger must verify and begin with `genesis`, if that is given; nothing is left behind
    when it is refused.
    """
    theirs = _listing(folder)
    if theirs.pop(SIGNATURE, None):
        _require_signature(folder)
    with store.create(ledger) as fresh:
        with fresh.transaction():
            count = _add_entries(folder, fresh)
            for size, signed, cosignatures in _checkpoints(folder):
                _add_checkpoint(fresh, size, signed, cosignatures)
        given = {name: ObjectStore(folder / name) for name in STORES}
        _require_same(folder, theirs, fresh, given)
        report = audit.audit(fresh.path)
        if report.findings:
            raise VerificationError(f"{folder} does not verify: {report.findings[0]}")
        if genesis not in (None, report.genesis):
            raise VerificationError(f"{folder} holds another ledger than the one that is pinned")
        for name in STORES:
            for digest in given[name].digests():
                stores[name].put(given[name].get(digest))
    return count


def _add_entries(folder: Path, fresh: Store) -> int:
    size, tree = 0, Frontier()
    for size, raw in enumerate(_envelopes(folder), start=1):
        try:
            entry = decode(raw)
        except Error as error:
            raise MalformedError(f"{folder / ENTRIES}:{size}: {error}") from error
        if entry.index != size - 1:
            raise VerificationError(
                f"{folder / ENTRIES}:{size}: the line holds entry {entry.index}"
            )
        fresh.append(entry.index, entry.id, entry.leaf_hash, raw, tree)
    if not size:
        raise UndecidedError(f"{folder / ENTRIES} holds no entry; nothing was imported")
    return size


def _envelopes(folder: Path) -> Iterator[bytes]:
    path = folder / ENTRIES
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(MAX_ENVELOPE + 1):
            number += 1
            if not line.endswith(b"\n"):
                raise MalformedError(f"{path}:{number}: the line was cut short or is too long")
            yield line[:-1]


def _checkpoints(folder: Path) -> Iterator[tuple[int, str, list[str]]]:
    files = (folder / CHECKPOINTS).glob("*")
    for path in sorted(files, key=lambda path: (len(path.name), path.name)):
        try:
            text = _note(path)
            size = parse_checkpoint(note.split(text)[0]).size
        except MalformedError as error:
            raise MalformedError(f"{path}: {error}") from error
        if str(size) != path.name:
            raise VerificationError(f"{path} is a checkpoint of {size}")
        body, block = text.rsplit("\n\n", 1)
        first, *others = block.split("\n")[:-1]
        yield size, f"{body}\n\n{first}\n", others


def _note(path: Path) -> str:
    with path.open("rb") as stream:
        data = stream.read(MAX_NOTE + 1)
    if len(data) > MAX_NOTE:
        raise MalformedError(f"larger than {MAX_NOTE} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError("not UTF-8 text") from error


def _add_checkpoint(fresh: Store, size: int, signed: str, cosignatures: list[str]) -> None:
    found = parse_checkpoint(note.split(signed)[0])
    if size > fresh.state()[0] or found.root != merkle.root(size, fresh.node):
        raise VerificationError(f"{CHECKPOINTS}/{size} is not of these entries")
    fresh.add_checkpoint(size, signed)
    for line in cosignatures:
        fresh.add_cosignature(size, line.split(" ")[1], line)


def _require_same(
    folder: Path, theirs: dict[str, str], fresh: Store, given: dict[str, ObjectStore]
) -> None:
    """Export what was built and compare: a folder with anything else in it is refused."""
    with tempfile.TemporaryDirectory(prefix="evidence-ledger-") as scratch:
        again = Path(scratch)
        _write(fresh, given, again)
        ours = _listing(again)
    if ours != theirs:
        odd = sorted(ours.items() ^ theirs.items())[0][0]
        raise VerificationError(f"{folder / odd} is not what an export would have written")


def _listing(folder: Path) -> dict[str, str]:
    """Return the digest of every file; a link, a pipe or a device has no place in an export."""
    if not (folder / ENTRIES).is_file():
        raise NotFoundError(f"{folder} is no export: it has no {ENTRIES}")
    found = {}
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise VerificationError(
                f"{path} is neither a file nor a folder; an export has no links"
            )
        name = str(path.relative_to(folder))
        found[name] = Digest.of_file(path) if stat.S_ISREG(mode) else "a folder"
    return found


def _copy(source: ObjectStore, folder: Path) -> int:
    count = 0
    for digest in source.digests():
        _put(folder / digest.hex[:2] / digest.hex, source.get(digest))
        count += 1
    return count


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
