"""Which pages are checked, and their text: bounded, strict UTF-8, as it is on disk."""

import os
from collections.abc import Iterator
from pathlib import Path

from receipts import files
from receipts.errors import NotFoundError
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
    return files.text(path, MAX_BYTES, "page")
