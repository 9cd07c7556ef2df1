"""Findings: what stops a release until it is resolved. No waiver, no deferral.

A finding is all its FINDING rows together. It is closed by a row with evidence that is in the store
and with a *fence*, the sentence on what keeps it from coming back. A grave one is closed by an
operator, and how grave it is stays what its gravest row says. Reopening is one more row. What was
closed on its first row came in from elsewhere as history and was never open here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from claims.judging.standing import Standing
from claims.rules import Refusal
from ledger import citation
from ledger.bodies import Finding as Row
from ledger.entry import Entry
from ledger.session import Session
from receipts.errors import ConflictError, Error, MalformedError, NotFoundError
from receipts.keys import SigningKey

Severity = Literal["low", "medium", "high", "critical"]
SEVERITIES: tuple[Severity, ...] = ("low", "medium", "high", "critical")
_GRAVE = ("high", "critical")


@dataclass(frozen=True)
class Finding:
    """A finding as its rows leave it; `why_open` is None for a closed one."""

    id: str
    severity: Severity
    title: str
    entries: tuple[int, ...]
    why_open: str | None
    resolution: str | None

    @property
    def is_open(self) -> bool:
        """Say whether it stops a release."""
        return self.why_open is not None

    def view(self) -> dict[str, Any]:
        """Return it as plain values, absent fields left out."""
        fields = {
            "id": self.id,
            "severity": self.severity,
            "status": "open" if self.is_open else "closed",
            "title": self.title,
            "entries": list(self.entries),
            "why_open": self.why_open,
            "resolution": self.resolution,
        }
        return {name: value for name, value in fields.items() if value is not None}

    def cells(self) -> list[str]:
        """Return it as the cells of a table."""
        status = "open" if self.is_open else "closed"
        return [self.id, self.severity, status, str(self.entries[-1]), self.title]


def read(here: Session) -> list[Finding]:
    """Return every finding of the ledger in the order in which they were first recorded."""
    rows: dict[str, list[tuple[Entry, Row]]] = {}
    for index in here.ledger.index.of_kinds("FINDING"):
        entry = here.ledger.entry(index)
        if isinstance(entry.body, Row):
            rows.setdefault(entry.body.id, []).append((entry, entry.body))
    standing = Standing(here.ledger) if rows else None
    return [_fold(here, standing, name, found) for name, found in rows.items() if standing]


def refusals(every: Sequence[Finding]) -> Iterator[Refusal]:
    """Yield one refusal for each finding that is open."""
    for one in every:
        if one.is_open:
            message = f"{one.id} ({one.severity}), {one.why_open}: {one.title}"
            yield Refusal("CLM602", message)


def open_(
    here: Session, name: str, severity: Severity | None, title: str | None, key: SigningKey
) -> Entry:
    """Append the row that opens a finding, or opens it again."""
    known = next((one for one in read(here) if one.id == name), None)
    if known and known.is_open:
        raise ConflictError(f"finding {name} is open since entry {known.entries[-1]}")
    severity = severity or (known.severity if known else None)
    title = title or (known.title if known else None)
    if severity is None or title is None:
        raise MalformedError(f"finding {name} is new: give --severity and --title")
    body = {"kind": "FINDING", "title": title, "id": name, "severity": severity}
    return here.ledger.append({**body, "status": "open"}, key)


def close(here: Session, name: str, evidence: Sequence[str], fence: str, key: SigningKey) -> Entry:
    """Append the row that closes a finding; its evidence must resolve to a believable receipt."""
    known = next((one for one in read(here) if one.id == name), None)
    if known is None:
        raise NotFoundError(f"no finding is called {name!r}; `claims findings list` shows them")
    if not known.is_open:
        raise ConflictError(f"finding {name} was closed by entry {known.entries[-1]}")
    if not any(map(str.isalnum, fence)):
        raise MalformedError(f"finding {name}: a fence is a sentence, what keeps it from returning")
    uris = [citation.resolve(here.ledger, reference) for reference in evidence]
    for uri in uris:
        citation.open_cited(here.ledger, here.workspace.receipts, uri)
    fields = {
        "kind": "FINDING",
        "title": known.title,
        "id": name,
        "severity": known.severity,
        "status": "closed",
        "resolution": fence,
        "evidence": [{"receipt": uri} for uri in uris],
    }
    return here.ledger.append(fields, key)


def _fold(here: Session, standing: Standing, name: str, rows: list[tuple[Entry, Row]]) -> Finding:
    severity = max((row.severity for _, row in rows), key=SEVERITIES.index)
    entry, last = rows[-1]
    was_open = any(row.status == "open" for _, row in rows)
    why_open = f"opened by entry {entry.index}" if last.status == "open" else None
    if last.status == "closed" and was_open:
        why_open = _not_closed(here, standing, entry, last, severity)
    resolution = last.resolution if last.status == "closed" else None
    entries = tuple(found.index for found, _ in rows)
    return Finding(name, severity, last.title, entries, why_open, resolution)


def _not_closed(
    here: Session, standing: Standing, entry: Entry, row: Row, severity: Severity
) -> str | None:
    """Return why a closing row closes nothing, None where it does."""
    told = f"entry {entry.index} closes it"
    if doubt := standing.doubt(entry.envelope.keyid, entry.index):
        return f"{told}, which is contested {doubt}"
    if not row.resolution or not row.evidence:
        return f"{told} without {'evidence' if row.resolution else 'a fence'}"
    signer = here.ledger.trust_at(entry.index).signer(entry.envelope.keyid)
    if severity in _GRAVE and "operator" not in signer.roles:
        return f"{told} by a key that is no operator's"
    for item in row.evidence:
        try:
            citation.open_cited(here.ledger, here.workspace.receipts, item.receipt)
        except Error as error:
            return f"{told} on evidence that does not resolve: {error}"
    return None
