"""What `engine compare` prints: text, Markdown, or one JSON document. A refusal shows no number."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from engine.comparison.comparing import Compared, Source
from engine.comparison.outcome import CODES, CONVENTION, Delta, Pair, Problem, Side
from engine.inference import noise
from engine.inference.noise import Floor
from engine.statistics import decimal_text
from receipts.digest import Digest

ABSENT = "absent"
_UNLIKE = {
    "cross-session": "cross-session: the files are of two sessions and back no claim of change",
    "not told": "session not told: nothing says that the files are of one",
    "not compared": "environment not compared",
}
_PLACES = 2  # decimals of a percentage


# --- JSON --------------------------------------------------------------------------------------


def view(found: Compared) -> dict[str, Any]:
    """Return the outcome as plain values: decimal text for figures, null for what is not shown."""
    outcome = found.outcome
    return {
        "outcome": outcome.name,
        "exit_status": outcome.exit_code,
        "publishable": outcome.publishable,
        "refusal": _refusal(outcome.first, outcome.problems) if outcome.first else None,
        "refusals": [
            {"code": CODES[one.name], "name": one.name, "fields": list(one.fields)}
            | {"reason": one.sentence}
            for one in outcome.problems
        ],
        "profile_verified": {"verified": outcome.profile_verified, "fields": outcome.fields},
        "environment_verified": {
            "verified": outcome.profile_verified and outcome.environment_fields > 0,
            "fields": outcome.environment_fields,
        },
        "session": outcome.session,
        "variables": list(found.asked.variables),
        "convention": CONVENTION,
        "headline": _headline(found),
        "arms": {"A": _arm(found.a), "B": _arm(found.b)},
        "controls": [[_arm(one), _arm(other)] for one, other in found.controls],
        "deltas": [
            _delta(delta, pair, shown=outcome.first is None)
            for pair in outcome.pairs
            for delta in pair.deltas
        ],
        "unpaired": [{"arm": arm, "run": label} for arm, label in outcome.unpaired],
        "warnings": list(outcome.warnings),
    }


def _refusal(first: Problem, problems: tuple[Problem, ...]) -> dict[str, Any]:
    alike = [name for one in problems if one.name == first.name for name in one.fields]
    return {
        "code": CODES[first.name],
        "name": first.name,
        "fields": list(dict.fromkeys(alike)),
        "reason": first.sentence,
    }


def _headline(found: Compared) -> dict[str, Any]:
    """Return the first figure in the words of the field's tool."""
    deltas = [delta for pair in found.outcome.pairs for delta in pair.deltas]
    first = next((one for one in deltas if one.change is not None), None)
    value: dict[str, Any] = {"publishable": found.outcome.publishable}
    if found.outcome.first or first is None or first.a is None or first.b is None:
        return value | {"metric": None, "armA": None, "armB": None, "ratio_b_over_a": None}
    return value | {
        "metric": first.metric.id,
        "statistic": first.statistic,
        "armA": decimal_text(first.a.value),
        "armB": decimal_text(first.b.value),
        "ratio_b_over_a": decimal_text(first.b.value / first.a.value),
    }


def _arm(source: Source) -> dict[str, Any]:
    return {
        "file": str(source.choice.path),
        "digest": _digest(source.data),
        "reader": source.reader,
        "environment": _digest(source.sidecar),
        "select": dict(source.choice.select),
    }


def _digest(data: bytes | None) -> str | None:
    return None if data is None else str(Digest.of(data))


def _delta(delta: Delta, pair: Pair, *, shown: bool) -> dict[str, Any]:
    visible = shown and not delta.barred
    change = delta.change if visible else None
    return {
        "metric": delta.metric.id,
        "unit": delta.metric.unit,
        "polarity": delta.metric.polarity,
        "statistic": delta.statistic,
        "run": pair.a.label,
        "a": _side(delta.a) if visible else None,
        "b": _side(delta.b) if visible else None,
        "change": None if change is None else decimal_text(change),
        "change_percent": None if change is None else decimal_text(100 * change),
        "floor": _floor(delta.floor) if visible and delta.floor else None,
        "verdict": delta.verdict if visible else None,
        "not_citable": delta.barred or None,
    }


def _side(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {
        "value": decimal_text(side.value),
        "n": side.n,
        "cv": side.cv,
        "ddof": 1,
        "min": decimal_text(side.minimum),
        "max": decimal_text(side.maximum),
    }


def _floor(floor: Floor) -> dict[str, Any]:
    return {
        "n": floor.m,
        "t_rule_percent": noise.round_up(100 * floor.t_rule, _PLACES),
        "maximum_percent": noise.round_up(100 * floor.maximum, _PLACES),
        "maximum_exceeded_with": str(floor.exceeded),
    }


# --- text --------------------------------------------------------------------------------------


def text(found: Compared) -> Iterator[str]:
    """Yield the outcome as lines."""
    yield from _arms(found)
    outcome = found.outcome
    if outcome.first:
        yield from (f"REFUSED {one.name}: {one.sentence}" for one in _ranked(found))
        yield "no figure is shown; publishable: no"
        return
    yield from _verified(found)
    for pair in outcome.pairs:
        if len(outcome.pairs) > 1:
            yield f"run {pair.a.label}"
        for delta in pair.deltas:
            yield from _lines(delta)
    yield from (f"{arm}: run {label} has no partner" for arm, label in outcome.unpaired)
    yield from (f"warning: {warning}" for warning in outcome.warnings)
    yield f"publishable: {_publishable(found)}"


def _arms(found: Compared) -> Iterator[str]:
    for source in (found.a, found.b):
        digest = _digest(source.data)
        what = f"{source.reader}  {digest}" if digest else "not read"
        picked = "".join(f"  {name}={value}" for name, value in source.choice.select.items())
        yield f"{source.arm.name}  {source.choice.path}  {what}{picked}"


def _ranked(found: Compared) -> list[Problem]:
    order = list(CODES)
    return sorted(found.outcome.problems, key=lambda one: order.index(one.name))


def _verified(found: Compared) -> Iterator[str]:
    outcome = found.outcome
    yield f"profile verified: {outcome.fields} fields"
    if outcome.session != "not compared":
        yield f"environment verified: {outcome.environment_fields} fields"
    yield _UNLIKE.get(outcome.session, "one session")
    if found.asked.variables:
        yield f"variable: {', '.join(found.asked.variables)}"
    yield CONVENTION


def _lines(delta: Delta) -> Iterator[str]:
    kind = delta.metric
    yield f"{kind.id} ({kind.unit}, {kind.polarity} is better), {delta.statistic}"
    if delta.barred:
        yield f"  not citable: {delta.barred}"
        return
    yield f"  {'':3} {'n':>7} {'value':>11} {'CV ddof 1':>10} {'min':>11} {'max':>11}"
    for name, side in (("A", delta.a), ("B", delta.b)):
        yield f"  {name:3} {_cells(side)}"
    yield f"  change {_change(delta)}{_judged(delta)}"


def _cells(side: Side | None) -> str:
    if side is None:
        return f"{ABSENT:>19}"
    low, high = _number(side.minimum), _number(side.maximum)
    return f"{side.n:7} {_number(side.value):>11} {_cv(side):>10} {low:>11} {high:>11}"


def _change(delta: Delta) -> str:
    return ABSENT if delta.change is None else _percent(delta.change)


def _judged(delta: Delta) -> str:
    if delta.floor is None or delta.verdict is None:
        return ""
    words = {
        "flat": "flat, neither a win nor a loss",
        "better": "B is better",
        "worse": "B is worse",
    }
    return f": {words[delta.verdict]} ({_floors(delta.floor)})"


def _floors(floor: Floor) -> str:
    t_rule = noise.round_up(100 * floor.t_rule, _PLACES)
    highest = noise.round_up(100 * floor.maximum, _PLACES)
    exceeded = f"the next exceeds it with P = {floor.exceeded}"
    return f"floor {t_rule} % by the t rule; {highest} % by the maximum rule, {exceeded}"


def _publishable(found: Compared) -> str:
    outcome = found.outcome
    if outcome.publishable:
        return "yes"
    barred = sorted({d.barred for pair in outcome.pairs for d in pair.deltas if d.barred})
    why = [_UNLIKE[outcome.session]] if outcome.session in _UNLIKE else []
    why += [f"not citable: {name}" for name in barred]
    why += ["runs without partner"] if outcome.unpaired else []
    return f"no ({'; '.join(why)})"


# --- Markdown ----------------------------------------------------------------------------------


def markdown(found: Compared) -> Iterator[str]:
    """Yield the outcome as a Markdown page in miniature: what was verified, then one table."""
    outcome = found.outcome
    for source in (found.a, found.b):
        digest = _digest(source.data)
        yield f"- {source.arm.name}: `{_code(str(source.choice.path))}`, {digest or 'not read'}"
    if outcome.first:
        yield ""
        yield from (f"**REFUSED {one.name}**: {_cell(one.sentence)}" for one in _ranked(found))
        return
    yield from (f"- {_cell(line)}" for line in _verified(found))
    yield f"- publishable: {_publishable(found)}"
    yield ""
    yield "| run | metric | A | B | change | verdict |"
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for pair in outcome.pairs:
        for delta in pair.deltas:
            yield _row(pair.a.label if len(outcome.pairs) > 1 else "", delta)


def _row(label: str, delta: Delta) -> str:
    kind = delta.metric
    what = f"{kind.id} {delta.statistic} ({kind.unit}, {kind.polarity} is better)"
    if delta.barred:
        why = f"not citable: {delta.barred}"
        return f"| {_cell(label)} | {what} | {why} | {why} | {why} | |"
    sides = f"{_told(delta.a)} | {_told(delta.b)}"
    return f"| {_cell(label)} | {what} | {sides} | {_change(delta)} | {_judged(delta)[2:]} |"


def _told(side: Side | None) -> str:
    if side is None:
        return ABSENT
    span = f"{_number(side.minimum)} to {_number(side.maximum)}"
    return f"{_number(side.value)} (n {side.n}, CV {_cv(side)}, {span})"


def _cell(line: str) -> str:
    return line.replace("\\", "\\\\").replace("|", "\\|")


def _code(line: str) -> str:
    return line.replace("`", "'")


def _number(value: Fraction) -> str:
    return decimal_text(value, 6)


def _cv(side: Side) -> str:
    return ABSENT if side.cv is None else f"{Decimal(side.cv) * 100:.2f} %"


def _percent(change: Fraction) -> str:
    """Return a change with its sign and two decimals; only a change of nothing has no sign."""
    hundredths = round(abs(change) * 100 * 10**_PLACES)
    digits = f"{hundredths // 100}.{hundredths % 100:02} %"
    return digits if change == 0 else f"{'+' if change > 0 else '-'}{digits}"
