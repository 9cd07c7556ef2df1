"""A bound number that its own clause denies; and denials of something else, which deny nothing."""

import pytest

from claims.checks import denials

DENIED = (
    "Decode does not reach |",
    "Decode never reaches |",
    "Decode doesn't reach |",
    "Decode can’t sustain |",
    "Decode fails to reach |",
    "Decode was unable to sustain |",
    "Decode hardly reaches |",
    "Decode falls short of |",
    "Decode is far from |",
    "Decode has not been measured at |",
    "The tuned one is not |",
    "It is no longer |",
    "No run reaches |",
    "None of the five runs reaches |",
    "Nobody has seen it reach |",
    "Neither decode nor prefill reaches |",
    "At no point does it reach |",
    "It is not true that it reaches |",
    "We doubt that it reaches |",
    "A rate of | is out of reach",
    "The | was not reproduced",
)
DENIED_ELSEWHERE = (
    "Decode reaches |",
    "Decode does not only reach |",
    "Not only does decode reach |",
    "No flag was set, and decode reaches |",
    "No cache was used and decode reaches |",
    "When no cache is used decode reaches |",
    "With no draft model decode reaches |",
    "A run that was not warmed up reaches |",
    "Users who do not tune get |",
    "Not counting the prefill, decode reaches |",
    "If you do not tune it, decode reaches |",
    "It does not drift: it reaches |",
    "Nothing else ran when it reached |",
    "It is not surprising that decode reaches |",
    "There is no doubt that decode reaches |",
    "No matter the seed, it reaches |",
    "The kernel that does not spill decodes at |",
    "Without tuning it reaches |",
    "It reached |, so far from one card",
    "It reaches |, not more",
    "It reaches |, which is not a record",
    "It reaches | and does not drift",
)


def said(text):
    before, _, after = text.partition("|")
    return denials.denied(before, after)


@pytest.mark.parametrize("text", DENIED)
def test_what_denies_the_verb_of_a_number_denies_the_number(text):
    assert said(text)


@pytest.mark.parametrize("text", DENIED_ELSEWHERE)
def test_what_denies_something_else_does_not(text):
    assert said(text) is None
