"""JSON as other people's tools write it: read strictly, with numbers kept as they were printed.

A number with a fraction or an exponent becomes a `Figure`, the text of the file, so that neither
its digits nor its trailing zeros are lost to a float::

    {"avg_ts": 119.063400}   ->   {"avg_ts": Figure("119.063400")}

Integers stay integers. Duplicate keys, NaN, Infinity, figures of absurd size and deep nesting are
refused.
"""

import json
import re
from collections import Counter
from typing import Any, NoReturn

from receipts.errors import MalformedError

MAX_DEPTH = 64
_MAX_DIGITS = 24
_MAX_FIGURE = 64
_EXPONENT = re.compile(r"[eE][-+]?0*(\d{0,3})\Z")


class Figure(str):
    """A JSON number that is not an integer, as its source text."""

    __slots__ = ()


def parse_at(text: str, position: int) -> tuple[Any, int]:
    """Return the JSON value that starts at `position` of `text`, and where it ends.

    Raises `MalformedError` that names the line for anything that is not strict JSON, and for text
    that ends inside the value.
    """
    try:
        value, end = _DECODER.raw_decode(text, position)
        _check_depth(value, MAX_DEPTH)
    except json.JSONDecodeError as error:
        raise MalformedError(f"line {error.lineno}: truncated or not JSON: {error.msg}") from error
    except RecursionError as error:
        raise MalformedError(f"{_line(text, position)}: nested too deeply") from error
    except MalformedError as error:
        raise MalformedError(f"{_line(text, position)}: {error}") from error
    return value, end


def _line(text: str, position: int) -> str:
    number = text.count("\n", 0, position) + 1
    return f"JSON that starts on line {number}"


def _check_depth(value: Any, depth: int) -> None:
    if depth < 0:
        raise MalformedError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        for item in value.values():
            _check_depth(item, depth - 1)
    elif isinstance(value, list):
        for item in value:
            _check_depth(item, depth - 1)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise MalformedError(f"key {twice[:_MAX_FIGURE]!r} appears twice in one object")
    return value


def _figure(text: str) -> Figure:
    exponent = _EXPONENT.search(text)
    if len(text) > _MAX_FIGURE or ("e" in text.lower() and not exponent):
        raise MalformedError(f"number {text[:_MAX_FIGURE]} is longer or larger than any result")
    return Figure(text)


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise MalformedError(f"integer {text[:_MAX_DIGITS]}… is larger than any result")
    return int(text)


def _no_constant(text: str) -> NoReturn:
    raise MalformedError(f"{text} is not a measured number; the run that printed it is void")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=_figure,
    parse_int=_integer,
    parse_constant=_no_constant,
)
