"""A check from pages to outcome: what is set aside, what a baseline holds, what was not looked at.

Pages are judged by `claims.checks.page`; here their findings get places, and their ignores and
the baseline are applied. What a rule found is never changed on the way, only sorted.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from claims.checks import baseline as baselines
from claims.checks import ignoring
from claims.checks.baseline import Baseline
from claims.checks.ignoring import Directive
from claims.checks.placing import Lines
from claims.formats.outcome import Finding, Outcome, Page
from claims.rules import UNBOUND, Refusal
from receipts.workspace import FILE

_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)


class Judged(Protocol):
    """What a checker says of one page: its findings and its denominators."""

    @property
    def findings(self) -> list[Refusal]:
        """Every finding in the order of the page; one that is only counted has no message."""

    @property
    def finding_count(self) -> int:
        """How many findings there are."""

    @property
    def checked(self) -> int:
        """How many things were looked at."""

    def settle(self, counted: list[Refusal], ignored: int, more: int = 0) -> None:
        """Keep only the findings that count, and `more`; so many unbound numbers are ignored."""

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


@dataclass(frozen=True)
class _Judged:
    """A judged page; its text is kept where something was found on it."""

    name: str
    path: str
    source: str | None
    directives: list[Directive]
    judged: Judged


class Check:
    """Collects judged pages one by one, and then tells the outcome.

    What pages say against each other may be added to the findings of a page until the outcome is
    asked for; `reread` gives the text of a page on which nothing was found before.
    """

    def __init__(self, run: Run, reread: Callable[[str], str]) -> None:
        self._run = run
        self._reread = reread
        self._judged: list[_Judged] = []
        self._images = 0
        self._code = 0

    def add(self, name: str, source: str, judged: Judged) -> None:
        """Take a judged page."""
        directives = ignoring.read(name, source)
        kept = source if judged.finding_count or directives else None
        self._judged.append(_Judged(name, self._path(name), kept, directives, judged))
        self._images += source.count("![")
        self._code += len(_FENCE.findall(source)) // 2 if "```" in source or "~~~" in source else 0

    def outcome(self, standing: str) -> Outcome:
        """Return what all pages came to; `standing` is the line on the ledger."""
        pages = tuple(self._page(one) for one in self._judged)
        faults = self._run.baseline.faults if self._run.baseline else ()
        return Outcome(
            pages,
            (*map(_unplaced, faults), *self._nothing(pages)),
            standing,
            tuple(self._not_checked()),
            self._partial() if self._is_partial else None,
        )

    def _page(self, one: _Judged) -> Page:
        """Return a page with its findings sorted: those that count, those ignored, those held."""
        if not (one.judged.finding_count or one.directives or self._run.baseline):
            return Page(one.name, one.path, one.judged.view(), one.judged.summary())
        lines = Lines(self._reread(one.name) if one.source is None else one.source)
        done = ignoring.sort(
            one.name, one.judged.findings, one.directives, whole=not self._is_partial
        )
        ignored = tuple(
            replace(_placed(refusal, one.name, one.path, lines), reason=reason)
            for refusal, reason in done.ignored
            if refusal.message
        )
        told = [refusal for refusal in done.counted if refusal.message]
        found = [_placed(refusal, one.name, one.path, lines) for refusal in told]
        counted, held = self._held(sorted(found, key=_position), one.path)
        set_aside = sum(refusal.code == UNBOUND for refusal, _ in done.ignored)
        more = len(done.counted) - len(told), len(done.ignored) - len(ignored)
        one.judged.settle([finding.refusal for finding in counted], set_aside, more[0])
        view, summary = one.judged.view(), one.judged.summary()
        return Page(one.name, one.path, view, summary, counted, ignored, held, *more)

    def _held(
        self, found: list[Finding], path: str
    ) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        if self._run.baseline is None:
            return tuple(found), ()
        done = baselines.hold(self._run.baseline, found, [path])
        return (*done.counted, *map(_unplaced, done.stale)), tuple(done.held)

    @property
    def _is_partial(self) -> bool:
        covered = self._run.named and self._run.named <= {one.path for one in self._judged}
        return self._run.given and not covered

    def _path(self, name: str) -> str:
        path = os.path.relpath(Path.cwd() / name, self._run.root)
        return Path(path).as_posix()

    def _nothing(self, pages: Sequence[Page]) -> Iterator[Finding]:
        if not pages:
            message = "no Markdown page was found where there was to check"
            yield Finding(Refusal("CLM001", message), "", FILE)
        elif not any(one.judged.checked for one in self._judged) and not any(
            p.findings or p.more for p in pages
        ):
            message = "nothing was checked: no number with a unit and no marker was found"
            yield Finding(Refusal("CLM002", message), "", FILE)

    def _partial(self) -> str:
        known = self._run.named
        seen = len(known & {one.path for one in self._judged})
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
