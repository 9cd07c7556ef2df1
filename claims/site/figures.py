"""The figures of a claim as a reader is shown them: rounded, each with its unit and its arm."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from claims.judging.judge import Judgement
from claims.judging.values import HEADLINE
from engine import statistics
from engine.statistics import STATISTICS, decimal_text

_DIGITS = 6
_PERCENT_DIGITS = 3
_GROUPED = 10_000
_NAMES = {"ratio": "ratio of medians", "percent": "change"}


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One arm's line in the table of a claim; `cv` is in percent, with ddof 1."""

    name: str
    role: str
    n: int
    exact: Fraction
    """What the claim takes of the arm's samples, not rounded; `value` is that, as shown."""
    value: str
    minimum: str
    maximum: str
    cv: str


def shown(value: Fraction, digits: int = _DIGITS) -> str:
    """Return the value to so many significant digits, whole digits grouped and never rounded away.

    A value of four whole digits or fewer has no comma.
    """
    text = decimal_text(value, max(digits, len(str(abs(round(value))))))
    whole, point, part = text.partition(".")
    grouped = f"{int(whole):,}" if abs(value) >= _GROUPED else whole
    return f"{grouped}{point}{part}"


def statistic(done: Judgement) -> str:
    """Return the name of what is taken of each arm: a ratio of medians takes two medians."""
    name = done.claim.statistic
    return name if name in STATISTICS else "median"


def arms(done: Judgement) -> Iterator[ArmFigures]:
    """Yield the figures of each arm of a claim that holds."""
    for name, run in done.evidence.arms.items():
        samples = run.samples[done.claim.metric]
        summary = statistics.summarize(samples)
        exact = STATISTICS[statistic(done)](samples)
        cv = f"{shown(Fraction(summary.cv) * 100, _PERCENT_DIGITS)} %" if summary.cv else "absent"
        yield ArmFigures(
            name=name,
            role=_role(done, name),
            n=summary.n,
            exact=exact,
            value=shown(exact),
            minimum=shown(summary.minimum),
            maximum=shown(summary.maximum),
            cv=cv,
        )


def headline(done: Judgement) -> Iterator[tuple[str, str]]:
    """Yield what the claim is about, each figure with its name; those of single arms are theirs."""
    for name in HEADLINE:
        value = done.values.get(name)
        if isinstance(value, Fraction) and name not in ("baseline", "candidate"):
            title = done.claim.statistic if name == "value" else _NAMES.get(name, name)
            yield title, _with_unit(name, value, str(done.values.get("unit", "1")))


def _with_unit(name: str, value: Fraction, unit: str) -> str:
    if name.startswith("ratio"):
        return f"{shown(value)}×"
    if name == "percent":
        sign = "+" if value > 0 else ""
        return f"{sign}{shown(value, _PERCENT_DIGITS)} %"
    return shown(value) if unit == "1" else f"{shown(value)} {unit}"


def _role(done: Judgement, arm: str) -> str:
    window = done.evidence.window
    if window is None or done.claim.kind == "level":
        return ""
    return "baseline" if arm == window.baseline else "candidate"
