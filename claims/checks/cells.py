"""What a page says of a matrix: which arm wins, and which of its cells a number is of.

::

    "At two depths it runs at 1.86×"     of a range from 1.24 to 1.86 it is the best of two
    "It runs at up to 1.86×"             tells, and so does 1.24 beside it
    "Plain runs at 1.24–1.86× fused"     is turned round
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from claims.checks import agreement, unusual
from claims.checks.changes import Change
from claims.numerals import numbers
from claims.registers import wording

if TYPE_CHECKING:
    from claims.checks.fitting import Finding, Told
    from claims.checks.offer import Offer
    from claims.numerals.numbers import Number


def finding(told: Told, given: Offer, beside: str) -> Finding | None:
    """Return what is wrong with a number of a matrix that is right as such, None where nothing is.

    `beside` is what stands around its sentence: paragraph, or row, header and caption.
    """
    return turned(told, given) or _best_for_all(told, given, beside)


def turned(told: Told, given: Offer) -> Finding | None:
    """Refuse the ends of a range beside words that let the other arm win."""
    ratio = next((one for one in _ends(given) if _shows(told.number, one)), None)
    if ratio is None:
        return None
    other = told.side == given.baseline != given.candidate
    change = Change(ratio, given.polarity, other, given.polarity == "higher" and told.said.of_time)
    gains, loses = told.said.gains(change.words), told.said.loses(change.words)
    if gains != loses and (change.seen < 1 if gains else change.seen > 1):
        word = "gain" if gains else "loss"
        return "CLM105", f"the words tell of a {word}, and the evidence gives {_told(change)}"
    if other and not (gains or loses) and told.number.unit == "×" and ratio != 1:
        message = f"{told.number.text} is the ratio turned round"
        return "CLM105", f"{message}; the evidence gives {_told(change)}"
    return None


def _told(change: Change) -> str:
    return f"{wording.display(change.seen, 2)}×"


def _ends(given: Offer) -> Iterator[Fraction]:
    """Yield the least and the most ratio of a cell."""
    for end in ("min", "max"):
        figure = given.figure(f"ratio.{end}")
        if figure is not None:
            yield figure.value


def _best_for_all(told: Told, given: Offer, beside: str) -> Finding | None:
    """Refuse the most of several cells where nothing shows the least, or says that it is the most.

    What stands there for all of them is what each of them reaches.
    """
    least, most = min(_ends(given), default=None), max(_ends(given), default=None)
    if least is None or most is None or least == most:
        return None
    if not _shows(told.number, most) or _shows(told.number, least):
        return None
    around = f"{told.said.before} {told.said.after} {beside}"
    if unusual.is_told(told, "max") or any(_shows(one, least) for one in numbers.find(around)):
        return None
    shown = wording.display(least, max(told.number.decimals, 2))
    message = f"{told.number.text} is the most of its cells, and the least is {shown}×"
    return "CLM214", f"{message}: show it, or say 'up to'"


def _shows(number: Number, ratio: Fraction) -> bool:
    """Say whether the number is this ratio, as a multiple or in percent."""
    forms = {"×": (ratio,), None: (ratio,), "%": (100 * (ratio - 1), 100 * ratio)}
    return any(agreement.grade(number, one) == "agrees" for one in forms.get(number.unit, ()))
