"""A check from pages to outcome: what is set aside, what a baseline holds, what was not looked at.

The pages are judged by `claims.page`; here their findings get places, and their ignores and the
baseline are applied. What a rule found is never changed on the way, only sorted.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from claims import baseline as baselines
from claims import ignoring
from claims.baseline import Baseline
from claims.formats.outcome import Finding, Outcome, Page
from claims.placing import Lines
from claims.rules import Refusal
from receipts.workspace import FILE

_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)


class Judged(Protocol):
    """What a checker says of one page: its findings and its denominators."""

    findings: list[Refusal]

    @property
    def checked(self) -> int:
        """How many things were looked at."""

    def view(self) -> dict[str, Any]:
        """Return the denominators as plain values."""

    def summary(self) -> str:
        """Return the denominators in one line."""


@dataclass(frozen=True)
class Run:
    """What a run is of: the root of the repository, the pages named there, and the baseline.

    `named` holds the documents of evidence.yaml as paths from the root; `given` says that the
    person named pages, and so perhaps not all.
    """

    root: Path
    named: frozenset[str] = frozenset()
    given: bool = False
    baseline: Baseline | None = None


class Check:
    """Collects judged pages one by one, and then tells the outcome."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pages: list[Page] = []
        self._judged: list[Judged] = []
        self._checked = 0
        self._images = 0
        self._code = 0

    def add(self, name: str, source: str, judged: Judged) -> None:
        """Take a judged page; the ignores on it are applied to its findings."""
        path, lines = self._path(name), Lines(source)
        directives = ignoring.read(name, source)
        sorted_ = ignoring.sort(name, judged.findings, directives, whole=not self._is_partial)
        judged.findings[:] = sorted_.counted
        findings = sorted((_placed(r, name, path, lines) for r in sorted_.counted), key=_position)
        ignored = tuple(
            replace(_placed(r, name, path, lines), reason=reason) for r, reason in sorted_.ignored
        )
        self._judged.append(judged)
        self._checked += judged.checked
        self._images += source.count("![")
        self._code += len(_FENCE.findall(source)) // 2 if "```" in source or "~~~" in source else 0
        view = judged.view()
        self._pages.append(Page(name, path, view, judged.summary(), tuple(findings), ignored))

    def outcome(self, standing: str) -> Outcome:
        """Return what all pages came to; `standing` is the line on the ledger."""
        pages, beyond = self._pages, list(self._nothing())
        if self._run.baseline:
            pages, more = self._held(self._run.baseline)
            beyond += more
        return Outcome(
            tuple(pages),
            tuple(beyond),
            standing,
            tuple(self._not_checked()),
            self._partial() if self._is_partial else None,
        )

    @property
    def _is_partial(self) -> bool:
        covered = self._run.named and self._run.named <= {page.path for page in self._pages}
        return self._run.given and not covered

    def _path(self, name: str) -> str:
        path = os.path.relpath(Path.cwd() / name, self._run.root)
        return Path(path).as_posix()

    def _nothing(self) -> Iterator[Finding]:
        if not self._pages:
            message = "no Markdown page was found where there was to check"
            yield Finding(Refusal("CLM001", message), "", FILE)
        elif not self._checked and not any(page.findings for page in self._pages):
            message = "nothing was checked: no number with a unit and no marker was found"
            yield Finding(Refusal("CLM002", message), "", FILE)

    def _held(self, baseline: Baseline) -> tuple[list[Page], list[Finding]]:
        pages = []
        beyond = [_unplaced(fault) for fault in baseline.faults]
        for page, judged in zip(self._pages, self._judged, strict=True):
            done = baselines.hold(baseline, page.findings, [page.path])
            counted = (*done.counted, *map(_unplaced, done.stale))
            judged.findings[:] = [finding.refusal for finding in counted]
            view, summary = judged.view(), judged.summary()
            page = replace(page, findings=counted, held=tuple(done.held))
            pages.append(replace(page, view=view, summary=summary))
        return pages, beyond

    def _partial(self) -> str:
        known = self._run.named
        seen = len(known & {page.path for page in self._pages})
        share = f"{seen} of the {len(known)} documents of {FILE} were given"
        told = share if known else f"{FILE} names no documents, so only the pages given were read"
        return f"partial run: {told}; what pages say against each other was not compared"

    def _not_checked(self) -> Iterator[str]:
        yield f"numbers drawn in images (images: {self._images})"
        yield f"numbers in code blocks (blocks: {self._code})"
        yield "pages that neither the command nor evidence.yaml names"


def standing_findings(outcome: Outcome) -> Iterator[Finding]:
    """Return what a baseline would have to hold: all findings of pages, held ones included."""
    return (one for page in outcome.pages for one in (*page.findings, *page.held))


def _placed(refusal: Refusal, name: str, path: str, lines: Lines) -> Finding:
    line, column = _numbers(refusal.place)
    if not line:
        return Finding(refusal, name, path)
    end = refusal.end_column or lines.end(line, column)
    sentence = lines.sentence(line, column)
    return Finding(refusal, name, path, line, column, end, lines.text(line), sentence)


def _unplaced(refusal: Refusal) -> Finding:
    file = (refusal.place or "").rsplit(":", 2)[0]
    return Finding(refusal, file, file, 1, 1, 2)


def _numbers(place: str | None) -> tuple[int, int]:
    parts = (place or "").rsplit(":", 2)
    if len(parts) != 3 or not (parts[1].isdigit() and parts[2].isdigit()):
        return 0, 0
    return int(parts[1]), int(parts[2])


def _position(finding: Finding) -> tuple[int, int]:
    return finding.line, finding.column
