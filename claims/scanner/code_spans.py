"""Results that a page sets as code, where no number must resolve: each is refused by name.

A span claims a result by what it holds (`35 tok/s`), or it holds a number alone and the text gives
it a unit behind the span: "reaches `35` tok/s", "`1.5` times as fast". GitHub sets $`1.5\\times`$
as mathematics, so its signs are read as what they show.
"""

from collections.abc import Iterator

from claims.numerals import numbers
from claims.numerals.numbers import UNITS, Number
from claims.pages.document import Document
from claims.pages.flow import SEPARATOR
from claims.pages.parts import Fragment
from receipts import late as re

_RATES = frozenset(name for name, unit in UNITS.items() if "/" in unit.dimension)
_DURATIONS = frozenset(("s", "min", "h"))
_AROUND = re.compile(r"[\s~≈<>≤≥±/,–→-]*")
# `-b 512` and `x3` are code; `~1,234.5`, `+12`, `35k` and `140.2–150.2` are numbers.
_ALONE = re.compile(r"[\s~≈<>≤≥±+−–-]*+[\d.][\d.,]*+[kKM]?(?:[\s–/→±~-]++[\d.][\d.,]*+)*+\s*+")
_DIGIT = re.compile(r"[0-9]")
_TEX_SIGNS = {
    "times": "×", "%": "%", "approx": "≈", "sim": "~", "pm": "±",
    **dict.fromkeys((",", ";", ":", " ", "quad"), " "),
}  # fmt: skip
_TEX_SIGN = re.compile(r"\\(?:(times|approx|sim|pm|quad)(?![A-Za-z])|([%,;: ]))")
_TEX_WORD = re.compile(r"\\(?:text|math)(?:rm|bf|it|sf|tt|normal)?\{([^{}]*)\}")
_REACH = 40


def claims(page: Document) -> Iterator[tuple[Fragment, Number]]:
    """Yield the code spans that claim a result, each with its number and the unit of that."""
    spans, shown = page.code, [_shown(span.rendered) for span in page.code]
    pieces = [piece for piece in page.pieces if piece.kind == "code"] if spans else []
    for index, (span, code) in enumerate(zip(spans, shown, strict=True)):
        if not _DIGIT.search(code):
            continue
        claimed = _claimed(code)
        if claimed is None and _ALONE.fullmatch(code):
            ends = [(piece.start, piece.end) for piece in pieces[index : index + _REACH]]
            claimed = _given(code, _behind(page.text, ends, shown[index + 1 :][:_REACH]))
        if claimed:
            yield span, claimed


def _shown(code: str) -> str:
    """Return code with the signs and words of TeX as mathematics shows them."""
    if "\\" not in code:
        return code
    words = _TEX_WORD.sub(lambda found: found[1], code)
    return _TEX_SIGN.sub(lambda found: _TEX_SIGNS[found[1] or found[2]], words)


def _claimed(code: str) -> Number | None:
    """Return the first number of a code span that claims a result.

    A rate always does; any other measurement does where the span holds nothing but quantities.
    """
    found = numbers.find(code)
    for number in found:
        if number.unit in _RATES:
            return number
    measured = [one for one in found if numbers.is_measurement(one.unit)]
    ends = [0, *(one.after for one in found)]
    starts = [*(one.start for one in found), len(code)]
    gaps = (code[end:start] for end, start in zip(ends, starts, strict=True))
    if not measured or not all(_AROUND.fullmatch(gap) for gap in gaps):
        return None
    return next((one for one in measured if one.unit not in _DURATIONS), None)


def _behind(text: str, spans: list[tuple[int, int]], shown: list[str]) -> str:
    """Return what is read behind the first of `spans` in its block, code among it as `shown`."""
    (start, at), rest = spans[0], spans[1:]
    at += text[start - 1] == "$" == text[at]
    stop = text.find(SEPARATOR, at, at + _REACH)
    stop = at + _REACH if stop < 0 else stop
    read = ""
    for (first, last), code in zip(rest, shown, strict=False):
        if first >= stop:
            break
        read, at = read + text[at:first] + code, last
    return read + text[at : max(at, stop)]


def _given(code: str, behind: str) -> Number | None:
    """Return the number of `code` if what stands behind it gives it the unit of a result."""
    whole = code + behind
    number = next(iter(numbers.find(whole)), None)
    if number is None or number.end > len(code) or number.unit in _DURATIONS:
        return None
    spelt = whole[number.end : number.after]
    # One letter apart is more often a name: `3` W, `4` X.
    is_letter = len(spelt) == 2 and spelt[1].isalpha() and number.decimals <= 0
    return number if numbers.is_measurement(number.unit) and not is_letter else None
