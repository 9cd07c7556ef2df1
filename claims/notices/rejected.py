"""The page of what was tried and given up: levers that were rejected or reverted, or that missed.

It is generated from the ledger between two comments, and `claims check` generates it again: a page
that says something else, or less, than the ledger does is refused (CLM604)::

    <!-- claims-rejected -->
    | Entry | Lever | Outcome | Measured | Lesson |
    …
    <!-- claims-rejected-end -->

What it shows is what entries say. It is no claim, and nothing on it may be quoted as one.
"""

from collections.abc import Iterator
from decimal import Decimal

from claims.pages.markup import escape
from ledger.bodies import Delta, Experiment
from ledger.entry import Entry
from ledger.log import Ledger
from ledger.status import Status

OUTCOMES = ("rejected", "reverted", "miss")
_HEADER = ("Entry", "Lever", "Outcome", "Measured", "Lesson")


def page(ledger: Ledger) -> str:
    """Return the whole page, its heading and comments included."""
    begin, end = "<!-- claims-rejected -->", "<!-- claims-rejected-end -->"
    return f"# Rejected and reverted\n\n{begin}\n\n{body(ledger)}\n{end}\n"


def body(ledger: Ledger) -> str:
    """Return what stands between the comments."""
    status = ledger.status()
    rows = [
        _row(entry, entry.body, status)
        for entry in map(ledger.entry, ledger.index.of_kinds("ENTRY"))
        if isinstance(entry.body, Experiment) and _is_given_up(entry.body)
    ]
    if not rows:
        return "Nothing was rejected or reverted, and nothing missed, so far.\n"
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (_HEADER, ("---",) * 5, *rows))


def _is_given_up(body: Experiment) -> bool:
    return body.verdict is not None and body.verdict.outcome in OUTCOMES


def _row(entry: Entry, body: Experiment, status: Status) -> tuple[str, ...]:
    verdict = body.verdict
    outcome = verdict.outcome.upper() if verdict else ""
    told = f"{outcome}: {verdict.sentence}" if verdict and verdict.sentence else outcome
    banners = [f"**{_cell(effect.banner())}**" for effect in status.effects_on(entry)]
    cells = (
        f"{entry.index} ({body.label})" if body.label else str(entry.index),
        body.title if not body.change else f"{body.title}: {body.change}",
        told,
        "; ".join(_measured(body)) or "—",
        body.lesson or "—",
    )
    *first, last = map(_cell, cells)
    return (*first, " — ".join([last, *banners]))


def _measured(body: Experiment) -> Iterator[str]:
    """Yield what moved, or the cells of the table that the entry was recorded from."""
    yield from (_moved(delta) for delta in body.delta or ())
    yield from (f"{cell.column}: {cell.text}" for cell in body.recorded or () if cell.text)


def _moved(delta: Delta) -> str:
    old, new = (f"{Decimal(side.value):.6g}" for side in (delta.baseline, delta.candidate))
    return f"{delta.metric} {old} → {new} {delta.unit}, n = {delta.n}"


def _cell(text: str) -> str:
    return escape(" ".join(text.split())) or "—"
