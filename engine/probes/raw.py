"""The raw file of a probe, from what was measured to its place on disk, and back to what it says.

A probe writes where `--raw` says, or where the variable EVIDENCE_RAW does, which `engine run` sets.
What it prints is computed from the same bytes, by the reader of that format.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.results import probes
from engine.results.content import Content
from engine.results.model import ResultFile
from receipts import canonical, files
from receipts.errors import ConflictError, NotFoundError

VARIABLE = "EVIDENCE_RAW"


def encode(header: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the bytes of a raw file; what the reader would refuse is refused here."""
    first = {"format": probes.FORMAT, "clock": "CLOCK_MONOTONIC", **header}
    data = b"".join(canonical.encode(dict(line)) + b"\n" for line in (first, *rows))
    decode(data)
    return data


def decode(data: bytes) -> ResultFile:
    """Return the runs in the bytes of a raw file."""
    return probes.read(Content(data))


def place(named: Path | None) -> Path | None:
    """Return where the raw file goes, None for nowhere; refused before anything is measured."""
    told = os.environ.get(VARIABLE)
    path = named or (Path(told) if told else None)
    if path is None:
        return None
    if os.path.lexists(path):
        raise ConflictError(f"raw file {path} exists and is never replaced; choose another name")
    if not path.parent.is_dir():
        raise NotFoundError(f"folder {path.parent} for the raw file does not exist; create it")
    return path


def write(path: Path | None, data: bytes) -> None:
    """Write the raw file durably to the new file at `path`, if there is to be one."""
    if path is not None:
        files.write_new(path, data)
