"""SARIF 2.1.0, as GitHub's code scanning accepts it.

* Columns count code points and start at 1; a region with an end never ends before it starts.
* `partialFingerprints.primaryLocationLineHash` is the fingerprint of our own baseline, with a
  counter for equal ones, so that an alert follows its sentence and not its line.
* Only failures are results; what a page sets aside carries its reason as a suppression.
* GitHub takes 25,000 results of a run and shows 5,000; so many are written, those that count
  first, and a notification says how many there were.
"""

from collections import Counter
from collections.abc import Iterable
from importlib.metadata import version
from itertools import islice
from typing import Any
from urllib.parse import quote

from claims.formats.outcome import Finding, Outcome
from claims.rulebook.model import Rule
from claims.rules import RULES
from receipts import exits

RESULTS = 5_000
_ROOT = "%SRCROOT%"
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def value(outcome: Outcome) -> dict[str, Any]:
    """Return the log with its one run."""
    counted = ((finding, None) for finding in outcome.findings)
    ignored = ((finding, "inSource") for finding in outcome.ignored)
    held = ((finding, "external") for finding in outcome.held)
    all_of_them = [*counted, *ignored, *held]
    chosen = list(islice(all_of_them, RESULTS))
    codes = sorted({finding.refusal.code for finding, _ in chosen})
    run = {
        "tool": {"driver": _driver(codes)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "where evidence.yaml lies"}}},
        "invocations": [_invocation(outcome, len(chosen), len(all_of_them))],
        "results": _results(chosen, codes),
        "properties": {"totals": outcome.totals, "notChecked": list(outcome.not_checked)},
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _driver(codes: Iterable[str]) -> dict[str, Any]:
    return {
        "name": "evidence-ledger claims",
        "semanticVersion": version("evidence-ledger"),
        "rules": [_rule(RULES[code]) for code in codes],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    lines = [rule.why, "", rule.remedy, "", rule.standing]
    for name, example in (("Bad", rule.bad), ("Good", rule.good)):
        lines += ["", f"{name}:", "", *(f"    {line}" for line in example.splitlines())]
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": f"{rule.code} {rule.name}"},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why} {rule.remedy}", "markdown": "\n".join(lines)},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["claims"], "precision": "very-high", "problem.severity": "error"},
    }


def _invocation(outcome: Outcome, written: int, total: int) -> dict[str, Any]:
    told = list(outcome.closing())
    if written < total:
        told.insert(0, f"{written} of {total} results are written, which is what GitHub shows")
    return {
        "executionSuccessful": outcome.code in (exits.OK, exits.NO),
        "exitCode": outcome.code,
        "toolExecutionNotifications": [{"level": "note", "message": {"text": t}} for t in told],
    }


def _results(chosen: Iterable[tuple[Finding, str | None]], codes: list[str]) -> list[Any]:
    seen: Counter[str] = Counter()
    index = {code: number for number, code in enumerate(codes)}
    done = []
    for finding, kind in chosen:
        result = _result(finding, index[finding.refusal.code], seen)
        if kind:
            suppression = {"kind": kind, "justification": finding.reason}
            result["suppressions"] = [{**suppression, "status": "accepted"}]
        done.append(result)
    return done


def _result(finding: Finding, index: int, seen: Counter[str]) -> dict[str, Any]:
    fingerprint = finding.fingerprint
    seen[fingerprint] += 1
    return {
        "ruleId": finding.refusal.code,
        "ruleIndex": index,
        "level": finding.refusal.severity,
        "message": {"text": f"{finding.message} – {RULES[finding.refusal.code].remedy}"},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {"primaryLocationLineHash": f"{fingerprint}:{seen[fingerprint]}"},
    }


def _location(finding: Finding) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(1, finding.line)}
    if finding.column:
        region |= {"startColumn": finding.column}
        region |= {"endColumn": max(finding.end_column, finding.column + 1)}
    if finding.text and len(finding.text) <= 1000:
        region["snippet"] = {"text": finding.text}
    artifact = {"uri": quote(finding.path), "uriBaseId": _ROOT}
    return {"artifactLocation": artifact, "region": region}
