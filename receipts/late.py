"""Regular expressions that are compiled when they are first used, and otherwise are those of `re`.

A command that reads one page needs few of the patterns of the modules it loads, and to compile the
others takes longer than to read the page::

    from receipts import late as re
"""

import re
from re import ASCII as ASCII
from re import DOTALL as DOTALL
from re import IGNORECASE as IGNORECASE
from re import MULTILINE as MULTILINE
from re import VERBOSE as VERBOSE
from re import Match as Match
from re import Pattern as Pattern
from re import RegexFlag
from re import escape as escape
from re import findall as findall
from re import finditer as finditer
from re import fullmatch as fullmatch
from re import match as match
from re import search as search
from re import split as split
from re import sub as sub
from typing import Any, cast

# As `re` spells it.
I = IGNORECASE  # noqa: E741


class _Late:
    """A pattern that compiles itself when something is asked of it."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags
        self._made: Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        self._made = self._made or re.compile(*self._given)
        found = getattr(self._made, name)
        # The next time it is found without coming here.
        setattr(self, name, found)
        return found


def compile(pattern: str, flags: int | RegexFlag = 0) -> Pattern[str]:
    """Return the pattern, not compiled yet; a faulty one is an `re.error` at its first use."""
    return cast("Pattern[str]", _Late(pattern, int(flags)))
