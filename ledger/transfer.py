"""Export to plain files and import from them; nothing is lost, nothing is added.

::

    entries.jsonl            the envelopes, one a line, in order
    checkpoints/<size>       every stored checkpoint, with its cosignatures as note lines
    checkpoint               the last one, as tlog-tiles wants it
    tile/…                   the published tree, entries included (tlog-tiles)
    receipts/…, objects/…    the stores, by digest

Any static server or object store can serve the folder. An import builds every row again from the
bytes and refuses a folder that is not exactly what an export would have written.
Specification: docs/reference/formats/export.md.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ledger import merkle, note, store, tiles
from ledger.checkpoint import parse_checkpoint
from ledger.entry import MAX_ENVELOPE, decode
from ledger.store import Store
from receipts.digest import Digest
from receipts.errors import ConflictError, MalformedError, NotFoundError, VerificationError
from receipts.store import ObjectStore, sync_directory

ENTRIES = "entries.jsonl"
CHECKPOINTS = "checkpoints"
LAST = "checkpoint"
STORES = ("receipts", "objects")


def export(source: Store, stores: dict[str, ObjectStore], folder: Path) -> dict[str, int]:
    """Write the ledger and its stores to the new folder; it appears complete or not at all.

    Returns how many entries, checkpoints, tiles and stored files were written.
    """
    if folder.exists():
        raise ConflictError(f"{folder} exists; an export is never written over another")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".export-"))
    try:
        counts = _write(source, stores, fresh)
        fresh.chmod(0o755)
        fresh.rename(folder)
    except BaseException:
        shutil.rmtree(fresh)
        raise
    sync_directory(folder.parent)
    return counts


def _write(source: Store, stores: dict[str, ObjectStore], folder: Path) -> dict[str, int]:
    envelopes = [bytes(row.envelope) for row in source.rows()]
    (folder / ENTRIES).write_bytes(b"".join(raw + b"\n" for raw in envelopes))
    (folder / CHECKPOINTS).mkdir()
    last = None
    counts = {"entries": len(envelopes), "checkpoints": 0, "tiles": 0}
    for size, signed in source.checkpoints():
        last = signed
        cosigned = signed + "".join(f"{line}\n" for _, _, line in source.cosignatures(size))
        (folder / CHECKPOINTS / str(size)).write_text(cosigned, encoding="utf-8")
        counts["checkpoints"] += 1
    if last is not None:
        size = parse_checkpoint(note.split(last)[0]).size
        for path, data in tiles.write(envelopes[:size], last):
            _put(folder / path, data)
            counts["tiles"] += 1
    return counts | {name: _copy(stores[name], folder / name) for name in STORES}


def load(folder: Path, ledger: Path, stores: dict[str, ObjectStore]) -> int:
    """Build the ledger at the new path `ledger`, and fill the stores, from an export.

    Returns the number of entries. Nothing is left behind when the folder is refused.
    """
    envelopes = list(_envelopes(folder))
    with store.create(ledger) as fresh, fresh.transaction():
        for index, raw in enumerate(envelopes):
            entry = decode(raw)
            if entry.index != index:
                raise VerificationError(f"{ENTRIES}: line {index + 1} holds entry {entry.index}")
            fresh.append(index, entry.id, entry.leaf_hash, raw)
        for size, signed, cosignatures in _checkpoints(folder):
            _add_checkpoint(fresh, size, signed, cosignatures)
        _require_same(folder, fresh, stores)
    return len(envelopes)


def _envelopes(folder: Path) -> Iterator[bytes]:
    path = folder / ENTRIES
    if not path.is_file():
        raise NotFoundError(f"{folder} is no export: it has no {ENTRIES}")
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n") or len(line) > MAX_ENVELOPE + 1:
                raise MalformedError(f"{path}:{number}: the line was cut short or is too long")
            yield line[:-1]


def _checkpoints(folder: Path) -> Iterator[tuple[int, str, list[str]]]:
    names = sorted((p.name for p in (folder / CHECKPOINTS).glob("*")), key=lambda n: (len(n), n))
    for name in names:
        text = (folder / CHECKPOINTS / name).read_bytes().decode("utf-8")
        body, block = text.rsplit("\n\n", 1) if "\n\n" in text else (text, "")
        lines = block.split("\n")[:-1]
        if not lines:
            raise MalformedError(f"{CHECKPOINTS}/{name}: no signature")
        signed = f"{body}\n\n{lines[0]}\n"
        size = parse_checkpoint(note.split(signed)[0]).size
        if str(size) != name:
            raise VerificationError(f"{CHECKPOINTS}/{name} is a checkpoint of {size}")
        yield size, signed, lines[1:]


def _add_checkpoint(fresh: Store, size: int, signed: str, cosignatures: list[str]) -> None:
    found = parse_checkpoint(note.split(signed)[0])
    if found.root != merkle.root(size, fresh.node):
        raise VerificationError(f"{CHECKPOINTS}/{size} is not of these entries")
    fresh.add_checkpoint(size, signed)
    for line in cosignatures:
        fresh.add_cosignature(size, line.split(" ")[1], line)


def _require_same(folder: Path, fresh: Store, stores: dict[str, ObjectStore]) -> None:
    """Export what was built and compare: a folder with anything else in it is refused."""
    with tempfile.TemporaryDirectory(prefix="evidence-ledger-") as scratch:
        again = Path(scratch)
        given = {name: ObjectStore(folder / name) for name in STORES}
        _write(fresh, given, again)
        ours, theirs = _listing(again), _listing(folder)
        if ours != theirs:
            odd = sorted(ours.items() ^ theirs.items())[0][0]
            raise VerificationError(f"{folder / odd} is not what an export would have written")
    for name in STORES:
        for digest in given[name].digests():
            stores[name].put(given[name].get(digest))


def _listing(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): Digest.of_file(path) for path in files}


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
