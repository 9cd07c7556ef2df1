"""What a page states without digits, against its markers: unbound, or bound to too little."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from claims import support, wording
from claims.document import Document, Fragment
from claims.judge import Judgement
from claims.rules import Refusal
from claims.wordless import Wordless


def findings(
    name: str,
    page: Document,
    words: Iterable[Wordless],
    judged: Callable[[str], Judgement | None],
    told: Iterable[int],
) -> Iterator[Refusal]:
    """Yield the refusals of the claiming words of a page.

    `judged` gives the judgement of a claim, None for an unknown one. `told` are offsets of numbers
    that are refused as unbound: their sentences need no second refusal.
    """
    refused = sorted(told)
    markers = _Markers(page)
    for _, group in groupby(words, key=lambda word: (word.block, word.sentence_start)):
        said = list(group)
        claims = markers.claims(said[0])
        if claims:
            for claim in claims:
                judgement = judged(claim)
                if judgement and judgement.values:
                    yield from _unsupported(name, markers, said, judgement)
        elif not _holds(refused, said[0]):
            yield _unbound(name, said)


class _Markers:
    """The markers of a page, each with the rendered character that it stands behind."""

    def __init__(self, page: Document) -> None:
        pieces: dict[int, list[Fragment]] = {}
        for piece in sorted((*page.fragments, *page.code), key=lambda piece: piece.start):
            pieces.setdefault(piece.block, []).append(piece)
        self._behind: dict[int, list[tuple[int, str]]] = {}
        for marker in page.markers:
            own = pieces.get(marker.block, [])
            index = bisect_left(own, marker.start, key=lambda piece: piece.start) - 1
            if index >= 0:
                last = own[index]
                place = min(last.start + len(last.text), marker.start) - 1
                self._behind.setdefault(marker.block, []).append((place, marker.claim))

    def claims(self, word: Wordless) -> list[str]:
        """Return the claims whose markers stand in, or right behind, the sentence of the word."""
        start, end = word.sentence_start, word.sentence_end
        return list(dict.fromkeys(claim for _, claim in self._between(word.block, start, end)))

    def follow(self, word: Wordless) -> bool:
        """Say whether a marker stands behind the word in its sentence."""
        return bool(self._between(word.block, word.start, word.sentence_end))

    def _between(self, block: int, start: int, end: int) -> list[tuple[int, str]]:
        behind = self._behind.get(block, [])
        first = bisect_left(behind, start, key=lambda one: one[0])
        last = bisect_left(behind, end, key=lambda one: one[0])
        return behind[first:last]


def _unsupported(
    name: str, markers: _Markers, said: list[Wordless], judgement: Judgement
) -> Iterator[Refusal]:
    grounds = support.grounds(judgement)
    for word in said:
        why = support.unsupported(word, grounds)
        if why and not _is_refused_otherwise(markers, word, judgement):
            place = f"{name}:{word.line}:{word.column}"
            message = f"it says {word.word!r} of {word.about}; {why}"
            yield Refusal("CLM407", message, judgement.claim.id, place)


def _is_refused_otherwise(markers: _Markers, word: Wordless, judgement: Judgement) -> bool:
    """Say whether the judge or the marker's own check names this word already (CLM105, CLM203)."""
    if word.word.lower() in (judgement.sentence or "").lower() and (
        wording.says_faster(word.word) or wording.says_more(word.word)
    ):
        return True
    is_wide = word.kind == "general" and wording.says_more(word.sentence) is not None
    return is_wide and markers.follow(word)


def _unbound(name: str, said: list[Wordless]) -> Refusal:
    first, *others = said
    also = f", and {', '.join(repr(word.word) for word in others)}" if others else ""
    sentence = first.sentence if len(first.sentence) <= 80 else f"{first.sentence[:77]}…"
    message = f"it says {first.word!r} of {first.about}{also}: {sentence!r}"
    return Refusal("CLM406", message, place=f"{name}:{first.line}:{first.column}")


def _holds(offsets: list[int], word: Wordless) -> bool:
    """Say whether one of these offsets lies in the sentence of the word."""
    index = bisect_left(offsets, word.sentence_start)
    return index < len(offsets) and offsets[index] < word.sentence_end
