"""`claims why`: a claim's chain from the sentence down to the raw rows, as far as it holds."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from claims.judging import qualifiers
from claims.judging.judge import Judgement
from claims.registers import wording

_NOT_ESTABLISHED = (
    "that the machine was otherwise idle: it was looked at once a second at most",
    "anything outside the scope above",
)
_WIDEST = 100
_MOST = 1000  # rows to print


def view(done: Judgement) -> dict[str, Any]:
    """Return the chain as plain values."""
    evidence = done.evidence
    fields = {
        "claim": done.claim.id,
        "holds": done.holds,
        "sentence": done.sentence,
        "tag": done.claim.tag,
        "metric": done.claim.metric,
        "statistic": done.claim.statistic,
        "scope": dict(done.claim.scope),
        "approved_by": done.approved_by,
        "conditions": list(done.conditions) or None,
        "values": {name: _shown(value) for name, value in done.values.items()},
        "links": [asdict(link) for link in evidence.links],
        "rows": {arm: _samples(done, arm) for arm in evidence.arms},
        "qualifiers": qualifiers.lines(done),
        "refusals": [refusal.view() for refusal in done.refusals],
        "does_not_establish": list(_left_open(done)),
    }
    return {name: value for name, value in fields.items() if value is not None}


def text(done: Judgement) -> Iterator[str]:
    """Yield the chain as text, from the sentence down to the rows."""
    claim = done.claim
    yield f"claim {claim.id}: {'holds' if done.holds else 'REFUSED'}"
    yield f"  {done.sentence or claim.wording}"
    for refusal in done.refusals:
        yield f"  {refusal.line()}"
    if done.approved_by is not None:
        yield f"  approved by entry {done.approved_by}"
        yield from (f"  on condition: {condition}" for condition in done.conditions)
    yield from (f"  {line}" for line in qualifiers.lines(done) if not line.startswith("on cond"))
    yield f"  {claim.statistic} of {claim.metric}"
    yield from (f"    {name} = {_shown(value)}" for name, value in done.values.items())
    yield from (f"  scope {name}: {value}" for name, value in claim.scope.items())
    for link in done.evidence.links:
        yield f"  {link.kind} {link.name}: {link.detail}"
    for arm in done.evidence.arms:
        yield f"  rows of {arm}"
        yield from (f"    {number}  {row}" for number, row in enumerate(_samples(done, arm)))
    yield "  does not establish:"
    yield from (f"    - {what}" for what in _left_open(done))


def _left_open(done: Judgement) -> Iterator[str]:
    """Yield what the chain does not show, however well it holds."""
    kinds = {link.kind for link in done.evidence.links}
    if done.claim.kind == "change" and "noise floor" not in kinds:
        yield "that the difference exceeds the noise: no floor is on record for this cell here"
    yield from _NOT_ESTABLISHED


def _samples(done: Judgement, arm: str) -> list[str]:
    """Return one line for each repetition: its value, and the raw row it comes from."""
    run = done.evidence.arms[arm]
    samples = run.samples.get(done.claim.metric)
    if samples is None:
        return [f"no {done.claim.metric}  from {_brief(row)}" for row in run.rows]
    unit = str(done.values.get("unit", ""))
    values = [f"{wording.display(value, 6)} {unit}".rstrip() for value in samples[:_MOST]]
    left = [f"… and {len(samples) - _MOST} more"] if len(samples) > _MOST else []
    rows = [row for row in run.rows if row.get("status", "ok") == "ok"]
    if len(rows) != len(samples):
        return [*values, *left]  # several values a row, or one for all of them
    told = (f"{value}  from {_brief(row)}" for value, row in zip(values, rows, strict=False))
    return [*told, *left]


def _brief(row: Mapping[str, Any]) -> str:
    # Times first: they are what the value was computed from.
    names = sorted(row, key=lambda name: (not name.endswith(("_ns", "_ts")), name))
    shown = ", ".join(f"{name} {_short(row[name])}" for name in names)
    return shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST - 1]}…"


def _short(value: Any) -> str:
    if isinstance(value, list | tuple) and len(value) > 2:
        return f"[{value[0]}, {value[1]}, … {len(value)}]"
    return str(value)


def _shown(value: Any) -> Any:
    return wording.display(value, 6) if isinstance(value, Fraction) else value
