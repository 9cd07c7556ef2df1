"""`claims audit`: the ledger verified, everything recounted, and the result signed if asked for.

The recount itself (`claims.recount`) shares no arithmetic with the rest; here it is handed what the
product prints. Nothing is written but, with a signature, one AUDIT entry.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims import desk
from claims.audits import discarded
from claims.audits.discarded import Lot
from claims.desk import Desk
from claims.judging.judge import Judgement
from claims.recount import walk
from claims.recount.archive import Archive
from claims.recount.report import Recounted
from claims.recount.walk import Rendered
from claims.registers import wording
from claims.rules import Refusal
from ledger import session, verification
from ledger.audit import Progress
from ledger.entry import Entry
from ledger.report import Report
from ledger.session import Session
from receipts import workspace
from receipts.errors import VerificationError
from receipts.keys import Passphrase, SigningKey

_MOST_LINES = 80
_MOST_BYTES = 200  # of a line; a quote or backslash takes two in the entry, whose size is limited


@dataclass(frozen=True)
class Books:
    """A ledger that verifies, open, and the desk with its register, where there is one."""

    here: Session
    report: Report
    desk: Desk | None

    @property
    def archive(self) -> Archive:
        """The receipts and raw files behind the ledger."""
        place = self.here.workspace
        return Archive(self.here.ledger, place.receipts, place.objects)

    def standing(self) -> str:
        """Return the verification's verdict in one line."""
        return list(self.report.lines())[-1]


@contextmanager
def open_books(
    progress: Progress, *, write: bool = False, ask: Passphrase | None = None
) -> Iterator[Books]:
    """Verify the ledger and open it; what does not verify is not recounted."""
    place = workspace.find(Path.cwd())
    if any((place.root / name).is_file() for name in place.configuration.registers):
        with desk.open_desk(progress, write=write, ask=ask) as opened:
            _require_sound(opened.report)
            yield Books(opened.here, opened.report, opened)
        return
    report = verification.verify((), progress, remember=False)
    _require_sound(report)
    with session.open_ledger(write=write, ask=ask, cached=False) as here:
        yield Books(here, report, None)


def _require_sound(report: Report) -> None:
    if report.findings:
        refusal = Refusal("CLM301", f"{report.findings[0]}; nothing was recounted")
        raise VerificationError(refusal.line())


def expected(books: Books) -> int:
    """Return about how many steps a recount takes."""
    return walk.expected(books.archive)


@dataclass(frozen=True)
class Audited:
    """What was recounted, and what was measured and left out."""

    found: Recounted
    lots: list[Lot]

    def lines(self) -> Iterator[str]:
        """Yield the report as text."""
        yield from self.found.details()
        for lot in self.lots:
            yield from lot.lines()
        yield from self.found.totals()

    def view(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {**self.found.view(), "discarded": [lot.view() for lot in self.lots]}


def recount(books: Books, progress: Progress) -> Audited:
    """Recount every figure of the ledger, and of every claim as it is rendered."""
    archive = books.archive
    found = walk.recount(archive, _rendered(books), progress)
    return Audited(found, discarded.lots(archive))


def _rendered(books: Books) -> Iterator[Rendered]:
    """Yield every claim with what fills its holes; a claim that cannot be filled has none."""
    if books.desk is not None:
        for claim in books.desk.register.claims.values():
            judgement = books.desk.judge.judge(claim, approval=False)
            yield Rendered(claim, _holes(judgement) if judgement.sentence else None)


def _holes(judgement: Judgement) -> dict[str, str]:
    holes = wording.HOLE.finditer(judgement.claim.wording)
    return {hole[0]: wording.fill(hole[0], judgement.values) for hole in holes}


def require_auditor(books: Books, key: SigningKey) -> None:
    """Refuse a key that may not sign an AUDIT entry, before the work is done."""
    books.here.ledger.trust().require(key.public.fingerprint, "auditor")


def sign(books: Books, found: Recounted, key: SigningKey) -> Entry:
    """Append the result as an AUDIT entry, signed by an auditor's key."""
    told = [_short(one.line()) for one in found.differences]
    more = [f"and {len(told) - _MOST_LINES} more"] if len(told) > _MOST_LINES else []
    fields: dict[str, Any] = {
        "kind": "AUDIT",
        "title": f"evidence {found.evidence}, decision {found.decision}: "
        f"{len(found.figures)} figures recounted, {len(found.differences)} differ",
        "head": books.report.head,
        "checked": found.counts(),
        "differences": [*told[:_MOST_LINES], *more],
        "evidence_verdict": found.evidence,
        "decision_verdict": found.decision,
    }
    return books.here.ledger.append(fields, key)


def _short(line: str) -> str:
    plain = "".join(c if c.isprintable() else "?" for c in line)
    return plain.encode()[:_MOST_BYTES].decode(errors="ignore")
