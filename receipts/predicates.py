"""What a statement says of runs, windows and comparisons: the three predicates that are ours.

A *run* is one command under one lease, or a raw file measured elsewhere; a *window* is the walk of
one plan, and names the receipt of each of its repetitions; a *comparison* is what two raw files
gave side by side, a refusal included. Durations are integer nanoseconds, figures are decimal
strings, absent fields are left out. `figures`, `comparisons` and `deltas` are computed when the
receipt is made, so that they can be shown without raw files; a claim never trusts them and
recomputes from rows.
Specification: docs/reference/formats/receipt.md.
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from receipts.shape import DecimalText, DigestText, Hex64, Label, Shape, Time

Scalar = str | int | bool
Facts = dict[str, Scalar]


class Figure(Shape):
    """One statistic of one metric over the rows that `select` picks."""

    metric: str
    statistic: str
    value: DecimalText
    unit: str
    n: int
    select: Facts | None = None


class ArmSummary(Shape):
    """One arm's side of a comparison, in the metric's unit."""

    arm: str
    value: DecimalText
    n: int
    cv: DecimalText | None = None
    min: DecimalText
    max: DecimalText


class Comparison(Shape):
    """Candidate against baseline for one metric; `change` is positive when the candidate wins."""

    metric: str
    unit: str
    polarity: Literal["higher", "lower"]
    statistic: str
    convention: str
    baseline: ArmSummary
    candidate: ArmSummary
    ratio: DecimalText
    change: DecimalText
    ddof: int
    warnings: list[str] = Field(default_factory=list)


class Connection(Shape):
    """A connection of the run's that left the machine, and by which interface; absent is untold.

    `first` and `last` are the looks that saw it: 0 was at the start, N with the N-th sample. The
    speed is the interface's, in Mbit/s.
    """

    protocol: Literal["tcp", "udp"]
    peer: str
    port: int
    local: str
    interface: str | None = None
    interface_kind: Literal["wired", "virtual", "wireless"] | None = None
    speed_mbit: int | None = None
    first: int
    last: int


class Apparatus(Shape):
    """What was seen around a run: the terms, the machine, who was there, what was sampled.

    `absent` says of each fact that is not there why it is not.
    """

    terms: Facts = Field(default_factory=dict)
    machine: Facts = Field(default_factory=dict)
    absent: dict[str, str] = Field(default_factory=dict)
    quiet: Facts = Field(default_factory=dict)
    samples: Facts = Field(default_factory=dict)
    holders: list[str] = Field(default_factory=list)
    residents: list[str] = Field(default_factory=list)
    drained: Facts = Field(default_factory=dict)
    connections: list[Connection] | None = None


class RunPredicate(Shape):
    """What one run was: who made it run, what ran, where, when, and how it ended."""

    origin: Literal["witnessed", "attached"]
    cell: Label
    reader: str | None = None
    arm: Label | None = None
    repetition: int | None = None
    window: Label | None = None
    plan: DigestText | None = None
    command: list[str] | None = None
    identity: Facts
    environment: Facts
    lease: Facts | None = None
    started_at: Time | None = None
    finished_at: Time | None = None
    duration_ns: int | None = None
    exit_status: int | None = None
    admission: Literal["admitted"] | None = None
    exit_code: int | None = None
    apparatus: Apparatus | None = None
    taints: list[str] | None = None
    """What makes the run doubtful; [] if it was watched and nothing did, None if nobody watched."""
    attached_at: Time | None = None
    columns: list[str] | None = None
    policies: list[Literal["exclude-failed-rows"]] | None = None
    original: DigestText | None = None
    redacted: list[str] | None = None
    figures: list[Figure] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


class Repetition(Shape):
    """One repetition of a window, in the order in which it ran."""

    arm: Label
    repetition: int
    receipt: DigestText


class Exactness(Shape):
    """Whether all arms produced the same tokens; where not, the first place that differs.

    *ungated* says that the plan dropped the gate before its first run.
    """

    result: Literal["exact", "differs", "ungated"]
    compared: str
    first_difference: str | None = None


class AnchorResult(Shape):
    """A recorded value, measured again before the first pair of a window.

    `tolerance` is relative to what was recorded. *other-binary* says that it was not the recorded
    binary, or not the baseline's, that was measured.
    """

    record: Label
    contract: Hex64
    validates: Literal["window", "baseline"]
    metric: str
    recorded: DecimalText
    tolerance: DecimalText
    measured: DecimalText
    n: int
    result: Literal["held", "missed", "other-binary"]
    receipt: DigestText


class Fixture(Shape):
    """What the arms were fed, and what that cannot show."""

    kind: Literal["synthetic", "natural", "recorded"]
    generator: str
    digest: DigestText | None = None
    cannot_see: list[str] = Field(min_length=1)


class Engaged(Shape):
    """What an arm had to prove about itself, and whether every repetition of it did."""

    arm: Label
    proof: str
    held: bool
    detail: str | None = None


class GateSoundness(Shape):
    """An accuracy gate, and what it said of the reference, of a broken arm, and of the candidate.

    *blind* says that it passes the arm with the defect too; scores are shares of equal tokens.
    """

    name: Label
    defect: str
    threshold: DecimalText
    self_score: DecimalText
    broken_score: DecimalText
    candidate_score: DecimalText | None = None
    result: Literal["sound", "blind", "unsound"]


class WindowPredicate(Shape):
    """The walk of one plan: its order, its gate, and, only where the gate held, its comparisons."""

    origin: Literal["witnessed"]
    cell: Label
    window: Label
    plan: DigestText
    baseline: Label
    candidate: Label
    cv_limit: DecimalText | None = None
    scope: Facts = Field(default_factory=dict)
    fixture: Fixture | None = None
    anchors: list[AnchorResult] | None = None
    engagement: list[Engaged] | None = None
    gates: list[GateSoundness] | None = None
    control: bool | None = None
    repetitions: list[Repetition]
    exactness: Exactness
    environment: Facts
    lease: Facts
    started_at: Time
    finished_at: Time
    comparisons: list[Comparison] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)

    @property
    def standing(self) -> Literal["anchored", "unanchored", "condemned"]:
        """What the anchors of the window make of its baseline."""
        results = [anchor.result for anchor in self.anchors or () if anchor.validates == "baseline"]
        if any(result != "held" for result in results):
            return "condemned"
        return "anchored" if results else "unanchored"


class ComparedArm(Shape):
    """One side of a comparison: its raw file, unless that could not be read, and the run picked."""

    raw: DigestText | None = None
    reader: str | None = None
    select: dict[str, str] | None = None


class MeasuredFloor(Shape):
    """The noise floors from `n` A/A differences, as ratios of the baseline."""

    n: int
    t_rule: DecimalText
    maximum: DecimalText


class ComparedFigure(Shape):
    """One statistic of one metric in both arms; what an arm lacks is left out, and so is `change`.

    `barred` names what keeps the metric from being cited; `where` tells several runs apart.
    """

    metric: str
    unit: str
    polarity: Literal["higher", "lower"]
    statistic: str
    where: str | None = None
    baseline: ArmSummary | None = None
    candidate: ArmSummary | None = None
    change: DecimalText | None = None
    barred: str | None = None
    floor: MeasuredFloor | None = None
    verdict: Literal["flat", "better", "worse"] | None = None


class ComparisonPredicate(Shape):
    """Two raw files side by side: what was verified of them, and what moved or why nothing is said.

    Where the outcome is a refusal there is no figure: `problems` has every reason for it.
    """

    origin: Literal["witnessed"]
    cell: Label
    baseline: ComparedArm
    candidate: ComparedArm
    outcome: Literal[
        "COMPARED",
        "USAGE",
        "MISSING_ARM",
        "PROFILE_UNVERIFIABLE",
        "PROFILE_MISMATCH",
        "ZERO_BASELINE",
    ]
    exit_status: int
    publishable: bool
    profile_fields: int
    environment_fields: int
    session: Literal["one", "cross-session", "not told", "not compared"]
    variables: list[str] = Field(default_factory=list)
    problems: list[str] = Field(default_factory=list)
    convention: str
    deltas: list[ComparedFigure] = Field(default_factory=list)
    started_at: Time
    finished_at: Time
    warnings: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _refusals_show_nothing(self) -> Self:
        compared = self.outcome == "COMPARED"
        if compared != (self.exit_status == 0) or compared != (not self.problems):
            raise ValueError("outcome, exit_status and problems contradict each other")
        if not compared and (self.deltas or self.publishable):
            raise ValueError("a refused comparison has no deltas and is not publishable")
        return self


Predicate = RunPredicate | WindowPredicate | ComparisonPredicate
