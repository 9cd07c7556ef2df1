"""The ways to print one change: +86 %, 1.86×, 86 % of; and which of them a page has mixed up.

A ratio above 1 says that the candidate wins. Where a sentence is about the baseline ("the plain one
runs at 0.8×"), the ratio turns round; "slower" turns it once more. Where less is better the raw
quotient of the quantity is right as well: "20 % lower latency", "0.8× the latency".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from claims.checks import agreement
from claims.checks.said import Said
from claims.numerals.numbers import Number
from claims.registers import wording


@dataclass(frozen=True, slots=True)
class Change:
    """What a comparison gives, seen from the arm that the sentence is about."""

    ratio: Fraction
    polarity: str
    turned: bool
    """Whether the sentence is about the baseline."""
    of_time: bool = False
    """Whether the sentence is about the time that a rate stands for: less of it is better."""

    @property
    def seen(self) -> Fraction:
        """The ratio from that arm's side: above 1 where it wins."""
        return 1 / self.ratio if self.turned else self.ratio

    @property
    def quotient(self) -> Fraction:
        """The quotient of the quantity itself: below 1 where less was measured."""
        return self.seen if self.words == "higher" else 1 / self.seen

    @property
    def words(self) -> str:
        """Which way is better for the quantity that the sentence is about."""
        return "lower" if self.of_time else self.polarity


def readings(unit: str | None, said: Said, change: Change) -> Iterator[Fraction]:
    """Yield the values that a number in `unit` may have beside these words."""
    gains, loses = said.gains(change.words), said.loses(change.words)
    if change.of_time:
        yield from _of_time(unit, said, change, gains=gains)
        return
    less = change.polarity == "lower"
    if unit in ("×", None):
        told = _of_less if less else _multiples
        yield from told(said, change, gains=gains, loses=loses)
    if unit in ("%", None):
        parts = _parts_of_less if less else _shares
        yield from (100 * share for share in parts(said, change, gains=gains, loses=loses))


def _of_time(unit: str | None, said: Said, change: Change, *, gains: bool) -> Iterator[Fraction]:
    if unit in ("×", None):
        yield change.quotient
    if unit in ("%", None):
        if said.is_share and not gains:
            yield 100 * change.quotient
        yield 100 * (1 - change.quotient if gains else change.quotient - 1)


def _multiples(said: Said, change: Change, *, gains: bool, loses: bool) -> Iterator[Fraction]:
    """Yield the multiples of a rate: `1.86× as fast`, `0.54× the speed`, `1.86× slower`."""
    if loses and not gains:
        yield 1 / change.seen
    if not loses or gains or (said.is_share and said.of != "amount"):
        yield change.seen


def _of_less(said: Said, change: Change, *, gains: bool, loses: bool) -> Iterator[Fraction]:
    """Yield the multiples where less is better: `2× as fast`, `0.5× the latency`, `2× lower`."""
    if said.of == "speed" or (gains and not loses and not said.is_reached):
        yield change.seen
    elif said.of == "amount" or loses:
        yield change.quotient
    else:
        yield change.seen
        yield change.quotient


def _shares(said: Said, change: Change, *, gains: bool, loses: bool) -> Iterator[Fraction]:
    seen = change.seen
    if said.saves:
        return  # a rate is not spared; of the time it stands for, `of_time` tells
    if said.is_share and (said.is_reached or not (gains or loses)):
        yield seen
    elif loses and not gains:
        yield 1 - seen
        yield 1 / seen - 1
    else:
        yield seen - 1


def _parts_of_less(said: Said, change: Change, *, gains: bool, loses: bool) -> Iterator[Fraction]:
    """Yield the parts where less is better: `50 % less`, `100 % faster`, `50 % of the time`.

    Halved, a time is 50 % less and its speed 100 % more: the words say which of them it is.
    """
    seen, quotient = change.seen, change.quotient
    if said.is_share and (said.is_reached or not (gains or loses)):
        yield seen if said.of == "speed" else quotient
    elif said.is_bare:
        yield from (seen - 1, quotient - 1, 1 - quotient)
    elif gains and not loses:
        yield seen - 1 if said.tells_of_speed else 1 - quotient
    else:
        yield quotient - 1
        if said.tells_of_speed:
            yield 1 - seen


def mistake(shown: Number, said: Said, change: Change) -> tuple[str, str] | None:
    """Return the code and the message of a known mix-up that explains the number, if one does."""
    seen = change.seen
    right = told(seen, shown.decimals)
    forms: list[tuple[Fraction, str | None]] = [
        (seen - 1, "×"),
        (100 * (seen - 1), "×"),
        (seen, "%"),
        (100 * seen, "%"),
        (100 * (seen - 1), "%"),
    ]
    gains, loses = said.gains(change.words), said.loses(change.words)
    if gains != loses and loses == (seen > 1) and _is_size(shown, change):
        word = "loss" if loses else "gain"
        return "CLM105", f"the words tell of a {word}, and the evidence gives {right}"
    if confused := _amount_for_speed(shown, change, gains=gains):
        return confused
    if _lost_sign(shown, change):
        return "CLM105", f"{shown.text} has lost its sign; the evidence gives {right}"
    if _turns(shown, seen):
        return "CLM105", f"{shown.text} is the ratio turned round; the evidence gives {right}"
    for value, unit in forms:
        if unit == shown.unit and _is(shown, value):
            return "CLM104", f"{shown.text} {unit} is another form; the evidence gives {right}"
    return None


def _amount_for_speed(shown: Number, change: Change, *, gains: bool) -> tuple[str, str] | None:
    """Tell the gain in speed from what is spared: a halved time is 50 % less and 100 % faster."""
    seen, quotient = change.seen, change.quotient
    if shown.unit == "×" and _is(shown, seen):
        amount = wording.display(quotient, max(shown.decimals, 2))
        told = f"{shown.text} is how much better it is, and the words are of the amount"
        return "CLM105", f"{told}: that is {amount}×"
    if change.words != "lower" or shown.unit != "%" or not gains:
        return None
    if _is(shown, 100 * (1 - quotient)) or _is(shown, 100 * (seen - 1)):
        less, more = wording.display(100 * (1 - quotient), 1), wording.display(100 * (seen - 1), 1)
        told = f"{shown.text} % is of speed or amount, and the words are of the other"
        return "CLM104", f"{told}: it is {less} % less, and {more} % faster"
    return None


def _turns(shown: Number, seen: Fraction) -> bool:
    if shown.unit == "%":
        return _is(shown, 100 * (1 / seen - 1)) or _is(shown, 100 * (1 - seen))
    return _is(shown, 1 / seen)


def _is_size(shown: Number, change: Change) -> bool:
    """Say whether the number is the size of the change, whatever its direction."""
    if shown.unit == "×":
        return _is(shown, change.seen) or _is(shown, 1 / change.seen)
    shares = (change.seen - 1, 1 / change.seen - 1)
    return any(_is(shown, sign * 100 * share) for share in shares for sign in (1, -1))


def _lost_sign(shown: Number, change: Change) -> bool:
    if shown.unit != "%":
        return False
    wanted = [100 * (change.seen - 1), 100 * (change.quotient - 1)]
    return any(value and _is(shown, -value) for value in wanted)


def _is(shown: Number, value: Fraction) -> bool:
    return value != 0 and agreement.grade(shown, value) == "agrees"


_OVERSTATED, _HIDDEN = Fraction(1, 4), Fraction(1, 2)


def dishonest_digits(shown: Number, seen: Fraction, margin: Fraction | None = None) -> bool:
    """Say whether a multiple was rounded so far that it tells another change.

    1.1× for 1.05183 doubles the change; 1× hides it. 1.00× for 1.004 does neither. Of a claim that
    there is no change, within a `margin` (a share), an error far within that tells nothing else.
    """
    if shown.unit != "×" or seen == 1:
        return False
    printed = Fraction(shown.value)
    error, effect = abs(printed - seen), abs(seen - 1)
    if margin is not None:
        return error > margin * _OVERSTATED
    if printed == 1 and shown.decimals >= 2:
        return False
    return error > effect * (_OVERSTATED if abs(printed - 1) > effect else _HIDDEN)


_WHOLE_BELOW, _SHORT_OF = 10, Fraction(1, 20)


def is_rounded_up_to_a_whole(shown: Number, value: Fraction) -> bool:
    """Say whether a whole multiple below ten is more than its first decimal bears.

    "2×" and "twice" are said of 1.95 and more: 1.86 is 1.9×.
    """
    printed = Fraction(shown.value)
    whole = shown.unit == "×" and shown.decimals <= 0
    return whole and 1 < printed < _WHOLE_BELOW and printed - value > _SHORT_OF


def told(seen: Fraction, decimals: int) -> str:
    """Return the three forms of a change for a message."""
    digits = min(max(decimals, 2), 9)
    percent = wording.display(100 * (seen - 1), max(digits - 2, 1))
    share = wording.display(100 * seen, max(digits - 2, 1))
    plus = "" if seen < 1 else "+"
    return f"{wording.display(seen, digits)}×, that is {plus}{percent} % or {share} % of the other"
