"""A page put in the place of the one that was read, at once, if nobody changed that since."""

from pathlib import Path

from claims.pages import reading
from receipts import files
from receipts.errors import ConflictError


def replace(path: Path, before: str, after: str) -> None:
    """Put `after` in the place of the page at `path`; its mode and the link to it stay.

    Raises `ConflictError`, and leaves the page, where it does not read `before` any more.
    """
    if reading.text(path) != before:
        raise ConflictError(f"{path} was changed meanwhile and is left as it is; run it again")
    real = path.resolve()
    files.replace(real, after.encode("utf-8"), real.stat().st_mode & 0o777)
