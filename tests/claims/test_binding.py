import pytest

from claims.binding import Bindings, Bound, bind, sentence_ends
from claims.document import parse


def binding(source: str) -> Bindings:
    return bind(parse(source))


def only(source: str) -> Bound:
    (bound,) = binding(source).bound
    return bound


def test_a_marker_governs_back_to_the_sentence_end_and_the_next_back_to_the_marker():
    bindings = binding(
        "Prefill is 2×. Decode is 1.05×<!--claim:C16--> at 35.2 tok/s.<!--claim:C17--> So 3 ms."
    )
    first, second = bindings.bound
    assert (first.marker.claim, first.text) == ("C16", "Decode is 1.05×")
    assert (second.marker.claim, second.text) == ("C17", "at 35.2 tok/s.")
    assert [one.number.text for bound in bindings.bound for one in bound.numbers] == [
        "1.05",
        "35.2",
    ]
    assert [(one.number.text, one.column, one.sentence) for one in bindings.unbound] == [
        ("2", 12, "Prefill is 2×."),
        ("3", 82, "So 3 ms."),
    ]


def test_a_marker_in_one_block_or_cell_governs_nothing_in_another():
    bindings = binding(
        "1.1×\n\n| 1.2× | 1.3×<!--claim:C1--> |\n|---|---|\n\n- 1.4×\n- x<!--claim:C2-->"
    )
    assert [bound.text for bound in bindings.bound] == ["1.3×", "x"]
    assert [(one.number.text, one.line) for one in bindings.unbound] == [
        ("1.1", 1),
        ("1.2", 3),
        ("1.4", 6),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "<!--claim:C1-->",
        "3 ms.\n\n<!--claim:C1-->\n\n3 ms.",
        "It takes 3 ms. <!--claim:C1--> So it goes.",
        "`x`\n\n| a |\n|---|\n| <!--claim:C1--> |",
        "<div>\n3 ms</div>\n<!--claim:C1-->\n",
    ],
)
def test_a_marker_behind_nothing_binds_nothing_and_says_so(source: str):
    bound = only(source)
    assert bound.is_empty
    assert bound.numbers == ()


def test_the_second_of_two_markers_in_one_place_is_empty():
    for between in ("", " ", ")."):
        first, second = binding(f"3 ms<!--claim:a-->{between}<!--claim:b-->").bound
        assert (first.is_empty, second.is_empty) == (False, True)


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("**1.05**×<!--claim:C1-->", 3),
        ("up to 1.05&times;<!--claim:C1-->", 7),
        ("a &amp; b \\* [1.05](u)×<!--claim:C1-->", 15),
        ("1.05<!--claim:C1-->×", 1),
        ("🚀\t1.05  ×<!--claim:C1-->", 3),
        ("![bar of 1.05×](chart.png)<!--claim:C1-->", 10),
    ],
)
def test_a_number_is_read_as_rendered_and_placed_as_written(source: str, column: int):
    (located,) = only(source).numbers
    assert (located.number.text, located.number.unit) == ("1.05", "×")
    assert (located.line, located.column) == (1, column)


def test_a_marker_inside_a_number_does_not_bind_it():
    bindings = binding("1.<!--claim:C1-->05×")
    assert bindings.bound[0].numbers == ()
    assert [one.number.text for one in bindings.unbound] == ["1.05"]


def test_text_is_one_line_with_code_in_its_place_and_no_number_read_from_it():
    bound = only("> With `-c  4096`,\n> *llama.cpp* is&nbsp;at\n> 35 `tok/s`.<!--claim:C1-->")
    assert bound.text == "With -c 4096, llama.cpp is at 35 tok/s."
    assert [(one.number.text, one.number.unit, one.line) for one in bound.numbers] == [
        ("35", None, 3)
    ]


def test_scope_numbers_in_the_stretch_are_listed_and_only_measurements_can_be_unbound():
    source = "At depth 2,048 and 24 GB: 35 tok/s"
    assert [one.number.text for one in only(source + "<!--claim:C1-->").numbers] == [
        "2,048",
        "24",
        "35",
    ]
    assert [one.number.text for one in binding(source).unbound] == ["35"]


def test_an_image_is_read_apart_from_the_words_around_it():
    assert [one.number.text for one in binding("![3](a.png)40 tok/s").unbound] == ["40"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("A is 1.05×. B is 2.", ["A is 1.05×.", " B is 2."]),
        ("A vs. B, e.g. 3, i.e. approx. 4.", ["A vs. B, e.g. 3, i.e. approx. 4."]),
        ("Use llama.cpp. It works", ["Use llama.cpp."]),
        ("See no. 5 there. It says no. So what", ["See no. 5 there.", " It says no."]),
        ("(Really!) He said “Yes.” Oh?! x", ["(Really!)", " He said “Yes.”", " Oh?!"]),
        ("速度更快。提升3倍！", ["速度更快。", "提升3倍！"]),
        ("v1.2 and a.b.c and ...", ["v1.2 and a.b.c and ..."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, sentences: list[str]):
    ends = sentence_ends(text)
    starts = [0, *ends]
    assert [text[start:end] for start, end in zip(starts, ends, strict=False)] == sentences


def test_bound_markers_come_in_the_order_of_the_page():
    claims = [
        b.marker.claim
        for b in binding("<!--claim:a-->\n\n3 ms<!--claim:b-->\n\n<!--claim:c-->").bound
    ]
    assert claims == ["a", "b", "c"]
