"""Words directly before a number that make it a bound of all repetitions: at least, under."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Literal

from claims.registers import wording
from receipts import late as re

if TYPE_CHECKING:
    from claims.numerals.numbers import Number

_MOST_SHOWN = 16
Bound = Literal["floor", "ceiling", "peak"]

_NEVER = r"\b(?:never|not|cannot|nor|\w+n['’]t)\s+(?:\w+\s+){0,2}"
BOUNDS: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    ("floor", re.compile(rf"{_NEVER}(?:below|under)\s+\Z", re.IGNORECASE)),
    ("ceiling", re.compile(rf"{_NEVER}(?:above|over|exceed(?:s|ed|ing)?)\s+\Z", re.IGNORECASE)),
    (
        "floor",
        re.compile(
            r"(?:[≥>]=?\s*|\b(?:at\s+least|(?:no|not|never)\s+(?:less|fewer|lower|slower)\s+than"
            r"|never\s+(?:below|under)|(?<!no )(?<!not )(?<!never )more\s+than|above"
            r"|exceed(?:s|ed|ing)?|over)\s+)\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "peak",
        re.compile(
            r"\b(?:up\s+to|as\s+(?:much|many|high|fast)\s+as|max(?:imum)?(?:\s+of)?"
            r"|peak(?:s|ed|ing)?(?:\s+(?:of|at))?|best(?:\s+of)?|tops\s+out\s+at)\s+\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "ceiling",
        re.compile(
            r"(?:[≤<]=?\s*|\b(?:at\s+most|(?:no|not|never)\s+(?:more|higher|longer|slower)\s+than"
            r"|never\s+(?:above|over)|(?<!no )(?<!not )(?<!never )less\s+than|under|below"
            r"|within)\s+)\Z",
            re.IGNORECASE,
        ),
    ),
)
"""Each kind with the words that say it; they end where the number begins."""


def beyond(number: Number, value: Fraction, kind: Bound) -> str:
    """Return which repetition breaks a bound, in as many digits as show it, and what would hold."""
    step = Fraction(10) ** -number.decimals
    whole = floor(value / step) if kind == "floor" else ceil(value / step)
    written = max(number.decimals, 0)
    digits = range(written, max(_MOST_SHOWN, written + 1))
    told = [wording.display(value, one) for one in digits]
    apart = (one for one in told if Fraction(one) != Fraction(number.value))
    holds = wording.display_as(whole * step, number)
    return f"one repetition was {next(apart, told[-1])}; {holds} would hold"
