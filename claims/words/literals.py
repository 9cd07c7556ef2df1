"""Which pieces of text a pattern cannot do without: one of them stands in whatever it matches.

    \\b(?:keeps?|kept) (?:the |its )?M+        {"keep", "kept"}

Looking for a piece of text is many times cheaper than trying a pattern, so a sentence without any
is passed over, and what the pattern would have said of it is the same: nothing. The reading is that
of Python's own parser. What it does not know, such as a class or a lookahead, needs no text.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

# The parser of `re` has no public name; where it moves, this says so when it is imported.
from re import _constants as op  # type: ignore[attr-defined]  # isort: skip
from re import _parser as parser  # type: ignore[attr-defined]  # isort: skip

Texts = frozenset[str]
_WORD = re.compile(r"[a-z0-9']+")
_MOST = 48
_LEAST = 2
# Words that stand in most sentences.
_COMMON_WORDS = """
a an and are as at be been by can could did do does for from had has have in is it its never no not
n't of on or our than that the to was were with
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_EMPTY: Texts = frozenset([""])


def needed(pattern: str) -> Texts:
    """Return texts in small letters, one of which stands in every match; none where unknown."""
    _, best = _sequence(parser.parse(pattern))
    return best or frozenset()


def parts(texts: Texts) -> Texts:
    """Return of each text that is `needed` its longest word; none where one has no word."""
    longest = {max(_WORD.findall(text), key=len, default="") for text in texts}
    return frozenset() if min(map(len, longest), default=0) < _LEAST else frozenset(longest)


def _sequence(nodes: Iterable[tuple[Any, Any]]) -> tuple[Texts | None, Texts | None]:
    """Return all that the nodes can match, if that is little, and what they need of it."""
    run: Texts = _EMPTY
    found: list[Texts] = []
    whole = True
    for kind, argument in nodes:
        every, need = _node(kind, argument)
        if need:
            found.append(need)
        if every is not None and len(run) * len(every) <= _MOST:
            run = frozenset(map("".join, product(run, every)))
            continue
        whole = False
        found.append(run)
        run = every if every is not None else _EMPTY
    found.append(run)
    return (run if whole else None), _best(found)


def _node(kind: Any, argument: Any) -> tuple[Texts | None, Texts | None]:
    if kind is op.LITERAL:
        letter = chr(argument)
        return (frozenset([letter]) if letter == letter.lower() else None), None
    if kind is op.AT or kind is op.ASSERT or kind is op.ASSERT_NOT:
        return _EMPTY, None  # they match no text of their own
    if kind is op.SUBPATTERN:
        return _sequence(argument[-1])
    if kind is op.BRANCH:
        return _either([_sequence(branch) for branch in argument[1]])
    if kind is op.MAX_REPEAT or kind is op.MIN_REPEAT:
        least, most, nodes = argument
        every, need = _sequence(nodes)
        if (least, most) == (0, 1) and every is not None:
            return every | _EMPTY, None
        return None, need if least else None
    return None, None


def _either(
    branches: Sequence[tuple[Texts | None, Texts | None]],
) -> tuple[Texts | None, Texts | None]:
    all_of = [every for every, _ in branches if every is not None]
    needs = [one for every, need in branches if (one := need or every)]
    every = frozenset().union(*all_of) if len(all_of) == len(branches) else None
    need = frozenset().union(*needs) if len(needs) == len(branches) else None
    return (every if every is None or len(every) <= _MOST else None), need


def _best(found: Iterable[Texts]) -> Texts | None:
    """Return the texts that are rarest: those with the longest words, and of these the fewest."""
    useful = [texts for texts in found if min(map(len, texts)) >= _LEAST]
    return min(
        useful,
        key=lambda texts: (-min(map(_rarity, texts)), -min(map(len, texts)), len(texts)),
        default=None,
    )


def _rarity(text: str) -> int:
    return max((len(word) for word in _WORD.findall(text) if word not in _COMMON), default=0)
