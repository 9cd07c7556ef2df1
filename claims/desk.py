"""The register and its ledger opened together: the ledger is verified, then claims are judged."""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from claims.checks.own_words import WordJudge
from claims.checks.page import Checker
from claims.judging import struck
from claims.judging.evidence import Archive
from claims.judging.judge import Judge, Judgement
from claims.notices.notices import Notices
from claims.notices.strikes import Strikes, Withdrawn
from claims.registers import register
from claims.registers.register import Register
from claims.rules import Refusal
from claims.scanner import vocabulary_file
from claims.scanner.vocabulary import Vocabulary
from ledger import session, verification
from ledger.audit import Progress
from ledger.report import Report
from ledger.session import Session
from receipts import workspace
from receipts.errors import MalformedError, NotFoundError, VerificationError
from receipts.keys import Passphrase
from receipts.workspace import Workspace

if TYPE_CHECKING:
    from claims.citing.resolver import Resolver


@dataclass(frozen=True)
class Desk:
    """What a release manager works with: the register, the judge, and the ledger's own report."""

    here: Session
    register: Register
    judge: Judge
    report: Report

    def judgements(self, ids: tuple[str, ...], but: Set[str] = frozenset()) -> list[Judgement]:
        """Return the judgement of these claims, or of all, without those in `but`."""
        chosen = ids or tuple(self.register.claims)
        if not chosen:
            raise NotFoundError("the register holds no claim; docs/how-to/register-a-claim.md")
        return [self.judge.judge(self.register.find(one)) for one in chosen if one not in but]

    @cached_property
    def strikes(self) -> Strikes:
        """What struck the claims of the register."""
        return Strikes(self.here.workspace, self.here.ledger, self.register)

    def withdrawn(self) -> list[Withdrawn]:
        """Return the claims that were taken back; none on a ledger that does not verify."""
        return [] if self.report.findings else self.strikes.withdrawn()

    def taken_back(self) -> list[Withdrawn]:
        """Return those, and the claims that the register itself lists as withdrawn."""
        return [] if self.report.findings else [*self.withdrawn(), *self.strikes.rows()]

    def checker(self) -> Checker:
        """Return what checks pages; on a ledger that does not verify no notice excuses anything."""
        vocabulary = _vocabulary(self.here.workspace)
        if self.report.findings:
            return Checker(self.register, self.judge, vocabulary, None, self.resolver())
        notices = Notices(self.here.ledger, self.register, lambda: self.strikes)
        return Checker(self.register, self.judge, vocabulary, notices, self.resolver())

    def resolver(self) -> "Resolver":
        """Return what resolves the citations of pages."""
        from claims.citing.resolver import Resolver

        here, broken = self.here, _first_fault(self.report)
        return Resolver(here.workspace, here.ledger, self.register, self.judge, broken)

    def standing(self) -> str:
        """Return one line on the ledger that all of this rests on."""
        anchored = ", ".join(self.report.anchored_to)
        rest = f"anchored to {anchored}" if anchored else "unanchored: rollback not excluded"
        losses = "".join(f", continued after a loss at {at}" for at in self.report.recoveries)
        return f"ledger: {self.report.entries} entries verified, {rest}{losses}"


@contextmanager
def open_desk(
    progress: Progress, *, write: bool = False, ask: Passphrase | None = None
) -> Iterator[Desk]:
    """Verify the ledger, read the register, and open both.

    A ledger that does not verify is still opened where it can be read: every claim is then
    refused by CLM301. Where it cannot, or where `write` says that something is to be appended,
    `VerificationError` says what does not verify.
    """
    report = verification.verify((), progress, remember=False)
    broken = _first_fault(report)
    if broken and write:
        refusal = Refusal("CLM301", f"{broken}; nothing was appended")
        raise VerificationError(refusal.line())
    known = _read_register(workspace.find(Path.cwd()))
    try:
        # What is judged is looked up in the ledger itself. One that does not verify may not even
        # be readable, and nothing is looked up in it.
        cached = broken is not None
        with session.open_ledger(write=write, ask=ask, cached=cached) as here:
            if broken is None:
                known = known.barring(struck.read(here.ledger))
            archive = Archive(here.workspace, here.ledger)
            judge = WordJudge(
                archive, here.ledger, broken, known, lambda: _vocabulary(here.workspace)
            )
            yield Desk(here, known, judge, report)
    except MalformedError as error:
        if broken is None:
            raise
        raise VerificationError(f"the ledger does not verify: {broken}") from error


def _vocabulary(place: Workspace) -> Vocabulary:
    """Return the names that the project adds."""
    return vocabulary_file.read(place.root / name for name in place.configuration.vocabulary)


def _first_fault(report: Report) -> str | None:
    """Return what is wrong with the lowest entry, None when nothing is; the rest follows of it."""
    ordered = sorted(report.findings, key=lambda one: (one.index is None, one.index or 0))
    return str(ordered[0]) if ordered else None


def _read_register(place: Workspace) -> Register:
    paths = [place.root / name for name in place.configuration.registers]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise NotFoundError(f"register {missing[0]} does not exist; write it, or see the docs")
    return register.read([_relative(path) for path in paths])


def _relative(path: Path) -> Path:
    """Return the path as a person here would write it, for errors."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
