"""What a pattern needs stands in whatever it matches, so passing it over loses nothing."""

import random
import re
import subprocess
import sys
from re import _constants as op
from re import _parser as parser

import pytest

from claims.words import guards, lexicon, literals, needed_texts
from claims.words import sentence as _sentence  # noqa: F401 - it names all of MOODS
from tests.conftest import REPOSITORY

WAYS = sorted({way for term in lexicon.TERMS for way in term.written_out})
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
    parts = [{part.strip(literals.EDGE) for part in some} for some in literals.read_edged(way)]
    assert all(any(one in text for one in some) for some in groups for text in found)
    assert all(any(part in text for part in some) for some in parts for text in found)


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        (r"\b(?:keeps?|kept) (?:the )?M+", [{"<keep>", "<keeps>", "<kept>"}, {"ep", "eps", "pt"}]),
        (r"loss-?less", [{"loss>", "lossless"}]),
        (r"[ab]c\w*", []),
        (r"(?:x|yy)z?", []),
        (r"(?:fast|slow)+er", [{"fast", "slow"}, {"er"}]),
        (r"toe to toe \w+ rivals?", [{"<rival", "<rivals"}, {"toe>"}, {"<toe>"}, {"<to>"}]),
    ],
)
def test_the_rarest_texts_are_the_longest_that_no_match_can_do_without(pattern, parts):
    found = literals.read_edged(pattern)
    assert [{_shown(part) for part in some} for some in found] == parts


def _shown(part):
    """Show where a part is a word's end."""
    before, behind = part.startswith(literals.EDGE), part.endswith(literals.EDGE)
    return "<" * before + part.strip(literals.EDGE) + ">" * behind


def test_what_is_kept_of_the_patterns_is_what_is_read_of_them():
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "docs" / "make_needed_texts.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


# What looks behind for itself is met by chance alone, and by none of these texts.
UNMET = r"(?:not|n't|never) (?:present|describe|advertise|sell|bill|offer) [^.;]{1,60} as "


@pytest.mark.parametrize(
    ("family", "pattern"),
    [(one, pattern) for one in (lexicon.PROPERTIES, guards.MOODS) for pattern in one.patterns],
)
def test_a_pattern_may_match_whatever_it_matches(family, pattern):
    nodes, draw = parser.parse(pattern), random.Random(pattern)
    place = family.patterns.index(pattern)
    edges = [("", ""), ("so ", " x"), ("“", ", x"), ("a b, ", ".")]
    texts = [f"{before}{spell(nodes, draw)}{behind}" for before, behind in edges for _ in range(20)]
    met = [text for text in texts if re.search(pattern, text)]
    assert met or UNMET in pattern
    assert [text for text in met if not family.may(text.split()) >> place & 1] == []


def test_a_pattern_is_passed_over_where_its_words_are_only_parts_of_others():
    family = guards.Family()
    found = family.add(r"\b(?:if|ate)\b")
    assert not found.search(family.may(["specific", "rates"]), "if")
    assert found.search(family.may(["(if"]), "(if it")


def test_every_part_that_is_needed_has_a_letter():
    parts = {
        part for groups in needed_texts.PARTS.values() for one in groups for part in one.split()
    }
    assert all(re.search("[a-z]", part) for part in parts)
