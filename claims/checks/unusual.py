"""Numbers that a reader takes for the rule: a maximum, a minimum or a percentile, told as nothing.

::

    "Decode reaches 133.7 tok/s"         of a median or a mean; of a maximum it is the best of five
    "Decode peaks at 133.7 tok/s"        tells
    "61.0 ms at the 99th percentile"     tells
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claims.checks import agreement
from receipts import late as re

if TYPE_CHECKING:
    from claims.checks.fitting import Finding, Told
    from claims.checks.offer import Offer
    from claims.checks.view import View
    from claims.numerals.numbers import Number

# "M4 Max" is a product.
_MOST = r"maximum|maxima|(?<!\bM\d )max|peak\w*|highs?(?=\s+of\b)|highest|largest|greatest|longest"
_LEAST = r"minimum|minima|min|lows?(?=\s+of\b)|lowest|smallest|shortest|least"
_EITHER = r"best|worst|fastest|slowest|extremes?|record"
_NAMES = {
    "max": rf"{_MOST}|{_EITHER}",
    "min": rf"{_LEAST}|{_EITHER}",
    "p90": r"p\s?90|90(?:th|\s*(?:%|percent))|ninetieth|percentiles?|nine\s+in\s+ten|tails?",
    "p95": r"p\s?95|95(?:th|\s*(?:%|percent))|ninety-fifth|percentiles?|tails?",
    "p99": r"p\s?99|99(?:th|\s*(?:%|percent))|ninety-ninth|percentiles?|tails?",
}
_REACHES = {
    "max": r"up\s+to|top(?:s|ped)?|as\s+(?:much|many|high|fast|long)\s+as",
    "min": r"floor|as\s+(?:little|few|low|slow|short)\s+as",
}


def _words(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


_TOLD = {
    name: _words("|".join(filter(None, (words, _REACHES.get(name)))))
    for name, words in _NAMES.items()
}
# A sentence further on says of which run the number is, and not only that something is the best.
_SET_APART = {
    name: _words(words.replace(_EITHER, rf"(?:{_EITHER})\s+(?:run|repetition|sample|of\s+\w+)s?"))
    for name, words in _NAMES.items()
}
_ENDS = {"max": {"high", "ceiling", "peak"}, "min": {"low", "floor"}}


def is_one(statistic: str) -> bool:
    """Say whether a reader must be told that a number is this statistic."""
    return statistic in _TOLD


def finding(told: Told, given: Offer, statistic: str, beside: str) -> Finding | None:
    """Return what the page does not say of a number that is right, None where it need not.

    `beside` is what stands around its sentence: paragraph, or row, header and caption.
    """
    message = unsaid(told, statistic, beside)
    return ("CLM205", message) if message and _is_value(told.number, given) else None


def unsaid(told: Told, statistic: str, beside: str = "") -> str | None:
    """Return that a number is a maximum, minimum or percentile, where nothing tells."""
    if not is_one(statistic) or is_told(told, statistic):
        return None
    if _SET_APART[statistic].search(beside):
        return None
    return f"{told.number.text} is the {statistic}, and nothing beside it says so"


def is_told(told: Told, statistic: str) -> bool:
    """Say whether its sentence tells what the number is; so does a bound, or its end of a range."""
    if {told.end, told.said.bound} & _ENDS.get(statistic, set()):
        return True
    words = _TOLD[statistic]
    return any(words.search(text) is not None for text in (told.said.before, told.said.after))


def _is_value(number: Number, given: Offer) -> bool:
    """Say whether the number is what the claim is about, and not its scatter or a count."""
    values = [agreement.converted(one.value, one.unit, number.unit) for one in given.headline]
    return any(value is not None and agreement.grade(number, value) == "agrees" for value in values)


def beside(view: View, block: int) -> str:
    """Return what stands around the sentences of a block: of a cell row, header and caption."""
    found = view.page.cell(block)
    if found is None:
        return view.page.block_text(block)
    table, here = found
    header = table.header[here.column] if here.column < len(table.header) else ""
    before = -1 if table.before is None else table.before
    caption = view.page.block_text(before) if before >= 0 else ""
    return " | ".join((header, *(cell.text for cell in table.rows[here.row]), caption))
