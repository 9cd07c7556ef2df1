"""What a page states without digits, against its markers: unbound, or bound to too little."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from claims.checks import leaning, support, worded
from claims.checks.governed import Governed, Span
from claims.markers.binding import Bound
from claims.pages.document import Document
from claims.registers import breadth, wording
from claims.rules import Refusal
from claims.words.wordless import Wordless
from receipts import late as re

if TYPE_CHECKING:
    from claims.checks.offer import Offer
    from claims.judging.judge import Judgement


class Known(NamedTuple):
    """The claims of a page: how each was judged, what it offers, and the offers in their order."""

    judged: Mapping[str, Judgement]
    offers: Mapping[str, Offer]
    others: Sequence[Offer]


def findings(
    name: str,
    page: Document,
    bound: Iterable[Bound],
    words: Iterable[Wordless],
    known: Known,
    named: Set[str | None],
) -> Iterator[Refusal]:
    """Yield the refusals of the claiming words of a page.

    `bound` is what claims govern. A word whose place is among the `named`, those of findings, needs
    no second refusal.
    """
    governed = Governed(page, bound)
    for _, group in groupby(words, key=lambda word: (word.block, word.sentence_start)):
        said = list(group)
        beside = _by_claim(governed.beside(said[0]))
        for claim in beside:
            judgement = known.judged.get(claim)
            if judgement and judgement.values:
                told = _of_claim((name, page), said, claim, beside, known)
                yield from (one for one in told if one.place not in named)
        if not beside:
            yield _unbound(name, said)


Beside = Mapping[str, Sequence[Span]]
"""The claims of a sentence, each with what it governs there."""


def _by_claim(spans: Iterable[Span]) -> Beside:
    found: dict[str, list[Span]] = {}
    for one in spans:
        found.setdefault(one.bound.claim, []).append(one)
    return found


def _of_claim(
    place: tuple[str, Document], said: list[Wordless], claim: str, beside: Beside, known: Known
) -> Iterator[Refusal]:
    """Yield what a claim does not bear of the words that its markers bind."""
    name, page = place
    judgement, given = known.judged[claim], known.offers.get(claim)
    asked = [word for word in said if _is_asked(word, claim, beside)]
    if given is None or not all(one.bound.worded for one in beside[claim]):
        others = (other for other in beside if other != claim and other in known.judged)
        compares = any(_compares(known.judged[one], beside[one]) for one in others)
        yield from _unsupported(name, asked, judgement, beside=compares)
        return
    # What the judge says of a claim is told at its markers.
    told = {refusal.code for refusal in judgement.refusals}
    for word, (code, message) in worded.objections(page, asked, judgement, given, known.others):
        is_wide = word.kind == "general" and breadth.says_more(word.sentence) is not None
        if not is_wide and code not in told:
            yield Refusal(code, message, claim, f"{name}:{word.line}:{word.column}")


def _compares(judgement: Judgement, ones: Sequence[Span]) -> bool:
    """Say whether a claim beside a level gives it something to be compared with."""
    return judgement.claim.kind != "level" or not all(one.bound.worded for one in ones)


def _is_asked(word: Wordless, claim: str, beside: Beside) -> bool:
    """Say whether a claim answers for a word: another may hold it with a marker for its words."""
    holding = [
        claim
        for claim, ones in beside.items()
        for one in ones
        if one.bound.worded and one.holds(word)
    ]
    return not holding or claim in holding


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
        return leaning.moves(word.word, down=falls)
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
