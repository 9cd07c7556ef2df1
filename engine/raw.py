"""A raw file at hand: its bytes, and what the reader makes of them.

With it may come the tool's own summary of the same run, and the declaration of its columns where no
reader knows the format. The bytes are what gets stored and signed; `file` is computed from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.results import detect
from engine.results.model import ResultFile
from receipts import files
from receipts.errors import MalformedError


@dataclass(frozen=True, eq=False)
class Raw:
    """The bytes of a raw file and of its summary, and the runs in them."""

    data: bytes
    summary: bytes | None
    columns: tuple[str, ...]
    file: ResultFile


def read(path: Path, summary: Path | None = None, columns: Sequence[str] = ()) -> Raw:
    """Return the file at `path`; an error names the file it is about."""
    data = files.read(path, detect.MAX_BYTES, "raw file")
    beside = files.read(summary, detect.MAX_BYTES, "summary") if summary else None
    try:
        return understand(data, beside, columns)
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from error


def understand(data: bytes, summary: bytes | None, columns: Sequence[str]) -> Raw:
    """Return what these bytes are, as they were declared."""
    beside = [summary] if summary is not None else []
    if not columns:
        return Raw(data, summary, (), detect.read(data, *beside))
    from engine.results import columns as declared_columns

    table = declared_columns.parse(columns)
    return Raw(data, summary, tuple(columns), detect.read(data, *beside, columns=table))
