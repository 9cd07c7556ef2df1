"""One printed figure against the same from the rows: what is said, what follows, from which rows.

A printed number agrees when it is the value to nine significant digits, or the value rounded to the
digits that it shows: a person may write `35.1` for 35.0973, and never `0` for 0.004. A difference
carries a *hint* where the printed number is some other number that the same rows give.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from claims.recount.reducers import Quantity, Root, scaled, spell

Outcome = Literal["agrees", "differs", "not recomputable", "withheld", "unreadable"]
Others = Callable[[], Mapping[str, Quantity]]
"""Other numbers that the same rows give; they are asked for only where a figure differs."""

ROUNDED = "as rounded"
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Operands:
    """From what a figure was computed: the receipt, the rows with their samples, the formula."""

    receipt: str
    rows: str
    formula: str

    def lines(self) -> list[str]:
        """Return the operands as text, absent ones left out."""
        told = (("formula", self.formula), ("rows", self.rows), ("receipt", self.receipt))
        return [f"{name}: {text}" for name, text in told if text]


NONE = Operands("", "", "")


@dataclass(frozen=True, slots=True)
class Checked:
    """A figure: whose it is (`subject`), which one (`field`), and what became of it.

    `why` is a hint where it differs, the reason where it could not be recomputed, `ROUNDED` where
    it agrees with fewer digits than nine. `struck` says by which later entry a figure that differs
    was taken back.
    """

    subject: str
    field: str
    printed: str
    recomputed: str | None
    outcome: Outcome
    operands: Operands = NONE
    why: str = ""
    struck: str = ""

    def line(self) -> str:
        """Return the figure in one line."""
        if self.outcome == "differs":
            hint = f" ({self.why})" if self.why else ""
            told = f"it says {self.printed}, the rows give {self.recomputed}{hint}"
            return f"{self.subject}: {self.field}: {told}"
        return f"{self.subject}: {self.field}: {self.outcome}: {self.why}"

    def view(self) -> dict[str, Any]:
        """Return the figure as plain values, absent fields left out."""
        shown = {
            "subject": self.subject,
            "field": self.field,
            "printed": self.printed,
            "recomputed": self.recomputed,
            "outcome": self.outcome,
            "why": self.why,
            "struck": self.struck,
            "receipt": self.operands.receipt,
            "rows": self.operands.rows,
            "formula": self.operands.formula,
        }
        return {name: value for name, value in shown.items() if value not in ("", None)}


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose figures are checked, and from what they come, so that each check is one line."""

    name: str
    receipt: str
    rows: str = ""

    def number(
        self,
        field: str,
        printed: str | None,
        value: Quantity | None,
        formula: str,
        others: Others = dict,
        neutral: int = 0,
    ) -> Checked:
        """Check a decimal; `others` gives what it may have been mistaken for, by their names.

        `neutral` is the number that says "nothing moved": it may not stand for anything else.
        """
        operands = Operands(self.receipt, self.rows, formula)
        recomputed = None if value is None else spell(value)
        if printed is None or value is None:
            same = printed is None and value is None
            shown = (printed or "absent", recomputed or "absent")
            return Checked(self.name, field, *shown, "agrees" if same else "differs", operands)
        if _agrees(printed, value, neutral):
            why = "" if printed == recomputed else ROUNDED
            return Checked(self.name, field, printed, recomputed, "agrees", operands, why)
        hint = _hint(printed, value, others(), neutral)
        return Checked(self.name, field, printed, recomputed, "differs", operands, hint)

    def word(self, field: str, printed: object, found: object, formula: str) -> Checked:
        """Check a word or a count, which must be the same."""
        outcome: Outcome = "agrees" if printed == found else "differs"
        operands = Operands(self.receipt, self.rows, formula)
        return Checked(self.name, field, str(printed), str(found), outcome, operands)

    def unresolved(self, field: str, printed: object, outcome: Outcome, why: str) -> Checked:
        """Return a figure that could not be recomputed, and why."""
        operands = Operands(self.receipt, "", "")
        return Checked(self.name, field, str(printed), None, outcome, operands, why)


def shown_rows(places: Sequence[str], samples: Sequence[Fraction]) -> str:
    """Return the samples with the rows that they come from, the first ones where there are many."""
    pairs = zip(places[:_SHOWN], samples[:_SHOWN], strict=False)
    told = [f"{place} {spell(value)}" for place, value in pairs]
    more = [f"… {len(samples)} in all"] if len(samples) > _SHOWN else []
    return ", ".join([*told, *more])


def _agrees(printed: str, value: Quantity, neutral: int) -> bool:
    if printed == spell(value):
        return True
    if _number(printed) in (0, neutral):
        return (value.square if isinstance(value, Root) else value) == _number(printed)
    return _within(printed, value, lambda rest: (0,) if rest < 0 else (1,) if rest else (0, 1))


def _within(printed: str, value: Quantity, steps: Callable[[int], tuple[int, ...]]) -> bool:
    """Say whether the digits printed are the value's own, cut, plus one of these steps."""
    number = _number(printed)
    decimals = len(printed.partition(".")[2])
    units, (whole, rest) = abs(number) * 10**decimals, scaled(value, decimals)
    negative = isinstance(value, Fraction) and value < 0
    return (number < 0) == negative and units in {whole + step for step in steps(rest)}


def _number(printed: str) -> Fraction:
    """Return a decimal; by way of `Decimal`, for it may be longer than what `int` reads."""
    return Fraction(Decimal(printed))


def _hint(printed: str, value: Quantity, others: Mapping[str, Quantity], neutral: int) -> str:
    if _number(printed) in (0, neutral):
        return "rounded until nothing is left of it"
    trimmed = printed.rstrip("0").rstrip(".") if "." in printed else printed
    for name, other in others.items():
        if spell(other) != spell(value) and _agrees(trimmed, other, neutral):
            return f"that is {name}"
    if _within(printed, value, lambda _: (0,)):
        return "cut off, not rounded"
    if _within(printed, -value if isinstance(value, Fraction) else value, _nearest):
        return "the sign is turned"
    return "a last digit off" if _within(printed, value, lambda _: (-1, 0, 1, 2)) else ""


def _nearest(rest: int) -> tuple[int, ...]:
    return (0, 1)
