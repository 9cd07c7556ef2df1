"""Canonical JSON: one value, one spelling, so that a digest of the bytes is a digest of the value.

The bytes are RFC 8785 (JCS) restricted to strings, integers within ±(2⁵³−1), booleans, arrays and
objects with ASCII keys::

    {"cell":"decode-p16","n":6,"value":"33.50"}

There are no floats (measured figures are decimal strings), no nulls (absent fields are left out)
and no duplicate keys. Inside that subset the standard library's encoder already writes exactly
what JCS asks for, at a tenth of the cost of the `rfc8785` package, which the tests hold it against.
Specification: docs/reference/formats/canonical-json.md.
"""

import json
from typing import Any, NoReturn

from receipts.errors import MalformedError

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 64
MAX_BYTES = 64 * 1024 * 1024

Value = str | int | bool | list[Any] | dict[str, Any]


def encode(value: Any) -> bytes:
    """Return the canonical bytes of `value`.

    Raises `MalformedError` for anything outside the subset: floats, None, big integers, other key
    types, lone surrogates, or nesting beyond 64 levels.
    """
    _check(value, MAX_DEPTH)
    return _spell(value)


def decode(data: bytes, max_bytes: int = MAX_BYTES) -> Any:
    """Return the value that `data` spells.

    Raises `MalformedError` unless `data` is exactly what `encode` writes for that value, which
    refuses white space, other key orders, duplicate keys and other number forms in one rule.
    """
    if len(data) > max_bytes:
        raise MalformedError(f"JSON of {len(data)} bytes is over the limit of {max_bytes}")
    try:
        value = _DECODER.decode(data.decode("utf-8"))
        if _spell(value) != data:
            raise MalformedError("JSON is not in canonical form")
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"not canonical JSON: {_first_line(error)}") from error
    if _needs_a_closer_look(data):
        _check(value, MAX_DEPTH)
    return value


def _spell(value: Any) -> bytes:
    try:
        return _ENCODER.encode(value).encode("utf-8")
    except (UnicodeEncodeError, RecursionError) as error:
        raise MalformedError(f"not encodable as JSON: {_first_line(error)}") from error


def _needs_a_closer_look(data: bytes) -> bool:
    """Say whether the bytes could hold a null, a non-ASCII key or deep nesting.

    Everything else the grammar and the re-spelling have settled, at the speed of C.
    """
    deep = data.count(b"{") + data.count(b"[") > MAX_DEPTH
    return deep or b"null" in data or not data.isascii()


def _check(value: Any, depth: int) -> None:
    if depth < 0:
        raise MalformedError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        _check_keys(value)
        for item in value.values():
            _check(item, depth - 1)
    elif isinstance(value, list):
        for item in value:
            _check(item, depth - 1)
    elif isinstance(value, int):
        _check_integer(value)
    elif not isinstance(value, str):
        raise MalformedError(f"{type(value).__name__} {value!r} has no place in canonical JSON")


def _check_keys(value: dict[Any, Any]) -> None:
    for key in value:
        if not isinstance(key, str) or not key.isascii():
            raise MalformedError(f"object key {key!r} is not an ASCII string")


def _check_integer(value: int) -> None:
    if abs(value) > MAX_INTEGER:
        raise MalformedError(f"integer {value} is outside ±(2^53 - 1); write it as a string")


def _bounded_integer(text: str) -> int:
    if len(text) > 17:
        raise MalformedError(f"integer {text[:20]}… is outside ±(2^53 - 1)")
    value = int(text)
    _check_integer(value)
    return value


def _no_float(text: str) -> NoReturn:
    raise MalformedError(f"number {text[:40]} is a float; figures are decimal strings")


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_DECODER = json.JSONDecoder(
    parse_float=_no_float, parse_constant=_no_float, parse_int=_bounded_integer
)
