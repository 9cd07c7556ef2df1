"""Pages through the whole check: judged one by one, against each other, and then as an outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from claims.checks import checking
from claims.checks.checking import Run
from claims.formats.outcome import Outcome

if TYPE_CHECKING:
    from claims.adopting.comparing import Drafts
    from claims.checks.page import Checker
    from claims.desk import Desk


def examine(
    desk: Desk,
    checker: Checker,
    run: Run,
    pages: Iterable[tuple[str, str]],
    reread: Callable[[str], str],
    most: int | None = None,
) -> Outcome:
    """Return what pages, given by name and text, came to; `reread` gives the text of one again.

    Of each page `most` unbound numbers are told one by one and the others counted; all are told
    where it is None, or where a baseline or drafts are held against each.
    """
    check = checking.Check(run, reread)
    drafts, done = _drafts(desk), []
    if drafts or run.baseline:
        most = None
    for name, source in pages:
        judged = checker.check(name, source, most)
        if drafts:
            judged.settle(drafts.against(name, source, judged.findings), 0)
        check.add(name, source, judged)
        done.append(judged)
    checker.conflicts(done, reread)
    return check.outcome(desk.standing())


def _drafts(desk: Desk) -> Drafts | None:
    """Return the drafts of the register, ready for pages; None, at no cost, where it has none."""
    if not desk.register.drafts:
        return None
    from claims.adopting import comparing

    return comparing.Drafts(desk.register.drafts)
