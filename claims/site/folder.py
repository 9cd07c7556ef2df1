"""The folder of a site: pages replaced one by one, each at once; what is not ours is left alone.

The file `site.sha256` lists what we wrote, as `sha256sum --check` reads it, and marks the folder
as ours. It is written before any page, with the old digests and the new, and once more at the end:
a crash in between leaves a site whose every page is whole, and the next run puts it right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from receipts import files
from receipts.errors import ConflictError, MalformedError, NotFoundError

MARKER = "site.sha256"
_MAX_MARKER = 64 * 1024 * 1024
_MAX_PAGE = 256 * 1024 * 1024
_HEX = 64

Ours = dict[str, set[str]]


@dataclass(frozen=True, slots=True)
class Written:
    """How many files there are, how many were written anew, and which were removed or left."""

    files: int
    written: int
    removed: tuple[str, ...]
    left: tuple[str, ...]
    """Files that belong to no claim any more and were changed by somebody since we wrote them."""


def write(folder: Path, pages: Mapping[str, bytes]) -> Written:
    """Put `pages` (name → bytes) into the folder, which is made if its parent is there.

    Raises `ConflictError`, before anything is written, for a folder with files that is no site of
    ours and for a page whose name is taken by a file that we did not write.
    """
    ours = _require_ours(folder, pages)
    digests = {name: sha256(data).hexdigest() for name, data in pages.items()}
    folder.mkdir(exist_ok=True)
    both = {name: {*ours.get(name, ()), digest} for name, digest in digests.items()}
    _mark(folder, ours | both)
    # The register comes last: it never leads to a page that is not there yet.
    names = sorted(pages, key=lambda name: (name == "index.html", name))
    written = sum(_put(folder / name, pages[name], digests[name]) for name in names)
    stale = sorted(name for name in ours.keys() - pages.keys() if (folder / name).is_file())
    removed = [name for name in stale if _digest(folder / name) in ours[name]]
    for name in removed:
        (folder / name).unlink()
    _mark(folder, {name: {digest} for name, digest in digests.items()})
    return Written(len(pages), written, tuple(removed), tuple(sorted({*stale} - {*removed})))


def require_ours(folder: Path) -> Ours:
    """Return what we wrote into the folder, by name; refuse one that holds something else."""
    if folder.is_dir():
        marker = folder / MARKER
        if marker.is_file():
            return _parse(marker)
        if any(folder.iterdir()):
            raise ConflictError(
                f"{folder} has files and no {MARKER}: it is no site of ours; name another"
            )
        return {}
    if folder.exists() or folder.is_symlink():
        raise MalformedError(f"{folder} is no folder; name another")
    if not folder.parent.is_dir():
        raise NotFoundError(f"folder {folder.parent} does not exist; create it")
    return {}


def _require_ours(folder: Path, pages: Mapping[str, bytes]) -> Ours:
    ours = require_ours(folder)
    seen: dict[str, str] = {}
    for name in pages:
        # Some file systems take `A.html` and `a.html` for one file.
        other = seen.setdefault(name.lower(), name)
        if other != name or name == MARKER:
            raise ConflictError(f"the pages {other} and {name} would be one file; rename a claim")
        if name not in ours and (folder / name).exists():
            raise ConflictError(f"{folder / name} is not ours and is not replaced; move it away")
    return ours


def _parse(marker: Path) -> Ours:
    found: Ours = {}
    for line in files.text(marker, _MAX_MARKER, "list of pages").splitlines():
        digest, gap, name = line[:_HEX], line[_HEX : _HEX + 2], line[_HEX + 2 :]
        if (
            gap != "  "
            or not name
            or Path(name).name != name
            or set(digest) - set("0123456789abcdef")
        ):
            raise MalformedError(
                f"{marker}: {line[:100]!r} is no line of ours; name another folder"
            )
        found.setdefault(name, set()).add(digest)
    return found


def _mark(folder: Path, ours: Ours) -> None:
    lines = sorted((name, digest) for name, found in ours.items() for digest in found)
    text = "".join(f"{digest}  {name}\n" for name, digest in lines)
    files.replace(folder / MARKER, text.encode())


def _put(path: Path, data: bytes, digest: str) -> bool:
    if path.is_file() and not path.is_symlink() and _digest(path) == digest:
        return False
    files.replace(path, data)
    return True


def _digest(path: Path) -> str:
    return sha256(files.read(path, _MAX_PAGE, "page")).hexdigest()
