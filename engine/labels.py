"""Stage timings with labels: do they add up to what ran, and may anything be said of them? Pure.

What ran says which labels there must be, and how often; nobody lists them by hand::

    reconcile([Stage("prefill/v1", 120), Stage("decode/v1", 800)],
              {"prefill/v1": 1, "decode/v1": 1}, wall_ns=1000, most_unlabelled=Fraction(1, 5))
    prefill/v1   120 ns      decode/v1   800 ns      unlabelled   80 ns      wall   1000 ns

Labelled time and the remainder are wall time, exactly. A label that is unknown, missing or counted
otherwise, more labelled time than there was, or a remainder over the limit make the profile void,
each by its name: a profile that lost a stage must not look like a fast one. A label carries its
version, ``NAME/vN``, and another version is another label.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.statistics import decimal_text
from receipts.errors import MalformedError

UNLABELLED = "unlabelled"
WALL = "wall"
GREEN = "ok"
Name = Literal[
    "unknown-label",
    "missing-label",
    "count-differs",
    "labelled-over-wall",
    "unlabelled-over-limit",
    "not-green",
    "other-version",
]
_LABEL = re.compile(r"([a-z][a-z0-9-]{0,47})/v([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Stage:
    """One timing of one stage, in nanoseconds."""

    label: str
    ns: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Why nothing may be said: `name` is stable, `detail` tells which label and how far off."""

    name: Name
    detail: str

    def __str__(self) -> str:
        return f"{self.name}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Part:
    """All timings of one label together."""

    label: str
    count: int
    ns: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Where wall time went: its parts in the order expected, and the remainder without a label."""

    parts: tuple[Part, ...]
    unlabelled_ns: int
    wall_ns: int
    faults: tuple[Fault, ...]

    @property
    def void(self) -> str | None:
        """The first reason why the profile is void, None where it holds."""
        return str(self.faults[0]) if self.faults else None

    def lines(self) -> Iterator[str]:
        """Yield a line a label, the remainder and the wall; of a void profile only its reasons."""
        if self.faults:
            yield from (f"VOID {fault}" for fault in self.faults)
            return
        rest = (Part(UNLABELLED, 0, self.unlabelled_ns), Part(WALL, 0, self.wall_ns))
        for part in (*self.parts, *rest):
            share = decimal_text(Fraction(100 * part.ns, self.wall_ns), 4)
            count = f"{part.count:5}" if part.count else " " * 5
            yield f"{part.label:20} {count} {part.ns:>16} ns {share:>8} %"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Whether every label that a pipeline must pass is green, and what keeps it from that."""

    passed: bool
    faults: tuple[Fault, ...]


def parse(label: str) -> tuple[str, int]:
    """Return name and version of a label; raises `MalformedError` for one that has none."""
    found = _LABEL.fullmatch(label)
    if not found:
        raise MalformedError(f"label {label[:60]!r} is not NAME/vN, such as prefill/v1")
    return found[1], int(found[2])


def reconcile(
    stages: Sequence[Stage],
    expected: Mapping[str, int],
    wall_ns: int,
    most_unlabelled: Fraction | None = None,
) -> Profile:
    """Return the profile of `stages`, held against what ran.

    `expected` says how often each label must have been timed. `most_unlabelled` is the largest
    share of wall time that may be without a label; None sets no limit. Raises `MalformedError` for
    labels without a version and times below zero.
    """
    for label in (*expected, *(stage.label for stage in stages)):
        parse(label)
    if wall_ns <= 0 or any(stage.ns < 0 for stage in stages):
        raise MalformedError("a stage takes less than no time, or the whole takes none")
    counts = Counter(stage.label for stage in stages)
    parts = tuple(
        Part(label, counts[label], sum(one.ns for one in stages if one.label == label))
        for label in dict.fromkeys((*expected, *counts))
    )
    unlabelled = wall_ns - sum(part.ns for part in parts)
    faults = [*_miscounted(counts, expected), *_remainder(unlabelled, wall_ns, most_unlabelled)]
    return Profile(parts, unlabelled, wall_ns, tuple(faults))


def pipeline(required: Sequence[str], states: Mapping[str, str]) -> Pipeline:
    """Return whether all `required` labels are green: `states` gives the last word on each.

    Only *ok* is green. A label that nobody spoke of is missing; one that was only planned, started
    or told about is not green; another version of it does not count.
    """
    faults = [fault for label in required for fault in _not_green(label, states)]
    unknown = [
        label for label in states if label not in required and not _is_version(label, required)
    ]
    faults += [Fault("unknown-label", f"{label} is not of this pipeline") for label in unknown]
    if not required:
        faults.append(Fault("missing-label", "the pipeline requires no label: nothing was checked"))
    return Pipeline(not faults, tuple(faults))


def _miscounted(counts: Mapping[str, int], expected: Mapping[str, int]) -> Iterator[Fault]:
    for label in counts:
        if not expected.get(label):
            yield Fault("unknown-label", f"{label} was timed, and nothing that ran has it")
    for label, wanted in expected.items():
        found = counts.get(label, 0)
        if wanted and not found:
            yield Fault("missing-label", f"{label} ran {wanted} times, and was never timed")
        elif found and wanted and found != wanted:
            yield Fault("count-differs", f"{label} ran {wanted} times, and was timed {found} times")


def _remainder(unlabelled: int, wall: int, most: Fraction | None) -> Iterator[Fault]:
    if unlabelled < 0:
        yield Fault("labelled-over-wall", f"{-unlabelled} ns more are labelled than passed")
    elif most is not None and unlabelled > most * wall:
        share = decimal_text(Fraction(100 * unlabelled, wall), 4)
        limit = decimal_text(100 * most, 4)
        yield Fault("unlabelled-over-limit", f"{share} % have no label, the limit is {limit} %")


def _not_green(label: str, states: Mapping[str, str]) -> Iterator[Fault]:
    state = states.get(label)
    if state is None:
        other = next((name for name in states if _is_version(name, [label])), None)
        if other:
            yield Fault("other-version", f"{other} was told, {label} is required")
        else:
            yield Fault("missing-label", f"{label} was never told")
    elif state != GREEN:
        yield Fault("not-green", f"{label} is {state}")


def _is_version(label: str, of: Sequence[str]) -> bool:
    name = label.rpartition("/v")[0]
    return any(name == one.rpartition("/v")[0] for one in of)
