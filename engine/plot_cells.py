"""What a picture of a window shows: cells, arms and ratios as plain values, and numbers as text."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine.metrics import Polarity
from engine.statistics import decimal_text


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm of a cell: (place in the order of the whole window, value) of every repetition.

    `cv` is a ratio as decimal text, None where it does not exist.
    """

    name: str
    samples: tuple[tuple[int, Fraction], ...]
    median: Fraction
    cv: str | None


@dataclass(frozen=True, slots=True)
class Ratio:
    """The citable ratio, above 1 where the candidate wins, and its interval where there is one.

    `attained` is the confidence that the interval attains, not the one that was wished for.
    """

    value: Fraction
    low: float | None = None
    high: float | None = None
    attained: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one cell; `exact` is None where the plan had no gate."""

    label: str
    metric: str
    unit: str
    polarity: Polarity
    baseline: Arm
    candidate: Arm
    ratio: Ratio
    ddof: int
    exact: bool | None

    @property
    def convention(self) -> str:
        """Numerator over denominator, by the names of the arms."""
        above, below = short(self.candidate.name, 13), short(self.baseline.name, 13)
        if self.polarity == "lower":
            above, below = below, above
        return f"median({above}) / median({below})"


@dataclass(frozen=True, slots=True)
class Withheld:
    """A cell that was measured and has no timings to show: it keeps its place among the others."""

    label: str
    reason: str


def number(value: Fraction, digits: int = 5) -> str:
    """Return a number rounded to so many significant digits, the whole ones in groups of three."""
    whole, point, rest = decimal_text(value, digits).partition(".")
    sign, whole = ("−", whole[1:]) if whole[:1] == "-" else ("", whole)
    return sign + "\u2009".join(_groups(whole)) + point + rest


def _groups(digits: str) -> Iterator[str]:
    if len(digits) < 5:
        yield digits
        return
    first = len(digits) % 3
    yield from [digits[:first]] if first else []
    yield from (digits[place : place + 3] for place in range(first, len(digits), 3))


def short(text: str, longest: int) -> str:
    """Return the text, cut to `longest` characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def percent(cv: str | None) -> str:
    """Return a coefficient of variation in percent, `absent` where there is none."""
    return f"{decimal_text(100 * Fraction(cv), 3)} %" if cv else "absent"
