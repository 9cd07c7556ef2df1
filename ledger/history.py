"""An existing campaign, read from its Markdown table: steps, what they moved, what corrected what.

::

    | Step | Lever      | Commit    | Perf before→after | Δ     | Status   | Lesson           |
    |------|------------|-----------|-------------------|-------|----------|------------------|
    | r1   | wider tile | `0a1b2c3` | 100.0 → 112.0     | +12%  | LANDED   | superseded by r2 |
    | r2   | re-measure | `1b2c3d4` | 100.0 → 104.0     | +4.0% | MEASURED | correction of r1 |

Columns are found by their headers, or named by the caller. `check` recomputes every printed change,
`links` finds which row corrects which, `entry_fields` gives the fields of an ENTRY. Nothing of this
has raw files: what comes in is recorded history, and never citable.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ledger import columns as headings
from ledger import quantity, references, selfcheck, tables
from ledger.references import Link
from ledger.selfcheck import Judgement, Verdict
from ledger.tables import Row, Table
from receipts.errors import MalformedError, UsageError

MAX_TITLE = 500


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One row: its number from 1, its line, and its cells verbatim; an absent column is ''.

    `unit` and `delta_unit` are what the headers say; `note` is how a broken row was repaired.
    """

    number: int
    line: int
    step: str
    lever: str = ""
    commit: str = ""
    performance: str = ""
    delta: str = ""
    status: str = ""
    lesson: str = ""
    unit: str | None = None
    delta_unit: str | None = None
    note: str = ""
    corrects: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    """Every cell under its header, in the order of the table."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """The rows of a campaign in order, and which of them correct which."""

    rows: tuple[HistoryRow, ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one printed change of one row; `where` is `delta` or `performance`."""

    row: int
    line: int
    step: str
    verdict: Verdict
    where: str
    operands: str
    printed: str
    computed: str
    convention: str
    reason: str


def read(text: str, columns: Mapping[str, str] | None = None) -> Campaign:
    """Return the campaign in the tables of `text` that have its columns.

    `columns` maps roles (`ledger.columns.ROLES`) to headers and overrides what the headers suggest.
    Raises `MalformedError` if no table fits or a row does not fit its table, `UsageError` for a
    role that does not exist.
    """
    wanted = dict(columns or {})
    for role in wanted:
        if role not in headings.ROLES:
            raise UsageError(
                f"column role {role!r} is none of {', '.join(headings.ROLES)}; use one of these"
            )
    rows: list[HistoryRow] = []
    found = tables.read(text)
    for table in found:
        mapping = headings.assign(table.header, wanted)
        if mapping is not None:
            rows += [
                _row(table, row, mapping, len(rows) + i) for i, row in enumerate(table.rows, 1)
            ]
    if not rows:
        raise MalformedError(_nothing_found(found, wanted))
    return _linked(rows)


def check(campaign: Campaign) -> list[Finding]:
    """Return a finding for each printed change, and one for each row that prints none."""
    return [
        _finding(row, judgement)
        for row in campaign.rows
        for judgement in selfcheck.judge(row.performance, row.delta, row.unit, row.delta_unit)
    ]


def entry_fields(row: HistoryRow) -> dict[str, Any]:
    """Return the fields of the ENTRY that records `row`: its words verbatim, and no evidence.

    `recorded` keeps the row cell by cell, and is what marks it as recorded history.
    """
    printed = (
        row.lever,
        f"performance: {row.performance}" if row.performance else "",
        f"change as printed: {row.delta}" if row.delta else "",
    )
    fields: dict[str, Any] = {
        "kind": "ENTRY",
        "title": _title(row),
        "change": "\n".join(part for part in printed if part),
        "verdict": {"outcome": outcome(row.status)}
        | ({"sentence": row.status} if row.status else {}),
        "scope": {"source_line": str(row.line)},
        "step": row.step,
        "commit": row.commit,
        "lesson": row.lesson,
        "recorded": [{"column": column, "text": text} for column, text in row.cells],
    }
    return {name: value for name, value in fields.items() if value}


def outcome(status: str) -> str:
    """Return the outcome word for a status: that of its first word with a meaning here.

    A status without one is an `observation`: a row of history is never an open question.
    """
    for word in quantity.words(quantity.plain(status)):
        for stem, meaning in _OUTCOMES:
            if word.startswith(stem):
                return meaning
    return "observation"


def _title(row: HistoryRow) -> str:
    title = quantity.plain(f"{row.step}: {row.lever}" if row.lever else row.step)
    title = " ".join(title.split())
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1] + "…"


def _finding(row: HistoryRow, judged: Judgement) -> Finding:
    if correction := _correction(row, judged):
        judged = replace(judged, verdict=Verdict.CORRECTED, reason=correction)
    return Finding(
        row.number,
        row.line,
        row.step,
        judged.verdict,
        judged.where,
        judged.operands,
        judged.printed,
        judged.computed,
        judged.convention,
        judged.reason,
    )


def _correction(row: HistoryRow, judged: Judgement) -> str:
    """Say what corrects the change: a row that this one names, or its own status; '' if nothing."""
    wrong = judged.verdict in (Verdict.CONTRADICTION, Verdict.TRUNCATED)
    printed = judged.where == "delta" and judged.verdict is not Verdict.ABSENT
    if row.superseded_by and (wrong or printed):
        return f"the row is corrected by {', '.join(row.superseded_by)}"
    if wrong and _OWNED_UP.intersection(quantity.words(row.status)):
        return "the row's status says that it was corrected"
    return ""


def _linked(rows: list[HistoryRow]) -> Campaign:
    cells = [
        (r.number, r.line, (r.lever, r.performance, r.delta, r.status, r.lesson)) for r in rows
    ]
    links = references.find([row.step for row in rows], [texts for _, _, texts in cells])
    linked = []
    for row in rows:
        corrects = tuple(link.corrected_step for link in links if link.correcting == row.number)
        by = tuple(link.correcting_step for link in links if link.corrected == row.number)
        linked.append(replace(row, corrects=corrects, superseded_by=by))
    return Campaign(tuple(linked), tuple(links))


def _row(table: Table, row: Row, mapping: dict[str, int], number: int) -> HistoryRow:
    width = len(table.header)
    if len(row.cells) != width:
        raise MalformedError(
            f"line {row.line}: {len(row.cells)} cells under a header of {width}; "
            "write a bar inside a cell as \\|"
        )
    cells = {role: row.cells[index] for role, index in mapping.items()}
    before, after = cells.pop("before", ""), cells.pop("after", "")
    if before and after and before.lower() not in selfcheck.ABSENT:
        cells["performance"] = f"{before} → {after}"
    elif after:
        cells["performance"] = after
    step = cells.pop("step", "") or cells.get("lever", "") or f"line {row.line}"
    where = mapping.get("performance", mapping.get("after", mapping.get("before", 0)))
    return HistoryRow(
        number,
        row.line,
        quantity.plain(step).strip(),
        lever=cells.get("lever", ""),
        commit=cells.get("commit", ""),
        performance=cells.get("performance", ""),
        delta=cells.get("delta", ""),
        status=cells.get("status", ""),
        lesson=cells.get("lesson", ""),
        unit=headings.unit_in(table.header[where]),
        delta_unit=headings.unit_in(table.header[mapping["delta"]]) if "delta" in mapping else None,
        note=row.note,
        cells=tuple(zip(table.header, row.cells, strict=True)),
    )


def _nothing_found(found: list[Table], wanted: dict[str, str]) -> str:
    seen = "; ".join(", ".join(table.header) for table in found[:5])[:300]
    named = f" with the columns {', '.join(wanted.values())}" if wanted else ""
    return (
        f"no campaign table{named}: {f'headers seen: {seen}' if seen else 'no pipe table at all'}; "
        "name the columns of performance (or before and after) and delta"
    )


_OWNED_UP = frozenset({"corrected", "superseded", "retracted", "withdrawn", "restated"})
_OUTCOMES = (
    ("land", "landed"), ("merge", "landed"), ("ship", "landed"), ("adopt", "landed"),
    ("accept", "landed"), ("kept", "landed"), ("keep", "landed"),
    ("revert", "reverted"), ("rolled", "reverted"), ("backed", "reverted"),
    ("reject", "rejected"), ("negative", "rejected"), ("drop", "rejected"),
    ("abandon", "rejected"), ("refut", "rejected"), ("falsif", "rejected"), ("dead", "rejected"),
    ("meas", "measured-only"), ("record", "observation"), ("observ", "observation"),
    ("void", "void"), ("invalid", "void"),
    ("pass", "pass"), ("miss", "miss"), ("fail", "miss"),
)  # fmt: skip
