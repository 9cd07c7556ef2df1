"""Numbers of a sentence that it says no repetition lies beyond: a rounded one may say too much.

::

    at least {min:.1f} tok/s    34.96 is the least: "at least 35.0" is false, "at least 34.9" holds
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from claims.judging import values
from claims.numerals import numbers
from claims.registers import bound_words
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judgement import Judgement
    from claims.numerals.numbers import Number

_CODE = "CLM110"
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_NEAR = 48


def objections(done: Judgement, sentence: str) -> Iterator[tuple[str, str]]:
    """Refuse "at least" above the least repetition, and "at most" below the most."""
    for number in numbers.find(sentence):
        # The end of a tag is no "greater than".
        before = _TAG.sub(" ", sentence[: number.start])[-_NEAR:]
        kind = next((kind for kind, words in bound_words.BOUNDS if words.search(before)), None)
        end = _end(done, number, "min" if kind == "floor" else "max")
        shown = Fraction(number.value)
        if end is None or not numbers.is_measurement(number.unit):
            continue
        if (kind == "floor" and shown > end) or (kind == "ceiling" and shown < end):
            words = "at least" if kind == "floor" else "at most"
            yield _CODE, f"{words} {number.text}, and {bound_words.beyond(number, end, kind)}"


def _end(done: Judgement, number: Number, which: str) -> Fraction | None:
    """Return the least or most repetition of what the number is of, in the number's unit."""
    name = which if done.claim.kind == "level" else _pair_or_arm(done, number, which)
    value = done.values.get(name) if name else None
    if not isinstance(value, Fraction):
        return None
    return 100 * (value - 1) if name == f"pair.{which}" and number.unit == "%" else value


def _pair_or_arm(done: Judgement, number: Number, which: str) -> str | None:
    """Return the name of the least or most of a change: of its pairs, or of the arm it shows."""
    if number.unit in ("×", "%"):
        return f"pair.{which}"
    arms = ("baseline", "candidate")
    shown = (arm for arm in arms if values.agrees(number, done.values, (arm, f"{arm}.{which}")))
    return next((f"{arm}.{which}" for arm in shown), None)
