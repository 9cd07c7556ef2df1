"""Quantizations and number formats that a text names, of the weights and of the cache.

`Q8_0` is another than `Q4_K_M`; `Q4_K` leaves open which of its sizes it is; `FP16`, `f16` and
`float16` are one. What stands beside "KV" or "cache" is the cache's, in facts as `type_k` and
`kv`::

    evidence: model_type "llama 8B Q4_K - Medium", type_k "f16"
    "with Q8_0 weights", "in FP16"      contradict           "Q4_K_M"                  does not
    "with a q8_0 cache"                 contradicts          "with an f16 KV cache"    does not

What a format is said of besides, such as FP16 accumulation, is no quantization of the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from receipts import late as re

_NAMES = re.compile(
    r"""(?<![A-Za-z0-9_])(?:
        I?Q[1-8]_(?:[01]|K(?:_(?:XS|XL|[SML]))?|XXS|XS|NL|S|M)(?:\s-\s(?:Small|Medium|Large))?
      | B?F(?:P|loat)?(?:16|32) | FP8(?:_E\dM\d)? | NV[ -]?FP4 | MX[ -]?FP[468] | FP4 | NF4
      | INT[48] | W\dA\d{1,2} | AWQ | GPTQ
    )(?![A-Za-z0-9_])""",
    re.VERBOSE | re.IGNORECASE,
)
_CACHE_AFTER = re.compile(r"\A[\s-]+(?:[A-Za-z]+\s+)?(?:KV|K/V|K|V|caches?|keys?|values?)\b", re.I)
_CACHE_BEFORE = re.compile(
    r"\b(?:KV|caches?|type_[kv])(?:[\s-]+(?:caches?|types?|in|of|at|is|as|quantized|to))*[\s:=(_-]*\Z",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\A[\s-]+(?:accumul|activation|compute|arithmetic|mat[\s-]?mul|gemm|kernel|tensor|logit|output"
    r"|input|attention|softmax|math|reduction|peak|flop)",
    re.IGNORECASE,
)
_CACHE_NAME = re.compile(r"(?:\A|[_.])(?:kv|type_[kv])|cache", re.IGNORECASE)
_CACHE_WORD = re.compile(r"\b(?:KV|K/V|caches?)\b", re.IGNORECASE)
_SPELT = {"small": "s", "medium": "m", "large": "l"}
_FOUR_BITS = frozenset({"awq", "gptq", "int4", "w4a16"})
_EIGHT_BITS = frozenset({"int8", "w8a8", "w8a16"})
_NEAR = 32


def is_of_cache(name: str) -> bool:
    """Say whether a fact, or the header of a column, is of the cache and not of the weights."""
    return _CACHE_NAME.search(name) is not None


def speaks_of_cache(text: str) -> bool:
    """Say whether a text speaks of the cache at all, which it need not name each time."""
    return _CACHE_WORD.search(text) is not None


def all_named(text: str) -> Iterator[re.Match[str]]:
    """Yield every quantization that a text names, of whatever."""
    yield from _NAMES.finditer(text)


def of_weights(text: str) -> Iterator[re.Match[str]]:
    """Yield those that a text names of the weights."""
    for found in _NAMES.finditer(text):
        after = text[found.end() : found.end() + _NEAR]
        if not _is_cache(text, found) and not _OF_ANOTHER.match(after):
            yield found


def of_cache(text: str) -> Iterator[re.Match[str]]:
    """Yield those that a text names of the cache."""
    yield from (found for found in _NAMES.finditer(text) if _is_cache(text, found))


def _is_cache(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - _NEAR) : found.start()]
    after = text[found.end() : found.end() + _NEAR]
    return bool(_CACHE_AFTER.match(after) or _CACHE_BEFORE.search(before))


def same(named: str, known: str) -> bool:
    """Say whether two names may be of one quantization."""
    one, other = _plain(named), _plain(known)
    if any(one in bits and other in bits for bits in (_FOUR_BITS, _EIGHT_BITS)):
        return True
    return one == other or one.startswith(f"{other}_") or other.startswith(f"{one}_")


def _plain(name: str) -> str:
    """Return the spelling by which names are compared: `FP16` is f16, `Q4_K - Medium` q4_k_m."""
    lower, _, size = name.lower().partition(" - ")
    lower = re.sub(r"\A(b?f)(?:p|loat)(?=16|32)", r"\1", lower.replace(" ", "").replace("-", ""))
    return f"{lower}_{_SPELT[size]}" if size in _SPELT else lower
