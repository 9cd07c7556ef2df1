"""Noise floors on record: what two runs of the same code differ by, in a cell and on a machine.

A CONTRACT holds a floor, and names the A/A window whose environment it was measured in::

    reference: noise-floor    made_by: receipt://sha256:…  (the last of the A/A windows)
    gates: [{name: decode-v512, metric: decode_tok_s, comparison: ">=", threshold: 0.0155}]

The threshold is relative to the baseline. A floor holds for its cell and metric, where host,
processor, kernel and boot are the same, and until a later CONTRACT retires it; elsewhere there is
none, which is said, and not taken for a floor of zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.inference import noise
from engine.statistics import decimal_text
from ledger import citation
from ledger.bodies import Contract
from ledger.entry import Entry
from ledger.log import Ledger
from receipts.predicates import Facts, WindowPredicate
from receipts.receipt import Receipt
from receipts.store import ObjectStore

REFERENCE = "noise-floor"
SAME = ("host", "boot", "cpu", "cores", "kernel", "machine", "system", "driver", "devices")
_PLACES = 6


@dataclass(frozen=True)
class Recorded:
    """A floor that is in force: the share of the baseline under which a change is flat."""

    entry: Entry
    value: Fraction


def find(
    ledger: Ledger, store: ObjectStore, cell: str, metric: str, environment: Facts
) -> Recorded | None:
    """Return the newest floor of this cell and metric that was measured on this machine."""
    retired: set[str] = set()
    for index in reversed(ledger.index.of_kinds("CONTRACT")):
        entry = ledger.entry(index)
        body = entry.body
        if not isinstance(body, Contract):
            continue
        value = _threshold(body, cell, metric)
        if (
            value is not None
            and entry.id not in retired
            and _here(ledger, store, body, environment)
        ):
            return Recorded(entry, value)
        retired |= set(body.retires or ())
    return None


def of_window(ledger: Ledger, store: ObjectStore, window: WindowPredicate) -> dict[str, Fraction]:
    """Return the floor of each metric that the window compares, where one is on record."""
    found = {
        one.metric: find(ledger, store, window.cell, one.metric, window.environment)
        for one in window.comparisons
    }
    return {name: floor.value for name, floor in found.items() if floor}


def contract(
    cell: str, metric: str, differences: Sequence[Fraction], made_by: str
) -> dict[str, Any]:
    """Return the body of the CONTRACT that records the floor from A/A `differences`."""
    found = noise.floor(differences)
    threshold = noise.round_up(found.t_rule, _PLACES)
    percent = decimal_text(100 * Fraction(threshold), 4)
    return {
        "kind": "CONTRACT",
        "title": f"noise floor of {cell}: {metric} {percent} % from {found.m} A/A differences",
        "reference": REFERENCE,
        "made_by": made_by,
        "gates": [{"name": cell, "metric": metric, "comparison": ">=", "threshold": threshold}],
    }


def _threshold(body: Contract, cell: str, metric: str) -> Fraction | None:
    if body.reference != REFERENCE or body.made_by is None:
        return None
    gates = [one for one in body.gates or () if (one.name, one.metric) == (cell, metric)]
    return Fraction(gates[0].threshold) if gates else None


def _here(ledger: Ledger, store: ObjectStore, body: Contract, environment: Facts) -> bool:
    """Say whether the A/A window behind a floor ran in this environment."""
    opened: Receipt = citation.open_cited(ledger, store, str(body.made_by))
    window = opened.predicate
    if not isinstance(window, WindowPredicate) or not window.control:
        return False
    return all(window.environment.get(name) == environment.get(name) for name in SAME)
