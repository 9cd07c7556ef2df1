"""How often something was measured, as a page tells it, against what the evidence has.

A level has `n` repetitions. A change has `n` pairs, which are twice as many runs: "over twelve
runs" is true of six pairs, "six pairs", "n = 6" and "medians of 6 each" are of the pairs alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from claims.checks.counts import Count
from claims.checks.offer import Offer
from receipts import late as re

_ALL_RUNS = re.compile(
    r"\s+(?:[a-z-]+\s+){0,2}(?:runs?|measurements?|repetitions?)\b(?!\s+each\b)", re.I
)
_OF_ONE_ARM = re.compile(r"\b(?:medians?|means?|averages?|p\d\d|best|n)\s*(?:of|over|=)\s*\Z", re.I)
_HEADER = re.compile(
    r"\s*(?:n|(?:number\s+of\s+)?(?:runs|reps|repeats|repetitions|samples|trials)"
    r"|n\s*\((?:runs|reps|repetitions|samples)\))\s*",
    re.IGNORECASE,
)
_NAMES = ("repetition", "runs", "reps", "repeats", "samples", "trials", "rounds", "pairs")


def known(offers: Iterable[Offer | None]) -> set[int]:
    """Return how many repetitions these claims have; a claim without a value has none."""
    return {one.n for one in offers if one is not None and one.n}


def fits(count: Count, text: str, offers: Iterable[Offer | None]) -> bool:
    """Say whether a count, told in `text`, is that of one of the claims."""
    given = [one for one in offers if one is not None and one.n]
    if count.least:
        return any(one.n >= count.value for one in given)
    if any(one.n == count.value for one in given):
        return True
    all_runs = _ALL_RUNS.match(text, count.end) and not _OF_ONE_ARM.search(text, 0, count.start)
    return bool(all_runs) and any(2 * one.n == count.value for one in given if one.kind != "level")


def is_header(text: str) -> bool:
    """Say whether the cells below a header are numbers of repetitions: `n`, `runs`."""
    return _HEADER.fullmatch(text) is not None


def is_named(names: Iterable[str]) -> bool:
    """Say whether one of these facts is a number of repetitions."""
    return any(name == "n" or any(part in name.lower() for part in _NAMES) for name in names)


def told(offers: Iterable[Offer | None]) -> str:
    """Return in words how many repetitions the claims have."""
    return " or ".join(map(str, sorted(known(offers))))
