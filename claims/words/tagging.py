"""A sentence as a string of letters, one a word, so that grammar can be read off it.

::

    Our  decoder  never  falls behind  llama.cpp  on  any  prompt  .
     S      T       n         L            N       p   u      g    ,

The letters are those of `claims.words.letters`; a set phrase is one word, a mark is a comma, and a
number is ``#``.
"""

import re
from functools import cached_property, lru_cache
from itertools import pairwise

from claims.pages.passages import STRUCK
from claims.words import subjects
from claims.words.letters import TABLE, letter

_TOKEN = re.compile(r"[^\W_][\w]*(?:(?:[-./'+][\w]+)+|\+\+)?(?:'(?!\w))?|[^\w\s]|_+")
_SPELT = frozenset(subjects.SPELT.split())
# The words that set phrases start with, and their second words.
_PAIRS: dict[str, set[str]] = {}
for _first, _second, *_ in (one.split("-") for one in TABLE if "-" in one):
    _PAIRS.setdefault(_first, set()).add(_second)
_LONGEST = max(one.count("-") + 1 for one in TABLE)


def seen(lowered: str) -> set[str]:
    """Return letters that a sentence in small letters may hold, and often some more."""
    chunks = lowered.split()
    letters = {letter for chunk in chunks for letter in _pieces(chunk)[1]}
    for first, second in pairwise(chunks):
        if first in _PAIRS and second.rstrip(".,;:!?)") in _PAIRS[first]:
            letters.update(_phrases(first))
    return letters


@lru_cache(maxsize=16_384)
def _pieces(chunk: str) -> tuple[list[str], str]:
    """Return the words and marks of a stretch without white space, and their letters."""
    found = _TOKEN.findall(chunk)
    return found, "".join(map(letter, found))


@lru_cache(maxsize=1024)
def _phrases(first: str) -> str:
    """Return the letters of the set phrases that start with a word."""
    return "".join({TABLE[one] for one in TABLE if one.startswith(f"{first}-")})


class Tagged:
    """A sentence in its words: their `letters`, and where each of them starts and ends.

    `lowered` is the sentence `full` in small letters, `own` are more names. Where `spoken` strikes
    something out, it is code: a name is a name, and nothing else is said.
    """

    def __init__(self, full: str, lowered: str, spoken: str, own: tuple[str, ...] = ()) -> None:
        self._lowered = lowered
        self.words: list[str] = []
        said: list[str] = []
        for chunk, given in zip(lowered.split(), full.split(), strict=True):
            found, letters = _pieces(chunk)
            said += letters if chunk == given else _capitals(given, letters, len(said))
            self.words += found
        if STRUCK in spoken:
            self._strike(said, spoken)
        for at, one in enumerate(self.words):
            if one in _OF and said[at] == "p":
                said[at] = "ø"
        self._joined: list[tuple[str, int, int]] | None = None
        if own or _pairs(self.words):
            self._joined = _joined(self.words, said, _names(own))
            said = [letter for letter, _, _ in self._joined]
        self.letters = _NO_SUBJECT.sub("o", "".join(said)).replace("ø", "p")

    def _strike(self, said: list[str], spoken: str) -> None:
        for at, one in enumerate(_TOKEN.finditer(self._lowered)):
            if spoken[one.start()] == STRUCK and said[at] not in _NAMES:
                said[at] = "X"

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word starts and ends."""
        spans = [one.span() for one in _TOKEN.finditer(self._lowered)]
        if self._joined is None:
            return spans
        return [(spans[first][0], spans[last][1]) for _, first, last in self._joined]


def _pairs(found: list[str]) -> bool:
    """Say whether two words stand together as at the start of a set phrase."""
    return any(second in _PAIRS.get(first, ()) for first, second in pairwise(found))


# A metric of something neutral, or one that only gives something its name.
_NO_SUBJECT = re.compile(r"(?<=z)[MWO]|[MWO](?=z)|[MWO](?=ød?z)")
_NAMES = frozenset("NMWOTRS")
_OF = frozenset(["of", "in", "on"])


@lru_cache(maxsize=8)
def _names(own: tuple[str, ...]) -> frozenset[str]:
    return frozenset("-".join(_TOKEN.findall(name.lower())) for name in own)


def _capitals(given: str, letters: str, place: int) -> list[str]:
    """Return the letters of a stretch without white space that is spelt with capitals."""
    found = _TOKEN.findall(given)
    return [
        ("N" if word in _SPELT else "X" if one == "o" and place + at else one)
        if word[0].isupper()
        else one
        for at, (word, one) in enumerate(zip(found, letters, strict=True))
    ]


def _joined(found: list[str], said: list[str], own: frozenset[str]) -> list[tuple[str, int, int]]:
    """Return letters with the first and last word of each, set phrases joined."""
    joined: list[tuple[str, int, int]] = []
    place = 0
    while place < len(found):
        letter, last = said[place], place
        seconds = _PAIRS.get(found[place])
        if own or (seconds and place + 1 < len(found) and found[place + 1] in seconds):
            for count in range(min(_LONGEST, len(found) - place), 0, -1):
                phrase = "-".join(found[place : place + count])
                known = "N" if phrase in own else TABLE.get(phrase) if count > 1 else None
                if known:
                    letter, last = known, place + count - 1
                    break
        joined.append((letter, place, last))
        place = last + 1
    return joined
