"""What a program says, passed on and kept packed at the same time."""

import base64
import codecs
import io
import zlib
from collections.abc import Iterator
from typing import TextIO

MOST_SAID = 32 * 1024 * 1024
_STRETCH = 64 * 1024
_ERRORS = "surrogatepass"


def unpacked(packed: str) -> Iterator[str]:
    """Yield what was said, a stretch at a time: a long answer is not held in memory."""
    raw, packing = base64.b64decode(packed), zlib.decompressobj()
    decoder = codecs.getincrementaldecoder("utf-8")(_ERRORS)
    while raw:
        yield decoder.decode(packing.decompress(raw, _STRETCH))
        raw = packing.unconsumed_tail
    yield decoder.decode(packing.flush(), final=True)


class Tee(io.TextIOBase):
    """A stream that passes on what is written to it and keeps a copy."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._waiting: list[str] = []
        self._length = 0
        self._packing = zlib.compressobj(1)
        self._packed = bytearray()

    def write(self, text: str) -> int:
        """Write the text to the stream behind; bytes are a `TypeError`, as for any text stream."""
        written = self._stream.write(text)
        self._waiting.append(text)
        self._length += len(text)
        if self._length >= _STRETCH:
            self._pack()
        return written

    def _pack(self) -> None:
        if len(self._packed) <= MOST_SAID:
            text = "".join(self._waiting)
            self._packed += self._packing.compress(text.encode("utf-8", _ERRORS))
        self._waiting, self._length = [], 0

    def flush(self) -> None:
        """Flush the stream behind."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Say what the stream behind says."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Return the file descriptor of the stream behind."""
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]  # typed as an attribute there
        """The encoding of the stream behind."""
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]  # the same
        """How the stream behind treats what it cannot encode."""
        return self._stream.errors

    def packed(self) -> str | None:
        """Return everything that was written, packed; None where it is too much to keep."""
        self._pack()
        self._packed += self._packing.flush()
        return base64.b64encode(self._packed).decode() if len(self._packed) <= MOST_SAID else None
