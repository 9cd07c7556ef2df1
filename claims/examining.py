"""Pages through the whole check: judged one by one, against each other, and then as an outcome."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from claims.checks import checking
from claims.checks.checking import Run
from claims.checks.page import Checker
from claims.desk import Desk
from claims.formats.outcome import Outcome

if TYPE_CHECKING:
    from claims.adopting.comparing import Drafts


def examine(
    desk: Desk,
    checker: Checker,
    run: Run,
    pages: Iterable[tuple[str, str]],
    reread: Callable[[str], str],
) -> Outcome:
    """Return what pages, given by name and text, came to; `reread` gives the text of one again."""
    check = checking.Check(run, reread)
    drafts, done = _drafts(desk), []
    for name, source in pages:
        judged = checker.check(name, source)
        if drafts:
            judged.settle(drafts.against(name, source, judged.findings), 0)
        check.add(name, source, judged)
        done.append(judged)
    checker.conflicts(done, reread)
    return check.outcome(desk.standing())


def _drafts(desk: Desk) -> "Drafts | None":
    """Return the drafts of the register, ready for pages; None, at no cost, where it has none."""
    if not desk.register.drafts:
        return None
    from claims.adopting import comparing

    return comparing.Drafts(desk.register.drafts)
