"""How often something was measured, by the page's own words."""

import pytest

from claims.checks import counts


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("over five hundred repetitions", [500]),
        ("5 runs", [5]),
        ("(median of 3 repetitions)", [3]),
        ("(n = 5)", [5]),
        ("medians of 6 each", [6]),
        ("twenty-five independent runs", [25]),
        ("two thousand three hundred and five samples", [2305]),
        ("a single run", [1]),
        ("measured 500 times", [500]),
        ("1,000 trials", [1000]),
        ("5 warm-up runs", []),
        ("1.05 runs", []),
        ("164 in 3 runs", [3]),
        ("5 of 6 runs", [6]),
        ("5 models", []),
        ("5 runs at depth 0", [5]),
        ("a micro-batch of 512 runs at 5,757 tok/s", []),
        ("at depth 8192 decode runs at 105 tok/s", []),
        ("dozens of runs", [24]),
        ("several independent runs", [3]),
        ("several models", []),
    ],
)
def test_counts_of_repetitions_are_read_as_digits_and_as_words(text, values):
    assert [count.value for count in counts.find(text)] == values


def test_a_count_knows_where_it_stands():
    (count,) = counts.find("over five hundred repetitions")
    assert (count.text, count.start, count.end) == ("five hundred", 5, 17)
    assert counts.told("in three runs", 3)
    assert not counts.told("in three runs", 4)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("across three depths", [3]),
        ("over two batch sizes and five contexts", [2, 5]),
        ("in two streams, of five prompts", []),
        ("at one depth", []),
    ],
)
def test_number_words_of_depths_and_sizes_count_cells(text, values):
    assert [count.value for count in counts.of_cells(text)] == values
