"""A check the long way, with what it establishes noted and kept for the next one."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from claims.desk import Desk
from claims.judging.judge import Judge, Judgement
from claims.pages import reading
from claims.recalling import naming
from claims.recalling.spelling import UnknownError, spelled
from claims.registers.model import Claim
from claims.remembering import answers, established
from claims.remembering.answers import Watch
from claims.scanner import vocabulary_file
from receipts.errors import Error

MOST_NOTED = 20_000
_NOT_SPELLED = (UnknownError, TypeError, ValueError, AttributeError)
_Rows = Iterator[tuple[str, Any]]


class _Noting(Judge):
    """A judge who notes what he was asked and what he said."""

    def __init__(self, behind: Judge) -> None:
        self._behind = behind
        self.judged: dict[str, tuple[Claim, Judgement]] = {}
        self.entries: dict[str, list[str]] = {}

    def judge(self, claim: Claim, *, approval: bool = True) -> Judgement:
        """Return the judgement, and note it."""
        done = self._behind.judge(claim, approval=approval)
        if len(self.judged) < MOST_NOTED:
            with suppress(*_NOT_SPELLED):
                self.judged[naming.of_judgement(claim, approval=approval)] = claim, done
        return done

    def cited(self, entry: str) -> list[str]:
        """Return the receipts that an entry cites, and note them."""
        found = self.entries[entry] = self._behind.cited(entry)
        return found


@contextmanager
def noted(desk: Desk) -> Iterator[Desk]:
    """Give the desk with a judge who takes notes; they are kept if the answer may be.

    Nothing is of a ledger that does not verify, and of a register with drafts.
    """
    watch = answers.current()
    sound = not desk.report.findings and not desk.register.drafts
    base = _base(desk) if watch is not None and sound else None
    if watch is None or base is None:
        yield desk
        return
    judge = _Noting(desk.judge)
    # All but the evidence of single claims was read by now, whatever its files are called.
    before = frozenset(watch.seen)
    yield replace(desk, judge=judge)
    watch.last = lambda: _keep(watch, before, base, _rows(desk, judge))


def _keep(watch: Watch, before: frozenset[str], base: Any, rows: _Rows) -> None:
    """Keep the rows with all that was read, but for the pages: of these, they say nothing."""
    late = (path for path, told in watch.seen.items() if told[0] == "text" and path not in before)
    pages = [path for path in late if Path(path).suffix.lower() in reading.SUFFIXES]
    with watch.aside():
        established.keep(watch, pages, base, rows)


def _base(desk: Desk) -> Any:
    """Return what register, configuration and ledger are to every page; None where unclear."""
    # What is wrong with a vocabulary, whoever reads it next says.
    with suppress(Error, *_NOT_SPELLED):
        return _told(desk)
    return None


def _told(desk: Desk) -> Any:
    place, register = desk.here.workspace, desk.register
    configuration = place.configuration
    barred = register.barred
    files = (place.root / name for name in configuration.vocabulary)
    more = {
        "root": str(place.root),
        "documents": configuration.documents,
        "baseline": configuration.baseline,
        "standing": desk.standing(),
        "names": register.names,
        "scope_words": register.scope_words,
        "withdrawn": register.withdrawn,
        "policy": register.policy,
        "negative_space": register.negative_space.items,
        "barred": barred.rows,
        "words": barred.names if barred.rows else None,
    }
    phrases = dict(vocabulary_file.read(files).phrases)
    return {"ids": list(register.claims), "phrases": phrases, "more": spelled(more)}


def _rows(desk: Desk, judge: _Noting) -> _Rows:
    """Yield what was asked, as far as it can be spelled."""
    claims = desk.register.claims
    for name, (claim, done) in judge.judged.items():
        own = claims.get(claim.id)
        try:
            if own is not None:
                yield naming.of_claim(own.id), spelled(own)
            yield name, spelled(done)
        except _NOT_SPELLED:
            continue
    for entry, receipts in judge.entries.items():
        yield naming.of_entry(entry), spelled(receipts)
