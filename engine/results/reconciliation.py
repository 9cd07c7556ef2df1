"""Reported against recomputed: every average that a tool printed gets one verdict.

    exact              the tool's own formula over the rows gives the same number, digit for digit
    float-noise        the same up to the last bits of a double, or of a stated constant
    differs            another number: the file contradicts itself, the metric is not citable
    not-recomputable   the rows or the inputs of the formula are not in the file
    known-tool-bug     the number follows from a defect of the tool that is known and reproduced
    rows-incomplete    a count is larger than the number of rows that were kept

A formula is pinned as an id of six parts: ``tool/quantity/statistic/convention/rows/unit``, such as
``vllm/ttft/p99/linear/ok/ms``. Equal names in two tools are two ids wherever the formulas differ.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from engine.results.refusals import ALL, Note

Verdict = Literal[
    "exact", "float-noise", "differs", "not-recomputable", "known-tool-bug", "rows-incomplete"
]
NOISE = 1e-12
"""Relative difference up to which two doubles are the same number computed in another order."""


class Line(NamedTuple):
    """One aggregate: as reported, as recomputed, and what that means.

    `about` is the metric id whose samples it summarises; "" where it summarises none.
    """

    metric: str
    reported: float | int | str
    recomputed: float | int | None
    verdict: Verdict
    definition: str
    about: str = ""
    note: str = ""

    @property
    def relative(self) -> float | None:
        """The difference relative to the recomputed value, None where there is none."""
        if self.recomputed is None or isinstance(self.reported, str):
            return None
        if self.reported == self.recomputed:
            return 0.0
        return abs(self.reported - self.recomputed) / abs(self.recomputed or self.reported)


def define(tool: str, quantity: str, statistic: str, convention: str, rows: str, unit: str) -> str:
    """Return the id of a formula."""
    return f"{tool}/{quantity}/{statistic}/{convention}/{rows}/{unit}"


def compared(
    metric: str,
    reported: object,
    recomputed: float | int | None,
    definition: str,
    about: str = "",
    noise: float = NOISE,
) -> Line:
    """Return the line for an aggregate that its rows give as `recomputed`; None: they cannot."""
    shown = _shown(reported)
    if recomputed is None:
        return Line(metric, shown, None, "not-recomputable", definition, about)
    if isinstance(shown, str):
        return Line(metric, shown, recomputed, "differs", definition, about, "not a number")
    return Line(metric, shown, recomputed, _verdict(shown, recomputed, noise), definition, about)


def unavailable(
    metric: str, reported: object, definition: str, why: str, guess: float | None = None
) -> Line:
    """Return the line for an aggregate whose inputs the file does not keep; `guess` comes close."""
    shown = _shown(reported)
    return Line(metric, shown, guess, "not-recomputable", definition, "", why)


def counted(metric: str, reported: object, rows: int, definition: str) -> Line:
    """Return the line for a claimed number of rows against the number kept."""
    if isinstance(reported, int) and reported > rows:
        note = f"{rows} of {reported} rows are in the file"
        return Line(metric, reported, rows, "rows-incomplete", definition, "", note)
    return compared(metric, reported, rows, definition)


def doubts(lines: Iterable[Line]) -> Iterator[Note]:
    """Yield a note for each aggregate that differs; it bars the metric that it summarises.

    A count that is larger than the number of rows bars everything: which are missing is unknown.
    """
    for line in lines:
        if line.verdict == "rows-incomplete":
            yield Note("rows-incomplete", line.note, ALL)
        if line.verdict == "differs":
            about = frozenset({line.about}) if line.about else frozenset()
            detail = f"reported {line.metric} {line.reported}, recomputed {line.recomputed}"
            yield Note("differs", detail, about)


def _shown(reported: object) -> float | int | str:
    """Return a number as it is, and anything else as short text."""
    if isinstance(reported, float | int) and not isinstance(reported, bool):
        return reported
    return str(reported)[:60]


def _verdict(reported: float, recomputed: float, noise: float) -> Verdict:
    if reported == recomputed:
        return "exact"
    near = abs(reported - recomputed) <= noise * max(abs(reported), abs(recomputed))
    return "float-noise" if near else "differs"
