"""Which binary is this? Builds that should be one, measured in turn under one lease.

Every binary runs the same words, `{binary}` standing for its path, in an order that turns from
repetition to repetition; the first is what the others are held against. A build whose interval of
the ratio leaves out 1 is another program, whatever its name says.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine import plan, recorded
from engine.inference import contamination, pairs
from engine.metrics import metric
from engine.results.model import Run
from engine.runner import Order
from engine.samples import Column
from engine.statistics import Summary, decimal_text, summarize
from engine.walk import Apparatus
from ledger.session import Session
from receipts.digest import Digest
from receipts.errors import Error, NotFoundError, UndecidedError
from receipts.predicates import WindowPredicate

LEAST = 5


@dataclass(frozen=True)
class Build:
    """One binary: its path and digest, its samples, and its ratio to the first."""

    path: Path
    digest: Digest
    summary: Summary
    against: pairs.Pairs | None
    receipts: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Say whether the interval of its ratio to the first leaves out 1."""
        interval = self.against.interval if self.against else None
        return interval is not None and not interval.low <= 1 <= interval.high


@dataclass(frozen=True)
class Asked:
    """What is run of each binary, how often, and what is compared."""

    binaries: Sequence[Path]
    command: Sequence[str]
    metric: str
    repetitions: int = LEAST + 1


def measure(apparatus: Apparatus, asked: Asked) -> list[Build]:
    """Run every binary `repetitions` times, in turns; return them in the order given."""
    check(asked)
    digests = [Digest.of_file(path) for path in asked.binaries]
    rows: list[list[Fraction]] = [[] for _ in asked.binaries]
    cited: list[list[str]] = [[] for _ in asked.binaries]
    for repetition in range(asked.repetitions):
        for place in turn(len(asked.binaries), repetition):
            binary = word(asked.binaries[place])
            command = [binary if one == "{binary}" else one for one in asked.command]
            order = Order("drift", command, arm=f"build-{place}", repetition=repetition)
            outcome = apparatus.run(order)
            if outcome.fault or outcome.file is None:
                raise UndecidedError(f"{asked.binaries[place]} failed: {outcome.fault}")
            rows[place].append(_value(outcome.file.runs[0], asked.metric))
            cited[place].append(outcome.uri)
    polarity = metric(asked.metric).polarity
    return [
        Build(
            path=asked.binaries[place],
            digest=digests[place],
            summary=summarize(Column(rows[place])),
            against=pairs.analyse(rows[place], rows[0], polarity) if place else None,
            receipts=tuple(cited[place]),
        )
        for place in range(len(asked.binaries))
    ]


def seen(here: Session, name: str, asked: Asked) -> WindowPredicate:
    """Return the window called `name`, whose baseline must be one of the binaries.

    Raises `Error` where it ran other words, for then `asked` measures something else, or where its
    program is none of these. Only a binary that is the command's first word is known by digest.
    """
    found = recorded.window(here, name)
    whole = plan.parse(here.workspace.objects.get(Digest.parse(found.predicate.plan)), "its plan")
    planned = whole.of(found.predicate.cell)
    theirs = planned.baseline.command if planned else []
    paired = zip(asked.command, theirs, strict=False)
    if len(theirs) != len(asked.command) or any(a not in ("{binary}", b) for a, b in paired):
        raise Error(f"window {name}: its baseline ran {shlex.join(theirs)}; give --command like it")
    if asked.command[0] == "{binary}" and not _ran_one_of(found, asked.binaries):
        raise Error(f"window {name}: its baseline is none of these binaries; name it among them")
    return found.predicate


def _ran_one_of(found: recorded.Window, binaries: Sequence[Path]) -> bool:
    digests = {str(Digest.of_file(path)) for path in binaries}
    runs = (one.run for one in found.repetitions if one.arm == found.predicate.baseline)
    return all(run is not None and run.identity.get("program") in digests for run in runs)


def turn(count: int, repetition: int) -> list[int]:
    """Return the order of one repetition: forward, then backward, so that drift lands on all."""
    places = list(range(count))
    return places if repetition % 2 == 0 else places[::-1]


def split(window: WindowPredicate, name: str, clean: Fraction) -> contamination.Anatomy:
    """Return what of a window's ratio came from its baseline, measured `clean` in its own unit."""
    found = next((one for one in window.comparisons if one.metric == name), None)
    if found is None:
        raise NotFoundError(f"window {window.window} has no comparison of {name}")
    ours, theirs = Fraction(found.candidate.value), Fraction(found.baseline.value)
    if found.polarity == "lower":
        ours, theirs, clean = 1 / ours, 1 / theirs, 1 / clean
    return contamination.anatomy((ours, theirs), (ours, clean))


def told(found: contamination.Anatomy) -> str:
    """Return one line about what a ratio is made of."""
    seen, true = decimal_text(found.observed, 4), decimal_text(found.true, 4)
    shift = decimal_text(100 * (found.denominator_shift - 1), 3)
    return f"ratio {seen} seen, {true} true: the {found.blame} moved it by {shift} %"


def report(
    builds: Sequence[Build], window: WindowPredicate | None, name: str
) -> tuple[dict[str, Any], list[str]]:
    """Return the builds side by side, and what a window's ratio is made of where one is given."""
    value: dict[str, Any] = {"builds": [view(build) for build in builds]}
    lines = [_line(build) for build in builds]
    if window is not None and not any(build.differs for build in builds):
        lines.append(f"window {window.window}: not taken apart, for no build differs")
    elif window is not None:
        found = split(window, name, builds[0].summary.median)
        value["split"] = told(found)
        lines.append(f"window {window.window}: {told(found)}")
    return value, lines


def _line(build: Build) -> str:
    median = f"{build.path}  {build.digest[:19]}…  median {decimal_text(build.summary.median, 6)}"
    if build.against is None:
        return f"{median}  n {build.summary.n}"
    interval = build.against.interval
    ratio = f"ratio {decimal_text(build.against.comparison.ratio, 4)}"
    word = "ANOTHER PROGRAM" if build.differs else "not told apart"
    span = f"[{interval.low:.4f}, {interval.high:.4f}] at {100 * float(interval.confidence):.1f} %"
    return f"{median}  {ratio} {span}: {word}"


def view(build: Build) -> dict[str, Any]:
    """Return a build as plain values."""
    interval = build.against.interval if build.against else None
    return {
        "binary": str(build.path),
        "digest": build.digest,
        "n": build.summary.n,
        "median": decimal_text(build.summary.median),
        "ratio": decimal_text(build.against.comparison.ratio) if build.against else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "differs": build.differs,
        "receipts": list(build.receipts),
    }


def word(path: Path) -> str:
    """Return a path as a word that runs this very file: a bare name would be looked up in PATH."""
    return str(path) if len(path.parts) > 1 else f"./{path}"


def _value(run: Run, name: str) -> Fraction:
    if name not in run.samples or len(run.samples[name]) != 1:
        raise UndecidedError(
            f"the raw file holds no single {name}; it has {', '.join(run.samples)}"
        )
    return run.samples[name][0]


def check(asked: Asked) -> None:
    """Return if this can be measured at all; else raise, before anything runs."""
    metric(asked.metric)
    if len(asked.binaries) < 2:
        raise Error("one binary drifts from nothing; give two or more")
    if asked.repetitions < LEAST:
        raise Error(f"{asked.repetitions} repetitions tell nothing; give {LEAST} or more")
    if "{binary}" not in asked.command:
        raise Error("the command does not hold the word {binary}, so all runs would be of one")
    for path in asked.binaries:
        if not path.is_file():
            raise NotFoundError(f"{path}: the binary does not exist; check the path")
