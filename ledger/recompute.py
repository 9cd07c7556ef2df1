"""The arithmetic of a printed change: what two printed operands can give, and whether it matches.

::

    1518.4 → 1561.9, +2.87%      [1561.85, 1561.95] / [1518.35, 1518.45] − 1 = [2.858 %, 2.872 %]

meets [2.865 %, 2.875 %], so the change is consistent although the operands as printed give 2.8649.
The quotients are monotone in each operand, so the ends of an interval come from the ends of the
operands. Everything is a Fraction.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from typing import Literal

from ledger import quantity
from ledger.quantity import Interval, Polarity, Quantity

Grade = Literal["consistent", "truncated", "other"]
_REVERSED = frozenset({"slower", "lower", "less", "fewer", "smaller", "worse", "reduction"})


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to compute a change: what it may be, and what the operands as printed give.

    `nominal` is None where an operand is a range. A reading that is not `firm` rests on a direction
    which the row does not state.
    """

    convention: str
    interval: Interval
    nominal: Fraction | None
    firm: bool = True


@dataclass(frozen=True, slots=True)
class _Operand:
    interval: Interval
    nominal: Fraction | None


def readings(
    printed: Quantity, words: frozenset[str], old: Quantity, new: Quantity
) -> Iterator[Reading]:
    """Yield the ways in which `old` and `new` can give a change of the printed kind, best first.

    `words` are those printed beside the change; "slower" turns a multiple round.
    """
    units = quantity.unit(old.unit), quantity.unit(new.unit)
    if units[0] and units[1] and units[0].dimension != units[1].dimension:
        return
    if (old.decimals < 0) != (new.decimals < 0):
        return  # `45 → 48k`: does the k hold for both?
    before, after = (
        _operand(q, u.factor if u else 1) for q, u in zip((old, new), units, strict=True)
    )
    here = units[1] or units[0]
    polarity = here.polarity if here else None
    if printed.unit in ("%", None):
        yield from _percentages(printed, before, after, polarity)
    if printed.unit in ("×", None):
        yield from _multiples(printed, words, before, after, polarity)
    yield from _differences(printed, before, after, here)


def is_far(printed: Quantity, old: Quantity, new: Quantity) -> bool:
    """Say whether no reading of these operands is anywhere near the printed `×` or `%`.

    In floats, twice as generous as any rounding: it spares most pairs of operands the exact
    arithmetic, and decides nothing that this would not. Where it cannot tell, it says no.
    """
    unit = old.unit
    if printed.unit not in ("×", "%") or unit != new.unit or unit in ("%", "pp"):
        return False  # a difference of percentages is a percentage too
    if not (_is_plain(printed) and _is_plain(old) and _is_plain(new)):
        return False
    if not (old.value > 0 and new.value > 0):
        return False
    before, after, shown = float(old.value), float(new.value), abs(float(printed.value))
    slack = 10.0**-old.decimals / before + 10.0**-new.decimals / after
    scale, step = (1.0 if printed.unit == "×" else 100.0), 10.0**-printed.decimals
    return slack <= _VAGUE and not (
        _is_near(shown, scale * after / before, scale, step, slack)
        or _is_near(shown, scale * before / after, scale, step, slack)
    )


def _is_plain(value: Quantity) -> bool:
    return not value.approximate and value.until is None


def _is_near(shown: float, whole: float, scale: float, step: float, slack: float) -> bool:
    """Say whether a multiple, or the change that it is, may be what is shown."""
    reach = 2 * (step + slack * whole)
    return not (abs(shown - whole) > reach and abs(shown - abs(whole - scale)) > reach)


_VAGUE = 0.2


def grade(printed: Quantity, reading: Reading) -> Grade:
    """Say whether the printed change is a rounding of the reading, its truncation, or neither."""
    low, high = reading.interval
    least, most = printed.interval()
    if printed.until is not None:
        return "consistent" if least <= low and high <= most else "other"
    nominal = reading.nominal
    if nominal is not None and least <= nominal <= most:
        return "consistent"
    exact = not printed.approximate
    if exact and nominal is not None and _cut(nominal, printed.decimals) == printed.value:
        return "truncated"
    if low <= most and least <= high:
        return "consistent"
    return "truncated" if exact and _can_be_cut(printed, reading) else "other"


def could_overlap(printed: Quantity, reading: Reading) -> bool:
    """Say whether a printed range and the computed one have anything in common."""
    low, high = reading.interval
    least, most = printed.interval()
    return low <= most and least <= high


def spell(reading: Reading, printed: Quantity) -> str:
    """Return the computed change in the form of the printed one, with two places more."""
    places = max(printed.decimals, 0) + 2
    ends = reading.interval if reading.nominal is None else (reading.nominal,)
    plus = printed.signed or printed.unit == "%"
    figures = [f"{_rounded(end, places):{'+' if plus else ''}f}" for end in ends]
    unit = printed.unit or ""
    return " to ".join(figures).replace("-", "−") + (unit if unit in ("%", "×", "") else f" {unit}")


def _operand(value: Quantity, factor: Fraction | int) -> _Operand:
    low, high = value.interval()
    exact = None if value.until is not None else Fraction(value.value) * factor
    if value.value >= 0:
        low = max(low, Fraction(0))
    return _Operand((low * factor, high * factor), exact)


def _quotient(before: _Operand, after: _Operand) -> _Operand | None:
    """Return after / before, or None where that has no meaning for a change."""
    if before.interval[0] <= 0 or after.interval[0] < 0 or before.nominal == 0:
        return None
    interval = after.interval[0] / before.interval[1], after.interval[1] / before.interval[0]
    if before.nominal is None or after.nominal is None:
        return _Operand(interval, None)
    return _Operand(interval, after.nominal / before.nominal)


def _reading(
    convention: str,
    operand: _Operand,
    transform: Callable[[Fraction], Fraction],
    *,
    firm: bool = True,
) -> Reading:
    low, high = sorted(transform(end) for end in operand.interval)
    nominal = None if operand.nominal is None else transform(operand.nominal)
    return Reading(convention, (low, high), nominal, firm)


def _percentages(
    printed: Quantity, before: _Operand, after: _Operand, polarity: Polarity | None
) -> Iterator[Reading]:
    quotient = _quotient(before, after)
    if quotient is None:
        return
    yield _reading("new/old − 1", quotient, lambda r: (r - 1) * 100)
    if polarity != "up":
        firm = polarity == "down"
        yield _reading("(old − new)/old", quotient, lambda r: (1 - r) * 100, firm=firm)
        inverse = _quotient(after, before)
        if inverse is not None:
            yield _reading("old/new − 1", inverse, lambda r: (r - 1) * 100, firm=firm)
    if not printed.signed:
        yield _reading("size of (old − new)/old", quotient, lambda r: (1 - r) * 100)
        yield _reading("new in percent of old", quotient, lambda r: r * 100)


def _multiples(
    printed: Quantity,
    words: frozenset[str],
    before: _Operand,
    after: _Operand,
    polarity: Polarity | None,
) -> Iterator[Reading]:
    quotient, inverse = _quotient(before, after), _quotient(after, before)
    if quotient is not None:
        yield _reading("new/old", quotient, lambda r: r)
    if inverse is not None and (polarity != "up" or words & _REVERSED):
        yield _reading("old/new", inverse, lambda r: r)
    if quotient is not None and printed.signed:
        yield _reading("new/old − 1", quotient, lambda r: r - 1)


def _differences(
    printed: Quantity, before: _Operand, after: _Operand, unit: quantity.Unit | None
) -> Iterator[Reading]:
    """Yield new − old, in the printed unit, where the unit is one of the operands' own kind."""
    scale = _difference_scale(printed, unit)
    if scale is None:
        return
    low = (after.interval[0] - before.interval[1]) / scale
    high = (after.interval[1] - before.interval[0]) / scale
    nominal = None
    if before.nominal is not None and after.nominal is not None:
        nominal = (after.nominal - before.nominal) / scale
    gap = _Operand((low, high), nominal)
    yield _reading("new − old", gap, lambda d: d)
    own = quantity.unit(printed.unit) if unit is None else unit
    if not printed.signed or not own or own.polarity != "up":
        firm = not printed.signed or bool(own and own.polarity == "down")
        yield _reading("old − new", gap, lambda d: -d, firm=firm)


def _difference_scale(printed: Quantity, unit: quantity.Unit | None) -> Fraction | None:
    if printed.unit is None:
        return unit.factor if unit else Fraction(1)
    if printed.unit == "%":
        return Fraction(1) if unit and unit.dimension == "percent" else None
    if printed.unit == "pp":
        return Fraction(1) if unit is None or unit.dimension == "percent" else None
    own = quantity.unit(printed.unit)
    if own is None or printed.unit == "×":
        return None
    if unit is None:
        return Fraction(1)
    return own.factor if own.dimension == unit.dimension else None


def _cut(value: Fraction, decimals: int) -> Decimal:
    scaled = abs(value) * Fraction(10) ** decimals
    return Decimal(int(scaled) if value >= 0 else -int(scaled)).scaleb(-decimals)


def _can_be_cut(printed: Quantity, reading: Reading) -> bool:
    """Say whether some value in the reading has the printed digits once it is cut off."""
    low, high = reading.interval
    place, value = Fraction(10) ** -printed.decimals, Fraction(printed.value)
    reaches_up = value >= 0 and low < value + place and high >= value
    reaches_down = value <= 0 and high > value - place and low <= value
    return reaches_up or reaches_down


def _rounded(value: Fraction, places: int) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)
