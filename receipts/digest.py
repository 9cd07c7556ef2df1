"""Digests: `sha256:` and 64 lower-case hexadecimal digits, of bytes or of a file.

Whatever is named by a digest here can be checked with `sha256sum`.
"""

import hashlib
import re
from pathlib import Path
from typing import Self

from receipts.errors import MalformedError

PATTERN = r"^sha256:[0-9a-f]{64}$"
_MATCH = re.compile(PATTERN, re.ASCII)


class Digest(str):
    """The text `sha256:<hex>`, known to be well formed."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return `text` as a digest, or raise `MalformedError`."""
        if not _MATCH.fullmatch(text):
            raise MalformedError(
                f"{text[:80]!r} is not a digest of the form sha256:<64 hex digits>"
            )
        return cls(text)

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Return the digest of `data`."""
        return cls("sha256:" + hashlib.sha256(data).hexdigest())

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """Return the digest of the file at `path`, read in pieces."""
        with path.open("rb") as stream:
            return cls("sha256:" + hashlib.file_digest(stream, "sha256").hexdigest())

    @property
    def hex(self) -> str:
        """The 64 digits alone."""
        return self[7:]
