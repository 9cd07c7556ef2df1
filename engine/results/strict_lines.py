"""The lines of our own raw files, strictly: a header, then a row a repetition, each canonical JSON.

What is cut short, edited by hand or printed by another version is refused with its line. `rows`,
`kernel-rows` and `stream` say what stands in a header and in a row; how lines are read is here.
"""

import re
from collections.abc import Callable, Set
from typing import Any

from engine.results.model import MAX_REPETITIONS, brief
from engine.results.refusals import ResultError
from receipts import canonical
from receipts.errors import MalformedError

Header = dict[str, Any]
Row = dict[str, Any]
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def read(
    data: bytes,
    header_of: Callable[[Any], Header],
    row_of: Callable[[Any, int, Header], Row],
) -> tuple[Header, tuple[Row, ...]]:
    """Return the header and the rows; raises `ResultError` that names the line at fault.

    `row_of` gets a line, the repetition that belongs there (from 0), and the header.
    """
    lines = data.split(b"\n")
    if lines.pop():
        detail = f"line {len(lines) + 1} has no newline: the file was cut short"
        raise ResultError("truncated", detail)
    if len(lines) - 1 > MAX_REPETITIONS:
        detail = f"{len(lines) - 1} rows are over the limit of {MAX_REPETITIONS}"
        raise ResultError("too-large", detail)
    number = 1
    try:
        header = header_of(canonical.decode(lines[0] if lines else b""))
        rows = []
        for number, line in enumerate(lines[1:], start=2):
            rows.append(row_of(canonical.decode(line), number - 2, header))
    except MalformedError as error:
        raise ResultError("malformed", f"line {number}: {error}") from error
    if not rows:
        raise ResultError("no-rows", "the file has a header and no rows: nothing was measured")
    return header, tuple(rows)


def require_fields(value: Any, required: Set[str], optional: Set[str]) -> dict[str, Any]:
    """Return `value` if it is an object with all of `required` and nothing beyond `optional`."""
    if not isinstance(value, dict):
        raise MalformedError("not a JSON object")
    if missing := required - value.keys():
        raise MalformedError(f"missing fields: {', '.join(sorted(missing))}")
    if unknown := value.keys() - required - optional:
        raise MalformedError(f"unknown fields: {', '.join(map(brief, sorted(unknown)))}")
    return value


def require_format(header: Header, known: str) -> None:
    """Refuse another format, or another version of this one."""
    if header["format"] != known:
        raise MalformedError(f"format {brief(header['format'])} is unknown; this reads {known}")


def require_repetition(row: Row, belongs: int) -> None:
    """Refuse a row that stands in another's place."""
    if row["repetition"] != belongs:
        raise MalformedError(f"repetition {row['repetition']} stands where {belongs} belongs")


def integer(name: str, value: Any, least: int) -> int:
    """Return `value` if it is an integer of `least` or more."""
    if type(value) is not int or value < least:  # a bool is an int to isinstance
        raise MalformedError(
            f"field {name} has {brief(value)}, which is no integer of {least} or more"
        )
    return value


def text(name: str, value: Any) -> None:
    """Refuse what is not text."""
    if not isinstance(value, str):
        raise MalformedError(f"field {name} is not text")


def digest(name: str, value: Any) -> None:
    """Refuse what is not sha256: and 64 hex digits."""
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise MalformedError(f"field {name} is not sha256: and 64 hex digits")
