"""The bytes of a raw file as a reader gets them: unpacked, bounded, and parsed at most once."""

import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.results import documents
from engine.results.documents import Documents
from engine.results.refusals import ResultError

MAX_BYTES = 256 * 1024 * 1024
_HEAD = 64 * 1024
_GZIP = b"\x1f\x8b"


@dataclass(eq=False)
class Content:
    """One raw file."""

    data: bytes

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB, by which formats of text are recognised."""
        return self.data[:_HEAD]

    @cached_property
    def documents(self) -> Documents:
        """The JSON objects in the file; raises `ResultError` where they are broken."""
        return documents.parse(self.data)

    @cached_property
    def first(self) -> dict[str, Any]:
        """The first JSON object, {} where there is none."""
        values = self.documents.values
        return values[0] if values else {}

    def text(self) -> str:
        """Return the whole file as text; raises `ResultError` for bytes that are none."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            place = f"{error.reason} at byte {error.start}"
            raise ResultError("not-text", f"not UTF-8: {place}") from error

    def has(self, *names: str) -> bool:
        """Say whether the first JSON object has all these keys."""
        return all(name in self.first for name in names)

    def opens(self, pattern: re.Pattern[bytes]) -> bool:
        """Say whether `pattern` is found in the head."""
        return pattern.search(self.head) is not None


def unpack(data: bytes) -> Content:
    """Return the content of a file, gzip or plain, of at most 256 MiB."""
    if len(data) > MAX_BYTES:
        raise ResultError("too-large", f"{len(data)} bytes are over the limit of {MAX_BYTES}")
    return Content(_inflate(data) if data[:2] == _GZIP else data)


def _inflate(data: bytes) -> bytes:
    """Return what a gzip file holds, all its members, read no further than the limit."""
    whole = bytearray()
    while data:
        member = zlib.decompressobj(31)
        try:
            whole += member.decompress(data, MAX_BYTES + 1 - len(whole))
        except zlib.error as error:
            raise ResultError("malformed", f"gzip: {error}") from error
        if len(whole) > MAX_BYTES:
            raise ResultError("too-large", f"unpacked, it is over the limit of {MAX_BYTES} bytes")
        if not member.eof:
            raise ResultError("truncated", "the gzip file ends before its content does")
        data = member.unused_data
    return bytes(whole)
