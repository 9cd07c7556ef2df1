"""Where a finding stands: spans end behind their number, sentences survive what moves them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.checks.placing import Lines

WORDS = st.lists(
    st.sampled_from(["It", "runs", "fast", "5 ms,", "35.2 tok/s", "e.g.", "vs."]), min_size=1
)


@pytest.mark.parametrize(
    ("text", "column", "span"),
    [
        ("It did 5 ms.", 8, "5"),
        ("at 1,234.5 tok/s", 4, "1,234.5"),
        ("**1.05×** of it", 3, "1.05"),
        ("−3 % worse", 1, "−3"),
        ("fast.<!--claim:a--> x", 6, "<!--claim:a-->"),
        ("模型速度 40 ms", 1, "模型速度"),
        ("a | b", 3, "|"),
    ],
)
def test_a_span_ends_behind_the_number_word_or_comment(text, column, span):
    assert text[column - 1 : Lines(text).end(1, column) - 1] == span


def test_a_place_beyond_the_line_still_has_a_span_of_one():
    assert Lines("ab").end(1, 9) == 10
    assert Lines("ab").text(7) == ""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_sentence_is_found_across_lines_and_ends_where_it_ends(newline):
    source = newline.join(
        ["# Head", "", "Before it. It reaches", "35.2 tok/s<!--claim:a--> now. After."]
    )
    lines = Lines(source)
    assert lines.sentence(4, 1) == "It reaches 35.2 tok/s now."
    assert lines.sentence(3, 1) == "Before it."
    assert lines.sentence(1, 3) == "Head"


def test_items_headings_and_quotes_are_sentences_of_their_own():
    lines = Lines("> quoted\n> 5 ms\n\n- one 1 ms\n- two 2 ms\n  more\n1. first\n## Second")
    assert lines.sentence(2, 3) == "quoted 5 ms"
    assert [lines.sentence(n, 5) for n in (4, 5, 6, 7, 8)] == [
        "one 1 ms", "two 2 ms more", "two 2 ms more", "first", "Second",
    ]  # fmt: skip


def test_a_cell_is_known_by_its_text_and_the_label_of_its_row():
    lines = Lines("| depth | decode | wall |\n|---|---|---|\n| 2,048 | 5 ms | **6 ms** |\n")
    assert lines.sentence(3, 11) == "2,048 | 5 ms"
    assert lines.sentence(3, 20) == "2,048 | 6 ms"
    assert lines.sentence(3, 3) == "2,048"


def test_a_bar_that_is_escaped_ends_no_cell():
    assert Lines(r"| a \| b | 5 ms |").sentence(1, 13) == r"a \| b | 5 ms"


def test_a_very_long_sentence_is_cut_and_told_apart_by_its_digest():
    one, other = Lines("x" * 300 + " 5 ms."), Lines("x" * 300 + " 6 ms.")
    assert len(one.sentence(1, 1)) < 260
    assert one.sentence(1, 1) != other.sentence(1, 1)


@given(WORDS, st.integers(0, 5), st.sampled_from(["\n", "\r\n"]))
def test_a_sentence_is_the_same_however_its_lines_are_broken_and_moved(words, before, newline):
    flowing = " ".join(words)
    broken = newline.join(words)
    one = Lines(flowing).sentence(1, 1)
    moved = Lines(f"Other.{newline}{newline}" * before + broken)
    assert moved.sentence(1 + 2 * before, 1) == one


@given(st.text(max_size=120), st.integers(1, 12), st.integers(1, 40))
def test_no_page_and_no_place_makes_placing_fail(text, line, column):
    lines = Lines(text)
    assert lines.end(line, column) > column
    assert "\n" not in lines.sentence(line, column)
