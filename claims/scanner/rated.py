"""A number that its word makes a name of, and that the unit of a result behind the word rates.

`r140 tok/s`, `decode-140 tok/s` and `5_757 tok/s` are what someone measured, as is a commit, an
address or a size with a rate behind it. Names that their owners write so are none: H100 tok/s,
Llama-3 tok/s, pp512 tok/s, p99 ms.
"""

from collections.abc import Mapping

from claims.scanner import meant
from claims.scanner.vocabulary import Before
from receipts import late as re

DOUBTED = frozenset(("identifier", "hash", "ip-address", "model-name", "version"))
"""The exclusions that a unit behind the word takes back."""

_WORD = re.compile(r"[A-Za-z0-9_.-]{0,64}\Z", re.ASCII)
_REST = re.compile(r"[A-Za-z0-9_.-]{0,64}", re.ASCII)
# Whatever a unit stands behind: digits that bars part, an address, a hash, a size of a model.
_NUMBERS = re.compile(
    r"\d+(?:_\d+)+(?:\.\d+)?|\d+(?:\.\d+){2,}|\d+(?:\.\d+)?[BbT]"
    r"|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}"
)
# decode-140, Decode_140.2, decode_140_2, decode140.2; p99 is a percentile, and gfx1100 a chip.
_WORDED = re.compile(
    r"(?P<word>[A-Za-z][a-z]{2,})(?:[-_][a-z]{2,})*"
    r"(?:[-_](?P<apart>\d+(?:[._]\d+)*)|(?P<glued>\d+\.\d+|(?<=[a-z]{4})\d+))"
)
_LETTER = re.compile(r"(?!p\d\d(?:\.9+)?\Z)[a-z]\d{2,}(?:\.\d+)?")
_PRODUCTS = re.compile(r"a[134]0|[ahv]100|[ah]800|b[123]00|h200?|l[24]0|p[14]00?|t40?|k80")


def is_result(text: str, start: int, end: int, words: Mapping[str, Before]) -> bool:
    """Say whether the word around a number is rated: a result, and no name."""
    left, right = _WORD.search(text, max(0, start - 64), start), _REST.match(text, end)
    if left is None or right is None:
        return False
    stop = right.end() - (len(right[0]) - len(right[0].rstrip(".-")))
    if not meant.measures(text, stop):
        return False
    name = text[left.start() : stop].lstrip(".-_")
    if _NUMBERS.fullmatch(name):
        return True
    if _LETTER.fullmatch(name):
        return _PRODUCTS.fullmatch(name) is None
    worded = _WORDED.fullmatch(name)
    if worded is None:
        return False
    known = words.get(worded["word"].lower())
    return known is None or not known.form.fullmatch(worded["apart"] or worded["glued"])
