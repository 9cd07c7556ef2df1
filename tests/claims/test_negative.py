"""The negative space (REG-25): what nobody claims, and sentences that claim it all the same."""

import pytest

from claims.registers.model import NotClaimed
from claims.registers.negative import NegativeSpace

SPACE = NegativeSpace(
    [NotClaimed(phrase="sampled decoding"), NotClaimed(phrase="every GPU", note="one was run")]
)


@pytest.mark.parametrize(
    "text",
    [
        "It holds for sampled decoding.",
        "Sampled\n Decoding is as fast.",
        "It is not slow. It is fast on every GPU.",
        "On every GPU it is no slower.",
    ],
)
def test_a_sentence_that_claims_it_is_found_however_it_is_spaced(text):
    assert SPACE.contradicted(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Nothing is claimed of sampled decoding.",
        "We do not claim it on every GPU.",
        "It holds for resampled decoding.",
        "Greedy decoding alone was run.",
        "",
    ],
)
def test_a_sentence_that_denies_it_or_says_something_else_is_not(text):
    assert SPACE.contradicted(text) is None


def test_the_place_and_the_item_are_told():
    item, offset = SPACE.find("It is fast on every GPU.")
    assert (item.note, offset) == ("one was run", 14)


def test_an_empty_space_forbids_nothing():
    assert NegativeSpace().contradicted("on every GPU") is None
