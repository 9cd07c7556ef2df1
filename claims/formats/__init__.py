"""How the outcome of a check is written: for people, and for the tools that they work with."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from claims.formats.outcome import Outcome

LINES = ("text", "concise", "github", "junit")
DOCUMENTS = ("json", "sarif", "gitlab")
FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")


def document(name: str, outcome: Outcome) -> Any:
    """Return the outcome as the plain value of a JSON format."""
    return import_module(f"claims.formats.{name}").value(outcome)


def lines(name: str, outcome: Outcome) -> Iterator[str]:
    """Yield the outcome line by line in a format of lines."""
    written: Iterator[str] = import_module(f"claims.formats.{name}").lines(outcome)
    return written
