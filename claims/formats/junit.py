"""JUnit XML: a suite for each page, a failed case for each finding, a skipped one where set aside.

The elements and attributes are those that Jenkins, GitLab and GitHub's reporters read.
"""

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from claims.formats.outcome import Finding, Outcome, Page
from claims.rules import RULES

# What XML 1.0 has no way to write.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def lines(outcome: Outcome) -> Iterator[str]:
    """Yield the document line by line."""
    suites = [list(_page(page)) for page in outcome.pages]
    beyond = list(_suite("evidence.yaml", outcome.beyond, ())) if outcome.beyond else []
    failures = len(outcome.findings)
    skipped = len(outcome.ignored) + len(outcome.held)
    passed = sum(not page.findings for page in outcome.pages)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    counts = _counts(failures, skipped, passed)
    # The root has no `skipped` in the schema that Jenkins validates against.
    del counts["skipped"]
    yield _open("testsuites", name="claims check", **counts)
    for suite in (*suites, beyond):
        yield from suite
    yield "</testsuites>"


def _page(page: Page) -> Iterator[str]:
    return _suite(page.path, page.findings, (*page.ignored, *page.held), page.summary)


def _suite(
    name: str, failed: Sequence[Finding], skipped: Sequence[Finding], summary: str = ""
) -> Iterator[str]:
    passed = int(not failed)
    yield "  " + _open("testsuite", name=name, **_counts(len(failed), len(skipped), passed))
    if passed:
        yield f"    {_open('testcase', classname=name, name='nothing is refused')}</testcase>"
    for finding in failed:
        yield f"    {_case(finding)}"
        yield f"      {_open('failure', type=finding.title, message=finding.message)}"
        yield _text(finding.refusal.line())
        yield _text(RULES[finding.refusal.code].remedy)
        yield "      </failure>"
        yield "    </testcase>"
    for finding in skipped:
        yield f"    {_case(finding)}"
        yield f"      {_open('skipped', message=finding.reason)}</skipped>"
        yield "    </testcase>"
    if summary:
        yield f"    <system-out>{_text(summary)}</system-out>"
    yield "  </testsuite>"


def _case(finding: Finding) -> str:
    place = f"{finding.line}:{finding.column} " if finding.line else ""
    return _open("testcase", classname=finding.path, name=f"{place}{finding.title}")


def _counts(failures: int, skipped: int, passed: int) -> dict[str, str]:
    total = failures + skipped + passed
    counts = {"tests": total, "failures": failures, "errors": 0, "skipped": skipped}
    return {name: str(count) for name, count in counts.items()}


def _open(element: str, **attributes: str) -> str:
    told = "".join(f" {name}={quoteattr(_clean(text))}" for name, text in attributes.items())
    return f"<{element}{told}>"


def _text(text: str) -> str:
    return escape(_clean(text))


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
