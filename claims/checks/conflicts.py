"""One cell of one window has one displayed value, on whatever page it stands.

Each page may be right by its own claim and still contradict another: a median here, a mean there.
Two displayed values conflict where no one value rounds to both. Two *windows* of a cell are no
conflict, but whoever reads one of them must see that it is one of two: both stand there with the
date of the window and with a spread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from claims.checks import agreement
from claims.checks.displayed import Value
from claims.numerals.numbers import Number
from claims.rules import Refusal
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judge import Judgement


@dataclass(frozen=True, slots=True)
class Shown:
    """A displayed value, as in `Value`, with where it stands and in what words."""

    subject: tuple[str, ...]
    window: str
    date: str | None
    statistic: str
    number: Number
    claim: str
    place: str
    context: str


def subject(judgement: Judgement) -> tuple[tuple[str, ...], str, str | None]:
    """Return what a claim is about, which measurement of it, and the day of that.

    A claim without evidence is about itself: its number is the same on every page all the same.
    """
    claim, evidence = judgement.claim, judgement.evidence
    if evidence.receipt is None or not evidence.arms:
        return ("claim", claim.id), claim.id, None
    predicate = evidence.receipt.predicate
    where = claim.evidence[0].select or {}
    selected = ",".join(f"{name}={value}" for name, value in sorted(where.items()))
    about = (claim.kind, claim.metric, str(predicate.cell), selected, *evidence.arms)
    at = getattr(predicate, "started_at", None) or getattr(predicate, "attached_at", None)
    return about, evidence.receipt.uri, str(at)[:10] if at else None


# Every displayed value is kept until the last page is read: equal ones are kept once.
@lru_cache(maxsize=16_384)
def shared(value: Value) -> Value:
    """Return the value, the same object for the same one."""
    return value


def bare(number: Number) -> Number:
    """Return the number as such, wherever it stood."""
    return _bare(number.text, number.value, number.decimals, number.unit)


@lru_cache(maxsize=16_384)
def _bare(text: str, value: Decimal, decimals: int, unit: str | None) -> Number:
    return Number(text, value, decimals, unit, 0, len(text), len(text))


def about(one: Value | Shown) -> tuple[str, ...]:
    """Return what is compared with what: values of one subject and one form."""
    return (*one.subject, _form(one.number))


def doubtful(values: Iterable[Value]) -> set[tuple[str, ...]]:
    """Return what the values may contradict each other `about`: almost nothing, on most pages."""
    known: dict[tuple[str, ...], dict[tuple[str, Number], None]] = defaultdict(dict)
    for one in values:
        known[about(one)][one.window, one.number] = None
    return {key for key, found in known.items() if len(found) > 1 and _may_differ(list(found))}


def _may_differ(found: list[tuple[str, Number]]) -> bool:
    """Say whether there are several windows, or numbers that are no roundings of the finest."""
    finest = max((number for _, number in found), key=lambda number: number.decimals)
    several = len({window for window, _ in found}) > 1
    return several or not all(_overlap(number, finest) for _, number in found)


def find(shown: Iterable[Shown]) -> Iterator[Refusal]:
    """Yield each displayed value that another one contradicts, and each window without its date."""
    by_subject: dict[tuple[str, ...], list[Shown]] = defaultdict(list)
    for one in shown:
        by_subject[about(one)].append(one)
    for same in by_subject.values():
        windows: dict[str, list[Shown]] = defaultdict(list)
        for one in same:
            windows[one.window].append(one)
        for ones in windows.values():
            yield from _within(ones)
        if len(windows) > 1:
            yield from _across(windows)


def _form(number: Number) -> str:
    """Return what a number is comparable by: no ratio with a percentage, but `s` with `ms`."""
    return _DIMENSIONS.get(number.unit or "", number.unit or "")


_DIMENSIONS = {"ns": "time", "µs": "time", "ms": "time", "s": "time", "min": "time", "h": "time"}


def _within(ones: list[Shown]) -> Iterator[Refusal]:
    """Yield the values that differ from the most exact one, unless both say their statistic.

    Of two statistics the one is told that does not say which it is.
    """
    finest = max(ones, key=lambda one: one.number.decimals)
    told: set[str] = set()
    for one in ones:
        if one is finest or _overlap(one.number, finest.number):
            continue
        unnamed = _unnamed(one, finest)
        if not unnamed or unnamed[0].place in told:
            continue
        here, there = (one, finest) if unnamed[0] is one else (finest, one)
        told.add(here.place)
        message = (
            f"{_full(here.number)} stands here, {_full(there.number)} at {there.place} "
            f"({there.claim}): one cell of one window has one displayed value"
        )
        yield Refusal("CLM107", message, here.claim, here.place)


def _overlap(one: Number, other: Number) -> bool:
    return _meet((one.value, one.decimals, one.unit), (other.value, other.decimals, other.unit))


_Printed = tuple[Decimal, int, str | None]


# Most values of a subject are spelt alike, on whatever page they stand.
@lru_cache(maxsize=4096)
def _meet(one: _Printed, other: _Printed) -> bool:
    value = agreement.converted(Fraction(other[0]), other[2], one[2])
    scale = agreement.converted(Fraction(1), other[2], one[2])
    if value is None or scale is None:
        return True
    reach = Fraction(10) ** -one[1] / 2 + scale * Fraction(10) ** -other[1] / 2
    return abs(Fraction(one[0]) - value) <= reach


def _unnamed(one: Shown, other: Shown) -> list[Shown]:
    """Return which of two values do not say their statistic where they must: both, if it is one.

    A claim's own minimum or maximum says that it is one; what it is of need not be named again.
    """
    if one.statistic == other.statistic:
        return [one, other]
    ends = [each for each in (one, other) if each.statistic in ("min", "max")]
    asked = ends if ends and one.claim == other.claim else [one, other]
    return [each for each in asked if _STATISTICS[each.statistic].search(each.context) is None]


_STATISTICS = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in {
        "median": "medians?|p50",
        "ratio_of_medians": "medians?",
        "mean": "means?|averages?|averaged",
        "min": "min|minimum|at least|lowest",
        "max": "max|maximum|up to|peak|best|highest",
        "p90": "p90",
        "p95": "p95",
        "p99": "p99",
    }.items()
}
_SPREAD = re.compile(
    r"±|\b(?:cv|sd|spread|range|min(?:imum)?|max(?:imum)?)\b|\d\s?[–-]\s?\d|\d to \d", re.I
)


def _across(windows: dict[str, list[Shown]]) -> Iterator[Refusal]:
    dates = sorted({one.date for ones in windows.values() for one in ones if one.date})
    for ones in windows.values():
        for one in ones:
            lacks = [] if one.date and one.date in one.context else [f"date {one.date}"]
            lacks += [] if _SPREAD.search(one.context) else ["spread"]
            if lacks:
                message = (
                    f"{len(windows)} windows of this cell are shown ({', '.join(dates)}), and "
                    f"this one stands without its {' and '.join(lacks)}"
                )
                yield Refusal("CLM212", message, one.claim, one.place)


def _full(number: Number) -> str:
    return f"{number.text} {number.unit}" if number.unit else number.text
