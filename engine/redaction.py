"""Secrets in a raw file, found before it is attached, because what is attached is kept for ever.

A tool that writes down its own command line writes down the key in it::

    {"server_info": {"api_key": "sk-proj-4f…"}, "command": "serve --base-url http://10.0.0.7:80"}

becomes, by `redact`, the same bytes but for the secrets::

    {"server_info": {"api_key": "[redacted:api-key]"},
     "command": "serve --base-url http://[redacted:host]:80"}

Three things are looked for: text of a known shape (`hf_…`, `ghp_…`, a JWT, a private key), the
value behind a telling name (`api_key`, `--hf-token`, `HF_TOKEN=`), and the host behind the name of
an address.
The names are believed where a program wrote them: as a key of JSON, as a flag, as a variable in
capitals. In prose, code and model output a name alone is no secret: there its value must look like
one, with letters and digits. Every pattern opens with a rare literal, so that millions of numbers
are passed over at the speed of a search; nothing is parsed. Names spelled with `\\u` escapes are
not recognised.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

EXCERPT = 4


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret: the bytes from `start` up to `end`, of which `excerpt` shows at most four."""

    kind: str
    place: str
    """Line and column, both from 1 and in bytes, and the key, flag or variable where one names it:
    `3:17 (api_key)`."""
    excerpt: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    kind: str
    name: str = ""


def find(content: bytes) -> tuple[Secret, ...]:
    """Return the secrets in `content` (unpacked) in order; none overlaps another."""
    hits: list[_Hit] = []
    more = list(_hits(content))
    while more:
        before, hits = hits, _merged([*hits, *more])
        if hits == before:
            break
        # What a secret hid, such as a flag before it, may come to light when it is gone.
        more = [_traced(hit, hits) for hit in _hits(_without(content, hits))]
    return tuple(_placed(content, hits))


def redact(data: bytes, found: Sequence[Secret]) -> bytes:
    """Return `data` with each secret of `find(data)` replaced by `[redacted:KIND]`.

    No other byte changes: JSON stays JSON, and every number keeps its spelling.
    """
    return _without(data, sorted(found, key=lambda secret: secret.start))


def told(text: str) -> str:
    """Return a sentence with its secrets redacted, hosts aside: those are told on purpose.

    What no UTF-8 can hold, such as a stray byte in the name of a file, is spelt out.
    """
    data = text.encode("utf-8", "backslashreplace")
    found = [secret for secret in find(data) if secret.kind != "host"]
    return redact(data, found).decode()


def _without(data: bytes, hits: Sequence[Secret | _Hit]) -> bytes:
    parts, done = [], 0
    for hit in hits:
        parts += [data[done : hit.start], _stand_in(hit)]
        done = hit.end
    return b"".join([*parts, data[done:]])


def _stand_in(hit: Secret | _Hit) -> bytes:
    return f"[redacted:{hit.kind}]".encode()


def _traced(hit: _Hit, hits: list[_Hit]) -> _Hit:
    """Return `hit`, found in the bytes without `hits`, as a span of the bytes with them."""
    start, end = hit.start, hit.end
    for gone in hits:
        length, size = gone.end - gone.start, len(_stand_in(gone))
        start = _moved(start, gone, gone.start, length, size)
        end = _moved(end, gone, gone.end, length, size)
    return _Hit(start, end, hit.kind, hit.name)


def _moved(at: int, gone: _Hit, inside: int, length: int, size: int) -> int:
    if at <= gone.start:
        return at
    return inside if at < gone.start + size else at + length - size


def _hits(data: bytes) -> Iterator[_Hit]:
    for pattern in _SHAPES:
        for match in pattern.finditer(data):
            group = match.lastgroup or ""
            start, end = match.span(group)
            if not _harmless(data[start:end]):
                yield _Hit(start - _BEFORE.get(group, 0), end, group.replace("_", "-"))
    yield from _after_colons(data)
    yield from _after_equals(data)
    yield from _after_flags(data)


def _merged(hits: list[_Hit]) -> list[_Hit]:
    """Return `hits` in order, with those that overlap joined under the name of the first."""
    whole: list[_Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if whole and hit.start < whole[-1].end:
            last = whole[-1]
            whole[-1] = _Hit(last.start, max(last.end, hit.end), last.kind, last.name or hit.name)
        else:
            whole.append(hit)
    return whole


def _placed(data: bytes, hits: list[_Hit]) -> Iterator[Secret]:
    line, seen = 1, 0
    for hit in hits:
        line += data.count(b"\n", seen, hit.start)
        seen = hit.start
        column = hit.start - data.rfind(b"\n", 0, hit.start)
        place = f"{line}:{column}" + (f" ({hit.name})" if hit.name else "")
        excerpt = _masked(data[hit.start : hit.end])
        yield Secret(hit.kind, place, excerpt, hit.start, hit.end)


def _masked(secret: bytes) -> str:
    """Return the first characters of a secret, a quarter of it at most, and its length."""
    shown = secret[: min(EXCERPT, len(secret) // 4)].decode("ascii", "replace")
    clean = "".join(c if c.isascii() and c.isprintable() else "?" for c in shown)
    return f"{clean}… ({len(secret)} bytes)"


# Text of a known shape, in a group named for its kind. It starts at the edge of a word; in JSON
# the letter before it may be the `n` of `\n`. A lookbehind says so after the literal, because a
# pattern is fast only where it opens with one.


def _edge(opening: bytes) -> bytes:
    before = (rb"(?<![A-Za-z0-9_]%b)", rb"(?<=\\[nrtbf]%b)", rb"(?<=\\u[0-9A-Fa-f]{4}%b)")
    return b"(?:" + b"|".join(each % opening for each in before) + b")"


def _shape(kind: bytes, opening: bytes, rest: bytes) -> re.Pattern[bytes]:
    return re.compile(b"(?P<" + kind + b">" + opening + _edge(opening) + rest + b")")


_ESCAPED = rb"\\u[0-9A-Fa-f]{4}"
_CREDENTIALS = rb"(?:[^\s/\"'\\@:]|%b)*:(?:[^\s/\"'\\]|%b)+" % (_ESCAPED, _ESCAPED)
_PEM = rb" [A-Z ]{0,30}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s,:-]|\\[nrt/])*"
_UNDERSCORED = (
    (b"huggingface_token", _edge(b"hf_") + rb"(?<=hf_)[A-Za-z0-9]{20,}"),
    (b"github_token", _edge(b"gh[pousr]_") + rb"(?<=gh[pousr]_)[A-Za-z0-9]{30,}"),
    (b"github_pat", _edge(b"github_") + rb"(?<=github_)pat_[A-Za-z0-9_]{22,}"),
)
# The underscore is the rare letter; what stands before it belongs to the secret all the same.
_BEFORE = {"huggingface_token": 3, "github_token": 4, "github_pat": 7}

_SHAPES: tuple[re.Pattern[bytes], ...] = (
    re.compile(b"_(?:" + b"|".join(b"(?P<%b>%b)" % shape for shape in _UNDERSCORED) + b")"),
    _shape(b"api_key", b"sk-", rb"(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,}"),
    _shape(b"aws_access_key", b"A[KS]IA", rb"[0-9A-Z]{16}(?![A-Za-z0-9_])"),
    _shape(b"slack_token", b"xox", rb"[a-z]-(?=[A-Za-z-]{0,64}[0-9])[A-Za-z0-9-]{10,}"),
    _shape(b"gitlab_token", b"glpat-", rb"[A-Za-z0-9_-]{16,}"),
    _shape(b"google_api_key", b"AIza", rb"[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    _shape(b"nvidia_api_key", b"nvapi-", rb"[A-Za-z0-9_-]{20,}"),
    _shape(b"jwt", b"eyJ", rb"[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
    re.compile(rb"(?P<private_key>-----BEGIN" + _PEM + rb")"),
    re.compile(
        rb"earer(?<=[Bb]earer) +(?=[A-Za-z._~+/-]{0,64}[0-9])(?P<bearer_token>[\w.~+/=-]{12,})"
    ),
    re.compile(rb":(?:\\?/){2}(?P<url_credentials>" + _CREDENTIALS + rb")@"),
)

# Names. Case and dashes do not matter; a name is matched as a whole.

_OWNERS = (
    "hf|huggingface(?:_?hub)?|hugging_face(?:_hub)?|hub|access|auth|authentication|api|bearer|refresh"
    "|session|security|github|gh|gitlab|wandb|slack|bot|ngc|registry|secret|admin|id|jwt|deploy"
    "|private|personal_access|csrf|xsrf"
)
_NAMES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "api-key",
        re.compile(
            r".*api_?keys?|(?:.*_)?(?:(?:shared_?)?access|account|secret|private|signing|auth)_?key"
        ),
    ),
    ("token", re.compile(rf"(?:.*_)?(?:{_OWNERS})_?token|token")),
    ("password", re.compile(r".*(?:password|passwd|passphrase)")),
    ("secret", re.compile(r"(?:.*_)?(?:client)?secret")),
    ("authorization", re.compile(r"(?:proxy_)?authorization")),
    ("cookie", re.compile(r"(?:set_)?cookies?")),
    # Not hostname: that is how tools name the machine that was measured, which is a fact.
    ("host", re.compile(r"hosts?|(?:.*_)?(?:addr|ip)")),
    (
        "address",
        re.compile(
            r"(?:.*_)?(?:ur[li]s?|servers?|endpoints?|targets?|address(?:es)?|hosts?|api_base)|baseur[li]"
        ),
    ),
)
# The endings of these names: enough of each that few other words end so.
_SECRETIVE = b"key keys token sword passwd phrase secret ization cookie cookies".split()
_LOCAL = (
    rb"host hosts addr _ip \bip url urls uri uris server endpoint"
    rb" target address baseurl baseuri api_base servers endpoints targets addresses"
).split()


def names_a_secret(name: str) -> bool:
    """Say whether a setting of this name holds a secret, if it holds any text."""
    return _kind(name.encode()) not in (None, "host", "address")


@lru_cache(1024)
def _kind(name: bytes) -> str | None:
    plain = name.decode("ascii", "replace").lower().lstrip("-").replace("-", "_").replace(".", "_")
    return next((kind for kind, pattern in _NAMES if pattern.fullmatch(plain)), None)


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
        _after(rb"[\"']:", [*_SECRETIVE, *_LOCAL]),
        _after(rb"\\[\"']:", [*_SECRETIVE, *_LOCAL]),
        _after(rb"[\"']\s:", [*_SECRETIVE, *_LOCAL]),
        _after(rb":", _SECRETIVE),
    ),
    re.IGNORECASE,
)
_TEXT = re.compile(rb"\s*,?\s*\"(?P<value>(?:[^\"\\]|\\.)*)", re.DOTALL)
_OPEN = re.compile(rb"\s*\[")
_QUOTED = re.compile(rb"\s*\\?[\"'](?P<value>[^\"'\\\n]{1,4096})")
_BARE = re.compile(
    rb"[ \t]*(?:(?:basic|bearer|token) +)?(?P<value>[^\s\"'\\,;]{1,4096})", re.IGNORECASE
)


def _after_colons(data: bytes) -> Iterator[_Hit]:
    for match in _COLON.finditer(data):
        at = match.start()
        name, quote = _name_before(data, at)
        kind = _kind(name)
        if kind and quote == b'"':
            for span in _texts(data, match.end()):
                yield from _judged(data, span, name, kind, believed=True)
        elif kind and (quote or kind not in ("host", "address")):
            value = (_QUOTED if quote else _BARE).match(data, match.end())
            if value:
                yield from _judged(data, value.span("value"), name, kind, believed=False)


def _texts(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Yield the span of the JSON string at `at`, or of each string of the list there."""
    opening = _OPEN.match(data, at)
    match = _TEXT.match(data, opening.end() if opening else at)
    while match:
        yield match.span("value")
        match = _TEXT.match(data, match.end() + 1) if opening else None


# `NAME=value`, `--name=value`, `name='value'`, `?name=value`.

_EQUALS = re.compile(b"=" + _after(b"=", [*_SECRETIVE, *_LOCAL]), re.IGNORECASE)
# Bounded, so that a file of nothing but beginnings takes no longer than its length deserves.
_RUN = rb"(?:%b{1,4096}|%b)(?:%b%b{0,4096}){0,64}"
_PART = rb"(?:\\u[0-9A-Fa-f]{4}|\\/)"
_QUOTED_RUN = _RUN % (rb"[^\"'\\\n]", _PART, _PART, rb"[^\"'\\\n]")
_BARE_RUN = _RUN % (rb"[^\s\"'\\&]", _PART, _PART, rb"[^\s\"'\\&]")
_VALUE = rb"(?:\[?\\?[\"'](?P<quoted>%b)|(?P<bare>%b))" % (_QUOTED_RUN, _BARE_RUN)
_ASSIGNMENT = re.compile(_VALUE)


def _after_equals(data: bytes) -> Iterator[_Hit]:
    found = 0
    for match in _EQUALS.finditer(data):
        if match.start() < found:
            continue
        name, quote = _name_before(data, match.start())
        kind = _kind(name)
        value = _ASSIGNMENT.match(data, match.end()) if kind and not quote else None
        if kind and value:
            believed = name.startswith(b"--") or name.isupper()
            group = "quoted" if value["quoted"] else "bare"
            for hit in _judged(data, value.span(group), name, kind, believed=believed):
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


def _after_flags(data: bytes) -> Iterator[_Hit]:
    for match in _FLAG.finditer(data):
        kind = _kind(match["name"])
        group = "quoted" if match["quoted"] else "bare"
        prose = group == "bare" and _PROSE.fullmatch(match["bare"])
        if kind and not prose and not match[group].startswith(b"-"):
            name = b"--" + match["name"]
            yield from _judged(data, match.span(group), name, kind, believed=True)


# What a value must be.

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


def _judged(
    data: bytes, span: tuple[int, int], name: bytes, kind: str, *, believed: bool
) -> Iterator[_Hit]:
    """Yield what of the value in `span` is secret."""
    start, value, told = span[0], data[span[0] : span[1]], name.decode("ascii", "replace")
    if kind in ("host", "address"):
        for first, last in _hosts(value, strict=believed and kind == "host"):
            yield _Hit(start + first, start + last, "host", told)
    elif not _harmless(value) and _is_secret(value, name, kind, believed=believed):
        yield _Hit(start, span[1], kind, told)


def _is_secret(value: bytes, name: bytes, kind: str, *, believed: bool) -> bool:
    if kind == "authorization" and not _HEADER.fullmatch(value):
        return False
    if name.lower() == b"token":
        # A row of log probabilities calls each word of the model's vocabulary so.
        return _LOOKS_SECRET.fullmatch(value) is not None and len(value) >= _LONG
    return believed or _LOOKS_SECRET.fullmatch(value) is not None


def _harmless(value: bytes) -> bool:
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
    if _harmless(value):
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
