"""Which pages are checked, and their text: bounded, strict UTF-8, as it is on disk."""

import os
from collections.abc import Iterator
from pathlib import Path

from receipts.errors import MalformedError, NotFoundError
from receipts.workspace import Workspace

MAX_BYTES = 64 * 1024 * 1024


def documents(place: Workspace) -> Iterator[Path]:
    """Yield the documents that `evidence.yaml` names, as seen from the working directory."""
    if not place.configuration.documents:
        raise NotFoundError("evidence.yaml names no documents; give the files to check")
    for name in place.configuration.documents:
        yield Path(os.path.relpath(place.root / name))


def text(path: Path) -> str:
    """Return the text of the page at `path`."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError) as error:
        raise NotFoundError(f"page {path} does not exist or is no file") from error
    if len(data) > MAX_BYTES:
        raise MalformedError(f"page {path} is over the limit of {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise MalformedError(f"page {path}:{line} is not UTF-8") from error
