"""Secrets of a known shape: `hf_…`, `ghp_…`, a JWT, a private key."""

import re
from collections.abc import Iterator

from engine.secrets import values
from engine.secrets.hit import Hit


def hits(data: bytes) -> Iterator[Hit]:
    """Yield the secrets of `data` that are known by their shape."""
    for pattern in _SHAPES:
        for match in pattern.finditer(data):
            group = match.lastgroup or ""
            start, end = match.span(group)
            if not values.harmless(data[start:end]):
                yield Hit(start - _BEFORE.get(group, 0), end, group.replace("_", "-"))


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
