"""What a reader must see beside a sentence: taints, blind fixtures, other windows, misses.

A sentence may hold and still rest on tainted runs, or on a fixture that cannot show a defect. Its
page says so in lines below it. In Markdown they carry no numbers: a number on a page is a claim.
"""

import re
from collections import Counter
from collections.abc import Iterator

from claims.judging.chain import Evidence
from claims.judging.judgement import Judgement
from claims.numerals import numbers

_MOST = 20
_CUT = "…"
_DIGITS = re.compile(r"(?<![\w.-])\d[\d.,:]*")


def lines(done: Judgement) -> list[str]:
    """Return the qualifiers of a judgement, most of them once, in a fixed order."""
    evidences = [part.evidence for part in done.evidence.parts if part.name == "ratio"]
    evidences = evidences or [done.evidence]
    links = [link for one in evidences for link in one.links]
    found = dict.fromkeys(_taints([link.detail for link in links if link.kind == "taint"]))
    found |= dict.fromkeys(line for one in evidences for line in _of_evidence(one))
    found |= dict.fromkeys(f"on condition: {one}" for one in done.conditions)
    found |= dict.fromkeys(done.spread)
    quoted = {(part.cell, part.metric) for part in done.evidence.parts}
    for miss in done.misses:
        if (miss.cell, miss.metric) not in quoted:
            found[f"the same plan missed: {miss.told()}"] = None
    left = len(found) - _MOST
    return [*list(found)[:_MOST], *([f"and {left} more"] if left > 0 else [])]


def on_page(line: str) -> str:
    """Return a qualifier as it stands on a Markdown page: its numbers left out."""
    for number in reversed(numbers.find(line)):
        line = f"{line[: number.start]}{_CUT}{line[number.after :]}"
    return _DIGITS.sub(_CUT, line)


def _taints(taints: list[str]) -> Iterator[str]:
    alike = Counter(on_page(taint) for taint in taints)
    for kind, count in alike.items():
        example = next(taint for taint in taints if on_page(taint) == kind)
        yield f"taint of {count} runs, such as: {example}" if count > 1 else f"taint: {example}"


def _of_evidence(evidence: Evidence) -> Iterator[str]:
    yield from (link.detail for link in evidence.links if link.kind == "note")
    window = evidence.window
    if window is None:
        return
    if window.fixture:
        for blind in window.fixture.cannot_see:
            yield f"the fixture cannot see {blind}"
