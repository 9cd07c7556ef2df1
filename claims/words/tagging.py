"""A sentence as a string of letters, one a word, so that grammar can be read off it.

::

    Our  decoder  never  falls behind  llama.cpp  on  any  prompt  .
     S      T       n         L            N       p   u      g    ,

The letters are those of `claims.words.letters`; a set phrase is one word, a mark is a comma, and a
number is ``#``.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import accumulate, chain, compress, pairwise
from operator import add, ne
from typing import TypeVar

from claims.pages.passages import STRUCK
from claims.words import subjects
from claims.words.letters import TABLE, letter
from receipts import late as re

_TOKEN = re.compile(r"[^\W_][\w]*(?:(?:[-./'+][\w]+)+|\+\+)?(?:'(?!\w))?|[^\w\s]|_+")
_SPELT = frozenset(subjects.SPELT.split())
# The first two words of the set phrases, with the words of the longest that starts so.
_PAIRS: dict[tuple[str, str], int] = {}
for _words in [one.split("-") for one in TABLE if "-" in one]:
    _pair = _words[0], _words[1]
    _PAIRS[_pair] = max(_PAIRS.get(_pair, 0), len(_words))
_FIRSTS = frozenset(first for first, _ in _PAIRS)
_LONGEST = max(_PAIRS.values())
# A metric of something neutral, or one that only gives something its name.
_NO_SUBJECT = re.compile(r"[MWO](?:(?<=z.)|(?=z)|(?=ød?z))")
_DIGITS = re.compile(r"[0-9]+")
_NAMES = frozenset("NMWOTRS")
_OF = frozenset(["of", "in", "on"])
_MOST = 16_384
_Value = TypeVar("_Value")


def _keep(kept: dict[str, _Value], chunk: str, found: _Value) -> None:
    if len(kept) >= _MOST:
        kept.clear()
    kept[chunk] = found


class _Chunks(dict[str, tuple[str, ...]]):
    """The words and marks of each stretch without white space that was met."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        found = tuple(_TOKEN.findall(chunk))
        if chunk != chunk.upper():
            _keep(self, chunk, found)
        return found


class _Letters(dict[str, str]):
    """Their letters, ``ø`` for what leads from a metric to its thing."""

    def __missing__(self, chunk: str) -> str:
        if chunk == chunk.upper():
            shape = _DIGITS.sub("0", chunk)
            if shape != chunk:
                return self[shape]  # all numbers of one shape have the same letters
        said = ((word, letter(word)) for word in _WORDS_OF[chunk])
        marked = ("ø" if word in _OF and one == "p" else one for word, one in said)
        found = "".join(marked)
        _keep(self, chunk, found)
        return found


class _Steps(dict[str, tuple[int, ...]]):
    """How far it is from each of its words to the next one, behind a space after the last."""

    def __missing__(self, chunk: str) -> tuple[int, ...]:
        *lengths, last = map(len, _WORDS_OF[chunk])
        found = (*lengths, last + 1)
        if chunk != chunk.upper():
            _keep(self, chunk, found)
        return found


# The words of a page come again and again: all but a few are looked up.
_WORDS_OF = _Chunks()
_LETTERS_OF = _Letters()
_STEPS_OF = _Steps()


def seen(chunks: Iterable[str]) -> set[str]:
    """Return letters that a sentence of these stretches in small letters may hold.

    Those of set phrases are left to `phrases`.
    """
    letters = set("".join(map(_LETTERS_OF.__getitem__, chunks)))
    if "ø" in letters:
        letters.add("p")
    return letters


def phrases(chunks: list[str]) -> set[str]:
    """Return letters that its set phrases may have."""
    letters: set[str] = set()
    for first, second in pairwise(chunks):
        if first in _FIRSTS and (first, second.rstrip(".,;:!?)")) in _PAIRS:
            letters.update(_phrases(first))
    return letters


@lru_cache(maxsize=1024)
def _phrases(first: str) -> str:
    """Return the letters of the set phrases that start with a word."""
    return "".join({TABLE[one] for one in TABLE if one.startswith(f"{first}-")})


class Tagged:
    """A sentence in its words: their `letters`, and where each of them starts and ends.

    `lowered` is the sentence `full` in small letters, `own` are more names. Where `spoken` strikes
    something out, it is code: a name is a name, and nothing else is said. `chunks` are its
    stretches without white space.
    """

    def __init__(self, full: str, lowered: str, spoken: str, own: tuple[str, ...] = ()) -> None:
        self._lowered = lowered
        self.chunks = lowered.split()
        letters = _spelt(self.chunks, lowered, full)
        if STRUCK in spoken:
            letters = self._struck(letters, spoken)
        self._joined = _joined(self._words, _names(own)) if own else _paired(self._words)
        if self._joined:
            letters = _replaced(letters, self._joined)
        if "z" in letters:
            letters = _NO_SUBJECT.sub("o", letters)
        self.letters = letters.replace("ø", "p")

    def _struck(self, letters: str, spoken: str) -> str:
        return "".join(
            "X" if spoken[one.start()] == STRUCK and said not in _NAMES else said
            for said, one in zip(letters, _TOKEN.finditer(self._lowered), strict=True)
        )

    @cached_property
    def _words(self) -> list[str]:
        """Its words and marks, those of set phrases apart."""
        return list(chain.from_iterable(map(_WORDS_OF.__getitem__, self.chunks)))

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word starts and ends."""
        if len(self._lowered) == sum(map(len, self.chunks)) + len(self.chunks) - 1:
            spans = self._evenly_spaced()
        else:
            spans = [one.span() for one in _TOKEN.finditer(self._lowered)]
        for _, first, end in reversed(self._joined):
            spans[first:end] = [(spans[first][0], spans[end - 1][1])]
        return spans

    def _evenly_spaced(self) -> list[tuple[int, int]]:
        """Return where the words stand where one space is between stretches."""
        steps = chain.from_iterable(map(_STEPS_OF.__getitem__, self.chunks))
        starts = list(accumulate(steps, initial=0))
        return list(zip(starts, map(add, starts, map(len, self._words)), strict=False))

    @cached_property
    def heads(self) -> list[str]:
        """What stands at each letter, of a set phrase its first word and a space."""
        heads = list(self._words)
        for _, first, end in reversed(self._joined):
            heads[first:end] = [f"{heads[first]} "]
        return heads


@lru_cache(maxsize=8)
def _names(own: tuple[str, ...]) -> frozenset[str]:
    return frozenset("-".join(_TOKEN.findall(name.lower())) for name in own)


def _spelt(chunks: list[str], lowered: str, full: str) -> str:
    """Return the letters of the stretches of a sentence, which is spelt as in `full`."""
    letters = list(map(_LETTERS_OF.__getitem__, chunks))
    is_plain = full[1:] == lowered[1:]
    given = full.split(maxsplit=1)[:1] if is_plain else full.split()
    for at in compress(range(len(given)), map(ne, chunks, given)):
        letters[at] = _capitals(given[at], letters[at], is_first=at == 0)
    return "".join(letters)


@lru_cache(maxsize=4096)
def _capitals(given: str, letters: str, *, is_first: bool) -> str:
    """Return the letters of a stretch without white space that is spelt with capitals."""
    found = _TOKEN.findall(given)
    return "".join(
        ("N" if word in _SPELT else "X" if one == "o" and (at or not is_first) else one)
        if word[0].isupper()
        else one
        for at, (word, one) in enumerate(zip(found, letters, strict=True))
    )


def _replaced(letters: str, joined: list[tuple[str, int, int]]) -> str:
    parts, done = [], 0
    for one, first, end in joined:
        parts += [letters[done:first], one]
        done = end
    return "".join((*parts, letters[done:]))


def _paired(found: list[str]) -> list[tuple[str, int, int]]:
    """Return the set phrases of a sentence: letter, first word, and the one behind."""
    if _PAIRS.keys().isdisjoint(pairwise(found)):
        return []
    joined: list[tuple[str, int, int]] = []
    done = 0
    for place, pair in enumerate(pairwise(found)):
        longest = _PAIRS.get(pair) if place >= done else None
        for count in range(min(longest or 0, len(found) - place), 1, -1):
            known = TABLE.get("-".join(found[place : place + count]))
            if known:
                done = place + count
                joined.append((known, place, done))
                break
    return joined


def _joined(found: list[str], own: frozenset[str]) -> list[tuple[str, int, int]]:
    """Return the same where the project has names of its own, which are looked for everywhere."""
    joined: list[tuple[str, int, int]] = []
    done = 0
    for place in range(len(found)):
        for count in range(min(_LONGEST, len(found) - place), 0, -1) if place >= done else ():
            phrase = "-".join(found[place : place + count])
            known = "N" if phrase in own else TABLE.get(phrase) if count > 1 else None
            if known:
                done = place + count
                joined.append((known, place, done))
                break
    return joined
