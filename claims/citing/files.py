"""Cited files: found below the workspace's root, read within a bound, and nowhere else."""

import errno
import os
from functools import lru_cache
from pathlib import Path

from claims.citing import quotations
from claims.judging.chain import RefusedError
from claims.remembering import answers
from receipts import files
from receipts.errors import Error

MAX_BYTES = 16 * 1024 * 1024
"""A longer file is not read; cite a shorter extract of it."""
_LONGEST_PATH = 1024


def locate(root: Path, folder: Path, name: str) -> Path:
    """Return the file or folder called `name`, sought from the root and then from `folder`.

    Refuses by CLM705 what lies outside the root, by its spelling or by a link, and by CLM701 what
    does not exist.
    """
    if len(name) > _LONGEST_PATH or "\x00" in name:
        raise RefusedError("CLM706", f"{name[:40]!r}… is no path")
    if name.startswith(("/", "~")) or "\\" in name or name[1:2] == ":":
        raise RefusedError("CLM705", f"{name} is no path below the workspace's root")
    home = Path(os.path.realpath(root))
    found = [_below(home, base, name) for base in dict.fromkeys((root, folder))]
    for one in found:
        if isinstance(one, Path):
            return one
    outside = next((one for one in found if one), None)
    if outside and all(found):
        raise RefusedError("CLM705", f"{name} {outside}")
    raise RefusedError("CLM701", f"there is no {name} below the workspace's root")


def _below(home: Path, base: Path, name: str) -> Path | str | None:
    """Return where `base/name` is, or why it may not be read, None where there is nothing."""
    answers.rests_on(base / name)
    if not Path(os.path.normpath(os.path.realpath(base) + os.sep + name)).is_relative_to(home):
        return "leads out of the workspace"
    try:
        real = Path(os.path.realpath(base / name, strict=True))
    except OSError as error:
        return "is a loop of links" if error.errno == errno.ELOOP else None
    return real if real.is_relative_to(home) else "leads out of the workspace by a link"


class Text:
    """The text of a cited file, as lines, and as it is compared with quoted words."""

    def __init__(self, path: Path) -> None:
        try:
            self.raw = files.read(path, MAX_BYTES, "cited file").decode("utf-8", "replace")
        except (Error, OSError) as error:
            raise RefusedError("CLM701", f"{path.name} cannot be read: {error}") from error
        self.lines = self.raw.splitlines()

    def part(self, ranges: tuple[tuple[int, int], ...]) -> str:
        """Return these lines, or all, as they are compared."""
        if not ranges:
            return quotations.plain(self.raw)
        return quotations.plain(
            "\n".join(line for a, b in ranges for line in self.lines[a - 1 : b])
        )


@lru_cache(maxsize=16)
def _text(path: Path, _state: tuple[int, int]) -> Text:
    return Text(path)


def text(path: Path) -> Text:
    """Return the text of a file; read again only when it has changed."""
    try:
        state = path.stat()
    except OSError as error:
        raise RefusedError("CLM701", f"{path.name} cannot be read: {error.strerror}") from error
    return _text(path, (state.st_mtime_ns, state.st_size))


def require_lines(found: Text, ranges: tuple[tuple[int, int], ...], name: str) -> None:
    """Refuse lines that the file does not have, and lines on which nothing stands."""
    for first, last in ranges:
        if last > len(found.lines):
            raise RefusedError("CLM701", f"{name} has {len(found.lines)} lines, and no line {last}")
        if not any(line.strip() for line in found.lines[first - 1 : last]):
            raise RefusedError("CLM704", f"nothing stands on line {first} of {name}")
