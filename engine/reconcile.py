"""`engine reconcile`: what a raw file says about itself, against what its rows say.

Every average that the tool printed stands in one line with the same number recomputed by the tool's
own formula, and a verdict. Nothing is written. The answer is *no* where a number contradicts its
rows or something bars citing the run, and *could not check* where nothing could be recomputed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.results import detect
from engine.results.model import ResultFile, Run, apart
from engine.results.reconciliation import Line, doubts
from engine.results.refusals import Note
from receipts import exits

SHOWN = 60
_HEADER = ("average", "reported", "recomputed", "verdict", "formula, or why")
_CONFIRMED = ("exact", "float-noise")
_CHECKED = (*_CONFIRMED, "differs", "known-tool-bug", "rows-incomplete")


@dataclass(frozen=True, slots=True)
class Reconciled:
    """One run of the file: which it is, its averages with their verdicts, and what bars it."""

    cell: str
    run: Run
    lines: tuple[Line, ...]
    notes: tuple[Note, ...]

    @property
    def barred(self) -> tuple[Note, ...]:
        """What keeps this run, or a metric of it, from being cited."""
        return tuple(note for note in self.notes if note.bars)

    def view(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "cell": self.cell,
            "rows": len(self.run.rows),
            "samples": {name: len(samples) for name, samples in self.run.samples.items()},
            "lines": [_view(line) for line in self.lines],
            "notes": [_note(note) for note in self.notes],
        }


def reconcile(file: ResultFile) -> list[Reconciled]:
    """Return every run of the file with its averages recomputed."""
    names = apart(file)
    return [_reconciled(file, run, name) for run, name in zip(file.runs, names, strict=True)]


def _reconciled(file: ResultFile, run: Run, name: str) -> Reconciled:
    lines = tuple(detect.lines(file, run))
    return Reconciled(name, run, lines, (*run.notes, *doubts(lines)))


def exit_code(found: Sequence[Reconciled]) -> int:
    """Return 1 for a contradiction, 3 where nothing was recomputed, 1 for what else bars, or 0."""
    verdicts = {line.verdict for one in found for line in one.lines}
    rows = any(len(one.run.rows) for one in found)
    if "differs" in verdicts:
        return exits.NO
    if not rows or (verdicts and not verdicts & {*_CHECKED}):
        return exits.UNDECIDED
    barred = "rows-incomplete" in verdicts or any(one.barred for one in found)
    return exits.NO if barred else exits.OK


def view(file: ResultFile, found: Sequence[Reconciled]) -> dict[str, Any]:
    """Return the whole answer as plain values."""
    return {
        "reader": file.reader,
        "notes": [_note(note) for note in file.notes],
        "verdicts": dict(_counts(found)),
        "runs": [one.view() for one in found],
    }


def text(file: ResultFile, found: Sequence[Reconciled], *, everything: bool) -> Iterator[str]:
    """Yield the answer as lines: all averages of a short file, of a long one what stands out."""
    total = sum(len(one.lines) for one in found)
    whole = everything or total <= SHOWN
    rows = sum(len(one.run.rows) for one in found)
    yield f"{file.reader}: {_many(len(found), 'run')}, {_many(rows, 'row')}"
    yield from (f"  {note}" for note in file.notes)
    for one in found:
        shown = [line for line in one.lines if whole or line.verdict not in _CONFIRMED]
        if len(found) > 1 and (shown or one.notes):
            yield one.cell
        yield from _table(shown)
        yield from (f"  {'REFUSED ' if note.bars else ''}{_told(note)}" for note in one.notes)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in _counts(found))
    yield f"{_many(total, 'average')}: {counts}" if total else "the tool printed no averages"
    if not whole:
        yield "what is confirmed was left out; --all shows it"


def _counts(found: Sequence[Reconciled]) -> list[tuple[str, int]]:
    return Counter[str](line.verdict for one in found for line in one.lines).most_common()


def _table(lines: Sequence[Line]) -> Iterator[str]:
    if not lines:
        return
    cells = [
        _HEADER,
        *(
            (
                line.metric,
                _number(line.reported),
                _number(line.recomputed),
                line.verdict,
                _why(line),
            )
            for line in lines
        ),
    ]
    widths = [max(len(cell[place]) for cell in cells) for place in range(4)]
    for metric, reported, recomputed, verdict, why in cells:
        numbers = f"{reported:>{widths[1]}}  {recomputed:>{widths[2]}}"
        yield f"  {metric:{widths[0]}}  {numbers}  {verdict:{widths[3]}}  {why}".rstrip()


def _why(line: Line) -> str:
    if line.verdict == "exact":
        return line.definition
    relative = line.relative
    off = f"off by {relative:.1e}  " if relative else ""
    return f"{off}{line.note or line.definition}"


def _told(note: Note) -> str:
    bars = "" if not note.bars or "*" in note.bars else f" (bars {', '.join(sorted(note.bars))})"
    return f"{note.told()}{bars}"


def _number(value: float | int | str | None) -> str:
    return "-" if value is None else str(value)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _view(line: Line) -> dict[str, Any]:
    found = {**line._asdict(), "relative_difference": line.relative}
    return {name: value for name, value in found.items() if value not in (None, "")}


def _note(note: Note) -> dict[str, Any]:
    found = {"name": note.name, "detail": note.detail, "bars": sorted(note.bars)}
    return found | ({"unless": note.unless} if note.unless else {})
