"""Drafts: rows of a register that nobody has finished, and that hold nowhere until somebody has.

A row with a `todo` is a draft. It may have every field of a claim, none of them filled in right,
and beside them what was brought in from a table: the wording as it was, what was said for it, and
receipts that are *recorded history*. No marker binds to it and no command renders it. Whoever
deletes its `todo` makes it a claim, which is then read as strictly as any other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ConfigDict, Field

from claims.registers.model import Claim
from receipts.errors import MalformedError
from receipts.shape import Label, Shape
from receipts.yaml_source import Path_, Source

_CLAIMS = "claims"


class Draft(Shape):
    """A row with a `todo`; the fields of a claim beside these are read once the `todo` is gone.

    `said` is what a table says for the claim, `recorded_history` the receipts it names, which
    nobody here can open and nobody may cite. `barred` numbers and `forbidden` words must not be
    claimed, `must_retain` words must stand where its numbers do. `instructions` are for people.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    id: Label
    todo: str = Field(min_length=1)
    title: str = ""
    status: str = "draft"
    wording: str = ""
    note: str = ""
    said: str = ""
    recorded_history: list[str] = Field(default_factory=list)
    must_retain: list[str] = Field(default_factory=list)
    forbidden: list[str] = Field(default_factory=list)
    barred: list[str] = Field(default_factory=list)
    instructions: list[str] = Field(default_factory=list)


def split(source: Source) -> tuple[Source, dict[str, Draft]]:
    """Return the register without its drafts, every place kept, and the drafts by id."""
    rows = source.value.get(_CLAIMS) if isinstance(source.value, dict) else None
    if not isinstance(rows, list):
        return source, {}
    drafts: dict[str, Draft] = {}
    kept: list[int] = []
    for number, row in enumerate(rows):
        if not isinstance(row, dict) or "todo" not in row:
            kept.append(number)
            continue
        draft = _draft(source, (_CLAIMS, number), row)
        if draft.id in drafts:
            raise source.fault((_CLAIMS, number, "id"), f"the draft {draft.id} stands twice")
        drafts[draft.id] = draft
    return (_only(source, rows, kept), drafts) if drafts else (source, {})


def _draft(source: Source, place: Path_, row: Mapping[str, Any]) -> Draft:
    for name in row:
        if name not in Draft.model_fields and name not in Claim.model_fields:
            raise source.fault((*place, name), f"draft: {name} is no field of a draft or claim")
    try:
        return Draft.parse(row, "draft")
    except MalformedError as error:
        raise source.fault(place, str(error)) from error


def _only(source: Source, rows: Sequence[Any], kept: Sequence[int]) -> Source:
    """Return the document with these claims alone; a row has a new number and its old place."""
    number_of: dict[Path_, Path_] = {(_CLAIMS, o): (_CLAIMS, n) for n, o in enumerate(kept)}
    places = {
        number_of[path[:2]] + path[2:] if path[:2] in number_of else path: place
        for path, place in source.places.items()
        if path[:2] in number_of or path[:1] != (_CLAIMS,) or len(path) == 1
    }
    value = {**source.value, _CLAIMS: [rows[old] for old in kept]}
    return replace(source, value=value, places=places)
