"""A matrix on a page: who wins, and that the best of several cells is not every one (MRK-18)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from claims.checks import cells, fitting
from claims.checks.fitting import Told
from claims.checks.offer import Figure, Offer
from claims.checks.said import Said
from claims.numerals import numbers

ENDS = {"ratio.min": "1.24007", "ratio.max": "1.86231", "pair.min": "1.238", "pair.max": "1.8686"}
FIGURES = tuple(Figure(name, Fraction(value), "×") for name, value in ENDS.items())
MATRIX = Offer(
    "range", "matrix", "ratio_of_medians", "higher", "decode_tok_s", "tok/s", FIGURES, 6,
    least=Fraction("1.238"), most=Fraction("1.8686"), baseline="plain", candidate="fused",
    names=("plain", "fused"),
)  # fmt: skip


def said(text, shown):
    """Return the number of `text` that reads `shown`, with what stands around it."""
    number = next(one for one in numbers.find(text) if one.text == shown)
    return Told(number, Said(text[: number.start], text[number.after :]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [("At two depths it runs at 1.86× plain.", "1.86"), ("At two depths it gains 86 %.", "86")],
)
def test_the_most_of_several_cells_is_not_what_each_reaches(text, shown):
    code, message = cells.finding(said(text, shown), MATRIX, text)
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
    assert cells.finding(said(text, shown), MATRIX, text) is None


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


@pytest.mark.parametrize(
    ("text", "side", "refused"),
    [
        ("Plain runs at 1.24× fused.", "plain", True),
        ("Fused runs 1.24× slower than plain.", "fused", True),
        ("Plain is 1.24× faster than fused.", "plain", True),
        ("Plain is 1.24× slower than fused.", "plain", False),
        ("Fused is 1.24× faster than plain.", "fused", False),
        ("Fused runs at 1.24× plain.", "fused", False),
        ("It runs at 1.24×.", None, False),
    ],
)
def test_the_ends_of_a_range_are_of_the_arm_that_wins(text, side, refused):
    found = cells.turned(replace(said(text, "1.24"), side=side), MATRIX)
    assert (found is not None and found[0] == "CLM105") is refused
