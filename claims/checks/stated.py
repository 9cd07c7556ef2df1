"""What a page states without digits, against its markers: unbound, or bound to too little."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Set
from decimal import Decimal
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from claims.checks import support
from claims.markers.binding import Bound
from claims.pages.document import Document
from claims.registers import breadth, wording
from claims.rules import Refusal
from claims.words.wordless import Wordless
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judge import Judgement


def findings(
    name: str,
    page: Document,
    bound: Iterable[Bound],
    words: Iterable[Wordless],
    judged: Callable[[str], Judgement | None],
    named: Set[str | None],
) -> Iterator[Refusal]:
    """Yield the refusals of the claiming words of a page.

    `bound` is what claims govern. `judged` gives the judgement of a claim, None for an unknown one.
    A word whose place is among the `named`, those of findings, needs no second refusal.
    """
    governed = _Governed(page, bound)
    for _, group in groupby(words, key=lambda word: (word.block, word.sentence_start)):
        said = list(group)
        claims = governed.claims(said[0])
        if claims:
            for claim in claims:
                judgement = judged(claim)
                if judgement and judgement.values:
                    beside = len(claims) > 1
                    found = _unsupported(name, said, judgement, beside=beside)
                    yield from (one for one in found if one.place not in named)
        else:
            yield _unbound(name, said)


class _Governed:
    """What claims govern, as spans of the source in the order of their starts."""

    def __init__(self, page: Document, bound: Iterable[Bound]) -> None:
        spans = sorted(
            (page.offset(one.start), page.offset(max(one.start, one.stop - 1)) + 1, one.claim)
            for one in bound
            if not one.is_empty
        )
        self._spans = spans
        self._starts = [start for start, _, _ in spans]
        # No span before this one reaches further; so a search backwards knows when to stop.
        self._reach = list(accumulate((end for _, end, _ in spans), max))

    def claims(self, word: Wordless) -> list[str]:
        """Return the claims that govern something in the sentence of the word."""
        return list(dict.fromkeys(self._within(word.sentence_start, word.sentence_end)))

    def _within(self, start: int, end: int) -> list[str]:
        found = []
        for index in range(bisect_left(self._starts, end) - 1, -1, -1):
            if self._reach[index] <= start:
                break
            if self._spans[index][1] > start:
                found.append(self._spans[index][2])
        return found[::-1]


def _unsupported(
    name: str, said: list[Wordless], judgement: Judgement, *, beside: bool
) -> Iterator[Refusal]:
    grounds = support.grounds(judgement)
    for word in said:
        why = support.unsupported(word, grounds, beside=beside)
        if why and not _is_refused_otherwise(word, judgement):
            place = f"{name}:{word.line}:{word.column}"
            message = f"it says {word.word!r} of {word.about}; {why}"
            yield Refusal("CLM407", message, judgement.claim.id, place)


def _is_refused_otherwise(word: Wordless, judgement: Judgement) -> bool:
    """Say whether the judge or the marker's own check names this word already (CLM105, CLM203)."""
    if word.kind == "equal" and _is_multiple(word):
        return True
    if _is_of_a_number(word, judgement):
        return True
    if word.word.lower() in (judgement.sentence or "").lower() and (
        wording.says_faster(word.word) or wording.says_more(word.word)
    ):
        return True
    return word.kind == "general" and breadth.says_more(word.sentence) is not None


def _is_of_a_number(word: Wordless, judgement: Judgement) -> bool:
    """Say whether the word only leads to a number, which is judged as what it makes of it.

    "Never fell below 133.3" is a bound; "drops to 105.0" of a level says where it came to, and
    "falls from 35.2 to 33.4" is true of the two numbers.
    """
    at = word.sentence.find(word.word)
    behind = word.sentence[at + len(word.word) :] if at >= 0 else ""
    if word.kind in ("unchanged", "equal"):
        return _BOUNDS.search(word.word) is not None and _NUMBER.match(behind) is not None
    both = _FROM_TO.match(behind)
    if word.kind == "faster" and both:
        falls = Decimal(both["first"]) > Decimal(both["second"])
        return support.is_way(word.word, lower=falls)
    level = judgement.claim.kind == "level"
    return level and word.kind == "faster" and _TO_NUMBER.match(behind) is not None


_BOUNDS = re.compile(
    r"\b(?:below|above|under|over|than|slower|longer|lower|less|fewer"
    r"|exceed\w*)\Z",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:\s+than)?\s+(?:about\s+)?[-+−]?\.?\d")
_FROM_TO = re.compile(
    r"\s+from\s+(?:about\s+)?(?P<first>\d+(?:\.\d+)?)(?![\d,])[^;\d]{0,40}"
    r"\bto\s+(?:about\s+)?(?P<second>\d+(?:\.\d+)?)(?![\d,])"
)
_TO_NUMBER = re.compile(r"\s+(?:back\s+)?(?:up\s+|down\s+)?to\s+(?:about\s+)?[-+−]?\.?\d")


def _is_multiple(word: Wordless) -> bool:
    """Say whether a number makes a multiple of the words: `1.05× as fast as`."""
    at = word.sentence.find(word.word)
    return at > 0 and _MULTIPLE.search(word.sentence, 0, at) is not None


_MULTIPLE = re.compile(
    r"(?:\d\s*(?:[×xX%]|times|percent|per\s+cent)|\b(?:twice|thrice|half))\s*\Z", re.IGNORECASE
)


def _unbound(name: str, said: list[Wordless]) -> Refusal:
    first, *others = said
    also = f", and {', '.join(repr(word.word) for word in others)}" if others else ""
    sentence = first.sentence if len(first.sentence) <= 80 else f"{first.sentence[:77]}…"
    message = f"it says {first.word!r} of {first.about}{also}: {sentence!r}"
    return Refusal("CLM406", message, place=f"{name}:{first.line}:{first.column}")
