"""The debt of the first day: findings that a page may keep, in a file that only shrinks.

::

    {"version": 1, "total": 2, "findings": [
     {"file": "README.md", "code": "CLM101", "sentence": "It reaches 35 tok/s.", "count": 2}
    ]}

An entry is known by file, code, claim and sentence, never by a line. It holds as many findings as
it counts; one more is a finding as ever, and a changed sentence is another sentence. What no page
may set aside (`Rule.ignorable`) no baseline holds. `total` is the sum of the counts: an entry that
somebody added by hand does not agree with it.

Specification: docs/reference/output.md.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from claims.formats.outcome import Finding
from claims.rules import RULES, Refusal
from receipts import files
from receipts.errors import MalformedError

MAX_BYTES = 64 * 1024 * 1024


class Known(NamedTuple):
    """What a finding is known by."""

    file: str
    code: str
    claim: str
    sentence: str


@dataclass(frozen=True)
class Baseline:
    """How many findings of each kind are held; `name` is what the file is called."""

    name: str
    counts: Mapping[Known, int]
    total: int

    @property
    def faults(self) -> Iterator[Refusal]:
        """What is wrong with the file itself: rules that no baseline holds, entries by hand."""
        place = f"{self.name}:1:1"
        for code in sorted({known.code for known in self.counts}):
            if not _holdable(code):
                why = f"the baseline holds {code}, which is never set aside"
                yield Refusal("CLM092", why, place=place)
        found = sum(self.counts.values())
        if found != self.total:
            message = f"the entries count {found}, the file says {self.total}: edited by hand"
            yield Refusal("CLM095", message, place=place)

    def grown(self, older: "Baseline") -> Iterator[Refusal]:
        """Yield what this baseline holds beyond an older one."""
        for known, count in sorted(self.counts.items()):
            if count > older.counts.get(known, 0):
                yield _grown(known, count, older)


@dataclass(frozen=True)
class Held:
    """Findings sorted by a baseline: those that count, those held, and entries nothing fills."""

    counted: list[Finding]
    held: list[Finding]
    stale: list[Refusal]


def read(path: Path) -> Baseline:
    """Return the baseline in the file at `path`; a malformed one is an error."""
    text = files.text(path, MAX_BYTES, "baseline")
    try:
        value = json.loads(text)
        entries = [_entry(item) for item in value["findings"]]
        well_formed = value["version"] == 1 and type(value["total"]) is int
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MalformedError(f"{path}: not a baseline: {error!r}; write it anew") from error
    counts = Counter[Known]()
    for known, count in entries:
        counts[known] += count
    if not well_formed or len(counts) != len(entries) or min(counts.values(), default=1) < 1:
        raise MalformedError(f"{path}: not a baseline of version 1 with each finding once")
    return Baseline(str(path), counts, value["total"])


def of(name: str, findings: Iterable[Finding]) -> Baseline:
    """Return the baseline that holds these findings, as far as a baseline may hold them."""
    counts = Counter(known(f) for f in findings if _holdable(f.refusal.code))
    return Baseline(name, counts, counts.total())


def text(baseline: Baseline) -> bytes:
    """Return the bytes of the file: one finding a line, in order, so that a diff can be read."""
    lines = []
    for entry, count in sorted(baseline.counts.items()):
        fields: dict[str, Any] = {k: v for k, v in entry._asdict().items() if v}
        lines.append(json.dumps(fields | {"count": count}, ensure_ascii=False))
    head = f'{{"version": 1, "total": {sum(baseline.counts.values())}, "findings": ['
    return (head + ",".join(f"\n {line}" for line in lines) + "\n]}\n").encode()


def known(finding: Finding) -> Known:
    """Return what the finding is known by."""
    refusal = finding.refusal
    return Known(finding.path, refusal.code, refusal.claim or "", finding.sentence)


def hold(baseline: Baseline, findings: Iterable[Finding], pages: Iterable[str]) -> Held:
    """Sort the findings of `pages` by the baseline; entries of other pages are not judged."""
    left = Counter(baseline.counts)
    done = Held([], [], [])
    for finding in findings:
        entry = known(finding)
        if left[entry] > 0 and _holdable(entry.code):
            left[entry] -= 1
            done.held.append(replace(finding, reason=f"held by {baseline.name}"))
        else:
            done.counted.append(finding)
    checked = set(pages)
    rest = sorted((e, n) for e, n in left.items() if n > 0 and e.file in checked)
    done.stale.extend(_stale(baseline, entry, count) for entry, count in rest)
    return done


def shrunk(baseline: Baseline, held: Iterable[Finding], pages: Iterable[str]) -> Baseline:
    """Return the baseline without what `pages` no longer have, and nothing beyond it."""
    occurring = Counter(known(finding) for finding in held)
    checked = set(pages)
    counts = {
        entry: min(count, occurring[entry]) if entry.file in checked else count
        for entry, count in baseline.counts.items()
        if _holdable(entry.code)
    }
    kept = {entry: count for entry, count in counts.items() if count}
    return Baseline(baseline.name, kept, sum(kept.values()))


def _entry(item: Mapping[str, Any]) -> tuple[Known, int]:
    unknown = set(item) - {*Known._fields, "count"}
    if unknown or type(item["count"]) is not int:
        raise ValueError(f"an entry has {', '.join(sorted(unknown)) or 'no whole count'}")
    fields = (item["file"], item["code"], item.get("claim", ""), item["sentence"])
    if not all(isinstance(field, str) for field in fields):
        raise TypeError("file, code, claim and sentence are text")
    return Known(*fields), item["count"]


def _holdable(code: str) -> bool:
    return code in RULES and RULES[code].ignorable


def _grown(entry: Known, count: int, older: Baseline) -> Refusal:
    was = older.counts.get(entry, 0)
    message = f"{entry.code} in {entry.sentence!r}: {count} held, {was} before"
    return Refusal("CLM095", message, entry.claim or None, f"{entry.file}:1:1")


def _stale(baseline: Baseline, entry: Known, count: int) -> Refusal:
    message = f"{baseline.name} holds {count} more {entry.code} in {entry.sentence!r}"
    return Refusal("CLM096", message, entry.claim or None, f"{entry.file}:1:1")
