"""Rows as YAML that a person goes on writing in: one field a line, long texts folded by nobody."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def register(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a register file with these rows."""
    yield "version: 1"
    yield "claims:" if rows else "claims: []"
    for row in rows:
        yield from _row(row)


def _row(row: Mapping[str, Any]) -> Iterator[str]:
    lead = "  - "
    for name, value in row.items():
        items = isinstance(value, list) and bool(value) and isinstance(value[0], str)
        if items:
            yield f"{lead}{name}:"
            yield from (f"      - {_scalar(item)}" for item in value)
        else:
            yield f"{lead}{name}: {_scalar(value)}"
        lead = "    "


def _scalar(value: Any) -> str:
    """Return a value in the flow style that JSON and YAML share, every text in quotes."""
    return json.dumps(value, ensure_ascii=False)
