"""Does a printed figure follow from the printed operands? With what rounding leaves of each.

An operand stands for an interval of values that round to it, and so does what is computed from it::

    follows("+26.1 %", read("3574.7") / read("2836.3") - 1)     contradicts: 26.03 %
    follows("-12.6 %", read("2819.3") / read("3227.6") - 1)     truncated: 12.65 %, cut off
    follows("1.080x", read("~3581") / read("3323.29"))          contradicts: 1.0776

Percentages are read as shares and units as their base unit, so that 1454 MiB are not 1454 MB. A
number that is no text is exact, as is a count. *Contradicts* means that no values that round to the
operands give one that rounds to the figure; *not recomputable* that the operands are not printed.
Everything is a `Fraction`; the reading and the grading are those of `ledger.quantity` and
`ledger.recompute`, which judge whole campaign tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from ledger import quantity, recompute
from ledger.quantity import Quantity
from ledger.recompute import Reading
from receipts.errors import Error, UndecidedError

Standing = Literal["follows", "truncated", "contradicts", "not recomputable"]
_STANDING: Mapping[recompute.Grade, Standing] = {
    "consistent": "follows",
    "truncated": "truncated",
    "other": "contradicts",
}


@dataclass(frozen=True, slots=True)
class Operand:
    """A value as printed, and the ends of what it may have been, in base units.

    `+ - * /` give the operand of the result: of every choice inside the intervals, so that an
    operand which is used twice only widens it.
    """

    nominal: Fraction
    low: Fraction
    high: Fraction

    def __add__(self, other: "Operand | Fraction | int") -> "Operand":
        it = _operand(other)
        return Operand(self.nominal + it.nominal, self.low + it.low, self.high + it.high)

    def __neg__(self) -> "Operand":
        return Operand(-self.nominal, -self.high, -self.low)

    def __sub__(self, other: "Operand | Fraction | int") -> "Operand":
        return self + -_operand(other)

    def __mul__(self, other: "Operand | Fraction | int") -> "Operand":
        it = _operand(other)
        ends = [mine * theirs for mine in (self.low, self.high) for theirs in (it.low, it.high)]
        return Operand(self.nominal * it.nominal, min(ends), max(ends))

    def __truediv__(self, other: "Operand | Fraction | int") -> "Operand":
        it = _operand(other)
        if it.low <= 0 <= it.high:
            raise UndecidedError("the divisor may be zero, so the quotient may be anything")
        return self * Operand(1 / it.nominal, 1 / it.high, 1 / it.low)

    def __radd__(self, other: Fraction | int) -> "Operand":
        return self + other

    def __rsub__(self, other: Fraction | int) -> "Operand":
        return _operand(other) - self

    def __rmul__(self, other: Fraction | int) -> "Operand":
        return self * other

    def __rtruediv__(self, other: Fraction | int) -> "Operand":
        return _operand(other) / self


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What recomputing a printed figure says; `computed` is in the printed figure's unit."""

    standing: Standing
    printed: str
    computed: str
    warnings: tuple[str, ...] = ()

    @property
    def inconsistent(self) -> bool:
        """Whether the figure is not the rounding of what its operands give."""
        return self.standing in ("truncated", "contradicts")


@dataclass(frozen=True, slots=True)
class Described:
    """An operand with what it is: a statistic, and the conditions it was measured at."""

    operand: Operand
    statistic: str
    conditions: Mapping[str, str] = field(default_factory=dict)


def read(text: str) -> Operand:
    """Return the one number that `text` prints, `~` and unit included; `Error` for none or two."""
    figure = _figure(text)
    scale = _scale(figure)
    low, high = figure.interval()
    return Operand(Fraction(figure.value) * scale, low * scale, high * scale)


def follows(printed: str, computed: Operand | Fraction | int) -> Recomputed:
    """Say whether the figure that `printed` holds is a rounding of `computed`, in base units."""
    figure, operand = _figure(printed), _operand(computed)
    scale = _scale(figure)
    ends = (operand.low / scale, operand.high / scale)
    reading = Reading("as given", ends, operand.nominal / scale)
    warnings: tuple[str, ...] = ()
    grade = recompute.grade(figure, reading)
    if grade == "other" and not figure.signed and operand.high < 0:
        reading = Reading("size", (-ends[1], -ends[0]), -operand.nominal / scale)
        grade = recompute.grade(figure, reading)
        warnings = ("printed without its minus sign",)
    return Recomputed(_STANDING[grade], printed, recompute.spell(reading, figure), warnings)


def agree(*texts: str) -> Recomputed:
    """Say whether figures that are printed for one and the same quantity can be one value."""
    read_all = [read(text) for text in texts]
    low, high = max(one.low for one in read_all), min(one.high for one in read_all)
    shown = " and ".join(texts)
    if low <= high:
        return Recomputed("follows", shown, "one value")
    return Recomputed("contradicts", shown, "one quantity has no two values")


def counted(printed: int, named: Sequence[str]) -> Recomputed:
    """Hold a printed count against the things that the text names."""
    found, shown = len(set(named)), str(printed)
    if found < printed:
        why = f"{printed - found} of {printed} are not named"
        return Recomputed("not recomputable", shown, str(found), (why,))
    return Recomputed("follows" if found == printed else "contradicts", shown, str(found))


def outside(
    values: Sequence[Operand | Fraction | int], low: str | None = None, high: str | None = None
) -> list[Fraction]:
    """Return the values that lie outside printed bounds, taken at their word.

    A bound is rounded away from what it bounds: a floor of 0.7 over 0.74 is no floor.
    """
    least = None if low is None else read(low).nominal
    most = None if high is None else read(high).nominal
    nominal = [_operand(value).nominal for value in values]
    return [
        value
        for value in nominal
        if (least is not None and value < least) or (most is not None and value > most)
    ]


def less(one: Operand | Fraction | int, other: Operand | Fraction | int) -> bool | None:
    """Say whether one value is below another; None where rounding leaves that open."""
    a, b = _operand(one), _operand(other)
    if a.high < b.low:
        return True
    return False if b.high < a.low else None


def quotient(above: Described, below: Described) -> tuple[Operand, tuple[str, ...]]:
    """Return the ratio, and a warning for each way in which its sides are not alike."""
    warnings = []
    if above.statistic != below.statistic:
        warnings.append(f"numerator is a {above.statistic}, denominator a {below.statistic}")
    for name in sorted({*above.conditions, *below.conditions}):
        ours, theirs = (side.conditions.get(name, "absent") for side in (above, below))
        if ours != theirs:
            warnings.append(f"numerator at {name} {ours}, denominator at {name} {theirs}")
    return above.operand / below.operand, tuple(warnings)


def _figure(text: str) -> Quantity:
    found = quantity.find(quantity.plain(text))
    if len(found) != 1:
        raise Error(f"{text[:60]!r} prints {len(found)} figures; give one")
    return found[0]


def _scale(figure: Quantity) -> Fraction:
    if figure.unit in ("%", "pp"):
        return Fraction(1, 100)
    known = quantity.unit(figure.unit)
    return known.factor if known else Fraction(1)


def _operand(value: Operand | Fraction | int) -> Operand:
    if isinstance(value, Operand):
        return value
    exact = Fraction(value)
    return Operand(exact, exact, exact)
