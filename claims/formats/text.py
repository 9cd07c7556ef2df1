"""The outcome for a person: each finding with its line and a caret, each remedy once."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from claims.formats.outcome import Finding, Outcome
from claims.rules import RULES, UNBOUND

_ALL = "--format concise lists all"
_BEFORE, _WIDTH = 60, 96


def lines(outcome: Outcome) -> Iterator[str]:
    """Yield findings, what was set aside, remedies, denominators and what was not checked."""
    for page in outcome.pages:
        yield from _told(page.findings)
        if page.more:
            yield f"{page.name}: …and {page.more} more {UNBOUND} on this page; {_ALL}"
    yield from _told(outcome.beyond)
    yield from _set_aside(outcome)
    counts = Counter(finding.refusal.code for finding in outcome.findings)
    counts[UNBOUND] += sum(page.more for page in outcome.pages)
    counts = +counts
    for code, count in sorted(counts.items()):
        yield f"{code} ({count}): {RULES[code].remedy}"
    if counts:
        yield "`claims explain CODE` says why, with an example of each."
    for page in outcome.pages:
        yield page.summary + (_put_aside(outcome) if len(outcome.pages) == 1 else "")
    # What is said of one page is said of all.
    yield from islice(outcome.closing(), len(outcome.pages) == 1, None)


def _put_aside(outcome: Outcome) -> str:
    """Return how many findings of the only page do not count, which its own summary leaves out."""
    ignored, held = outcome.totals["findings_ignored"], len(outcome.held)
    return f", {ignored} ignored, {held} held by the baseline" if ignored or held else ""


def _set_aside(outcome: Outcome) -> Iterator[str]:
    for page in outcome.pages:
        for finding in page.ignored:
            yield f"ignored: {finding.refusal.line()}; reason: {finding.reason}"
        if page.more_ignored:
            yield f"ignored: {page.name}: …and {page.more_ignored} more {UNBOUND}; {_ALL}"


def _told(findings: Iterable[Finding]) -> Iterator[str]:
    for finding in findings:
        yield finding.refusal.line()
        yield from quoted(finding)


def quoted(finding: Finding) -> Iterator[str]:
    """Yield the line of the page around the finding, and carets under its span."""
    if finding.refusal.snippet:
        yield f"    | {finding.refusal.snippet}"
    if not finding.text:
        return
    start = max(0, finding.column - 1 - _BEFORE)
    shown = finding.text[start : start + _WIDTH]
    before = ("…" if start else "") + finding.text[start : finding.column - 1]
    span = finding.text[finding.column - 1 : min(finding.end_column - 1, start + _WIDTH)]
    gutter = f"{finding.line:>5} | "
    after = "…" if len(finding.text) > start + _WIDTH else ""
    yield f"{gutter}{'…' if start else ''}{_visible(shown)}{after}".rstrip()
    yield f"{'':>5} | {' ' * width(before)}{'^' * max(1, width(span))}"


def width(text: str) -> int:
    """Return how many columns of a terminal the text takes as it is shown."""
    return sum(_columns(character) for character in _visible(text))


def _visible(text: str) -> str:
    """Return the text with a tab as one space, and what cannot be printed as a mark."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
