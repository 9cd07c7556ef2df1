"""What a value must be to be a secret or a host: not empty, no stand-in, not this machine."""

import re
from collections.abc import Iterator
from functools import lru_cache

from engine.secrets.hit import Hit

_HARMLESS = re.compile(
    rb"\s*(?:\[redacted:[a-z-]+\]|<[^<>]*>|(?-i:\$\{?[A-Z_][A-Z0-9_]*\}?)|\{[^{}]*\}"
    rb"|\{\{[^{}]*\}\}|%\w+%|\*+|x+|\.+|your[-_ ][\w -]*|none|null|nil|empty"
    rb"|true|false|dummy|fake|changeme|placeholder|-|n/?a|unset|\(unset\)"
    rb"|user(?:name)?:pass(?:word)?)?\s*[,;)\]]*",
    re.IGNORECASE | re.DOTALL,
)
_LOOKS_SECRET = re.compile(rb"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9][\w.~+/=%:-]{7,}")
_HEADER = re.compile(rb"\s*(?:[A-Za-z][\w-]* +)?[^\s]+\s*")  # a scheme and its text, not a sentence
_LONG = 12


def judged(
    data: bytes, span: tuple[int, int], name: bytes, kind: str, *, believed: bool
) -> Iterator[Hit]:
    """Yield what of the value in `span` is secret."""
    start, value, told = span[0], data[span[0] : span[1]], name.decode("ascii", "replace")
    if kind in ("host", "address"):
        for first, last in _hosts(value, strict=believed and kind == "host"):
            yield Hit(start + first, start + last, "host", told)
    elif not harmless(value) and _is_secret(value, name, kind, believed=believed):
        yield Hit(start, span[1], kind, told)


def _is_secret(value: bytes, name: bytes, kind: str, *, believed: bool) -> bool:
    if kind == "authorization" and not _HEADER.fullmatch(value):
        return False
    if name.lower() == b"token":
        # A row of log probabilities calls each word of the model's vocabulary so.
        return _LOOKS_SECRET.fullmatch(value) is not None and len(value) >= _LONG
    return believed or _LOOKS_SECRET.fullmatch(value) is not None


def harmless(value: bytes) -> bool:
    """Say whether a value is empty, a stand-in, or redacted already."""
    return _HARMLESS.fullmatch(value) is not None


_URL = re.compile(
    rb":(?:\\?/){2}(?:[^\s/\"'\\]*@)?"
    rb"(?P<host>\[[0-9A-Fa-f:.%]+\]|[^\s/:\"'\\?#,@\[\]<>${}]+)"
)
_HOST = re.compile(
    rb"\s*(?:[^\s/,@\[\]]*@)?(?P<host>\[[0-9A-Fa-f:.%]{2,}\]|[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*"
    rb"|[A-Za-z0-9](?:[\w.-]*\w)?)(?P<port>:[0-9]{1,5})?(?P<path>\\?/[^,]*)?[.,;)]*\s*"
)
_LOOPBACK = re.compile(
    rb"localhost|(?:.*\.)?localhost\.localdomain|127(?:\.[0-9]{1,3}){3}|0(?:\.0\.0\.0)?|\[?::1?\]?|\*",
    re.IGNORECASE,
)
_IP = re.compile(rb"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|\[?[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.%]*\]?")
_DOMAIN = re.compile(
    rb"(?:[A-Za-z0-9_-]+\.)+(?:com|net|org|io|ai|dev|app|cloud|edu|gov|co|de|fr|uk|eu|cn|jp|us"
    rb"|local|internal|intranet|lan|corp|home|cluster|svc|arpa)",
    re.IGNORECASE,
)
_NO_HOST = re.compile(rb"auto|yes|no|cpu|gpu|cuda|host|default|all|any|[0-9.]+", re.IGNORECASE)


@lru_cache(1024)
def _hosts(value: bytes, *, strict: bool) -> tuple[tuple[int, int], ...]:
    """Return the spans of the hosts in `value`, other than this very machine.

    `strict` believes any word to be a host; else it must have a scheme, port, domain, or be an IP.
    """
    if harmless(value):
        return ()
    urls = list(_URL.finditer(value))
    spans = [match.span("host") for match in urls]
    if not urls:
        spans = [span for span in _pieces(value) if _is_host(value, *span, strict=strict)]
    return tuple(span for span in spans if not _LOOPBACK.fullmatch(value[span[0] : span[1]]))


def _pieces(value: bytes) -> Iterator[tuple[int, int]]:
    start = 0
    for piece in value.split(b","):
        match = _HOST.fullmatch(value, start, start + len(piece))
        if match:
            yield match.span("host")
        start += len(piece) + 1


def _is_host(value: bytes, start: int, end: int, *, strict: bool) -> bool:
    host, port = value[start:end], re.match(rb":[0-9]{1,5}(?![\w.])", value[end:])
    if _IP.fullmatch(host) or _DOMAIN.fullmatch(host):
        return True
    return bool(strict or port) and not _NO_HOST.fullmatch(host)
