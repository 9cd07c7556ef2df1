"""Two arms side by side: first whether they were asked the same, then what moved. Pure.

All reasons to refuse are found; the first of this order decides the exit code, and then no number
is shown (the codes are those of the field's two-column tool)::

    2 USAGE · 3 MISSING_ARM · 6 PROFILE_UNVERIFIABLE · 4 PROFILE_MISMATCH · 5 ZERO_BASELINE

*Could not verify* and *verified, and it differs* are two facts. A positive change always means that
B is better: (B-A)/|A| where higher values are better, (A-B)/|A| where lower ones are. A metric that
one arm lacks is absent and so is its change; one that a file's notes bar is not citable.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from engine import statistics
from engine.comparison import arms, profile
from engine.comparison.arms import Arm, Cell, Surroundings
from engine.comparison.outcome import Asked, Delta, Outcome, Pair, Problem, Refusal, Side
from engine.inference import noise
from engine.metrics import METRICS, SCORES, Polarity
from engine.samples import Column

TAIL = 100
"""Samples below which a p99 says no more than the two largest do."""
DDOF = 1


def compare(
    a: Arm,
    b: Arm,
    asked: Asked,
    around: Surroundings | None = None,
    controls: Sequence[tuple[Arm, Arm]] = (),
) -> Outcome:
    """Compare B with A; each of `controls` is two runs of the same code, for the noise floor.

    `around` is how the environments compare; None where nobody wanted that compared.
    """
    around = around or Surroundings()
    apart = list(map(_problem, around.differences))
    every = (a, b, *(arm for control in controls for arm in control))
    if missing := [problem for arm in every for problem in _missing(arm, asked)]:
        return Outcome((*missing, *apart))
    couples, unpaired = arms.couple(a, b, asked.variables)
    pairs = [Pair(one, other, _deltas(one, other, asked)) for one, other in couples]
    problems = [
        *_usage(a, b, asked),
        *_apart(pairs, asked),
        *_required(a, b, pairs, asked),
        *apart,
        *_zeros(pairs),
        *_not_controls(controls, pairs),
    ]
    floors = _floors(controls, asked)
    return Outcome(
        problems=tuple(dict.fromkeys(problems)),
        pairs=tuple(_judged(pair, floors) for pair in pairs),
        unpaired=tuple(unpaired),
        fields=max((len({*pair.a.profile, *pair.b.profile}) for pair in pairs), default=0),
        environment_fields=around.fields,
        session=around.session,
        warnings=(*_warnings(a, b, asked), *around.remarks),
    )


def change(a: Fraction, b: Fraction, polarity: Polarity) -> Fraction:
    """Return the change from A to B relative to |A|, positive where B is better."""
    return (b - a if polarity == "higher" else a - b) / abs(a)


# --- may the arms be compared? -----------------------------------------------------------------


def _missing(arm: Arm, asked: Asked) -> Iterator[Problem]:
    """Yield why there is nothing of an arm: no file, no run, or no metric that may be cited."""
    if arm.fault is not None:
        yield Problem("MISSING_ARM", f"{arm.name}: {arm.fault}", (arm.name,))
    elif not any(_citable(cell, asked) for cell in arm.cells):
        notes = dict.fromkeys(str(note) for cell in arm.cells for note in cell.notes if note.bars)
        why = "; ".join(list(notes)[:3]) or "the file holds no samples"
        sentence = f"{arm.name}: {arm.file}: no metric of it may be cited: {why}"
        yield Problem("MISSING_ARM", sentence, (arm.name,))


def _citable(cell: Cell, asked: Asked) -> list[str]:
    return [name for name in cell.run.samples if not _barred(name, (cell,), asked)]


def _usage(a: Arm, b: Arm, asked: Asked) -> Iterator[Problem]:
    """Yield the declared variables that nothing in either arm is called."""
    known = {name for arm in (a, b) for name in arm.names()}
    for variable in asked.variables:
        if not any(profile.covers(variable, name) for name in known):
            sentence = f"--variable {profile.shown(variable)}: no arm has a field of that name"
            yield Problem("USAGE", sentence, (variable,))


def _apart(pairs: Sequence[Pair], asked: Asked) -> list[Problem]:
    """Return what keeps the runs apart, or, where nothing does, that no metric is in both arms."""
    found = [
        _problem(one)
        for pair in pairs
        for one in profile.compare(pair.a.profile, pair.b.profile, asked.variables)
    ]
    deltas = [delta for pair in pairs for delta in pair.deltas]
    if found or any(delta.change is not None or _is_zero(delta) for delta in deltas):
        return found
    sentence = "no metric may be cited in both arms: nothing can be compared"
    return [Problem("MISSING_ARM", sentence, tuple(delta.metric.id for delta in deltas))]


def _problem(found: profile.Difference) -> Problem:
    refusal: Refusal = "PROFILE_MISMATCH" if found.kind == "differs" else "PROFILE_UNVERIFIABLE"
    return Problem(refusal, found.sentence, (found.name,))


def _required(a: Arm, b: Arm, pairs: Iterable[Pair], asked: Asked) -> Iterator[Problem]:
    """Yield the required fields that cannot be verified; those of a sweep are of the whole file."""
    swept = [name for name in asked.required if name.startswith("sweep.")]
    single = [name for name in asked.required if name not in swept]
    for pair in pairs:
        yield from map(_problem, profile.lacking(pair.a.profile, pair.b.profile, single))
    one, other = (
        {name: field for name, field in arm.sweep().items() if name in swept} for arm in (a, b)
    )
    for found in (*profile.lacking(one, other, swept), *profile.compare(one, other)):
        yield _problem(found)


def _warnings(a: Arm, b: Arm, asked: Asked) -> list[str]:
    """Return doubts: variables that are the same in both arms, and what the files say."""
    same = [name for name in asked.variables if arms.equal(a, b, name)]
    doubts = [f"{name} is declared as a variable and is the same in both arms" for name in same]
    for arm in (a, b):
        notes = [note for cell in arm.cells for note in cell.notes]
        doubts += [f"{arm.name}: {note}" for note in dict.fromkeys(map(str, notes))]
    return doubts


# --- what moved --------------------------------------------------------------------------------


def _deltas(a: Cell, b: Cell, asked: Asked) -> tuple[Delta, ...]:
    names = dict.fromkeys((*a.run.samples, *b.run.samples))
    return tuple(found for name in names for found in _of_metric(name, a, b, asked))


def _of_metric(name: str, a: Cell, b: Cell, asked: Asked) -> Iterator[Delta]:
    ours, theirs = a.run.samples.get(name), b.run.samples.get(name)
    barred = _barred(name, (a, b), asked)
    names = _statistics(name, [samples for samples in (ours, theirs) if samples is not None])
    sides = zip(names, _sides(ours, names), _sides(theirs, names), strict=True)
    for statistic, one, other in sides:
        delta = Delta(METRICS[name], statistic, one, other, barred=barred)
        if one and other and one.value and not barred:
            moved = change(one.value, other.value, delta.metric.polarity)
            delta = replace(delta, change=moved)
        yield delta


def _barred(name: str, cells: Iterable[Cell], asked: Asked) -> str:
    notes = (note for cell in cells for note in cell.notes)
    return next((note.name for note in notes if note.barring(name, asked.policies)), "")


def _statistics(metric: str, columns: Sequence[Column]) -> list[str]:
    sizes = [len(column) for column in columns]
    if max(sizes) == 1:
        return ["value"]
    if metric in SCORES:
        return ["mean"]
    return ["median", "p99"] if min(sizes) >= TAIL and len(sizes) == 2 else ["median"]


def _sides(samples: Column | None, names: Sequence[str]) -> list[Side | None]:
    if samples is None:
        return [None] * len(names)
    ordered = samples.ordered()
    n, cv = len(ordered), statistics.cv(ordered, DDOF)
    values = [_value(ordered, name) for name in names]
    return [Side(value, n, cv, ordered[0], ordered[-1]) for value in values]


def _value(ordered: Column, statistic: str) -> Fraction:
    if statistic == "mean":
        return statistics.mean(ordered)
    return statistics.percentile(ordered, 99 if statistic == "p99" else 50)


def _is_zero(delta: Delta) -> bool:
    return delta.a is not None and delta.b is not None and delta.a.value == 0


def _zeros(pairs: Iterable[Pair]) -> Iterator[Problem]:
    for pair in pairs:
        for delta in filter(_is_zero, pair.deltas):
            name = delta.metric.id
            sentence = f"the {delta.statistic} of {name} is 0 in A: no change is relative to it"
            yield Problem("ZERO_BASELINE", sentence, (name,))


# --- what it means -----------------------------------------------------------------------------

Place = tuple[tuple[tuple[str, str], ...], str, str]
"""Where a floor holds: at one profile, with all its fields, for one statistic of one metric."""


def _floors(controls: Sequence[tuple[Arm, Arm]], asked: Asked) -> dict[Place, list[Fraction]]:
    """Return the A/A differences by the place at which they were measured."""
    found: dict[Place, list[Fraction]] = {}
    for first, second in controls:
        for one, other in arms.couple(first, second)[0]:
            for delta in _deltas(one, other, asked):
                if delta.change is not None:
                    found.setdefault(_place(one, delta), []).append(delta.change)
    return found


def _place(cell: Cell, delta: Delta) -> Place:
    return (profile.key(cell.profile), delta.metric.id, delta.statistic)


def _judged(pair: Pair, floors: Mapping[Place, list[Fraction]]) -> Pair:
    """Return the pair, each delta with the floor of A/A runs that were asked what an arm was."""
    deltas = []
    for delta in pair.deltas:
        places = dict.fromkeys(_place(cell, delta) for cell in (pair.a, pair.b))
        measured = [one for place in places for one in floors.get(place, ())]
        deltas.append(replace(delta, floor=noise.floor(measured) if measured else None))
    return replace(pair, deltas=tuple(deltas))


def _not_controls(controls: Sequence[tuple[Arm, Arm]], pairs: Sequence[Pair]) -> Iterator[Problem]:
    """Yield why a control is no A/A pair, or was asked otherwise than the arms."""
    asked_of_arms = {profile.key(cell.profile) for pair in pairs for cell in (pair.a, pair.b)}
    for number, (first, second) in enumerate(controls, start=1):
        name = f"control {number}"
        couples, alone = arms.couple(first, second)
        found = [one for a, b in couples for one in profile.compare(a.profile, b.profile)]
        yield from (_of(name, one) for one in found)
        for arm, label in alone:
            yield Problem("PROFILE_MISMATCH", f"{arm}: {label} has no partner", (label,))
        if not any(profile.key(one.profile) in asked_of_arms for one, _ in couples):
            apart = profile.compare(pairs[0].a.profile, couples[0][0].profile)
            yield from (_of(f"A against {name}", one) for one in apart)


def _of(name: str, found: profile.Difference) -> Problem:
    problem = _problem(found)
    return problem._replace(sentence=f"{name}: {problem.sentence}")
