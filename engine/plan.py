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
interpreter. Version 2 adds `cells`, each with words of its own for the commands; `anchors`, which
are measured under the same lease before the first pair; and `engagement`, by which an arm must
prove that it ran what it says. Specification: docs/reference/formats/plan.md.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from engine import metrics
from receipts import files, yaml_source
from receipts.digest import Digest
from receipts.errors import Error
from receipts.predicates import Facts
from receipts.shape import DigestText, Label, LimitText, Shape, Whole

LEAST_REPETITIONS = 5
Gate = Literal["tokens", "tokens-and-logits", "tokens-and-forced", "none"]
_NEWER_GATES = ("tokens-and-forced", "none")
_OF_CANDIDATES = ("engagement", "anchors", "gates")
Fault = tuple[tuple[str | int, ...], str]
"""A place in the plan, and what is wrong there."""
APART = "another binary or other words than the baseline"
"""The proof of engagement that stands in every window, whatever its plan asks for."""
_VERSION_2 = ("cells", "fixture", "cooldown_ms", "anchors", "engagement", "gates")


class Arm(Shape):
    """One condition: its name, and the command that runs one repetition of it."""

    arm: Label
    command: list[str] = Field(min_length=1)


class Fixture(Shape):
    """What the arms are fed: its class, what makes it, and what it cannot show."""

    kind: Literal["synthetic", "natural", "recorded"]
    generator: str = Field(min_length=1)
    digest: DigestText | None = None
    cannot_see: list[Annotated[str, Field(min_length=1)]] = Field(min_length=1)


class CellPlan(Shape):
    """One cell of a matrix: words for the commands, and what is particular to it."""

    cell: Label
    words: Facts = Field(default_factory=dict)
    fixture: Fixture | None = None
    exactness: Gate | None = None
    scope: Facts = Field(default_factory=dict)


class Anchor(Shape):
    """A recorded value that is measured again, before the first pair and under its lease.

    `record` is the label of the CONTRACT that holds value and tolerance. One that validates the
    *window* is of a program that is no arm; one that validates the *baseline* runs its command.
    Without a `cell` it is measured in every cell.
    """

    record: Label
    cell: Label | None = None
    validates: Literal["window", "baseline"]
    command: list[str] = Field(min_length=1)


class Engagement(Shape):
    """What an arm's log must hold, and which digest of what it loaded its raw file must state."""

    arm: Label
    log: str | None = Field(default=None, min_length=1)
    states: Facts | None = None

    def proofs(self) -> list[str]:
        """Return in words what the arm has to prove, in order."""
        logged = [] if self.log is None else [self.of_log()]
        return logged + [self.of_state(name) for name in self.states or {}]

    def of_log(self) -> str:
        """Return the words for what the log must hold."""
        return f"log holds {self.log!r}"

    def of_state(self, name: str) -> str:
        """Return the words for what the raw file must state of `name`."""
        return f"{name} is {(self.states or {})[name]}"


class AccuracyGate(Shape):
    """A share of equal tokens that a candidate must reach, and an arm that must not reach it."""

    name: Label
    threshold: LimitText
    defect: str = Field(min_length=1)
    broken: list[str] = Field(min_length=1)


class Plan(Shape):
    """Two arms, the gate between them, and what is computed from their rows."""

    version: Annotated[Whole, Field(ge=1, le=2)]
    name: Annotated[Label, Field(max_length=48)]
    cell: Label | None = None
    baseline: Arm
    candidate: Arm
    repetitions: Annotated[Whole, Field(ge=LEAST_REPETITIONS, le=1000)] = 6
    metrics: list[str] = Field(min_length=1)
    cv_limit: LimitText | None = None
    exactness: Gate = "tokens"
    scope: Facts = Field(default_factory=dict)
    cells: list[CellPlan] | None = Field(default=None, min_length=1)
    fixture: Fixture | None = None
    cooldown_ms: Annotated[Whole, Field(ge=0, le=600_000)] | None = None
    anchors: list[Anchor] | None = Field(default=None, min_length=1)
    engagement: list[Engagement] | None = Field(default=None, min_length=1)
    gates: list[AccuracyGate] | None = Field(default=None, min_length=1)

    def of(self, cell: str) -> "Plan | None":
        """Return the plan of one cell alone, its words filled in; None if there is no such cell."""
        return next((plan for plan in self.singles() if plan.cell == cell), None)

    def singles(self) -> "list[Plan]":
        """Return the plan of every cell alone, in order."""
        if self.cells is None:
            return [self]
        return [_single(self, cell) for cell in self.cells]

    def control(self) -> "Plan":
        """Return the plan with its baseline as both arms: an A/A, for the noise."""
        again = self.baseline.model_copy(update={"arm": f"{self.baseline.arm[:50]}-again"})
        return self.model_copy(update={"candidate": again, **dict.fromkeys(_OF_CANDIDATES)})

    def vouching(self) -> "list[Anchor]":
        """Return the anchors that run the baseline's own command: they alone vouch for it.

        The binary alone is not enough: of a script it is the interpreter, of a wrapper the wrapper.
        """
        ours = (one for one in self.anchors or () if one.validates == "baseline")
        return [one for one in ours if one.command == self.baseline.command]

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
    """Return the plan to be walked in the file at `path`; errors name line and column.

    One whose anchors cannot vouch for its baseline is refused here, before hours are spent on it.
    """
    raw = files.read(path, yaml_source.MAX_BYTES, "plan")
    plan = parse(raw, str(path))
    for one in plan.singles():
        if any(each.validates == "baseline" for each in one.anchors or ()) and not one.vouching():
            where = f" and `cell: {one.cell}`" if plan.cells else ""
            raise Error(
                f"{path}: in cell {one.cell} no anchor runs the baseline's own command, so none "
                f"vouches for it; give one with that command{where}"
            )
    return PlanFile(plan, raw, Digest.of(raw))


def parse(raw: bytes, name: str) -> Plan:
    """Return the plan that `raw` spells; `name` is what errors call it."""
    source = yaml_source.load(raw, name)
    plan = source.parse(Plan)
    if plan.baseline.arm == plan.candidate.arm:
        raise source.fault(("candidate", "arm"), "both arms have one name")
    if len(set(plan.metrics)) < len(plan.metrics):
        raise source.fault(("metrics",), "a metric stands twice")
    if fault := _fault(plan):
        raise source.fault(*fault)
    for place, name in enumerate(plan.metrics):
        try:
            metrics.metric(name)
        except Error as error:
            raise source.fault(("metrics", place), str(error)) from error
    return plan


def _fault(plan: Plan) -> Fault | None:
    """Return the place and the words of what contradicts itself in a plan, None if nothing does."""
    newer = [name for name in _VERSION_2 if getattr(plan, name) is not None]
    if plan.version == 1 and (newer or plan.exactness in _NEWER_GATES):
        return (newer[0] if newer else "exactness",), "needs version: 2"
    if (plan.cell is None) == (plan.cells is None):
        return ("cell",), "give either cell or cells"
    names = [str(one.cell) for one in plan.singles()]
    if len(set(names)) < len(names):
        return ("cells",), "two cells have one name"
    for place, one in enumerate(plan.anchors or ()):
        if one.cell and one.cell not in names:
            return ("anchors", place, "cell"), f"no cell is called {one.cell}"
    return _fault_of_engagement(plan) or _fault_of_cells(plan)


def _fault_of_engagement(plan: Plan) -> Fault | None:
    for place, engaged in enumerate(plan.engagement or ()):
        if engaged.arm not in plan.arms():
            return ("engagement", place, "arm"), f"no arm is called {engaged.arm}"
        if engaged.log is None and not engaged.states:
            return ("engagement", place), "give log or states"
        if engaged.log is not None and (fault := _fault_of_pattern(engaged.log)):
            return ("engagement", place, "log"), fault
    return None


def _fault_of_pattern(pattern: str) -> str | None:
    try:
        proves_nothing = re.search(pattern, "") is not None
    except re.error as error:
        return f"is no regular expression: {error}"
    return "also holds of an empty log, and proves nothing" if proves_nothing else None


def _fault_of_cells(plan: Plan) -> Fault | None:
    """Cells that run the same commands are one, walked until a name is lucky."""
    first: dict[tuple[tuple[str, ...], ...], Label | None] = {}
    for place, one in enumerate(plan.singles() if plan.cells else ()):
        commands = (tuple(one.baseline.command), tuple(one.candidate.command))
        earlier = first.setdefault(commands, one.cell)
        if earlier != one.cell:
            return ("cells", place), f"cell {one.cell} runs the very commands of cell {earlier}"
    return None


def _single(plan: Plan, cell: CellPlan) -> Plan:
    def filled(arm: Arm) -> Arm:
        return Arm(arm=arm.arm, command=[_word(word, cell.words) for word in arm.command])

    gates = [
        gate.model_copy(update={"broken": [_word(word, cell.words) for word in gate.broken]})
        for gate in plan.gates or ()
    ]
    anchors = [
        one.model_copy(update={"command": [_word(word, cell.words) for word in one.command]})
        for one in plan.anchors or ()
        if one.cell in (None, cell.cell)
    ]
    changes: dict[str, Any] = {
        "anchors": anchors or None,
        "gates": gates or None,
        "cell": cell.cell,
        "cells": None,
        "baseline": filled(plan.baseline),
        "candidate": filled(plan.candidate),
        "scope": {**plan.scope, **cell.words, **cell.scope},
        "exactness": cell.exactness or plan.exactness,
        "fixture": cell.fixture or plan.fixture,
    }
    return plan.model_copy(update=changes)


def _word(word: str, words: Facts) -> str:
    """Return the value of a placeholder of the cell, and any other word as it is."""
    name = word[1:-1] if word[:1] == "{" and word[-1:] == "}" else None
    return str(words[name]) if name in words else word


def fill(command: list[str], raw: Path) -> list[str]:
    """Return the command with its placeholders replaced."""
    known = {"{raw}": str(raw), "{python}": sys.executable}
    return [known.get(word, word) for word in command]
