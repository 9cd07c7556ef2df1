"""What a claim is: a sentence with holes, and what must be true before they are filled."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from receipts import canonical
from receipts.digest import Digest
from receipts.shape import Label, LimitText, Shape, Whole
from receipts.statement import Facts

FLOOR = 5
"""Fewer repetitions than this are quoted only with their number in the sentence."""

Words = Annotated[str, StringConstraints(min_length=1)]


class EvidenceRef(Shape):
    """The entry that a claim rests on; which of its receipts, and which cell or arm of that."""

    entry: Words
    receipt: Words | None = None
    select: Facts | None = None
    arm: Label | None = None


class Claim(Shape):
    """One row of the register.

    A *level* claim is about one arm, a *change* claim about two. `scope` says under which
    conditions the sentence holds; each of its facts must be a fact of the evidence.
    """

    id: Label
    kind: Literal["level", "change"]
    wording: Words
    metric: Words
    statistic: Literal["median", "mean", "min", "max", "p90", "p95", "p99", "ratio_of_medians"]
    evidence: list[EvidenceRef] = Field(min_length=1, max_length=1)
    scope: Facts = Field(default_factory=dict)
    repetitions: Annotated[Whole, Field(ge=1)] = FLOOR
    cv_limit: LimitText | None = None
    must_retain: list[Words] = Field(default_factory=list)
    forbidden: list[Words] = Field(default_factory=list)
    tag: Literal["measured", "precedent", "target", "roadmap", "mock"] = "measured"
    owner: Words | None = None

    def approved_digest(self) -> Digest:
        """Return the digest of all that an approval is given for, but the sentence."""
        fields = {"id", "kind", "wording", "metric", "statistic", "evidence", "scope"}
        fields |= {"repetitions", "cv_limit", "must_retain", "forbidden", "tag"}
        return Digest.of(canonical.encode(self.model_dump(include=fields, exclude_none=True)))


class RegisterFile(Shape):
    """The YAML file: a version and the claims."""

    version: Annotated[Whole, Field(ge=1, le=1)]
    claims: list[Claim]
