"""Which pages are checked, and their text: bounded, strict UTF-8, as it is on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from claims.remembering import answers
from receipts import files
from receipts.errors import NotFoundError

if TYPE_CHECKING:
    from receipts.workspace import Workspace

MAX_BYTES = 64 * 1024 * 1024
SUFFIXES = frozenset({".md", ".mdx", ".markdown"})
_SKIPPED = frozenset({"node_modules", "__pycache__"})


def documents(place: Workspace) -> Iterator[Path]:
    """Yield the documents that `evidence.yaml` names, as seen from the working directory.

    A name may be a folder, or a pattern (`docs/**/*.md`) that is expanded from the root.
    """
    if not place.configuration.documents:
        raise NotFoundError("evidence.yaml names no documents; give the files to check")
    seen: set[Path] = set()
    for name in place.configuration.documents:
        for path in _expanded(place.root, name):
            if path not in seen:
                seen.add(path)
                yield Path(os.path.relpath(path))


def pages(given: Iterable[Path]) -> Iterator[Path]:
    """Yield the pages given, and in the place of a folder the Markdown pages in it, in order."""
    for path in given:
        yield from _pages_in(path) if path.is_dir() else (path,)


def text(path: Path) -> str:
    """Return the text of the page at `path`."""
    return files.text(path, MAX_BYTES, "page")


def _expanded(root: Path, name: str) -> Iterator[Path]:
    if any(mark in name for mark in "*?["):
        # What is missing on the way to the pattern today may come tomorrow.
        for count in range(1, len(Path(name).parts)):
            answers.rests_on(root.joinpath(*Path(name).parts[:count]))
        yield from sorted(path for path in root.glob(name) if path.is_file())
    else:
        yield from pages([root / name])


def _pages_in(folder: Path) -> Iterator[Path]:
    """Yield the pages below a folder; links to folders are not followed, hidden ones left out."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        yield from (Path(here, n) for n in sorted(names) if Path(n).suffix.lower() in SUFFIXES)
