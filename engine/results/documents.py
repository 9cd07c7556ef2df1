"""The JSON documents of a raw file: one value, an array of records, or lines among log lines.

Tools print records one by one, and harnesses keep everything a tool printed; so log lines may stand
before, between and after records, and even inside a tool's array. They are counted as `noise`,
never silently dropped. Arrays of records are opened: `[{…}, {…}]` and two lines are the same file.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from engine.results.refusals import ResultError
from engine.results.source_json import Window

MAX_DOCUMENTS = 1_000_000
_OBJECT = re.compile(r'\{\s*(?:"|\})')
_ARRAY = re.compile(r"\[\s*(?:[{\]]|\Z)")


@dataclass(frozen=True, slots=True)
class Documents:
    """The JSON objects of a file in their order; `noise` counts the lines that are none of them.

    `listed` says whether the objects stand in an array.
    """

    values: tuple[dict[str, Any], ...]
    noise: int
    listed: bool


def parse(data: bytes) -> Documents:
    """Return the JSON objects in `data`; raises `ResultError` for broken or cut-off JSON."""
    scan = _Scan(Window(data))
    scan.to_end()
    return Documents(tuple(scan.found), scan.noise, scan.listed)


@dataclass(slots=True)
class _Scan:
    """Walks over a text and collects objects; other lines count as noise."""

    window: Window
    found: list[dict[str, Any]] = field(default_factory=list)
    noise: int = 0
    listed: bool = False
    array: int = 0  # the line on which the open array starts
    separator: str = "["  # the last of "[", ",", "}" inside the open array

    def to_end(self) -> None:
        while self.window.skip_space() == "{" and (values := self.window.lines()):
            self._take(values)
        while character := self.window.skip_space():
            self._step(character)
        if self.array:
            raise ResultError(
                "truncated", f"the array that starts on line {self.array} is not terminated"
            )

    def _step(self, character: str) -> None:
        if character == "{" and (self.window.starts('{"') or self.window.sees(_OBJECT)):
            self._object()
        elif character == "[" and not self.array and self.window.sees(_ARRAY):
            self.array, self.separator, self.listed = self.window.line, "[", True
            self.window.at += 1
        elif character in ",]" and self.array:
            self._punctuation(character)
        else:
            self.window.skip_line()
            self.noise += 1

    def _object(self) -> None:
        if self.array and self.separator == "}":
            raise ResultError("malformed", f"line {self.window.line}: no comma before a record")
        self.separator = "}"
        self._take([self.window.value()])

    def _take(self, values: list[Any]) -> None:
        if len(self.found) + len(values) > MAX_DOCUMENTS:
            raise ResultError("too-large", f"over {MAX_DOCUMENTS} records in one file")
        self.found += values

    def _punctuation(self, character: str) -> None:
        if self.separator != "}" and not (character == "]" and self.separator == "["):
            place = f"line {self.window.line}"
            raise ResultError("malformed", f"{place}: a record is missing before {character!r}")
        self.array = self.array if character == "," else 0
        self.separator = character
        self.window.at += 1
