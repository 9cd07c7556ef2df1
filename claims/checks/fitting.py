"""A number on a page against the claim that it is bound to: what it is, or what is wrong with it.

The questions in their order: does the sentence name the arm that the number is of? Do the words
make it a bound ("at least", "up to")? Is it, in its unit and at the digits shown, what the claim is
about? If not, which known mistake explains it: another unit, another form of the same change, a
lost sign, a ratio turned round, the other arm's value, a digit cut off? One number, one finding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from claims.checks import agreement, changes
from claims.checks.changes import Change
from claims.checks.offer import Figure, Offer
from claims.checks.said import Said
from claims.numerals.numbers import Number
from claims.registers import bound_words, statistic_words, wording
from engine.metrics import Polarity
from receipts import late as re

Finding = tuple[str, str]
# A seventh digit that is a thousandth of the standard error is none that anybody measured.
_FINEST = Fraction(1, 1000)
_MANY_DIGITS = 7
_CERTAIN_DIGITS = 3
_SPREAD = {"min": "min", "max": "max"}


@dataclass(frozen=True, slots=True)
class Told:
    """A number as its sentence has it: the words around it, and the arms that it is tied to.

    `owner` is the arm whose number the sentence says it is, `side` the arm that a comparison is
    about; both None where the sentence leaves it open.
    """

    number: Number
    said: Said
    owner: str | None = None
    side: str | None = None
    end: Literal["low", "high"] | None = None
    """Which end of a range it is."""
    other_metric: str = ""
    """The words of the sentence that say it is of another metric than the claim's."""


def judge(told: Told, offer: Offer, others: Sequence[Offer] = ()) -> Finding | None:
    """Return what is wrong with the number, None where nothing is.

    `others` are the claims that the page uses beside this one, for values that were swapped.
    """
    if told.said.bound:
        return _bound(told, offer)
    fitting = _fitting(told, offer)
    if fitting is None:
        return _mistake(told, offer, others)
    return (
        _of_another_metric(told, offer)
        or _of_another(told, offer, fitting)
        or _turned(told, offer, fitting)
        or _digits(told.number, offer, fitting)
    )


def _fitting(told: Told, offer: Offer) -> Fraction | None:
    """Return the value, in the number's unit, that the number shows; None where it shows none."""
    number, about = told.number, told.said.about
    below = told.said.from_below
    for value in _values(told, offer):
        if below and agreement.is_nearly(number, value):
            return value
        if not below and agreement.grade(number, value, about=about) == "agrees":
            return value
    return None


def _values(told: Told, offer: Offer) -> Iterator[Fraction]:
    """Yield what the number may be: the headline, in its unit, and a change in all its forms."""
    change = _change(told, offer)
    for figure in offer.headline:
        if change is None or figure.name not in ("ratio", "percent"):
            yield from _in_unit(told.number, figure)
    for figure in _spread(told, offer):
        yield from _in_unit(told.number, figure)
    if change and told.number.unit in ("×", "%", None):
        yield from changes.readings(told.number.unit, told.said, change)


def _in_unit(number: Number, figure: Figure) -> Iterator[Fraction]:
    value = agreement.converted(figure.value, figure.unit, number.unit)
    if value is not None:
        yield value


def _spread(told: Told, offer: Offer) -> Iterator[Figure]:
    """Yield minimum, maximum and scatter where the words ask for them."""
    near = f"{told.said.before[-40:]} | {told.said.after[:24]}"
    for name, words in _SPREAD_WORDS.items():
        if words.search(near) or _ENDS.get(name) == told.end:
            yield from (one for one in offer.figures if one.name.rpartition(".")[2] == name)


_SPREAD_WORDS = {
    "min": re.compile(r"\b(?:min(?:imum)?|lowest|slowest|smallest|worst)\b", re.IGNORECASE),
    "max": re.compile(r"\b(?:max(?:imum)?|highest|fastest|largest|best)\b", re.IGNORECASE),
    "cv": re.compile(r"\b(?:cv|coefficient\s+of\s+variation|scatter)\b", re.IGNORECASE),
}
_ENDS = {"min": "low", "max": "high", "cv": ""}


def _change(told: Told, offer: Offer) -> Change | None:
    ratio = offer.figure("ratio")
    if ratio is None or not ratio.value:
        return None
    turned = told.side == offer.baseline != offer.candidate
    return Change(
        ratio.value, offer.polarity, turned, offer.polarity == "higher" and told.said.of_time
    )


def _bound(told: Told, offer: Offer) -> Finding | None:
    """Judge a floor, a ceiling or a peak against every repetition."""
    number, said = told.number, told.said
    least, most = _reach(number, offer)
    if least is None or most is None:
        return _mistake(told, offer, ()) if _fitting(told, offer) is None else None
    shown, words = Fraction(number.value), said.bound_words
    if said.bound == "floor" and shown > least:
        return "CLM110", f"{words} {number.text}, and {bound_words.beyond(number, least, 'floor')}"
    if said.bound == "ceiling" and shown < most:
        return "CLM110", f"{words} {number.text}, and {bound_words.beyond(number, most, 'ceiling')}"
    peaks = (most, *_best_cell(number, offer))
    if said.bound == "peak" and not any(
        agreement.grade(number, one, about=said.about) == "agrees" for one in peaks
    ):
        best = wording.display_as(most, number)
        return "CLM110", f"{words} {number.text}, and the most of one repetition was {best}"
    return None


def _best_cell(number: Number, offer: Offer) -> list[Fraction]:
    """Return the most that a cell of a matrix reaches, in the number's unit: "up to 1.86×"."""
    best = offer.figure("ratio.max")
    if best is None:
        return []
    return [100 * (best.value - 1) if number.unit == "%" else best.value]


def _reach(number: Number, offer: Offer) -> tuple[Fraction | None, Fraction | None]:
    """Return the least and the most of all repetitions, in the number's unit."""
    if offer.least is None or offer.most is None:
        return None, None
    if offer.kind == "level":
        ends = (offer.least, offer.most)
        least, most = (agreement.converted(end, offer.unit, number.unit) for end in ends)
        return least, most
    if number.unit == "%":
        return 100 * (offer.least - 1), 100 * (offer.most - 1)
    if number.unit in ("×", None):
        return offer.least, offer.most
    return None, None


def _of_another_metric(told: Told, offer: Offer) -> Finding | None:
    if not told.other_metric:
        return None
    message = f"{told.number.text} is {offer.metric}, and the page says {told.other_metric!r}"
    return "CLM109", message


def _of_another(told: Told, offer: Offer, value: Fraction) -> Finding | None:
    """Refuse a right number beside the name of the other arm."""
    if told.owner is None or told.number.unit == "×":
        return None
    if offer.kind == "level":
        if offer.arm and told.owner != offer.arm:
            message = (
                f"{told.number.text} is of {offer.arm}, and the sentence gives it to {told.owner}"
            )
            return "CLM109", message
        return None
    return _arm_of_change(told, offer, value)


def _arm_of_change(told: Told, offer: Offer, value: Fraction) -> Finding | None:
    """Refuse the median of one arm beside the name of the other."""
    if told.number.unit == "%":
        return None
    arms = {"baseline": offer.baseline, "candidate": offer.candidate}
    named = [role for role, arm in arms.items() if arm == told.owner]
    fits = [
        role
        for role in arms
        if (figure := offer.figure(role)) and value in _in_unit(told.number, figure)
    ]
    if named and fits and named[0] not in fits:
        message = (
            f"{told.number.text} is of {arms[fits[0]]}, and the sentence gives it to {told.owner}"
        )
        return "CLM109", message
    return None


def _turned(told: Told, offer: Offer, value: Fraction) -> Finding | None:
    """Refuse words that tell of a gain where the value is a loss, and the other way round."""
    change = _change(told, offer)
    if change is None or told.number.unit not in ("×", "%"):
        return None
    gains, loses = told.said.gains(change.words), told.said.loses(change.words)
    wrong = change.seen < 1 if gains else change.seen > 1
    if gains != loses and wrong:
        seen, word = changes.told(change.seen, told.number.decimals), "gain" if gains else "loss"
        return "CLM105", f"the words tell of a {word}, and the evidence gives {seen}"
    return None


def _digits(number: Number, offer: Offer, value: Fraction) -> Finding | None:
    """Refuse digits that say more than was measured, or round a change into another one."""
    if offer.kind == "change" and changes.dishonest_digits(number, value):
        right = changes.told(value, number.decimals + 1)
        return "CLM103", f"{number.text} rounds the change away or up; the evidence gives {right}"
    written = offer.decimals is not None and number.unit == offer.unit
    if written and offer.decimals is not None and agreement.is_finer(number, offer.decimals):
        message = f"{number.text} has {number.decimals} decimals, the rows have {offer.decimals}"
        return "CLM213", message
    place = Fraction(10) ** -number.decimals
    many = len(number.value.as_tuple().digits) >= _MANY_DIGITS
    if offer.error and many and number.unit == offer.unit and place < offer.error * _FINEST:
        error = wording.display(offer.error, 3)
        return "CLM213", f"{number.text} shows digits far under its standard error of {error}"
    return None


def _mistake(told: Told, offer: Offer, others: Sequence[Offer]) -> Finding:
    """Return the finding on a number that is no value of the claim."""
    number = told.number
    change = _change(told, offer)
    swapped = _swapped(number, offer, others)
    if swapped:
        return swapped
    if change and number.unit in ("×", "%"):
        known = changes.mistake(number, told.said, change)
        if known:
            return known
    return _near(told, offer) or _other_unit(number, offer) or _other(told, offer)


def _swapped(number: Number, offer: Offer, others: Sequence[Offer]) -> Finding | None:
    """Tell a value of another claim, or of the other arm, that stands in this one's place."""
    if sum(map(str.isdigit, number.text)) < _CERTAIN_DIGITS:
        return None
    for other in others:
        if other.claim == offer.claim:
            continue
        for figure in other.headline:
            if figure.unit == number.unit and agreement.grade(number, figure.value) == "agrees":
                return "CLM109", f"{number.text} is a value of {other.claim}, not of this claim"
    return None


def _near(told: Told, offer: Offer) -> Finding | None:
    """Tell a digit that was cut off, or rounded the wrong way, from another value."""
    number = told.number
    for value in _values(told, offer):
        found = agreement.grade(number, value)
        if (
            told.said.from_below
            and abs(Fraction(number.value) - value) <= Fraction(10) ** -number.decimals
        ):
            right = wording.display_as(value, number)
            return "CLM103", f"nearly {number.text} is not what the value comes to: {right}"
        if found in ("cut", "nudged"):
            right = wording.display_as(value, number)
            how = "is cut off" if found == "cut" else "is rounded the wrong way"
            return "CLM103", f"{number.text} {how}: the value rounds to {right}"
    return None


def _other_unit(number: Number, offer: Offer) -> Finding | None:
    for figure in offer.headline:
        if figure.unit != number.unit and agreement.grade(number, figure.value) == "agrees":
            ours, theirs = figure.unit or "no unit", number.unit or "no unit"
            return "CLM104", f"{number.text} is the value in {ours}, the page says {theirs}"
    return None


def _other(told: Told, offer: Offer) -> Finding:
    number = told.number
    if any(agreement.grade(number, -value) == "agrees" for value in _values(told, offer)):
        return "CLM102", f"{number.text} has the wrong sign; it has {_has(number, offer)}"
    for figure in offer.figures:
        name = figure.name.rpartition(".")[2]
        fits = figure.unit == number.unit and agreement.grade(number, figure.value) == "agrees"
        if name in _SPREAD and fits:
            message = f"{number.text} is the {name}, which the page does not say"
            return "CLM102", f"{message}; it has {_has(number, offer)}"
    return "CLM102", f"{number.text} is no value of the claim; it has {_has(number, offer)}"


def _has(number: Number, offer: Offer) -> str:
    digits = min(max(number.decimals, 0), 9)
    return ", ".join(
        f"{one.name} {wording.display(one.value, max(digits, 2 * (one.unit == '×')))} "
        f"{one.unit or ''}".rstrip()
        for one in offer.headline
    )


# Whatever `statistic_words` knows has one of these in it.
_STATISTIC = re.compile(
    r"median|mean|averag|minim|maxim|min|max|p\d|percentile|least|peak|up\s+to|best", re.IGNORECASE
)


def may_say_a_statistic(text: str) -> bool:
    """Say whether any word for a statistic can be in a text: most have none, and a cell no word."""
    return _STATISTIC.search(text) is not None


def statistic_misfit(
    text: str, shown: Sequence[tuple[int, int, str]], statistic: str, polarity: Polarity
) -> str | None:
    """Return the word of `text` that names another statistic than its numbers are.

    `shown` lists where numbers stand and the hole that each would fill.
    """
    template, position = "", 0
    for start, end, name in shown:
        template += text[position:start].replace("{", "(").replace("}", ")") + f"{{{name}:.1f}}"
        position = end
    template += text[position:].replace("{", "(").replace("}", ")")
    return statistic_words.misfit(template, {}, statistic, polarity)
