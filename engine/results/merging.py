"""Files of one arm into one run: for windows where every repetition is a fresh process.

    merge([detect.read(first), detect.read(second)]).samples["ttft_ms"]      (first, second)

Repetition follows repetition in the given order. `rows` stay as they are in their files, so each
file's repetitions are numbered from 0. What one file has no tokens, logits, answers to what it was
fed, or samples of, the whole has none of: a gate that compared the rest would pass what nobody
compared.
"""

from collections.abc import Sequence
from typing import TypeVar

from engine.results.model import ResultFile, Run, brief
from engine.samples import Column
from receipts.errors import ConflictError, Error, UndecidedError

_Item = TypeVar("_Item")
MERGED = ("rows", "kernel-rows", "stream")
"""Readers of our own formats, one file of which is one arm's setup."""


def merge(files: Sequence[ResultFile]) -> Run:
    """Join files of the same setup into one run.

    Raises `ConflictError` that names the setting in which two files differ, `UndecidedError` for no
    files, and `Error` for a file of another reader.
    """
    runs = [_only_run(file) for file in files]
    if not runs:
        raise UndecidedError("there are no raw files to merge")
    first = runs[0]
    for number, file in enumerate(files[1:], start=2):
        _refuse_difference(files[0], file, number)
    return Run(
        identity=first.identity,
        config=first.config,
        samples={
            name: Column([value for run in runs for value in run.samples[name]])
            for name in first.samples
            if all(name in run.samples for run in runs)
        },
        rows=tuple(row for run in runs for row in run.rows),
        tokens=_kept([run.tokens for run in runs]),
        logits=_kept([run.logits for run in runs]),
        forced=_kept([run.forced for run in runs]),
        notes=tuple(dict.fromkeys(note for run in runs for note in run.notes)),
    )


def _kept(parts: Sequence[tuple[_Item, ...]]) -> tuple[_Item, ...]:
    return tuple(item for part in parts for item in part) if all(parts) else ()


def _only_run(file: ResultFile) -> Run:
    if file.reader not in MERGED:
        formats = " or ".join(MERGED)
        raise Error(f"a {file.reader} file cannot be merged; give {formats} files of one program")
    return file.runs[0]


def _refuse_difference(first: ResultFile, other: ResultFile, number: int) -> None:
    ours, theirs = _settings(first), _settings(other)
    for name in dict.fromkeys((*ours, *theirs)):
        one, two = ours.get(name, "absent"), theirs.get(name, "absent")
        if one != two:
            values = f"{brief(one)} and {brief(two)}"
            raise ConflictError(
                f"{first.reader} files 1 and {number} differ in {name}: {values}; "
                "merge files of one setup"
            )


def _settings(file: ResultFile) -> dict[str, object]:
    run = file.runs[0]
    return {"reader": file.reader, **run.identity, **run.config}
