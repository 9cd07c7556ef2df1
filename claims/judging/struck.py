"""Numbers that the ledger bars: deltas of entries that a correction took back or bars in part.

An AMENDMENT that bars a metric bars every figure of that metric in the entries that it names, in
the cells that its selector names; what is superseded or retracted is barred altogether. A
correction that was itself retracted bars nothing.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from claims.numerals.numbers import Number
from claims.registers.barred import Barred, spelled
from ledger.bodies import CORRECTIONS, Correcting, Delta, Experiment, Run
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.status import Effect
from receipts.errors import Error

_KINDS = ("AMENDMENT", "SUPERSEDED", "RETRACTION")


def read(ledger: Ledger) -> Iterator[Barred]:
    """Yield every figure that a correction of this ledger bars, oldest correction first."""
    status = ledger.status()
    for index in ledger.index.of_kinds(*_KINDS):
        correction = ledger.entry(index)
        if not isinstance(correction.body, CORRECTIONS):
            continue
        for entry in _reached(ledger, correction.body):
            for effect in status.effects_on(entry):
                if effect.by == index and isinstance(entry.body, Experiment):
                    yield from _figures(ledger, entry, entry.body, effect, correction.body)


def _reached(ledger: Ledger, body: Correcting) -> Iterator[Entry]:
    """Yield the entries that a correction names, or that cite a run which it names."""
    ids = dict.fromkeys((*(body.targets or ()), *(body.resolved or ())))
    found = {entry.index: entry for entry in map(ledger.by_id, ids)}
    for uri in body.runs or ():
        found |= {index: ledger.entry(index) for index in ledger.index.find("cites", uri)}
    yield from found.values()


def _figures(
    ledger: Ledger, entry: Entry, body: Experiment, effect: Effect, correction: Correcting
) -> Iterator[Barred]:
    cell = correction.selector.cell if correction.selector else None
    for delta in body.delta or ():
        cells = _cells(ledger, delta.runs)
        if effect.bars and delta.metric not in effect.bars:
            continue
        if effect.word == "amended" and not effect.bars:
            continue
        if cell is None or not cells or cell in cells:
            note = f"{effect.reason} (entry {entry.index})"
            for number in _numbers(delta):
                yield Barred(
                    number, effect.word, note, delta.metric, frozenset(cells), entry=effect.by
                )


def _numbers(delta: Delta) -> Iterator[Number]:
    percent = str(100 * Decimal(delta.change))
    figures = [(delta.baseline.value, delta.unit), (delta.candidate.value, delta.unit)]
    figures += [(percent, "%"), *([(delta.ratio, "×")] if delta.ratio else [])]
    for value, unit in figures:
        try:
            yield spelled(value, unit)
        except Error:
            continue  # a unit that no page can spell is found on no page


def _cells(ledger: Ledger, runs: Iterable[str]) -> set[str]:
    """Return the cells of these receipts, as their RUN entries tell them."""
    entries = (ledger.entry(index) for uri in runs for index in ledger.index.find("run", uri))
    return {entry.body.cell for entry in entries if isinstance(entry.body, Run)}
