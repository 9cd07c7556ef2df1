"""JSON as other people's tools write it: read strictly, in pieces, with packed columns.

A raw file can be one object of fifty megabytes. It is read through a window of text that moves over
its bytes. What fits into the window is parsed by `json` at once; a container that does not fit is
walked, member by member. A walked list of numbers, and each list of numbers in a walked list,
becomes an `array` of doubles: the file never stands in memory as text, nor as a million objects.

    {"ttfts": [0.25, 0.5], "request_rate": Infinity}   ->   …, "request_rate": NonFinite("Infinity")

Duplicate keys, cut-off text, deep nesting and numbers of absurd length are refused. NaN and
Infinity are kept by their names, so that a reader decides whether a number was claimed there.
"""

import codecs
import json
import re
from array import array
from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.results.refusals import ResultError

MAX_DEPTH = 64
WINDOW = 1 << 22
_SHOWN = 60
_LITERAL = 16  # no literal of JSON, nor NaN and its like, is longer
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"[-+.\deE]+")
_NUMBERS = re.compile(r"(?:-?\d[\d.eE+-]*[ \t\n\r]*,[ \t\n\r]*)+")


class NonFinite(str):
    """A literal that JSON does not have: NaN, Infinity or -Infinity."""

    __slots__ = ()


class Window:
    """A cursor over the UTF-8 text of `data`, of which only a part is decoded at a time."""

    def __init__(self, data: bytes, size: int = WINDOW) -> None:
        self._data = memoryview(data)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._size = size
        self._taken = 3 if data[:3] == codecs.BOM_UTF8 else 0
        self._before = 0  # newlines in the text that was let go
        self.text = ""
        self.at = 0
        self.whole = False
        """Whether nothing is left beyond the window."""
        self.more()

    @property
    def line(self) -> int:
        """The number of the line at the cursor, from 1."""
        return 1 + self._before + self.text.count("\n", 0, self.at)

    def more(self) -> None:
        """Let go of what lies behind the cursor and decode the next piece."""
        piece = self._data[self._taken : self._taken + max(self._size, len(self.text) - self.at)]
        start = self._taken
        self._taken += len(piece)
        self.whole = self._taken >= len(self._data)
        try:
            text = self._decoder.decode(piece, self.whole)
        except UnicodeDecodeError as error:
            place = start + error.start
            raise ResultError("not-text", f"not UTF-8: {error.reason} at byte {place}") from error
        self._before += self.text.count("\n", 0, self.at)
        self.text = self.text[self.at :] + text
        self.at = 0

    def skip_space(self) -> str:
        """Move to the next character that is no white space, and return it; "" at the end."""
        while True:
            match = _SPACE.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.text) or self.whole:
                return self.text[self.at : self.at + 1]
            self.more()

    def starts(self, text: str) -> bool:
        """Say whether `text` stands at the cursor, as far as the window shows."""
        return self.text.startswith(text, self.at)

    def sees(self, pattern: re.Pattern[str], reach: int = 4096) -> bool:
        """Say whether `pattern` matches at the cursor, with `reach` characters to look ahead."""
        if len(self.text) - self.at < reach and not self.whole:
            self.more()
        return pattern.match(self.text, self.at) is not None

    def skip_line(self) -> None:
        """Move to the end of the line at the cursor."""
        while (end := self.text.find("\n", self.at)) < 0:
            self.at = len(self.text)
            if self.whole:
                return
            self.more()
        self.at = end

    def document(self) -> Any:
        """Return the one JSON value that the whole text is."""
        self.skip_space()
        value = self.value()
        if self.skip_space():
            raise self._malformed("Extra data", self.at)
        return value

    def value(self, depth: int = 0) -> Any:
        """Return the JSON value at the cursor and move behind it."""
        if not self.whole and len(self.text) - self.at < self._size // 2:
            self.more()
        while True:
            start = self.at
            found = self._scan(depth)
            if found is not _CUT:
                return found
            opening = self.text[start : start + 1]
            if opening in ("{", "[") and depth == MAX_DEPTH:
                raise self._too_deep()
            if opening == "{":
                return self._object(depth)
            if opening == "[":
                return self._array(depth)
            self.more()

    def lines(self) -> list[Any]:
        """Return the values of the short lines in the window and move behind them, or return [].

        A file may hold a million records of a line each, and one call for many is far cheaper than
        one for each. Where anything is unusual the cursor stays, and the slow way names the place.
        """
        end = len(self.text) if self.whole else self.text.rfind("\n", self.at)
        lines = self.text[self.at : max(end, self.at)].rstrip("\n").split("\n")
        if any(line.count("[") + line.count("{") > MAX_DEPTH for line in lines):
            return []
        try:
            values = _DECODER.decode(f"[{','.join(lines)}]")
        except ValueError:
            return []
        if set(map(type, values)) != {dict}:
            return []
        self.at = end
        return list(values)

    def _scan(self, depth: int) -> Any:
        """Return the value at the cursor if it ends inside the window, else `_CUT`."""
        text, start = self.text, self.at
        try:
            # Not in typeshed. `raw_decode` would count lines and columns at every cut.
            value, end = _DECODER.scan_once(text, start)  # type: ignore[attr-defined]
        except (StopIteration, ValueError, RecursionError) as error:
            return self._cut_or_raise(error)
        if end > len(text) - _LITERAL and not self.whole:  # "1." may be half of "1.5"
            return _CUT
        brackets = text.count("[", start, end) + text.count("{", start, end)
        if depth + brackets > MAX_DEPTH and depth + _levels(value) > MAX_DEPTH:
            raise self._too_deep()
        self.at = end
        return value

    def _cut_or_raise(self, error: StopIteration | ValueError | RecursionError) -> "_Cut":
        """Return `_CUT` where more text may mend what went wrong, else raise what it is."""
        if isinstance(error, RecursionError):
            raise ResultError("too-deep", f"line {self.line}: nested too deeply") from error
        if isinstance(error, StopIteration):
            if self.whole or error.value < len(self.text) - _LITERAL:
                raise self._malformed("Expecting value", error.value) from None
        elif not isinstance(error, json.JSONDecodeError):
            reason = f"line {self.line}: a number is longer than any result"
            raise ResultError("not-a-number", reason) from error
        elif self.whole:
            raise self._malformed(error.msg, error.pos) from error
        return _CUT

    def _too_deep(self) -> ResultError:
        return ResultError("too-deep", f"line {self.line}: nested over {MAX_DEPTH} levels")

    def _object(self, depth: int) -> dict[str, Any]:
        """Walk over the members of an object that does not fit into the window."""
        pairs: list[tuple[str, Any]] = []
        self.at += 1
        going = self._opens("}")
        while going:
            if self.skip_space() != '"':
                raise self._malformed("Expecting property name enclosed in double quotes", self.at)
            name = self.value(depth + 1)
            if self.skip_space() != ":":
                raise self._malformed("Expecting ':' delimiter", self.at)
            self.at += 1
            self.skip_space()
            pairs.append((name, self.value(depth + 1)))
            going = self._goes_on("}")
        return _unique(pairs)

    def _array(self, depth: int) -> Any:
        """Walk over the members of an array that does not fit into the window."""
        items: Any = array("d")
        self.at += 1
        going = self._opens("]")
        while going:
            self.skip_space()
            items = _extend(items, self._numbers())
            self.skip_space()
            items = _extend(items, [_packed(self.value(depth + 1))])
            going = self._goes_on("]")
        return items

    def _opens(self, close: str) -> bool:
        """Say whether there is a first member; move over `close` if not."""
        found = self.skip_space() != close
        self.at += not found
        return found

    def _numbers(self) -> list[Any]:
        """Return the numbers that follow, as far as each is followed by a comma."""
        match = _NUMBERS.match(self.text, self.at)
        if not match or match.end() - match.start() < _SHOWN:
            return []
        try:
            found = json.loads(f"[{match[0].rstrip()[:-1]}]")
        except ValueError:
            return []  # the slow way names the place
        self.at = match.end()
        return list(found)

    def _goes_on(self, close: str) -> bool:
        """Move over a comma and say True, or over `close` and say False."""
        found = self.skip_space()
        if found not in (",", close) or not found:
            raise self._malformed("Expecting ',' delimiter", self.at)
        self.at += 1
        return found == ","

    def _malformed(self, message: str, position: int) -> ResultError:
        line = 1 + self._before + self.text.count("\n", 0, position)
        if self.whole and _cut_short(self.text[position:].strip(), message):
            return ResultError("truncated", f"line {line}: the file ends inside a JSON value")
        return ResultError("malformed", f"line {line}: not JSON: {message}")


def _cut_short(left: str, message: str) -> bool:
    """Say whether the text ended before the value did: what is left begins a word or a number."""
    if message.startswith("Unterminated string") or _NUMBER.fullmatch(left):
        return True
    return any(word.startswith(left) for word in ("true", "false", "null", "Infinity", "NaN"))


def _levels(value: Any) -> int:
    """Return how many containers stand one in another."""
    level, levels = [value] if isinstance(value, dict | list) else [], 0
    while level:
        levels += 1
        level = [item for inside in level for item in _members(inside)]
    return levels


def _members(value: Any) -> Iterator[Any]:
    """Return the containers inside a container."""
    inside = value.values() if isinstance(value, dict) else value
    return (item for item in inside if isinstance(item, dict | list))


def _extend(items: Any, found: list[Any]) -> Any:
    """Append to doubles as long as all are doubles, else to a list."""
    if not found:
        return items
    if isinstance(items, array):
        if all(type(item) is float for item in found):
            items.extend(found)
            return items
        items = items.tolist()
    items.extend(found)
    return items


def _packed(value: Any) -> Any:
    """Return a list of floats as an array of doubles, and any other value as it is."""
    if type(value) is list and value and set(map(type, value)) == {float}:
        return array("d", value)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ResultError("duplicate-keys", f"key {twice[:_SHOWN]!r} appears twice in one object")
    return value


class _Cut:
    """Marks a value that goes on beyond the window."""


_CUT = _Cut()
_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=NonFinite)
