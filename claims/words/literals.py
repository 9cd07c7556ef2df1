"""Which pieces of text a pattern cannot do without: one of them stands in whatever it matches.

    \\b(?:keeps?|kept) (?:the |its )?M+        {"keep", "kept"}

Looking for a piece of text is many times cheaper than trying a pattern, so a sentence without any
is passed over, and what the pattern would have said of it is the same: nothing. The reading is that
of Python's own parser. What it does not know, such as a class or a lookahead, needs no text.

What was read of the patterns of this package is kept in `claims.words.needed_texts`; a pattern that
does not stand there as it is now is read when it is asked for.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from claims.words import needed_texts
from receipts import late as re

# The parser of `re` has no public name; where it moves, this says so when it is imported.
from re import _constants as op  # type: ignore[attr-defined]  # isort: skip
from re import _parser as parser  # type: ignore[attr-defined]  # isort: skip

Texts = frozenset[str]
_WORD = re.compile(r"[a-z0-9']+")
_MOST = 48
# A choice of so many texts is told whole where nothing else varies beside it.
_CHOICE = 512
_LEAST = 2
# Words that stand in most sentences.
_COMMON_WORDS = """
a an and are as at be been by can could did do does for from had has have in is it its never no not
n't of on or our than that the to was were with
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_EMPTY: Texts = frozenset([""])
EDGE = "\b"
"""Before or behind a part: no letter stands there in whatever matches."""
_EDGES: Texts = frozenset([EDGE])


def needed(pattern: str) -> tuple[Texts, ...]:
    """Return groups of texts in small letters, the rarest first.

    Of each group one text stands in every match; there is no group where none is known.
    """
    texts = (frozenset(one.replace(EDGE, "") for one in some) for some in _marked(pattern))
    return tuple(some for some in texts if min(map(len, some)) >= _LEAST)


def _marked(pattern: str) -> list[Texts]:
    return _sequence(parser.parse(pattern))[1]


def edged(pattern: str) -> list[Texts]:
    """Return the rarest groups that a pattern needs, no more than are asked of it.

    Each part has an `EDGE` where it is a whole word's end.
    """
    kept = needed_texts.PARTS.get(pattern)
    return read_edged(pattern) if kept is None else _split(kept, " ")


def read_edged(pattern: str) -> list[Texts]:
    """Return all of them, read from the pattern."""
    return parts(_marked(pattern))


def phrases(pattern: str) -> tuple[Texts, ...]:
    """Return the groups that a pattern needs in which more stands than a word."""
    kept = needed_texts.PHRASES.get(pattern)
    return read_phrases(pattern) if kept is None else tuple(_split(kept, "|"))


def read_phrases(pattern: str) -> tuple[Texts, ...]:
    """Return the same, read from the pattern."""
    return tuple(some for some in needed(pattern) if not all(map(_WORD.fullmatch, some)))


def parts(groups: Iterable[Texts]) -> list[Texts]:
    """Return sets of parts of words, rarest first; of each set one stands in whatever matches.

    Of a text that is needed they are its longest word, its second longest word, and so on.
    """
    found: list[Texts] = []
    for texts in groups:
        words = [_longest_first(text) for text in texts]
        for place in range(min(map(len, words))):
            some = frozenset(one[place] for one in words)
            if min(map(_length, some)) >= _LEAST and some not in found:
                found.append(some)
    return sorted(found, key=_order)


def _longest_first(text: str) -> list[str]:
    words = dict.fromkeys(_with_edges(text, *one.span()) for one in _WORD.finditer(text))
    return sorted(words, key=_length, reverse=True)


def _with_edges(text: str, start: int, end: int) -> str:
    """Return a word of a text, marked where what stands beside it is no letter."""
    before = EDGE if start and _is_edge(text[start - 1], text[start]) else ""
    behind = EDGE if end < len(text) and _is_edge(text[end], text[end - 1]) else ""
    return before + text[start:end] + behind


def _is_edge(beside: str, letter: str) -> bool:
    return letter != "'" and beside != "_" and not beside.isalnum()


def _length(part: str) -> int:
    return len(part.strip(EDGE))


def letters(pattern: str) -> list[frozenset[str]]:
    """Return sets of letters, the fewest first; of each set one stands in whatever matches."""
    kept = needed_texts.LETTERS.get(pattern)
    return read_letters(pattern) if kept is None else list(map(frozenset, kept))


def read_letters(pattern: str) -> list[frozenset[str]]:
    """Return the same, read from the pattern."""
    return sorted(_letters(parser.parse(pattern)), key=len)


def _split(groups: Iterable[str], mark: str) -> list[Texts]:
    return [frozenset(one.split(mark)) for one in groups]


def _letters(nodes: Iterable[tuple[Any, Any]]) -> list[frozenset[str]]:
    found: list[frozenset[str]] = []
    for kind, argument in nodes:
        if kind is op.LITERAL:
            found.append(frozenset(chr(argument)))
        elif kind is op.IN and argument[0][0] is op.LITERAL:
            found.append(frozenset(chr(value) for _, value in argument))
        elif kind is op.SUBPATTERN:
            found += _letters(argument[-1])
        elif kind is op.BRANCH:
            either = [min(_letters(one), key=len, default=None) for one in argument[1]]
            if all(either):
                found.append(frozenset().union(*(one for one in either if one)))
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT) and argument[0]:
            found += _letters(argument[2])
    return found


def _sequence(nodes: Iterable[tuple[Any, Any]]) -> tuple[Texts | None, list[Texts]]:
    """Return all that the nodes can match, if that is little, and the groups they need of it."""
    run: Texts = _EMPTY
    found: list[Texts] = []
    whole = True
    for kind, argument in nodes:
        every, needs = _node(kind, argument)
        found += needs
        if every is not None and _is_little(run, every):
            run = frozenset(map("".join, product(run, every)))
            continue
        whole = False
        found.append(run)
        run = every if every is not None else _EMPTY
    found.append(run)
    useful = [texts for texts in found if min(map(_length, texts)) >= _LEAST]
    return (run if whole else None), sorted(useful, key=_order)


def _is_little(one: Texts, other: Texts) -> bool:
    both = len(one) * len(other)
    return both <= _MOST or (both <= _CHOICE and 1 in (len(one), len(other)))


def _node(kind: Any, argument: Any) -> tuple[Texts | None, list[Texts]]:
    if kind is op.LITERAL:
        letter = chr(argument)
        return (frozenset([letter]) if letter == letter.lower() else None), []
    if kind is op.AT and argument is op.AT_BOUNDARY:
        return _EDGES, []
    if kind is op.AT or kind is op.ASSERT or kind is op.ASSERT_NOT:
        return _EMPTY, []  # they match no text of their own
    if kind is op.SUBPATTERN:
        return _sequence(argument[-1])
    if kind is op.BRANCH:
        return _either([_sequence(branch) for branch in argument[1]])
    if kind is op.MAX_REPEAT or kind is op.MIN_REPEAT:
        least, most, nodes = argument
        every, needs = _sequence(nodes)
        if (least, most) == (0, 1) and every is not None:
            return every | _EMPTY, []
        return None, needs if least else []
    return None, []


def _either(
    branches: Sequence[tuple[Texts | None, list[Texts]]],
) -> tuple[Texts | None, list[Texts]]:
    all_of = [every for every, _ in branches if every is not None]
    needs = [one for every, found in branches if (one := found[0] if found else every)]
    every = frozenset().union(*all_of) if len(all_of) == len(branches) else None
    need = frozenset().union(*needs) if len(needs) == len(branches) else None
    return (every if every is None or len(every) <= _CHOICE else None), [need] if need else []


def _order(texts: Texts) -> tuple[int, int, int]:
    """Sort texts before others that are less rare: those with the longest words, and few."""
    return -min(map(_rarity, texts)), -min(map(_length, texts)), len(texts)


def _rarity(text: str) -> int:
    return max((len(word) for word in _WORD.findall(text) if word not in _COMMON), default=0)
