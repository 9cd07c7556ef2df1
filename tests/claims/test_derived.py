"""Printed changes of a table against the operands printed beside them."""

import pytest

from claims.checks import derived
from claims.checks.derived import Grid


def grid(text):
    lines = [line.strip().strip("|").split("|") for line in text.strip().splitlines()]
    rows = [tuple(cell.strip() for cell in line) for line in lines]
    return Grid(rows[0], tuple(rows[1:]))


def places(text):
    return [(one.row, one.column) for one in derived.faults(grid(text))]


COMPARED = """
| depth | llama.cpp tok/s | Muser tok/s | ratio |
| 2,048 | 33.4261 | 35.1586 | 1.052× |
| 8,192 | 31.2500 | 32.8000 | {} |
| 16,384 | 28.0 | 29.4 | 1.05× |
"""


@pytest.mark.parametrize("right", ["1.0496×", "1.05×", "1.050", "—", "n/a", "**1.05×**"])
def test_ratios_that_follow_from_their_row_pass(right):
    assert places(COMPARED.format(right)) == []


@pytest.mark.parametrize("wrong", ["1.060×", "0.95×", "1.1×", "+5.5 %"])
def test_a_ratio_that_its_own_row_contradicts_is_named_at_its_cell(wrong):
    assert places(COMPARED.format(wrong)) == [(1, 3)]


def test_a_message_gives_the_operands_and_what_they_give():
    (fault,) = derived.faults(grid(COMPARED.format("1.060×")))
    assert fault.message == "1.060× is printed, 31.2500 → 32.8000 gives 1.04960×"


def test_one_row_is_enough_where_the_header_leaves_no_doubt():
    table = "| before (s) | after (s) | Δ |\n| 4.0 | 2.7 | {} |"
    assert places(table.format("−32.5 %")) == []
    assert places(table.format("−36.0 %")) == [(0, 2)]


@pytest.mark.parametrize(
    ("table", "right", "wrong"),
    [
        ("| before | after | change |\n| 10.0 | 12.0 | {} |", "+20 %", "+25 %"),
        (
            "| depth | plain (tok/s) | fused (tok/s) | speed-up |\n| 2,048 | 25.0 | 46.6 | {} |",
            "1.86×",
            "1.96×",
        ),
    ],
)
def test_a_single_row_beside_a_setting_must_follow_too(table, right, wrong):
    assert places(table.format(right)) == []
    assert [row for row, _ in places(table.format(wrong))] == [0]


def test_a_mean_and_a_maximum_are_no_operands_of_a_single_row():
    assert places("| mean (s) | max (s) | change |\n| 4.0 | 4.7 | +3.1 % |") == []


def test_a_column_that_no_pair_explains_is_left_alone():
    assert places("| a tok/s | b tok/s | vs c |\n| 4.0 | 2.7 | 1.9× |\n| 5 | 6 | 1.7× |") == []


def test_multiples_down_a_column_are_held_against_the_row_that_the_others_follow_from():
    table = "| engine | tok/s | × |\n| a | 20.0 | 1.00× |\n| b | 30.0 | 1.50× |\n"
    table += "| c | 40.0 | {} |\n| d | 50.0 | 2.50× |"
    assert places(table.format("2.00×")) == []
    assert places(table.format("2.20×")) == [(2, 2)]


def test_a_change_beside_its_operands_in_one_cell_is_recomputed():
    table = "| step | tok/s |\n| a | 33.0 → 35.0 (+{} %) |"
    assert places(table.format("6.1")) == []
    assert places(table.format("9.1")) == [(0, 1)]


def test_percentages_that_are_no_changes_are_left_alone():
    assert places("| n | hits | accuracy % |\n| 100 | 97 | 97 |\n| 100 | 98 | 12 |") == []
