"""Conditions that are words: of two claims, one with `kv: f16`, the other's must not be named.

The register says which words are conditions: those of which claims have different ones under the
same name of their scopes. Where a sentence, or a row, names one of them, it is that of the claim
bound there; of several claims each has its own where the order says so (`deciding.paired`). A word
as people write it, such as "greedy", is the condition only beside its name: "lane greedy".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from claims.checks.deciding import paired
from claims.checks.view import View
from claims.judging import setting
from claims.markers.binding import Bound
from claims.registers import facts
from claims.rules import Refusal
from receipts import late as re

if TYPE_CHECKING:
    from claims.judging.judge import Judgement

_OF_THE_MODEL = re.compile(r"\s*(?:weights?|models?|checkpoints?)\b")
_CODED = re.compile(r"[\d_]")


class Alternatives:
    """The words of which the claims of a register have different ones, by the fact's name."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self.names = {name: _pattern(name, listed) for name, listed in words.items()}


def _pattern(name: str, words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the words where they are meant as this fact."""
    key = re.escape(name.rpartition("_")[2] or name)
    either = []
    for word in sorted(words, key=len, reverse=True):
        plain = re.escape(word)
        beside = (
            rf"(?<={key}[ ]){plain}|(?<={key}: ){plain}|(?<={key}=){plain}|{plain}(?=\s+{key}\b)"
        )
        either.append(plain if _CODED.search(word) else f"(?:{beside})")
    return re.compile(rf"(?<![\w.-])(?P<word>{'|'.join(either)})(?![\w-]|\.\w)", re.IGNORECASE)


class _Words(NamedTuple):
    """A clause or a row in which claims are bound; `start` is None where its places are a row's."""

    text: str
    ones: list[Bound]
    start: int | None


def findings(
    view: View, bound: Sequence[Bound], judged: Mapping[str, Judgement], known: Alternatives
) -> Iterator[Refusal]:
    """Yield the conditions of other claims that stand where a claim has its own."""
    if not known.names:
        return
    free = [one for one in bound if one.form != "table"]
    for words in (*_clauses(view, free), *_rows(view, free)):
        for name, pattern in known.names.items():
            if pattern.search(words.text):
                yield from _against(view, words, name, pattern, judged)


def _clauses(view: View, bound: Iterable[Bound]) -> Iterator[_Words]:
    text = view.page.text
    found: dict[tuple[int, int], list[Bound]] = {}
    for one in bound:
        start, stop = view.sentence(one.start)[0], view.sentence(max(one.start, one.stop - 1))[1]
        start = text.rfind(";", start, one.stop) + 1 or start
        end = text.find(";", one.stop, stop)
        found.setdefault((start, stop if end < 0 else end), []).append(one)
    for (start, stop), ones in found.items():
        yield _Words(text[start:stop], ones, start)


def _rows(view: View, bound: Iterable[Bound]) -> Iterator[_Words]:
    for one in bound:
        cell = view.page.cell(view.page.block_at(one.start))
        if cell is not None:
            table, here = cell
            heads = [*table.header, *([""] * len(table.rows[here.row]))]
            others = (f"{heads[c.column]}: {c.text}" for c in table.rows[here.row] if c != here)
            yield _Words(" | ".join((heads[here.column], *others)), [one], None)


def _against(
    view: View,
    words: _Words,
    name: str,
    pattern: re.Pattern[str],
    judged: Mapping[str, Judgement],
) -> Iterator[Refusal]:
    """Yield the words of one fact that are not those of the claims bound there."""
    found = [
        (match.start(), match["word"])
        for match in pattern.finditer(words.text)
        if not setting.is_aside(words.text, match.start())
        and not _OF_THE_MODEL.match(words.text, match.end())
    ]
    own = {one.claim: _own(judged[one.claim], name) for one in words.ones}
    results = [one for one in words.ones if own[one.claim]]
    if not found or not results:
        return
    pairs = _pairs(words, [place for place, _ in found], results, own)
    allowed = set[str]().union(*own.values())
    wrong = [
        (place, word, pairs.get(place, results[0]))
        for place, word in found
        if word.lower() not in (own[pairs[place].claim] if place in pairs else allowed)
    ]
    if pairs or len(wrong) == len(found):
        for place, word, one in wrong[: None if pairs else 1]:
            told = " or ".join(sorted(own[one.claim]))
            message = f"the evidence has {name} {told!r}, the page says {word!r}"
            yield Refusal("CLM201", message, one.claim, _place(view, words, place, one))


def _pairs(
    words: _Words, places: Sequence[int], results: Sequence[Bound], own: Mapping[str, set[str]]
) -> dict[int, Bound]:
    if words.start is None or len({frozenset(own[one.claim]) for one in results}) < len(results):
        return {}
    start = words.start
    return paired(words.text, places, results, lambda one: one.stop - start)


def _place(view: View, words: _Words, place: int, one: Bound) -> str:
    if words.start is None:
        return f"{view.name}:{one.line}:{one.column}"
    return view.place_at(words.start + place)


def _own(judgement: Judgement, name: str) -> set[str]:
    """Return the words that a claim has for a fact, of both sides and of every cell."""
    told = setting.told_by(judgement.claim, judgement.evidence)
    return {facts.text(one[name]).lower() for one in told if name in one}
