"""GitHub's workflow commands, and the summary of a job.

GitHub shows ten errors of a step and fifty of a job, and drops the rest without a word: the first
ten are written as annotations, and a notice says how many there are.
"""

import re
from collections import Counter
from collections.abc import Iterator

from claims.formats import concise
from claims.formats.outcome import Finding, Outcome
from claims.rules import RULES

ANNOTATIONS = 10
SUMMARY_BYTES = 1024 * 1024
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+.!|~@$-])")


def lines(outcome: Outcome) -> Iterator[str]:
    """Yield annotations, then every finding in one line, then the closing block."""
    for finding in outcome.findings[:ANNOTATIONS]:
        yield annotation(finding)
    more = len(outcome.findings) - ANNOTATIONS
    if more > 0:
        told = f"{ANNOTATIONS} of {len(outcome.findings)} findings are annotated; the log has all"
        yield f"::notice title=claims check::{_data(told)}"
    # A page may be called so that its line would be read as a command.
    yield from (f"· {x}" if x.startswith("::") else x for x in concise.lines(outcome))


def annotation(finding: Finding) -> str:
    """Return the workflow command that puts the finding on its line."""
    place: dict[str, str | int] = {}
    if finding.line:
        place = {"file": finding.path, "line": finding.line, "endLine": finding.line}
        place |= {"col": finding.column, "endColumn": finding.end_column}
    place["title"] = finding.title
    told = ",".join(f"{name}={_property(str(value))}" for name, value in place.items())
    message = f"{finding.message}\n{RULES[finding.refusal.code].remedy}"
    return f"::{finding.refusal.severity} {told}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(outcome: Outcome, room: int = SUMMARY_BYTES) -> str:
    """Return the job's summary in Markdown, what was left out counted; empty if no room is left."""
    head = ["## claims check", ""]
    closing = ["", *(f"- {_cell(line)}" for line in outcome.closing()), ""]
    rows = [] if not outcome.findings else ["| where | rule | what |", "| --- | --- | --- |"]
    kept = "\n".join([*head, *rows, *closing])
    left = room - len(kept.encode()) - 200
    body: list[str] = []
    for number, finding in enumerate(outcome.findings):
        row = _row(finding)
        left -= len(row.encode()) + 1
        if left < 0:
            body += ["", f"{len(outcome.findings) - number} more findings do not fit in here."]
            break
        body.append(row)
    text = "\n".join([*head, *_counted(outcome), *rows, *body, *closing])
    return text if len(text.encode()) <= room else ""


def _counted(outcome: Outcome) -> Iterator[str]:
    counts = Counter(finding.title for finding in outcome.findings)
    if counts:
        told = ", ".join(f"{count} × {title}" for title, count in counts.most_common(20))
        yield f"**Refused:** {told}"
        yield ""


def _row(finding: Finding) -> str:
    place = finding.path + (f":{finding.line}:{finding.column}" if finding.line else "")
    return f"| {_cell(place)} | {_cell(finding.title)} | {_cell(finding.message)} |"


def _cell(text: str) -> str:
    """Return the text so that nothing of it is read as Markdown, HTML, a mention or a bar."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
