"""What is kept of a run's files: the raw file as it was read once, the program as it was before."""

import shutil
from pathlib import Path

from engine import figures
from engine.results import detect
from engine.results.model import ResultFile
from receipts import canonical
from receipts.digest import Digest
from receipts.errors import Error
from receipts.predicates import Facts


def take(raw: Path) -> tuple[bytes | None, str | None]:
    """Return the raw file's bytes, read once, so that what is stored is what was computed from."""
    try:
        if not raw.is_file():
            return None, "the command wrote no raw file"
        with raw.open("rb") as stream:
            data = stream.read(detect.MAX_BYTES + 1)
    except OSError as error:
        return None, f"the raw file cannot be read: {error.strerror}"
    if len(data) > detect.MAX_BYTES:
        return None, f"the raw file is over the limit of {detect.MAX_BYTES} bytes"
    return data, None


def read(data: bytes) -> tuple[ResultFile | None, str | None]:
    """Return the raw file that `data` spells, or None and why it is refused."""
    try:
        file = detect.read(data)
        # A foreign file may hold what no receipt can say, such as half a surrogate pair.
        found = [figure.plain() for figure in figures.of_file(file)]
        canonical.encode([found, _told(file), [str(note) for note in file.notes]])
    except Error as error:
        return None, f"the raw file is refused: {error}"
    return file, None


def program(command: list[str]) -> Digest | None:
    """Return the digest of the program's file as it is before the run, None if it has none."""
    path = shutil.which(command[0])
    try:
        return Digest.of_file(Path(path).resolve()) if path else None
    except OSError:
        return None


def identity(digest: Digest | None, file: ResultFile | None) -> Facts:
    """Return what was run: told by the raw file, hashed by us."""
    told = _told(file) if file else {}
    if digest:
        told["program"] = digest
    binary = told.get("build") or told.get("program")
    return told | ({"binary": binary} if binary else {})


def _told(file: ResultFile) -> Facts:
    return dict(file.runs[0].identity) if len(file.runs) == 1 else {}
