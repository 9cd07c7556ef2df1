"""What each form of binding governs, and what is left over."""

import pytest

from claims.markers.binding import Bindings, Bound, bind
from claims.pages import regions
from claims.pages.document import parse
from claims.pages.sentences import sentence_ends
from claims.scanner import atoms


def binding(source: str, known: tuple[str, ...] = ()) -> Bindings:
    page = parse(source)
    return bind(page, atoms.scan(page), known)


def only(source: str, known: tuple[str, ...] = ()) -> Bound:
    (bound,) = binding(source, known).bound
    return bound


def texts(found) -> list[str]:
    return [atom.text for atom in found]


def problems(source: str, known: tuple[str, ...] = ()) -> list[tuple[str, int, int]]:
    return [(one.code, one.line, one.column) for one in binding(source, known).problems]


def test_a_marker_governs_back_to_the_sentence_end_and_the_next_back_to_the_marker():
    bindings = binding(
        "Prefill is 2×. Decode is 1.05×<!--claim:C16--> at 35.2 tok/s.<!--claim:C17--> So 3 ms."
    )
    first, second = bindings.bound
    assert (first.claim, first.text) == ("C16", "Decode is 1.05×")
    assert (second.claim, second.text) == ("C17", "at 35.2 tok/s.")
    assert [texts(bound.atoms) for bound in bindings.bound] == [["1.05"], ["35.2"]]
    assert [(one.text, one.column) for one in bindings.left] == [("2", 12), ("3", 82)]


def test_a_marker_in_one_block_or_cell_governs_nothing_in_another():
    bindings = binding(
        "1.1×\n\n| 1.2× | 1.3×<!--claim:C1--> |\n|---|---|\n\n- 1.4×\n- x<!--claim:C2-->"
    )
    assert [bound.text for bound in bindings.bound] == ["1.3×", "x"]
    assert [(one.text, one.line) for one in bindings.left] == [("1.1", 1), ("1.2", 3), ("1.4", 6)]


@pytest.mark.parametrize(
    "source",
    [
        "<!--claim:C1-->",
        "3 ms.\n\n<!--claim:C1-->\n\n3 ms.",
        "3 ms.\n\n<!--claim:C1-->\n",
        "It takes 3 ms. <!--claim:C1--> So it goes.",
        "`x`\n\n| a |\n|---|\n| <!--claim:C1--> |",
    ],
)
def test_a_marker_behind_nothing_binds_nothing_and_says_so(source: str):
    bound = only(source)
    assert bound.is_empty
    assert bound.atoms == ()


def test_the_second_of_two_markers_in_one_place_is_empty_or_a_second_claim():
    for between in ("", " ", ")."):
        first, second = binding(f"3 ms<!--claim:a-->{between}<!--claim:a-->").bound
        assert (first.is_empty, second.is_empty) == (False, True)
    assert problems("3 ms<!--claim:a--><!--claim:b-->") == [("CLM011", 1, 19)]


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
    (atom,) = only(source).atoms
    assert (atom.text, atom.number.unit) == ("1.05", "×")
    assert (atom.line, atom.column) == (1, column)


def test_text_is_one_line_with_code_in_its_place_and_no_number_read_from_it():
    bound = only("> With `-c  4096`,\n> *llama.cpp* is&nbsp;at\n> 35 `tok/s`.<!--claim:C1-->")
    assert bound.text == "With -c 4096, llama.cpp is at 35 tok/s."
    assert [(one.text, one.line) for one in bound.atoms] == [("35", 3)]


def test_a_block_form_governs_the_paragraph_below_and_what_is_left_unbound_in_it():
    source = "<!-- claim: C2 -->\nFirst 1.1×. Then 1.2×<!--claim:C3--> and 1.3×.\n\n1.4×"
    inner, outer = sorted(binding(source).bound, key=lambda one: one.form, reverse=True)
    assert (outer.claim, outer.form, texts(outer.atoms)) == ("C2", "block", ["1.1", "1.3"])
    assert (inner.claim, texts(inner.atoms)) == ("C3", ["1.2"])
    assert texts(binding(source).left) == ["1.4"]


def test_a_block_form_governs_every_item_of_the_list_below():
    source = "<!-- claim: C2 -->\n- 1.1×\n- 1.2×\n\n- 1.3×\n\n1.4×"
    assert [texts(one.atoms) for one in binding(source).bound] == [["1.1"], ["1.2"], ["1.3"]]
    assert texts(binding(source).left) == ["1.4"]


def test_a_table_form_governs_the_cells_and_carries_its_layout():
    table = "| depth | Decode |\n|---|---|\n| 1 | 35.2 |"
    source = f"<!-- claim: C2 row=depth cols=Decode:decode -->\n{table}"
    bound = only(source)
    assert (bound.form, bound.arguments) == ("table", (("row", "depth"), ("cols", "Decode:decode")))
    assert "35.2" in texts(bound.atoms)
    assert bound.table.header == ("depth", "Decode")


def test_a_layout_without_a_table_below_it_is_misplaced():
    assert problems("<!-- claim: C2 row=a cols=B:c -->\n35.2 tok/s") == [("CLM012", 1, 1)]
    assert problems("35.2 <!-- claim: C2 row=a cols=B:c --> tok/s") == [("CLM012", 1, 6)]


def test_the_text_of_a_link_to_a_claim_is_governed_by_it():
    source = "It is [1.05×](docs/claims.md#c16) and [1.1×](docs/other.md#c16)."
    bindings = binding(source, ("C16",))
    ((bound,), left) = bindings.bound, bindings.left
    assert (bound.claim, bound.form, texts(bound.atoms)) == ("C16", "link", ["1.05"])
    assert texts(left) == ["1.1"]


def test_a_footnote_called_as_a_claim_governs_as_a_marker_does():
    source = "It is 1.05×[^C16] or 1.1×[^1].\n\n[^C16]: See there.\n[^1]: No.\n"
    bindings = binding(source, ("C16",))
    assert [(one.claim, one.form, texts(one.atoms)) for one in bindings.bound] == [
        ("C16", "footnote", ["1.05"])
    ]
    assert texts(bindings.left) == ["1.1"]


def test_a_link_and_a_marker_of_two_claims_clash():
    assert problems("[1.05×](claims.md#a)<!--claim:b-->", ("a",)) == [("CLM011", 1, 21)]
    assert problems("[1.05×](claims.md#a)<!--claim:a-->", ("a",)) == []


def test_a_suffix_names_a_cell_and_a_field():
    bound = only("35.2<!--claim:C1@n_ubatch=512#min-->")
    assert (bound.cell, bound.field) == ("n_ubatch=512", "min")


REGION = regions.write("C16", "It runs at 1.05×.\n\nIt does.\n")


def test_a_region_governs_what_stands_in_it_and_holds_under_other_line_endings():
    assert [(one.form, one.text) for one in binding(REGION).bound] == [
        ("region", "It runs at 1.05×."),
        ("region", "It does."),
    ]
    assert problems(REGION) == []
    assert problems(REGION.replace("\n", "\r\n")) == []
    assert problems(REGION.replace("1.05×.\n", "1.05×.  \n")) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (REGION.replace("1.05", "1.06"), (1, 1)),
        (REGION + "\n" + REGION, (7, 1)),
        (REGION.replace("claim:end C16", "claim:end C17"), (5, 1)),
        (REGION.partition("<!-- claim:end")[0], (1, 1)),
        ("x\n\n<!-- claim:end C16 -->\n", (3, 1)),
        (REGION.replace("It does.", REGION), (4, 1)),
    ],
)
def test_a_region_that_was_edited_or_does_not_pair_is_named(text: str, place: tuple[int, int]):
    assert ("CLM040", *place) in problems(text)


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
        b.claim for b in binding("<!--claim:a-->\n\n3 ms<!--claim:b-->\n\n<!--claim:c-->").bound
    ]
    assert claims == ["a", "b", "c"]


def test_a_page_of_nothing_but_the_comments_of_a_region_can_be_read():
    empty = f"<!-- claim:begin C16 sha256={'0' * 64} -->\n<!-- claim:end C16 -->\n"
    assert binding(empty).bound == ()
    assert problems(empty) == [("CLM040", 1, 1)]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("35.1–35.2 tok/s (minimum to maximum)", False),
        ("Decode: 35.1–35.2 tok/s (min–max).", False),
        ("35.1–35.2 tok/s (minimum to maximum of all)", True),
        ("Decode gives 35.1–35.2 tok/s (minimum to maximum)", True),
        ("35.1 tok/s (as of now)", True),
    ],
)
def test_that_a_range_is_of_minimum_and_maximum_makes_no_sentence_of_it(text: str, whole: bool):
    assert only(f"{text}<!--claim:C1-->").whole is whole
