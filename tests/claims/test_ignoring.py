"""Ignores on a page: what each reaches, and what is wrong with those that are wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.checks import ignoring
from claims.rules import RULES, Refusal


def found(line, code="CLM101"):
    return Refusal(code, "5 ms stands here", place=f"page.md:{line}:4")


def sort(source, *findings, name="page.md", whole=True):
    """Return the counted codes with their lines, and the reasons of what is set aside."""
    done = ignoring.sort(name, findings, ignoring.read(name, source), whole=whole)
    counted = [(one.code, int(one.place.split(":")[1])) for one in done.counted]
    return counted, [reason for _, reason in done.ignored]


NEXT = "<!-- claims-ignore[CLM101]: a limit -->\nIt stops\nat 5 ms.\n\nAnd at 6 ms.\n"


def test_an_ignore_reaches_the_block_below_it_and_no_other():
    assert sort(NEXT, found(2), found(3)) == ([], ["a limit", "a limit"])
    assert sort(NEXT, found(3), found(5)) == ([("CLM101", 5)], ["a limit"])


@pytest.mark.parametrize(
    ("block", "last"),
    [
        ("| a | 5 ms |\n|---|---|\n| b | 6 ms |\nAfter 7 ms.\n", 4),
        ("- one 5 ms\n  and 6 ms\n- two 7 ms\n", 3),
        ("# Head 5 ms\n\nAfter 7 ms.\n", 2),
        ("> quoted 5 ms\n> and 6 ms\n>\n> after 7 ms\n", 3),
        ("Text 5 ms\n- item 7 ms\n", 2),
    ],
)
def test_a_block_is_a_table_an_item_a_heading_or_a_paragraph(block, last):
    source = f"<!-- claims-ignore[CLM101]: x -->\n{block}"
    assert sort(source, found(2), found(last), found(last + 1)) == (
        [("CLM101", last + 1)], ["x", "x"],
    )  # fmt: skip


def test_behind_text_an_ignore_is_of_its_own_line():
    source = "At 5 ms. <!-- claims-ignore[CLM101]: a limit -->\nAt 6 ms.\n"
    assert sort(source, found(1), found(2)) == ([("CLM101", 2)], ["a limit"])


@pytest.mark.parametrize("gap", ["\n", "\r\n\r\n", "\n\n\n", "\n \t\n"])
def test_blank_lines_between_an_ignore_and_its_line_do_not_matter(gap):
    source = f"<!-- claims-ignore[CLM101]: a limit -->{gap}It stops at 5 ms.\n"
    line = len(gap.replace("\r\n", "\n")) - gap.count(" \t") * 2 + 1
    assert sort(source, found(line)) == ([], ["a limit"])


def test_stacked_ignores_reach_the_same_line():
    source = "<!-- claims-ignore[CLM101]: one -->\n<!-- claims-ignore[CLM107]: two -->\nAt 5 ms.\n"
    assert sort(source, found(3), found(3, "CLM107")) == ([], ["one", "two"])


def test_an_ignore_of_its_line_and_of_the_file_reach_just_that():
    line = "At 5 ms. <!-- claims-ignore-line[CLM101]: a limit -->\nAt 6 ms.\n"
    assert sort(line, found(1), found(2)) == ([("CLM101", 2)], ["a limit"])
    file = "At 5 ms.\n\n<!-- claims-ignore-file[CLM101]: history -->\nAt 6 ms.\n"
    assert sort(file, found(1), found(4)) == ([], ["history", "history"])


def test_one_ignore_may_name_several_codes_and_each_must_be_used():
    source = "<!-- claims-ignore[CLM101, CLM107]: both -->\nAt 5 ms.\n"
    assert sort(source, found(2), found(2, "CLM107")) == ([], ["both", "both"])
    assert sort(source, found(2)) == ([("CLM091", 1)], ["both"])


def test_an_unused_ignore_is_a_finding_and_so_is_one_that_stands_below():
    assert sort(NEXT) == ([("CLM091", 1)], [])
    below = "At 5 ms.\n<!-- claims-ignore[CLM101]: late -->\n"
    assert sort(below, found(1)) == ([("CLM101", 1), ("CLM091", 2)], [])


def test_what_only_a_whole_run_judges_is_not_called_unused_in_another():
    source = "<!-- claims-ignore[CLM107]: two windows -->\nAt 5 ms.\n"
    assert sort(source) == ([("CLM091", 1)], [])
    assert sort(source, whole=False) == ([], [])


@pytest.mark.parametrize("reason", ["", ":", ": ", ":\n\n", ": .", ": —", ": 1"])
def test_an_ignore_without_a_reason_sets_nothing_aside(reason):
    source = f"<!-- claims-ignore[CLM101]{reason} -->\nAt 5 ms.\n"
    line = source.count("\n")
    assert sort(source, found(line)) == ([("CLM101", line), ("CLM090", 1)], [])


@pytest.mark.parametrize(
    "body",
    [
        "claims-ignore: everything",
        "claims-ignore[]: nothing",
        "claims-ignore CLM101: no brackets",
        "claims-ignore-next[CLM101]: another word",
        "claims-ignore[CLM101] a limit",
        "claims-ignored[CLM101]: past",
    ],
)
def test_a_misspelt_ignore_is_told_and_not_passed_over(body):
    assert sort(f"<!-- {body} -->\nAt 5 ms.\n", found(2)) == ([("CLM101", 2), ("CLM090", 1)], [])


@pytest.mark.parametrize("code", sorted(c for c, rule in RULES.items() if not rule.ignorable))
def test_what_nobody_sets_aside_is_refused_and_the_finding_stays(code):
    source = f"<!-- claims-ignore[{code}]: on leave -->\nAt 5 ms.\n"
    assert sort(source, found(2, code)) == ([(code, 2), ("CLM092", 1)], [])


def test_a_rule_that_there_is_not_is_no_rule_to_ignore():
    ((code, line),), ignored = sort("<!-- claims-ignore[CLM999]: why -->\nAt 5 ms.\n")
    assert (code, line, ignored) == ("CLM092", 1, [])


@pytest.mark.parametrize(
    "source",
    [
        "```\n<!-- claims-ignore[CLM101]: shown -->\n```\nAt 5 ms.\n",
        "- ~~~html\n  <!-- claims-ignore[CLM101]: shown -->\n  ~~~\n  At 5 ms.\n",
        "\n\nWrite `<!-- claims-ignore[CLM101]: why -->` above.\nAt 5 ms.\n",
        "\n\nWrite `` `<!-- claims-ignore[CLM101]: why -->` `` above.\nAt 5 ms.\n",
    ],
)
def test_an_ignore_in_code_is_text_about_ignores(source):
    assert sort(source, found(4)) == ([("CLM101", 4)], [])


def test_mdx_has_its_own_comments_and_markdown_prints_them():
    source = "{/* claims-ignore[CLM101]: a limit */}\nAt 5 ms.\n"
    assert sort(source, found(2), name="page.mdx") == ([], ["a limit"])
    assert sort(source, found(2)) == ([("CLM101", 2)], [])


def test_a_malformed_ignore_that_was_taken_for_a_marker_is_told_once():
    source = "<!-- claims-ignore[CLM101] -->\n\nAt 5 ms.<!--claim:a b-->\n"
    markers = [Refusal("CLM012", "m", None, f"page.md:{place}") for place in ("1:1", "3:9")]
    assert sort(source, *markers) == ([("CLM012", 3), ("CLM090", 1)], [])


def test_a_reason_over_several_lines_is_read_in_one():
    source = "<!-- claims-ignore[CLM101]:\n  the vendor's\n  figure -->\nAt 5 ms.\n"
    assert sort(source, found(4)) == ([], ["the vendor's figure"])


def test_the_place_of_an_ignore_counts_code_points():
    source = "模型 📈 5 ms <!-- claims-ignore-line[CLM401]: x -->\n"
    ((directive),) = ignoring.read("page.md", source)
    assert source[directive.column - 1 :].startswith("<!-- claims-ignore-line")


@given(st.text(alphabet="`~<!->{}*/ claims-ignore[CLM101]:\n\r|", max_size=200))
def test_no_text_makes_reading_fail_and_every_place_is_where_a_comment_opens(text):
    lines = ignoring._LINE.findall(text)
    for directive in ignoring.read("page.mdx", text):
        assert lines[directive.line - 1][directive.column - 1 :].startswith(("<!--", "{/*"))
