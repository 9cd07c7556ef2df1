"""A maximum is no rule, and a page that shows one tells (MRK-18)."""

from fractions import Fraction

import pytest

from claims.checks import unusual
from claims.checks.offer import Figure, Offer
from tests.claims.test_cells import said

PEAK = Offer(
    "peak", "level", "max", "higher", "decode_tok_s", "tok/s",
    (Figure("value", Fraction("133.7"), "tok/s"),), 5,
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Decode reaches 133.7 tok/s there.",
        "A typical run decodes 133.7 tok/s.",
        "Decode sustains 133.7 tok/s on an M4 Max.",
    ],
)
def test_a_maximum_shown_as_the_rule_is_refused(text):
    code, message = unusual.finding(said(text, "133.7"), PEAK, "max", text)
    assert (code, message) == ("CLM205", "133.7 is the max, and nothing beside it says so")


@pytest.mark.parametrize(
    "text",
    [
        "Decode peaks at 133.7 tok/s.",
        "Decode reaches up to 133.7 tok/s.",
        "The fastest of five runs gave 133.7 tok/s.",
        "At best it is 133.7 tok/s.",
    ],
)
def test_a_maximum_that_is_told_passes(text):
    assert unusual.finding(said(text, "133.7"), PEAK, "max", text) is None


def test_a_paragraph_tells_of_which_run_its_numbers_are_and_praise_does_not():
    told = said("Decode reaches 133.7 tok/s.", "133.7")
    assert unusual.unsaid(told, "max", "All are the best run of five.") is None
    assert unusual.unsaid(told, "max", "decode | 133.7 | maximum") is None
    assert unusual.unsaid(told, "max", "Ours is the best engine.") is not None
    assert unusual.unsaid(told, "median", "") is None


@pytest.mark.parametrize(
    ("statistic", "words"), [("p99", "at the 99th percentile"), ("p99", "(p99)"), ("p90", "p90")]
)
def test_a_percentile_is_told_by_its_name(statistic, words):
    bare = said("The first token comes after 61.0 ms.", "61.0")
    assert "is the p" in str(unusual.unsaid(bare, statistic))
    assert unusual.unsaid(said(f"It is 61.0 ms {words}.", "61.0"), statistic) is None
