"""Plans: what is fixed before a window runs, in YAML. Its digest is the digest of the file's bytes.

::

    version: 1
    name: tuned-vs-plain
    cell: decode-v4096-w2048
    baseline:  {arm: plain, command: ["{python}", -m, engine.kernels.decode, --raw, "{raw}", …]}
    candidate: {arm: tuned, command: […]}
    repetitions: 6
    metrics: [decode_tok_s]
    cv_limit: "0.10"
    scope: {lane: greedy}

In a command `{raw}` is replaced by the file that the run must write, and `{python}` by this
interpreter. Specification: docs/reference/formats/plan.md.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from engine import metrics
from receipts import files, yaml_source
from receipts.digest import Digest
from receipts.errors import Error
from receipts.shape import Label, LimitText, Shape, Whole
from receipts.statement import Facts

LEAST_REPETITIONS = 5


class Arm(Shape):
    """One condition: its name, and the command that runs one repetition of it."""

    arm: Label
    command: list[str] = Field(min_length=1)


class Plan(Shape):
    """Two arms, the gate between them, and what is computed from their rows."""

    version: Annotated[Whole, Field(ge=1, le=1)]
    name: Annotated[Label, Field(max_length=48)]
    cell: Label
    baseline: Arm
    candidate: Arm
    repetitions: Annotated[Whole, Field(ge=LEAST_REPETITIONS, le=1000)] = 6
    metrics: list[str] = Field(min_length=1)
    cv_limit: LimitText | None = None
    exactness: Literal["tokens", "tokens-and-logits"] = "tokens"
    scope: Facts = Field(default_factory=dict)

    def arms(self) -> Mapping[str, Arm]:
        """Return both arms by name."""
        return {arm.arm: arm for arm in (self.baseline, self.candidate)}


@dataclass(frozen=True)
class PlanFile:
    """A plan, the exact bytes that it was read from, and their digest."""

    plan: Plan
    raw: bytes
    digest: Digest


def read(path: Path) -> PlanFile:
    """Return the plan in the file at `path`; errors name line and column."""
    raw = files.read(path, yaml_source.MAX_BYTES, "plan")
    return PlanFile(parse(raw, str(path)), raw, Digest.of(raw))


def parse(raw: bytes, name: str) -> Plan:
    """Return the plan that `raw` spells; `name` is what errors call it."""
    source = yaml_source.load(raw, name)
    plan = source.parse(Plan)
    if plan.baseline.arm == plan.candidate.arm:
        raise source.fault(("candidate", "arm"), "both arms have one name")
    if len(set(plan.metrics)) < len(plan.metrics):
        raise source.fault(("metrics",), "a metric stands twice")
    for place, name in enumerate(plan.metrics):
        try:
            metrics.metric(name)
        except Error as error:
            raise source.fault(("metrics", place), str(error)) from error
    return plan


def fill(command: list[str], raw: Path) -> list[str]:
    """Return the command with its placeholders replaced."""
    known = {"{raw}": str(raw), "{python}": sys.executable}
    return [known.get(word, word) for word in command]
