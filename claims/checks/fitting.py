"""A number on a page against the claim that it is bound to: what it is, or what is wrong with it.

The questions in their order: does the sentence name the arm that the number is of? Do the words
make it a bound ("at least", "up to")? Is it, in its unit and at the digits shown, what the claim is
about? If not, which known mistake explains it: another unit, another form of the same change, a
lost sign, a ratio turned round, the other arm's value, a digit cut off? One number, one finding.
"""

from collections.abc import Sequence
from fractions import Fraction

from claims.checks import agreement, changes, denials, other_units, readings
from claims.checks.offer import Offer
from claims.checks.readings import Told as Told
from claims.numerals.numbers import Number
from claims.registers import bound_words, statistic_words, wording
from engine.metrics import Polarity
from receipts import late as re

Finding = tuple[str, str]
# A seventh digit that is a thousandth of the standard error is none that anybody measured.
_FINEST = Fraction(1, 1000)
_MANY_DIGITS = 7
_SPREAD = ("min", "max")
_COMPARED = re.compile(r"(?:less|fewer|lower|slower|more|higher|longer)\b", re.IGNORECASE)


def judge(told: Told, offer: Offer, others: Sequence[Offer] = ()) -> Finding | None:
    """Return what is wrong with the number, None where nothing is.

    `others` are the claims that the page uses beside this one, for values that were swapped.
    """
    if told.said.bound:
        return _bound(told, offer) or _denied(told, offer, None)
    fitting = _fitting(told, offer)
    if fitting is None:
        return _mistake(told, offer, others)
    return (
        _of_another_metric(told, offer)
        or _of_another(told, offer, fitting)
        or _turned(told, offer)
        or _denied(told, offer, fitting)
        or _no_difference(told, offer)
        or _digits(told, offer, fitting)
    )


def _fitting(told: Told, offer: Offer) -> Fraction | None:
    """Return the value, in the number's unit, that the number shows; None where it shows none."""
    number, about = told.number, told.said.about
    below = told.said.from_below
    for value in readings.values(told, offer):
        if below and agreement.is_nearly(number, value):
            return value
        if not below and agreement.grade(number, value, about=about) == "agrees":
            return value
    return None


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
        if (figure := offer.figure(role)) and value in readings.in_unit(told.number, figure)
    ]
    if named and fits and named[0] not in fits:
        message = (
            f"{told.number.text} is of {arms[fits[0]]}, and the sentence gives it to {told.owner}"
        )
        return "CLM109", message
    return None


def _denied(told: Told, offer: Offer, value: Fraction | None) -> Finding | None:
    """Refuse a number that its own clause denies: `does not reach 35.2`."""
    said = told.said
    if _COMPARED.match(said.bound_words):
        return None  # "never less than" is a bound the other way round
    before = said.before.rstrip().removesuffix(said.bound_words) if said.bound else said.before
    found = denials.denied(before, said.after)
    if found is None or (found.startswith("no longer") and _is_former(told, offer, value)):
        return None
    return "CLM112", f"{told.number.text} is what the evidence gives, and the page says {found!r}"


def _is_former(told: Told, offer: Offer, value: Fraction | None) -> bool:
    """Say whether a number is the baseline's, which is no longer so."""
    before = offer.figure("baseline")
    return before is not None and any(value == one for one in readings.in_unit(told.number, before))


def _turned(told: Told, offer: Offer) -> Finding | None:
    """Refuse words that tell of a gain where the value is a loss, and the other way round."""
    change = readings.change(told, offer)
    if change is None or told.number.unit not in ("×", "%"):
        return None
    gains, loses = told.said.gains(change.words), told.said.loses(change.words)
    wrong = change.seen < 1 if gains else change.seen > 1
    if gains != loses and wrong:
        seen, word = changes.told(change.seen, told.number.decimals), "gain" if gains else "loss"
        return "CLM105", f"the words tell of a {word}, and the evidence gives {seen}"
    return None


def _no_difference(told: Told, offer: Offer) -> Finding | None:
    """Refuse a value itself where the words tell by how much it changed: `gains 46.6 tok/s`."""
    number = told.number
    if number.unit in ("×", "%", None) or not told.said.is_difference:
        return None
    differences = (
        value for one in readings.difference(told, offer) for value in readings.in_unit(number, one)
    )
    if any(agreement.grade(number, one) == "agrees" for one in differences):
        return None
    return "CLM105", f"{number.text} is the value itself, and the words tell of a difference"


def _digits(told: Told, offer: Offer, value: Fraction) -> Finding | None:
    """Refuse digits that say more than was measured, or round a change into another one."""
    number = told.number
    if offer.kind != "level" and _tells_another_change(told, offer, value):
        right = changes.told(value, number.decimals + 1)
        return "CLM103", f"{number.text} rounds the change away or up; the evidence gives {right}"
    written = offer.decimals is not None and number.unit == offer.unit
    if written and offer.decimals is not None and agreement.is_finer(number, offer.decimals):
        message = f"{number.text} has {number.decimals} decimals, the rows have {offer.decimals}"
        return "CLM213", message
    place, spread = Fraction(10) ** -number.decimals, _error(number, offer)
    many = len(number.value.as_tuple().digits) >= _MANY_DIGITS
    if spread and many and place < spread * _FINEST:
        error = wording.display(spread, 3)
        return "CLM213", f"{number.text} shows digits far under its standard error of {error}"
    return None


def _margin(offer: Offer) -> Fraction | None:
    """Return the margin of a claim of no change, as a share."""
    margin = offer.figure("margin")
    return margin.value / 100 if margin else None


def _error(number: Number, offer: Offer) -> Fraction | None:
    """Return the standard error in the number's unit; of a change it is that of its pairs."""
    if offer.error is None or offer.kind == "matrix":
        return None
    if offer.kind == "change":
        scales: dict[str | None, int] = {"×": 1, "%": 100}
        return scales[number.unit] * offer.error if number.unit in scales else None
    return offer.error if number.unit == offer.unit else None


def _tells_another_change(told: Told, offer: Offer, value: Fraction) -> bool:
    """Say whether a multiple was rounded further than its words admit."""
    if changes.dishonest_digits(told.number, value, _margin(offer)):
        return True
    admitted = told.said.about or told.said.from_below
    return not admitted and changes.is_rounded_up_to_a_whole(told.number, value)


def _mistake(told: Told, offer: Offer, others: Sequence[Offer]) -> Finding:
    """Return the finding on a number that is no value of the claim."""
    number = told.number
    change = readings.change(told, offer)
    swapped = _swapped(number, offer, others) or _other_margin(told, offer)
    if swapped:
        return swapped
    if change and number.unit in ("×", "%"):
        known = changes.mistake(number, told.said, change)
        if known:
            return known
    return _near(told, offer) or other_units.mistake(number, offer) or _other(told, offer)


def _swapped(number: Number, offer: Offer, others: Sequence[Offer]) -> Finding | None:
    """Tell a value of another claim, or of the other arm, that stands in this one's place."""
    if sum(map(str.isdigit, number.text)) < other_units.CERTAIN_DIGITS or _is_ours(number, offer):
        return None
    for other in others:
        if other.claim == offer.claim:
            continue
        for figure in other.headline:
            if figure.unit == number.unit and agreement.grade(number, figure.value) == "agrees":
                return "CLM109", f"{number.text} is a value of {other.claim}, not of this claim"
    return None


def _other_margin(told: Told, offer: Offer) -> Finding | None:
    """Tell another margin than the claim's: `alike within ±1 %`."""
    number, margin = told.number, offer.figure("margin")
    if margin is None or number.unit != "%" or margin not in readings.spread(told, offer):
        return None
    right = wording.display(margin.value, min(max(number.decimals, 0), 9))
    return "CLM102", f"{number.text} % stands for the margin of the claim, which is {right} %"


def _is_ours(number: Number, offer: Offer) -> bool:
    """Say whether the number is a value of the claim itself, beside words that do not fit it."""
    return any(
        one.unit == number.unit and agreement.grade(number, one.value) == "agrees"
        for one in offer.headline
    )


def _near(told: Told, offer: Offer) -> Finding | None:
    """Tell a digit that was cut off, or rounded the wrong way, from another value."""
    number = told.number
    for value in readings.values(told, offer):
        found = agreement.grade(number, value)
        if (
            told.said.from_below
            and abs(Fraction(number.value) - value) <= Fraction(10) ** -number.decimals
        ):
            right = wording.display_as(value, number)
            return "CLM103", f"nearly {number.text} is not what the value comes to: {right}"
        if found in ("cut", "nudged"):
            # Digits that nobody measured are no rounding, however they end.
            if (finer := _digits(told, offer, value)) and finer[0] == "CLM213":
                return finer
            right = wording.display_as(value, number)
            how = "is cut off" if found == "cut" else "is rounded the wrong way"
            return "CLM103", f"{number.text} {how}: the value rounds to {right}"
    return None


def _other(told: Told, offer: Offer) -> Finding:
    number = told.number
    if any(agreement.grade(number, -value) == "agrees" for value in readings.values(told, offer)):
        return (
            "CLM102",
            f"{number.text} has the wrong sign; it has {other_units.told(number, offer)}",
        )
    for figure in offer.figures:
        name = figure.name.rpartition(".")[2]
        fits = figure.unit == number.unit and agreement.grade(number, figure.value) == "agrees"
        if name in _SPREAD and fits:
            message = f"{number.text} is the {name}, which the page does not say"
            return "CLM102", f"{message}; it has {other_units.told(number, offer)}"
    return (
        "CLM102",
        f"{number.text} is no value of the claim; it has {other_units.told(number, offer)}",
    )


# Whatever `statistic_words` knows has one of these in it.
_STATISTIC = re.compile(
    r"median|mean|averag|minim|maxim|min|max|p\d|percentile|least|peak|up\s+to|best|tail",
    re.IGNORECASE,
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
