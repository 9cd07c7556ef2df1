"""Plain YAML, read by libyaml: the value and its places, or None where a closer reader is needed.

A register of thousands of claims takes a reader in pure Python many seconds. Nothing is refused
here and nothing doubtful is accepted: on whatever is not plain (a fault, an alias, a tag, an empty
value, a character that the two readers may see differently) `receipts.yaml_source` reads again.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml

Places = dict[tuple[str | int, ...], tuple[int, int]]

# Line ends and white space of one version of YAML and not the other, and what is no text at all.
_DOUBTFUL = re.compile(r"[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]")
# A comment glued to the header of a block.
_GLUED = re.compile(r"[|>][-+0-9]*#")
# What is read as nothing, as a truth value or as a merge; any other plain word is its own text.
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_DOUBTFUL_WORDS = frozenset({"", "~", "null", "Null", "NULL", "<<", "="})
_MOST_DEPTH = 32


class _DoubtError(Exception):
    """What is read here is not plain."""


def read(text: str) -> tuple[Any, Places] | None:
    """Return the one document in `text` and the line and column of its parts; None in doubt."""
    if _DOUBTFUL.search(text) or _GLUED.search(text):
        return None
    places: Places = {}
    try:
        events = yaml.parse(text, Loader=yaml.CLoader)
        start = [type(next(events)), type(begun := next(events))]
        if start != [yaml.StreamStartEvent, yaml.DocumentStartEvent] or begun.version or begun.tags:
            return None
        root = next(events)
        if type(root) is yaml.ScalarEvent:
            return None
        value = _value(root, events, (), places)
        if [type(event) for event in events] != [yaml.DocumentEndEvent, yaml.StreamEndEvent]:
            return None
    except (AttributeError, StopIteration, _DoubtError, yaml.YAMLError):
        return None  # AttributeError: this yaml was built without libyaml
    return value, places


def _value(event: Any, events: Iterator[Any], path: tuple[str | int, ...], places: Places) -> Any:
    kind = type(event)
    if kind is yaml.AliasEvent or event.anchor or event.tag or len(path) >= _MOST_DEPTH:
        raise _DoubtError
    if path not in places:
        mark = event.start_mark
        places[path] = (mark.line + 1, mark.column + 1)
    if kind is yaml.ScalarEvent:
        return _scalar(event)
    if kind is yaml.SequenceStartEvent:
        return _sequence(events, path, places)
    return _mapping(events, path, places)


def _sequence(events: Iterator[Any], path: tuple[str | int, ...], places: Places) -> list[Any]:
    found: list[Any] = []
    while type(event := next(events)) is not yaml.SequenceEndEvent:
        found.append(_value(event, events, (*path, len(found)), places))
    return found


def _mapping(events: Iterator[Any], path: tuple[str | int, ...], places: Places) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while type(key := next(events)) is not yaml.MappingEndEvent:
        if type(key) is not yaml.ScalarEvent or key.anchor or key.tag or key.value in found:
            raise _DoubtError
        inner = (*path, key.value)
        places[inner] = (key.start_mark.line + 1, key.start_mark.column + 1)
        found[key.value] = _value(next(events), events, inner, places)
    return found


def _scalar(event: Any) -> str | bool:
    text: str = event.value
    if not event.implicit[0]:  # quoted or a block: what it says is what it is
        if event.style in "|>" and not text[:1].strip(" #\n"):  # its first line sets the indent
            raise _DoubtError
        if _DOUBTFUL.search(text.replace("\t", " ")):
            raise _DoubtError
        return text
    if text in _DOUBTFUL_WORDS:
        raise _DoubtError
    return _TRUTH.get(text, text)
