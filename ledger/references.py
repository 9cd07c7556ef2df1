"""Which row of a campaign corrects which, by what the rows themselves say.

`superseded by r59b` in row r59, or `correction of r59` in row r59b, ties the two. Only a step that
exists, and only once, is a target: "superseded by the raw line" ties nothing. Where the clause
names another step as its subject ("r59 was corrected in r59b", written in r60), that one is meant.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ledger import quantity

MAX_REASON = 300


@dataclass(frozen=True, slots=True)
class Link:
    """Row `correcting` corrects row `corrected` (numbers from 1); `reason` quotes what says so."""

    kind: Literal["correction", "superseded"]
    correcting: int
    corrected: int
    correcting_step: str
    corrected_step: str
    reason: str


def find(steps: Sequence[str], cells: Sequence[Iterable[str]]) -> list[Link]:
    """Return the links that the cells of the rows state, each pair once, in order of the rows."""
    names = _names(steps)
    if not names:
        return []
    anyone = re.compile(
        r"(?<![\w.-])(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")"
        r"(?![\w-]|\.\w)",
        re.IGNORECASE,
    )
    links: dict[tuple[int, int], Link] = {}
    for number, texts in enumerate(cells, 1):
        for text in texts:
            for kind, correcting, corrected, reason in _stated(text, number, names, anyone):
                pair = correcting, corrected
                if correcting != corrected and pair[::-1] not in links:
                    ends = steps[correcting - 1], steps[corrected - 1]
                    links.setdefault(pair, Link(kind, correcting, corrected, *ends, reason))
    return list(links.values())


_Stated = tuple[Literal["correction", "superseded"], int, int, str]


def _stated(
    text: str, number: int, names: dict[str, int], anyone: re.Pattern[str]
) -> Iterator[_Stated]:
    text = quantity.plain(text)
    for phrase in _PHRASE.finditer(text):
        clause = _BREAK.split(text[: phrase.start()])[-1]
        subjects = [names[m[0].lower()] for m in anyone.finditer(clause)]
        own = subjects[-1] if subjects else number
        for target in _targets(text, phrase.end(), names, anyone):
            pair = (target, own) if phrase["passive"] else (own, target)
            kind: Literal["correction", "superseded"] = (
                "superseded" if "supersede" in phrase[0].lower() else "correction"
            )
            yield kind, *pair, _reason(text, phrase)


def _targets(
    text: str, position: int, names: dict[str, int], anyone: re.Pattern[str]
) -> Iterator[int]:
    while match := anyone.match(text, position):
        called = _CALLED.search(text, max(0, position - 8), position)
        # A bare number counts something; only "step 12" names a step.
        if match[0].isdigit() and not called:
            return
        yield names[match[0].lower()]
        joint = _JOINT.match(text, match.end())
        if not joint:
            return
        position = joint.end()


def _reason(text: str, phrase: re.Match[str]) -> str:
    """Return the part of the cell in which the phrase stands, whole up to the next semicolon."""
    start = text.rfind(";", 0, phrase.start()) + 1
    end = text.find(";", phrase.end())
    part = " ".join(text[start : end if end >= 0 else len(text)].split())
    return part if len(part) <= MAX_REASON else part[: MAX_REASON - 1] + "…"


def _names(steps: Sequence[str]) -> dict[str, int]:
    """Return the row of each name that means one row only, in lower case."""
    rows: dict[str, set[int]] = {}
    for number, step in enumerate(steps, 1):
        short = re.sub(r"\s*\(.*?\)", "", step)
        for name in {step, short, *re.split(r"\s*[/–,]\s*", short)}:
            if name.strip():
                rows.setdefault(name.strip().lower(), set()).add(number)
    return {name: next(iter(found)) for name, found in rows.items() if len(found) == 1}


_PHRASE = re.compile(
    r"""(?<!\w)(?:
      (?P<passive> (?:superseded|corrected|retracted|withdrawn|restated|amended|voided|overturned)
          \s+(?:by|in)\s+ )
    | (?:correction|retraction|restatement|amendment)\s+(?:of|to)\s+
    | (?:corrects|supersedes|retracts|restates|amends|voids|overturns)\s+
    )(?:(?:the|step|row|entry|round)\s+)*["“'#\[]?""",
    re.VERBOSE | re.IGNORECASE,
)
_CALLED = re.compile(r"(?:step|row|entry|round)\s+[\"“'#\[]?$|#$", re.IGNORECASE)
_BREAK = re.compile(r"[.;:—](?=\s)|[()]")
_JOINT = re.compile(r"\s*(?:,|/|and|&)\s*")
