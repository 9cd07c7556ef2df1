"""What the measuring programs share: numbers within bounds, one raw file, errors in one line."""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from receipts.canonical import encode
from receipts.errors import ConflictError, Error, NotFoundError
from receipts.files import sync_directory

_DIGITS = re.compile(r"[0-9]{1,16}")


def guarded(action: Callable[[], str], too_big: str) -> int:
    """Print what `action` returns, or its error in one line; return the exit code.

    `too_big` is what to choose less of when there is not enough memory.
    """
    try:
        sys.stdout.write(action() + "\n")
    except Error as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted; no raw file was written", 130)
    except MemoryError:
        return _fail(f"not enough memory for this {too_big}; choose less", 74)
    except OSError as error:
        return _fail(f"{error.filename or 'system'}: {error.strerror or error}", 74)
    return 0


def within(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `low` to `high`."""

    def number(text: str) -> int:
        if not (_DIGITS.fullmatch(text) and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number {low} to {high}")
        return int(text)

    return number


def require_new(path: Path) -> None:
    """Refuse a raw file that is there before anything is measured, not after."""
    if os.path.lexists(path):
        raise ConflictError(_taken(path))
    if not path.parent.is_dir():
        raise NotFoundError(f"folder {path.parent} for the raw file does not exist; create it")


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write `rows` durably to the new file `path`, all or nothing.

    Raises `ConflictError` when the file exists.
    """
    data = b"".join(encode(row) + b"\n" for row in rows)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".incoming-") as stream:
        stream.write(data)
        stream.flush()
        os.fchmod(stream.fileno(), 0o644)
        os.fsync(stream.fileno())
        try:
            os.link(stream.name, path)
        except FileExistsError as error:
            raise ConflictError(_taken(path)) from error
    sync_directory(path.parent)


def _taken(path: Path) -> str:
    return f"raw file {path} exists and is never replaced; choose another name"


def _fail(sentence: str, code: int) -> int:
    sys.stderr.write(f"error: {sentence}\n")
    return code
