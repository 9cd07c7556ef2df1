"""Which pages are checked, and their text: bounded, strict UTF-8, as it is on disk."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from receipts import files
from receipts.errors import NotFoundError
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
        _list_the_way(root, Path(name).parts)
        yield from sorted(path for path in root.glob(name) if path.is_file())
    else:
        yield from pages([root / name])


def _list_the_way(root: Path, parts: tuple[str, ...]) -> None:
    """List each folder on the way to a pattern: what is missing there today may come tomorrow.

    A remembered answer (`claims.remembering`) rests on what was opened and listed, not on what was
    asked for in vain.
    """
    for part in parts:
        if not root.is_dir():
            return
        os.listdir(root)  # noqa: PTH208 - what is listed is not wanted
        root /= part


def _pages_in(folder: Path) -> Iterator[Path]:
    """Yield the pages below a folder; links to folders are not followed, hidden ones left out."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        yield from (Path(here, n) for n in sorted(names) if Path(n).suffix.lower() in SUFFIXES)
