"""What prose and tables say of a number: its quantity, its size, its range."""

import pytest

from claims.adopting import recorded
from claims.numerals.numbers import find


def stated(text):
    return {one.number.text: one for one in recorded.in_prose(text)}


def test_the_nearest_words_of_the_sentence_tell_quantity_and_size():
    found = stated(
        "At 2,048 tokens it took 1.493 s median TTFT, 0.22% CV and 6.2 Gbps payload. "
        "At 130,815 tokens decode ran at 35.2 tok/s."
    )
    assert (found["1.493"].quantity, found["1.493"].sizes) == ("ttft", {2048})
    assert (found["0.22"].quantity, found["6.2"].quantity) == ("cv", "payload")
    assert (found["35.2"].quantity, found["35.2"].sizes) == ("decode", {130815})


def test_of_input_and_output_the_input_is_the_size():
    assert stated("The 2,048/256 packet took 1.493 s.")["1.493"].sizes == {2048}


def test_what_is_not_said_stays_empty():
    one = stated("It took 1.493 s.")["1.493"]
    assert (one.quantity, one.sizes) == ("", frozenset())


def test_both_ends_of_a_range_know_it():
    found = stated("Decode ran at 1.02–1.05×, prefill at 1.10×.")
    assert [(float(f.low), float(f.high)) for f in found.values()] == [
        (1.02, 1.05), (1.02, 1.05), (1.1, 1.1),
    ]  # fmt: skip


def test_offsets_are_those_of_the_whole_text():
    text = "First. Then 5 ms. Then 7 ms."
    assert [text[f.number.start : f.number.end] for f in recorded.in_prose(text)] == ["5", "7"]


def test_a_cell_is_told_by_its_column_and_the_label_of_its_row():
    (one,) = recorded.in_cell(" **1.520 s** ", "Remote TTFT", " 2,048 ", "Decode speed")
    assert (one.quantity, one.sizes) == ("ttft", {2048})
    (other,) = recorded.in_cell("1.05", "Ratio", "2,048", "Decode speed")
    assert other.quantity == "decode"


@pytest.mark.parametrize(
    ("exact", "shown", "right"),
    [
        ("1.23692×", "1.2369", True),
        ("1.23692×", "1.237×", True),
        ("1.23692×", "1.236×", False),
        ("35.440 tok/s", "35.44", True),
        ("35.440 tok/s", "35", False),
        ("35.440 tok/s", "35.44 ms", False),
        ("1.5 s", "1.493 s", False),
        ("9.23%", "9%", True),
        ("0.5 s", "1 s", True),
        ("2.5 s", "2 s", True),
    ],
)
def test_a_number_is_carried_when_it_rounds_from_the_recorded_one(exact, shown, right):
    assert recorded.rounds_to(find(exact)[0], find(shown)[0]) is right
