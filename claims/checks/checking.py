"""A check from pages to outcome: what is set aside, what a baseline holds, what was not looked at.

Pages are judged by `claims.checks.page`; here their findings get places, and their ignores and
the baseline are applied. What a rule found is never changed on the way, only sorted.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from receipts.files import CONFIGURATION as FILE

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
    """A judged page, with its `found` findings while it has no more than `count`.

    Its text is kept where ignores or a baseline sort its findings at the end.
    """

    name: str
    path: str
    source: str | None
    directives: list[Directive]
    judged: Judged
    found: tuple[Finding, ...] | None
    count: int


class Check:
    """Collects judged pages one by one, and then tells the outcome.

    What pages say against each other may be added to the findings of a page until the outcome is
    asked for; `reread` gives the text of a page again of which only the findings were kept.
    """

    def __init__(self, run: Run, reread: Callable[[str], str]) -> None:
        self._run = run
        self._reread = reread
        self._judged: list[_Judged] = []
        self._images = 0
        self._code = 0

    def add(self, name: str, source: str, judged: Judged) -> None:
        """Take a judged page."""
        directives, path = ignoring.read(name, source), self._path(name)
        # What nothing can set aside or hold is placed at once, and the text need not be kept.
        is_sorted = not directives and self._run.baseline is None
        found = _all_placed(judged.findings, name, path, Lines(source)) if is_sorted else None
        kept = None if is_sorted else source
        count = judged.finding_count
        self._judged.append(_Judged(name, path, kept, directives, judged, found, count))
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
        if one.found is not None and one.count == one.judged.finding_count:
            view, summary = one.judged.view(), one.judged.summary()
            left = one.count - len(one.found)
            return Page(one.name, one.path, view, summary, one.found, more=left)
        lines = Lines(self._reread(one.name) if one.source is None else one.source)
        done = ignoring.sort(
            one.name, one.judged.findings, one.directives, whole=not self._is_partial
        )
        ignored = tuple(
            replace(_placed(refusal, one.name, one.path, lines), reason=reason)
            for refusal, reason in done.ignored
            if refusal.message
        )
        found = _all_placed(done.counted, one.name, one.path, lines)
        counted, held = self._held(found, one.path)
        set_aside = sum(refusal.code == UNBOUND for refusal, _ in done.ignored)
        more = len(done.counted) - len(found), len(done.ignored) - len(ignored)
        one.judged.settle([finding.refusal for finding in counted], set_aside, more[0])
        view, summary = one.judged.view(), one.judged.summary()
        return Page(one.name, one.path, view, summary, counted, ignored, held, *more)

    def _held(
        self, found: tuple[Finding, ...], path: str
    ) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        if self._run.baseline is None:
            return found, ()
        done = baselines.hold(self._run.baseline, list(found), [path])
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


def _all_placed(
    refusals: Iterable[Refusal], name: str, path: str, lines: Lines
) -> tuple[Finding, ...]:
    """Return those that are told in words, placed, in the order of the page."""
    found = [_placed(refusal, name, path, lines) for refusal in refusals if refusal.message]
    return tuple(sorted(found, key=_position))


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
