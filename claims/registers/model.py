"""What a register holds: claims, and beside them all that nobody may say.

A claim is a sentence with holes, and what must be true before they are filled. Beside the claims
stand numbers that are barred, sentences that are not claimed, and claims that were withdrawn.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from claims.registers.wording import FLOOR
from receipts import canonical
from receipts.digest import Digest
from receipts.predicates import Facts
from receipts.shape import DecimalText, Label, LimitText, Shape, Whole

Words = Annotated[str, StringConstraints(min_length=1)]
Tag = Literal["measured", "precedent", "target", "roadmap", "mock"]
Reason = Literal[
    "superseded",
    "retired-baseline",
    "positive-control",
    "single-sample",
    "accounting",
    "not-shipped",
    "unqualified-gate",
]


def _day(text: str) -> str:
    """Refuse a day that no calendar has; the pattern has settled its spelling."""
    date.fromisoformat(text)
    return text


Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_day)]
Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,64}$")]


class EvidenceRef(Shape):
    """The entry that a claim rests on; which of its receipts, and which cell or arm of that.

    `select` picks a cell of a raw file, `cell` the window of a cell where an entry cites several.
    """

    entry: Words
    receipt: Words | None = None
    select: Facts | None = None
    arm: Label | None = None
    cell: Label | None = None


class Comparator(Shape):
    """What a change is measured against: its name, its commit, and the day of that commit."""

    name: Words
    commit: Commit | None = None
    date: Day | None = None


class Claim(Shape):
    """One claim of the register.

    A *level* claim is about one arm, a *change* claim about two, a *matrix* claim about two in
    several cells. `scope` says under which conditions the sentence holds; each of its facts must be
    a fact of the evidence, and of both sides of a ratio. What the sides differ in stands in
    `baseline_scope` and `candidate_scope`. A change with a `margin`, a share of the baseline,
    claims that nothing changed by more.
    """

    id: Label
    kind: Literal["level", "change", "matrix"]
    wording: Words
    metric: Words
    statistic: Literal["median", "mean", "min", "max", "p90", "p95", "p99", "ratio_of_medians"]
    evidence: list[EvidenceRef] = Field(default_factory=list)
    metrics: dict[Label, Words] | None = Field(default=None, min_length=1)
    cells: Literal["all"] | list[Label] | None = None
    scope: Facts = Field(default_factory=dict)
    baseline_scope: Facts | None = None
    candidate_scope: Facts | None = None
    comparator: Comparator | None = None
    repetitions: Annotated[Whole, Field(ge=1)] = FLOOR
    cv_limit: LimitText | None = None
    margin: LimitText | None = None
    must_retain: list[Words] = Field(default_factory=list)
    forbidden: list[Words] = Field(default_factory=list)
    tag: Tag = "measured"
    derived: Words | None = None
    owner: Words | None = None

    @property
    def states_only(self) -> bool:
        """Say whether nobody measured it and it rests on nothing: a target, a plan, a mock."""
        return self.tag != "measured" and not self.evidence

    def approved_digest(self) -> Digest:
        """Return the digest of all that an approval is given for, but the sentence."""
        fields = self.model_dump(exclude={"owner"}, exclude_none=True)
        return Digest.of(canonical.encode(fields))


class BarredRow(Shape):
    """A number that may not be claimed, and why; `unit` is absent for a bare number."""

    value: DecimalText
    unit: Words | None = None
    metric: Words | None = None
    cell: Label | None = None
    reason: Reason
    note: Words


class NotClaimed(Shape):
    """A phrase of the negative space: what nobody claims here."""

    phrase: Words
    note: Words | None = None


class Withdrawn(Shape):
    """A claim that was taken back: it stays on the page as a tombstone, with its reason."""

    id: Label
    sentence: Words
    reason: Words
    at: Day | None = None
    replaced_by: Label | None = None


class Vocabulary(Shape):
    """The names of engines, models, metrics and hardware, each with its other spellings."""

    engines: dict[Words, list[Words]] = Field(default_factory=dict)
    models: dict[Words, list[Words]] = Field(default_factory=dict)
    metrics: dict[Words, list[Words]] = Field(default_factory=dict)
    hardware: dict[Words, list[Words]] = Field(default_factory=dict)


class VocabularyFile(Vocabulary):
    """A vocabulary in a file of its own."""

    version: Annotated[Whole, Field(ge=1, le=1)]


class RegisterFile(Shape):
    """The YAML file: a version, the claims, and what nobody may say."""

    version: Annotated[Whole, Field(ge=1, le=1)]
    claims: list[Claim]
    barred: list[BarredRow] = Field(default_factory=list)
    negative_space: list[NotClaimed] = Field(default_factory=list)
    withdrawn: list[Withdrawn] = Field(default_factory=list)
    vocabulary: Vocabulary | Words | None = None
    policy: list[Words] = Field(default_factory=list)
