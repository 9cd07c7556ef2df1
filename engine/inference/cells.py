"""What may be said over the cells of a matrix (depths x fixtures), and what may not. Pure.

"At every depth" holds only if it holds in each cell, so each cell is tested at the full level and
nothing is corrected (intersection-union); "at some depth" picks the best of many, so its p-values
are (Holm). The smallest cell is printed in the same breath as the mean::

    decode_tok_s: 6 cells, ratio 1.0274 to 1.0504, mean 1.0396, minimum 1.0274 at depth 65536

A cell with a single repetition is marked † and enters no range and no mean; one whose repetitions
were not all exact, or whose baseline is condemned, enters nothing. PASS is a word for all cells of
the plan, at its scope, with a ratio of 1 or more in each; everything that keeps it away is a
finding of its own.
Sources: Berger (1982) for intersection-union; Holm (1979), Scand. J. Statistics 6.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.statistics import decimal_text
from receipts.errors import Error, UndecidedError

Finding = Literal["MISS", "SINGLE_SAMPLE", "NOT_EXACT", "NO_NATURAL_TEXT", "NO_CELL", "CONDEMNED"]
DAGGER = "†"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its ratio (above 1 the candidate wins) and what it was measured with.

    `definition` is metric and statistic; `lowest` the smallest ratio of a pair, None where pairs
    were not kept; `exact` None where the plan dropped the gate before its first run; `condemned`
    where its baseline was not the recorded one.
    """

    name: str
    definition: str
    ratio: Fraction
    n: int
    exact: bool | None
    natural: bool = False
    lowest: Fraction | None = None
    cannot_see: tuple[str, ...] = ()
    condemned: bool = False

    @property
    def single(self) -> bool:
        """Whether the cell rests on one repetition, and is to be marked †."""
        return self.n == 1

    @property
    def counts(self) -> bool:
        """Whether the cell may enter a range or a mean."""
        return not (self.single or self.condemned or self.exact is False)


@dataclass(frozen=True, slots=True)
class Matrix:
    """PASS at `scope`, or the findings that keep it away, each (kind, sentence).

    The range, mean and geometric mean are of the cells that count; None where there are none, or
    (for the means) where the cells do not share one definition.
    """

    scope: str
    passed: bool
    findings: tuple[tuple[Finding, str], ...]
    low: Cell | None
    high: Cell | None
    mean: Fraction | None
    geometric_mean: float | None
    warnings: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Range and mean, with the minimum in the same breath; or that no cell counts."""
        if self.low is None or self.high is None:
            return f"{self.scope}: no cell counts"
        low, high = decimal_text(self.low.ratio, 6), decimal_text(self.high.ratio, 6)
        mean = f"mean {decimal_text(self.mean, 6)}, " if self.mean is not None else ""
        return f"{self.scope}: ratio {low} to {high}, {mean}minimum {low} at {self.low.name}"


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard metric of one cell, held against its declared floor in every repetition."""

    minimum: Fraction
    floor: Fraction
    below: tuple[int, ...]

    @property
    def held(self) -> bool:
        """Whether no repetition lies under the floor."""
        return not self.below


def judge(cells: Sequence[Cell], scope: str, *, speculative: bool = False) -> Matrix:
    """Return what the cells of a plan give; `speculative` demands a cell of natural text."""
    counted = [cell for cell in cells if cell.counts]
    findings = tuple(_findings(cells, speculative=speculative))
    alike = len({cell.definition for cell in counted}) == 1
    ratios = [cell.ratio for cell in counted]
    return Matrix(
        scope=scope,
        passed=not findings,
        findings=findings,
        low=min(counted, key=lambda cell: cell.ratio, default=None),
        high=max(counted, key=lambda cell: cell.ratio, default=None),
        mean=sum(ratios, Fraction(0)) / len(ratios) if alike else None,
        geometric_mean=geometric_mean(ratios) if alike else None,
        warnings=tuple(_warnings(cells, counted)),
    )


def at_every_cell(lower_ends: Mapping[str, float], limit: float = 1.0) -> tuple[str, ...]:
    """Return the cells whose interval does not lie above `limit`: none, and it holds at every one.

    Each interval at the full level: a union of nulls needs no correction.
    """
    if not lower_ends:
        raise UndecidedError("there is no cell, so nothing holds at every one")
    return tuple(name for name, low in lower_ends.items() if not low > limit)


def holm(p_values: Mapping[str, Fraction | float]) -> dict[str, Fraction | float]:
    """Return Holm's adjusted p-values, to be held against the level, for "at some cell"."""
    adjusted: dict[str, Fraction | float] = {}
    reached: Fraction | float = 0
    for rank, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        reached = max(reached, min(1, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = reached
    return {name: adjusted[name] for name in p_values}


def geometric_mean(ratios: Sequence[Fraction]) -> float:
    """Return exp of the mean logarithm; of ratios of one definition only."""
    if not ratios or min(ratios) <= 0:
        raise UndecidedError("a geometric mean needs ratios above zero")
    return math.exp(math.fsum(math.log(ratio) for ratio in ratios) / len(ratios))


def guard(values: Sequence[Fraction], floor: Fraction) -> Guard:
    """Return the smallest value, and which repetitions (from 0) lie under the declared floor."""
    if not values:
        raise UndecidedError("the guard metric has no repetition")
    below = tuple(at for at, value in enumerate(values) if value < floor)
    return Guard(min(values), floor, below)


def mark(text: str, n: int) -> str:
    """Return a printed figure, with † where it rests on a single repetition."""
    if n < 1:
        raise Error(f"{text} rests on no repetition")
    return text + DAGGER if n == 1 else text


def _findings(cells: Sequence[Cell], *, speculative: bool) -> Iterator[tuple[Finding, str]]:
    if not any(cell.counts for cell in cells):
        yield "NO_CELL", "no cell counts: nothing was checked"
    for cell in cells:
        if cell.exact is False:
            yield "NOT_EXACT", f"{cell.name}: not exact in every repetition; its times are withheld"
        elif cell.condemned:
            yield "CONDEMNED", f"{cell.name}: its baseline is not the recorded one"
        elif cell.single:
            yield "SINGLE_SAMPLE", f"{cell.name}{DAGGER}: a single repetition joins no range"
        elif cell.ratio < 1:
            yield "MISS", f"{cell.name}: ratio {decimal_text(cell.ratio, 6)} is below 1"
    if speculative and not any(cell.natural and cell.counts for cell in cells):
        yield "NO_NATURAL_TEXT", "a speculative lane without a cell of natural text is incomplete"


def _warnings(cells: Sequence[Cell], counted: Sequence[Cell]) -> Iterator[str]:
    definitions = dict.fromkeys(cell.definition for cell in counted)
    if len(definitions) > 1:
        yield f"no mean: the cells hold different quantities ({', '.join(definitions)})"
    for cell in counted:
        if cell.lowest is not None and (cell.lowest < 1) != (cell.ratio < 1):
            lowest = decimal_text(cell.lowest, 6)
            yield f"{cell.name}: a repetition lies on the other side of parity ({lowest})"
    if any(cell.exact is None for cell in counted):
        yield "without an exactness gate in some cells"
    blind = dict.fromkeys(one for cell in cells for one in cell.cannot_see)
    yield from (f"the fixtures cannot see {one}" for one in blind)
