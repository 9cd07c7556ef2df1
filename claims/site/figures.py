"""The figures of a claim as a reader is shown them: rounded, each with its unit and its arm."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from claims.judge import Judgement
from claims.wording import Value
from engine.statistics import decimal_text

_DIGITS = 6
_PERCENT_DIGITS = 3
_GROUPED = 10_000


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One arm's line in the table of a claim; `cv` is in percent, with ddof 1."""

    name: str
    role: str
    n: int
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


def arms(done: Judgement) -> Iterator[ArmFigures]:
    """Yield the figures of each arm of a claim that holds."""
    sides = ("baseline", "candidate") if done.claim.kind == "change" else ("",)
    for role, (name, run) in zip(sides, done.evidence.arms.items(), strict=True):
        prefix = f"{role}." if role else ""
        yield ArmFigures(
            name,
            role,
            len(run.samples[done.claim.metric]),
            _figure(done.values.get(role or "value")),
            _figure(done.values.get(f"{prefix}min")),
            _figure(done.values.get(f"{prefix}max")),
            _figure(done.values.get(f"{prefix}cv"), _PERCENT_DIGITS),
        )


def headline(done: Judgement) -> Iterator[tuple[str, str]]:
    """Yield what the claim is about, each figure with its name: one level, or ratio and change."""
    unit = "" if done.values["unit"] == "1" else str(done.values["unit"])
    if done.claim.kind == "level":
        yield done.claim.statistic, f"{_figure(done.values['value'])} {unit}".rstrip()
        return
    yield "ratio of medians", f"{_figure(done.values['ratio'])}×"
    percent = done.values["percent"]
    sign = "+" if isinstance(percent, Fraction) and percent > 0 else ""
    yield "change", f"{sign}{_figure(percent, _PERCENT_DIGITS)} %"


def _figure(value: Value | None, digits: int = _DIGITS) -> str:
    return shown(value, digits) if isinstance(value, Fraction) else "absent"
