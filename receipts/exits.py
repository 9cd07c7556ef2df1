"""What a command exits with, and which of several answers wins."""

from collections.abc import Iterable

OK, NO, USAGE, UNDECIDED, INPUT = 0, 1, 2, 3, 4
BUG, SYSTEM, HELD, INTERRUPTED = 70, 74, 75, 130
_SEVERITY = (INPUT, NO, UNDECIDED, OK)


def worst(codes: Iterable[int]) -> int:
    """Return the exit code for several answers: 4 before 1 before 3 before 0, others before all."""
    found = set(codes)
    return max(found.difference(_SEVERITY), default=0) or next(
        (code for code in _SEVERITY if code in found), OK
    )
