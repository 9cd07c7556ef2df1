"""Words directly before a place are found as if all before it had been read."""

import random
import re

import pytest

from claims.checks import nearby, order

WORDS = re.compile(r"\b(?:at\s+least|no\s+more\s+than|about)\s+\Z", re.IGNORECASE)
# What `order` finds in steps, as one pattern over all that stands before a number.
UNIT = r"(?:\s*[A-Za-zµ%×]+(?:/[A-Za-z]+){0,2})?"
ABOUT = r"(?:(?:about|around|roughly|only|just|some|[~≈])\s*)?"
SECOND = re.compile(
    rf"(?:\bfrom\b(?:[^.;]|\.\d)*\d{UNIT}[^.;\d]{{0,24}}\bto\s+{ABOUT}|(?:→|->)\s*{ABOUT})\Z",
    re.IGNORECASE,
)
PIECES = (
    "from ", "From", " to ", "to\n", "33.4", "5", ".5", " tok/s", "; ", ". ", " → ", "-> ",
    "about ", "~", "x", " and ", "it went", ", up ", "7 ms", "2.", "   ", "…", "fromage ", "into ",
)  # fmt: skip


def drawn(seed):
    draw = random.Random(seed)
    return "".join(draw.choice(PIECES) for _ in range(draw.randint(1, 9)))


@pytest.mark.parametrize("blank", [" ", "\n", " " * 8, " " * 9, " " * 400, "\u200b" * 400 + " "])
@pytest.mark.parametrize("before", ["", "x", "a word " * 100])
def test_words_at_a_place_are_found_however_far_they_reach(before, blank):
    text = f"{before} at{blank.replace(chr(0x200B), ' ')}least{blank}"
    assert bool(nearby.ends(WORDS, text)) == bool(WORDS.search(text))
    assert bool(nearby.ends(WORDS, f"{text}no", len(text))) == bool(WORDS.search(text))


def test_what_ended_before_is_not_at_the_place():
    assert nearby.ends(WORDS, "at least 5 ") is None
    assert nearby.since("x" * 1000, 1000) == 1000 - nearby.REACH


def test_the_second_of_two_numbers_is_told_as_by_one_pattern_over_all_before_it():
    seconds = 0
    for seed in range(20_000):
        before = drawn(seed)
        second = SECOND.search(before) is not None
        seconds += second
        assert (order.role(before, "") == "candidate") == second or "now" in before, before
    assert seconds > 500
