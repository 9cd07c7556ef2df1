"""Which tool wrote this file: told by its content alone, never by its name.

Adding a reader means adding its module to `_READERS`. A module offers `NAME` (the stable id that
receipts carry), `recognises` (cheap and certain, no parsing) and `read` (strict).
"""

from collections.abc import Callable
from typing import NamedTuple

from engine.results import llama_bench, rows
from engine.results.model import ResultFile
from receipts.errors import MalformedError

MAX_BYTES = 64 * 1024 * 1024


class _Reader(NamedTuple):
    name: str
    recognises: Callable[[bytes], bool]
    read: Callable[[bytes], ResultFile]


_READERS = tuple(
    _Reader(module.NAME, module.recognises, module.read) for module in (rows, llama_bench)
)


def read(data: bytes) -> ResultFile:
    """Return the runs of a raw file.

    Raises `MalformedError` for a file over 64 MiB, of no known tool, or refused by its reader.
    """
    if len(data) > MAX_BYTES:
        raise MalformedError(f"raw file of {len(data)} bytes is over the limit of {MAX_BYTES}")
    for reader in _READERS:
        if reader.recognises(data):
            return _read(reader, data)
    known = ", ".join(reader.name for reader in _READERS)
    raise MalformedError(f"the file is of no tool that can be read; readers: {known}")


def _read(reader: _Reader, data: bytes) -> ResultFile:
    try:
        return reader.read(data)
    except MalformedError as error:
        raise MalformedError(f"{reader.name} file: {error}") from error
