"""What the words next to a number make of it."""

import pytest

from claims.checks import said as saying
from claims.checks.said import Said
from claims.numerals import numbers
from claims.registers import breadth


@pytest.mark.parametrize(
    ("before", "bound"),
    [
        ("at least ", "floor"),
        ("more than ", "floor"),
        ("no more than ", "ceiling"),
        ("no less than ", "floor"),
        ("≥ ", "floor"),
        ("up to ", "peak"),
        ("up to about ", "peak"),
        ("under ", "ceiling"),
        ("≤", "ceiling"),
        ("a total of ", None),
        ("at ", None),
    ],
)
def test_the_words_before_a_number_make_it_a_bound(before, bound):
    assert Said(f"It reaches {before}", " here").bound == bound


@pytest.mark.parametrize("before", ["about ", "~", "≈ ", "roughly ", "not quite "])
def test_some_words_make_it_approximate(before):
    assert Said(f"It reaches {before}", "").about
    assert not Said("It reaches ", "").about


@pytest.mark.parametrize(
    ("before", "after", "polarity", "gains", "loses"),
    [
        ("It is ", " faster", "higher", True, False),
        ("It is ", " slower", "higher", False, True),
        ("It takes ", " less time", "lower", True, False),
        ("It has ", " lower throughput", "higher", False, True),
        ("It is slower; then ", " here", "higher", False, False),
        ("It is ", " faster, but slower there", "higher", True, False),
        ("It is not slower at ", "", "higher", False, False),
    ],
)
def test_direction_is_told_by_the_numbers_own_clause(before, after, polarity, gains, loses):
    said = Said(before, after)
    assert (said.gains(polarity), said.loses(polarity)) == (gains, loses)


@pytest.mark.parametrize(
    "wide",
    [
        "on every model", "for any prompt", "regardless of the prompt", "across models",
        "no matter how long the prompt is", "everywhere", "on each GPU", "consistently",
    ],
)  # fmt: skip
def test_words_that_claim_more_than_one_scope_are_found(wide):
    assert breadth.says_more(f"It reaches 35 tok/s {wide}.")


@pytest.mark.parametrize(
    "narrow",
    ["medians of 6 each", "in every run", "in all 3 repetitions", "across the five runs"],
)
def test_words_about_the_repetitions_claim_no_more(narrow):
    assert breadth.says_more(f"It reaches 35 tok/s, {narrow}.") is None


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("34.91–35.31 tok/s", ["low", "high"]),
        ("34.91 to 35.31 tok/s", ["low", "high"]),
        ("between 34.91 and 35.31 tok/s", ["low", "high"]),
        ("between 34.91 tok/s and 35.31 tok/s", ["low", "high"]),
        ("at 34.91 and 35.31 tok/s", [None, None]),
        ("the plain one between us: 34.91 and 35.31 tok/s", [None, None]),
    ],
)
def test_the_ends_of_a_range_are_told_apart(text, ends):
    found = numbers.find(text)
    assert [
        saying.range_end(text[: one.start], text[one.end : one.after], text[one.after :])
        for one in found
    ] == ends
