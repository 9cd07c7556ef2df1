"""Every repetition as a dot, as the numbers of an inline SVG: no script, no library, no date.

All arms share one scale, so that what is drawn apart is apart. No dot is left out or moved; of
dots that would cover each other exactly, one is drawn. The words beside the picture say the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from claims.site.figures import shown

RIGHT, TOP, BOTTOM = 352, 12, 166
_DIGIT = 7
_MANY = 1000


@dataclass(frozen=True, slots=True)
class Arm:
    """What is drawn of one arm: its samples in order, and the value that the claim takes."""

    name: str
    samples: Sequence[Fraction]
    value: Fraction
    statistic: str


@dataclass(frozen=True, slots=True)
class Series:
    """One arm on the page: the path of its dots, the height of its line, and both in words."""

    name: str
    path: str
    line: str
    told: str


@dataclass(frozen=True, slots=True)
class Plot:
    """The picture: its series, the marks of its scale, and the text that stands for it."""

    series: tuple[Series, ...]
    marks: tuple[tuple[str, str], ...]
    left: int
    """Where the scale ends and the dots begin: behind the longest of the marks."""
    first: str
    last: str
    alternative: str


def draw(arms: Sequence[Arm], unit: str) -> Plot:
    """Return the picture of these arms, which have at least one sample each."""
    scale = _Scale(arms)
    told = [_told(arm, unit) for arm in arms]
    series = (
        Series(arm.name, scale.path(number, arm), _tenth(scale.height(arm.value)), words)
        for number, (arm, words) in enumerate(zip(arms, told, strict=True))
    )
    last = str(scale.longest - 1)
    ends = dict.fromkeys((scale.low, scale.high))
    marks = tuple((_tenth(scale.height(value)), shown(value)) for value in ends)
    drawn = "One dot for each repetition or request, in the order of the record. "
    return Plot(tuple(series), marks, scale.left, "0", last, drawn + ". ".join(told) + ".")


class _Scale:
    """Where a sample stands: across by its order, up by its value."""

    def __init__(self, arms: Sequence[Arm]) -> None:
        self.longest = max(len(arm.samples) for arm in arms)
        self.low = min(min(arm.samples) for arm in arms)
        self.high = max(max(arm.samples) for arm in arms)
        self.left = 16 + _DIGIT * max(len(shown(value)) for value in (self.low, self.high))
        self._step = Fraction(RIGHT - self.left, self.longest)
        self._arms = len(arms)
        self._grain = 1 if self.longest > _MANY else 10

    def height(self, value: Fraction) -> Fraction:
        """Return how far down the value stands; equal values stand in the middle."""
        if self.high == self.low:
            return Fraction(TOP + BOTTOM, 2)
        return BOTTOM - (value - self.low) / (self.high - self.low) * (BOTTOM - TOP)

    def path(self, number: int, arm: Arm) -> str:
        """Return a path of dots: lines of hardly any length, which their ends make visible.

        Of no length at all, square ones are seen on a screen and lost in print.
        """
        # Arms stand side by side within a repetition, so that equal values are both seen.
        aside = Fraction(2 * number + 1, 2 * self._arms) / 2 + Fraction(1, 4)
        places = (
            (
                self._rounded(self.left + (order + aside) * self._step),
                self._rounded(self.height(value)),
            )
            for order, value in enumerate(arm.samples)
        )
        return "".join(f"M{_tenth(x)} {_tenth(y)}h.1" for x, y in dict.fromkeys(places))

    def _rounded(self, place: Fraction) -> Fraction:
        return Fraction(round(place * self._grain), self._grain)


def _told(arm: Arm, unit: str) -> str:
    low, high = shown(min(arm.samples)), shown(max(arm.samples))
    count = f"{len(arm.samples)} from {low} to {high} {unit}".rstrip()
    return f"{arm.name}: {count}, {arm.statistic} {shown(arm.value)} {unit}".rstrip()


def _tenth(place: Fraction) -> str:
    text = f"{float(place):.1f}"
    return text.removesuffix(".0")
