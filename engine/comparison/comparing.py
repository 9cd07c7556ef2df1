"""`engine compare` at its rim: raw files and sidecars in, both arms out.

An arm that cannot be read is no error here but a finding, MISSING_ARM: a comparison that could not
be made is an outcome like one that was, and goes on record with its reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine import raw, sidecar
from engine.comparison import compare, profile, surroundings
from engine.comparison.arms import Arm, Cell
from engine.comparison.outcome import Asked, Outcome
from engine.comparison.surroundings import Placed
from engine.results import detect
from engine.results.model import ResultFile, apart, fields
from receipts import yaml_source
from receipts.errors import Error, UsageError
from receipts.shape import Shape, Whole

BESIDE = ".env.json"
"""What the name of a raw file's sidecar adds to its own."""
_ITSELF = "A and B are the same bytes: a file compared with itself"


@dataclass(frozen=True)
class Choice:
    """One arm as the person chose it: a file, its sidecar where one was named, and which runs."""

    path: Path
    sidecar: Path | None = None
    select: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Source:
    """One arm as it was found: the bytes of its file and sidecar as far as they could be read."""

    choice: Choice
    arm: Arm
    placed: Placed
    data: bytes | None = None
    reader: str | None = None
    sidecar: bytes | None = None


@dataclass(frozen=True, eq=False)
class Compared:
    """Everything that was read, what was asked of it, and the outcome."""

    a: Source
    b: Source
    controls: tuple[tuple[Source, Source], ...]
    asked: Asked
    outcome: Outcome


class RequiredFields(Shape):
    """The file of `--profile`: the fields that must be known of both arms."""

    version: Whole = 1
    fields: list[str]


def run(
    a: Choice,
    b: Choice,
    asked: Asked,
    controls: Sequence[tuple[Path, Path]] = (),
    *,
    environment: bool = True,
) -> Compared:
    """Read everything and compare B with A; nothing is written."""
    first, second = load("A", a), load("B", b)
    pairs = tuple(
        (load(f"control {number} A", _like(a, one)), load(f"control {number} B", _like(b, other)))
        for number, (one, other) in enumerate(controls, start=1)
    )
    _require_apart(pairs)
    around = None
    if environment:
        placed = [source.placed for pair in pairs for source in pair]
        around = surroundings.compare(first.placed, second.placed, asked.variables, placed)
    arms = [(one.arm, other.arm) for one, other in pairs]
    outcome = compare.compare(first.arm, second.arm, asked, around, arms)
    if first.data is not None and first.data == second.data:
        outcome = replace(outcome, warnings=(_ITSELF, *outcome.warnings))
    return Compared(first, second, pairs, asked, outcome)


def _require_apart(pairs: Iterable[tuple[Source, Source]]) -> None:
    """Return if each pair is two files, and none is there twice: a copy measures no noise."""
    seen: set[frozenset[bytes]] = set()
    for one, other in pairs:
        if one.data is None or other.data is None:
            continue
        names = f"{one.choice.path} {other.choice.path}"
        if one.data == other.data:
            raise UsageError(f"--control {names}: the same bytes twice measure no noise")
        both = frozenset({one.data, other.data})
        if both in seen:
            raise UsageError(f"--control {names}: this pair is given twice; measure another")
        seen.add(both)


def _like(choice: Choice, path: Path) -> Choice:
    return Choice(path, None, choice.select, choice.columns)


def load(name: str, choice: Choice) -> Source:
    """Return one arm; what is wrong with its file is its `fault`."""
    placed, beside = _placed(name, choice)
    facts = sidecar.facts(placed.sidecar) if placed.sidecar else {}
    told = {fact: str(value) for fact, value in facts.items()}
    source = Source(choice, Arm(name, choice.path.name, facts=told), placed, sidecar=beside)
    try:
        found = raw.read(choice.path, columns=choice.columns)
        cells = tuple(_cells(found.file, choice.select))
    except UsageError:
        raise  # the columns that were declared are the person's, not the file's
    except (Error, OSError) as error:
        return replace(source, arm=replace(source.arm, fault=_told(choice.path, error)))
    arm = replace(source.arm, cells=cells)
    return replace(source, arm=arm, data=found.data, reader=found.file.reader)


def _cells(file: ResultFile, where: Mapping[str, str]) -> Iterable[Cell]:
    runs = [run for run in file.runs if where.items() <= fields(run).items()]
    if not runs:
        told = ", ".join(f"{name}={value}" for name, value in where.items())
        raise Error(f"none of {len(file.runs)} runs has {told}")
    chosen = ResultFile(file.reader, tuple(runs), file.notes, file.part)
    for run, label in zip(runs, apart(chosen), strict=True):
        asked = profile.of_run(file.reader, run)
        yield Cell(label, run, asked, tuple(detect.notes(chosen, run)))


def selection(texts: Iterable[str]) -> dict[str, str]:
    """Return the fields that `NAME=VALUE` texts pick runs by; `UsageError` for other texts."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise UsageError(f"--select {text[:80]!r} is not NAME=VALUE")
        found[name] = value
    return found


def required(path: Path | None) -> tuple[str, ...]:
    """Return the names in a `--profile` file, none without one; `UsageError` for another file."""
    if path is None:
        return ()
    try:
        source = yaml_source.read(path)
        found = source.parse(RequiredFields)
        if found.version != 1:
            raise source.fault(("version",), f"version {found.version} is not known; write 1")
        if not found.fields:
            raise source.fault(("fields",), "no field is named; leave --profile out for none")
    except Error as error:
        raise UsageError(f"--profile {error}") from error
    return tuple(dict.fromkeys(found.fields))


def _placed(name: str, choice: Choice) -> tuple[Placed, bytes | None]:
    """Return the sidecar that was named or lies beside the file, and its canonical bytes."""
    path = choice.sidecar or Path(f"{choice.path}{BESIDE}")
    if choice.sidecar is None and not path.exists():
        return Placed(name, None, f"no sidecar beside {choice.path.name or choice.path}"), None
    try:
        found = sidecar.read(path)
    except (Error, OSError) as error:
        return Placed(name, None, _told(path, error)), None
    return Placed(name, found), sidecar.encode(found)


def _told(path: Path, error: Error | OSError) -> str:
    told = str(error) if isinstance(error, Error) else error.strerror or str(error)
    return told if str(path) in told else f"{path}: {told}"
