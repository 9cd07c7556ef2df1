"""What a file claims to be a number, before anybody computes with it.

JSON knows integers of any length, and Python counts a bool as one. A figure is an int or a double
that is finite and small enough to be squared without overflow; everything else is shown as text.
"""

from collections.abc import Sequence
from typing import Any, TypeGuard

from engine.results.model import brief
from engine.results.refusals import ResultError

LIMIT = 1e100
"""No benchmark measures more, of anything; the square of less is still a double."""
_SHOWN = 60


def is_number(value: object) -> TypeGuard[int | float]:
    """Say whether `value` is a finite int or double below `LIMIT`."""
    return isinstance(value, int | float) and type(value) is not bool and -LIMIT < value < LIMIT


def is_count(value: object) -> TypeGuard[int]:
    """Say whether `value` is a number of things."""
    return type(value) is int and 0 <= value < LIMIT


def figure(value: object) -> int | float | str:
    """Return `value` as it may be compared and shown: a number, or one short line of text."""
    if is_number(value):
        return value
    short = isinstance(value, str) and len(value) <= _SHOWN and value.isprintable()
    return str(value) if short else brief(value)


def require_numbers(name: str, values: Sequence[Any]) -> None:
    """Raise `ResultError` unless each of `values` is a number or None."""
    for value in values:
        if value is not None and not is_number(value):
            raise ResultError("not-a-number", f"{name} holds {brief(value)}, which is no number")


def mapping(value: object) -> dict[str, Any]:
    """Return `value` if it is an object, else an empty one: absent is absent."""
    return value if isinstance(value, dict) else {}
