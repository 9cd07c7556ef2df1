"""Bring a campaign that already exists, and print one back.

A table's rows become entries that keep every cell verbatim, marked *recorded history*: no claim may
rest on them. Rows that name what they correct become corrections. All of it is one transaction.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ledger import history
from ledger.admission import check_label
from ledger.bodies import Experiment
from ledger.entry import Entry, relax
from ledger.history import Campaign
from ledger.log import Draft, Ledger
from ledger.references import Link
from ledger.session import Session
from ledger.status import Status
from receipts import files
from receipts.errors import ConflictError, MalformedError
from receipts.keys import SigningKey
from receipts.shape import Labelled

MAX_BYTES = 16 * 1024 * 1024
_COLUMNS = ("Step", "Lever", "Commit", "Before → after", "Δ", "Status", "Lesson")


def read(path: Path, columns: Mapping[str, str]) -> Campaign:
    """Return the campaign in the Markdown file at `path`; errors name the file."""
    text = files.text(path, MAX_BYTES, "table")
    try:
        return history.read(text, columns)
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from error


def bring_table(here: Session, path: Path, campaign: Campaign, key: SigningKey) -> list[Entry]:
    """Append an entry for every row, and a correction for every row that names what it corrects.

    The table itself is stored, and every entry notes its digest; the same file comes in once.
    """
    digest = here.workspace.objects.put_file(path)
    taken = here.ledger.index.find("notes", digest)
    if taken:
        raise ConflictError(f"{path} was brought in before, as entry {taken[0]} and others")
    steps = Counter(row.step for row in campaign.rows)
    rows: list[Draft] = []
    for row in campaign.rows:
        alone = steps[row.step] == 1 and _can_label(here.ledger, row.step)
        label = {"label": row.step} if alone else {}
        rows.append(history.entry_fields(row) | label | {"notes": digest})
    return here.ledger.append_all([*rows, *map(_correction, campaign.links)], key)


def bring_findings(here: Session, path: Path, key: SigningKey) -> list[Entry]:
    """Append a FINDING for every finding in a JSON file with a list `findings`."""
    listed = _json(path).get("findings")
    if not isinstance(listed, list) or not listed:
        raise MalformedError(f"{path}: there is no list `findings`, or it is empty")
    named = Counter(item["id"] for item in listed if isinstance(item, dict) and _is_id(item))
    for name, times in named.items():
        if times > 1:
            raise MalformedError(f"{path}: the finding {name!r} stands {times} times; keep one")
    return here.ledger.append_all([_finding(path, item) for item in listed], key)


def bring_lock(here: Session, path: Path, key: SigningKey) -> Entry:
    """Append a LOCK with the switches (`*_enabled`) of a JSON file."""
    value = _json(path)
    switches = {
        name.removesuffix("_enabled"): state
        for name, state in value.items()
        if name.endswith("_enabled")
    }
    for name, state in switches.items():
        if not isinstance(state, bool):
            raise MalformedError(f"{path}: the switch {name}_enabled is neither true nor false")
    if not switches:
        raise MalformedError(f"{path}: there is no switch such as `publishing_enabled: false`")
    state = "open" if any(switches.values()) else "contained"
    fields = {"kind": "LOCK", "title": f"recorded from {path.name}", "state": state}
    reason = {"reason": str(value["reason"])} if value.get("reason") else {}
    return here.ledger.append({**fields, **reason, "switches": switches}, key)


def table(ledger: Ledger) -> Iterator[str]:
    """Yield the campaign as Markdown: recorded rows as they were, own entries derived.

    What later entries did to a row is bound into its last cell.
    """
    status = ledger.status()
    header: tuple[str, ...] | None = None
    for index in ledger.index.of_kinds("ENTRY"):
        entry = ledger.entry(index)
        columns, cells = _row(entry)
        if columns != header:
            yield from ([""] if header else [])
            yield _line(columns)
            yield _line(tuple("---" for _ in columns))
            header = columns
        yield _line((*cells[:-1], _bound(cells[-1], entry, status)))


def _can_label(ledger: Ledger, step: str) -> bool:
    """Say whether a step's name can be the label of its entry: well formed, free, no index."""
    try:
        Labelled.parse({"label": step}, "step")
        check_label(step)
    except MalformedError:
        return False
    return not ledger.index.find("label", step)


def _correction(link: Link) -> Callable[[list[Entry]], Mapping[str, Any]]:
    """Return the body of the correction that a link stands for, once its rows have ids."""

    def body(appended: list[Entry]) -> Mapping[str, Any]:
        corrected, correcting = appended[link.corrected - 1], appended[link.correcting - 1]
        words = {"targets": [corrected.id], "reason": link.reason}
        title = f"{link.correcting_step} on {link.corrected_step}"[:500]
        if link.kind == "superseded":
            return {"kind": "SUPERSEDED", "title": title, "replacement": correcting.id, **words}
        return {"kind": "CORRECTION", "title": title, **words}

    return body


def _finding(path: Path, item: Any) -> dict[str, Any]:
    if not isinstance(item, dict) or not _is_id(item):
        raise MalformedError(f'{path}: a finding is an object with an id, `"id": "REL-1"`')
    area = f" ({item['area']})" if item.get("area") else ""
    notes = [item.get("resolution"), item.get("evidence_notes")]
    resolution = "\n".join(str(text) for text in notes if text)
    fields = {
        "kind": "FINDING",
        "title": f"{item.get('title') or item['id']}{area}"[:500],
        "id": item["id"],
        "severity": item.get("severity"),
        "status": item.get("status"),
        "resolution": resolution,
    }
    found = {name: value for name, value in fields.items() if value}
    try:
        relax(found)
    except MalformedError as error:
        raise MalformedError(f"{path}: finding {item['id']!r}: {error}") from error
    return found


def _is_id(item: dict[str, Any]) -> bool:
    return isinstance(item.get("id"), str) and bool(item["id"])


def _row(entry: Entry) -> tuple[tuple[str, ...], tuple[str, ...]]:
    body = entry.body
    if not isinstance(body, Experiment):
        return _COLUMNS, tuple("—" for _ in _COLUMNS)
    if body.recorded:
        columns = tuple(cell.column for cell in body.recorded)
        return columns, tuple(cell.text for cell in body.recorded)
    delta = body.delta[0] if body.delta else None
    moved = f"{delta.baseline.value} → {delta.candidate.value} {delta.unit}" if delta else "—"
    cells = (
        body.step or body.label or str(body.index),
        body.title,
        f"`{body.commit}`" if body.commit else "—",
        moved,
        f"{delta.ratio}×" if delta and delta.ratio else "—",
        body.verdict.outcome.upper() if body.verdict else "OPEN",
        body.lesson or "—",
    )
    return _COLUMNS, cells


def _bound(cell: str, entry: Entry, status: Status) -> str:
    banners = [f"**{effect.banner()}**" for effect in status.effects_on(entry)]
    return " — ".join([cell, *banners] if cell else banners)


def _line(cells: tuple[str, ...]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\r", " ").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(files.text(path, MAX_BYTES, "JSON file"), object_pairs_hook=_unique)
    except RecursionError as error:
        raise MalformedError(f"{path}: nested too deeply") from error
    except ValueError as error:
        raise MalformedError(f"{path}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise MalformedError(f"{path}: not a JSON object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return value
