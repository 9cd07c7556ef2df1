"""Anchors: recorded values that are measured again before a window compares anything.

A baseline that has changed under its name makes every ratio over it wrong. A CONTRACT entry records
what was once measured, with its tolerance and the receipt that it comes from::

    reference: anchor    label: plain-nov    made_by: receipt://sha256:…
    gates: [{name: plain-nov, metric: decode_tok_s, comparison: "==",
             threshold: 300, tolerance: 0.02}]

An anchor that validates the *window* is of a program that is no arm: a miss says that the machine
is not what it was, and the window is void. One that validates the *baseline* is of its binary,
named by digest: a miss condemns the baseline, and no delta over it counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.metrics import SCORES
from engine.results.model import Run
from engine.statistics import decimal_text, mean, median
from ledger import citation
from ledger.bodies import Contract
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.session import Session
from receipts.errors import Error, NotFoundError, UndecidedError
from receipts.predicates import AnchorResult, RunPredicate
from receipts.store import ObjectStore

REFERENCE = "anchor"


@dataclass(frozen=True)
class Record:
    """A recorded value in the metric's unit; `tolerance` is relative to it."""

    entry: Entry
    label: str
    metric: str
    value: Fraction
    tolerance: Fraction
    binary: str | None
    """The digest of the binary that it was measured on, where its receipt tells it."""


def find(ledger: Ledger, store: ObjectStore, label: str) -> Record:
    """Return the anchor that the CONTRACT called `label` records."""
    entry = ledger.resolve(label)
    if _retired(ledger, entry):
        raise Error(f"anchor {label} is retired; name the one that took its place")
    return read(ledger, store, entry)


def read(ledger: Ledger, store: ObjectStore, entry: Entry) -> Record:
    """Return the anchor that `entry` records; `NotFoundError` where it records none."""
    body = entry.body
    if not isinstance(body, Contract) or body.reference != REFERENCE or not body.gates:
        raise NotFoundError(
            f"entry {entry.index} records no anchor; `engine anchor record` makes one"
        )
    gate = body.gates[0]
    if not 0 <= Fraction(gate.tolerance or "0") < 1:
        told = f"anchor {body.label} allows {gate.tolerance} of its value"
        raise Error(f"{told}; a tolerance is a share below 1")
    return Record(
        entry=entry,
        label=str(body.label),
        metric=gate.metric,
        value=Fraction(gate.threshold),
        tolerance=Fraction(gate.tolerance or "0"),
        binary=_binary(ledger, store, body.made_by),
    )


def judge(
    record: Record, validates: str, run: Run, binary: str | None, receipt: str
) -> AnchorResult:
    """Return whether `run`, of the program with the digest `binary`, gives what was recorded."""
    if record.metric not in run.samples:
        known = ", ".join(run.samples)
        raise UndecidedError(f"anchor {record.label} is of {record.metric}; its rows give {known}")
    samples = run.samples[record.metric]
    measured = mean(samples) if record.metric in SCORES else median(samples)
    result = "held" if abs(measured / record.value - 1) <= record.tolerance else "missed"
    if record.binary and binary != record.binary:
        result = "other-binary"
    fields: dict[str, Any] = {
        "record": record.label,
        "contract": record.entry.id,
        "validates": validates,
        "metric": record.metric,
        "recorded": decimal_text(record.value),
        "tolerance": decimal_text(record.tolerance),
        "measured": decimal_text(measured),
        "n": len(samples),
        "result": result,
        "receipt": receipt,
    }
    return AnchorResult.parse(fields, "anchor")


def told(result: AnchorResult) -> str:
    """Return one line about what became of an anchor."""
    off = 100 * (Fraction(result.measured) / Fraction(result.recorded) - 1)
    allowed = decimal_text(100 * Fraction(result.tolerance), 3)
    return (
        f"anchor {result.record} of the {result.validates} {result.result}: {result.metric} "
        f"{result.measured} against {result.recorded} "
        f"({decimal_text(off, 3)} %, ±{allowed} % allowed)"
    )


def contract(
    here: Session, label: str, receipt: str, metric: str, tolerance: str, select: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the body of the CONTRACT that records the median of `metric` in a receipt's rows."""
    uri = citation.resolve(here.ledger, receipt)
    opened = citation.open_cited(here.ledger, here.workspace.receipts, uri)
    predicate = opened.predicate
    wanted = {str(name): str(value) for name, value in select.items()}
    figures = predicate.figures if isinstance(predicate, RunPredicate) else []
    found = [
        figure
        for figure in figures
        if figure.metric == metric
        and wanted.items() <= {k: str(v) for k, v in (figure.select or {}).items()}.items()
    ]
    if len(found) != 1:
        known = ", ".join(dict.fromkeys(figure.metric for figure in figures)) or "none"
        raise NotFoundError(f"{receipt} has {len(found)} figures of {metric} there; it has {known}")
    if not 0 <= Fraction(tolerance) < 1:
        raise Error(f"tolerance {tolerance} is no share of the value; 0.02 is two percent")
    gate = {"name": label, "metric": metric, "comparison": "=="}
    return {
        "kind": "CONTRACT",
        "label": label,
        "title": f"anchor {label}: {metric} {found[0].value} {found[0].unit}",
        "reference": REFERENCE,
        "made_by": uri,
        "gates": [{**gate, "threshold": found[0].value, "tolerance": tolerance}],
    }


def _retired(ledger: Ledger, entry: Entry) -> bool:
    later = (ledger.entry(index).body for index in ledger.index.of_kinds("CONTRACT"))
    return any(isinstance(body, Contract) and entry.id in (body.retires or ()) for body in later)


def _binary(ledger: Ledger, store: ObjectStore, receipt: str | None) -> str | None:
    if receipt is None:
        return None
    opened = citation.open_cited(ledger, store, receipt)
    predicate = opened.predicate
    found = predicate.identity.get("binary") if isinstance(predicate, RunPredicate) else None
    return str(found) if found else None
