"""From exact samples to the figures of a receipt: decimal strings, each with its statistic."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from engine import statistics
from engine.metrics import METRICS, metric
from engine.results.model import ResultFile, Run
from engine.statistics import Summary, decimal_text
from receipts.errors import UndecidedError
from receipts.statement import ArmSummary, Comparison, Facts, Figure

RATIO_OF_MEDIANS = "ratio_of_medians"


def of_file(file: ResultFile) -> list[Figure]:
    """Return the median of every metric of every run in the file, with what selects the run."""
    if len(file.runs) == 1:
        return list(_of_run(file.runs[0], None))
    telling = _telling(file)
    return [figure for run in file.runs for figure in _of_run(run, _pick(run, telling))]


def _telling(file: ResultFile) -> set[str]:
    """Return the settings by which the runs of the file differ."""
    names = {name for run in file.runs for name in run.config}
    return {n for n in names if len({str(run.config.get(n)) for run in file.runs}) > 1}


def _pick(run: Run, names: set[str]) -> Facts:
    return {name: value for name, value in run.config.items() if name in names}


def compare(name: str, baseline: tuple[str, Run], candidate: tuple[str, Run]) -> Comparison:
    """Return the ratio of the arms' medians for one metric; above 1 the candidate wins."""
    kind = metric(name)
    for arm, run in (baseline, candidate):
        if name not in run.samples:
            known = ", ".join(run.samples)
            raise UndecidedError(f"arm {arm} has no samples of {name}; its rows give {known}")
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


def _of_run(run: Run, select: Facts | None) -> Iterator[Figure]:
    for name, samples in run.samples.items():
        yield Figure(
            metric=name,
            statistic="median",
            value=decimal_text(_median(samples)),
            unit=METRICS[name].unit,
            n=len(samples),
            select=select,
        )


def _median(samples: Sequence[Fraction]) -> Fraction:
    return statistics.median(samples)


def _side(arm: str, summary: Summary) -> ArmSummary:
    return ArmSummary(
        arm=arm,
        value=decimal_text(summary.median),
        n=summary.n,
        cv=summary.cv,
        min=decimal_text(summary.minimum),
        max=decimal_text(summary.maximum),
    )
