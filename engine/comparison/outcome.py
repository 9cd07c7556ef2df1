"""What a comparison says: every reason to refuse, every figure, and what may be said of them.

The first problem in the order of `CODES` decides; a refused comparison shows no figure at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple

from engine.comparison.arms import Cell, Session
from engine.inference.noise import Floor
from engine.metrics import Metric

Refusal = Literal[
    "USAGE", "MISSING_ARM", "PROFILE_UNVERIFIABLE", "PROFILE_MISMATCH", "ZERO_BASELINE"
]
CODES: Mapping[Refusal, int] = MappingProxyType(
    {
        "USAGE": 2,
        "MISSING_ARM": 3,
        "PROFILE_UNVERIFIABLE": 6,
        "PROFILE_MISMATCH": 4,
        "ZERO_BASELINE": 5,
    }
)
"""Exit code of each refusal, in the order of precedence."""
COMPARED: Literal["COMPARED"] = "COMPARED"
CONVENTION = (
    "positive means that B is better: (B-A)/|A| where higher is better, (A-B)/|A| where lower is"
)


class Problem(NamedTuple):
    """One reason to refuse: its name, a sentence, and the fields it is about."""

    name: Refusal
    sentence: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What the person declared: variables, required fields, and policies."""

    variables: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    policies: frozenset[str] = frozenset()


class Side(NamedTuple):
    """One arm's figure for one metric, in the metric's unit; `cv` is a ratio with ddof 1."""

    value: Fraction
    n: int
    cv: str | None
    minimum: Fraction
    maximum: Fraction


@dataclass(frozen=True)
class Delta:
    """One statistic of one metric in both arms; `barred` names the note that bars citing it.

    `change` is relative to A, None where there is none. `floor` is what A/A runs of the same
    profile gave, None where none were measured.
    """

    metric: Metric
    statistic: str
    a: Side | None
    b: Side | None
    change: Fraction | None = None
    barred: str = ""
    floor: Floor | None = None

    @property
    def verdict(self) -> Literal["flat", "better", "worse"] | None:
        """What the change means against its floor; None where no floor was measured."""
        if self.change is None or self.floor is None:
            return None
        if self.floor.covers(self.change):
            return "flat"
        return "better" if self.change > 0 else "worse"


@dataclass(frozen=True)
class Pair:
    """A run of A and a run of B, and what moved from one to the other."""

    a: Cell
    b: Cell
    deltas: tuple[Delta, ...]


@dataclass(frozen=True)
class Outcome:
    """All that was found. Where there are `problems`, no figure in `pairs` may be shown."""

    problems: tuple[Problem, ...]
    pairs: tuple[Pair, ...] = ()
    unpaired: tuple[tuple[str, str], ...] = ()
    fields: int = 0
    environment_fields: int = 0
    session: Session = "not compared"
    warnings: tuple[str, ...] = ()

    @property
    def first(self) -> Problem | None:
        """The problem that decides, None where nothing is refused."""
        order = list(CODES)
        return min(self.problems, key=lambda one: order.index(one.name), default=None)

    @property
    def name(self) -> Refusal | Literal["COMPARED"]:
        """COMPARED, or the name of the refusal."""
        return self.first.name if self.first else COMPARED

    @property
    def exit_code(self) -> int:
        """The code of the refusal that decides; 0 where nothing is refused."""
        return CODES[self.first.name] if self.first else 0

    @property
    def profile_verified(self) -> bool:
        """Whether every field was compared and none kept the arms apart."""
        return self.name in (COMPARED, "ZERO_BASELINE")

    @property
    def publishable(self) -> bool:
        """Whether everything was verified, in one session, and nothing refused or left aside."""
        barred = any(delta.barred for pair in self.pairs for delta in pair.deltas)
        whole = not (self.problems or self.unpaired or barred)
        return whole and self.session == "one"
