"""What a pattern needs stands in whatever it matches, so passing it over loses nothing."""

import random
import re
from re import _constants as op
from re import _parser as parser

import pytest

from claims.words import lexicon, literals

WAYS = sorted({way for term in lexicon.TERMS for way in term._written_out})
_CATEGORY = {op.CATEGORY_WORD: "q", op.CATEGORY_DIGIT: "3", op.CATEGORY_SPACE: " "}


def spell(nodes, draw):
    """Return a text that the nodes may match; what looks behind is left to chance."""
    return "".join(_spell(kind, argument, draw) for kind, argument in nodes)


def _spell(kind, argument, draw):
    if kind is op.LITERAL:
        return chr(argument)
    if kind is op.IN:
        return _one_of(argument, draw)
    if kind is op.BRANCH:
        return spell(draw.choice(argument[1]), draw)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
        least, most, nodes = argument
        return "".join(spell(nodes, draw) for _ in range(draw.randint(least, min(most, least + 2))))
    ahead = kind is op.ASSERT and argument[0] == 1
    return spell(argument[-1], draw) if kind is op.SUBPATTERN or ahead else ""


def _one_of(choices, draw):
    if choices[0][0] is op.NEGATE:
        return draw.choice("xyz ")
    kind, value = draw.choice(choices)
    if kind is op.LITERAL:
        return chr(value)
    return chr(draw.randint(*value)) if kind is op.RANGE else _CATEGORY.get(value, " ")


@pytest.mark.parametrize("way", WAYS)
def test_whatever_a_pattern_matches_holds_one_of_the_parts_that_it_needs(way):
    groups, nodes, draw = literals.needed(way), parser.parse(way), random.Random(way)
    texts = (f"N {spell(nodes, draw)} x" for _ in range(200))
    found = [match[0].lower() for text in texts if (match := re.search(way, text))]
    assert found or way.startswith(r"\A")
    parts = literals.parts(groups)
    assert all(any(one in text for one in some) for some in groups for text in found)
    assert all(any(part in text for part in some) for some in parts for text in found)


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        (r"\b(?:keeps?|kept) (?:the |its )?M+", [{"keep", "keeps", "kept"}, {"ep", "eps", "pt"}]),
        (r"loss-?less", [{"loss", "lossless"}]),
        (r"[ab]c\w*", []),
        (r"(?:x|yy)z?", []),
        (r"(?:fast|slow)+er", [{"fast", "slow"}, {"er"}]),
        (r"toe to toe \w+ rivals?", [{"rival", "rivals"}, {"toe"}, {"to"}]),
    ],
)
def test_the_rarest_texts_are_the_longest_that_no_match_can_do_without(pattern, parts):
    assert literals.parts(literals.needed(pattern)) == parts
