"""From exact samples to the figures of a receipt: decimal strings, each with its statistic."""

from collections.abc import Iterator, Mapping

from engine import statistics
from engine.metrics import METRICS, SCORES, metric
from engine.results.model import ResultFile, Run, fields
from engine.statistics import Summary, decimal_text
from receipts.errors import UndecidedError
from receipts.predicates import ArmSummary, Comparison, Facts, Figure

RATIO_OF_MEDIANS = "ratio_of_medians"
_MOMENT = "test_time"


def of_file(file: ResultFile, policies: frozenset[str] = frozenset()) -> list[Figure]:
    """Return the median of every metric of every run (of scores the mean), and what selects it.

    What a note of the file bars under these policies is no figure.
    """
    telling = _telling(file) if len(file.runs) > 1 else None
    return [
        figure
        for run in file.runs
        for figure in _of_run(run, None if telling is None else _pick(run, telling))
        if not any(note.barring(figure.metric, policies) for note in run.notes)
    ]


def alike(file: ResultFile) -> list[str]:
    """Return a warning for each cell that is an earlier one again, in every field."""
    first: dict[tuple[tuple[str, str], ...], int] = {}
    warnings = []
    for number, run in enumerate(file.runs):
        earlier = first.setdefault(_key(fields(run)), number)
        if earlier != number:
            cells = f"cells {earlier} and {number}"
            warnings.append(f"{cells} are alike in every field: nothing selects one of them")
    return warnings


def _telling(file: ResultFile) -> set[str]:
    """Return the fields by which the runs of the file differ.

    The moment of a test, which is another one in every run, is told only where nothing else tells.
    """
    runs = [fields(run) for run in file.runs]
    names = {name for run in runs for name in run}
    apart = {name for name in names if len({run.get(name) for run in runs}) > 1}
    short = apart - {_MOMENT}
    told = {_key({n: run[n] for n in short if n in run}) for run in runs}
    return short if len(told) == len(runs) else apart


def _key(values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(values.items()))


def _pick(run: Run, names: set[str]) -> Facts:
    settings = {**run.identity, **run.config}
    return {name: value for name, value in settings.items() if name in names}


def compare(name: str, baseline: tuple[str, Run], candidate: tuple[str, Run]) -> Comparison:
    """Return the ratio of the arms' medians for one metric; above 1 the candidate wins."""
    kind = metric(name)
    for arm, run in (baseline, candidate):
        require_samples(name, arm, run)
    found = statistics.ratio_of_medians(
        candidate[1].samples[name], baseline[1].samples[name], kind.polarity
    )
    return Comparison(
        metric=name,
        unit=kind.unit,
        polarity=kind.polarity,
        statistic=RATIO_OF_MEDIANS,
        convention=found.convention,
        baseline=_side(baseline[0], found.baseline),
        candidate=_side(candidate[0], found.candidate),
        ratio=decimal_text(found.ratio),
        change=decimal_text(found.change),
        ddof=found.candidate.ddof,
        warnings=list(found.warnings),
    )


def boundaries_differ(name: str, baseline: Run, candidate: Run) -> bool:
    """Say whether the arms' servers time this metric between other events: it has no ratio then."""
    ours, theirs = (run.config.get("server_boundaries") for run in (baseline, candidate))
    return name.startswith("server_") and ours != theirs


def require_samples(name: str, arm: str, run: Run) -> None:
    """Return if `run` has samples of the metric `name`; else raise `UndecidedError`."""
    if name not in run.samples:
        known = ", ".join(run.samples)
        raise UndecidedError(f"arm {arm} has no samples of {name}; its rows give {known}")


def _of_run(run: Run, select: Facts | None) -> Iterator[Figure]:
    for name, samples in run.samples.items():
        score = name in SCORES
        value = statistics.mean(samples) if score else statistics.median(samples)
        yield Figure(
            metric=name,
            statistic="mean" if score else "median",
            value=decimal_text(value),
            unit=METRICS[name].unit,
            n=len(samples),
            select=select,
        )


def _side(arm: str, summary: Summary) -> ArmSummary:
    return ArmSummary(
        arm=arm,
        value=decimal_text(summary.median),
        n=summary.n,
        cv=summary.cv,
        min=decimal_text(summary.minimum),
        max=decimal_text(summary.maximum),
    )
