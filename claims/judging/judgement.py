"""What became of a claim: its values, its sentence, and all that keeps it from being published."""

from dataclasses import dataclass, field
from fractions import Fraction

from claims.judging.chain import Evidence
from claims.judging.misses import Miss
from claims.registers.model import Claim
from claims.registers.wording import Value
from claims.rules import Refusal


@dataclass
class Judgement:
    """What became of a claim: `sentence` may be published only when there is no refusal."""

    claim: Claim
    evidence: Evidence
    values: dict[str, Value] = field(default_factory=dict)
    sentence: str | None = None
    refusals: list[Refusal] = field(default_factory=list)
    approved_by: int | None = None
    conditions: tuple[str, ...] = ()
    """Under which its approval was given."""
    spread: tuple[str, ...] = ()
    """For each window that has siblings: how many, when they were walked, and how far they lie."""
    misses: tuple[Miss, ...] = ()
    """What else was measured in the same walk, and lost."""

    @property
    def holds(self) -> bool:
        """Say whether the sentence may be published."""
        return self.sentence is not None and not self.refusals

    @property
    def cells(self) -> frozenset[str]:
        """The cells that the claim is about, as its evidence names them."""
        known = (*(part.cell for part in self.evidence.parts), self.evidence.facts.get("cell"))
        return frozenset(str(cell) for cell in known if cell is not None)

    @property
    def wins(self) -> bool:
        """Say whether it holds, and says that the candidate is no slower anywhere."""
        ratio = self.values.get("ratio", self.values.get("ratio.min"))
        won = isinstance(ratio, Fraction) and ratio >= 1
        return self.holds and won and self.claim.margin is None

    @property
    def of_every_cell(self) -> bool:
        """Say whether it rests on every cell of its plan, and may say so."""
        return bool(self.evidence.parts) and self.claim.cells in (None, "all")

    @property
    def windows(self) -> tuple[str, ...]:
        """The names of the windows that the claim rests on."""
        parts = [part.evidence.window for part in self.evidence.parts] or [self.evidence.window]
        return tuple(dict.fromkeys(window.window for window in parts if window))

    def refuse(self, code: str, message: str) -> None:
        """Add a refusal of this claim."""
        self.refusals.append(Refusal(code, message, self.claim.id))
