"""Which tool wrote this file: told by its content alone, never by its name.

Adding a reader means adding its module to `READERS`. A module offers `NAME` (the stable id that
receipts carry), `recognises` (cheap and certain), `read` (strict) and `check`, which recomputes
what the tool printed. Where a tool writes two files a run, `join` binds the summary to the rows.
"""

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Protocol, cast

from engine.results import (
    aiperf,
    criterion,
    genai_perf,
    go_bench,
    google_benchmark,
    guidellm,
    hyperfine,
    inference_perf,
    inferencex,
    kernel_rows,
    llama_batched,
    llama_bench,
    llama_server,
    lm_eval,
    mlperf,
    nvbench,
    probes,
    pyperf,
    pytest_benchmark,
    rows,
    sglang,
    streams,
    vllm,
)
from engine.results import columns as declared
from engine.results.columns import Columns
from engine.results.content import MAX_BYTES, Content, unpack
from engine.results.model import ResultFile, Run
from engine.results.reconciliation import Line, doubts
from engine.results.refusals import Note, ResultError
from receipts.errors import UsageError

__all__ = ["MAX_BYTES", "READERS", "lines", "notes", "read"]


class Reader(Protocol):
    """What a module of this folder offers."""

    NAME: str

    def recognises(self, content: Content) -> bool:
        """Say whether the tool wrote this."""

    def read(self, content: Content) -> ResultFile:
        """Return the runs; raises `ResultError`, whose name says why there are none."""

    def check(self, run: Run) -> Iterable[Line]:
        """Return every aggregate of the run against the same from its rows."""


_MODULES: tuple[ModuleType, ...] = (
    rows,
    kernel_rows,
    streams,
    probes,
    go_bench,
    llama_bench,
    aiperf,
    genai_perf,
    inferencex,
    inference_perf,
    sglang,
    vllm,
    guidellm,
    lm_eval,
    llama_batched,
    llama_server,
    mlperf,
    criterion,
    google_benchmark,
    hyperfine,
    nvbench,
    pyperf,
    pytest_benchmark,
)
READERS = tuple(cast("Reader", module) for module in _MODULES)
_DECLARED = cast("Reader", declared)  # recognises nothing: somebody says what it reads
_BY_NAME = {reader.NAME: reader for reader in (*READERS, _DECLARED)}


def read(data: bytes, *beside: bytes, columns: Columns | None = None) -> ResultFile:
    """Return the runs of a raw file, with the tool's own summary of it where one is given.

    With `columns` it is read as a table of these, whatever tool it looks like. Raises `ResultError`
    for a file that is too large, of no known tool, or refused by its reader, and `UsageError` for
    columns with a summary.
    """
    if columns is not None:
        return _read_declared(data, beside, columns)
    first, *others = [_read(part) for part in (data, *beside)]
    for other in others:
        first = _join(first, other)
    return first


def lines(file: ResultFile, run: Run) -> list[Line]:
    """Return every aggregate that the tool printed about `run` against the same from its rows."""
    return list(_BY_NAME[file.reader].check(run))


def notes(file: ResultFile, run: Run) -> list[Note]:
    """Return all that is to know before `run` is cited, its contradictions with itself included."""
    found = [*file.notes, *run.notes]
    named = {note.name for note in found if note.name != "differs"}
    return [*found, *(note for note in doubts(lines(file, run)) if note.name not in named)]


def _read(data: bytes) -> ResultFile:
    content = unpack(data)
    for reader in READERS:
        if reader.recognises(content):
            try:
                return reader.read(content)
            except ResultError as error:
                raise error.at(f"{reader.NAME} file") from error
    known = ", ".join(reader.NAME for reader in READERS)
    raise ResultError("unknown-tool", f"the file is of no tool that can be read; readers: {known}")


def _read_declared(data: bytes, beside: Sequence[bytes], columns: Columns) -> ResultFile:
    if beside:
        raise UsageError("a table with declared columns has no summary; give one or the other")
    try:
        return declared.read(unpack(data), columns)
    except ResultError as error:
        raise error.at(f"{declared.NAME} file") from error


def _join(one: ResultFile, other: ResultFile) -> ResultFile:
    join = getattr(_BY_NAME[one.reader], "join", None)
    if join is None or one.reader != other.reader or one.part == other.part:
        what = f"{one.reader} {one.part} and {other.reader} {other.part}"
        raise ResultError(
            "not-results", f"the two files are not rows and summary of one run: {what}"
        )
    return cast("ResultFile", join(one, other) if one.part == "rows" else join(other, one))
