"""The content-addressed store: files named by the SHA-256 of their bytes, never replaced.

    evidence/objects/3f/3fa9…       64 hexadecimal digits, in a folder of the first two

A file is published by linking a finished, fsynced temporary file to its name: `link` fails where
a name is taken, while `rename` would silently replace. The directory is fsynced after it. What is
read is hashed again. An object whose bytes had to go (a secret found later) leaves a tombstone,
``<hex>.withheld``, which says why: the digest stays, the bytes do not come back.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from receipts.clock import Clock, format_time
from receipts.digest import Digest
from receipts.errors import ConflictError, Error, NotFoundError, VerificationError
from receipts.files import read, replace, sync, sync_directory

PIECE = 1024 * 1024
MAX_TOMBSTONE = 64 * 1024


class ObjectStore:
    """Objects under one folder, which is made when the first object is put."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, digest: Digest) -> Path:
        """Return where the object is, or would be."""
        return self.root / digest.hex[:2] / digest.hex

    def put(self, data: bytes) -> Digest:
        """Store `data` durably and return its digest; storing it again changes nothing."""
        digest = Digest.of(data)
        with self._incoming() as (stream, temporary):
            stream.write(data)
            self._publish(stream, temporary, digest)
        return digest

    def put_file(self, source: Path) -> Digest:
        """Store a copy of the file at `source`, in pieces, and return its digest."""
        hasher = hashlib.sha256()
        with source.open("rb") as original, self._incoming() as (stream, temporary):
            while piece := original.read(PIECE):
                hasher.update(piece)
                stream.write(piece)
            digest = Digest("sha256:" + hasher.hexdigest())
            self._publish(stream, temporary, digest)
        return digest

    def get(self, digest: Digest) -> bytes:
        """Return the object's bytes.

        Raises `NotFoundError` when it is absent or withheld, `VerificationError` when its bytes
        are not the ones that its name promises.
        """
        return b"".join(self.stream(digest))

    def stream(self, digest: Digest) -> Iterator[bytes]:
        """Yield the object in pieces; the last piece is withheld until the digest holds."""
        hasher = hashlib.sha256()
        held = b""
        try:
            with self.path(digest).open("rb") as stream:
                while piece := stream.read(PIECE):
                    hasher.update(piece)
                    if held:
                        yield held
                    held = piece
        except FileNotFoundError as error:
            raise NotFoundError(self._absence(digest)) from error
        if hasher.hexdigest() != digest.hex:
            raise VerificationError(f"object {digest} is damaged: its bytes have another digest")
        if held:
            yield held

    def __contains__(self, digest: Digest) -> bool:
        return self.path(digest).is_file()

    def digests(self) -> Iterator[Digest]:
        """Yield the digest of every object whose bytes are here, in order."""
        for path in sorted(self.root.glob("[0-9a-f][0-9a-f]/*")):
            if len(path.name) == 64:
                yield Digest.parse("sha256:" + path.name)

    def withhold(self, digest: Digest, reason: str, clock: Clock) -> None:
        """Remove the object's bytes and leave a tombstone with `reason` and the time."""
        if digest not in self:
            raise NotFoundError(self._absence(digest))
        note = {"digest": digest, "reason": reason, "withheld_at": format_time(clock())}
        tombstone = self._tombstone(digest)
        # A tombstone beside the bytes is a withholding that was interrupted: keep its word.
        if self._note(digest) is None:
            data = json.dumps(note, ensure_ascii=False).encode()
            replace(tombstone, data, 0o444)
        self.path(digest).unlink()
        sync_directory(tombstone.parent)

    def _note(self, digest: Digest) -> dict[str, str] | None:
        """Return what the tombstone says, None when there is none that can be read."""
        try:
            note = json.loads(read(self._tombstone(digest), MAX_TOMBSTONE, "tombstone"))
            return {"since": note["withheld_at"], "reason": note["reason"]}
        except (Error, ValueError, KeyError, TypeError):
            return None

    def _absence(self, digest: Digest) -> str:
        note = self._note(digest)
        if note is not None:
            return f"object {digest} is withheld since {note['since']}: {note['reason']}"
        if self._tombstone(digest).exists():
            return f"object {digest} is withheld; its tombstone cannot be read"
        return f"object {digest} is not in the store {self.root}"

    def _tombstone(self, digest: Digest) -> Path:
        path = self.path(digest)
        return path.with_name(path.name + ".withheld")

    @contextmanager
    def _incoming(self) -> "Iterator[tuple[tempfile._TemporaryFileWrapper[bytes], Path]]":
        self.root.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.root, prefix=".incoming-") as stream:
            yield stream, Path(stream.name)

    def _publish(
        self, stream: "tempfile._TemporaryFileWrapper[bytes]", temporary: Path, digest: Digest
    ) -> None:
        stream.flush()
        os.fchmod(stream.fileno(), 0o444)
        sync(stream.fileno())
        final = self.path(digest)
        final.parent.mkdir(exist_ok=True)
        if self._tombstone(digest).exists():
            raise ConflictError(self._absence(digest))
        try:
            os.link(temporary, final)
        except FileExistsError:
            if Digest.of_file(final) != digest:
                raise ConflictError(
                    f"object {final} exists with other bytes; it is damaged"
                ) from None
        sync_directory(final.parent)
        sync_directory(self.root)
