"""What a number is by a comparator glued in front of it: `vllm>=0.6` and `(>=1.8)` are versions.

A comparator bounds results as well (`speedup>=1.8`, `CV<=2.5%`), so what stands in front of it must
be a name of software, and nothing behind it a unit.
"""

import re
from collections.abc import Iterator

from claims.numerals.numbers import unit_follows

_PROTOCOLS = ("HTTP/", "TLS/")
_EXACT = ("==", "~=")
_BOUND = (">=", "<=")
_RESULTS = (
    r"speed-?ups?|lat(?:ency)?|ttft|tpot|itl|e2e|acc(?:uracy)?|scores?|ppl|perplexity|ratio|rate|cv"
    r"|r2?|f1|recall|precision|t?put|throughput|gain|loss|errors?|diff|delta|cos(?:ine)?|similarity"
    r"|temp(?:erature)?|top[-_]?p|util(?:ization)?|usage|power|energy|mem(?:ory)?|v?ram|time"
    r"|duration|runtime|bw|bandwidth|pass|win|psnr|ssim|kld?|m[as]e|rmse|rtf|wer|bleu|rouge|tps|qps"
    r"|p\d*|x|n|median|mean|avg|average|min|max|std|threshold|confidence|factor|overhead|quality"
    r"|size|cost|price|age|acceptance|tolerance|atol|rtol|tok(?:en)?s?|[mtgp]?flops?|mfu|goodput|elo"
    r"|mmlu|gsm8k|humaneval|mbpp|arc|hellaswag|winogrande|gpqa|aime|math|bbh|c-?eval|ms|s|hit|kv"
)
_OF_RESULTS = re.compile(rf"(?:.*[-_ ])?(?:{_RESULTS})", re.IGNORECASE)
_NAME = r"([A-Za-z][A-Za-z0-9_.-]*)(?:\[[A-Za-z0-9_,-]*\])?"
_SECOND = re.compile(rf"(?:\A|[^A-Za-z]){_NAME}(?:[<>]=?|[~=!]=)\d[\d.]*,[<>!]=?\Z")
_AFTER_LINK = re.compile(
    r"[ \u00a0]?[(（](?:[<>~=]=?|≥|≤)[ \u00a0]?(\d+(?:\.\d+)+)"
    r"(?:,[ \u00a0]?[<>!]=?[ \u00a0]?(\d+(?:\.\d+)+))?[)）]"
)


def is_version(left: str, hit: str, right: str) -> bool:
    """Say whether what is glued in front of `hit` makes a version of it."""
    is_dotted = "." in hit
    if left.endswith(_PROTOCOLS) or (left[-1:] == "@" and left[-2:-1].isalpha() and is_dotted):
        return True
    if left[:1].isalpha() and left.endswith(_EXACT):
        return not (is_dotted and _is_result(left[:-2]))
    if not is_dotted or unit_follows(hit + right, len(hit)):
        return False
    if left[:1].isalpha() and left.endswith(_BOUND):
        return not _is_result(left[:-2])
    second = _SECOND.search(left) if left[-1:] in "<>=" else None
    return second is not None and not _is_result(second[1])


def behind_link(text: str, start: int, end: int) -> Iterator[int]:
    """Yield where the versions in brackets behind a link to software begin: `[x](y) (>=1.8,<2)`."""
    if text[end] not in " (（\u00a0":
        return
    match = _AFTER_LINK.match(text, end)
    if match and not _is_result(text[start:end]):
        yield match.start(1)
        if match[2]:
            yield match.start(2)


def _is_result(name: str) -> bool:
    bare = name.lstrip("([{\"'“‘*_")
    return "/" in bare or _OF_RESULTS.fullmatch(bare) is not None
