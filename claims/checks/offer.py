"""What a claim offers to the numbers of a page: its headline, its spread, its arms, its digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from claims.checks import agreement
from claims.judging import values
from engine.metrics import metric

if TYPE_CHECKING:
    from claims.judging.chain import Evidence
    from claims.judging.judge import Judgement
    from engine.results.model import Run
    from receipts.predicates import WindowPredicate

_GUARD = 10**30


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of a claim, exact, in its unit (None for a plain count)."""

    name: str
    value: Fraction
    unit: str | None


@dataclass(frozen=True, slots=True)
class Offer:
    """All that a judged claim can stand behind.

    `least` and `most` bound every repetition (of a change and a matrix: every pair), `decimals` are
    those of the rows where they are finite, `error` is the standard error of the headline. `arm` is
    whose level it is; a change and a matrix have `baseline` and `candidate` instead.
    """

    claim: str
    kind: str
    statistic: str
    polarity: str
    metric: str
    unit: str | None
    figures: tuple[Figure, ...]
    n: int
    least: Fraction | None = None
    most: Fraction | None = None
    decimals: int | None = None
    error: Fraction | None = None
    arm: str | None = None
    baseline: str = ""
    candidate: str = ""
    names: tuple[str, ...] = ()

    def figure(self, name: str) -> Figure | None:
        """Return the value of this name, None where the claim has none."""
        return next((one for one in self.figures if one.name == name), None)

    @property
    def headline(self) -> tuple[Figure, ...]:
        """The values that the claim is about."""
        return tuple(one for one in self.figures if one.name in values.HEADLINE)


def of(judgement: Judgement) -> Offer:
    """Return what a claim whose values were computed offers."""
    claim, evidence = judgement.claim, judgement.evidence
    known = metric(claim.metric)
    unit = agreement.canonical(known.unit)
    figures = tuple(
        Figure(name, value, _unit(name, unit))
        for name, value in judgement.values.items()
        if isinstance(value, Fraction)
    )
    n = judgement.values.get("n")
    arms = [run.samples[claim.metric] for run in _runs(evidence, claim.metric)]
    samples = _repetitions(claim.kind, arms, known.polarity, figures)
    compared, arm = window(evidence), _arm(judgement)
    names: tuple[str, ...] = (compared.baseline, compared.candidate) if compared else ()
    change = compared is not None and claim.kind != "level"
    return Offer(
        claim.id,
        claim.kind,
        claim.statistic,
        known.polarity,
        claim.metric,
        unit,
        figures,
        n if isinstance(n, int) else 0,
        least=min(samples, default=None),
        most=max(samples, default=None),
        decimals=_decimals(samples) if claim.kind == "level" else None,
        error=_standard_error(samples) if claim.kind != "matrix" else None,
        arm=arm,
        baseline=names[0] if change else "",
        candidate=names[-1] if change else "",
        names=names or ((arm,) if arm else ()),
    )


def _repetitions(
    kind: str, arms: Sequence[Sequence[Fraction]], polarity: str, figures: Sequence[Figure]
) -> list[Fraction]:
    """Return what each repetition gave; of a matrix, the least and the most of all its pairs."""
    if kind == "matrix":
        return [one.value for one in figures if one.name.startswith("pair.")]
    if kind == "change":
        return _paired(arms, polarity)
    return list(arms[0]) if arms else []


def window(evidence: Evidence) -> WindowPredicate | None:
    """Return the window of the evidence; of several cells any, for all have the same arms."""
    windows = (evidence.window, *(part.evidence.window for part in evidence.parts))
    return next((one for one in windows if one is not None), None)


def _unit(name: str, unit: str | None) -> str | None:
    if name == "ratio" or name.startswith(("ratio.", "pair.")):
        return "×"
    return "%" if name in ("percent", "margin") or name.endswith("cv") else unit


def _runs(evidence: Evidence, name: str) -> list[Run]:
    return [run for run in evidence.arms.values() if name in run.samples]


def _paired(arms: Sequence[Sequence[Fraction]], polarity: str) -> list[Fraction]:
    """Return the ratio of every pair of repetitions, above 1 where the candidate wins."""
    if len(arms) != 2 or len(arms[0]) != len(arms[1]):
        return []
    pairs = list(zip(*arms, strict=True))
    if any(0 in pair for pair in pairs):
        return []
    return [new / old if polarity == "higher" else old / new for old, new in pairs]


def _decimals(samples: Sequence[Fraction]) -> int | None:
    """Return with how many decimals the rows are written, None where they are computed rates."""
    told = [_written(sample) for sample in samples]
    finite = [one for one in told if one is not None]
    if not told or len(finite) < len(told) or max(finite) > _MOST_WRITTEN:
        return None
    return max(finite) + (len(told) % 2 == 0)


def _written(sample: Fraction) -> int | None:
    """Return the decimals of a sample as its tool printed it, a double by its shortest spelling."""
    double = float(sample)
    if Fraction(double) == sample:
        return max(0, -int(Decimal(repr(double)).normalize().as_tuple().exponent))
    return agreement.finite_decimals(sample)


# What is written with more was computed, not printed.
_MOST_WRITTEN = 9


def _standard_error(samples: Sequence[Fraction]) -> Fraction | None:
    n = len(samples)
    if n < 2:
        return None
    mean = sum(samples, Fraction(0)) / n
    variance = sum(((one - mean) ** 2 for one in samples), Fraction(0)) / (n - 1) / n
    return Fraction(isqrt(int(variance * _GUARD**2)), _GUARD)


def _arm(judgement: Judgement) -> str | None:
    """Return whose level a claim is about, None for a change and where no arm is named."""
    if judgement.claim.kind != "level":
        return None
    if judgement.evidence.window is not None:
        return next(iter(judgement.evidence.arms), None)
    receipt = judgement.evidence.receipt
    return getattr(receipt.predicate, "arm", None) if receipt else None


def only(given: Offer, figure: Figure) -> Offer:
    """Return the offer with one value as all that it is about."""
    return replace(given, figures=(figure,), least=None, most=None, error=None)


def repetition(judgement: Judgement, given: Offer, index: int, name: str | None) -> Offer | None:
    """Return what one repetition of an offer gives, from 0: its value or one of its pair's."""
    evidence = judgement.evidence
    columns = [run.samples[judgement.claim.metric] for run in _runs(evidence, given.metric)]
    if not columns or not 0 <= index < min(map(len, columns)):
        return None
    if given.kind == "level":
        figure = Figure("value", columns[0][index], given.unit)
        return only(given, figure)
    # One pair is worked out for a row, of which there may be as many as pairs.
    alike = len(columns) == 2 and len(columns[0]) == len(columns[1])
    pair = _paired([column[index : index + 1] for column in columns], given.polarity)
    ratio = pair[0] if alike and pair else None
    values_of = {"baseline": columns[0][index], "candidate": columns[-1][index], "ratio": ratio}
    values_of["percent"] = None if ratio is None else 100 * (ratio - 1)
    value = values_of.get(name or "ratio")
    if value is None:
        return None
    return only(given, Figure(name or "ratio", value, _unit(name or "ratio", given.unit)))
