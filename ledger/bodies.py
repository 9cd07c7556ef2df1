"""The bodies of entries: one model for each kind, with exactly the fields that the format allows.

Absent fields are left out, figures are decimal strings, references to other entries are ids and
references to receipts are ``receipt://sha256:…``. Which role may sign which kind stands in
`ledger.trust`. Specification: docs/reference/formats/entry.md.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from receipts.predicates import Facts
from receipts.shape import DecimalText, DigestText, Hex64, Label, Shape, Time

Role = Literal["engineer", "runner", "operator", "auditor"]
Outcome = Literal[
    "pass", "miss", "landed", "reverted", "rejected", "measured-only", "observation", "void"
]
ReceiptUri = Annotated[str, StringConstraints(pattern=r"^receipt://sha256:[0-9a-f]{64}$")]
KeyLine = Annotated[str, StringConstraints(pattern=r"^ssh-ed25519 [A-Za-z0-9+/]+={0,2}$")]
Title = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Text = Annotated[str, StringConstraints(min_length=1)]
Index = Annotated[int, Field(ge=0)]
# Not Literal[1]: pydantic would take `true` for it.
Version = Annotated[int, Field(ge=1, le=1)]


class Body(Shape):
    """The fields that every entry has."""

    v: Version
    index: Index
    prev: Hex64
    at: Time
    label: Label | None = None
    title: Title


class Genesis(Body):
    """The first entry: which log this is, who signs its checkpoints, who is its first operator."""

    kind: Literal["GENESIS"]
    origin: Annotated[str, StringConstraints(pattern=r"^[!-*,-~]{1,200}$")]
    log_key: KeyLine
    operator: KeyLine


class Key(Body):
    """A key enters the ledger with its roles, is retired, or is revoked."""

    kind: Literal["KEY"]
    action: Literal["enrol", "retire", "revoke"]
    key: KeyLine
    roles: list[Role] | None = None
    since: Index | None = None
    reason: Text | None = None


class Run(Body):
    """A run is admitted before its command starts, and ends in one of the other phases."""

    kind: Literal["RUN"]
    phase: Literal["admitted", "finished", "refused", "failed", "void", "attached"]
    cell: Label
    name: Label | None = None
    arm: Label | None = None
    repetition: Index | None = None
    window: Label | None = None
    plan: DigestText | None = None
    admission: Hex64 | None = None
    receipt: ReceiptUri | None = None
    exit_status: int | None = None
    reason: Text | None = None


class GateResult(Shape):
    """What one gate said; a gate is a test whose threshold was fixed before the run."""

    name: Text
    result: Literal["pass", "fail", "not-run"]
    contract: Hex64 | None = None
    measured: DecimalText | None = None
    threshold: DecimalText | None = None
    detail: Text | None = None


class DeltaSide(Shape):
    """One side of a delta: the arm, its value, and how much its repetitions disagreed."""

    arm: Label
    value: DecimalText
    cv: DecimalText | None = None
    min: DecimalText | None = None
    max: DecimalText | None = None


class Delta(Shape):
    """What moved. `change` is positive when the candidate wins, whatever the metric's polarity."""

    metric: Text
    unit: Text
    baseline: DeltaSide
    candidate: DeltaSide
    change: DecimalText
    ratio: DecimalText | None = None
    statistic: Text
    n: Index
    ddof: Index | None = None
    polarity: Literal["higher", "lower"]
    convention: Text
    runs: list[ReceiptUri]
    standing: Literal["anchored", "unanchored", "condemned"] | None = None
    """What the anchors of the window made of the baseline."""


class Verdict(Shape):
    """An outcome word and a sentence."""

    outcome: Outcome
    sentence: Text | None = None


class Evidence(Shape):
    """A receipt, and which of its cells is meant where it holds several."""

    receipt: ReceiptUri
    select: Facts | None = None


class Attribution(Shape):
    """A cause, which is not a measurement: *unverified* unless it has evidence of its own."""

    cause: Text
    share: DecimalText | None = None
    evidence: list[Evidence] | None = None
    standing: Literal["verified", "unverified", "voided"] = "unverified"


class Deviation(Shape):
    """Something that was done otherwise than planned, and why."""

    what: Text
    reason: Text


class RecordedCell(Shape):
    """One cell of a table that an entry was recorded from, verbatim, under its column's header."""

    column: str
    text: str


class Experiment(Body):
    """Hypothesis, change, gate, delta, verdict. Without delta and verdict the entry is *open*."""

    kind: Literal["ENTRY"]
    hypothesis: Text | None = None
    change: Text | None = None
    gate: list[GateResult] | None = None
    delta: list[Delta] | None = None
    verdict: Verdict | None = None
    evidence: list[Evidence] | None = None
    scope: Facts | None = None
    plan: DigestText | None = None
    expected: Text | None = None
    answers: Hex64 | None = None
    rests_on: list[Hex64] | None = None
    attribution: list[Attribution] | None = None
    deviations: list[Deviation] | None = None
    step: Text | None = None
    commit: Text | None = None
    lesson: Text | None = None
    notes: DigestText | None = None
    recorded: list[RecordedCell] | None = None


class Selector(Shape):
    """What a correction strikes beyond its targets: every run with these facts."""

    binary: DigestText | None = None
    commit: Text | None = None
    window: Label | None = None
    cell: Label | None = None
    metric: Text | None = None


class Correcting(Body):
    """The fields that all four corrections share."""

    targets: list[Hex64] | None = None
    selector: Selector | None = None
    resolved: list[Hex64] | None = None
    runs: list[ReceiptUri] | None = None
    reason: Text
    affects: list[Text] | None = None
    leaves: list[Text] | None = None


class Correction(Correcting):
    """A fact was stated wrongly; `restated` gives the fields as they should read."""

    kind: Literal["CORRECTION"]
    restated: dict[str, str] | None = None


class Amendment(Correcting):
    """What was stated is narrowed or barred."""

    kind: Literal["AMENDMENT"]
    bars: list[Text] | None = None
    narrows: Facts | None = None


class Superseded(Correcting):
    """Something later takes its place."""

    kind: Literal["SUPERSEDED"]
    replacement: Hex64 | None = None


class Retraction(Correcting):
    """It is withdrawn; retracting a correction lifts that correction."""

    kind: Literal["RETRACTION"]


class NumericGate(Shape):
    """A gate fixed before the run: metric, comparison, threshold, tolerance."""

    name: Text
    metric: Text
    comparison: Literal[">=", ">", "<=", "<", "=="]
    threshold: DecimalText
    tolerance: DecimalText | None = None


class Contract(Body):
    """Gates and protocol rules in force from this index on."""

    kind: Literal["CONTRACT"]
    reference: Text | None = None
    golden: DigestText | None = None
    made_by: ReceiptUri | None = None
    gates: list[NumericGate] | None = None
    rules: list[Literal["needs-anchor", "needs-natural-cells", "needs-both-directions"]] | None = (
        None
    )
    retires: list[Hex64] | None = None
    follows: Hex64 | None = None


class Approval(Body):
    """An operator's word on one claim: the digest of what was approved, and the sentence."""

    kind: Literal["APPROVAL"]
    claim: Label
    digest: DigestText
    sentence: Text
    decision: Literal["approved", "withdrawn"]
    conditions: list[Text] | None = None


class Lock(Body):
    """The state of the release and its switches."""

    kind: Literal["LOCK"]
    state: Literal["contained", "open"]
    switches: dict[str, bool] | None = None
    reason: Text | None = None


class Finding(Body):
    """Something that stops a release until it is resolved."""

    kind: Literal["FINDING"]
    id: Label
    severity: Literal["low", "medium", "high", "critical"]
    status: Literal["open", "closed"]
    resolution: Text | None = None
    evidence: list[Evidence] | None = None


class Published(Body):
    """What was published: page, register and head, by digest."""

    kind: Literal["PUBLISHED"]
    page: DigestText
    claims_register: DigestText
    head: Hex64
    claims: list[Label]


class Audit(Body):
    """An auditor's signed report on a head of this ledger."""

    kind: Literal["AUDIT"]
    head: Hex64
    checked: dict[str, int]
    differences: list[Text]
    evidence_verdict: Literal["holds", "fails", "undecided"]
    decision_verdict: Literal["holds", "fails", "undecided"]


class Recovery(Body):
    """Continuing after a restore: the last trusted checkpoint, and what is lost."""

    kind: Literal["RECOVERY"]
    checkpoint: Text
    lost: list[Text]


AnyBody = (
    Genesis
    | Key
    | Run
    | Experiment
    | Correction
    | Amendment
    | Superseded
    | Retraction
    | Contract
    | Approval
    | Lock
    | Finding
    | Published
    | Audit
    | Recovery
)
CORRECTIONS = (Correction, Amendment, Superseded, Retraction)
