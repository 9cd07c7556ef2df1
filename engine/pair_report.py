"""How the pairs of a window are told: the interval that decides, and what casts doubt on it.

Hodges–Lehmann 1.0521, Walsh [1.0508, 1.0535] at 96.9 %; INCONCLUSIVE: …
running first gives +0.02 %, drift of the ratio +0.00 % a pair, detectable 0.18 %
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.inference import pairs, verdict
from engine.inference.pairs import Interval, Pairs
from engine.inference.verdict import Verdict
from engine.metrics import metric
from engine.results.model import Run
from engine.statistics import decimal_text


@dataclass(frozen=True, slots=True)
class Terms:
    """What pairs are judged by: noise floor, margin that the plan declared, failed gates."""

    floor: Fraction | None
    margin: Fraction | None = None
    failed: Sequence[str] = ()

    def judge(self, found: Pairs) -> Verdict:
        """Return the word that pairs earn."""
        return verdict.judge(found.interval, self.floor, self.margin, self.failed)


def of_arms(name: str, candidate: Run, baseline: Run) -> Pairs:
    """Return what the pairs of two arms say of a metric; arms alternate AB BA …, A the baseline."""
    ours, theirs = candidate.samples[name], baseline.samples[name]
    first = [repetition % 2 == 1 for repetition in range(len(ours))]
    return pairs.analyse(ours, theirs, metric(name).polarity, candidate_first=first)


def lines(found: Pairs, terms: Terms) -> Iterator[str]:
    """Yield the pairs as text: estimate, interval and word; order, drift and what can be seen."""
    said = terms.judge(found)
    estimate = f"Hodges–Lehmann {found.estimate:.4f}, Walsh {_span(found.interval)}"
    yield f"  {estimate}; {said.word}: {said.reason}"
    yield f"  {'; '.join(_asides(found))}"
    yield from (f"  note: {one}" for one in found.warnings if one not in found.comparison.warnings)


def view(found: Pairs, terms: Terms) -> dict[str, Any]:
    """Return the pairs as plain values; shares are relative (0.002 is 0.2 %)."""
    said = terms.judge(found)
    values = {
        "n": found.n,
        "hodges_lehmann": found.estimate,
        "interval": _interval(found.interval),
        "student": _interval(found.student) if found.student else None,
        "order_effect": found.order.effect if found.order else None,
        "drift": found.drift.slope if found.drift else None,
        "detectable": found.detectable,
        "correlation": found.correlation,
        "floor": None if terms.floor is None else decimal_text(terms.floor),
        "margin": None if terms.margin is None else decimal_text(terms.margin),
        "verdict": said.word,
        "reason": said.reason,
        "warnings": [one for one in found.warnings if one not in found.comparison.warnings],
    }
    return {name: value for name, value in values.items() if value is not None}


def _asides(found: Pairs) -> Iterator[str]:
    if found.order:
        yield f"running first gives {_percent(found.order.effect)}"
    if found.drift:
        yield f"drift of the ratio {_percent(found.drift.slope)} a pair"
    if found.detectable is not None:
        yield f"detectable {100 * found.detectable:.2g} %"
    yield f"pairs from {decimal_text(found.smallest, 5)} to {decimal_text(found.largest, 5)}"


def _span(interval: Interval) -> str:
    return f"[{interval.low:.4f}, {interval.high:.4f}] at {100 * float(interval.confidence):.1f} %"


def _interval(found: Interval) -> dict[str, Any]:
    return {
        "low": found.low,
        "high": found.high,
        "confidence": float(found.confidence),
        "method": found.method,
        "n": found.n,
    }


def _percent(log: float) -> str:
    return f"{100 * math.expm1(log):+.2f} %"
