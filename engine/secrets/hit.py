"""A secret as it is found: a span of bytes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """A span of bytes that is secret, its kind, and the name before it, if one told it."""

    start: int
    end: int
    kind: str
    name: str = ""
