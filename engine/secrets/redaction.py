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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.secrets import behind, shapes
from engine.secrets.hit import Hit

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


def find(content: bytes) -> tuple[Secret, ...]:
    """Return the secrets in `content` (unpacked) in order; none overlaps another."""
    hits: list[Hit] = []
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


def _without(data: bytes, hits: Sequence[Secret | Hit]) -> bytes:
    parts, done = [], 0
    for hit in hits:
        parts += [data[done : hit.start], _stand_in(hit)]
        done = hit.end
    return b"".join([*parts, data[done:]])


def _stand_in(hit: Secret | Hit) -> bytes:
    return f"[redacted:{hit.kind}]".encode()


def _traced(hit: Hit, hits: list[Hit]) -> Hit:
    """Return `hit`, found in the bytes without `hits`, as a span of the bytes with them."""
    start, end = hit.start, hit.end
    for gone in hits:
        length, size = gone.end - gone.start, len(_stand_in(gone))
        start = _moved(start, gone, gone.start, length, size)
        end = _moved(end, gone, gone.end, length, size)
    return Hit(start, end, hit.kind, hit.name)


def _moved(at: int, gone: Hit, inside: int, length: int, size: int) -> int:
    if at <= gone.start:
        return at
    return inside if at < gone.start + size else at + length - size


def _hits(data: bytes) -> Iterator[Hit]:
    yield from shapes.hits(data)
    yield from behind.after_colons(data)
    yield from behind.after_equals(data)
    yield from behind.after_flags(data)


def _merged(hits: list[Hit]) -> list[Hit]:
    """Return `hits` in order, with those that overlap joined under the name of the first."""
    whole: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if whole and hit.start < whole[-1].end:
            last = whole[-1]
            whole[-1] = Hit(last.start, max(last.end, hit.end), last.kind, last.name or hit.name)
        else:
            whole.append(hit)
    return whole


def _placed(data: bytes, hits: list[Hit]) -> Iterator[Secret]:
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
