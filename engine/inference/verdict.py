"""The word that a window earns: from its interval, the noise floor and a margin, not from a p.

::

    INVALID        a gate failed: whatever was measured does not count
    FASTER         the whole interval lies beyond the floor, on the candidate's side
    SLOWER         the whole interval lies beyond the floor, on the baseline's side
    EQUIVALENT     the whole interval lies within the margin that was declared beforehand
    INCONCLUSIVE   none of these: it is not "no change"

The first that holds is the word. Floor and margin are shares of the baseline (0.004 is 0.4 %). A
change of r - 1 from one arm is one of 1 - 1/r from the other: the smaller of the two must exceed
the floor, the larger must keep within the margin, so that swapping the arms swaps the word.
Equivalence is two one-sided tests (Schuirmann 1987) at the confidence of the interval.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.inference.noise import Floor
from engine.inference.pairs import Interval
from engine.statistics import FEW_REPETITIONS, decimal_text
from receipts.errors import Error

Word = Literal["FASTER", "SLOWER", "EQUIVALENT", "INCONCLUSIVE", "INVALID"]
Conditions = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A word, why it is that word, and what to say with it."""

    word: Word
    reason: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Flatness:
    """Whether a change is under a floor; None where no floor was measured for it."""

    flat: bool | None
    reason: str


def judge(
    interval: Interval,
    floor: Fraction | None = None,
    margin: Fraction | None = None,
    failed: Collection[str] = (),
    level: Fraction = Fraction(95, 100),
) -> Verdict:
    """Return the word for an interval of the ratio (above 1 the candidate wins).

    `floor` is None where none was measured at these conditions, `margin` where none was declared;
    `failed` names the gates that failed. Over a floor of 1 or more nothing is a change.
    """
    _check(interval, floor, margin)
    warnings = tuple(_warnings(interval, floor, level))
    if failed:
        return Verdict("INVALID", f"failed: {', '.join(failed)}", warnings)
    if interval.n < FEW_REPETITIONS:
        reason = f"{interval.n} pairs decide nothing; {FEW_REPETITIONS} or more are needed"
        return Verdict("INCONCLUSIVE", reason, warnings)
    word, reason = _word(interval, floor or Fraction(0), margin)
    if word in ("FASTER", "SLOWER") and margin is not None and _within(interval, margin):
        warnings += (f"the change lies within the margin of {_percent(margin)} all the same",)
    return Verdict(word, reason, warnings)


def flat(
    change: Fraction,
    floor: Floor | Fraction,
    measured_at: Sequence[Conditions],
    at: Conditions,
) -> Flatness:
    """Say whether a relative change at the conditions `at` is under a floor: no win and no loss.

    A floor holds only where it was measured: at each of `measured_at`, field by field. Of a
    `Floor` the t rule decides.
    """
    if not any(dict(one) == dict(at) for one in measured_at):
        where = ", ".join(f"{name} {value}" for name, value in at.items())
        return Flatness(None, f"no floor was measured at {where}")
    limit = floor.t_rule if isinstance(floor, Floor) else floor
    under = abs(change) <= limit
    relation = "within" if under else "beyond"
    return Flatness(under, f"{_percent(change)} lies {relation} the floor of {_percent(limit)}")


def _word(interval: Interval, floor: Fraction, margin: Fraction | None) -> tuple[Word, str]:
    low, high = Fraction(interval.low), Fraction(interval.high)
    shown = f"{interval.low:.6g} to {interval.high:.6g}"
    beyond = f"the floor of {_percent(floor)}" if floor else "1, and no floor was measured"
    if 1 - 1 / low > floor:
        return "FASTER", f"{shown} lies above {beyond}"
    if 1 - high > floor:
        return "SLOWER", f"{shown} lies below {beyond}"
    if margin is not None and _within(interval, margin):
        return "EQUIVALENT", f"{shown} lies within ±{_percent(margin)}"
    return (
        "INCONCLUSIVE",
        f"{shown} shows {_neither(floor, margin)}",
    )


def _neither(floor: Fraction, margin: Fraction | None) -> str:
    if margin is None:
        return f"no change beyond {_percent(floor)}, and no margin of equivalence was declared"
    return f"neither a change beyond {_percent(floor)} nor equivalence within ±{_percent(margin)}"


def _within(interval: Interval, margin: Fraction) -> bool:
    return interval.high - 1 <= margin and 1 / Fraction(interval.low) - 1 <= margin


def _check(interval: Interval, floor: Fraction | None, margin: Fraction | None) -> None:
    if not 0 < interval.low <= interval.high:
        raise Error(f"{interval.low} to {interval.high} is no interval of a ratio")
    if floor is not None and floor < 0:
        raise Error(f"a floor of {float(floor):g} is below 0; 0.01 is one percent")
    if margin is not None and not 0 <= margin < 1:
        raise Error(f"a margin of {float(margin):g} is no share; 0.01 is one percent")


def _warnings(interval: Interval, floor: Fraction | None, level: Fraction) -> Iterator[str]:
    if interval.confidence < level:
        yield (
            f"judged at {_percent(interval.confidence)}, not at {_percent(level)}:"
            f" n = {interval.n} cannot attain more"
        )
    if floor is None:
        yield "no noise floor was measured here: only parity was tested"


def _percent(share: Fraction) -> str:
    return f"{decimal_text(100 * share, 5)} %"
