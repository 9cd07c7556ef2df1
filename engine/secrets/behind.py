"""Secrets behind a telling name: in JSON, in assignments, behind flags."""

import re
from collections.abc import Iterator, Sequence

from engine.secrets.hit import Hit
from engine.secrets.names import LOCAL, SECRETIVE, kind_of
from engine.secrets.values import judged


def _after(tail: bytes, endings: Sequence[bytes]) -> bytes:
    """Return a pattern of what stands behind `tail` and the ending of a telling name."""
    return rb"(?<=%b)(?:%b)" % (tail, b"|".join(b"(?<=%b%b)" % (e, tail) for e in endings))


_SIGN = bytes(c if chr(c).isalnum() or chr(c) in "_.-" else 32 for c in range(128)) + b" " * 128


def _name_before(data: bytes, at: int) -> tuple[bytes, bytes]:
    """Return the name that ends before `at`, and what closes it: a quote, or b""."""
    text = data[max(0, at - 72) : at].rstrip()
    body = text[:-1].rstrip(b"\\") if text[-1:] in (b'"', b"'") else text
    words = body[-64:].translate(_SIGN).rsplit(None, 1)
    return (words[-1] if words and body[-1:].isalnum() else b""), text[len(body) :]


# `"name": "value"`, `"name": ["value", …]`, believed; and, not believed, `\"name\": \"value\"`,
# `'name': 'value'`, `Name: value`.

_COLON = re.compile(
    rb":(?:(?=\s*\\?[\"'\[])|(?<=[A-Za-z]:)(?=[ \t]*\w))(?:%b|%b|%b|%b)"
    % (
        _after(rb"[\"']:", [*SECRETIVE, *LOCAL]),
        _after(rb"\\[\"']:", [*SECRETIVE, *LOCAL]),
        _after(rb"[\"']\s:", [*SECRETIVE, *LOCAL]),
        _after(rb":", SECRETIVE),
    ),
    re.IGNORECASE,
)
_TEXT = re.compile(rb"\s*,?\s*\"(?P<value>(?:[^\"\\]|\\.)*)", re.DOTALL)
_OPEN = re.compile(rb"\s*\[")
_QUOTED = re.compile(rb"\s*\\?[\"'](?P<value>[^\"'\\\n]{1,4096})")
_BARE = re.compile(
    rb"[ \t]*(?:(?:basic|bearer|token) +)?(?P<value>[^\s\"'\\,;]{1,4096})", re.IGNORECASE
)


def after_colons(data: bytes) -> Iterator[Hit]:
    """Yield the secrets of `"name": "value"` and its likes."""
    for match in _COLON.finditer(data):
        at = match.start()
        name, quote = _name_before(data, at)
        kind = kind_of(name)
        if kind and quote == b'"':
            for span in _texts(data, match.end()):
                yield from judged(data, span, name, kind, believed=True)
        elif kind and (quote or kind not in ("host", "address")):
            value = (_QUOTED if quote else _BARE).match(data, match.end())
            if value:
                yield from judged(data, value.span("value"), name, kind, believed=False)


def _texts(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Yield the span of the JSON string at `at`, or of each string of the list there."""
    opening = _OPEN.match(data, at)
    match = _TEXT.match(data, opening.end() if opening else at)
    while match:
        yield match.span("value")
        match = _TEXT.match(data, match.end() + 1) if opening else None


# `NAME=value`, `--name=value`, `name='value'`, `?name=value`.

_EQUALS = re.compile(b"=" + _after(b"=", [*SECRETIVE, *LOCAL]), re.IGNORECASE)
# Bounded, so that a file of nothing but beginnings takes no longer than its length deserves.
_RUN = rb"(?:%b{1,4096}|%b)(?:%b%b{0,4096}){0,64}"
_PART = rb"(?:\\u[0-9A-Fa-f]{4}|\\/)"
_QUOTED_RUN = _RUN % (rb"[^\"'\\\n]", _PART, _PART, rb"[^\"'\\\n]")
_BARE_RUN = _RUN % (rb"[^\s\"'\\&]", _PART, _PART, rb"[^\s\"'\\&]")
_VALUE = rb"(?:\[?\\?[\"'](?P<quoted>%b)|(?P<bare>%b))" % (_QUOTED_RUN, _BARE_RUN)
_ASSIGNMENT = re.compile(_VALUE)


def after_equals(data: bytes) -> Iterator[Hit]:
    """Yield the secrets of `NAME=value` and its likes."""
    found = 0
    for match in _EQUALS.finditer(data):
        if match.start() < found:
            continue
        name, quote = _name_before(data, match.start())
        kind = kind_of(name)
        value = _ASSIGNMENT.match(data, match.end()) if kind and not quote else None
        if kind and value:
            believed = name.startswith(b"--") or name.isupper()
            group = "quoted" if value["quoted"] else "bare"
            for hit in judged(data, value.span(group), name, kind, believed=believed):
                found = hit.end
                yield hit


# `--name value`, and `"--name", "value"` in a list of arguments.

_FLAG = re.compile(
    rb"--(?P<name>[A-Za-z][\w-]{1,40})(?P<gap>[ \t]+|\\?[\"']\s*,\s*(?=\\?[\"']))" + _VALUE
)
_PROSE = re.compile(
    rb"(?:a|an|and|any|argument|arguments|as|at|be|by|can|flag|flags|for|from|has|if|in|is|it|may"
    rb"|must|not|of|on|option|options|or|parameter|set|setting|should|switch|that|the|then|this|to"
    rb"|value|via|was|when|which|will|with|you)[.,;:)!?]*",
    re.IGNORECASE,
)


def after_flags(data: bytes) -> Iterator[Hit]:
    """Yield the secrets of `--name value` and its likes."""
    for match in _FLAG.finditer(data):
        kind = kind_of(match["name"])
        group = "quoted" if match["quoted"] else "bare"
        prose = group == "bare" and _PROSE.fullmatch(match["bare"])
        if kind and not prose and not match[group].startswith(b"-"):
            name = b"--" + match["name"]
            yield from judged(data, match.span(group), name, kind, believed=True)
