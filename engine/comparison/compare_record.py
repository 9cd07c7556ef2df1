"""The outcome of a comparison as a signed receipt and a RUN entry, a refusal like any other."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal

from engine.comparison.comparing import Compared, Source
from engine.comparison.outcome import CONVENTION, Delta, Side
from engine.results import content
from engine.secrets import redaction
from engine.statistics import decimal_text
from ledger.entry import Entry
from ledger.session import Session
from receipts import receipt as receipts_format
from receipts.digest import Digest
from receipts.keys import SigningKey
from receipts.predicates import (
    ArmSummary,
    ComparedArm,
    ComparedFigure,
    ComparisonPredicate,
    MeasuredFloor,
)
from receipts.receipt import ENVIRONMENT, Receipt

_LONG = 500
MOST = 200
"""Problems and warnings that a receipt lists, each; of more, the number is told."""


def record(
    here: Session, key: SigningKey, found: Compared, cell: str, times: tuple[str, str]
) -> tuple[Receipt | None, Entry]:
    """Store what was read, sign the outcome and enter it; `times` are start and end.

    Where nothing could be read there is nothing to make a receipt about: the entry says why alone.
    A file with a secret in it is named by its digest and not stored.
    """
    here.ledger.trust().require(key.public.fingerprint, "runner")
    read = dict(_read(found))
    secret = {name: count for name, data in read.items() if (count := _secrets(name, data))}
    predicate = _predicate(found, cell, times, secret)
    subjects = {name: str(Digest.of(data)) for name, data in read.items()}
    receipt = receipts_format.make(key, subjects, predicate) if subjects else None
    for name, data in read.items():
        if name not in secret:
            here.workspace.objects.put(data)
    first = found.outcome.first
    body: dict[str, Any] = {
        "kind": "RUN",
        "phase": "refused" if first else "finished",
        "title": _short(f"compared: {found.a.arm.file} with {found.b.arm.file}"),
        "cell": cell,
        "exit_status": found.outcome.exit_code,
    }
    if receipt:
        here.workspace.receipts.put(receipt.envelope.raw)
        body["receipt"] = receipt.uri
    if first:
        body["reason"] = _short(f"{first.name}: {first.sentence}")
    return receipt, here.ledger.append(body, key)


def _read(found: Compared) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes of every file that could be read, by the name of its subject."""
    sides = [("a", found.a), ("b", found.b)]
    for number, (one, other) in enumerate(found.controls, start=1):
        sides += [(f"control-{number}-a", one), (f"control-{number}-b", other)]
    for name, source in sides:
        if source.data is not None:
            yield name, source.data
        if source.sidecar is not None:
            yield f"{ENVIRONMENT}-{name}", source.sidecar


def _secrets(name: str, data: bytes) -> int:
    """Return how many secrets would be stored with these bytes, which could be read.

    A sidecar is there to name its host; that is no secret.
    """
    found = redaction.find(content.unpack(data).data)
    return sum(one.kind != "host" or not name.startswith(ENVIRONMENT) for one in found)


def _predicate(
    found: Compared, cell: str, times: tuple[str, str], secret: Mapping[str, int]
) -> ComparisonPredicate:
    outcome = found.outcome
    problems = [f"{one.name}: {one.sentence}" for one in outcome.problems]
    alone = [f"{arm}: run {label} has no partner" for arm, label in outcome.unpaired]
    kept = [
        f"{name} is not stored: secrets in it: {count}; `engine attach --redact` stores the rest"
        for name, count in secret.items()
    ]
    return ComparisonPredicate(
        origin="witnessed",
        cell=cell,
        baseline=_arm(found.a),
        candidate=_arm(found.b),
        outcome=outcome.name,
        exit_status=outcome.exit_code,
        publishable=outcome.publishable,
        profile_fields=outcome.fields,
        environment_fields=outcome.environment_fields,
        session=outcome.session,
        variables=list(found.asked.variables),
        problems=_listed(problems),
        convention=CONVENTION,
        deltas=[] if outcome.first else list(_figures(found)),
        started_at=times[0],
        finished_at=times[1],
        warnings=_listed([*outcome.warnings, *alone, *kept]),
    )


def _arm(source: Source) -> ComparedArm:
    raw = str(Digest.of(source.data)) if source.data is not None else None
    select = dict(source.choice.select) or None
    return ComparedArm(raw=raw, reader=source.reader, select=select)


def _figures(found: Compared) -> Iterator[ComparedFigure]:
    pairs = found.outcome.pairs
    for pair in pairs:
        where = pair.a.label if len(pairs) > 1 else None
        for delta in pair.deltas:
            yield _figure(delta, where)


def _figure(delta: Delta, where: str | None) -> ComparedFigure:
    floor = delta.floor
    return ComparedFigure(
        metric=delta.metric.id,
        unit=delta.metric.unit,
        polarity=delta.metric.polarity,
        statistic=delta.statistic,
        where=where,
        baseline=_side("baseline", delta.a, delta.barred),
        candidate=_side("candidate", delta.b, delta.barred),
        change=_decimal(delta.change),
        barred=delta.barred or None,
        floor=MeasuredFloor(
            n=floor.m, t_rule=decimal_text(floor.t_rule), maximum=decimal_text(floor.maximum)
        )
        if floor
        else None,
        verdict=delta.verdict,
    )


def _side(
    arm: Literal["baseline", "candidate"], side: Side | None, barred: str
) -> ArmSummary | None:
    if side is None or barred:
        return None
    return ArmSummary(
        arm=arm,
        value=decimal_text(side.value),
        n=side.n,
        cv=side.cv,
        min=decimal_text(side.minimum),
        max=decimal_text(side.maximum),
    )


def _decimal(value: Fraction | None) -> str | None:
    return None if value is None else decimal_text(value)


def _listed(texts: list[str]) -> list[str]:
    more = [f"… and {len(texts) - MOST} more"] if len(texts) > MOST else []
    return [*(_short(text) for text in texts[:MOST]), *more]


def _short(text: str) -> str:
    """Return a text as it may be stored: a sentence quotes names and paths that nobody searched."""
    text = redaction.told(text)
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
