"""Whose number it is: the engine or arm that a sentence ties to each of its numbers.

::

    "Muser decodes at 35.2 tok/s, llama.cpp at 33.4."     the name before the number
    "35.2 tok/s for Muser and 33.4 (llama.cpp)"           the name behind a preposition
    "Muser and llama.cpp reach 35.2 and 33.4 tok/s"       one after the other
    "Over llama.cpp, Muser reaches 35.2 tok/s"            "over" names what it is held against
    "the lead of Muser over llama.cpp"                    a lead is of the one that leads
    "llama.cpp is outrun by Muser"                        in the passive, "by" names the winner

Where a sentence leaves it open, nothing is tied: the caller then has nothing to contradict.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from receipts import late as re


@dataclass(frozen=True, slots=True)
class Mention:
    """An arm named in a sentence, and whether it is only what something else is held against."""

    arm: str
    start: int
    end: int
    held_against: bool
    is_agent: bool = False
    """Whether something is done by it: `is outrun by llama.cpp`."""
    is_denied: bool = False
    """Whether it is said to be absent: `without the fused kernel`, `with fused turned off`."""


_AGAINST = re.compile(
    r"(?:\b(?:than(?:\s+(?:with|in|on|under|using|for))?|over|versus|vs\.?|against|compared\s+(?:with|to)|relative\s+to|outperforms?"
    r"|outruns?|outran|outpaces?|surpass(?:es)?|beats?|overtakes?|as\s+\w+\s+as|times|of|to)|[×x/])\s+(?:the\s+|that\s+of\s+|an?\s+|our\s+)?"
    r"(?:[\"'“`*]*)\Z",
    re.IGNORECASE,
)
# "The gain of Muser over llama.cpp": here "of" names the one that gains.
_LEAD = re.compile(
    r"\b(?:gain|lead|advantage|edge|speed-?up|margin|win|improvement|benefit|superiority|increase)s?"
    r"\s+(?:of|for|by)\s+(?:the\s+|our\s+)?(?:[\"'“`*]*)\Z",
    re.IGNORECASE,
)
# "The speed of Muser is 1.05× that of llama.cpp": at its head a clause says whose speed it is.
_HEAD = re.compile(
    r"(?:\A|[.;:,]\s)\s*(?:the\s+|our\s+)?(?:\w+\s+)?(?:speed|throughput|rate|performance|latency"
    r"|time(?:\s+per\s+token)?)\s+of\s+(?:the\s+|our\s+)?(?:[\"'“`*]*)\Z",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"\b(?:without|with\s+no|disabl(?:es?|ed|ing)|(?:turn|switch)(?:s|es|ed|ing)?\s+off|dropping"
    r"|remov(?:es?|ed|ing)|revert(?:s|ed|ing)?|undoing|skipping|sans)\s+(?:the\s+|our\s+|any\s+)?"
    r"(?:[\"'“`*]*)\Z",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"\A\s+(?:\w+\s+)?(?:(?:turned|switched)\s+off|off|disabled|removed|reverted)\b", re.IGNORECASE
)
# "1.86× the speed of plain" is held against plain, "the first token of plain" is its own.
_OF = re.compile(r"\bof\s+(?:the\s+|our\s+|an?\s+)?(?:[\"'“`*]*)\Z", re.IGNORECASE)
_SHARED = re.compile(
    r"\d|[%×]|\b(?:that|those|twice|thrice|half|doubles?|times|fraction|part|ahead|instead)\b",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(?:over|versus|vs\.?|against|on|compared|relative)\b", re.IGNORECASE)
_BEATEN = re.compile(
    r"\b(?:outrun|outperformed|outpaced|outdone|outclassed|beaten|bested|topped|surpassed"
    r"|overtaken|exceeded|eclipsed|trounced|dominated)"
    r"(?:(?:\s+by)?(?:\s+a\s+factor\s+of)?\s+[\d.,]+\s*[%×x]?)?\s+by\s+(?:the\s+|our\s+)?(?:[\"'“`*]*)\Z",
    re.IGNORECASE,
)
# "46.6 tok/s (plain: 25.0)": the name is of the number behind it.
_LABELS = re.compile(
    r"\A\s*(?:[:=]\s*|(?:at|has|had|is|was|reached|with)\s+)?[-+−–~≈]?\d", re.IGNORECASE
)
_BEHIND = re.compile(
    r"\A[^.;,:]{0,24}?(?:\b(?:for|by|with|on|in|from|using|under|of)\s+(?:the\s+)?|\(\s*)\Z",
    re.IGNORECASE,
)
_FAR = 160
_END_OF_CLAUSE = re.compile(r"[;:.,](?=\s)")
_PART = re.compile(r"[A-Za-z]+|\d+")


def pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds these names however they are joined and capitalised, None for no names."""
    told = _spoken(names)
    if not told:
        return None
    spelled = "|".join(f"(?P<n{i}>{spelt(name)})" for i, name in enumerate(told))
    # `llama` is not the engine in `Llama-3.1-8B`, but it is in `llama.cpp`.
    return re.compile(rf"(?<![\w-])(?:{spelled})(?!\w|[-.]?\d|-[A-Za-z])", re.IGNORECASE)


# The arms of a page's claims are looked for in each of its sentences.
@lru_cache(maxsize=256)
def _known(names: tuple[str, ...]) -> tuple[list[str], re.Pattern[str] | None]:
    return _spoken(names), pattern(names)


def _spoken(names: Iterable[str]) -> list[str]:
    """Return the names that can be found in a text, a longer one before what it begins with."""
    return sorted({name for name in names if _PART.search(name)}, key=len, reverse=True)


class Place(NamedTuple):
    """Where a text names an arm."""

    arm: str
    start: int
    end: int


def places(text: str, names: Sequence[str]) -> list[Place]:
    """Return where the text names one of the arms, in order."""
    told, wanted = _known(tuple(names))
    if wanted is None:
        return []
    found = wanted.finditer(text)
    return [Place(told[int(str(one.lastgroup)[1:])], one.start(), one.end()) for one in found]


def is_named(text: str, names: Sequence[str]) -> bool:
    """Say whether the text names any of the arms."""
    wanted = _known(tuple(names))[1]
    return wanted is not None and wanted.search(text) is not None


def mentions(text: str, names: Sequence[str]) -> list[Mention]:
    """Return where the sentence names one of the arms, in order, and how."""
    return [
        Mention(
            *place,
            _is_held_against(text, place),
            _before(_BEATEN, text, place),
            _before(_ABSENT, text, place)
            or _OFF.match(text[place.end : place.end + 40]) is not None,
        )
        for place in places(text, names)
    ]


def _is_held_against(text: str, name: Place) -> bool:
    if not _before(_AGAINST, text, name) or _before(_HEAD, text, name):
        return False
    if _before(_OF, text, name) and not _SHARED.search(text, *_clause(text, name)):
        return False
    return not (_before(_LEAD, text, name) and _OVER.search(text, name.end))


def _clause(text: str, name: Place) -> tuple[int, int]:
    """Return where the clause begins that leads to a name, and where the name does."""
    begin = max(0, name.start - _FAR)
    ends = [one.end() for one in _END_OF_CLAUSE.finditer(text, begin, name.start)]
    return max(ends, default=begin), name.start


def _before(words: re.Pattern[str], text: str, name: Place) -> bool:
    return words.search(text, max(0, name.start - 40), name.start) is not None


def owners(
    text: str, spans: Sequence[tuple[int, int]], found: Sequence[Mention]
) -> Mapping[int, str]:
    """Return the arm of each number that has one, by the number's place in `spans`."""
    owned: dict[int, str] = {}
    free: list[Mention] = []
    ends = [end for _, end in spans]
    for mention in found:
        index = _number_before(text, ends, mention)
        if index is not None and index not in owned:
            owned[index] = _told(mention)
        elif not mention.held_against:
            free.append(mention)
    _tie_forward(spans, free, owned)
    return owned


def _number_before(text: str, ends: Sequence[int], mention: Mention) -> int | None:
    """Return the number that a name behind it belongs to: `35.2 tok/s for Muser`."""
    index = bisect_right(ends, mention.start) - 1
    if index < 0 or mention.held_against or mention.is_denied:
        return None
    if _LABELS.match(text[mention.end : mention.end + 40]):
        return None
    return index if _BEHIND.match(text[ends[index] : mention.start]) else None


def is_named_behind(text: str, after: int, found: Sequence[Mention]) -> bool:
    """Say whether a name behind the number that ends there says whose it is: `33.4 for Muser`."""
    return any(one.start >= after and _BEHIND.match(text[after : one.start]) for one in found)


def _tie_forward(
    spans: Sequence[tuple[int, int]], free: Sequence[Mention], owned: dict[int, str]
) -> None:
    """Tie the numbers behind one name to it; behind several names, one each or none at all."""
    starts = [start for start, _ in spans]
    group: list[Mention] = []
    for place, mention in enumerate(free):
        stop = bisect_left(starts, free[place + 1].start) if place + 1 < len(free) else len(starts)
        group.append(mention)
        behind = [i for i in range(bisect_left(starts, mention.end), stop) if i not in owned]
        if not behind:
            continue
        if len(group) == 1:
            owned |= dict.fromkeys(behind, _told(mention))
        elif len(group) == len(behind):
            owned |= {i: _told(one) for i, one in zip(behind, group, strict=True)}
        group = []


_WITHOUT = "without "


def _told(mention: Mention) -> str:
    return f"{_WITHOUT}{mention.arm}" if mention.is_denied else mention.arm


def meant(owner: str | None, own: Sequence[str]) -> str | None:
    """Return the arm that is meant where a sentence may tell of one that is absent.

    Without one arm of a window (`own` are its two) it is the other that runs; of an arm that
    stands alone only the absence is known, and of one of another window nothing.
    """
    if owner is None or not owner.startswith(_WITHOUT):
        return owner
    absent = owner.removeprefix(_WITHOUT)
    if absent not in own:
        return None
    return other(absent, own) or owner


def other(arm: str | None, own: Sequence[str]) -> str | None:
    """Return the other arm of the two of a window, None where it is none of two."""
    if len(own) != 2 or arm not in own:
        return None
    return own[1] if arm == own[0] else own[0]


def spelt(name: str) -> str:
    """Return a pattern for a name, however its parts are joined."""
    return r"[-_. ]?".join(map(re.escape, _PART.findall(name)))


def side(found: Sequence[Mention], baseline: str, candidate: str) -> str | None:
    """Return the arm that a comparison is about, None where the sentence names neither.

    It is the one named first that is not only held against; "1.05× the plain one" is about the
    other.
    """
    turned = {baseline: candidate, candidate: baseline}
    agents = [one for one in found if one.is_agent]
    subjects = agents or [one for one in found if not one.held_against]
    if subjects:
        first = subjects[0]
        if first.is_denied:
            return turned.get(first.arm)
        return first.arm if first.arm in turned else None
    return turned.get(found[0].arm) if found else None
