"""A maximum is no rule, and the best of several cells is not every one (MRK-18)."""

from fractions import Fraction

import pytest

from claims.checks import fitting, unusual
from claims.checks.fitting import Told
from claims.checks.offer import Figure, Offer
from claims.checks.said import Said
from claims.numerals import numbers

ENDS = {"ratio.min": "1.24007", "ratio.max": "1.86231", "pair.min": "1.238", "pair.max": "1.8686"}
FIGURES = tuple(Figure(name, Fraction(value), "×") for name, value in ENDS.items())
MATRIX = Offer(
    "range", "matrix", "ratio_of_medians", "higher", "decode_tok_s", "tok/s", FIGURES, 6,
    least=Fraction("1.238"), most=Fraction("1.8686"),
)  # fmt: skip
PEAK = Offer(
    "peak", "level", "max", "higher", "decode_tok_s", "tok/s",
    (Figure("value", Fraction("133.7"), "tok/s"),), 5,
)  # fmt: skip


def said(text, shown):
    """Return the number of `text` that reads `shown`, with what stands around it."""
    number = next(one for one in numbers.find(text) if one.text == shown)
    return Told(number, Said(text[: number.start], text[number.after :]))


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [("At two depths it runs at 1.86× plain.", "1.86"), ("At two depths it gains 86 %.", "86")],
)
def test_the_most_of_several_cells_is_not_what_each_reaches(text, shown):
    code, message = unusual.finding(said(text, shown), MATRIX, "ratio_of_medians", text)
    assert (code, "the least is 1.24×" in message) == ("CLM214", True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It runs at 1.24–1.86× plain.", "1.86"),
        ("It runs at 1.86× at one depth and 1.24× at the other.", "1.86"),
        ("It runs at up to 1.86× plain.", "1.86"),
        ("It runs at 1.86× plain at best.", "1.86"),
        ("It runs at 1.24× plain.", "1.24"),
        ("It gains 24 % to 86 %.", "86"),
    ],
)
def test_the_most_beside_the_least_or_told_as_such_passes(text, shown):
    assert unusual.finding(said(text, shown), MATRIX, "ratio_of_medians", text) is None


@pytest.mark.parametrize(
    ("text", "shown", "told"),
    [
        ("at least 1.86×", "1.86", "at least 1.86, and one repetition was 1.24; 1.23 would hold"),
        ("over 1.86×", "1.86", "over 1.86, and one repetition was 1.24; 1.23 would hold"),
        ("under 1.24×", "1.24", "under 1.24, and one repetition was 1.87; 1.87 would hold"),
        ("up to 1.24×", "1.24", "up to 1.24, and the most of one repetition was 1.87"),
        ("at least 1.23×", "1.23", None),
        ("under 1.87×", "1.87", None),
        ("up to 1.86×", "1.86", None),
        ("up to 1.87×", "1.87", None),
        ("up to 86 %", "86", None),
    ],
)
def test_bounds_of_a_matrix_are_of_its_pairs_and_its_best_cell(text, shown, told):
    found = fitting.judge(said(text, shown), MATRIX)
    assert found == (("CLM110", told) if told else None)
