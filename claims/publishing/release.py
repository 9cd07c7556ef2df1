"""The one question of a release, part by part: may this be published, yes or no?

The lock is open, no finding is, every claim holds and is approved, every document is clean, and the
ledger extends a head that was kept elsewhere. What cannot be decided is no yes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from claims.desk import Desk
from claims.judging.judge import Judgement
from claims.judging.standing import Standing
from claims.pages import reading
from claims.publishing import findings
from claims.publishing import lock as locks
from claims.rules import Refusal
from ledger.bodies import Audit
from ledger.log import Ledger
from receipts import exits
from receipts.errors import Error, NotFoundError

_SINCE_AUDIT = ("ENTRY", "RUN", "CORRECTION", "AMENDMENT", "SUPERSEDED", "RETRACTION", "CONTRACT")


@dataclass(frozen=True)
class Part:
    """One part of the question: its answer as an exit code, in a line, and what is wrong."""

    name: str
    code: int
    detail: str
    refusals: Sequence[Refusal] = ()

    @property
    def answer(self) -> str:
        """The answer in a word."""
        return answer(self.code)

    def lines(self) -> Iterator[str]:
        """Yield it as text, what is wrong below it."""
        yield f"{self.answer:9}  {self.name:9}  {self.detail}"
        yield from (f"           {refusal.line()}" for refusal in self.refusals)

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        told = {"part": self.name, "answer": self.answer, "detail": self.detail}
        return told | {"findings": [refusal.view() for refusal in self.refusals]}


def answer(code: int) -> str:
    """Return what an exit code says in a word."""
    return {exits.OK: "yes", exits.NO: "no"}.get(code, "undecided")


@dataclass(frozen=True)
class Answer:
    """The answer of every part, and the conditions of approvals, which a person sees to."""

    parts: tuple[Part, ...]
    conditions: tuple[str, ...]

    @property
    def code(self) -> int:
        """The answer as an exit code: yes only where every part says yes."""
        return exits.worst(part.code for part in self.parts)


def check(desk: Desk, *, audited: bool) -> Answer:
    """Return the answer to the question whether the register and its documents may be released.

    With `audited` a fresh AUDIT entry that says that all holds is a part of it.
    """
    taken_back = {one.notice.claim for one in desk.withdrawn()}
    left = desk.register.claims.keys() - taken_back
    done = desk.judgements((), but=taken_back) if left else []
    parts = (
        _lock(desk),
        _findings(desk),
        _claims(done, len(taken_back)),
        _documents(desk),
        _ledger(desk),
        _audit(desk, asked=audited),
    )
    return Answer(parts, tuple(conditions(done)))


def conditions(judgements: Iterable[Judgement]) -> Iterator[str]:
    """Yield each condition under which a claim was approved, with the entry that names it."""
    for done in judgements:
        for text in done.conditions:
            yield f"{done.claim.id}: {text} (approved by entry {done.approved_by})"


def _part(name: str, refusals: Sequence[Refusal], detail: str) -> Part:
    return Part(name, exits.NO if refusals else exits.OK, detail, refusals)


def _lock(desk: Desk) -> Part:
    now = locks.read(desk.here.ledger)
    on = ", ".join(name for name, state in now.switches.items() if state) or "none"
    by = "no entry" if now.entry is None else f"entry {now.entry}"
    return _part("lock", list(locks.refusals(desk.here.ledger)), f"switches on: {on}, by {by}")


def _findings(desk: Desk) -> Part:
    every = findings.read(desk.here)
    refusals = list(findings.refusals(every))
    return _part("findings", refusals, f"{len(refusals)} open of {len(every)}")


def _claims(done: Sequence[Judgement], taken_back: int) -> Part:
    """Answer for every claim but those that were withdrawn: they are not to be published."""
    if not done:
        return Part("claims", exits.UNDECIDED, "the register holds no claim to publish")
    held = sum(one.holds for one in done)
    detail = f"{held} of {len(done)} hold and are approved, {taken_back} withdrawn"
    return _part("claims", [refusal for one in done for refusal in one.refusals], detail)


def _documents(desk: Desk) -> Part:
    try:
        paths = list(reading.documents(desk.here.workspace))
    except NotFoundError as error:
        return Part("documents", exits.UNDECIDED, str(error))
    checker = desk.checker()
    try:
        done = [checker.check(str(path), reading.text(path)) for path in paths]
    except Error as error:
        return Part("documents", error.exit_code, str(error))
    if not sum(one.checked for one in done):
        return Part("documents", exits.UNDECIDED, f"nothing was checked on {len(done)} pages")
    numbers = sum(one.numbers for one in done)
    refusals = [finding for one in done for finding in one.findings]
    return _part("documents", refusals, f"{len(done)} pages, {numbers} numbers")


def _ledger(desk: Desk) -> Part:
    report = desk.report
    if report.findings:
        return Part("ledger", exits.NO, f"it does not verify: {report.findings[0]}")
    code = exits.OK if report.anchored_to else exits.UNDECIDED
    return Part("ledger", code, desk.standing().removeprefix("ledger: "))


def _audit(desk: Desk, *, asked: bool) -> Part:
    problem = _audit_problem(desk.here.ledger)
    if problem is None or not asked:
        told = problem or "an auditor's entry covers what was recorded last, and says that it holds"
        return Part("audit", exits.OK, told if asked else f"not asked for: {told}")
    return _part("audit", [Refusal("CLM607", problem)], "an auditor's entry is asked for")


def _audit_problem(ledger: Ledger) -> str | None:
    """Return why no AUDIT entry speaks for the ledger as it is, None where one does."""
    indexes = ledger.index.of_kinds("AUDIT")
    if not indexes:
        return "there is no AUDIT entry"
    entry = ledger.entry(indexes[-1])
    doubt = Standing(ledger).doubt(entry.envelope.keyid, entry.index)
    if doubt or not isinstance(entry.body, Audit):
        return f"the AUDIT entry is contested: {doubt}"
    try:
        head = ledger.by_id(entry.body.head).index
    except Error as error:
        return f"AUDIT entry {entry.index}: {error}"
    verdicts = (entry.body.evidence_verdict, entry.body.decision_verdict)
    if verdicts != ("holds", "holds"):
        return f"AUDIT entry {entry.index} says of evidence and decision: {', '.join(verdicts)}"
    since = ledger.index.of_kinds(*_SINCE_AUDIT, start=head + 1)
    if since:
        return f"AUDIT entry {entry.index} is of entry {head}; {len(since)} were recorded since"
    return None
