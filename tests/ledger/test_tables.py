"""Pipe tables: what a renderer would cut apart, and what no reader should guess."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import tables
from receipts.errors import MalformedError

HEAD = "| a | b | c |\n|---|:-:|--:|\n"


def only(text: str) -> tables.Table:
    (table,) = tables.read(text)
    return table


def cells(text: str) -> list[tuple[str, ...]]:
    return [row.cells for row in only(text).rows]


def test_a_table_keeps_lines_and_raw_text() -> None:
    table = only("intro\n\n" + HEAD + "| 1 | 2 | 3 |\n")
    assert (table.line, table.header) == (3, ("a", "b", "c"))
    assert table.rows == (tables.Row(5, ("1", "2", "3"), "| 1 | 2 | 3 |"),)


def test_outer_bars_may_be_missing() -> None:
    assert cells("a | b\n--|--\n1 | 2\n3 | 4\n") == [("1", "2"), ("3", "4")]


def test_line_ends_of_windows_and_a_byte_order_mark_are_read() -> None:
    assert cells("\ufeff" + HEAD.replace("\n", "\r\n") + "| 1 | 2 | 3 |\r\n") == [("1", "2", "3")]


def test_an_escaped_bar_belongs_to_its_cell() -> None:
    assert cells(HEAD + "| max\\|x\\| | 2 | 3 |\n") == [("max|x|", "2", "3")]


def test_a_blank_line_does_not_cut_a_table_that_goes_on() -> None:
    table = only(HEAD + "| 1 | 2 | 3 |\n\n| 4 | 5 | 6 |\n")
    assert [row.line for row in table.rows] == [3, 5]


def test_a_table_goes_on_with_a_row_that_holds_a_bare_bar() -> None:
    assert cells(HEAD + "| 1 | 2 | 3 |\n\n| 4 | 5 | max|x| is |\n")[1] == ("4", "5", "max|x| is")


def test_another_header_after_a_blank_line_is_another_table() -> None:
    found = tables.read(HEAD + "| 1 | 2 | 3 |\n\n" + HEAD + "| 4 | 5 | 6 |\n")
    assert [len(table.rows) for table in found] == [1, 1]


def test_rows_of_another_width_after_a_blank_line_are_not_its_rows() -> None:
    assert len(only(HEAD + "| 1 | 2 | 3 |\n\n| 4 | 5 |\n").rows) == 1


def test_prose_after_a_table_ends_it() -> None:
    assert len(only(HEAD + "| 1 | 2 | 3 |\nprose\n| 4 | 5 | 6 |\n").rows) == 1


@pytest.mark.parametrize(
    ("row", "expected", "said"),
    [
        ("| `x|y` | 2 | 3 |", ("`x|y`", "2", "3"), "code span"),
        ("| max|x| is | 2 | 3 |", ("max|x| is", "2", "3"), "between words"),
        ("| `p|q | r` and m|n| o | 2 | 3 |", ("`p|q | r` and m|n| o", "2", "3"), "code span and"),
    ],
)
def test_a_bare_bar_that_explains_itself_is_repaired_and_said(
    row: str, expected: tuple[str, ...], said: str
) -> None:
    (found,) = only(HEAD + row + "\n").rows
    assert found.cells == expected
    assert said in found.note


def test_a_surplus_that_nothing_explains_is_kept_for_the_reader_to_refuse() -> None:
    (row,) = only(HEAD + "| 1 | 2 | 3 | 4 |\n").rows
    assert (len(row.cells), row.note) == (4, "")


def test_missing_cells_are_empty_and_said() -> None:
    (row,) = only(HEAD + "| 1 | 2 |\n").rows
    assert (row.cells, row.note) == (("1", "2", ""), "1 missing at the end, taken as empty")


def test_a_table_in_a_code_fence_is_not_read() -> None:
    assert tables.read("```\n" + HEAD + "| 1 | 2 | 3 |\n```\n") == []


def test_a_header_of_another_width_than_its_alignment_row_is_no_table() -> None:
    assert tables.read("| a | b |\n|---|\n| 1 | 2 |\n") == []


def test_a_cell_over_the_limit_is_refused_with_its_line() -> None:
    with pytest.raises(MalformedError, match="line 3: a cell of 16385 characters"):
        tables.read(HEAD + "| " + "x" * (tables.MAX_CELL + 1) + " | 2 | 3 |\n")


def test_a_table_with_too_many_rows_is_refused_with_the_line() -> None:
    with pytest.raises(MalformedError, match=r"line 20003: .* over 20000 rows"):
        tables.read(HEAD + "|1|2|3|\n" * (tables.MAX_ROWS + 1))


CELL = st.text(st.characters(codec="utf-8", exclude_characters="|\\`~\r\n"), max_size=12).map(
    lambda text: " ".join(text.split())
)


@given(rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=8))
def test_what_is_written_as_a_table_is_read_as_it_was(rows: list[tuple[str, str, str]]) -> None:
    text = HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)
    assert cells(text) == rows


@given(text=st.text(st.sampled_from("|`\\-: ab\n~"), max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    for table in tables.read(text):
        assert all(len(row.cells) >= len(table.header) for row in table.rows)
